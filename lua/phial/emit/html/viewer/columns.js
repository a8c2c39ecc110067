// columns: horizontal coordinates of the nodes of a layered graph, after Brandes, Köpf (2001).
const columns = (() => {
  const NODE_GAP = 30;
  const DUMMY_GAP = 16;

  // Links of a node and a dummy that cross one between two dummies, which shall be straight.
  function conflicts(rows, s, pos, isDummy) {
    const found = new Set();
    const n = s.at.length;
    for (let l = 1; l < rows.length; l++) {
      const upper = rows[l - 1];
      const lower = rows[l];
      let k0 = 0;
      let scan = 0;
      lower.forEach((v, i) => {
        const inner = isDummy(v) ? s.above[v].find(isDummy) : undefined;
        const k1 = inner === undefined ? upper.length : pos[inner];
        if (k1 === upper.length && i < lower.length - 1) return;
        for (; scan <= i; scan++) {
          const w = lower[scan];
          for (const u of s.above[w]) {
            const both = isDummy(u) && isDummy(w);
            if (!both && (pos[u] < k0 || pos[u] > k1)) found.add(u * n + w);
          }
        }
        k0 = k1;
      });
    }
    return found;
  }

  // Aligns each node with a median neighbour; rows and positions may be mirrored.
  function align(rows, pos, near, bad) {
    const n = pos.length;
    const root = new Int32Array(n);
    const next = new Int32Array(n);
    for (let v = 0; v < n; v++) root[v] = next[v] = v;
    for (const row of rows) {
      let last = -1;
      for (const v of row) {
        const list = near[v].slice().sort((a, b) => pos[a] - pos[b]);
        if (list.length === 0) continue;
        const mid = (list.length - 1) / 2;
        for (let m = Math.floor(mid); m <= Math.ceil(mid); m++) {
          const u = list[m];
          if (next[v] !== v || pos[u] <= last || bad(u, v)) continue;
          next[u] = v;
          root[v] = root[u];
          next[v] = root[v];
          last = pos[u];
        }
      }
    }
    return root;
  }

  // Places aligned blocks as far to the left as their neighbours permit, then moves each
  // that has room to the right.
  function compact(rows, root, gap) {
    const n = root.length;
    const after = Array.from({ length: n }, () => []);
    const waits = new Int32Array(n);
    for (const row of rows) {
      for (let i = 1; i < row.length; i++) {
        const u = root[row[i - 1]];
        const v = root[row[i]];
        after[u].push({ v, d: gap(row[i - 1], row[i]) });
        waits[v]++;
      }
    }
    const x = new Float64Array(n);
    const sorted = [];
    for (let v = 0; v < n; v++) if (root[v] === v && waits[v] === 0) sorted.push(v);
    for (let i = 0; i < sorted.length; i++) {
      for (const { v, d } of after[sorted[i]]) {
        x[v] = Math.max(x[v], x[sorted[i]] + d);
        if (--waits[v] === 0) sorted.push(v);
      }
    }
    for (let i = sorted.length - 1; i >= 0; i--) {
      let room = Infinity;
      for (const { v, d } of after[sorted[i]]) room = Math.min(room, x[v] - d);
      if (room !== Infinity) x[sorted[i]] = Math.max(x[sorted[i]], room);
    }
    return x.map((_, v) => x[root[v]]);
  }

  function assignX(rows, s, pos, width, isDummy) {
    const n = s.at.length;
    const bad = conflicts(rows, s, pos, isDummy);
    const all = [];
    const gap = (u, v) =>
      (width(u) + width(v)) / 2 +
      (isDummy(u) && isDummy(v) ? DUMMY_GAP : isDummy(u) || isDummy(v) ? NODE_GAP * 0.8 : NODE_GAP);
    for (const down of [true, false]) {
      for (const left of [true, false]) {
        let order = down ? rows : rows.slice().reverse();
        if (!left) order = order.map((row) => row.slice().reverse());
        const p = new Int32Array(n);
        layers.positions(order, p);
        const isBad = down ? (u, v) => bad.has(u * n + v) : (u, v) => bad.has(v * n + u);
        const x = compact(order, align(order, p, down ? s.above : s.below, isBad), gap);
        all.push(left ? x : x.map((a) => -a));
      }
    }
    return average(all, width);
  }

  // Moves the four placements to the narrowest, and takes the mean of the two in the middle.
  function average(all, width) {
    const bounds = all.map((x) => {
      let low = Infinity;
      let high = -Infinity;
      x.forEach((a, v) => {
        low = Math.min(low, a - width(v) / 2);
        high = Math.max(high, a + width(v) / 2);
      });
      return { low, high };
    });
    const best = bounds.reduce((a, b) => (b.high - b.low < a.high - a.low ? b : a));
    const shift = bounds.map((b, i) => (i % 2 === 0 ? best.low - b.low : best.high - b.high));
    return all[0].map((_, v) => {
      const four = all.map((x, i) => x[v] + shift[i]).sort((a, b) => a - b);
      return (four[1] + four[2]) / 2;
    });
  }

  return { DUMMY_GAP, assignX };
})();
