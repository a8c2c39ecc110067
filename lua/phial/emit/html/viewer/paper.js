// paper: the algorithm of the paper (Braun et al., CC 2013), as it is printed there, run over
// the events of a construction: so one can watch each line, the stack of calls, and currentDef.
// phial itself does not recurse, enters fewer definitions, and finds the same phis.
//
// It runs up to the event that is shown, and notes the lines of that one's call. A journal of
// what it has changed takes it back, and forth again. Values are {id}, phial's own, or phis:
// {phi, block, variable, operands, users}.
const paper = (() => {
  const { latest, entryIn, listIn } = replay;

  // {== The lines

  const WRITE = ["writeVariable(variable, block, value):", "  currentDef[variable][block] ← value"];
  const READ = [
    "readVariable(variable, block):",
    "  if currentDef[variable] contains block:",
    "    return currentDef[variable][block]",
    "  return readVariableRecursive(variable, block)",
  ];
  // what both variants have in common
  const RECURSIVE = [
    "readVariableRecursive(variable, block):",
    "  if block not in sealedBlocks:",
    "    val ← new Phi(block)",
    "    incompletePhis[block][variable] ← val",
    "  else if |block.preds| = 1:",
    "    val ← readVariable(variable, block.preds[0])",
  ];
  const SIMPLE = [
    ...RECURSIVE,
    "  else:",
    "    val ← new Phi(block)",
    "    writeVariable(variable, block, val)",
    "    val ← addPhiOperands(variable, val)",
    "  writeVariable(variable, block, val)",
    "  return val",
  ];
  const MARKER = [
    ...RECURSIVE,
    "  else if block is marked:",
    "    val ← new Phi(block)",
    "  else:",
    "    mark block",
    "    ops ← readVariable(variable, pred), each pred",
    "    unmark block",
    "    if block got a Phi meanwhile or ops differ:",
    "      val ← that or new Phi(block), with ops",
    "      val ← tryRemoveTrivialPhi(val)",
    "    else:",
    "      val ← the one value in ops",
    "  writeVariable(variable, block, val)",
    "  return val",
  ];
  const OPERANDS = [
    "addPhiOperands(variable, phi):",
    "  for pred in phi.block.preds:",
    "    phi.appendOperand(readVariable(variable, pred))",
    "  return tryRemoveTrivialPhi(phi)",
  ];
  const TRIVIAL = [
    "tryRemoveTrivialPhi(phi):",
    "  same ← None",
    "  for op in phi.operands:",
    "    if op = same or op = phi: continue",
    "    if same ≠ None: return phi",
    "    same ← op",
    "  if same = None: same ← new Undef()",
    "  users ← phi.users without phi",
    "  phi.replaceBy(same)",
    "  for use in users:",
    "    if use is a Phi: tryRemoveTrivialPhi(use)",
    "  return same",
  ];
  const SEAL = [
    "sealBlock(block):",
    "  for variable in incompletePhis[block]:",
    "    addPhiOperands(variable, incompletePhis[block][variable])",
    "  sealedBlocks.add(block)",
  ];

  // The procedures of a variant, by name.
  const procedures = (isMarker) => ({
    readVariable: READ,
    readVariableRecursive: isMarker ? MARKER : SIMPLE,
    addPhiOperands: OPERANDS,
    tryRemoveTrivialPhi: TRIVIAL,
    sealBlock: SEAL,
    writeVariable: WRITE,
  });

  // }== The algorithm

  // What has replaced a value by a moment.
  function now(value, moment = Infinity) {
    while (value.replacedAt <= moment) value = value.by;
    return value;
  }

  // Makes or unmakes a change.
  function put({ at, key }, value) {
    if (at instanceof Map) value === undefined ? at.delete(key) : at.set(key, value);
    else if (Array.isArray(at) && value === undefined) at.length = key;
    else at[key] = value;
  }

  const PLAIN = {};
  // The lines of a call that are noted: in a function of 800 blocks, one has 600,000.
  const MOST = 200000;

  class State {
    constructor(m, isMarker) {
      this.m = m;
      this.isMarker = isMarker;
      this.moment = 0; // counts lines
      this.done = 0; // events
      this.journal = []; // changes: {at, key, old, value}
      this.here = 0; // in the journal
      this.trial = []; // the changes of the event that is looked at
      this.isTrial = false;
      this.longest = { lines: [] }; // of what was looked at: {done, lines, changes, trial}
      this.blocks = new Map();
      this.defs = new Map();
      this.leaves = new Map();
      this.phis = [];
      this.undef = { id: 0 };
      this.frame = null;
      this.line = 0;
      this.lines = null;
      this.changes = [];
      this.asked = null;
      this.block(1).sealed = true;
      for (const p of m.fn.params) this.define(p.var, 1, this.leaf(p.value));
      this.starts = [this.place]; // by event: where it begins
    }

    get place() {
      return { here: this.here, moment: this.moment };
    }

    // Changes an entry of a map or list, or a field.
    set(at, key, value) {
      const change = { at, key, old: at instanceof Map ? at.get(key) : at[key], value };
      put(change, value);
      if (this.isTrial) this.trial.push(change);
      else this.here = this.journal.push(change);
    }

    add(list, value) {
      this.set(list, list.length, value);
    }

    block(id) {
      return entryIn(this.blocks, id, () => {
        return { id, preds: [], sealed: false, marks: new Set(), incomplete: new Map() };
      });
    }

    // phial's value; if a read gave it, what the read gave here.
    leaf(id) {
      return entryIn(this.leaves, id, () => ({ id, users: new Map() }));
    }

    defsOf(variable) {
      return entryIn(this.defs, variable, () => new Map());
    }

    define(variable, block, value) {
      const defs = this.defsOf(variable);
      if (this.lines)
        this.changes.push({ moment: this.moment, variable, block, old: defs.get(block) });
      this.set(defs, block, value);
    }

    // A line of the current procedure; `what` it does: {kind, block}, {reads}, {writes}.
    at(line, { kind, block, from, reads, writes } = PLAIN) {
      const { lines, frame } = this;
      const moment = ++this.moment;
      this.line = line;
      if (lines && lines.length < MOST)
        lines.push({ frame, line, moment, kind, block, from, reads, writes });
    }

    call(name, variable, block, phi, body) {
      const from = this.line;
      this.frame = { name, variable, block, phi, parent: this.frame, from };
      this.at(0, { kind: name, block });
      const result = body();
      this.line = from;
      this.frame = this.frame.parent;
      return result;
    }

    write(variable, block, value) {
      this.call("writeVariable", variable, block, null, () => {
        this.at(1, { writes: true });
        this.define(variable, block, value);
      });
    }

    read(variable, block) {
      return this.call("readVariable", variable, block, null, () => {
        this.at(1, { reads: true });
        const known = this.defsOf(variable).get(block);
        this.at(known ? 2 : 3, known && { reads: true });
        return known ? now(known) : this.readRecursive(variable, block);
      });
    }

    newPhi(variable, block) {
      const phi = { phi: true, variable, block, operands: [], users: new Map(), isWhole: false };
      this.add(this.phis, phi);
      return phi;
    }

    readRecursive(variable, id) {
      return this.call("readVariableRecursive", variable, id, null, () => {
        const block = this.block(id);
        let value;
        this.at(1);
        if (!block.sealed) {
          this.at(2, { kind: "phi", block: id });
          value = this.newPhi(variable, id);
          this.at(3);
          this.set(block.incomplete, variable, value);
        } else {
          this.at(4);
          if (block.preds.length === 1) {
            this.at(5);
            value = this.read(variable, block.preds[0]);
          } else value = this.isMarker ? this.mark(variable, block) : this.join(variable, block);
        }
        const end = procedures(this.isMarker).readVariableRecursive.length;
        this.at(end - 2);
        this.write(variable, id, value);
        this.at(end - 1);
        return now(value);
      });
    }

    // The simple variant at a join.
    join(variable, block) {
      this.at(7, { kind: "phi", block: block.id });
      const phi = this.newPhi(variable, block.id);
      this.at(8);
      this.write(variable, block.id, phi); // ends the recursion in loops
      this.at(9);
      return this.addOperands(variable, phi);
    }

    // The marker variant at a join (section 3.3).
    mark(variable, block) {
      const { id, marks } = block;
      this.at(6);
      if (marks.has(variable)) {
        this.at(7, { kind: "phi", block: id });
        return this.newPhi(variable, id);
      }
      this.at(9, { kind: "marked", block: id });
      marks.add(variable);
      const operands = block.preds.map((pred) => {
        this.at(10);
        return this.read(variable, pred);
      });
      this.at(11, { kind: "unmarked", block: id });
      marks.delete(variable);
      this.at(12);
      const made = this.defsOf(variable).get(id);
      if (!made && new Set(operands.map((it) => now(it))).size === 1) {
        this.at(16);
        return now(operands[0]);
      }
      this.at(13, made ? undefined : { kind: "phi", block: id });
      const phi = made || this.newPhi(variable, id);
      operands.forEach((operand, i) => this.append(13, phi, operand, block.preds[i]));
      this.at(14);
      return this.removeTrivial(phi);
    }

    append(line, phi, operand, from) {
      this.at(line, { kind: "operand", block: phi.block, from });
      const value = now(operand);
      this.add(phi.operands, value);
      if (value.users) this.set(value.users, phi, true);
    }

    addOperands(variable, phi) {
      return this.call("addPhiOperands", variable, phi.block, phi, () => {
        for (const pred of this.block(phi.block).preds) {
          this.at(1);
          this.at(2);
          this.append(2, phi, this.read(variable, pred), pred);
        }
        this.at(3);
        return this.removeTrivial(phi);
      });
    }

    removeTrivial(phi) {
      this.set(phi, "isWhole", true);
      return this.call("tryRemoveTrivialPhi", phi.variable, phi.block, phi, () => {
        let same = null;
        this.at(1);
        for (const operand of phi.operands.map((it) => now(it))) {
          this.at(3);
          if (operand === same || operand === phi) continue;
          this.at(4);
          if (same !== null) return phi;
          this.at(5);
          same = operand;
        }
        this.at(6);
        same ??= this.undef;
        this.at(7);
        const users = [...phi.users.keys()].filter((use) => use !== phi);
        this.at(8, { kind: "trivial", block: phi.block });
        this.set(phi, "by", same);
        this.set(phi, "replacedAt", this.moment);
        for (const use of same.users ? users : []) this.set(same.users, use, true);
        for (const use of users) {
          this.at(10);
          // one that lacks operands is examined when it has them
          if (use.isWhole && use.by === undefined) this.removeTrivial(use);
        }
        this.at(11);
        return now(same);
      });
    }

    seal(id) {
      const block = this.block(id);
      this.call("sealBlock", undefined, id, null, () => {
        for (const [variable, phi] of block.incomplete) {
          this.at(2);
          this.addOperands(variable, phi);
        }
        this.at(3);
        this.set(block, "sealed", true);
      });
    }

    // Does what the frontend did at an event; what construction did of itself is done again here.
    follow(e, t) {
      if (e.event === "block" && e.sealed) this.set(this.block(e.block), "sealed", true);
      if (e.event === "write") this.write(e.var, e.block, this.leaf(e.value));
      if (e.event === "kill") this.write(e.var, e.block, this.undef);
      if (e.event === "sealed") this.seal(e.block);
      if (e.event === "filled") {
        const { reached } = latest(this.m.block(e.block).targets, t);
        for (const to of reached) this.add(this.block(to).preds, e.block);
      }
      if (e.event === "lookup") this.set(this, "asked", { e, value: this.read(e.var, e.block) });
      if (e.event === "read") {
        const { asked } = this;
        const isAsked = asked && asked.e.var === e.var && asked.e.block === e.block;
        const value = isAsked ? asked.value : this.read(e.var, e.block);
        this.set(this, "asked", null);
        // what the frontend does with phial's phi, it does with this value
        if (this.m.value(e.value).op === "phi") this.set(this.leaves, e.value, now(value));
      }
    }

    // Goes to time t, without notes: by the journal, as far as that leads.
    run(t) {
      const { journal, starts, m } = this;
      for (let i = this.trial.length; i-- > 0; ) put(this.trial[i], this.trial[i].old);
      this.changes = this.trial = [];
      this.done = Math.min(t, starts.length - 1);
      const { here, moment } = starts[this.done];
      while (this.here > here) put(journal[--this.here], journal[this.here].old);
      while (this.here < here) put(journal[this.here], journal[this.here++].value);
      this.moment = moment;
      while (this.done < t) {
        this.follow(m.events[this.done], this.done + 1);
        this.done++;
        starts.push(this.place);
      }
    }

    // Does the next event, and returns its lines and changes; the next run takes it back. The
    // event of most lines is kept: there are large ones, to which one returns.
    look() {
      const { done, longest } = this;
      if (longest.done === done) {
        for (const it of longest.trial) put(it, it.value);
        return Object.assign(this, { trial: longest.trial, changes: longest.changes }).longest;
      }
      const first = this.moment;
      Object.assign(this, { isTrial: true, trial: [], lines: [], changes: [] });
      this.follow(this.m.events[done], done + 1);
      const { lines, changes, trial } = this;
      Object.assign(this, { isTrial: false, lines: null });
      const it = { done, lines, changes, trial, count: this.moment - first };
      if (lines.length > longest.lines.length) this.longest = it;
      return it;
    }

    // The phis that are left: {block, variable, operands}.
    get left() {
      return this.phis.filter((phi) => phi.by === undefined);
    }
  }

  // }== What a step shows

  // Events that belong to the call before them.
  const INNER = new Set([
    ...["phi", "operand", "trivial", "climb", "marked", "mark_found", "unmarked"],
    ...["reexamined", "defined", "rule", "folded", "swapped", "merged"],
  ]);
  const CALLS = new Set(["lookup", "sealed"]);

  class Paper {
    constructor(m) {
      this.m = m;
      this.isMarker = m.fn.construction === "marker" || m.fn.construction === "scc";
      this.procedures = procedures(this.isMarker);
      this.ids = new Map();
      for (const v of m.values.values())
        if (v.op === "phi" && v.var !== undefined) this.ids.set(`${v.block} ${v.var}`, v.id);
      const end = m.events.findIndex((e) => e.event === "reopened" || e.event === "edited");
      this.end = end < 0 ? m.events.length : end;
      this.state = null;
      this.call = -1;
    }

    // The times of the event that began the call around time t, and of the call's last one.
    callAt(t) {
      const { events } = this.m;
      const kind = (at) => (at > 0 && at <= events.length ? events[at - 1].event : "");
      let from = t;
      if (kind(from) === "read" && INNER.has(kind(from - 1))) from--;
      while (INNER.has(kind(from))) from--;
      if (kind(from) !== "lookup" && kind(t) === "read" && kind(t - 1) === "lookup") from = t - 1;
      if (from !== t && !CALLS.has(kind(from))) from = t;
      let to = t;
      while (INNER.has(kind(to + 1))) to++;
      if (kind(from) === "lookup" && kind(to + 1) === "read") to++;
      return { from, to };
    }

    // Shows time t: runs up to its call, notes the lines of that, and goes to the one that t
    // is about.
    go(t) {
      const { events } = this.m;
      const time = Math.min(t, this.end);
      const { from, to } = this.callAt(time);
      if (this.call !== from || !this.state) {
        this.state ??= new State(this.m, this.isMarker);
        this.state.run(Math.max(from - 1, 0));
        const looked = from > 0 ? this.state.look() : { lines: [], lineOf: [], count: 0 };
        this.call = from;
        this.to = to;
        this.lines = looked.lines;
        this.count = looked.count;
        this.lineOf = looked.lineOf ??= this.match(events.slice(from - 1, to));
      }
      this.line = this.lines.length === 0 ? -1 : (this.lineOf[time - from] ?? 0);
    }

    // What an event of a call is about, and what a line is: the same text.
    topicOf(e) {
      const variable = e.var ?? (e.value && this.m.value(e.value).var);
      const kind = { climb: "readVariable", lookup: "readVariableRecursive", sealed: "sealBlock" };
      const block = e.event === "climb" ? e.to : e.block;
      const from = e.event === "operand" ? e.from : "";
      return `${kind[e.event] || e.event} ${block} ${variable} ${from}`;
    }

    topicOfLine({ kind, block, from, frame }) {
      return `${kind} ${block} ${frame.variable} ${from ?? ""}`;
    }

    // For each event of the call, the line that it is about, as far as one is, else that of the
    // event before: phial looks up the operands of a phi before it adds them, so steps may lead
    // to earlier lines. What is done several times is counted.
    match(list) {
      const linesOf = new Map();
      for (const e of list) linesOf.set(this.topicOf(e), []);
      this.lines.forEach((it, i) => it.kind && linesOf.get(this.topicOfLine(it))?.push(i));
      const counts = new Map();
      let last = 0;
      return list.map((e) => {
        if (e.event === "read" || e.event === "write") return (last = this.lines.length - 1);
        const topic = this.topicOf(e);
        const count = counts.get(topic) || 0;
        counts.set(topic, count + 1);
        return (last = (linesOf.get(topic) || [])[count] ?? last);
      });
    }

    get current() {
      return this.lines[this.line];
    }

    // The calls that run, the outermost first: {name, variable, block, phi, line}.
    get stack() {
      const out = [];
      let line = this.current ? this.current.line : 0;
      for (let f = this.current && this.current.frame; f; f = f.parent) {
        out.push({ ...f, line });
        line = f.from;
      }
      return out.reverse();
    }

    // The edges along which the look-up has come, as "from to".
    get path() {
      const asks = new Set(["readVariable", "addPhiOperands"]);
      const blocks = this.stack.filter((f) => asks.has(f.name)).map((f) => f.block);
      return new Set(blocks.slice(1).map((b, i) => `${b} ${blocks[i]}`));
    }

    // The variables that currentDef knows.
    get variables() {
      const { defs } = this.state;
      return [...defs.keys()].filter((variable) => defs.get(variable).size > 0);
    }

    // currentDef of a variable at the current line: block -> value.
    defsOf(variable) {
      const moment = this.current ? this.current.moment : Infinity;
      const { defs, changes } = this.state;
      const known = new Map(defs.get(variable));
      const later = changes.filter((it) => it.variable === variable && it.moment > moment);
      for (const { block, old } of later.reverse()) put({ at: known, key: block }, old);
      for (const [block, value] of known) known.set(block, now(value, moment));
      return known;
    }

    // phial's number of a phi, if it has made it by time t.
    idOf(phi, t) {
      const id = this.ids.get(`${phi.block} ${phi.variable}`);
      return id !== undefined && this.m.value(id).born <= t ? id : undefined;
    }

    // The blocks that the call asks, and phial does not: known if there are details.
    get passed() {
      const events = this.m.events.slice(Math.max(0, this.call - 1), this.to);
      if (!events.some((e) => e.event === "climb")) return [];
      const asked = new Set(this.lines.map((it) => it.frame.block));
      for (const e of events) for (const b of [e.block, e.from, e.to]) asked.delete(b);
      return [...asked];
    }
  }

  // True if a function's events are those of the algorithm, and all of them are there.
  const isFor = (m) =>
    m.watched && m.isOnTheFly && !m.events.some((e) => e.quiet);

  // }==

  return { Paper, State, isFor, now };
})();
