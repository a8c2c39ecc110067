// source: the left panel: the lines of the trace, and of source files.
const source = (() => {
  const CHUNK = 100;

  // {== Traces, to be read

  // What only the lines of a trace say, by their letters.
  const LETTERS = {
    F: ([name]) => `function ${name}`,
    V: ([name, type]) => `new variable ${name}: ${type}`,
    B: ([name]) => `new block ${name || ""}`,
    b: ([block], m) => `${nameOf(m, block)}:`,
    S: ([block], m) => `seal ${nameOf(m, block)}`,
    r: ([name]) => `read ${name}`,
    w: ([name]) => `write ${name}`,
    E: () => "finish",
    R: () => "reopen",
  };

  // A block's name; traces also count blocks from 0.
  function nameOf(m, word) {
    const b = /^\d+$/.test(word) && m.blocks.get(Number(word) + 1);
    return b ? b.name : word;
  }

  const TOLD = {
    read: (m, e) => `read ${text.variable(m, e.var).text} → ${text.value(m, e.value).text}`,
    write: (m, e) => `${text.variable(m, e.var).text} ← ${text.value(m, e.value).text}`,
    emit: (m, e, t) => text.plain(text.instruction(m, m.value(e.value), t)),
    filled(m, e, t) {
      const to = [...new Set(e.targets || [])].map((id) => text.block(m, id).text);
      const end = text.plain(text.instruction(m, m.value(e.value), t));
      return to.length > 0 ? `${end} → ${to.join(", ")}` : end;
    },
  };

  // A line of a trace in words: what its events were, or what its letter says.
  function readable(m, { line, text: raw }, times) {
    const told = times.flatMap((t) => {
      const e = m.events[t - 1];
      return TOLD[e.event] && e.value ? [TOLD[e.event](m, e, t)] : [];
    });
    const [letter, ...words] = raw.trim().split(/\s+/);
    // at E, a classical algorithm tells of all lines
    const isOwn = told.length > 0 && letter !== "E";
    const said = isOwn ? told.join("; ") : LETTERS[letter]?.(words, m);
    const indent = "FVBbSER".includes(letter) ? "" : "  ";
    return { number: line, text: said ? indent + said : raw, raw };
  }

  function linesOf(m) {
    const times = new Map();
    m.events.forEach((e, i) => replay.listIn(times, e.line).push(i + 1));
    return m.fn.trace.map((l) => readable(m, l, times.get(l.line) || []));
  }

  // }==

  // The texts of a function: {name, lines: [{number, text}], key}.
  function textsOf(m, files) {
    const out = [];
    const { places } = m.fn;
    if (m.fn.trace) out.push({ name: "trace", lines: linesOf(m), key: "trace" });
    // what the frontend reads precedes its own lines
    const read = new Set(m.events.map((e) => e.loc !== undefined && (places[e.loc].file || "")));
    for (const file of [...files].sort((a, b) => read.has(b.name) - read.has(a.name))) {
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
          // a backslash ends folders, or begins the number of a byte
          const name = it.name.replace(it.name.includes("/") ? /^.*\// : /^.*\\/, "") || "source";
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
      const digits = String(lines.length > 0 ? lines[lines.length - 1].number : 0).length;
      this.list.style.setProperty("--digits", Math.max(3, digits));
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

    newLine({ number, text: line, raw }) {
      const row = dom.make(
        "p",
        { className: this.current.steps.has(number) ? "code-line has-steps" : "code-line" },
        dom.make("span", { className: "number", textContent: number }),
        dom.make("span", {
          className: "code",
          textContent: text.shown(line.replace(/\t/g, "    "), 400) || " ",
        }),
      );
      row.dataset.line = number;
      if (raw) row.title = text.shown(raw, 400);
      if (number === this.line) this.markCurrent(row);
      return row;
    }

    // {== Links to values

    // The values that a line makes, reads or writes.
    valuesAt(line) {
      const values = this.m.events
        .filter((e) => e.value && this.lineOf(this.current, e) === line)
        .map((e) => e.value);
      return [...new Set(values)];
    }

    // The line at which a value is made.
    lineOfValue(id) {
      const e = this.m.events[this.m.value(id).born - 1];
      return e && !this.isEmpty ? this.lineOf(this.current, e) : undefined;
    }

    // The row of a line; that of a far one is made.
    rowOf(line) {
      const index = this.current.indexOf.get(line);
      if (index === undefined) return undefined;
      const chunk = this.chunks[Math.floor(index / CHUNK)];
      this.fillChunk(chunk, true);
      return chunk.children[index % CHUNK];
    }

    light(line) {
      for (const row of this.list.querySelectorAll(".lit")) row.classList.remove("lit");
      const row = line === undefined ? undefined : this.rowOf(line);
      if (row) row.classList.add("lit");
      return row;
    }

    // The line of the step: {file, line}.
    get place() {
      return this.isEmpty ? {} : { file: this.current.key, line: this.line };
    }

    // To the first step of a line.
    goTo({ file, line }) {
      const it = this.texts.find(({ key }) => key === file);
      const step = it && it.steps.get(line);
      if (step) this.app.update({ step });
    }

    // Shows a line of a text, which its key names.
    show(key, line) {
      const i = this.texts.findIndex((it) => it.key === key);
      if (i < 0) return;
      if (this.texts[i] !== this.current) this.choose(i);
      const row = this.light(line);
      if (row)
        this.list.scrollTop = row.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    }

    // }==

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
      const row = this.rowOf(this.line);
      if (row) this.markCurrent(row);
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
