// search: finds blocks, variables and values by name; rows, lines of the source and rules by text.
const search = (() => {
  const MOST = 40;

  // What can be found in a function and the texts of its source: {kind, id, name, what, among},
  // and the key of a text; names are among the first.
  function index(m, texts) {
    const all = [];
    const add = (among, kind, id, name, what, key) => {
      all.push({ among, kind, id, key, name, what, lower: name.toLowerCase() });
    };
    for (const b of m.blocks.values()) add(0, "block", b.id, b.name, "block");
    for (const v of m.vars.values()) add(0, "variable", v.id, v.name, "variable");
    for (const v of m.values.values()) {
      if (v.type) add(0, "value", v.id, v.text, text.shown(v.op || "value", 20));
      if (!v.block || v.id < 0) continue;
      const end = Math.min(v.gone - 1, m.events.length);
      const row = text.plain(text.instruction(m, v, end));
      const rest = [v.type, v.data].filter((it) => it !== undefined && !row.includes(it));
      add(1, "value", v.id, [row, ...rest].join(" "), text.shown(m.block(v.block).name, 20));
    }
    m.events.forEach((e, i) => {
      const step = m.stepAt(i + 1);
      if (e.event === "rule") add(2, "step", step, e.rule_text || e.rule, `step ${step}`);
    });
    for (const { name, key, lines } of texts)
      for (const { number, text: line } of lines)
        add(3, "line", number, line.trim(), `${name}:${number}`, key);
    return all;
  }

  // The first that have a word, each row and name once.
  function find(all, word) {
    const found = [];
    const lower = word.toLowerCase();
    for (const it of all) {
      const at = it.lower.indexOf(lower);
      if (at < 0) continue;
      const before = found[found.length - 1];
      const isValue = before && before.kind === "value" && it.kind === "value";
      if (isValue && before.id === it.id) continue;
      found.push({ ...it, rank: it.among * 1e6 + at * 1000 + it.name.length });
    }
    return found.sort((a, b) => a.rank - b.rank || a.id - b.id).slice(0, MOST);
  }

  class Search {
    constructor(app) {
      this.app = app;
      this.input = dom.find("search");
      this.results = dom.find("results");
      this.found = [];
      this.input.addEventListener("input", () => this.show());
      this.input.addEventListener("keydown", (event) => this.key(event));
      this.input.addEventListener("blur", () => this.close());
      this.results.addEventListener("pointerdown", (event) => {
        const item = event.target.closest("[role=option]");
        if (item) this.choose(item);
      });
    }

    show() {
      const { input, app } = this;
      if (this.of !== app.model) this.all = index(app.model, app.source.texts);
      this.of = app.model;
      this.found = input.value === "" ? [] : find(this.all, input.value);
      const none = dom.make("li", { className: "none", textContent: "no match" });
      none.setAttribute("role", "status");
      dom.fill(
        this.results,
        this.found.map((it, i) => {
          const item = dom.make(
            "li",
            { id: `result-${i}` },
            dom.make("span", { textContent: text.shown(it.name, 60) }),
            dom.make("small", { textContent: it.what }),
          );
          item.setAttribute("role", "option");
          return item;
        }),
      );
      if (this.found.length === 0) this.results.append(none);
      this.at = 0;
      this.results.hidden = input.value === "";
      this.input.setAttribute("aria-expanded", this.found.length > 0);
      this.highlight();
    }

    highlight() {
      const items = [...this.results.querySelectorAll("[role=option]")];
      items.forEach((item, i) => item.setAttribute("aria-selected", i === this.at));
      const item = items[this.at];
      if (item) {
        this.input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    }

    key(event) {
      const n = this.found.length;
      if (event.key === "Escape") this.leave();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.at = (this.at + (event.key === "ArrowDown" ? 1 : n - 1)) % Math.max(1, n);
        this.highlight();
      }
      if (event.key === "Enter" && n > 0) this.choose(this.results.children[this.at]);
    }

    choose(item) {
      this.app.show(this.found[[...this.results.children].indexOf(item)]);
      this.leave();
    }

    leave() {
      this.input.value = "";
      this.input.blur();
      this.close();
    }

    close() {
      this.results.hidden = true;
      this.input.setAttribute("aria-expanded", false);
    }
  }

  return { Search, find };
})();
