// main: the page: a program is chosen or written, run, stopped, linked to.

// What the run of a program of each language is given, besides its text.
const WORDS = {
  while: { name: "Values", hint: "n=27 m=3" },
  tinylang: { name: "Call", hint: "Module.Proc 1 2" },
};
const LOADING = find("said").textContent;
const PAUSE = 600; // ms without typing, after which a program runs
const SUFFIX = { lua: ".lua", "lua functions": ".lua", while: ".while", tinylang: ".mod" };

class App {
  constructor(examples) {
    this.examples = new Map(examples.map((it) => [it.id, it]));
    this.drafts = new Map();
    this.program = null; // the example, or what the address has
    this.waits = false; // a program is to run when a worker is ready
    this.runs = 0;
    this.news = ""; // why a program is open that has not run, until one runs
    this.editor = new Editor(() => this.edited());
    this.panes = new Panes((question) => this.machine.ask(question));
    this.machine = new Machine({
      ready: ({ version }) => this.ready(version),
      output: ({ text }) => this.panes.print(text),
      cut: ({ most }) => this.panes.note(`[what follows these ${most} characters is not shown]`),
      done: ({ result }) => this.done(result),
      answer: (data) => this.panes.answer(data),
      failed: ({ text }) => this.fail(text),
    });
    this.offer(examples);
    this.listen();
    if (matchMedia("(max-width: 760px)").matches) this.panes.choose(find("tab-steps"));
  }

  async start() {
    this.restore();
    await this.read();
    this.drafts.delete(undefined); // of an address's program, which is open now
    const script = find("program-js").textContent;
    await this.machine.load(script, find("program-wasm").textContent);
  }

  say(text, isBad = false) {
    find("said").textContent = text;
    find("clock").textContent = "";
    find("state").classList.toggle("bad", isBad);
  }

  // How long a program runs is seen; that it can be stopped is also said, once.
  tick() {
    if (!this.machine.running) return;
    const seconds = Math.floor((performance.now() - this.startedAt) / 1000);
    if (seconds === 2) this.say("Still running: Stop (Ctrl .) ends it.");
    if (seconds > 1) find("clock").textContent = `${seconds} s`;
  }

  // {== Programs

  offer(examples) {
    const groups = new Map();
    for (const it of examples) {
      if (!groups.has(it.group)) groups.set(it.group, make("optgroup", { label: it.group }));
      groups.get(it.group).append(make("option", { value: it.id, textContent: it.title }));
    }
    find("example").append(...groups.values());
  }

  // Opens a program, in place of the one that runs; an example as it was last left.
  open(program) {
    if (this.isBusy) this.stop();
    this.program = program;
    const { language, name, text, words } = this.drafts.get(program.id) || program;
    find("example").value = program.id || "";
    this.choose(language);
    find("file").textContent = name;
    find("words").value = words;
    this.editor.text = text;
    this.panes.clear();
  }

  choose(language) {
    find("language").value = language;
    this.editor.language = language;
    const words = WORDS[language];
    find("words-label").hidden = !words;
    if (!words) return;
    find("words-name").textContent = words.name;
    find("words").placeholder = words.hint;
  }

  // The program as it is now.
  get fields() {
    return {
      language: find("language").value,
      name: find("file").textContent,
      text: this.editor.text,
      words: find("words").value,
    };
  }

  get isChanged() {
    const { fields, program } = this;
    return Object.keys(fields).some((name) => fields[name] !== program[name]);
  }

  edited() {
    find("problems").replaceChildren();
    find("reset").disabled = !this.isChanged;
  }

  // Runs what is being typed, after a pause; what a link has only once it was run.
  typed() {
    clearTimeout(this.pause);
    if (!this.isForeign) this.pause = setTimeout(() => this.run(), PAUSE);
  }

  // The explorer goes to the line of the cursor.
  follow() {
    const { line } = this.editor;
    if (line !== this.line) this.panes.go({ file: this.fields.name, line });
    this.line = line;
  }

  show(example) {
    this.keep();
    address.write("example", example.id);
    this.open(example);
    this.run();
  }

  // Keeps what was changed in an example.
  keep() {
    const { program } = this;
    if (!program || !program.id) return;
    if (this.isChanged) this.drafts.set(program.id, this.fields);
    else this.drafts.delete(program.id);
  }

  // What was changed survives a reload, as far as the browser lets the page keep it.
  remember() {
    const { fields, isChanged, program } = this;
    const draft = isChanged ? JSON.stringify({ at: location.hash, id: program.id, fields }) : "";
    try {
      sessionStorage.setItem("draft", draft);
    } catch {
      return;
    }
  }

  restore() {
    try {
      const { at, id, fields } = JSON.parse(sessionStorage.getItem("draft") || "{}");
      if (!fields || at !== location.hash) return;
      this.drafts.set(id, fields);
      this.news = "Your changes are kept: press Run.";
    } catch {
      return;
    }
  }

  reset() {
    this.drafts.delete(this.program.id);
    this.open(this.program);
  }

  // }== The address

