// source: the left panel: the lines of the trace, and of source files.
const source = (() => {
  const CHUNK = 100;

  // The texts of a function: {name, lines: [{number, text}], key}.
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
      this.observer = new IntersectionObserver(
        (entries) => entries.forEach((it) => this.fillChunk(it.target, it.isIntersecting)),
        { root: this.list, rootMargin: "400px" },
      );
    }

    open(m, files) {
      this.m = m;
      this.texts = textsOf(m, files);
      for (const it of this.texts) {
        it.steps = this.stepsOf(it);
        it.indexOf = new Map(it.lines.map(({ number }, i) => [number, i]));
      }
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
      this.m.steps.forEach((_, i) => {
        const line = this.lineOf(it, this.app.eventOf(i + 1));
        if (line !== undefined && !steps.has(line)) steps.set(line, i + 1);
      });
      return steps;
    }

    choose(i) {
      this.current = this.texts[Math.max(0, i)];
      this.line = undefined;
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
            this.reveal();
          });
          return tab;
        }),
      );
      if (!this.isEmpty) this.fillChunks();
    }

    clicked(event) {
      const line = event.target.closest("[data-line]");
      const step = line && this.current.steps.get(Number(line.dataset.line));
      if (step) this.app.update({ step });
    }

    // Lines are in chunks, which have elements while they are in sight: a text may have
    // 100,000 lines.
    fillChunks() {
      const { lines } = this.current;
      this.chunks = [];
      for (let from = 0; from < lines.length; from += CHUNK) {
        const chunk = dom.make("div");
        chunk.dataset.from = from;
        chunk.style.setProperty("--lines", Math.min(CHUNK, lines.length - from));
        this.chunks.push(chunk);
      }
      dom.fill(this.list, this.chunks);
      this.observer.disconnect();
      for (const chunk of this.chunks) this.observer.observe(chunk);
    }

    fillChunk(chunk, isInSight) {
      if (isInSight === chunk.hasChildNodes()) return;
      const from = Number(chunk.dataset.from);
      const some = isInSight ? this.current.lines.slice(from, from + CHUNK) : [];
      dom.fill(
        chunk,
        some.map((line) => this.newLine(line)),
      );
    }

    newLine({ number, text: line }) {
      const row = dom.make(
        "div",
        { className: this.current.steps.has(number) ? "code-line has-steps" : "code-line" },
        dom.make("span", { className: "number", textContent: number }),
        dom.make("span", {
          className: "code",
          textContent: text.shown(line.replace(/\t/g, "    "), 400) || " ",
        }),
      );
      row.dataset.line = number;
      if (number === this.line) this.markCurrent(row);
      return row;
    }

    markCurrent(row) {
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
    }

    render() {
      if (this.isEmpty) return;
      const e = this.app.event;
      this.line = e && this.lineOf(this.current, e);
      const old = this.list.querySelector(".current");
      if (old) {
        old.classList.remove("current");
        old.removeAttribute("aria-current");
      }
      const index = this.current.indexOf.get(this.line);
      if (index === undefined) return;
      const chunk = this.chunks[Math.floor(index / CHUNK)];
      this.fillChunk(chunk, true);
      this.markCurrent(chunk.children[index % CHUNK]);
    }

    // Brings the current line into sight. What asks for sizes comes when all is drawn: each
    // change between two questions is another layout.
    reveal() {
      const row = this.list.querySelector(".current");
      if (!row) return;
      const top = row.offsetTop - this.list.offsetTop;
      const { scrollTop, clientHeight } = this.list;
      if (top < scrollTop + 20 || top > scrollTop + clientHeight - 40)
        this.list.scrollTop = top - clientHeight / 2;
    }
  }

  return { Source };
})();
