// What an event is about.
function touchedBy(e = {}) {
  const values = new Set([e.value]);
  const edges = new Set();
  const blocks = new Set([e.block]);
  if (e.event === "operand") {
    edges.add(`${e.from} ${e.block}`);
    values.add(e.operand);
  }
  if (["climb", "frontier", "placed"].includes(e.event)) blocks.add(e.from).add(e.to);
  if (e.event === "move") edges.add(`${e.from} ${e.to}`);
  if (e.event === "location") for (const id of e.args) values.add(id);
  if (e.by) values.add(e.by);
  if (e.event === "filled") for (const to of e.targets || []) edges.add(`${e.block} ${to}`);
  return { values, edges, blocks };
}

// What is shown, or not.
const SHOWN = ["loops", "dominators", "writes", "removed"];

// main: the page: what is shown now, and what changes it. The address says it, so that a
// step can be linked to.
class App {
  constructor(data) {
    this.data = data;
    this.state = {
      func: 0,
      step: 0,
      selection: null,
      mark: null,
      loops: false,
      dominators: false,
      removed: true,
      writes: false,
      asks: false,
      beside: false,
      pins: [],
    };
    this.graph = new graph.Graph(this, dom.find("graph"));
    this.source = new source.Source(this);
    this.timeline = new timeline.Timeline(this);
    this.details = new details.Details(this);
    this.search = new search.Search(this);
    this.lights = new lights.Lights(this);
    this.models = [];
    this.side = data.sides ? new beside.Side(this, data.sides) : null;
    if (this.side) {
      this.side.show(true);
      this.toggle("details");
      document.body.classList.add("two-traces");
    }
    this.fillHeader();
    this.listen();
    this.read();
    window.addEventListener("hashchange", () => this.read());
    // a page around this one, in whose frame it is, goes to lines and is told them; what it shows
    // itself is not shown here
    window.addEventListener("message", ({ data: it }) => {
      const { showsSource } = it || {};
      if (showsSource === document.body.classList.contains("hide-source")) this.toggle("source");
      this.source.goTo(it || {});
    });
  }

  // {== What is shown

  get time() {
    return this.model.time(this.state.step);
  }
  get event() {
    return this.eventOf(this.state.step);
  }

  // The event of a step, of whichever side.
  eventOf(step) {
    const it = this.side && this.side.steps[step - 1];
    if (it && it.isOther) return this.side.model.events[it.other - 1];
    return this.model.events[this.model.steps[step - 1] - 1];
  }

  sentence() {
    const { model: m, state, side } = this;
    if (side && side.event) {
      const said = text.plain(text.sentence(side.model, side.step.other));
      return [`${side.names[1]}: ${said}`];
    }
    const list = text.sentence(m, state.step > 0 ? m.steps[state.step - 1] : 0);
    if (m.fn.problem && state.step === m.steps.length)
      return list.concat(` Then: ${text.shown(m.fn.problem, 300)}`);
    return list;
  }

  isSelected(kind, id) {
    const s = this.state.selection;
    return s !== null && s.kind === kind && s.id === id;
  }

  // What the current step is about.
  touched() {
    const it = touchedBy(this.side && this.side.event ? {} : this.event);
    it.values.add(-this.time); // what is written now
    for (const edge of this.algorithm ? this.algorithm.path : []) it.edges.add(edge);
    return it;
  }

  // What has become of a row since the marked step; or whether the other side has it.
  changeOf(v) {
    if (this.data.sides) return this.side.differenceOf(v, "own");
    const { mark } = this.state;
    const { model: m, time: t } = this;
    if (mark === null || v.block === 0) return null;
    const before = m.time(mark);
    const was = m.isThere(v, before);
    const is = m.isThere(v, t);
    if (was !== is) return is ? "added" : "lost";
    const row = (at) => text.plain(text.instruction(m, v, at));
    return is && row(before) !== row(t) ? "changed" : null;
  }

  changeOfBlock(b) {
    const { model: m, state, time: t } = this;
    const was = state.mark !== null && m.isBlockThere(b, m.time(state.mark));
    const is = m.isBlockThere(b, t);
    return state.mark === null || was === is ? null : is ? "added" : "lost";
  }

  // }== Changes

  open(func) {
    const fn = this.data.functions[func];
    this.models[func] ??= model.of(fn);
    this.model = this.models[func];
    this.opened = func;
    if (this.data.sides)
      this.side.open(this.model, model.of(this.data.functions[func + this.count]));
    this.web = this.using = new Set();
    dom.find("function").value = func;
    dom.find("signature").textContent = this.signature();
    dom.find("show-writes").hidden = !this.model.watched;
    this.source.open(this.model, this.data.sources || []);
    document.body.classList.toggle("without-source", this.source.isEmpty);
    if (this.side) this.side.begin();
    this.graph.open(this.model);
    if (this.side) this.side.graph.open(this.side.model);
    this.timeline.open(this.model);
    this.algorithm = this.data.sides ? null : this.algorithmOf(this.model);
  }

