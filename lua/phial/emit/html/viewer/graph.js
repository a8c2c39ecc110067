// graph: draws the control flow. The layout is made once, for all blocks, edges and rows
// of all steps: between steps nothing moves. Only what is in sight has elements.
const graph = (() => {
  const MARGIN = 300;
  const FAR = 0.3;
  const READABLE = 0.75;
  const SMALLEST = 0.001;
  const LARGEST = 3;

  class Graph {
    // app: what tells the model, the time, what is selected: the page, or a side of it
    constructor(app, pane) {
      this.app = app;
      this.pane = pane;
      const [world, lines, halos, tree, blocks, map] = [
        ...["world", "lines", "halos", "tree", "boxes", "minimap"],
      ].map((name) => pane.querySelector(`.${name}`));
      Object.assign(this, { world, lines, halos, tree });
      this.boxes = new boxes.Boxes(app, blocks);
      this.minimap = new minimap.Minimap(this, map);
      this.view = { x: 0, y: 0, scale: 1 };
      this.fitted = null; // how it was fitted, as `fit` is told, until it is moved by hand
      this.listen();
    }

    // Another function.
    open(m) {
      this.m = m;
      this.folded = fold.first(m, 300);
      this.letter = shapes.letterWidth(this.world);
      this.colours = getComputedStyle(this.world);
      this.arranged = this.wanted;
      this.arrange();
      this.boxes.begin();
      this.fit(true);
    }

    // What is laid out: what is written, or not; if what was removed is hidden in the function as
    // it is at last, the rest without it.
    get wanted() {
      const { removed, writes } = this.app.state;
      const isClean = !removed && this.app.time === this.m.events.length;
      return `${isClean ? "clean" : ""} ${writes ? "writes" : ""}`;
    }

    // Lays out what is unfolded; of a finished function, without blocks to which nothing ever led.
    arrange() {
      const { m } = this;
      const end = this.arranged.includes("clean") ? m.events.length : -1;
      m.showWrites(this.arranged.includes("writes"));
      const isDrawn = (b) => b.dropped > end && (m.reached.has(b.id) || !m.fn.finished);
      const drawn = fold.nodes(m, this.folded, isDrawn);
      this.nodes = drawn.nodes;
      this.of = drawn.of;
      const placed = shapes.place(m, drawn, this.letter);
      this.size = placed;
      for (const node of this.nodes) node.element = null;
      this.edges = drawn.edges.map((e) =>
        Object.assign(e, shapes.boundsOf(e.points), { element: null }),
      );
      for (const it of [this.boxes.parent, this.lines, this.halos, this.tree]) it.replaceChildren();
      for (const it of [this.lines, this.halos, this.tree]) {
        it.setAttribute("width", placed.width);
        it.setAttribute("height", placed.height);
      }
      this.layers = placed.layers;
      this.minimap.arrange();
    }

    // Shows what is drawn behind the boxes, which is made when it is first asked for.
    showBehind(element, isShown, make) {
      element.classList.toggle("hidden", !isShown);
      if (isShown && !element.hasChildNodes()) element.append(...make());
    }

    // {== Rendering

    render() {
      const { state } = this.app;
      if (this.arranged !== this.wanted) {
        this.arranged = this.wanted;
        this.arrange();
        this.boxes.begin();
        this.fit(this.fitted ?? true);
      }
      this.boxes.parent.classList.toggle("without-gone", !state.removed);
      const isKnown = this.m.knownAt <= this.app.time;
      this.showBehind(this.halos, state.loops && isKnown, () =>
        shapes.halos(this.m.fn.loops, this.nodes, this.layers),
      );
      const hasTree = state.dominators && isKnown;
      this.showBehind(this.tree, hasTree, () => shapes.tree(this.m, this.nodes, this.of));
      this.lines.classList.toggle("dim", hasTree);
      this.boxes.begin();
      this.pane.classList.toggle("comparing", state.mark !== null);
      this.draw();
    }

    // Draws what is in sight.
    draw() {
      const { x, y, scale } = this.view;
      const [w, h] = this.room;
      const seen = this.printing
        ? { x1: -1e9, y1: -1e9, x2: 1e9, y2: 1e9 }
        : {
            x1: -x / scale - MARGIN,
            y1: -y / scale - MARGIN,
            x2: (w - x) / scale + MARGIN,
            y2: (h - y) / scale + MARGIN,
          };
      const inSight = (a) => a.x1 < seen.x2 && a.x2 > seen.x1 && a.y1 < seen.y2 && a.y2 > seen.y1;
      const far = scale < FAR;
      this.world.classList.toggle("far", far);
      for (const node of this.nodes) {
        const { x: nx, y: ny, width, height } = node;
        this.boxes.draw(node, inSight({ x1: nx, y1: ny, x2: nx + width, y2: ny + height }), far);
      }
      for (const edge of this.edges) this.drawEdge(edge, inSight(edge));
      this.minimap.draw();
    }

    drawEdge(edge, visible) {
      const { m, app } = this;
      const t = app.time;
      const there = visible && edge.members.some((e) => m.isEdgeThere(e, t));
      if (!there) {
        if (edge.element) edge.element.remove();
        edge.element = null;
        return;
      }
      if (!edge.element) edge.element = this.newEdge(edge);
      const isTouched = edge.members.some((it) =>
        this.boxes.touched.edges.has(`${it.from} ${it.to}`),
      );
      if (edge.isTouched !== isTouched) {
        edge.element.classList.toggle("touched", isTouched);
        if (isTouched) this.lines.append(edge.element); // above the others of its trunk
      }
      edge.isTouched = isTouched;
      const label = text.line(m, edge.members, t);
      if (edge.shown !== label) {
        edge.shown = label;
        edge.element.lastChild.textContent = label;
      }
    }

    newEdge(edge) {
      const { points } = edge;
      const [x, y] = edge.label;
      const element = dom.svg(
        "g",
        { class: edge.back ? "edge back" : "edge" },
        dom.svg("path", { class: "line", d: shapes.outline(points) }),
        dom.svg("path", { class: "tip", d: shapes.arrow(points) }),
        dom.svg("text", { x: x + 4, y: y + 11 }),
      );
      edge.shown = "";
      edge.isTouched = false;
      this.lines.append(element);
      return element;
    }

    // }== Moving

    place(glide = false) {
      const { x, y, scale } = this.view;
      this.world.classList.toggle("gliding", glide);
      this.world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
      // marks are as wide in a small picture
      if (scale !== this.scale) this.world.style.setProperty("--thick", Math.max(1, 1 / scale));
      this.scale = scale;
    }

    move(view) {
      Object.assign(this.view, view);
      this.place();
      this.draw();
    }

    // The size of the pane, which is asked for once: an answer may need a layout.
    get room() {
      return (this.knownRoom ??= [this.pane.clientWidth, this.pane.clientHeight]);
    }

    // Where what is shown lies.
    bounds() {
      const { state, time } = this.app;
      const isShown = ({ blocks }) => state.removed || blocks.some((b) => b.dropped > time);
      if (this.nodes.every(isShown))
        return { x1: 0, y1: 0, x2: this.size.width, y2: this.size.height };
      const corners = this.nodes.filter(isShown).flatMap(({ x, y, width, height }) => [
        [x, y],
        [x + width, y + height],
      ]);
      for (const e of this.edges)
        if (isShown(this.nodes[e.from]) && isShown(this.nodes[e.to])) corners.push(...e.points);
      return shapes.boundsOf(corners);
    }

    // Shows all; or, if it is to be readable, as much of the top as can be read, and the block
    // of the step.
    fit(readable = false) {
      this.fitted = readable;
      const [w, h] = this.room;
      if (w === 0) return; // not in sight yet
      const { x1, y1, x2, y2 } = this.bounds();
      const [width, height] = [x2 - x1, y2 - y1];
      let scale = Math.max(Math.min((w - 48) / width, (h - 48) / height, 1), SMALLEST);
      if (readable) scale = Math.max(scale, READABLE);
      const entry = this.nodes[this.of.get(1)];
      const x =
        width * scale <= w
          ? (w - width * scale) / 2 - x1 * scale
          : w / 2 - (entry.x + entry.width / 2) * scale;
      this.move({ x, y: Math.max(24, (h - height * scale) / 2) - y1 * scale, scale });
      if (!readable || !this.app.event) return;
      this.reveal(this.app.event.block);
      this.draw();
    }

    zoom(factor, at) {
      const { x, y, scale } = this.view;
      const p = at || this.room.map((length) => length / 2);
      const next = Math.min(Math.max(scale * factor, SMALLEST), LARGEST);
      const k = next / scale;
      this.fitted = null;
      this.move({ x: p[0] - (p[0] - x) * k, y: p[1] - (p[1] - y) * k, scale: next });
    }

    // Shows a block, or a row of it, where it can be read: loops around it unfold.
    show(id, value) {
      const { loops } = this.m.fn;
      let isFolded = false;
      for (let l = this.m.block(id).loop; l !== undefined; l = loops[l].parent)
        isFolded = this.folded.delete(l) || isFolded;
      if (isFolded) {
        this.arrange();
        this.render();
      }
      if (this.view.scale < READABLE) this.zoom(READABLE / this.view.scale);
      const node = this.nodes[this.of.get(id)];
      if (node) this.reveal(id, shapes.placeOf(node, value));
      this.draw();
    }

    // Brings a block, or a row, into sight, unless it is there; what is drawn next shows it.
    reveal(id, node = this.nodes[this.of.get(id)]) {
      const [w, h] = this.room;
      if (!node || w === 0) return;
      const { x, y, scale } = this.view;
      const left = node.x * scale + x;
      const top = node.y * scale + y;
      const isIn =
        left >= 0 &&
        top >= 0 &&
        left + Math.min(node.width * scale, w) <= w &&
        top + Math.min(node.height * scale, h) <= h;
      if (isIn) return;
      this.view.x = w / 2 - (node.x + node.width / 2) * scale;
      this.view.y = h / 2 - (node.y + Math.min(node.height, h / scale) / 2) * scale;
      this.place(true);
    }

    // Folds or unfolds a loop; what was clicked stays where it is.
    toggle(loop, id) {
      const old = this.nodes[this.of.get(id)];
      if (this.folded.has(loop)) this.folded.delete(loop);
      else this.folded.add(loop);
      this.arrange();
      const node = this.nodes[this.of.get(id)];
      const { scale } = this.view;
      this.fitted = null;
      this.render();
      this.move({
        x: this.view.x + (old.x - node.x) * scale,
        y: this.view.y + (old.y - node.y) * scale,
      });
    }

    listen() {
      const { pane } = this;
      let from = null;
      pane.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest("button")) return;
        // by a mouse, text of rows is selected
        if (event.pointerType === "mouse" && event.target.closest(".row[data-id]")) return;
        from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, moved: false };
      });
      pane.addEventListener("pointermove", (event) => {
        if (!from) return;
        const x = event.clientX - from.x;
        const y = event.clientY - from.y;
        if (!from.moved && Math.hypot(x - this.view.x, y - this.view.y) < 4) return;
        if (!from.moved) pane.setPointerCapture(event.pointerId);
        from.moved = true;
        this.fitted = null;
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
      pane.addEventListener(
        "click",
        (event) => {
          if (dragged) event.stopPropagation();
        },
        true,
      );
      pane.addEventListener(
        "wheel",
        (event) => {
          event.preventDefault();
          const box = pane.getBoundingClientRect();
          if (event.ctrlKey || event.metaKey) {
            this.zoom(Math.exp(-event.deltaY / 200), [
              event.clientX - box.left,
              event.clientY - box.top,
            ]);
          } else {
            this.fitted = null;
            const side = event.shiftKey && event.deltaX === 0;
            this.move({
              x: this.view.x - (side ? event.deltaY : event.deltaX),
              y: this.view.y - (side ? 0 : event.deltaY),
            });
          }
        },
        { passive: false },
      );
      new ResizeObserver(() => {
        this.knownRoom = null;
        if (!this.m || this.printing) return;
        if (this.fitted !== null) this.fit(this.fitted);
        else this.draw();
      }).observe(pane);
      window.addEventListener("beforeprint", () => this.print(true));
      window.addEventListener("afterprint", () => this.print(false));
    }

    // On paper, everything fills a page (A4 or Letter): the pane, which cuts off, is never split.
    print(begins) {
      if (begins) this.before = { ...this.view };
      this.printing = begins;
      const { width, height } = this.size;
      const scale = Math.min(700 / width, 850 / height, LARGEST);
      this.pane.style.height = begins ? `${height * scale + 20}px` : "";
      this.move(begins ? { x: 0, y: 10, scale } : this.before);
    }

    // }==
  }

  return { Graph };
})();
