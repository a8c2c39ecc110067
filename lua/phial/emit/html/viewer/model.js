// model: a function at each moment of its construction.
//
// Events are changes. Each fact that they change (what is in a block, the operands of a
// phi, the definition of a variable) keeps the list of its changes, by time; the state at
// any time is found by binary search, without replaying. Time t is after the first t events.
const model = (() => {
  const NEVER = Infinity;

  // {== Histories

  // The number of entries of a history up to time t: entries are {t, ...}, sorted.
  function upTo(history, t) {
    let low = 0, high = history.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (history[mid].t <= t) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  // The latest entry of a history at time t, or undefined.
  const latest = (history, t) => history[upTo(history, t) - 1];

  function listIn(map, key) {
    let list = map.get(key);
    if (!list) map.set(key, (list = []));
    return list;
  }

  // }== Things

  function newValue(id, row) {
    return {
      id, born: NEVER, gone: NEVER, by: 0, byTime: NEVER, block: 0, why: null,
      text: row.text === undefined ? "%" + id : row.text, type: row.type, op: row.op,
      data: row.data, var: row.var, loc: row.loc,
      lists: [], operands: [], replaced: [],
    };
  }

  function newBlock(id, name) {
    return {
      id, name, born: NEVER, dropped: NEVER, sealed: NEVER, filled: NEVER, rows: [],
      made: [], targets: [], edges: 0, idom: undefined, loop: undefined,
    };
  }

  // {== Building
  //
  // Each event is followed once, in order, at the time behind it.

  function finalState(fn) {
    const args = new Map(fn.values.map((v) => [v.id, v.args || []]));
    return fn.blocks.map((b) => ({
      id: b.id, preds: b.preds, succs: b.succs, phis: b.phis, insts: b.insts,
      args: [...b.phis, ...b.insts].map((id) => args.get(id) || []),
    }));
  }

  function bear(m, id, block, t) {
    const v = m.value(id);
    if (v.born !== NEVER) return v;
    v.born = t;
    v.block = block;
    m.block(block).made.push(id);
    return v;
  }

  function replace(m, e, t, cause) {
    const v = m.value(e.value);
    v.gone = v.byTime = t;
    v.by = e.by;
    v.why = cause;
    m.value(e.by).replaced.push(e.value);
  }

  const follow = {
    block(m, e, t) {
      const b = m.block(e.block);
      b.born = t;
      if (e.sealed) b.sealed = t;
    },
    write(m, e, t) { define(m, e, t, "write"); },
    read(m, e, t) {
      define(m, e, t, "read");
      m.asked.read = 0;
    },
    emit(m, e, t) { bear(m, e.value, e.block, t).lists.push({ t, args: e.args || [] }); },
    phi(m, e, t) {
      const v = bear(m, e.value, e.block, t), { waiting } = m.asked;
      v.op = "phi";
      if (e.var === undefined) return;
      v.incomplete = m.block(e.block).sealed > t;
      v.asked = { read: m.asked.read, sealed: m.asked.sealed, by: waiting[waiting.length - 1] };
      (v.incomplete ? listIn(m.incomplete, e.block) : waiting).push(e.value);
      define(m, e, t, "phi");
    },
    operand(m, e, t) {
      const { waiting } = m.asked;
      if (waiting[waiting.length - 1] === e.value) waiting.pop();
      m.value(e.value).operands.push({ t, index: e.index, from: e.from, value: e.operand });
    },
    trivial(m, e, t) { replace(m, e, t, "trivial"); },
    redundant(m, e, t) { replace(m, e, t, "redundant"); },
    simplified(m, e, t) { replace(m, e, t, "simplified"); },
    filled(m, e, t) {
      bear(m, e.value, e.block, t).lists.push({ t, args: e.args || [] });
      const b = m.block(e.block), list = e.targets || [];
      const isDead = e.block !== 1 && b.sealed <= t && b.edges === 0;
      b.filled = t;
      b.targets.push({ t, list, isDead });
      if (!isDead) for (const to of list) m.block(to).edges++;
    },
    lookup(m, e, t) { m.asked = { read: t, sealed: 0, waiting: [] }; },
    sealed(m, e, t) {
      m.block(e.block).sealed = t;
      m.asked = { read: 0, sealed: t, waiting: (m.incomplete.get(e.block) || []).slice().reverse() };
    },
    dropped(m, e, t) { drop(m, m.block(e.block), t); },
    finished(m, e, t) { if (t === m.lastFinish) settle(m, m.final, t); },
    reopened(m, e, t) {
      if (e.state) settle(m, e.state, t - 1);
    },
    edited(m, e, t) { if (t === m.firstEdit) settle(m, m.final, t); },
  };

  // What a block, once it is dropped, contains.
  function drop(m, b, t) {
    b.dropped = Math.min(b.dropped, t);
    if (latest(b.targets, t)) b.targets.push({ t, list: [] });
    for (const id of b.made) m.value(id).gone = Math.min(m.value(id).gone, t);
  }

  function define(m, e, t, how) {
    if (e.var === undefined) return;
    let of = m.definitions.get(e.var);
    if (!of) m.definitions.set(e.var, (of = new Map()));
    listIn(of, e.block).push({ t, value: e.value, how });
  }

  const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

  // Makes the function what it is known to be at time t: what finish simplifies and removes
  // has no events of its own.
  function settle(m, state, t) {
    const alive = new Set(), blocks = new Set();
    for (const row of state) {
      const b = m.block(row.id), ids = [...row.phis, ...row.insts];
      blocks.add(row.id);
      b.born = Math.min(b.born, t);
      b.order = ids;
      if (!same((latest(b.targets, t) || { list: [] }).list, row.succs)) b.targets.push({ t, list: row.succs });
      ids.forEach((id, i) => {
        const v = bear(m, id, row.id, t);
        alive.add(id);
        if (v.gone <= t && v.by === 0) v.gone = NEVER;
        if (i < row.phis.length) settleOperands(m, v, row, row.args[i], t);
        else settleArgs(m, v, row.args[i], t);
      });
    }
    for (const v of m.values.values()) {
      if (v.born <= t && v.gone > t && v.block > 0 && !alive.has(v.id)) v.gone = t;
    }
    for (const b of m.blocks.values()) if (b.born <= t && !blocks.has(b.id)) drop(m, b, t);
  }

  function settleArgs(m, v, args, t) {
    const now = latest(v.lists, t);
    if (!now || !same(now.args.map((a) => m.resolve(a, t)), args)) v.lists.push({ t, args });
  }

  function settleOperands(m, v, row, args, t) {
    const now = m.operandsAt(v, t), list = args.map((value, i) => ({ from: row.preds[i], value }));
    const equal = now.length === list.length
      && list.every((o, i) => now[i] && now[i].value === o.value && now[i].from === o.from);
    if (!equal) v.operands.push({ t, list });
  }

  // The rows of a block: the phis that were ever in it, then the instructions. Those that
  // went are behind the one that was made before them, and above the terminator.
  function rowsOf(m, b) {
    const order = b.order || [], stays = new Set(order), isPhi = (id) => m.value(id).op === "phi";
    const merged = (kind, end) => {
      const after = new Map([[0, []]]);
      let last = 0;
      for (const id of b.made.filter(kind)) {
        if (!stays.has(id)) listIn(after, last).push(id);
        else if (id !== end) last = id;
      }
      return after.get(0).concat(order.filter(kind).flatMap((id) => [id, ...(after.get(id) || [])]));
    };
    return merged(isPhi).concat(merged((id) => !isPhi(id), order[order.length - 1]));
  }

  // Calls that begin something new, after which a phi belongs to no look-up before it.
  const BEGINS = new Set(["block", "var", "emit", "write", "filled"]);

  function replay(m) {
    m.events.forEach((e, i) => {
      const t = i + 1;
      if (BEGINS.has(e.event)) m.asked = { read: 0, sealed: 0, waiting: [] };
      if (follow[e.event]) follow[e.event](m, e, t);
    });
  }

  // }== The model

  class Model {
    // fn: a function of the document (docs/json.md)
    constructor(fn) {
      this.fn = fn;
      this.events = fn.events || [];
      this.watched = fn.events !== undefined;
      this.values = new Map(fn.values.map((row) => [row.id, newValue(row.id, row)]));
      this.blocks = new Map();
      this.vars = new Map(fn.vars.map((v) => [v.id, v]));
      for (const row of fn.blocks) this.blocks.set(row.id, Object.assign(newBlock(row.id, row.name),
        { idom: row.idom, loop: row.loop }));
      for (const row of fn.dropped) this.blocks.set(row.id, newBlock(row.id, row.name));
      this.final = finalState(fn);
      this.definitions = new Map();
      this.incomplete = new Map();
      this.asked = { read: 0, sealed: 0, waiting: [] };
      this.start();
      replay(this);
      this.stop();
    }

    // Before the first event: the entry, the arguments.
    start() {
      const entry = this.block(1), { events } = this;
      entry.born = entry.sealed = 0;
      for (const p of this.fn.params) {
        const v = this.value(p.value);
        v.born = 0;
        v.var = p.var;
        this.definitions.set(p.var, new Map([[1, [{ t: 0, value: p.value, how: "argument" }]]]));
      }
      this.lastFinish = 1 + events.map((e) => e.event).lastIndexOf("finished");
      const edits = (e, i) => e.event === "edited" && i >= this.lastFinish;
      this.firstEdit = 1 + events.findIndex(edits);
      if (this.firstEdit > 0) this.lastFinish = 0;
    }

    stop() {
      if (!this.watched) settle(this, this.final, 0);
      else if (this.firstEdit === 0 && this.lastFinish === 0) settle(this, this.final, this.events.length);
      if (!this.watched) {
        for (const b of this.fn.blocks) {
          if (b.sealed) this.block(b.id).sealed = 0;
          if (b.filled) this.block(b.id).filled = 0;
        }
      }
      for (const b of this.blocks.values()) b.rows = rowsOf(this, b);
      this.steps = [];
      this.events.forEach((e, i) => { if (!e.quiet) this.steps.push(i + 1); });
      this.edges = this.allEdges();
    }

    value(id) {
      let v = this.values.get(id);
      if (!v) this.values.set(id, (v = newValue(id, {})));
      return v;
    }

    block(id) {
      let b = this.blocks.get(id);
      if (!b) this.blocks.set(id, (b = newBlock(id, "b" + id)));
      return b;
    }

    // The time after step k: quiet events behind the last step belong to it.
    time(k) { return k >= this.steps.length ? this.events.length : k > 0 ? this.steps[k - 1] : 0; }

    // The step at or after time t.
    stepAt(t) {
      let low = 0, high = this.steps.length;
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

    isThere(v, t) { return v.born <= t && v.gone > t; }
    isBlockThere(b, t) { return b.born <= t && b.dropped > t; }
    targets(b, t) { return (latest(b.targets, t) || { list: [] }).list; }

    // The operands of an instruction at time t.
    args(v, t) {
      if (v.op === "phi") return this.operandsAt(v, t).filter(Boolean).map((o) => o.value);
      const now = latest(v.lists, t);
      return now ? now.args.map((a) => this.resolve(a, t)) : [];
    }

    // The operands of a phi: [{from, value}]; some may be missing still.
    operandsAt(v, t) {
      const n = upTo(v.operands, t);
      let first = n, list = [];
      while (first > 0 && !v.operands[first - 1].list) first--;
      if (first > 0) list = v.operands[first - 1].list.slice();
      for (let i = first; i < n; i++) {
        const o = v.operands[i];
        list[o.index - 1] = { from: o.from, value: o.value };
      }
      return list.map((o) => ({ from: o.from, value: this.resolve(o.value, t) }));
    }

    // What a variable is in a block at time t (the paper's currentDef): {value, how, t}.
    definition(variable, block, t) {
      const of = this.definitions.get(variable), entry = of && of.get(block) && latest(of.get(block), t);
      return entry && { value: this.resolve(entry.value, t), how: entry.how, t: entry.t };
    }

    preds(b, t) {
      const out = [];
      for (const e of b.in) if (this.isEdgeThere(e, t)) out.push(e.from);
      return out;
    }

    // The terminator of a block that nothing can reach any more adds no edges.
    isEdgeThere(edge, t) {
      const now = latest(this.block(edge.from).targets, t);
      return now !== undefined && !now.isDead && now.list[edge.index] === edge.to;
    }

    // All edges that were ever there: {from, to, index}, index among the targets.
    allEdges() {
      const seen = new Set(), out = [];
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
      const times = [], isIt = kind === "value"
        ? (e) => e.value === id || e.operand === id || e.by === id || e.args && e.args.includes(id)
        : (e) => e.block === id || e.from === id;
      this.events.forEach((e, i) => { if (isIt(e)) times.push(i + 1); });
      return times;
    }

    // By value, the values that ever used it; made when first asked for.
    get users() {
      return this.knownUsers ??= this.allUsers();
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
      const found = new Set(), seen = new Set([id]), work = [id];
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
      const web = new Set(), work = isPhi(id) ? [id] : this.usersAt(id, t).filter(isPhi);
      while (work.length > 0) {
        const v = work.pop();
        if (web.has(v)) continue;
        web.add(v);
        for (const u of this.usersAt(v, t).concat(this.args(this.value(v), t))) if (isPhi(u)) work.push(u);
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

  return { of: (fn) => new Model(fn), latest, upTo };
})();
