// dom: makes elements. All text becomes text nodes.
const dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const find = (id) => document.getElementById(id);

  function fill(element, children) {
    element.replaceChildren(...children.filter((c) => c !== null && c !== undefined));
    return element;
  }

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children.filter((c) => c !== null && c !== undefined));
    return element;
  }

  function button(name, className, action) {
    const it = make("button", { className, textContent: name });
    it.addEventListener("click", action);
    return it;
  }

  function svg(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, it] of Object.entries(attributes)) element.setAttribute(key, it);
    element.append(...children);
    return element;
  }

  // The kinds of things that can be chosen, as pieces of text and addresses name them.
  const KINDS = ["value", "block", "variable", "step"];

  // Pieces of text (text.js) as nodes; things are marked with what they are, and chosen by a
  // click that bubbles up to the page. As buttons they can also be reached by keys.
  function pieces(list, asButtons = false) {
    return list.map((p) => {
      if (typeof p === "string") return document.createTextNode(p);
      const kind = KINDS.find((k) => p[k] !== undefined);
      const element = make(asButtons ? "button" : "span", {
        className: `thing ${kind}`,
        textContent: p.text,
      });
      if (p.own) element.classList.add("own");
      element.dataset.kind = kind;
      element.dataset.id = p[kind];
      return element;
    });
  }

  // What is shown, below what it is.
  const title = (kind, ...children) =>
    make("h2", {}, make("small", { textContent: kind }), ...children);

  // A part of a panel, below its name, a string or pieces.
  const section = (name, ...children) =>
    make("section", {}, make("h3", {}, ...pieces([name].flat(), true)), ...children);

  // A list, each item as pieces.
  const items = (list) =>
    make("ul", {}, ...list.map((it) => make("li", {}, ...pieces(it, true))));

  // What an element, or one around it, stands for: {kind, id}, or null.
  function thingAt(element) {
    const it = element.closest("[data-kind]");
    return it && { kind: it.dataset.kind, id: Number(it.dataset.id) };
  }

  // Makes a bar between panels one that is dragged, or moved by keys: its side has a share.
  function split(bar) {
    const { side } = bar.dataset;
    const move = (x) => {
      const { left, right, width } = bar.parentNode.getBoundingClientRect();
      const share = (100 * (side === "left" ? x - left : right - x)) / width;
      bar.setAttribute("aria-valuenow", Math.round(Math.min(60, Math.max(10, share))));
      bar.parentNode.style.setProperty(`--${side}`, `${bar.getAttribute("aria-valuenow")}%`);
    };
    bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
    bar.addEventListener("pointermove", (event) => {
      if (bar.hasPointerCapture(event.pointerId)) move(event.clientX);
    });
    bar.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -20, ArrowRight: 20 }[event.key];
      if (!by) return;
      event.stopPropagation();
      event.preventDefault();
      move(bar.getBoundingClientRect().x + bar.clientWidth / 2 + by);
    });
  }

  return { split, find, fill, make, button, svg, pieces, title, section, items, thingAt };
})();