  algorithmOf(m) {
    if (paper.isFor(m)) return new algorithm.Algorithm(this, m);
    return classical.isFor(m) ? new classical.Classical(this, m) : null;
  }

  signature() {
    const { fn, vars } = this.model;
    const params = fn.params.map(
      (p) => `${text.value(this.model, p.value).text}: ${vars.get(p.var).type}`,
    );
    const results = (fn.results ?? [fn.result]).join(", ");
    return `(${params.join(", ")})${results ? ` → ${results}` : ""}`;
  }

  // Changes what is shown. Steps outside the function become its ends.
  update(changes, quiet = false) {
    const before = this.state;
    this.state = { ...before, ...changes };
    if (this.state.func !== this.opened) this.open(this.state.func);
    const n = this.model.steps.length;
    this.state.step = Math.min(Math.max(this.state.step, 0), n);
    if (this.state.mark !== null) this.state.mark = Math.min(this.state.mark, n);
    if (!this.data.sides) this.split(this.state.mark !== null && this.state.beside);
    this.follow();
    if (this.algorithm) this.algorithm.go(this.time);
    const e = this.event;
    if (before.step !== this.state.step && e && e.block) this.graph.reveal(e.block);
    this.render();
    if (!quiet) this.write();
    if (window.parent !== window) window.parent.postMessage(this.source.place, "*");
  }

  // Shows the function at the marked step beside it, or no longer.
  split(isSplit) {
    if (isSplit === (this.side !== null)) return;
    this.before ??= isSplit ? new beside.Before(this) : null;
    this.before.show(isSplit);
    this.side = isSplit ? this.before : null;
  }

  // The web and the uses of the selected value.
  follow() {
    const s = this.state.selection;
    const { model: m, time: t } = this;
    const isValue = s !== null && s.kind === "value";
    this.web = new Set(isValue ? m.webOf(s.id, t) : []);
    this.using = new Set(isValue ? m.usersAt(s.id, t) : []);
  }

  render() {
    const { state } = this;
    for (const name of SHOWN) {
      const button = dom.find(`show-${name}`);
      button.setAttribute("aria-pressed", state[name]);
      button.disabled = ["loops", "dominators"].includes(name) && this.time < this.model.knownAt;
    }
    if (this.side) this.side.begin();
    this.graph.render();
    if (this.side) this.side.render();
    this.source.render();
    this.timeline.render();
    this.details.render();
    this.lights.render();
    this.source.reveal();
    this.details.reveal();
  }

  // Selects a thing, or goes to a step.
  select(thing, reveal = false) {
    if (thing && thing.kind === "step") return this.update({ step: thing.id });
    this.update({ selection: thing });
    if (!reveal || !thing) return;
    const block =
      thing.kind === "block"
        ? thing.id
        : thing.kind === "value"
          ? this.model.value(thing.id).block
          : 0;
    if (block) {
      this.graph.reveal(block);
      this.graph.draw();
    }
  }

  // Shows what a search has found (search.js): a thing, a step, or a line of a text.
  show({ kind, id, key }) {
    const { model: m, source } = this;
    if (kind === "line") {
      source.goTo({ file: key, line: id });
      return source.show(key, id);
    }
    this.select({ kind, id });
    if (kind === "step") return;
    const row = kind === "value" ? m.value(id) : {};
    const [first] = (kind === "variable" && m.definitions.get(id)?.keys()) || [];
    const block = kind === "block" ? id : row.block || first;
    if (!block) return;
    const isGone = row.gone <= this.time || m.block(block).dropped <= this.time;
    if (isGone) this.update({ removed: true });
    this.graph.show(block, row.id);
  }

  // }== The address: #step=12&value=4

