// boxes: draws blocks, and loops that are folded, as of the current step.
const boxes = (() => {
  class Boxes {
    constructor(app, parent) {
      this.app = app;
      this.parent = parent;
    }

    // What the current step is about is known before anything is drawn.
    begin() {
      this.touched = this.app.touched();
    }

    // Draws a node: its element exists while it is in sight.
    draw(node, visible, far) {
      if (!visible) {
        if (node.element) node.element.remove();
        node.element = null;
        return;
      }
      if (!node.element) {
        node.element = this.newBox(node);
        node.shown = null;
        this.parent.append(node.element);
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
      const { model: m, time: t } = this.app;
      const { depth } = m.fn.loops[node.folded];
      const there = node.blocks.some((b) => m.isBlockThere(b, t));
      const isTouched = node.blocks.some((b) => this.touched.blocks.has(b.id));
      const isHolding = node.blocks.some((b) => this.holds(b, t));
      const key = `${there} ${isTouched} ${isHolding}`;
      if (node.shown === key) return;
      node.shown = key;
      node.element.className = [
        "box folded",
        there ? "" : "unborn",
        isTouched ? "touched" : "",
        isHolding ? "holding" : "",
      ].join(" ");
      node.element.title = "Unfold this loop";
      dom.fill(node.element, [
        dom.make(
          "div",
          { className: "head" },
          dom.make("span", { className: "name", textContent: "loop of " }),
          ...dom.pieces(text.loop(m, node.folded)),
        ),
        dom.make("div", {
          className: "row",
          textContent: `${text.count(node.blocks.length, "block")}, depth ${depth}: unfold`,
        }),
      ]);
    }

    // True if what is selected is in a block.
    holds(b, t) {
      const { selection: s } = this.app.state;
      if (s === null) return false;
      if (s.kind === "value") return this.app.model.value(s.id).block === b.id;
      return s.kind === "block" ? s.id === b.id : this.pillOf(b, t) !== null;
    }

    // Classes that say what a block is by now.
    blockClasses(b, t) {
      const { app } = this;
      const { model: m } = app;
      const names = ["box"];
      if (b.dropped <= t) names.push("dropped");
      else if (b.born > t) names.push("unborn");
      if (b.sealed > t && m.isOnTheFly) names.push("unsealed");
      if (b.filled > t) names.push("unfilled");
      if (b.phis.some((v) => m.isThere(v, t))) names.push("with-phis");
      if (this.touched.blocks.has(b.id)) names.push("touched");
      if (app.isSelected("block", b.id)) names.push("selected");
      if (this.holds(b, t)) names.push("holding");
      const change = b.born <= t && app.changeOfBlock?.(b);
      if (change) names.push(change);
      return names.join(" ");
    }

    renderBlock(node, b, far) {
      const { model: m, time: t } = this.app;
      const { element } = node;
      const classes = this.blockClasses(b, t);
      const pill = this.pillOf(b, t);
      const flags = text.flags(m, b, t);
      const rows = far ? [] : b.rows.map((id) => this.rowOf(m.value(id), t));
      const isNamed = !far || this.hasRoom(node, text.shown(b.name));
      const key = JSON.stringify([
        classes,
        flags,
        pill && pill.text,
        isNamed,
        rows.map((r) => [r.classes, r.text]),
      ]);
      if (node.shown === key) return;
      node.shown = key;
      element.className = classes;
      const label = `block ${text.shown(b.name)}: ${text.progress(m, b, t)}`;
      element.setAttribute("aria-label", label);
      const head = dom.make(
        "div",
        { className: "head" },
        dom.make("span", { className: "name", textContent: text.shown(b.name) }),
      );
      if (flags !== "") head.append(dom.make("span", { className: "flags", textContent: flags }));
      dom.fill(element, [
        isNamed ? head : null,
        ...rows.map((r) => this.newRow(r)),
        pill && dom.make("div", { className: "pill" }, ...dom.pieces(pill.pieces)),
      ]);
    }

    // True if a name of letters that can be read fits into a box in a small picture.
    hasRoom({ width, height }, name) {
      const { scale } = this.app.graph.view;
      return name.length * 7.5 + 4 < width * scale && 16 < height * scale;
    }

    rowOf(v, t) {
      const { app } = this;
      const m = app.model;
      const state = m.rowState(v, t);
      const names = ["row", state];
      const at = state === "gone" ? v.gone - 1 : t;
      const list = state === "unborn" ? [] : text.row(m, v, at);
      if (["phi", "write"].includes(v.op)) names.push(v.op);
      if (this.touched.values.has(v.id)) names.push("touched");
      if (app.isSelected("value", v.id)) names.push("selected");
      if (app.web.has(v.id)) names.push("in-web");
      if (app.using.has(v.id)) names.push("using");
      const change = app.changeOf(v);
      if (change) names.push(change);
      if (state === "gone" && v.byTime <= t) list.push(" → ", text.value(m, v.by));
      const thing = v.id > 0 ? { kind: "value", id: v.id } : { kind: "variable", id: v.var };
      return { thing, classes: names.join(" "), pieces: list, text: text.plain(list) };
    }

    newRow(row) {
      const element = dom.make("p", { className: row.classes }, ...dom.pieces(row.pieces));
      Object.assign(element.dataset, row.thing);
      return element;
    }

    // The definition of the selected variable in a block.
    pillOf(b, t) {
      const { model: m, state } = this.app;
      const { selection: s } = state;
      if (!s || s.kind !== "variable" || !m.isBlockThere(b, t)) return null;
      const now = m.definition(s.id, b.id, t);
      if (!now) return null;
      const list = [text.variable(m, s.id), " = ", ...text.definition(m, now)];
      return { pieces: list, text: text.plain(list) };
    }
  }

  return { Boxes };
})();
