// search: finds blocks, variables and values by name.
const search = (() => {
  const MOST = 40;

  function find(m, word) {
    const found = [];
    const lower = word.toLowerCase();
    const add = (kind, id, name, what) => {
      const at = name.toLowerCase().indexOf(lower);
      if (at >= 0) found.push({ kind, id, name, what, rank: at * 1000 + name.length });
    };
    for (const b of m.blocks.values()) add("block", b.id, b.name, "block");
    for (const v of m.vars.values()) add("variable", v.id, v.name, "variable");
    for (const v of m.values.values()) if (v.type) add("value", v.id, v.text, v.op || "value");
    return found.sort((a, b) => a.rank - b.rank || a.id - b.id).slice(0, MOST);
  }

  class Search {
    constructor(app) {
      this.app = app;
      this.input = dom.find("search");
      this.results = dom.find("results");
      this.input.addEventListener("input", () => this.show());
      this.input.addEventListener("keydown", (event) => this.key(event));
      this.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
      this.results.addEventListener("pointerdown", (event) => {
        const item = event.target.closest("[data-kind]");
        if (item) this.choose(item);
      });
    }

    show() {
      const found = this.input.value === "" ? [] : find(this.app.model, this.input.value);
      dom.fill(
        this.results,
        found.map((it, i) => {
          const item = dom.make(
            "li",
            { id: `result-${i}` },
            dom.make("span", { textContent: text.shown(it.name, 40) }),
            dom.make("small", { textContent: it.what }),
          );
          item.setAttribute("role", "option");
          item.dataset.kind = it.kind;
          item.dataset.id = it.id;
          return item;
        }),
      );
      this.at = 0;
      this.results.hidden = found.length === 0;
      this.input.setAttribute("aria-expanded", found.length > 0);
      this.highlight();
    }

    highlight() {
      [...this.results.children].forEach((item, i) =>
        item.setAttribute("aria-selected", i === this.at),
      );
      const item = this.results.children[this.at];
      if (item) {
        this.input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    }

    key(event) {
      const n = this.results.children.length;
      if (event.key === "Escape") this.leave();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.at = (this.at + (event.key === "ArrowDown" ? 1 : n - 1)) % Math.max(1, n);
        this.highlight();
      }
      if (event.key === "Enter" && n > 0) this.choose(this.results.children[this.at]);
    }

    choose(item) {
      this.app.select({ kind: item.dataset.kind, id: Number(item.dataset.id) }, true);
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