  read() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name, other) => {
      const n = Number.parseInt(words.get(name), 10);
      return Number.isNaN(n) ? other : n;
    };
    const kind = ["value", "block", "variable"].find((k) => words.has(k));
    const func = Math.min(Math.max(number("function", 0), 0), this.count - 1);
    this.update(
      {
        func,
        step: number("step", Infinity),
        mark: number("compare", null),
        selection: kind ? this.known(func, { kind, id: number(kind, 0) }) : null,
        loops: words.has("loops"),
        dominators: words.has("dominators"),
        removed: !words.has("clean"),
        writes: words.has("writes"),
        asks: words.has("ask"),
        beside: words.has("beside"),
        pins: this.pinsIn(func, words.get("pins")),
      },
      true,
    );
  }

  pinsIn(func, list) {
    const ids = (list || "").split(".").map(Number);
    return ids.filter((id) => this.known(func, { kind: "value", id }));
  }

  // A thing, if the function has it.
  known(func, thing) {
    const fn = this.data.functions[func];
    const lists = { value: fn.values, block: [...fn.blocks, ...fn.dropped], variable: fn.vars };
    return lists[thing.kind].some((it) => it.id === thing.id) ? thing : null;
  }

  write() {
    const { func, step, selection, mark, removed, asks, pins } = this.state;
    const words = [];
    if (func > 0) words.push(`function=${func}`);
    if (this.model.watched) words.push(`step=${step}`);
    if (mark !== null) words.push(`compare=${mark}`);
    if (selection) words.push(`${selection.kind}=${selection.id}`);
    for (const name of ["loops", "dominators", "writes"]) if (this.state[name]) words.push(name);
    if (!removed) words.push("clean");
    if (asks) words.push("ask");
    if (this.state.beside) words.push("beside");
    if (pins.length > 0) words.push(`pins=${pins.join(".")}`);
    // in a frame, an address without its start would belong to the page around it
    const [start] = location.href.split("#");
    history.replaceState(null, "", `${start}#${words.join("&")}`);
  }

  // }== Input

  fillHeader() {
    const choice = dom.find("function");
    this.data.functions.slice(0, this.count).forEach((fn, i) => {
      choice.append(dom.make("option", { value: i, textContent: text.shown(fn.name, 60) }));
    });
    const single = this.count === 1;
    choice.hidden = single;
    if (single) dom.find("name").textContent = text.shown(this.data.functions[0].name, 60);
    choice.addEventListener("change", () => {
      const func = Number(choice.value);
      this.update({ func, step: Infinity, selection: null, mark: null, pins: [] });
    });
  }

  listen() {
    for (const name of SHOWN) {
      dom
        .find(`show-${name}`)
        .addEventListener("click", () => this.update({ [name]: !this.state[name] }));
    }
    for (const name of ["source", "details"]) {
      dom.find(`show-${name}`).addEventListener("click", () => this.toggle(name));
    }
    for (const it of document.querySelectorAll(".splitter")) dom.split(it);
    dom.find("show-help").addEventListener("click", () => this.help());
    dom.find("zoom-in").addEventListener("click", () => this.zoom(1.3));
    dom.find("zoom-out").addEventListener("click", () => this.zoom(1 / 1.3));
    dom.find("fit").addEventListener("click", () => this.fit());
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // The number of functions; those after them are the same, constructed otherwise.
  get count() {
    return this.data.functions.length / (this.data.sides ? 2 : 1);
  }

  get graphs() {
    return this.side ? [this.graph, this.side.graph] : [this.graph];
  }

  // Shows a panel, or no longer.
  toggle(name) {
    const isHidden = document.body.classList.toggle(`hide-${name}`);
    dom.find(`show-${name}`).setAttribute("aria-pressed", !isHidden);
  }

  zoom(factor) {
    for (const it of this.graphs) it.zoom(factor);
  }

  fit() {
    for (const it of this.graphs) it.fit();
  }

  // Shows lists and keys, or the algorithm again.
  help() {
    const isShown = document.body.classList.toggle("helping");
    document.body.classList.remove("hide-details");
    dom.find("show-details").setAttribute("aria-pressed", true);
    dom.find("show-help").setAttribute("aria-pressed", isShown);
    this.details.render();
  }

  clicked(event) {
    const folded = event.target.closest("[data-loop]");
    const isOther = this.side && event.target.closest("#beside");
    const { graph: drawn } = isOther ? this.side : this;
    if (folded) return drawn.toggle(Number(folded.dataset.loop), Number(folded.dataset.id));
    if (event.target.closest("#results")) return;
    if (event.target.closest(".graph") && !getSelection().isCollapsed) return;
    const found = dom.thingAt(event.target);
    const thing = isOther ? this.side.mapped(found, "other", "own") : found;
    const inGraph = event.target.closest(".graph");
    if (thing) this.select(thing, !inGraph);
    else if (inGraph && !event.target.closest("button")) this.select(null);
  }

  key(event) {
    const { target } = event;
    if (
      target.matches("input:not([type=range]), select") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const { step, selection } = this.state;
    const line = this.timeline;
    const { key } = event;
    const actions = {
      ArrowRight: () => (event.shiftKey ? line.goLine(1) : line.go(step + 1)),
      ArrowLeft: () => (event.shiftKey ? line.goLine(-1) : line.go(step - 1)),
      Home: () => line.go(0),
      End: () => line.go(Infinity),
      m: () => this.data.sides || line.mark(),
      a: () => this.data.sides || line.askFirst(),
      p: () => selection && selection.kind === "value" && this.lights.pin(selection.id),
      "+": () => this.zoom(1.3),
      "-": () => this.zoom(1 / 1.3),
      0: () => this.fit(),
      "/": () => this.search.input.focus(),
      "?": () => this.help(),
      Escape: () => this.update({ selection: null, mark: null }),
    };
    if (key === " " && !target.matches("button")) actions[" "] = () => line.toggle();
    if (key === "Enter" && target.matches(".box")) actions.Enter = () => target.click();
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  }

  // }==
}

globalThis.explorer = new App(JSON.parse(dom.find("data").textContent));
