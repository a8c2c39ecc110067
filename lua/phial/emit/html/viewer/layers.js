// layers: the layer of each node of a control-flow graph, and their order in it.
//
// After Sugiyama, Tagawa, Toda (1981): edges that close a cycle of the depth-first search
// are turned round; layers are longest paths; edges that pass a layer get a dummy there;
// sweeps by barycentre order the layers.
const layers = (() => {
  // An edge over more layers is led past the whole drawing.
  const LONGEST = 40;

  // {== Cycles and layers

  // The edges that lead back to a node on the path of the search.
  function backEdges(g) {
    const state = new Uint8Array(g.count);
    const back = new Uint8Array(g.edges.length);
    const roots = [g.entry, ...g.roots];
    for (const root of roots) {
      if (state[root]) continue;
      const path = [root];
      const at = [0];
      state[root] = 1;
      while (path.length > 0) {
        const node = path[path.length - 1];
        const i = at[at.length - 1]++;
        if (i === g.out[node].length) {
          state[node] = 2;
          path.pop();
          at.pop();
          continue;
        }
        const e = g.out[node][i];
        const to = g.edges[e].to;
        if (state[to] === 1) back[e] = 1;
        if (state[to] === 0) {
          state[to] = 1;
          path.push(to);
          at.push(0);
        }
      }
    }
    return back;
  }

  // What follows a loop is to be below it: each loop has an end, below the sources of its
  // back edges and above its exits. Returns arcs {from, to, length} between nodes and ends,
  // which are numbered after the nodes.
  function loopArcs(g, back) {
    const arcs = [];
    const loops = g.loops;
    const isIn = (node, loop) => {
      for (let l = g.loopOf[node]; l >= 0; l = loops[l].parent) if (l === loop) return true;
      return false;
    };
    g.edges.forEach(({ from, to }, e) => {
      for (let l = g.loopOf[from]; l >= 0; l = loops[l].parent) {
        const end = g.count + l;
        if (back[e] && loops[l].header === to) arcs.push({ from, to: end, length: 0 });
        if (!isIn(to, l)) arcs.push({ from: end, to, length: 1 });
      }
    });
    return arcs;
  }

  // The longest paths; null if the arcs have a cycle.
  function longestPaths(count, arcs) {
    const out = Array.from({ length: count }, () => []);
    const waits = new Int32Array(count);
    for (const arc of arcs) {
      out[arc.from].push(arc);
      waits[arc.to]++;
    }
    const layer = new Int32Array(count);
    const ready = [];
    for (let v = 0; v < count; v++) if (waits[v] === 0) ready.push(v);
    for (let i = 0; i < ready.length; i++) {
      for (const { to, length } of out[ready[i]]) {
        layer[to] = Math.max(layer[to], layer[ready[i]] + length);
        if (--waits[to] === 0) ready.push(to);
      }
    }
    return ready.length === count ? layer : null;
  }

  function layersOf(g, back) {
    const arcs = [];
    g.edges.forEach(({ from, to }, e) => {
      if (!back[e]) arcs.push({ from, to, length: 1 });
    });
    const layer =
      longestPaths(g.count + g.loops.length, arcs.concat(loopArcs(g, back))) ||
      longestPaths(g.count, arcs);
    const depth = 1 + layer.subarray(0, g.count).reduce((a, b) => Math.max(a, b), 0);
    spreadLonely(g, layer, depth);
    return { layer, depth };
  }

  // Nodes without edges are spread over the layers; other roots move towards their targets.
  function spreadLonely(g, layer, depth) {
    let lonely = 0;
    for (const v of g.roots) {
      if (g.in[v].length > 0 || v === g.entry) continue;
      const below = g.out[v].reduce((least, e) => Math.min(least, layer[g.edges[e].to]), depth);
      layer[v] = g.out[v].length > 0 ? Math.max(0, below - 1) : lonely++ % depth;
    }
  }

  // }== Dummies

  // Splits edges into links between neighbouring layers. Each edge gets the list of its
  // dummies from its source on; those of a back edge begin in the source's own layer and
  // end in the target's.
  function split(g, back, layer) {
    const at = Array.from(layer.subarray(0, g.count));
    const dummies = g.edges.map(() => []);
    const above = at.map(() => []);
    const below = at.map(() => []);
    const anchor = [];
    const link = (u, v) => {
      below[u].push(v);
      above[v].push(u);
    };
    const add = (e, l) => {
      const id = at.push(l) - 1;
      above.push([]);
      below.push([]);
      dummies[e].push(id);
      return id;
    };
    const far = g.edges.map(({ from, to }) => Math.abs(at[to] - at[from]) > LONGEST);
    g.edges.forEach(({ from, to }, e) => {
      if (far[e]) return;
      if (!back[e]) {
        let last = from;
        for (let l = at[from] + 1; l < at[to]; l++) {
          const id = add(e, l);
          link(last, id);
          last = id;
        }
        link(last, to);
      } else {
        for (let l = at[from]; l >= at[to]; l--) {
          const id = add(e, l);
          if (l < at[from]) link(id, id - 1);
        }
        anchor[dummies[e][0]] = from;
        anchor[dummies[e][dummies[e].length - 1]] ??= to;
      }
    });
    const ends = anchor.map((_, d) => d).filter((d) => d !== undefined);
    return { at, above, below, anchor, ends, dummies, far };
  }

  // }== Order

  // The first order: that of a depth-first search.
  function firstOrder(g, s, depth) {
    const rows = Array.from({ length: depth }, () => []);
    const seen = new Uint8Array(s.at.length);
    const visit = (root) => {
      const work = [root];
      while (work.length > 0) {
        const v = work.pop();
        if (seen[v]) continue;
        seen[v] = 1;
        rows[s.at[v]].push(v);
        for (let i = s.below[v].length - 1; i >= 0; i--) work.push(s.below[v][i]);
      }
    };
    visit(g.entry);
    for (let v = 0; v < s.at.length; v++) visit(v);
    return rows;
  }

  function positions(rows, pos) {
    for (const row of rows)
      row.forEach((v, i) => {
        pos[v] = i;
      });
  }

  // Sorts a row by the mean position of its neighbours; what has none keeps its place, and
  // a back edge stays at the right of its ends.
  function sortRow(row, near, s, pos, key, flip) {
    for (const v of row) {
      const list = near[v];
      let sum = 0;
      for (let i = 0; i < list.length; i++) sum += pos[list[i]];
      key[v] = list.length > 0 ? sum / list.length : pos[v];
    }
    for (const v of row) {
      if (s.anchor[v] !== undefined && near[v].length === 0) key[v] = key[s.anchor[v]] + 0.4;
    }
    const tie = flip ? -1 : 1;
    row.sort((a, b) => key[a] - key[b] || tie * (pos[a] - pos[b]));
    for (let i = 0; i < row.length; i++) pos[row[i]] = i;
  }

  // The crossings of the links between two rows: inversions, counted by a tree of sums; and
  // what a back edge passes on the way to its dummy.
  function crossings(rows, s, pos) {
    let total = 0;
    for (let l = 1; l < rows.length; l++)
      total += crossingsBetween(rows[l - 1], rows[l].length, s, pos);
    for (const d of s.ends) total += Math.abs(pos[d] - pos[s.anchor[d]]) - 1;
    return total;
  }

  function crossingsBetween(upper, size, s, pos) {
    const tree = new Int32Array(size + 1);
    let total = 0;
    let seen = 0;
    for (const u of upper) {
      const list = s.below[u];
      for (let k = 0; k < list.length; k++) {
        let less = 0;
        for (let i = pos[list[k]] + 1; i > 0; i -= i & -i) less += tree[i];
        total += seen - less;
      }
      seen += list.length;
      for (let k = 0; k < list.length; k++) {
        for (let i = pos[list[k]] + 1; i <= size; i += i & -i) tree[i]++;
      }
    }
    return total;
  }

  function order(g, s, depth) {
    let rows = firstOrder(g, s, depth);
    let best = null;
    let least = Infinity;
    const pos = new Int32Array(s.at.length);
    const key = new Float64Array(s.at.length);
    const rounds = s.at.length < 12000 ? 12 : 4;
    let since = 0;
    positions(rows, pos);
    for (let round = 0; round < rounds && least > 0 && since < 4; round++) {
      const down = round % 2 === 0;
      const flip = round % 4 >= 2;
      for (let i = 1; i < depth; i++) {
        const l = down ? i : depth - 1 - i;
        sortRow(rows[l], down ? s.above : s.below, s, pos, key, flip);
      }
      const count = crossings(rows, s, pos);
      since++;
      if (count < least) {
        least = count;
        since = 0;
        best = rows.map((row) => row.slice());
      }
    }
    rows = best || rows;
    positions(rows, pos);
    return { rows, pos };
  }

  // }==

  return { backEdges, layersOf, split, order, positions };
})();
