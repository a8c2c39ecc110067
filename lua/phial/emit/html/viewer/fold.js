// fold: which nodes a drawing has: a block each, or a loop that is folded.
const fold = (() => {
  // The outermost folded loop around a block, or -1.
  function foldedAround(loops, folded, loop) {
    let found = -1;
    for (let l = loop === undefined ? -1 : loop; l >= 0; l = parentOf(loops, l))
      if (folded.has(l)) found = l;
    return found;
  }

  const parentOf = (loops, l) => (loops[l].parent === undefined ? -1 : loops[l].parent);

  // The nodes and edges of a model when some loops are folded, of blocks that are drawn.
  // Returns {nodes: [{blocks, folded}], edges: [{from, to, members}], of: block -> node}:
  // folded is a loop or -1; members are the edges of the model that a line stands for.
  function nodes(m, folded, isDrawn) {
    const { loops } = m.fn;
    const list = [];
    const of = new Map();
    const byLoop = new Map();
    for (const b of [...m.blocks.values()].filter(isDrawn)) {
      const loop = foldedAround(loops, folded, b.loop);
      if (loop >= 0 && byLoop.has(loop)) {
        list[byLoop.get(loop)].blocks.push(b);
        of.set(b.id, byLoop.get(loop));
        continue;
      }
      if (loop >= 0) byLoop.set(loop, list.length);
      of.set(b.id, list.length);
      const inner = loop >= 0 ? parentOf(loops, loop) : b.loop;
      list.push({ blocks: [b], folded: loop, loop: inner === undefined ? -1 : inner });
    }
    return { nodes: list, edges: edges(m, list, of), of };
  }

  // Between two blocks, each edge is a line, but where both ends have a trunk; otherwise one line
  // stands for all.
  function edges(m, list, of) {
    const out = [];
    const known = new Map();
    const [leaving, arriving] = [new Map(), new Map()];
    for (const { from, to } of m.edges) {
      leaving.set(from, (leaving.get(from) || 0) + 1);
      arriving.set(to, (arriving.get(to) || 0) + 1);
    }
    const isWide = (e) => Math.min(leaving.get(e.from), arriving.get(e.to)) >= routes.TRUNK;
    for (const e of m.edges) {
      const from = of.get(e.from);
      const to = of.get(e.to);
      if (from === undefined || to === undefined) continue;
      const isFolded = list[from].folded >= 0 || list[to].folded >= 0;
      if (isFolded && from === to) continue;
      const key = `${from} ${to}`;
      if ((isFolded || isWide(e)) && known.has(key)) {
        out[known.get(key)].members.push(e);
        continue;
      }
      known.set(key, out.length);
      out.push({ from, to, members: [e] });
    }
    return out;
  }

  // The loops for layout: by the nodes of their headers.
  function loops(m, of) {
    return m.fn.loops.map((l, i) => ({
      header: of.get(l.header),
      parent: parentOf(m.fn.loops, i),
    }));
  }

  // What is folded at first: the loops of a depth, the largest one of which there are no more nodes
  // than `most`, or else the outermost ones.
  function first(m, most) {
    const { loops } = m.fn;
    const deepest = loops.reduce((n, l) => Math.max(n, l.depth), 0);
    for (let depth = deepest + 1; ; depth--) {
      const folded = new Set([...loops.keys()].filter((i) => loops[i].depth === depth));
      if (depth <= 1 || nodes(m, folded, () => true).nodes.length <= most) return folded;
    }
  }

  return { nodes, loops, first };
})();
