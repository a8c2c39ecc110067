// details: the right panel: what is selected, as of the current step.
const details = (() => {
  const MOST = 200; // entries of a list
  const { said } = text;
  const { button, section, title } = dom;

  const paragraph = (pieces) => dom.make("p", {}, ...dom.pieces(pieces, true));

  // Items as pieces, or what `write` makes pieces of.
  function list(items, write = (it) => it) {
    const rows = items.slice(0, MOST).map(write);
    if (items.length > MOST) rows.push([`and ${items.length - MOST} more`]);
    return dom.items(rows);
  }

  const stepPiece = (m, t) => ({ step: m.stepAt(t), text: `step ${m.stepAt(t)}` });

  // Events by time, as a list of steps with their sentences.
  function steps(m, times) {
    const shown = times.filter((t) => t > 0 && !m.events[t - 1].quiet);
    return list(shown, (t) => [stepPiece(m, t), " ", text.plain(text.sentence(m, t))]);
  }

  function eventsAbout(m, kind, id) {
    const times = m.watched ? m.mentions(kind, id) : [];
    return times.length > 0 ? section("Steps", steps(m, times)) : null;
  }

  // {== Values

  // Why a phi was made: the read that asked for it, the phi that needs it.
  function whyPhi(m, v) {
    const asked = v.asked;
    const where = text.block(m, v.block);
    if (!asked) return v.var === undefined ? ["Made by hand."] : [];
    const why = v.incomplete
      ? said`${where} was not sealed`
      : v.born > 0
        ? text.whyMade(m, m.events[v.born - 1], v.born)
        : said`in ${where} several edges meet`;
    if (asked.by) {
      const sealed = asked.sealed && text.block(m, m.events[asked.sealed - 1].block);
      const when = sealed ? said` when ${sealed} was sealed` : "";
      return said`The phi ${text.value(m, asked.by)} needs it as an operand${when}: ${why}.`;
    }
    if (!asked.read) return [];
    const e = m.events[asked.read - 1];
    return said`Asked for by the read of ${text.variable(m, e.var)} in ${text.block(m, e.block)}
      at ${stepPiece(m, asked.read)}: ${why}.`;
  }

  function life(m, v, t) {
    const out = [];
    if (v.born > t) return [paragraph(said`Not made yet: ${stepPiece(m, v.born)}.`)];
    if (v.born > 0)
      out.push(paragraph(said`Made in ${text.block(m, v.block)} at ${stepPiece(m, v.born)}.`));
    if (v.op === "phi") out.push(paragraph(whyPhi(m, v)));
    const { rule } = (v.born > 0 && m.events[v.born - 1]) || {};
    if (rule !== undefined) out.push(paragraph([`Made by the rule ${text.shown(rule, 60)}.`]));
    if (v.byTime <= t) {
      const [by, step] = [text.value(m, v.by), stepPiece(m, v.byTime)];
      out.push(paragraph(said`Replaced by ${by} as ${v.why} at ${step}.`));
    } else if (v.op === "phi" && text.difference(m, v.id, t)) {
      out.push(paragraph(said`${text.judgement(m, v.id, t)}.`));
    } else if (v.gone <= t) {
      out.push(paragraph(said`Removed at ${stepPiece(m, v.gone)}.`));
    }
    const old = v.replaced.filter((id) => m.value(id).byTime <= t).map((id) => text.value(m, id));
    if (old.length > 0) out.push(paragraph(said`It replaced ${text.list(old)}.`));
    return out;
  }

  // A link to the line of the source from which a value is.
  function placeOf(m, v, app) {
    const e = v.born > 0 && v.born < Infinity ? m.events[v.born - 1] : null;
    const number = v.loc !== undefined ? v.loc : e && (e.loc !== undefined ? e.loc : e.place);
    const place = m.fn.places[number];
    const link = (name, key, line) => button(name, "thing place", () => app.source.show(key, line));
    if (e && e.line) return link(`line ${e.line} of the trace`, "trace", e.line);
    return place ? link(text.shown(text.place(place), 120), place.file || "", place.line) : null;
  }

  // Copies a text: pages in frames may use no other way.
  function copy(copied) {
    const put = (event) => {
      event.clipboardData.setData("text/plain", copied);
      event.preventDefault();
    };
    document.addEventListener("copy", put);
    document.execCommand("copy");
    document.removeEventListener("copy", put);
  }

  // A block as text.
  function textOf(m, b, t) {
    const rows = b.rows.filter((id) => m.isThere(m.value(id), t));
    const lines = rows.map((id) => `  ${text.plain(text.instruction(m, m.value(id), t))}`);
    return [`${b.name}:`, ...lines].join("\n") + "\n";
  }

  function fullName(name) {
    return name.length > 28
      ? section(
          "Full name",
          dom.make("div", { className: "full", textContent: text.shown(name, 5000) }),
        )
      : null;
  }

  // An instruction with its block.
  const within = (m, v, t) => said`${text.block(m, v.block)}: ${text.instruction(m, v, t)}`;

  function ofValue(m, id, t, app) {
    const v = m.value(id);
    const isInst = v.block > 0;
    const at = v.gone <= t ? v.gone - 1 : t;
    const users = m.usersAt(id, t);
    const web = m.webOf(id, t);
    const where = placeOf(m, v, app);
    const pin = app.state.pins.includes(id) ? "Unpin" : "Pin";
    const kinds = { phi: "phi", const: "constant", undef: "constant", param: "argument" };
    const kind = kinds[v.op] || "value";
    return [
      button(pin, "plain tools", () => app.lights.pin(id)),
      title(v.type ? `${kind}, ${v.type}` : kind, text.shown(v.text)),
      fullName(v.text),
      isInst && v.born <= t
        ? section(
            "Definition",
            dom.make("p", { className: "code" }, ...dom.pieces(text.instruction(m, v, at), true)),
            where,
          )
        : null,
      section(`Used by ${users.length}`, list(users.map((u) => within(m, m.value(u), t)))),
      web.length > 1 || (web.length === 1 && web[0] !== id)
        ? section("Web of phis", paragraph(text.list(web.map((p) => text.value(m, p)))))
        : null,
      m.watched && isInst ? section("History", ...life(m, v, t)) : null,
      eventsAbout(m, "value", id),
    ];
  }

  // }== Variables and blocks

  function ofVariable(m, id, t) {
    const variable = m.vars.get(id) || { name: "?" };
    const rows = [];
    for (const b of m.blocks.values()) {
      const now = m.isBlockThere(b, t) && m.definition(id, b.id, t);
      if (!now) continue;
      const step = now.t > 0 ? said`, ${stepPiece(m, now.t)}` : "";
      rows.push(said`${text.block(m, b.id)}: ${text.definition(m, now)} (${now.how}${step})`);
    }
    const times = [];
    m.events.forEach((e, i) => {
      if (e.var === id) times.push(i + 1);
    });
    return [
      title(`variable, ${variable.type || ""}`, text.shown(variable.name)),
      fullName(variable.name),
      m.watched
        ? section(
            "Definition by block, as of this step",
            rows.length > 0 ? list(rows) : paragraph(["No block knows it yet."]),
          )
        : null,
      m.watched ? section("Steps", steps(m, times)) : null,
    ];
  }

  function loopText(m, l) {
    const { depth, reducible } = m.fn.loops[l];
    return said`${text.loop(m, l)}, depth ${String(depth)}${reducible ? "" : ", irreducible"}`;
  }

  function ofBlock(m, id, t, app) {
    const b = m.block(id);
    const loops = m.fn.loops;
    const around = [];
    for (let l = b.loop; l !== undefined; l = loops[l].parent) around.push(l);
    const names = (ids) =>
      ids.length > 0 ? text.list([...new Set(ids)].map((p) => text.block(m, p))) : ["none"];
    const frontier = m.events
      .slice(0, t)
      .filter((e) => e.event === "frontier" && e.from === id)
      .map((e) => e.block);
    const folding = around.map((l) => {
      const name = app.graph.folded.has(l) ? "unfold" : "fold";
      return dom.make(
        "li",
        {},
        ...dom.pieces(said`loop of ${loopText(m, l)} `, true),
        button(name, "plain", () => app.graph.toggle(l, id)),
      );
    });
    return [
      button("Copy", "plain tools", () => copy(textOf(m, b, t))),
      title(`block, ${text.progress(m, b, t)}`, text.shown(b.name)),
      fullName(b.name),
      section(
        "Edges",
        paragraph(said`from ${names(m.preds(b, t))}`),
        paragraph(said`to ${names(m.targets(b, t))}`),
      ),
      b.idom !== undefined && m.knownAt <= t
        ? section("Immediate dominator", paragraph([text.block(m, b.idom)]))
        : null,
      frontier.length > 0 ? section("Dominance frontier", paragraph(names(frontier))) : null,
      folding.length > 0 && (m.knownAt <= t || app.graph.folded.size > 0)
        ? section("Loops", dom.make("ul", {}, ...folding))
        : null,
      eventsAbout(m, "block", id),
    ];
  }

  // }== Differences, and nothing selected

  // What differs between two steps.
  function differences(m, app) {
    const a = m.time(app.state.mark);
    const t = app.time;
    const added = [];
    const lost = [];
    const changed = [];
    for (const v of m.values.values()) {
      if (v.block === 0 || (v.id < 0 && !app.state.writes)) continue;
      const change = app.changeOf(v);
      if (change === "added") added.push(within(m, v, t));
      if (change === "lost") lost.push(within(m, v, a));
      if (change === "changed")
        changed.push(said`${within(m, v, a)} → ${text.instruction(m, v, t)}`);
    }
    const part = (name, rows, kind) => {
      if (rows.length === 0) return null;
      const it = section(`${name} ${rows.length}`, list(rows));
      it.classList.add(kind);
      return it;
    };
    const { beside } = app.state;
    const sides = button("Side by side", "plain", () => app.update({ beside: !beside }));
    sides.id = "side-by-side";
    sides.setAttribute("aria-pressed", beside);
    return dom.make(
      "div",
      { className: "differences" },
      title("difference", `step ${app.state.mark} to step ${app.state.step}`),
      sides,
      part("Added", added, "added"),
      part("Removed", lost, "lost"),
      part("Changed", changed, "changed"),
      added.length + lost.length + changed.length === 0
        ? paragraph(["Nothing in the blocks differs."])
        : null,
    );
  }

  const KEYS = [
    ["← →", "a step"],
    ["Shift ← →", "a line of the source"],
    ["Home End", "first, last step"],
    ["Space", "play"],
    ["m", "mark a step, to compare"],
    ["a", "ask first, then tell"],
    ["p", "pin the value that is selected"],
    ["+ − 0", "zoom, fit"],
    ["/", "search"],
    ["?", "this list, or the algorithm"],
    ["Esc", "nothing selected"],
  ];

  function overview(m, t) {
    const vars = [...m.vars.values()].map((v) => [
      { variable: v.id, text: text.shown(v.name) },
      ` ${v.type}`,
    ]);
    const loops = m.fn.loops.map((_, l) => loopText(m, l));
    const there = [...m.blocks.values()].filter((b) => m.isBlockThere(b, t));
    return [
      button("Copy", "plain tools", () => copy(there.map((b) => textOf(m, b, t)).join(""))),
      title("function", text.shown(m.fn.name)),
      m.fn.problem
        ? section(
            "Problem",
            dom.make("p", { className: "problem", textContent: text.shown(m.fn.problem, 2000) }),
          )
        : null,
      section("Variables", vars.length > 0 ? list(vars) : paragraph(["none"])),
      loops.length > 0 && m.knownAt <= t ? section("Loops", list(loops)) : null,
      m.watched
        ? section("Kinds of steps", dom.make("ul", { className: "kinds" }, ...timeline.legend()))
        : null,
      section(
        "Keys",
        dom.make(
          "dl",
          {},
          ...KEYS.filter(([k]) => m.watched || ["+ − 0", "/", "Esc"].includes(k)).flatMap(
            ([key, what]) => [
              dom.make("dt", {}, dom.make("kbd", { textContent: key })),
              dom.make("dd", { textContent: what }),
            ],
          ),
        ),
      ),
    ];
  }

  // }==

  class Details {
    constructor(app) {
      this.app = app;
      this.panel = dom.find("details");
    }

    ofSelected({ kind, id }, m, t) {
      const { app } = this;
      const of = {
        value: () => ofValue(m, id, t, app),
        variable: () => ofVariable(m, id, t),
        block: () => ofBlock(m, id, t, app),
      };
      const back = button("‹ Algorithm", "plain back", () => app.select(null));
      return [app.algorithm ? back : null, ...of[kind]()];
    }

    render() {
      const { app, panel } = this;
      const { model: m, time: t } = app;
      const s = app.state.selection;
      const isHelp = document.body.classList.contains("helping");
      const isAlgorithm = !isHelp && !s && app.algorithm;
      const parts = isAlgorithm
        ? [app.algorithm.render()]
        : isHelp || !s
          ? overview(m, t)
          : this.ofSelected(s, m, t);
      const key = s && !isHelp ? `${s.kind} ${s.id}` : "";
      dom.fill(panel, [app.state.mark !== null ? differences(m, app) : null, ...parts]);
      if (key !== this.key) panel.scrollTop = 0;
      this.key = key;
    }

    // As Source.reveal.
    reveal() {
      const { algorithm: it } = this.app;
      if (it && it.element.parentNode) it.reveal();
    }
  }

  return { Details };
})();
