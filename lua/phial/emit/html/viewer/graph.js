// graph: draws the control flow. The layout is made once, for all blocks, edges and rows
// of all steps: between steps nothing moves. Only what is in sight has elements.
const graph = (() => {
  const ROW = 19, HEAD = 27, FOOT = 7, SIDE = 11, RADIUS = 7, MARGIN = 300;
  const FAR = 0.3, SMALLEST = 0.02, LARGEST = 3;

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
    const name = text.shown(b.name).length + (m.watched ? 14 : 2);
    const most = b.rows.reduce((n, id) => Math.max(n, text.width(m, m.value(id))), Math.max(name, 8));
    return { width: Math.ceil(most * letter) + 2 * SIDE, height: HEAD + b.rows.length * ROW + FOOT };
  }

  // The width that the edges of each node need, to be told apart.
  function roomForEdges({ nodes, edges }) {
    const into = nodes.map(() => 0), out = nodes.map(() => 0);
    for (const { from, to } of edges) {
      out[from]++;
      into[to]++;
    }
    return nodes.map((_, i) => Math.min(12 * Math.max(into[i], out[i]), 2400));
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
      x1 = Math.min(x1, x); y1 = Math.min(y1, y);
      x2 = Math.max(x2, x); y2 = Math.max(y2, y);
    }
    return { x1, y1, x2, y2 };
  }

  // }== The view

  class Graph {
    constructor(app) {
      this.app = app;
      this.pane = dom.find("graph");
      this.world = dom.find("world");
      this.boxes = dom.find("boxes");
      this.lines = dom.find("lines");
      this.halos = dom.find("halos");
      this.tree = dom.find("tree");
      this.view = { x: 0, y: 0, scale: 1 };
      this.listen();
    }

    // Another function.
    open(m) {
      this.m = m;
      this.folded = fold.first(m, 300);
      this.letter = letterWidth(this.world);
      this.arrange();
      this.fit(true);
    }

    // Lays out what is unfolded.
    arrange() {
      const { m } = this;
      const drawn = fold.nodes(m, this.folded);
      this.nodes = drawn.nodes;
      this.of = drawn.of;
      const room = roomForEdges(drawn);
      const sizes = this.nodes.map((node, i) => {
        const { width, height } = sizeOf(m, node, this.letter);
        return { width: Math.max(width, room[i]), height, loop: node.loop };
      });
      const placed = layout.layered({
        nodes: sizes, edges: drawn.edges, loops: fold.loops(m, drawn.of), entry: drawn.of.get(1),
      });
      this.size = placed;
      this.nodes.forEach((node, i) => Object.assign(node, sizes[i], placed.nodes[i], { key: i, element: null }));
      this.edges = drawn.edges.map((e, i) => Object.assign(e, placed.edges[i],
        boundsOf(placed.edges[i].points), { element: null }));
      this.layers = placed.layers;
      for (const it of [this.boxes, this.lines, this.halos, this.tree]) it.replaceChildren();
      for (const it of [this.lines, this.halos, this.tree]) {
        it.setAttribute("width", placed.width);
        it.setAttribute("height", placed.height);
      }
      this.drawHalos();
      this.drawTree();
    }

    // {== Rendering

    render() {
      const { state } = this.app;
      this.boxes.classList.toggle("without-gone", !state.removed);
      this.halos.classList.toggle("hidden", !state.loops);
      this.tree.classList.toggle("hidden", !state.dominators);
      this.lines.classList.toggle("dim", state.dominators);
      this.touched = this.app.touched();
      this.pane.classList.toggle("comparing", state.mark !== null);
      this.draw();
    }

    // Draws what is in sight.
    draw() {
      const { x, y, scale } = this.view;
      const [w, h] = [this.pane.clientWidth, this.pane.clientHeight];
      const seen = this.printing ? { x1: -1e9, y1: -1e9, x2: 1e9, y2: 1e9 } : {
        x1: -x / scale - MARGIN, y1: -y / scale - MARGIN,
        x2: (w - x) / scale + MARGIN, y2: (h - y) / scale + MARGIN,
      };
      const inSight = (a) => a.x1 < seen.x2 && a.x2 > seen.x1 && a.y1 < seen.y2 && a.y2 > seen.y1;
      const far = scale < FAR;
      this.world.classList.toggle("far", far);
      for (const node of this.nodes) {
        const { x: nx, y: ny, width, height } = node;
        this.drawNode(node, inSight({ x1: nx, y1: ny, x2: nx + width, y2: ny + height }), far);
      }
      for (const edge of this.edges) this.drawEdge(edge, inSight(edge));
    }

    drawNode(node, visible, far) {
      if (!visible) {
        if (node.element) node.element.remove();
        node.element = null;
        return;
      }
      if (!node.element) {
        node.element = this.newBox(node);
        node.shown = null;
        this.boxes.append(node.element);
      }
      if (node.folded >= 0) this.renderFolded(node);
      else this.renderBlock(node, node.blocks[0], far);
    }

    newBox(node) {
      const box = dom.make("div", { className: "box", tabIndex: 0 });
      box.setAttribute("role", "group");
      box.dataset.kind = "block";
      box.dataset.id = node.blocks[0].id;
      if (node.folded >= 0) box.dataset.loop = node.folded;
      box.style.left = `${node.x}px`;
      box.style.top = `${node.y}px`;
      box.style.width = `${node.width}px`;
      box.style.height = `${node.height}px`;
      return box;
    }

    renderFolded(node) {
      const { m, app } = this, t = app.time;
      const { header, depth } = m.fn.loops[node.folded];
      const there = node.blocks.some((b) => m.isBlockThere(b, t));
      const isTouched = node.blocks.some((b) => this.touched.blocks.has(b.id));
      const key = `${there} ${isTouched} ${app.isSelected("block", header)}`;
      if (node.shown === key) return;
      node.shown = key;
      node.element.className = `box folded${there ? "" : " unborn"}${isTouched ? " touched" : ""}`;
      node.element.title = "Unfold this loop";
      dom.fill(node.element, [
        dom.make("div", { className: "head" }, dom.make("span", { className: "name", textContent: "loop of " }),
          ...dom.pieces([text.block(m, header)])),
        dom.make("div", { className: "row", textContent: `${text.count(node.blocks.length, "block")}, depth ${depth}: unfold` }),
      ]);
    }

    // Classes that say what a block is by now.
    blockClasses(b, t) {
      const { m, app } = this, names = ["box"];
      if (b.dropped <= t) names.push("dropped");
      else if (b.born > t) names.push("unborn");
      if (b.sealed > t) names.push("unsealed");
      if (b.filled > t) names.push("unfilled");
      if (this.touched.blocks.has(b.id)) names.push("touched");
      if (app.isSelected("block", b.id)) names.push("selected");
      const before = app.state.mark === null ? null : m.time(app.state.mark);
      if (before !== null && m.isBlockThere(b, before) !== m.isBlockThere(b, t)) {
        names.push(m.isBlockThere(b, t) ? "added" : "lost");
      }
      return names.join(" ");
    }

    renderBlock(node, b, far) {
      const { m, app } = this, t = app.time, { element } = node;
      const classes = this.blockClasses(b, t), pill = this.pillOf(b, t);
      const rows = far ? [] : b.rows.map((id) => this.rowOf(m.value(id), t));
      const key = JSON.stringify([classes, pill && pill.text, far, rows.map((r) => [r.classes, r.text])]);
      if (node.shown === key) return;
      node.shown = key;
      element.className = classes;
      element.setAttribute("aria-label", this.labelOf(b, t));
      const flags = [b.sealed > t ? "unsealed" : null, b.filled > t ? "open" : null].filter(Boolean);
      const head = dom.make("div", { className: "head" },
        dom.make("span", { className: "name", textContent: text.shown(b.name) }));
      if (b.born <= t && b.dropped > t && flags.length > 0) {
        head.append(dom.make("span", { className: "flags", textContent: flags.join(" · ") }));
      }
      if (b.dropped <= t) head.append(dom.make("span", { className: "flags", textContent: "dropped" }));
      dom.fill(element, [head, ...rows.map((r) => this.newRow(r)),
        pill && dom.make("div", { className: "pill" }, ...dom.pieces(pill.pieces))]);
    }

    labelOf(b, t) {
      const what = b.born > t ? "not made yet" : b.dropped <= t ? "dropped"
        : `${b.sealed > t ? "not sealed" : "sealed"}, ${b.filled > t ? "not filled" : "filled"}`;
      return `block ${text.shown(b.name)}: ${what}`;
    }

    rowOf(v, t) {
      const { m, app } = this, state = m.rowState(v, t), names = ["row", state];
      const at = state === "gone" ? v.gone - 1 : t;
      const list = state === "unborn" ? [] : text.instruction(m, v, at);
      if (v.op === "phi") names.push("phi");
      if (this.touched.values.has(v.id)) names.push("touched");
      if (app.isSelected("value", v.id)) names.push("selected");
      if (app.web.has(v.id)) names.push("in-web");
      if (app.using.has(v.id)) names.push("using");
      const change = app.changeOf(v);
      if (change) names.push(change);
      if (state === "gone" && v.byTime <= t) list.push(" → ", text.value(m, v.by));
      return { id: v.id, classes: names.join(" "), pieces: list, text: text.plain(list) };
    }

    newRow(row) {
      const element = dom.make("div", { className: row.classes }, ...dom.pieces(row.pieces));
      element.dataset.kind = "value";
      element.dataset.id = row.id;
      return element;
    }

    // The definition of the selected variable in a block.
    pillOf(b, t) {
      const { m, app } = this, s = app.state.selection;
      if (!s || s.kind !== "variable" || !m.isBlockThere(b, t)) return null;
      const now = m.definition(s.id, b.id, t);
      if (!now) return null;
      const list = [text.variable(m, s.id), " = ", text.value(m, now.value)];
      return { pieces: list, text: text.plain(list) };
    }

    drawEdge(edge, visible) {
      const { m, app } = this, t = app.time;
      const there = visible && edge.members.some((e) => m.isEdgeThere(e, t));
      if (!there) {
        if (edge.element) edge.element.remove();
        edge.element = null;
        return;
      }
      if (!edge.element) edge.element = this.newEdge(edge);
      const [e] = edge.members;
      const isTouched = edge.members.some((it) => this.touched.edges.has(`${it.from} ${it.to}`));
      edge.element.setAttribute("class", `edge${edge.back ? " back" : ""}${isTouched ? " touched" : ""}`);
      const label = edge.members.length > 1 ? "" : text.edge(m, m.block(e.from), e.index, t);
      if (edge.label !== label) {
        edge.label = label;
        edge.element.lastChild.textContent = label;
      }
    }

    newEdge(edge) {
      const { points } = edge, [x, y] = points[0];
      const element = dom.svg("g", {}, dom.svg("path", { class: "line", d: outline(points) }),
        dom.svg("path", { class: "tip", d: arrow(points) }), dom.svg("text", { x: x + 4, y: y + 11 }));
      edge.label = "";
      this.lines.append(element);
      return element;
    }

    // }== Loops and dominators

    // A halo behind the blocks of each loop: rectangles that meet, and the way back. Those of
    // inner loops lie on those of outer ones.
    drawHalos() {
      const { loops } = this.m.fn, deepest = loops.reduce((n, l) => Math.max(n, l.depth), 0);
      const depthOf = (node) => (node.folded >= 0 ? loops[node.folded].depth
        : node.loop >= 0 ? loops[node.loop].depth : 0);
      for (let depth = 1; depth <= Math.min(deepest, 6); depth++) {
        const grow = 15 - 2 * depth, group = dom.svg("g", { class: "halo" });
        for (const node of this.nodes) {
          if (depthOf(node) < depth) continue;
          const { top, bottom } = this.layers[node.layer];
          group.append(dom.svg("rect", { x: node.x - grow, y: top - grow - 6, width: node.width + 2 * grow,
            height: bottom - top + 2 * grow + 12, rx: 8 }));
        }
        this.halos.append(group);
      }
    }

    drawTree() {
      const { m } = this;
      for (const node of this.nodes) {
        const [b] = node.blocks, header = node.folded >= 0 ? m.block(m.fn.loops[node.folded].header) : b;
        const above = header.idom === undefined ? undefined : this.of.get(header.idom);
        if (above === undefined || this.nodes[above] === node) continue;
        const from = this.nodes[above], [x1, y1] = [from.x + 18, from.y + from.height];
        const [x2, y2] = [node.x + 18, node.y], bend = Math.max(24, Math.abs(y2 - y1) / 2);
        this.tree.append(dom.svg("path", { d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }),
          dom.svg("circle", { cx: x2, cy: y2, r: 3 }));
      }
    }

    // }== Moving

    place(glide = false) {
      const { x, y, scale } = this.view;
      this.world.classList.toggle("gliding", glide);
      this.world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    }

    move(view, glide) {
      Object.assign(this.view, view);
      this.place(glide);
      this.draw();
    }

    // Shows all; or, if it is to be readable, as much of the top as can be read.
    fit(readable = false) {
      const [w, h] = [this.pane.clientWidth, this.pane.clientHeight], { width, height } = this.size;
      let scale = Math.max(Math.min((w - 48) / width, (h - 48) / height, 1), SMALLEST);
      if (readable) scale = Math.max(scale, 0.75);
      const entry = this.nodes[this.of.get(1)];
      const x = width * scale <= w ? (w - width * scale) / 2 : w / 2 - (entry.x + entry.width / 2) * scale;
      this.touched ??= this.app.touched();
      this.move({ x, y: Math.max(24, (h - height * scale) / 2), scale });
    }

    zoom(factor, at) {
      const { x, y, scale } = this.view, p = at || [this.pane.clientWidth / 2, this.pane.clientHeight / 2];
      const next = Math.min(Math.max(scale * factor, SMALLEST), LARGEST), k = next / scale;
      this.move({ x: p[0] - (p[0] - x) * k, y: p[1] - (p[1] - y) * k, scale: next });
    }

    // Brings a block into sight, unless it is there.
    reveal(id) {
      const node = this.nodes[this.of.get(id)];
      if (!node) return;
      const { x, y, scale } = this.view, [w, h] = [this.pane.clientWidth, this.pane.clientHeight];
      const left = node.x * scale + x, top = node.y * scale + y;
      const isIn = left >= 0 && top >= 0 && left + Math.min(node.width * scale, w) <= w
        && top + Math.min(node.height * scale, h) <= h;
      if (isIn) return;
      this.move({ x: w / 2 - (node.x + node.width / 2) * scale,
        y: h / 2 - (node.y + Math.min(node.height, h / scale) / 2) * scale }, true);
    }

    // Folds or unfolds a loop; what was clicked stays where it is.
    toggle(loop, id) {
      const old = this.nodes[this.of.get(id)];
      if (this.folded.has(loop)) this.folded.delete(loop);
      else this.folded.add(loop);
      this.arrange();
      const node = this.nodes[this.of.get(id)], { scale } = this.view;
      this.render();
      this.move({ x: this.view.x + (old.x - node.x) * scale, y: this.view.y + (old.y - node.y) * scale });
    }

    listen() {
      const { pane } = this;
      let from = null;
      pane.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest("button")) return;
        from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, moved: false };
      });
      pane.addEventListener("pointermove", (event) => {
        if (!from) return;
        const x = event.clientX - from.x, y = event.clientY - from.y;
        if (!from.moved && Math.hypot(x - this.view.x, y - this.view.y) < 4) return;
        if (!from.moved) pane.setPointerCapture(event.pointerId);
        from.moved = true;
        this.move({ x, y });
      });
      let dragged = false;
      const end = () => {
        dragged = from !== null && from.moved;
        from = null;
      };
      pane.addEventListener("pointerup", end);
      pane.addEventListener("pointercancel", end);
      // a click that ends a drag chooses nothing
      pane.addEventListener("click", (event) => { if (dragged) event.stopPropagation(); }, true);
      pane.addEventListener("wheel", (event) => {
        event.preventDefault();
        const box = pane.getBoundingClientRect();
        if (event.ctrlKey || event.metaKey) {
          this.zoom(Math.exp(-event.deltaY / 200), [event.clientX - box.left, event.clientY - box.top]);
        } else {
          const side = event.shiftKey && event.deltaX === 0;
          this.move({ x: this.view.x - (side ? event.deltaY : event.deltaX),
            y: this.view.y - (side ? 0 : event.deltaY) });
        }
      }, { passive: false });
      new ResizeObserver(() => { if (this.m) this.draw(); }).observe(pane);
      window.addEventListener("beforeprint", () => this.print(true));
      window.addEventListener("afterprint", () => this.print(false));
    }

    // On paper, everything fits on a page.
    print(begins) {
      if (begins) this.before = { ...this.view };
      this.printing = begins;
      const { width, height } = this.size, scale = Math.min(700 / width, 900 / height, 1);
      this.pane.style.height = begins ? `${height * scale + 20}px` : "";
      this.move(begins ? { x: 0, y: 10, scale } : this.before);
    }

    // }==
  }

  return { Graph };
})();
