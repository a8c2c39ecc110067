// panes: what a program has printed, and the functions that it has made.
class Panes {
  // `ask({ask, number, detail})` asks for the "text" or "page" of a function.
  constructor(ask) {
    this.ask = ask;
    this.output = find("output");
    this.choice = find("function");
    this.tabs = [...document.querySelectorAll("[role=tab]")];
    this.tabs.forEach((tab) => {
      tab.addEventListener("click", () => this.choose(tab));
      tab.addEventListener("keydown", (event) => this.key(event));
    });
    this.choice.addEventListener("change", () => this.fill());
    this.detail = find("detail");
    this.detail.addEventListener("click", () => {
      this.detail.setAttribute("aria-pressed", !this.isDetailed);
      this.fill();
    });
    this.tab = this.tabs[0];
    this.clear();
  }

  // {== Tabs

  key({ key }) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const { length } = this.tabs;
    const tab = this.tabs[(this.tabs.indexOf(this.tab) + step + length) % length];
    this.choose(tab);
    tab.focus();
  }

  choose(chosen) {
    this.tab = chosen;
    for (const tab of this.tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      find(tab.getAttribute("aria-controls")).hidden = !isChosen;
    }
    this.fill();
  }

  get shown() {
    return this.tab.getAttribute("aria-controls");
  }

  // }== Output
  //
  // It is in pieces of some thousand characters, whole lines, so that adding to it takes no
  // longer when it is long; and it is added once for each picture that the browser draws.

  clear() {
    this.output.replaceChildren();
    this.pending = "";
    this.piece = null;
    this.made = [];
    this.offer(null);
    this.fill();
  }

  print(text) {
    if (this.pending === "") requestAnimationFrame(() => this.flush());
    this.pending += text;
  }

  flush() {
    const { output } = this;
    const isAtEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 30;
    for (const text of this.pending.match(/[^]{1,4000}[^\n]*\n?/g) || []) this.add(text);
    this.pending = "";
    if (isAtEnd) output.scrollTop = output.scrollHeight;
  }

  add(text, className = "piece") {
    const { piece } = this;
    const isOpen = piece && !piece.textContent.endsWith("\n");
    const isShort = piece && piece.textContent.length < 4000;
    if (piece && piece.className === className && (isOpen || isShort)) return piece.append(text);
    this.piece = make("span", { className }, text);
    this.output.append(this.piece);
  }

  // Adds a line that the program has not printed.
  note(text, className = "piece note") {
    this.flush();
    if (this.piece && !this.piece.textContent.endsWith("\n")) this.piece.append("\n");
    this.add(`${text}\n`, className);
  }

  complain(problem) {
    this.note(problem.text, "piece problem");
  }

  // }== Functions

  // The list of the functions that were made; null: the program has not ended.
  offer(result) {
    this.made = result ? result.made : [];
    this.isDone = result !== null;
    this.asked = {};
    this.choice.replaceChildren(
      ...this.made.map((it, i) =>
        make("option", {
          value: i + 1,
          textContent: it.finished ? it.name : `${it.name} (unfinished)`,
        }),
      ),
    );
    if (this.made.length > 0) this.choice.value = result.first;
    find("ssa").replaceChildren();
    this.close();
  }

  get isDetailed() {
    return this.detail.getAttribute("aria-pressed") === "true";
  }

  // Lets the explorer go to a line of a file.
  go(place) {
    find("steps").querySelector("iframe")?.contentWindow.postMessage(place, "*");
  }

  close() {
    find("steps").replaceChildren();
    const save = find("save");
    if (save.href) URL.revokeObjectURL(save.href);
    save.removeAttribute("href");
  }

  // Fills the pane that is shown.
  fill() {
    const { shown } = this;
    this.choice.hidden = shown === "output" || this.made.length === 0;
    this.detail.hidden = shown !== "steps" || this.made.length === 0;
    find("save").hidden = shown !== "steps" || !find("save").href;
    if (shown === "output") return;
    const pane = find(shown);
    if (this.made.length === 0) {
      const text = this.isDone ? "The program has made no function." : "";
      pane.replaceChildren(make("p", { className: "note", textContent: text }));
    } else {
      this.request(pane, {
        ask: shown === "ssa" ? "text" : "page",
        number: Number(this.choice.value),
        detail: shown === "steps" && this.isDetailed,
      });
    }
  }

  // Asks what the pane is to show, unless that was asked last.
  request(pane, question) {
    const before = this.asked[question.ask];
    if (before && before.number === question.number && before.detail === question.detail) return;
    this.asked[question.ask] = question;
    if (question.ask === "page") {
      this.close();
      pane.replaceChildren(make("p", { className: "note", textContent: "Drawing …" }));
    }
    this.ask(question);
  }

  // What was asked for.
  answer({ question: { ask, number, detail }, text, problem }) {
    const wanted = this.asked[ask];
    if (!wanted || wanted.number !== number || wanted.detail !== detail) return;
    const pane = find(ask === "text" ? "ssa" : "steps");
    if (problem) pane.replaceChildren(make("p", { className: "note", textContent: problem }));
    else if (ask === "text") pane.replaceChildren(text);
    else this.open(pane, text, number);
  }

  open(pane, html, number) {
    const frame = make("iframe", {
      title: `Explorer of ${this.made[number - 1].name}`,
      srcdoc: html,
    });
    frame.setAttribute("sandbox", "allow-scripts");
    // the program is beside it
    frame.addEventListener("load", () => {
      this.go({ showsSource: document.body.classList.contains("wide") });
    });
    pane.replaceChildren(frame);
    const save = find("save");
    save.href = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    save.download = `${this.made[number - 1].name.replace(/[^\w.-]/g, "_") || "function"}.html`;
    save.hidden = this.shown !== "steps";
  }

  // }==
}
