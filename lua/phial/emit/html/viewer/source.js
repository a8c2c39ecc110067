// source: the left panel: the lines of the trace, and of source files.
const source = (() => {
  // More lines are shown around the current one only.
  const MOST = 3000;

  // The texts of a function: {name, lines: [{number, text}], first: line -> its first step}.
  function textsOf(m, files) {
    const out = [];
    if (m.fn.trace) {
      out.push({
        name: "trace",
        lines: m.fn.trace.map((l) => ({ number: l.line, text: l.text })),
        key: "trace",
      });
    }
    for (const file of files) {
      const places = m.fn.places;
      if (!places.some((p) => (p.file || "") === file.name)) continue;
      const lines = file.text
        .replace(/\n$/, "")
        .split("\n")
        .map((line, i) => ({ number: i + 1, text: line }));
      out.push({ name: file.name, lines, key: file.name });
    }
    return out;
  }

  class Source {
    constructor(app) {
      this.app = app;
      this.tabs = dom.find("tabs");
      this.list = dom.find("lines-of-source");
      this.list.addEventListener("click", (event) => this.clicked(event));
    }

    open(m, files) {
      this.m = m;
      this.texts = textsOf(m, files);
      for (const it of this.texts) it.steps = this.stepsOf(it);
      this.choose(this.texts.findIndex((it) => it.steps.size > 0));
    }

    get isEmpty() {
      return this.texts.length === 0;
    }

    // The line of an event in a text, or undefined.
    lineOf(it, e) {
      if (it.key === "trace") return e.line;
      for (const number of [e.loc, e.place]) {
        const p = number === undefined ? undefined : this.m.fn.places[number];
        if (p && (p.file || "") === it.key) return p.line;
      }
    }

    // By line, the first step that belongs to it.
    stepsOf(it) {
      const steps = new Map();
      this.m.steps.forEach((t, i) => {
        const line = this.lineOf(it, this.m.events[t - 1]);
        if (line !== undefined && !steps.has(line)) steps.set(line, i + 1);
      });
      return steps;
    }

    choose(i) {
      this.current = this.texts[Math.max(0, i)];
      this.from = -1;
      dom.fill(
        this.tabs,
        this.texts.map((it, k) => {
          const name = it.name.replace(/^.*[\\/]/, "") || "source";
          const tab = dom.make("button", {
            textContent: text.shown(name),
            title: text.shown(it.name, 300),
          });
          tab.setAttribute("role", "tab");
          tab.setAttribute("aria-selected", it === this.current);
          tab.addEventListener("click", () => {
            this.choose(k);
            this.render();
          });
          return tab;
        }),
      );
    }

    clicked(event) {
      const line = event.target.closest("[data-line]");
      const step = line && this.current.steps.get(Number(line.dataset.line));
      if (step) this.app.update({ step });
    }

    // The lines around one, as many as are shown.
    fillLines(at) {
      const { lines, steps } = this.current;
      const from =
        lines.length <= MOST ? 0 : Math.max(0, Math.min(at - MOST / 2, lines.length - MOST));
      const isThere =
        this.from >= 0 &&
        (lines.length <= MOST || (at >= this.from + 200 && at < this.from + MOST - 200));
      if (isThere) return;
      this.from = from;
      this.rows = new Map();
      dom.fill(
        this.list,
        lines.slice(from, from + MOST).map(({ number, text: line }) => {
          const row = dom.make(
            "div",
            { className: steps.has(number) ? "code-line has-steps" : "code-line" },
            dom.make("span", { className: "number", textContent: number }),
            dom.make("span", {
              className: "code",
              textContent: text.shown(line.replace(/\t/g, "    "), 400) || " ",
            }),
          );
          row.dataset.line = number;
          this.rows.set(number, row);
          return row;
        }),
      );
    }

    render() {
      if (this.isEmpty) return;
      const e = this.app.event;
      const line = e && this.lineOf(this.current, e);
      const index = this.current.lines.findIndex((l) => l.number === line);
      this.fillLines(Math.max(0, index));
      for (const row of this.list.querySelectorAll(".current")) {
        row.classList.remove("current");
        row.removeAttribute("aria-current");
      }
      const row = this.rows.get(line);
      if (!row) return;
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
      const top = row.offsetTop - this.list.offsetTop;
      const { scrollTop, clientHeight } = this.list;
      if (top < scrollTop + 20 || top > scrollTop + clientHeight - 40)
        this.list.scrollTop = top - clientHeight / 2;
    }
  }

  return { Source };
})();
