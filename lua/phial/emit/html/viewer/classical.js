// classical: the pane of a classical algorithm: the dominator tree and frontiers, the worklist of
// the variable whose phis are placed, the stacks of renaming.
const classical = (() => {
  const { listIn } = replay;
  const MOST = 60; // blocks; of a larger tree, the path to the current one is shown

  // What is known at time t.
  function stateAt(m, t) {
    const lists = { todo: [], placed: [], path: [] };
    const s = { frontiers: new Map(), stacks: new Map(), variable: 0, block: 0, ...lists };
    const push = (variable, value) => {
      listIn(s.stacks, variable).push(value);
      s.path[s.path.length - 1].pushed.push(variable);
    };
    const follow = {
      frontier: (e) => listIn(s.frontiers, e.from).push(e.block),
      queued(e) {
        if (e.var !== s.variable) Object.assign(s, { variable: e.var, placed: [] });
        s.todo.push(e.block);
      },
      taken: () => (s.block = s.todo.pop()),
      placed: (e) => s.placed.push(e.block),
      entered(e) {
        s.variable = 0;
        s.block = e.block;
        s.path.push({ block: e.block, pushed: [] });
        for (const v of m.block(e.block).phis) if (v.born <= t) push(v.var, v.id);
      },
      write: (e) => push(e.var, e.value),
      kill: (e) => push(e.var, 0),
      left(e) {
        for (const variable of s.path.pop().pushed) s.stacks.get(variable).pop();
        s.block = (s.path[s.path.length - 1] || e).block;
      },
    };
    for (const e of m.events.slice(0, t)) follow[e.event]?.(e);
    return s;
  }

  class Classical {
    // m: a model for which isFor is true
    constructor(app, m) {
      this.m = m;
      this.path = []; // no look-up
      this.element = dom.make("div", { className: "algorithm" });
      this.children = new Map();
      for (const b of m.blocks.values()) if (b.idom) listIn(this.children, b.idom).push(b.id);
    }

    go(t) {
      this.time = t;
    }

    blocks(ids) {
      return ids.length > 0 ? text.list(ids.map((id) => text.block(this.m, id))) : ["none"];
    }

    // A block, its frontier as a set, and what it dominates.
    row(id, s, isShown) {
      const { m } = this;
      const frontier = s.frontiers.get(id);
      const members = frontier && frontier.flatMap((b) => [", ", text.block(m, b)]).slice(1);
      const set = frontier ? [" {", ...members, "}"] : [];
      const item = dom.make("li", {}, ...dom.pieces([text.block(m, id), ...set], true));
      const below = (this.children.get(id) || []).filter(isShown);
      if (id === s.block) item.setAttribute("aria-current", "step");
      if (below.length > 0)
        item.append(dom.make("ul", {}, ...below.map((b) => this.row(b, s, isShown))));
      return item;
    }

    tree(s) {
      const { m } = this;
      const near = new Set();
      for (let id = s.block || 1; id; id = m.block(id).idom) near.add(id);
      const isShown = (id) => m.blocks.size <= MOST || near.has(id) || m.block(id).idom === s.block;
      return dom.make("ul", { className: "tree" }, this.row(1, s, isShown));
    }

    // The stack of a variable, the top last.
    stack(variable, values) {
      const { m, time } = this;
      const shown = values.map((id) => (id ? text.value(m, m.resolve(id, time)) : "none"));
      return [text.variable(m, variable), ":", ...shown.flatMap((it) => [" ", it])];
    }

    render() {
      const { m } = this;
      const s = stateAt(m, this.time);
      const isEarly = this.time < m.knownAt;
      const rests = isEarly ? "waits for all blocks" : "at rest";
      const now = s.variable ? "phis are placed" : s.path.length > 0 ? "renaming" : rests;
      const work = [
        text.said`blocks: ${this.blocks(s.todo)}`,
        text.said`phis in: ${this.blocks(s.placed)}`,
      ];
      const stacks = [...s.stacks].map(([variable, values]) => this.stack(variable, values));
      return dom.fill(this.element, [
        dom.title(`the algorithm ${m.fn.construction}`, now),
        !isEarly ? dom.section("Dominator tree, {frontiers}", this.tree(s)) : null,
        s.variable
          ? dom.section(["Worklist for ", text.variable(m, s.variable)], dom.items(work))
          : null,
        s.path.length > 0 ? dom.section("Stacks, the top last", dom.items(stacks)) : null,
      ]);
    }

    // Brings the current block into sight.
    reveal() {
      this.element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    }
  }

  // True if a function's events are those of a classical algorithm, with details, and all of them
  // are there.
  const isFor = (m) =>
    m.events.some((e) => e.event === "entered") && !m.events.some((e) => e.quiet);

  return { Classical, isFor };
})();
