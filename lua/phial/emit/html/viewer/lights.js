// lights: values that are lit while the pointer is over their line of the source, and those that
// are pinned. What is drawn stays: rules of a style sheet name them.
const lights = (() => {
  const MOST = 4; // colours that the colour-blind tell apart; a number says the same

  const named = (id, inside = "") => `${inside}[data-kind="value"][data-id="${id}"]`;

  class Lights {
    constructor(app) {
      this.app = app;
      this.sheet = new CSSStyleSheet();
      document.adoptedStyleSheets = [this.sheet];
      this.lit = [];
      dom.find("lines-of-source").addEventListener("pointerover", (event) => {
        const row = event.target.closest("[data-line]");
        this.light(row ? app.source.valuesAt(Number(row.dataset.line)) : []);
      });
      dom.find("lines-of-source").addEventListener("pointerleave", () => this.light([]));
      dom.find("graph").addEventListener("pointerover", (event) => {
        const row = event.target.closest(".row[data-kind=value]");
        app.source.light(row ? app.source.lineOfValue(Number(row.dataset.id)) : undefined);
      });
      dom.find("graph").addEventListener("pointerleave", () => app.source.light(undefined));
    }

    light(values) {
      this.lit = values;
      this.render();
    }

    // Pins a value, or no longer; the oldest one leaves if there are too many.
    pin(id) {
      const { pins } = this.app.state;
      const others = pins.filter((it) => it !== id);
      this.app.update({ pins: others.length < pins.length ? others : [...pins, id].slice(-MOST) });
    }

    render() {
      const { app, lit } = this;
      const rules = lit.map(
        (id) => `${named(id, "#graph .row")} { outline: 2px solid var(--accent); }`,
      );
      app.state.pins.forEach((id, i) => {
        const colour = `var(--pin-${i + 1})`;
        const other = app.side ? app.side.mapped({ kind: "value", id }, "own", "other") : null;
        const all = [named(id, ":not(#beside *)"), other ? named(other.id, "#beside ") : ""];
        for (const it of all.filter((name) => name !== "")) {
          rules.push(`${it} { box-shadow: inset 0 -3px ${colour}; }`);
          rules.push(`${it}.row { box-shadow: inset 5px 0 ${colour}; }`);
          rules.push(`${it}.row::after { content: "${i + 1}"; background: ${colour}; }`);
        }
      });
      const text = rules.join("\n");
      if (text !== this.text) this.sheet.replaceSync(text);
      this.text = text;
    }
  }

  return { Lights };
})();
