// layout: places the nodes of a control-flow graph on layers and routes its edges.
//
// After Sugiyama, Tagawa, Toda (1981): edges that close a cycle of the depth-first search
// are turned round; layers are longest paths; edges that pass a layer get a dummy there;
// sweeps by barycentre order the layers; coordinates are those of Brandes, Köpf (2001).
// Edges are polylines of horizontal and vertical pieces: between two layers, the
// horizontal ones are on tracks, so that no two lie on each other.
//
// A pure function: nothing here knows about pages.
const layout = (() => {
  const NODE_GAP = 30;
  const DUMMY_GAP = 16;
  const PAD = 14;
  const TRACK = 11;
  const PORT_GAP = 18;
  const PORT_INSET = 14;
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
  // which are numbered behind the nodes.
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

  // }== Horizontal coordinates

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
        positions(order, p);
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

  // }== Ports

  // Positions as near as possible to the wanted ones, which are sorted, within a border; room
  // is the distance from each to the next, as far as the border has it.
  function spread(wanted, rooms, low, high) {
    const needed = rooms.slice(0, -1).reduce((a, b) => a + b, 0);
    const scale = Math.min(1, needed > 0 ? (high - low) / needed : 1);
    const offset = [0];
    rooms.forEach((room) => offset.push(offset[offset.length - 1] + room * scale));
    const groups = [];
    const mean = (group) => group.sum / group.n;
    wanted.forEach((x, i) => {
      let group = { sum: x - offset[i], n: 1 };
      while (groups.length > 0 && mean(groups[groups.length - 1]) > mean(group)) {
        const last = groups.pop();
        group = { sum: group.sum + last.sum, n: group.n + last.n };
      }
      groups.push(group);
    });
    const places = groups.flatMap((group) => Array(group.n).fill(mean(group)));
    const end = offset[wanted.length - 1];
    return places.map((x, i) => Math.min(Math.max(x, low), high - end) + offset[i]);
  }

  // The points where edges leave and enter nodes.
  function ports(g, s, x, right) {
    const leave = new Float64Array(g.edges.length);
    const enter = new Float64Array(g.edges.length);
    const place = (list, wanted, room, v, into) => {
      const half = Math.max(0, g.nodes[v].width / 2 - PORT_INSET);
      const clamp = (a) => Math.min(Math.max(a, x[v] - half), x[v] + half);
      const sorted = list.slice().sort((a, b) => wanted(a) - wanted(b) || a - b);
      spread(
        sorted.map((e) => clamp(wanted(e))),
        sorted.map(room),
        x[v] - half,
        x[v] + half,
      ).forEach((p, i) => {
        into[sorted[i]] = p;
      });
    };
    const label = (e) => Math.max(PORT_GAP, g.edges[e].room || 0);
    const first = (e) =>
      s.far[e] ? right : x[s.dummies[e].length > 0 ? s.dummies[e][0] : g.edges[e].to];
    const last = (e) =>
      s.far[e]
        ? right
        : s.dummies[e].length > 0
          ? x[s.dummies[e][s.dummies[e].length - 1]]
          : leave[e];
    for (let v = 0; v < g.count; v++) place(g.out[v], first, label, v, leave);
    for (let v = 0; v < g.count; v++) place(g.in[v], last, () => PORT_GAP, v, enter);
    return { leave, enter };
  }

  // }== Routes

  // The lanes of edges that are led past the drawing: those that overlap differ.
  function lanes(g, s, right) {
    const lane = new Float64Array(g.edges.length);
    const used = [];
    const span = (e) => [g.edges[e].from, g.edges[e].to].map((v) => s.at[v]).sort((a, b) => a - b);
    const list = g.edges.map((_, e) => e).filter((e) => s.far[e]);
    list.sort((a, b) => span(a)[0] - span(b)[0]);
    for (const e of list) {
      const [low, high] = span(e);
      let i = used.findIndex((end) => end < low - 1);
      if (i < 0) i = used.push(0) - 1;
      used[i] = high;
      lane[e] = right + DUMMY_GAP * (i + 1);
    }
    return { lane, width: used.length * DUMMY_GAP };
  }

  // The horizontal pieces of all edges: piece {gap, x1, x2, top, bottom}, where top and
  // bottom list the points at which it is joined from above and from below. Gap i is above
  // layer i.
  function pieces(g, s, x, port, lane) {
    const all = [];
    g.edges.forEach(({ from, to }, e) => {
      const list = [];
      const a = s.at[from] + 1;
      const b = s.at[to];
      const add = (gap, x1, x2, top, bottom) => list.push({ gap, x1, x2, top, bottom, track: -1 });
      const chain = s.dummies[e].map((d) => x[d]);
      const p = port.leave[e];
      const q = port.enter[e];
      if (s.far[e]) {
        add(a, p, lane[e], [p], []);
        add(b, lane[e], q, [], [q]);
      } else if (chain.length > 0 && s.at[s.dummies[e][0]] === s.at[from]) {
        add(a, p, chain[0], [p, chain[0]], []);
        for (let i = 1; i < chain.length; i++) {
          add(a - i, chain[i - 1], chain[i], [chain[i]], [chain[i - 1]]);
        }
        add(b, chain[chain.length - 1], q, [], [chain[chain.length - 1], q]);
      } else {
        const stops = [p, ...chain, q];
        for (let i = 1; i < stops.length; i++)
          add(a + i - 1, stops[i - 1], stops[i], [stops[i - 1]], [stops[i]]);
      }
      all.push(list);
    });
    return all;
  }

  // Gives the pieces of a gap tracks, from above: pieces on a track do not meet, and one that
  // is joined from above at a point is above one that is joined from below there.
  function assignTracks(list) {
    const length = (piece) => Math.abs(piece.x1 - piece.x2);
    for (const piece of list) if (length(piece) < 1) piece.track = 0; // straight through
    const bent = list.filter((piece) => piece.track < 0).sort((p, q) => length(p) - length(q));
    const above = joinedFromAbove(bent);
    const busy = [];
    const place = (piece) => {
      let track = 0;
      piece.track = 0; // against cycles
      for (const x of piece.bottom) {
        for (const other of above(x)) {
          if (other === piece) continue;
          if (other.track < 0) place(other);
          track = Math.max(track, other.track + 1);
        }
      }
      const low = Math.min(piece.x1, piece.x2) - 8;
      const high = Math.max(piece.x1, piece.x2) + 8;
      while (busy[track] && busy[track].some(([a, b]) => a < high && low < b)) track++;
      while (busy.length <= track) busy.push([]);
      busy[track].push([low, high]);
      piece.track = track;
    };
    for (const piece of bent) if (piece.track < 0) place(piece);
    return busy.length;
  }

  // The pieces that are joined from above near a point, as a function of the point.
  function joinedFromAbove(list) {
    const near = new Map();
    const key = (x) => Math.round(x / 4);
    for (const piece of list) {
      for (const x of piece.top) {
        for (const k of [key(x) - 1, key(x), key(x) + 1]) {
          if (!near.has(k)) near.set(k, []);
          near.get(k).push(piece);
        }
      }
    }
    return (x) => near.get(key(x)) || [];
  }

  function gapsOf(all, depth) {
    const gaps = Array.from({ length: depth + 1 }, () => []);
    for (const list of all) for (const piece of list) gaps[piece.gap].push(piece);
    return gaps.map((list) => assignTracks(list));
  }

  // The y coordinates: of layers (top, bottom) and of tracks.
  function assignY(g, s, rows, tracks) {
    const top = [];
    const bottom = [];
    const gapTop = [];
    let y = 0;
    for (let l = 0; l <= rows.length; l++) {
      gapTop.push(y);
      if (tracks[l] > 0 || (l > 0 && l < rows.length))
        y += 2 * PAD + Math.max(0, tracks[l] - 1) * TRACK;
      if (l === rows.length) break;
      let height = 0;
      for (const v of rows[l]) if (v < g.count) height = Math.max(height, g.nodes[v].height);
      top.push(y);
      y += height;
      bottom.push(y);
    }
    return { top, bottom, gapTop, height: y };
  }

  function points(g, s, list, e, y) {
    const { from, to } = g.edges[e];
    const out = [[list[0].x1, y.top[s.at[from]] + g.nodes[from].height]];
    for (const piece of list) {
      const at = y.gapTop[piece.gap] + PAD + piece.track * TRACK;
      out.push([piece.x1, at], [piece.x2, at]);
    }
    out.push([list[list.length - 1].x2, y.top[s.at[to]]]);
    return straight(out);
  }

  // Without points on a straight line between others: two in a column, which may differ by
  // what is rounded, are followed by none in the same column.
  function straight(list) {
    const out = [];
    const isNear = (a, b) => Math.abs(a - b) < 1;
    for (const [x, y] of list) {
      const last = out[out.length - 1];
      if (!last || !isNear(last[0], x)) {
        out.push([x, y]);
      } else if (!isNear(last[1], y)) {
        const before = out[out.length - 2];
        if (before && isNear(before[0], x)) out.pop();
        out.push([last[0], y]);
      }
    }
    return out;
  }

  // }== The whole

  function graphOf(input) {
    const count = input.nodes.length;
    const edges = input.edges;
    const g = {
      nodes: input.nodes,
      edges,
      count,
      entry: input.entry || 0,
      loops: input.loops || [],
      loopOf: input.nodes.map((n) => (n.loop === undefined ? -1 : n.loop)),
      out: input.nodes.map(() => []),
      in: input.nodes.map(() => []),
      roots: [],
    };
    edges.forEach(({ from, to }, e) => {
      g.out[from].push(e);
      g.in[to].push(e);
    });
    // what nothing leads to, then the rest: cycles that nothing leads to
    for (let v = 0; v < count; v++) if (g.in[v].length === 0) g.roots.push(v);
    for (let v = 0; v < count; v++) if (g.in[v].length > 0) g.roots.push(v);
    return g;
  }

  // Lays out a graph.
  //   nodes: [{width, height, loop}] (loop: the number of the innermost loop)
  //   edges: [{from, to, room}], by numbers of nodes (room: for what is written at its start)
  //   loops: [{header, parent}] (parent: -1 for none); entry: the first node
  // Returns {width, height, nodes: [{x, y, layer}] (the upper left corners),
  // edges: [{points: [[x, y]], back, columns: [{x, layer}]}], layers: [{top, bottom}]}.
  function layered(input) {
    const g = graphOf(input);
    if (g.count === 0) return { width: 0, height: 0, nodes: [], edges: [], layers: [] };
    const back = backEdges(g);
    const { layer, depth } = layersOf(g, back);
    const s = split(g, back, layer);
    const isDummy = (v) => v >= g.count;
    const width = (v) => (v < g.count ? g.nodes[v].width : 2);
    const { rows, pos } = order(g, s, depth);
    const x = assignX(rows, s, pos, width, isDummy);
    const low = x.reduce((a, b, v) => Math.min(a, b - width(v) / 2), Infinity);
    for (let v = 0; v < x.length; v++) x[v] = Math.round(x[v] - low);
    const right = x.reduce((a, b, v) => Math.max(a, b + width(v) / 2), 0);
    const lane = lanes(g, s, right);
    const all = pieces(g, s, x, ports(g, s, x, right), lane.lane);
    const y = assignY(g, s, rows, gapsOf(all, depth));
    return {
      width: right + lane.width,
      height: y.height,
      nodes: g.nodes.map((node, v) => ({
        x: x[v] - node.width / 2,
        y: y.top[s.at[v]],
        layer: s.at[v],
      })),
      edges: all.map((list, e) => ({
        points: points(g, s, list, e, y),
        back: back[e] === 1,
        columns: s.dummies[e].map((d) => ({ x: x[d], layer: s.at[d] })),
      })),
      layers: y.top.map((top, l) => ({ top, bottom: y.bottom[l] })),
    };
  }

  // }==

  return { layered };
})();
