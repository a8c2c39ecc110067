// routes: the ways of the edges of a layered graph, and the heights of its layers.
//
// Edges are polylines of horizontal and vertical pieces: between two layers, the
// horizontal ones are on tracks, so that no two lie on each other.
const routes = (() => {
  const PAD = 14;
  const TRACK = 11;
  const PORT_GAP = 18;
  const PORT_INSET = 14;
  // So many edges that leave or enter a node are one line, the trunk, until they part.
  const TRUNK = 8;

  // {== Ports

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
      if (list.length >= TRUNK) {
        for (const e of list) into[e] = x[v];
        return;
      }
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
      lane[e] = right + columns.DUMMY_GAP * (i + 1);
    }
    return { lane, width: used.length * columns.DUMMY_GAP };
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
    mergeAll(g, all);
    return all;
  }

  // Makes pieces of one gap the branches of a trunk, which has the track for all of them.
  function merge(list) {
    const trunk = {
      gap: list[0].gap,
      x1: Math.min(...list.flatMap(({ x1, x2 }) => [x1, x2])),
      x2: Math.max(...list.flatMap(({ x1, x2 }) => [x1, x2])),
      top: [...new Set(list.flatMap(({ top }) => top))],
      bottom: [...new Set(list.flatMap(({ bottom }) => bottom))],
      track: -1,
    };
    for (const piece of list) piece.trunk = trunk;
  }

  function mergeAll(g, all) {
    const wide = (edges) => (edges.length >= TRUNK ? edges : []);
    for (let v = 0; v < g.count; v++) {
      const first = wide(g.out[v]).map((e) => all[e][0]);
      if (first.length > 0) merge(first);
      for (const piece of first) piece.branches = true;
      const last = wide(g.in[v]).map((e) => all[e][all[e].length - 1]);
      const rest = last.filter((piece) => !piece.trunk);
      if (rest.length > 0) merge(rest);
    }
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
    for (const list of all) for (const piece of list) gaps[piece.gap].push(piece.trunk || piece);
    return gaps.map((list) => assignTracks([...new Set(list)]));
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
      const at = y.gapTop[piece.gap] + PAD + (piece.trunk || piece).track * TRACK;
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

  // }==

  return { TRUNK, ports, lanes, pieces, gapsOf, assignY, points };
})();
