// replay: follows the events of a construction, and keeps the history of each fact that they
// change: what is in a block, the operands of a phi, the definition of a variable.
//
// A history is a list of entries {t, ...}, sorted by time; what holds at any time is found by
// binary search. Time t is after the first t events.
const replay = (() => {
  const NEVER = Infinity;

  // {== Histories

  // The number of entries of a history up to time t: entries are {t, ...}, sorted.
  function upTo(history, t) {
    let low = 0;
    let high = history.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (history[mid].t <= t) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  // The latest entry of a history at time t, or undefined.
  const latest = (history, t) => history[upTo(history, t) - 1];

  // What a map has under a key; made if it has nothing.
  function entryIn(map, key, make) {
    let entry = map.get(key);
    if (!entry) map.set(key, (entry = make(key)));
    return entry;
  }

  const listIn = (map, key) => entryIn(map, key, () => []);

  // }== Things

  function newValue(id, row) {
    return {
      id,
      born: NEVER,
      gone: NEVER,
      by: 0,
      byTime: NEVER,
      block: 0,
      why: null,
      text: row.text === undefined ? "%" + id : row.text,
      type: row.type,
      op: row.op,
      data: row.data,
      var: row.var,
      loc: row.loc,
      lists: [],
      operands: [],
      replaced: [],
    };
  }

  function newBlock(id, name) {
    return {
      id,
      name,
      born: NEVER,
      dropped: NEVER,
      sealed: NEVER,
      filled: NEVER,
      rows: [],
      made: [],
      targets: [],
      marks: [],
      edges: 0,
      idom: undefined,
      loop: undefined,
    };
  }

  // }== Following

  function bear(m, id, block, t) {
    const v = m.value(id);
    if (v.born !== NEVER) return v;
    v.born = t;
    v.block = block;
    m.block(block).made.push(id);
    return v;
  }

  function replace(m, e, t) {
    const v = m.value(e.value);
    v.gone = v.byTime = t;
    v.by = e.by;
    v.why = e.event;
    m.value(e.by).replaced.push(e.value);
  }

  // The variables for which look-ups have marked a block at time t.
  function marksAt(marks, t) {
    const now = latest(marks, t);
    return now ? now.list : [];
  }

  function unmark(m, e, t) {
    const { marks } = m.block(e.block);
    const before = marksAt(marks, t);
    if (before.includes(e.var)) marks.push({ t, list: before.filter((v) => v !== e.var) });
  }

  const follow = {
    block(m, e, t) {
      const b = m.block(e.block);
      b.born = t;
      if (e.sealed) b.sealed = t;
    },
    write(m, e, t) {
      define(m, e, t, "write");
      Object.assign(bear(m, -t, e.block, t), { op: "write", var: e.var, written: e.value });
    },
    kill: (m, e, t) => define(m, e, t, "kill"),
    read(m, e, t) {
      define(m, e, t, "read");
      m.asked.read = 0;
    },
    emit: (m, e, t) => bear(m, e.value, e.block, t).lists.push({ t, args: e.args || [] }),
    phi(m, e, t) {
      const v = bear(m, e.value, e.block, t);
      const { waiting } = m.asked;
      v.op = "phi";
      if (e.var === undefined) return;
      unmark(m, e, t);
      v.incomplete = m.isOnTheFly && m.block(e.block).sealed > t;
      v.asked = { read: m.asked.read, sealed: m.asked.sealed, by: waiting[waiting.length - 1] };
      (v.incomplete ? listIn(m.incomplete, e.block) : waiting).push(e.value);
      define(m, e, t, "phi");
    },
    marked(m, e, t) {
      define(m, e, t, "marked");
      const marks = m.block(e.block).marks;
      marks.push({ t, list: [...marksAt(marks, t), e.var] });
    },
    unmarked(m, e, t) {
      define(m, e, t, "found");
      unmark(m, e, t);
    },
    operand(m, e, t) {
      const { waiting } = m.asked;
      if (waiting[waiting.length - 1] === e.value) waiting.pop();
      m.value(e.value).operands.push({ t, index: e.index, from: e.from, value: e.operand });
    },
    trivial: replace,
    redundant: replace,
    simplified: replace,
    filled(m, e, t) {
      follow.emit(m, e, t);
      const b = m.block(e.block);
      const list = e.targets || [];
      const isDead = e.block !== 1 && b.sealed <= t && b.edges === 0;
      b.filled = t;
      // such a block leads nowhere: `reached` are the targets that get an edge
      b.targets.push({ t, list, reached: isDead ? [] : list });
      if (!isDead) for (const to of list) m.block(to).edges++;
    },
    lookup(m, e, t) {
      m.asked = { read: t, sealed: 0, waiting: [] };
    },
    sealed(m, e, t) {
      m.block(e.block).sealed = t;
      m.asked = {
        read: 0,
        sealed: t,
        waiting: (m.incomplete.get(e.block) || []).slice().reverse(),
      };
    },
    dropped: (m, e, t) => drop(m, m.block(e.block), t),
    finished(m, e, t) {
      if (t === m.lastFinish) settle(m, m.final, t);
    },
    reopened(m, e, t) {
      if (e.state) settle(m, e.state, t - 1);
      m.forgotten.push({ t });
    },
    edited(m, e, t) {
      if (t === m.firstEdit) settle(m, m.final, t);
    },
  };

  // }== Changes

  // What a block, once it is dropped, contains.
  function drop(m, b, t) {
    b.dropped = Math.min(b.dropped, t);
    if (latest(b.targets, t)) b.targets.push({ t, list: [], reached: [] });
    for (const id of b.made) m.value(id).gone = Math.min(m.value(id).gone, t);
  }

  function define(m, e, t, how) {
    if (e.var === undefined) return;
    const of = entryIn(m.definitions, e.var, () => new Map());
    listIn(of, e.block).push({ t, value: e.value, how });
  }

  // }== What finish has done

  const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

  // Makes the function what it is known to be at time t: what finish simplifies and removes
  // has no events of its own.
  function settle(m, state, t) {
    const alive = new Set();
    const blocks = new Set();
    const sources = new Map(state.map((row) => [row.id, new Set(row.preds)]));
    for (const row of state) {
      const b = m.block(row.id);
      const ids = [...row.phis, ...row.insts];
      blocks.add(row.id);
      b.born = Math.min(b.born, t);
      b.order = ids;
      settleTargets(b, row.succs, sources, t);
      ids.forEach((id, i) => {
        const v = bear(m, id, row.id, t);
        alive.add(id);
        if (v.gone <= t && v.by === 0) v.gone = NEVER;
        if (i < row.phis.length) settleOperands(m, v, row, row.args[i], t);
        else settleArgs(m, v, row.args[i], t);
      });
    }
    for (const v of m.values.values()) {
      const isIn = v.block > 0 && v.op !== "write";
      if (v.born <= t && v.gone > t && isIn && !alive.has(v.id)) v.gone = t;
    }
    for (const b of m.blocks.values()) if (b.born <= t && !blocks.has(b.id)) drop(m, b, t);
  }

  // An unreachable block leads only to what it is a predecessor of.
  function settleTargets(b, list, sources, t) {
    const now = latest(b.targets, t) || { list: [], reached: [] };
    const some = list.filter((to) => sources.get(to).has(b.id));
    const reached = some.length === list.length ? list : some;
    if (!same(now.list, list) || !same(now.reached, reached)) b.targets.push({ t, list, reached });
  }

  function settleArgs(m, v, args, t) {
    const now = latest(v.lists, t)?.args.map((a) => m.resolve(a, t));
    if (!now || !same(now, args)) v.lists.push({ t, args });
  }

  function settleOperands(m, v, row, args, t) {
    const now = m.operandsAt(v, t);
    const list = args.map((value, i) => ({ from: row.preds[i], value }));
    const equal =
      now.length === list.length &&
      list.every((o, i) => now[i] && now[i].value === o.value && now[i].from === o.from);
    if (!equal) v.operands.push({ t, list });
  }

  // The blocks of the document as those in an event `reopened`.
  function finalState(fn) {
    const args = new Map(fn.values.map((v) => [v.id, v.args || []]));
    return fn.blocks.map((b) => ({
      id: b.id,
      preds: b.preds,
      succs: b.succs,
      phis: b.phis,
      insts: b.insts,
      args: [...b.phis, ...b.insts].map((id) => args.get(id) || []),
    }));
  }

  // }== All events

  // Calls that begin something new, after which a phi belongs to no look-up before it.
  const BEGINS = new Set(["block", "var", "emit", "write", "filled"]);

  function run(m) {
    m.events.forEach((e, i) => {
      const t = i + 1;
      if (BEGINS.has(e.event)) m.asked = { read: 0, sealed: 0, waiting: [] };
      if (follow[e.event]) follow[e.event](m, e, t);
    });
  }

  // }==

  return { upTo, latest, marksAt, entryIn, listIn, newValue, newBlock, finalState, settle, run };
})();