  async read() {
    const [first] = this.examples.values();
    try {
      const { example, program } = await address.read();
      this.keep();
      if (example !== undefined && !this.examples.has(example)) throw new Error(example);
      this.open(program || this.examples.get(example) || first);
      // a program that somebody else has written is looked at first
      this.isForeign = program !== undefined;
      if (program && this.news === "") this.news = "This is the link's program: press Run.";
      if (this.news === "") this.run();
      else this.say(this.news);
    } catch {
      this.open(first);
      this.news = "The link is damaged, or names no example. This is the first example: press Run.";
      this.say(this.news, true);
    }
  }

  async share() {
    address.write("program", await address.pack(this.fields));
    try {
      await navigator.clipboard.writeText(location.href);
      this.say("The link is copied.");
    } catch {
      this.say("The address now holds the program.");
    }
  }

  // }== Running

  ready(version) {
    if (this.since === undefined) {
      this.since = Math.round(performance.now());
      find("title").title = version;
      if (find("said").textContent === LOADING) this.say(`Ready after ${this.since} ms.`);
    }
    if (this.waits) this.launch();
  }

  // Runs the program, as soon as a worker is ready.
  run() {
    clearTimeout(this.pause);
    if (this.isBusy) this.stop();
    this.news = "";
    this.isForeign = false;
    this.turn(true);
    this.panes.clear();
    this.editor.mark([]);
    find("problems").replaceChildren();
    if (this.machine.isReady) this.launch();
    else this.waits = true;
  }

  launch() {
    this.waits = false;
    this.startedAt = performance.now();
    this.say("Running …");
    const [construction, rules] = ["construction", "rules"].map((id) => find(id).value);
    this.machine.run({ ...this.fields, construction, rules });
  }

  stop() {
    this.turn(false);
    this.say("Stopped.");
    if (this.machine.running) {
      this.machine.stop();
      const after = `topped after ${((performance.now() - this.startedAt) / 1000).toFixed(1)} s`;
      this.panes.note(`[s${after}]`);
      this.say(`S${after}.`);
    }
    this.waits = false;
    this.panes.offer({ made: [], first: 0 });
    this.panes.fill();
  }

  // True if a program runs, or is to run.
  get isBusy() {
    return this.waits || this.machine.running;
  }

  turn(isOn) {
    document.body.classList.toggle("running", isOn);
    find("stop").disabled = !isOn;
  }

  fail(why) {
    this.waits = false;
    this.turn(false);
    this.say(why, true);
  }

  done(result) {
    this.turn(false);
    const { problems, status } = result;
    for (const problem of problems) this.panes.complain(problem);
    if (status !== undefined) this.panes.note(`[the program has ended with status ${status}]`);
    this.editor.mark([...new Set(problems.map((it) => it.line).filter((line) => line))]);
    this.list(problems);
    this.panes.offer(result);
    this.panes.fill();
    const ms = result.took === undefined ? "" : ` in ${Math.round(result.took / 1000)} ms`;
    const start = this.runs++ > 0 ? "" : `Ready after ${this.since} ms. `;
    const count = problems.length;
    if (count > 0)
      this.say(`The program has ${count > 1 ? `${count} problems` : "a problem"}.`, true);
    else this.say(`${start}Done${ms}.`);
  }

  // The problems below the program; each leads to its line.
  list(problems) {
    find("problems").replaceChildren(
      ...problems.slice(0, 20).map((it) => {
        const [text] = it.text.split("\n");
        const button = make("button", { className: "link", textContent: text });
        if (it.line) button.addEventListener("click", () => this.editor.go(it.line, it.col));
        else button.disabled = true;
        return button;
      }),
    );
    const first = problems.find((it) => it.line);
    if (first) this.editor.show(first.line);
  }

  // }== Input

  listen() {
    const on = (id, event, action) => find(id).addEventListener(event, action);
    on("run", "click", () => this.run());
    on("stop", "click", () => this.stop());
    on("reset", "click", () => this.reset());
    on("share", "click", () => this.share());
    on("example", "change", () => this.show(this.examples.get(find("example").value)));
    on("words", "input", () => this.edited());
    for (const id of ["text", "words"]) on(id, "input", () => this.typed());
    for (const id of ["construction", "rules"]) on(id, "change", () => this.run());
    for (const event of ["click", "keyup"]) on("text", event, () => this.follow());
    window.addEventListener("message", ({ source, data }) => {
      const frame = find("steps").querySelector("iframe");
      if (!frame || source !== frame.contentWindow) return;
      this.editor.point(data.file === this.fields.name && data.line ? data.line : 0);
    });
    on("language", "change", () => this.translate());
    on("wide", "click", () => {
      const isWide = document.body.classList.toggle("wide");
      find("wide").setAttribute("aria-pressed", isWide);
      this.panes.go({ showsSource: isWide });
    });
    setInterval(() => this.tick(), 500);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => {
      this.news = "";
      this.read();
    });
    window.addEventListener("pagehide", () => this.remember());
  }

  // The text is now in another language.
  translate() {
    const language = find("language").value;
    this.choose(language);
    find("file").textContent = `program${SUFFIX[language]}`;
    this.editor.edited();
  }

  key(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    const button = { Enter: "run", ".": "stop" }[event.key];
    if (!button) return;
    event.preventDefault();
    if (!find(button).disabled) find(button).click();
  }

  // }==
}

globalThis.playground = new App(JSON.parse(find("examples").textContent));
globalThis.playground.start().catch((error) => {
  globalThis.playground.fail(`This browser cannot run the playground: ${error.message}`);
});
