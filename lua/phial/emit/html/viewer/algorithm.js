// algorithm: the pane that shows the paper's algorithm beside the picture: its lines, the stack
// of calls, currentDef.
const algorithm = (() => {
  // What is shown of a large function.
  const ROWS = 20;
  const COLUMNS = 8;
  const CALLS = 6;

  class Algorithm {
    // m: a model for which paper.isFor is true
    constructor(app, m) {
      this.app = app;
      this.m = m;
      this.paper = new paper.Paper(m);
      this.problem = null;
      this.element = dom.make("div", { className: "algorithm" });
      this.element.addEventListener("click", (event) => {
        const button = event.target.closest("[data-by]");
        if (button) this.walk(Number(button.dataset.by));
      });
    }

    // Runs to the step that is shown. The paper's algorithm recurses, and so does this.
    go(t) {
      this.time = t;
      try {
        this.paper.go(t);
        this.problem = null;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.problem = "The paper's algorithm recurses too deeply here. phial does not recurse.";
        this.paper.state = null;
      }
    }

    // To another line of the call; before and after its lines, to another step.
    walk(by) {
      const { paper: p, app } = this;
      const line = p.line + by;
      if (line < 0 || line >= p.lines.length) return app.timeline.go(app.state.step + by);
      p.line = line;
      app.render();
      dom.find(by > 0 ? "line-on" : "line-back").focus();
    }

    get path() {
      return this.problem ? new Set() : this.paper.path;
    }

    // {== What it is made of

    // A value: phial's name of it; of a phi that phial has not made, a description.
    nameOf(value) {
      const { m, paper: p } = this;
      if (!value.phi) return value.id === 0 ? "undef" : text.value(m, value.id);
      const id = p.idOf(value, this.time);
      return id === undefined ? `φ of ${text.block(m, value.block).text}` : text.value(m, id);
    }

    argumentsOf(f) {
      const { m } = this;
      const block = text.block(m, f.block);
      if (f.name === "sealBlock") return [block];
      if (f.name === "tryRemoveTrivialPhi") return [this.nameOf(f.phi)];
      return [text.variable(m, f.variable), ", ", f.phi ? this.nameOf(f.phi) : block];
    }

    heading() {
      const { m, paper: p } = this;
      const { construction } = m.fn;
      const variant = p.isMarker ? "marker" : "simple";
      const own = construction === variant ? "" : ` (phial's variant here is ${construction})`;
      const { count } = p;
      const button = (id, by, textContent, title) => {
        const it = dom.make("button", { id, className: "plain", textContent, title });
        it.dataset.by = by;
        it.setAttribute("aria-label", title);
        return it;
      };
      const line = count > 0 ? `line ${p.line + 1} of ${count}` : "at rest";
      return dom.make(
        "div",
        { className: "heading" },
        dom.title(`the paper's algorithm, ${variant}${own}`, line),
        button("line-back", -1, "‹", "A line back"),
        button("line-on", 1, "›", "A line on"),
      );
    }

    procedures() {
      const { paper: p } = this;
      const current = p.current;
      const waiting = new Set(p.stack.map((f) => `${f.name} ${f.line}`));
      return dom.make(
        "div",
        { className: "procedures", tabIndex: 0 },
        ...Object.entries(p.procedures).map(([name, lines]) =>
          dom.make(
            "ol",
            {},
            ...lines.map((line, i) => {
              const isCurrent = current && current.frame.name === name && current.line === i;
              const item = dom.make("li", { textContent: line.trim() });
              item.style.paddingLeft = `calc(${line.search(/\S/) + 2}ch + 4px)`;
              if (isCurrent) item.setAttribute("aria-current", "step");
              else if (waiting.has(`${name} ${i}`)) item.className = "waiting";
              return item;
            }),
          ),
        ),
      );
    }

    calls() {
      const { stack } = this.paper;
      const rows = stack.slice(-CALLS).map((f) => text.said`${f.name}(${this.argumentsOf(f)})`);
      if (stack.length > CALLS) rows.unshift([`${stack.length - CALLS} calls around these`]);
      return dom.section(
        "Calls",
        rows.length > 0
          ? dom.items(rows)
          : dom.make("p", { textContent: "None: the frontend makes blocks and instructions." }),
      );
    }

    // The variables by columns and the blocks by rows; those of the call are first if there
    // are many.
    table() {
      const { m, paper: p } = this;
      const { variables: known } = p;
      const { frame, reads, writes } = p.current || {};
      // in order, but what the call is about precedes
      const first = (id) => (list) => [...list].sort((a, b) => (b === id) - (a === id) || a - b);
      const variables = first(frame && frame.variable)(known).slice(0, COLUMNS);
      const table = new Map(variables.map((v) => [v, p.defsOf(v)]));
      const all = new Set(variables.flatMap((v) => [...table.get(v).keys()]));
      if (frame) all.add(frame.block);
      const sorted = [...all].sort((a, b) => a - b);
      const blocks = sorted.length > ROWS ? first(frame && frame.block)(all) : sorted;
      const cell = (variable, block) => {
        const value = table.get(variable).get(block);
        const it = dom.make("td", {}, ...(value ? dom.pieces([this.nameOf(value)], true) : []));
        const isHere = frame && frame.variable === variable && frame.block === block;
        if (isHere && writes) it.className = "writes";
        else if (isHere && reads) it.className = "reads";
        return it;
      };
      const head = (scope, piece) => {
        const it = dom.make("th", {}, ...dom.pieces([piece], true));
        it.scope = scope;
        return it;
      };
      const row = (first, of) => dom.make("tr", {}, first, ...variables.map(of));
      const more = Math.max(0, blocks.length - ROWS) + Math.max(0, known.length - COLUMNS);
      return dom.section(
        "currentDef",
        dom.make(
          "div",
          { className: "defs", tabIndex: 0 },
          dom.make(
            "table",
            {},
            row(dom.make("td"), (v) => head("col", text.variable(m, v))),
            ...blocks
              .slice(0, ROWS)
              .map((b) => row(head("row", text.block(m, b)), (v) => cell(v, b))),
          ),
        ),
        more > 0 ? dom.make("p", { textContent: `and ${more} more variables and blocks` }) : null,
      );
    }

    passed() {
      const { m, paper: p } = this;
      const most = p.lines.length;
      if (most < p.count)
        return dom.make("p", { textContent: `Of ${p.count} lines, the first ${most} are shown.` });
      const blocks = p.passed.slice(0, CALLS);
      if (blocks.length === 0) return null;
      const list = text.list(blocks.map((b) => text.block(m, b)));
      const more = p.passed.length > CALLS ? " and more" : "";
      const said = text.said`phial passes over ${list}${more}.`;
      return dom.make("p", { className: "passed" }, ...dom.pieces(said, true));
    }

    // }==

    render() {
      const { element } = this;
      if (this.problem) {
        const title = dom.make("h2", { textContent: "Algorithm" });
        return dom.fill(element, [title, dom.make("p", { textContent: this.problem })]);
      }
      return dom.fill(element, [
        this.heading(),
        this.procedures(),
        this.passed(),
        this.calls(),
        this.table(),
      ]);
    }

    // Brings the current line into sight, once the pane is on the page.
    reveal() {
      const line = this.element.querySelector("[aria-current]");
      const list = this.element.querySelector(".procedures");
      if (!line || !list) return;
      const top = line.offsetTop - list.offsetTop;
      if (top < this.top || top > this.top + list.clientHeight - 40 || this.top === undefined)
        this.top = Math.max(0, top - list.clientHeight / 2);
      list.scrollTop = this.top;
    }
  }

  return { Algorithm };
})();
