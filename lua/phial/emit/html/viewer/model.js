// model: a function at each moment of its construction. What it is at time t is looked up in
// the histories that replay.js has made; nothing is replayed to go to a step.
const model = (() => {
  const { latest, upTo, entryIn, listIn } = replay;

  // The rows of a block: the phis that were ever in it, then the instructions, and what is written
  // between. Those that went are after the one that was made before them, and above the terminator.
  function rowsOf(m, b) {
    const order = b.order || [];
    const stays = new Set(order);
    const isPhi = (id) => m.value(id).op === "phi";
    const merged = (kind, end) => {
      const after = new Map([[0, []]]);
      let last = 0;
      for (const id of b.made.filter(kind)) {
        if (!stays.has(id)) listIn(after, last).push(id);
        else if (id !== end) last = id;
      }
      return after
        .get(0)
        .concat(order.filter(kind).flatMap((id) => [id, ...(after.get(id) || [])]));
    };
    return merged(isPhi).concat(merged((id) => !isPhi(id), order[order.length - 1]));
  }

  // The first block that the events make: those before it were there when they began, as the
  // blocks that a line F counts are.
  function firstMade(events) {
    let made = Infinity;
    let named = 0;
    for (const e of events) {
      if (e.event === "block") made = Math.min(made, e.block);
      else if (e.event !== "finished" && e.event !== "edited")
        named = Math.max(named, e.block || 0, ...(e.targets || []));
    }
    return made === Infinity ? named + 1 : made;
  }

  // By id, the names of blocks. A trace numbers those that it does not name from 0.
  function namesOf(fn) {
    const given = new Set();
    for (const { text } of fn.trace || []) given.add((/^\s*B\s+"?([^"\s]+)/.exec(text) || [])[1]);
    const nameOf = ({ id, name }) =>
      fn.trace && name === `b${id}` && !given.has(name) ? `b${id - 1}` : name;
    return new Map([...fn.blocks, ...fn.dropped].map((row) => [row.id, nameOf(row)]));
  }

  class Model {
    // fn: a function of the document (docs/json.md)
    constructor(fn) {
      this.fn = fn;
      this.events = fn.events || [];
      this.watched = fn.events !== undefined;
      // the paper's algorithm or a variant constructs the function, block by block
      this.isOnTheFly = ["marker", "simple", "scc", "operand"].includes(fn.construction);
      this.values = new Map(fn.values.map((row) => [row.id, replay.newValue(row.id, row)]));
      this.blocks = new Map();
      this.vars = new Map(fn.vars.map((v) => [v.id, v]));
      const names = namesOf(fn);
      for (const { id, idom, loop } of [...fn.blocks, ...fn.dropped])
        this.blocks.set(id, Object.assign(replay.newBlock(id, names.get(id)), { idom, loop }));
      // a read of a classical algorithm gives what stands for the variable until it is renamed
      for (const v of this.values.values())
        if (v.op === "undef" && v.var !== undefined) v.text = this.vars.get(v.var).name;
      this.final = replay.finalState(fn);
      this.definitions = new Map();
      this.incomplete = new Map();
      this.forgotten = [];
      this.asked = { read: 0, sealed: 0, waiting: [] };
      this.start();
      replay.run(this);
      this.stop();
    }

    // Before the first event: the entry, the arguments.
    start() {
      const entry = this.block(1);
      const { events } = this;
      const first = firstMade(events);
      for (const b of this.blocks.values()) if (b.id < first) b.born = 0;
      entry.born = entry.sealed = 0;
      for (const p of this.fn.params) {
        const v = this.value(p.value);
        v.born = 0;
        v.var = p.var;
        this.definitions.set(p.var, new Map([[1, [{ t: 0, value: p.value, how: "argument" }]]]));
      }
      // when dominators, frontiers and loops are known
      const ends = this.isOnTheFly ? [] : ["frontier", "queued", "phi", "entered"];
      const known = events.findIndex((e) => e.event === "finished" || ends.includes(e.event));
      this.knownAt = known < 0 ? events.length : known + 1;
      this.lastFinish = 1 + events.map((e) => e.event).lastIndexOf("finished");
      const edits = (e, i) => e.event === "edited" && i >= this.lastFinish;
      this.firstEdit = 1 + events.findIndex(edits);
      if (this.firstEdit > 0) this.lastFinish = 0;
    }

    stop() {
      if (!this.watched) replay.settle(this, this.final, 0);
      else if (this.firstEdit === 0 && this.lastFinish === 0)
        replay.settle(this, this.final, this.events.length);
      if (!this.watched) {
        for (const b of this.fn.blocks) {
          if (b.sealed) this.block(b.id).sealed = 0;
          if (b.filled) this.block(b.id).filled = 0;
        }
      }
      for (const b of this.blocks.values()) {
        b.all = rowsOf(this, b);
        b.phis = b.all.map((id) => this.value(id)).filter((v) => v.op === "phi");
      }
      this.steps = [];
      this.events.forEach((e, i) => {
        if (!e.quiet) this.steps.push(i + 1);
      });
      this.showWrites(false);
      this.edges = this.allEdges();
      this.reached = this.allReached();
    }

    // Whether what is written are rows, too.
    showWrites(isShown) {
      for (const b of this.blocks.values()) b.rows = isShown ? b.all : b.all.filter((id) => id > 0);
    }

    // The blocks to which the edges that were ever there lead.
    allReached() {
      const reached = new Set([1]);
      for (const id of reached)
        for (const { reached: list } of this.block(id).targets)
          for (const to of list) reached.add(to);
      return reached;
    }

    value(id) {
      return entryIn(this.values, id, () => replay.newValue(id, {}));
    }

    block(id) {
      return entryIn(this.blocks, id, () => replay.newBlock(id, "b" + id));
    }

    // The time after step k: quiet events after the last step belong to it.
    time(k) {
      return k >= this.steps.length ? this.events.length : k > 0 ? this.steps[k - 1] : 0;
    }

    // The step at or after time t.
    stepAt(t) {
      let low = 0;
      let high = this.steps.length;
      while (low < high) {
        const mid = (low + high) >> 1;
        if (this.steps[mid] < t) low = mid + 1;
        else high = mid;
      }
      return Math.min(low + 1, this.steps.length);
    }

    // The value that stands for a value at time t.
    resolve(id, t) {
      for (let v = this.value(id); v.byTime <= t; v = this.value(id)) id = v.by;
      return id;
    }

    isThere(v, t) {
      return v.born <= t && v.gone > t;
    }
    isBlockThere(b, t) {
      return b.born <= t && b.dropped > t;
    }
    targets(b, t) {
      return (latest(b.targets, t) || { list: [] }).list;
    }

    // The operands of an instruction at time t.
    args(v, t) {
      if (v.op === "phi")
        return this.operandsAt(v, t)
          .filter(Boolean)
          .map((o) => o.value);
      const now = latest(v.lists, t);
      return now ? now.args.map((a) => this.resolve(a, t)) : [];
    }

    // The operands of a phi: [{from, value}]; some may be missing still.
    operandsAt(v, t) {
      const n = upTo(v.operands, t);
      let first = n;
      let list = [];
      while (first > 0 && !v.operands[first - 1].list) first--;
      if (first > 0) list = v.operands[first - 1].list.slice();
      for (let i = first; i < n; i++) {
        const o = v.operands[i];
        list[o.index - 1] = { from: o.from, value: o.value };
      }
      return list.map((o) => ({ from: o.from, value: this.resolve(o.value, t) }));
    }

    // What a variable is in a block at time t (the paper's currentDef): {value, how, t}, without
    // a value where a look-up has left a mark; undefined where the variable has ended. When a
    // function is reopened, all definitions are forgotten.
    definition(variable, block, t) {
      const of = this.definitions.get(variable);
      const entry = of && of.get(block) && latest(of.get(block), t);
      const since = latest(this.forgotten, t);
      if (!entry || entry.how === "kill" || (since && since.t >= entry.t)) return undefined;
      const value = entry.value && this.resolve(entry.value, t);
      return { value, how: entry.how, t: entry.t };
    }

    preds(b, t) {
      const out = [];
      for (const e of b.in) if (this.isEdgeThere(e, t)) out.push(e.from);
      return out;
    }

    // The terminator of a block that nothing can reach any more adds no edges.
    isEdgeThere(edge, t) {
      const now = latest(this.block(edge.from).targets, t);
      if (now === undefined || now.list[edge.index] !== edge.to) return false;
      return now.reached === now.list || now.reached.includes(edge.to);
    }

    // All edges that were ever there: {from, to, index}, index among the targets.
    allEdges() {
      const seen = new Set();
      const out = [];
      for (const b of this.blocks.values()) b.in = [];
      for (const b of this.blocks.values()) {
        for (const { list } of b.targets) {
          list.forEach((to, index) => {
            const key = `${b.id} ${to} ${index}`;
            if (seen.has(key)) return;
            seen.add(key);
            out.push({ from: b.id, to, index });
            this.block(to).in.push(out[out.length - 1]);
          });
        }
      }
      return out;
    }

    // The times of the events that mention a value or a block.
    mentions(kind, id) {
      const times = [];
      const isIt =
        kind === "value"
          ? (e) =>
              e.value === id || e.operand === id || e.by === id || (e.args && e.args.includes(id))
          : (e) => e.block === id || e.from === id;
      this.events.forEach((e, i) => {
        if (isIt(e)) times.push(i + 1);
      });
      return times;
    }

    // By value, the values that ever used it; made when first asked for.
    get users() {
      return (this.knownUsers ??= this.allUsers());
    }

    allUsers() {
      const users = new Map();
      const add = (id, user) => {
        const list = listIn(users, id);
        if (list[list.length - 1] !== user) list.push(user);
      };
      for (const v of this.values.values()) {
        for (const { args } of v.lists) for (const a of args) add(a, v.id);
        for (const o of v.operands) {
          if (o.list) for (const p of o.list) add(p.value, v.id);
          else add(o.value, v.id);
        }
      }
      return users;
    }

    // The instructions and phis that use a value at time t.
    usersAt(id, t) {
      const found = new Set();
      const seen = new Set([id]);
      const work = [id];
      while (work.length > 0) {
        const it = work.pop();
        for (const user of this.users.get(it) || []) {
          const v = this.value(user);
          if (this.isThere(v, t) && this.args(v, t).includes(id)) found.add(user);
        }
        for (const old of this.value(it).replaced) {
          if (!seen.has(old) && this.value(old).byTime <= t) {
            seen.add(old);
            work.push(old);
          }
        }
      }
      return [...found].sort((a, b) => a - b);
    }

    // The phis that a value is connected with: phis that use it, and what these and their
    // operands lead to, through phis only.
    webOf(id, t) {
      const isPhi = (v) => this.value(v).op === "phi" && this.isThere(this.value(v), t);
      const web = new Set();
      const work = isPhi(id) ? [id] : this.usersAt(id, t).filter(isPhi);
      while (work.length > 0) {
        const v = work.pop();
        if (web.has(v)) continue;
        web.add(v);
        for (const u of this.usersAt(v, t).concat(this.args(this.value(v), t)))
          if (isPhi(u)) work.push(u);
      }
      return [...web].sort((a, b) => a - b);
    }

    // What the rows of a block are at time t: an instruction has no text before it is made.
    rowState(v, t) {
      if (v.born > t) return "unborn";
      return v.gone <= t ? "gone" : "there";
    }
  }

  // }==

  return { of: (fn) => new Model(fn) };
})();
