// shapes: the sizes of boxes, and what is drawn between and behind them.
const shapes = (() => {
  const ROW = 19;
  const HEAD = 27;
  const FOOT = 7;
  const SIDE = 11;
  const RADIUS = 7;
  // the width of an edge, and of a letter of its label
  const EDGE = 12;
  const LETTER = 7;

  // {== Sizes

  function letterWidth(world) {
    const probe = dom.make("div", { className: "row probe", textContent: "m".repeat(100) });
    world.append(probe);
    const width = probe.offsetWidth / 100;
    probe.remove();
    return width || 7.5;
  }

  // The size of a block with the largest text that each row ever has.
  function sizeOf(m, node, letter) {
    if (node.folded >= 0) return { width: 30 * letter, height: HEAD + ROW + FOOT };
    const [b] = node.blocks;
    const most = b.rows.reduce(
      (n, id) => Math.max(n, text.width(m, m.value(id))),
      Math.max(text.headWidth(m, b), 8),
    );
    return {
      width: Math.ceil(most * letter) + 2 * SIDE,
      height: HEAD + b.rows.length * ROW + FOOT,
    };
  }

  // Gives each edge the room that its label needs; returns the width that the edges of each
  // node need, to be told apart. Those of a trunk need none.
  function roomForEdges(m, { nodes, edges }) {
    const into = nodes.map(() => []);
    const out = nodes.map(() => []);
    for (const edge of edges) {
      edge.room = LETTER * longestLabel(m, edge.members);
      out[edge.from].push(Math.max(EDGE, edge.room));
      into[edge.to].push(EDGE);
    }
    const sum = (list) => (list.length < routes.TRUNK ? list.reduce((a, b) => a + b, 0) : 0);
    return nodes.map((_, i) => Math.max(sum(into[i]), sum(out[i])));
  }

  // Where a row of a node is, or else the node itself.
  function placeOf(node, value) {
    const row = node.blocks[0].rows.indexOf(value);
    return row < 0 ? node : { ...node, y: node.y + HEAD + row * ROW, height: ROW };
  }

  // Gives the nodes and edges of a drawing (fold.js) their places; returns what the layout does.
  function place(m, drawn, letter) {
    const room = roomForEdges(m, drawn);
    drawn.nodes.forEach((node, i) => {
      const { width, height } = sizeOf(m, node, letter);
      Object.assign(node, { width: Math.max(width, room[i]), height });
    });
    const { nodes, edges, of } = drawn;
    const placed = layout.layered({ nodes, edges, loops: fold.loops(m, of), entry: of.get(1) });
    nodes.forEach((node, i) => Object.assign(node, placed.nodes[i]));
    edges.forEach((it, i) => Object.assign(it, placed.edges[i]));
    return placed;
  }

  function longestLabel(m, members) {
    const times = m.block(members[0].from).targets.map(({ t }) => t);
    return Math.max(0, ...times.map((t) => text.line(m, members, t).length));
  }

  // }== Lines

  // A polyline with rounded corners.
  function outline(points) {
    let d = `M${points[0][0]} ${points[0][1]}`;
    for (let i = 1; i < points.length - 1; i++) {
      const [p, q, r] = [points[i - 1], points[i], points[i + 1]];
      const size = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
      const radius = Math.min(RADIUS, size(p, q) / 2, size(q, r) / 2);
      const toward = (a) => {
        const s = size(a, q) || 1;
        return `${q[0] + ((a[0] - q[0]) * radius) / s} ${q[1] + ((a[1] - q[1]) * radius) / s}`;
      };
      d += `L${toward(p)}Q${q[0]} ${q[1]} ${toward(r)}`;
    }
    const [x, y] = points[points.length - 1];
    return `${d}L${x} ${y - 5}`;
  }

  function arrow(points) {
    const [x, y] = points[points.length - 1];
    return `M${x} ${y - 0.5}l-4.5 -8h9z`;
  }

  function boundsOf(points) {
    let [x1, y1, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of points) {
      x1 = Math.min(x1, x);
      y1 = Math.min(y1, y);
      x2 = Math.max(x2, x);
      y2 = Math.max(y2, y);
    }
    return { x1, y1, x2, y2 };
  }

  // }== Behind the boxes

  // Halos behind the blocks of loops: rectangles that meet. Those of inner loops lie on those
  // of outer ones.
  function halos(loops, nodes, layers) {
    const groups = [];
    const deepest = loops.reduce((n, l) => Math.max(n, l.depth), 0);
    const depthOf = (node) =>
      node.folded >= 0 ? loops[node.folded].depth : node.loop >= 0 ? loops[node.loop].depth : 0;
    for (let depth = 1; depth <= Math.min(deepest, 6); depth++) {
      const grow = 15 - 2 * depth;
      const group = dom.svg("g", { class: "halo" });
      for (const node of nodes) {
        if (depthOf(node) < depth) continue;
        const { top, bottom } = layers[node.layer];
        group.append(
          dom.svg("rect", {
            x: node.x - grow,
            y: top - grow - 6,
            width: node.width + 2 * grow,
            height: bottom - top + 2 * grow + 12,
            rx: 8,
          }),
        );
      }
      groups.push(group);
    }
    return groups;
  }

  // The dominator tree; of: block -> node.
  function tree(m, nodes, of) {
    const out = [];
    for (const node of nodes) {
      const [b] = node.blocks;
      const header = node.folded >= 0 ? m.block(m.fn.loops[node.folded].header) : b;
      const above = header.idom === undefined ? undefined : of.get(header.idom);
      if (above === undefined || nodes[above] === node) continue;
      const from = nodes[above];
      const [x1, y1] = [from.x + 18, from.y + from.height];
      const [x2, y2] = [node.x + 18, node.y];
      const bend = Math.max(24, Math.abs(y2 - y1) / 2);
      out.push(
        dom.svg("path", { d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }),
        dom.svg("circle", { cx: x2, cy: y2, r: 3 }),
      );
    }
    return out;
  }

  // }==

  return { letterWidth, place, placeOf, outline, arrow, boundsOf, halos, tree };
})();
