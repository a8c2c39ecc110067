// beside: the same trace, constructed otherwise, in a second pane: one timeline, in which the steps
// of both follow the lines of the trace, and marks of what only one of the two has.
const beside = (() => {
  // What is the same in two models: a phi by its block and variable, an instruction by the line of
  // the trace that emits it, an argument by its number.
  function keysOf(m) {
    const keys = new Map();
    const counts = new Map();
    m.fn.params.forEach(({ value }, i) => keys.set(value, `argument ${i}`));
    for (const e of m.events) {
      if (e.event === "phi") keys.set(e.value, `phi ${e.block} ${e.var}`);
      if (e.event !== "emit" && e.event !== "filled") continue;
      const count = counts.get(e.line) || 0;
      counts.set(e.line, count + 1);
      keys.set(e.value, `line ${e.line} ${count}`);
    }
    return keys;
  }

  // The steps of both, by lines; those of the second follow: {own, other, isOther}, times.
  function stepsOf(m, other) {
    const line = (it, t) => it.events[t - 1].line;
    const out = [];
    let k = 0;
    let own = 0;
    const addOthers = (end) => {
      for (; k < other.steps.length && line(other, other.steps[k]) < end; k++)
        out.push({ own, other: other.steps[k], isOther: true });
    };
    m.ownSteps.forEach((t, i) => {
      addOthers(line(m, t));
      own = t;
      out.push({ own, other: k > 0 ? other.steps[k - 1] : 0, isOther: false });
      if (i === m.ownSteps.length - 1) addOthers(Infinity);
    });
    return out;
  }

  // The second side, as a graph asks the page for what it shows.
  class Side {
    // app: the page; names of both
    constructor(app, names) {
      this.app = app;
      this.names = names;
      this.web = this.using = new Set();
      this.heads = [dom.find("own-head"), dom.find("other-head")];
      this.graph = new graph.Graph(this, dom.find("beside"));
    }

    show(isShown) {
      this.heads[0].hidden = dom.find("beside").hidden = !isShown;
      document.body.classList.toggle("comparing-sides", isShown);
    }

    // own: the model of the first side, which gets the common timeline
    open(own, m) {
      own.ownSteps ??= own.steps;
      this.count = own.ownSteps.length;
      this.steps = stepsOf(own, m);
      own.steps = this.steps.map((it) => it.own);
      this.know(m, keysOf(own), keysOf(m));
    }

    know(m, own, other) {
      const inverse = (keys) => new Map([...keys].map(([id, key]) => [key, id]));
      this.model = m;
      this.keys = { own, other };
      this.ids = { own: inverse(own), other: inverse(other) };
    }

    get step() {
      return this.steps[this.app.state.step - 1];
    }

    get time() {
      if (this.app.state.step >= this.steps.length) return this.model.events.length;
      return this.step ? this.step.other : 0;
    }

    get event() {
      return this.step && this.step.isOther ? this.model.events[this.step.other - 1] : undefined;
    }

    touched() {
      return touchedBy(this.event);
    }

    // A thing of a side as the other one has it: values have other numbers there.
    mapped(thing, from, to) {
      if (!thing || thing.kind !== "value") return thing;
      const id = this.ids[to].get(this.keys[from].get(thing.id));
      return id === undefined ? null : { kind: "value", id };
    }

    isSelected(kind, id) {
      const s = this.state.selection;
      return s !== null && s.kind === kind && s.id === id;
    }

    // What holds for a step: what is selected; by side, the keys of what is there.
    begin() {
      const { app, model: m, keys } = this;
      const selection = this.mapped(app.state.selection, "own", "other");
      this.state = { ...app.state, selection, mark: null };
      const there = (it, known, t) =>
        new Set([...known].filter(([id]) => it.isThere(it.value(id), t)).map(([, key]) => key));
      this.there = {
        own: there(app.model, keys.own, app.time),
        other: there(m, keys.other, this.time),
      };
    }

    // "only" if the other side has nothing that is the same.
    differenceOf(v, side) {
      const key = this.keys[side].get(v.id);
      const others = this.there[side === "own" ? "other" : "own"];
      return key && this.there[side].has(key) && !others.has(key) ? "only" : null;
    }

    changeOf(v) {
      return this.differenceOf(v, "other");
    }

    // True if the second side is shown to the left: what is earlier is.
    get isFirst() {
      return false;
    }

    // Of each side, the number of its step, and of all.
    get places() {
      const { step } = this.app.state;
      const done = this.steps.slice(0, step).filter((it) => it.isOther).length;
      return [
        [step - done, this.count],
        [done, this.steps.length - this.count],
      ];
    }

    render() {
      const { app, names, places } = this;
      document.body.classList.toggle("other-first", this.isFirst);
      [app, this].forEach(({ model: m, time: t }, i) => {
        const [step, steps] = places[i];
        const phis = [...m.values.values()].filter((v) => v.op === "phi");
        const now = phis.filter((v) => m.isThere(v, t)).length;
        const made = phis.filter((v) => v.born <= t).length;
        this.heads[i].textContent =
          `${names[i]}: ${text.count(made, "phi")} made, ${now} there, step ${step} of ${steps}`;
      });
      const e = this.event;
      if (e && e.block) this.graph.reveal(e.block);
      this.graph.render();
    }
  }

  // The function as it is at the step that is marked: before and after an edit.
  class Before extends Side {
    constructor(app) {
      super(app, ["this step", "marked"]);
      this.steps = [];
    }

    begin() {
      const { model: m } = this.app;
      if (this.model !== m) {
        const keys = new Map([...m.values.keys()].map((id) => [id, id]));
        this.know(m, keys, keys);
        super.begin();
        this.graph.open(m);
      }
      super.begin();
    }

    get time() {
      return this.model.time(this.app.state.mark);
    }

    get event() {
      return undefined;
    }

    get isFirst() {
      return this.app.state.mark <= this.app.state.step;
    }

    // What is marked on one side is marked on the other, where it is there.
    changeOf(v) {
      return this.app.changeOf(v);
    }

    changeOfBlock(b) {
      return this.app.changeOfBlock(b);
    }

    get places() {
      const { step, mark } = this.app.state;
      const count = this.model.steps.length;
      return [
        [step, count],
        [mark, count],
      ];
    }
  }

  return { Side, Before };
})();
