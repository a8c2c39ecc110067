// layout: places the nodes of a control-flow graph on layers and routes its edges.
//
// A pure function: nothing here, nor in what it uses, knows about pages.
const layout = (() => {
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
  // edges: [{points: [[x, y]], label (the point at which it is written), back,
  // columns: [{x, layer}]}], layers: [{top, bottom}]}.
  function layered(input) {
    const g = graphOf(input);
    if (g.count === 0) return { width: 0, height: 0, nodes: [], edges: [], layers: [] };
    const back = layers.backEdges(g);
    const { layer, depth } = layers.layersOf(g, back);
    const s = layers.split(g, back, layer);
    const isDummy = (v) => v >= g.count;
    const width = (v) => (v < g.count ? g.nodes[v].width : 2);
    const { rows, pos } = layers.order(g, s, depth);
    const x = columns.assignX(rows, s, pos, width, isDummy);
    const low = x.reduce((a, b, v) => Math.min(a, b - width(v) / 2), Infinity);
    for (let v = 0; v < x.length; v++) x[v] = Math.round(x[v] - low);
    const right = x.reduce((a, b, v) => Math.max(a, b + width(v) / 2), 0);
    const lane = routes.lanes(g, s, right);
    const all = routes.pieces(g, s, x, routes.ports(g, s, x, right), lane.lane);
    const y = routes.assignY(g, s, rows, routes.gapsOf(all, depth));
    return {
      width: right + lane.width,
      height: y.height,
      nodes: g.nodes.map((node, v) => ({
        x: x[v] - node.width / 2,
        y: y.top[s.at[v]],
        layer: s.at[v],
      })),
      edges: all.map((list, e) => {
        const points = routes.points(g, s, list, e, y);
        return {
          points,
          label: list[0].branches && points.length > 3 ? points[2] : points[0],
          back: back[e] === 1,
          columns: s.dummies[e].map((d) => ({ x: x[d], layer: s.at[d] })),
        };
      }),
      layers: y.top.map((top, l) => ({ top, bottom: y.bottom[l] })),
    };
  }

  return { layered };
})();
