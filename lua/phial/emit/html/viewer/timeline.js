// timeline: the bar below: the sentence of the step, the slider, the buttons.
const timeline = (() => {
  const KINDS = {
    phi: ["phi", "operand", "placed"],
    gone: ["trivial", "redundant", "simplified", "dropped"],
    sealed: ["sealed", "filled"],
    write: ["write", "move"],
    read: ["read", "lookup", "climb", "marked", "mark_found", "unmarked"],
  };

  const kindOf = (name) =>
    Object.keys(KINDS).find((kind) => KINDS[kind].includes(name)) || "other";

  // What the colours mean, and how much of the strip's height a kind has: colours alone do not
  // tell everybody the kinds apart.
  const LEGEND = [
    ["phi", "phi", 1],
    ["gone", "removed", 1],
    ["sealed", "sealed, filled", 0.65],
    ["write", "written", 0.65],
    ["read", "read", 0.35],
    ["other", "other", 0.35],
  ];
  const HEIGHT = new Map(LEGEND.map(([kind, , height]) => [kind, height]));

  const legend = () =>
    LEGEND.map(([kind, name]) =>
      dom.make("li", {}, dom.make("span", { className: `kind ${kind}` }), name),
    );

  const PLAY = "M4 2.5v11L13 8z";
  const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";

  class Timeline {
    constructor(app) {
      this.app = app;
      this.slider = dom.find("slider");
      this.sentence = dom.find("sentence");
      this.count = dom.find("count");
      this.speed = dom.find("speed");
      this.strip = dom.find("strip");
      this.timer = null;
      this.pending = null; // the question that is asked: {step, pieces, answers}
      this.verdict = null; // {isRight, because}: how the last one was answered
      dom.fill(dom.find("legend"), legend());
      const on = (id, f) => dom.find(id).addEventListener("click", f);
      on("first", () => this.go(0));
      on("back", () => this.go(app.state.step - 1));
      on("play", () => this.toggle());
      on("next", () => this.go(app.state.step + 1));
      on("last", () => this.go(Infinity));
      on("mark", () => this.mark());
      on("ask", () => this.askFirst());
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.speed.addEventListener("change", () => {
        if (this.timer) this.start();
      });
      new ResizeObserver(() => this.drawStrip()).observe(this.strip);
      window
        .matchMedia("(prefers-color-scheme: dark)")
        .addEventListener("change", () => this.drawStrip());
    }

    open(m) {
      this.stop();
      this.pending = this.verdict = null;
      this.m = m;
      this.slider.max = m.steps.length;
      dom.find("timeline").classList.toggle("result-only", !m.watched);
      this.drawStrip();
    }

    go(step) {
      this.stop();
      this.show(step);
    }

    // Shows a step; if the page asks, the question that precedes it, once.
    show(step) {
      const { app, m, pending } = this;
      const isNext = step === app.state.step + 1 && step <= m.steps.length;
      const isAsked = pending !== null && pending.step === step;
      const question =
        app.state.asks && isNext && !isAsked ? ask.question(m, m.steps[step - 1]) : null;
      this.pending = question && { step, ...question };
      this.verdict = null;
      if (question === null) return app.update({ step });
      this.stop();
      this.render();
    }

    // Tells whether an answer was right, and what happens.
    answer(isRight) {
      const { step, because = [] } = this.pending;
      this.pending = null;
      this.verdict = { isRight, because };
      this.app.update({ step });
    }

    askFirst() {
      this.pending = this.verdict = null;
      this.app.update({ asks: !this.app.state.asks });
    }

    // The question, or the sentence of the step.
    said() {
      const { app, pending, verdict } = this;
      if (pending === null || pending.step !== app.state.step + 1) {
        const sentence = dom.pieces(app.sentence(), true);
        if (verdict === null) return sentence;
        const { isRight, because } = verdict;
        const className = isRight ? "right" : "wrong";
        const textContent = isRight ? "Right: " : "Wrong: ";
        const word = dom.make("strong", { className, textContent });
        return [word, ...dom.pieces(because, true), ...sentence];
      }
      const buttons = pending.answers.map(({ text: name, isRight }) =>
        dom.button(name, "plain answer", () => this.answer(isRight)),
      );
      return [...dom.pieces(pending.pieces, true), " ", ...buttons];
    }

    // To the first step of another line of the source.
    goLine(by) {
      const { m, app } = this;
      const lineAt = (at) => {
        const e = app.eventOf(at);
        return e ? e.line || `${e.loc} ${e.place}` : "";
      };
      let k = app.state.step;
      const line = lineAt(k);
      while (k + by >= 0 && k + by <= m.steps.length && lineAt(k) === line) k += by;
      this.go(k);
    }

    mark() {
      this.app.update({ mark: this.app.state.mark === null ? this.app.state.step : null });
    }

    toggle() {
      if (this.timer) return this.stop();
      if (this.app.state.step >= this.m.steps.length) this.app.update({ step: 0 });
      this.start();
    }

    start() {
      clearInterval(this.timer);
      this.timer = setInterval(
        () => {
          const { step } = this.app.state;
          if (step >= this.m.steps.length) this.stop();
          else this.show(step + 1);
        },
        1000 / Number(this.speed.value),
      );
      this.showPlaying();
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.showPlaying();
    }

    showPlaying() {
      const button = dom.find("play");
      dom.find("play-shape").setAttribute("d", this.timer ? PAUSE : PLAY);
      button.setAttribute("aria-label", this.timer ? "Pause" : "Play");
      // nobody can listen that fast
      this.sentence.setAttribute("aria-live", this.timer ? "off" : "polite");
    }

    // A stripe for each step, by kind.
    drawStrip() {
      if (!this.m) return;
      const { strip, m } = this;
      const width = strip.clientWidth * devicePixelRatio;
      const n = m.steps.length;
      strip.width = width;
      strip.height = 8 * devicePixelRatio;
      const pen = strip.getContext("2d");
      const style = getComputedStyle(strip);
      const colors = Object.fromEntries(
        LEGEND.map(([kind]) => [kind, style.getPropertyValue(`--strip-${kind}`)]),
      );
      const weight = { phi: 3, gone: 4, sealed: 2, write: 1, read: 0, other: -1 };
      const shown = [];
      const w = Math.max(1, Math.floor(width / n) - 1);
      m.steps.forEach((_, i) => {
        const kind = kindOf(this.app.eventOf(i + 1).event);
        const x = Math.floor((i * width) / n);
        if (shown[x] !== undefined && weight[shown[x]] >= weight[kind]) return;
        shown[x] = kind;
        pen.fillStyle = colors[kind];
        pen.clearRect(x, 0, w, strip.height);
        pen.fillRect(x, strip.height * (1 - HEIGHT.get(kind)), w, strip.height);
      });
    }

    render() {
      const { app, m } = this;
      const { step, mark } = app.state;
      const n = m.steps.length;
      this.slider.value = step;
      this.slider.setAttribute("aria-valuetext", `step ${step} of ${n}`);
      this.count.textContent = m.watched ? `${step} / ${n}` : "";
      dom.fill(this.sentence, this.said());
      dom.find("ask").setAttribute("aria-pressed", app.state.asks);
      const button = dom.find("mark");
      button.setAttribute("aria-pressed", mark !== null);
      button.textContent = mark === null ? "Compare" : `Comparing with ${mark}`;
      for (const id of ["first", "back"]) dom.find(id).disabled = step === 0;
      for (const id of ["next", "last"]) dom.find(id).disabled = step === n;
    }
  }

  return { Timeline, legend };
})();
