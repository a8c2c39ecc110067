// text: names, instructions and sentences, as lists of pieces: a string, or an object
// {value}, {block}, {variable} or {step} with its text, which can be chosen.
const text = (() => {
  const LONG = 28;
  // A row shows this many operands: others would make a block wider than the page.
  const MOST = 8;

  // A name that fits into a line. Characters that change the direction of text, and those
  // that are invisible, are shown as numbers.
  function shown(name, most = LONG) {
    const cut = name.length > most ? name.slice(0, most - 1) + "…" : name;
    return cut.replace(
      /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
      (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}",
    );
  }

  const value = (m, id) => ({ value: id, text: shown(m.value(id).text) });
  const block = (m, id) => ({ block: id, text: shown(m.block(id).name) });
  const variable = (m, id) => ({
    variable: id,
    text: shown((m.vars.get(id) || { name: "?" }).name),
  });

  // A loop, by its header; by all its entries, if it has several.
  function loop(m, number) {
    const { loops } = m.fn;
    const { header, reducible } = loops[number];
    if (reducible) return [block(m, header)];
    const isIn = (id) => {
      let l = m.block(id).loop;
      while (l !== undefined && l !== number) l = loops[l].parent;
      return l === number;
    };
    const entries = m.edges.filter((e) => isIn(e.to) && !isIn(e.from)).map((e) => e.to);
    return list([...new Set([header, ...entries])].sort((a, b) => a - b).map((b) => block(m, b)));
  }

  // "a", "a and b", "a, b and c".
  function list(items, word = "and") {
    return items.flatMap((it, i) => {
      const before = i === 0 ? [] : i === items.length - 1 ? [` ${word} `] : [", "];
      return before.concat(it);
    });
  }

  const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

  // What a variable is in a block: a value, or a mark.
  const definition = (m, now) => [now.value ? value(m, now.value) : "a mark"];

  // How far a block is at time t.
  function progress(b, t) {
    if (b.born > t) return "not made yet";
    if (b.dropped <= t) return "dropped";
    return `${b.sealed <= t ? "sealed" : "not sealed"}, ${b.filled <= t ? "filled" : "not filled"}`;
  }

  // What the head of a block says at time t: what it is not yet, for which variables it is marked.
  function flags(m, b, t) {
    const out = [];
    if (b.dropped <= t) return "dropped";
    if (b.born > t) return "";
    if (b.sealed > t) out.push("unsealed");
    if (b.filled > t) out.push("open");
    const marks = replay.marksAt(b.marks, t).map((v) => variable(m, v).text);
    if (marks.length > 0) out.push(`marked ${marks.join(", ")}`);
    return out.join(" · ");
  }

  // The largest number of characters of the head of a block.
  function headWidth(m, b) {
    const times = b.marks.map(({ t }) => flags(m, b, t).length);
    return shown(b.name).length + (m.watched ? Math.max(14, ...times) : 2);
  }

  const plain = (pieces) => pieces.map((p) => (typeof p === "string" ? p : p.text)).join("");

  // {== Instructions

  function commas(items) {
    return items.flatMap((it, i) => (i === 0 ? [it].flat() : [", ", it].flat()));
  }

  // The first ones, and how many more there are.
  const some = (list, most = Infinity) =>
    list.length <= most ? list : [...list.slice(0, most - 1), `… ${list.length - most + 1} more`];

  // An op and at most so many operands.
  function computation(m, op, args, data, most) {
    const out = [op || "?"];
    if (data !== undefined) out.push(` {${shown(data)}}`);
    const operands = args.map((a) => value(m, a));
    return args.length > 0 ? out.concat(" ", commas(some(operands, most))) : out;
  }

  // An instruction at time t, with at most so many operands.
  function instruction(m, v, t, most) {
    const out =
      v.type !== undefined ? [{ value: v.id, text: shown(v.text), own: true }, " = "] : [];
    if (v.op === "phi") {
      const operands = m
        .operandsAt(v, t)
        .filter(Boolean)
        .map((o) => [block(m, o.from), ": ", value(m, o.value)]);
      out.push("phi ");
      if (v.var !== undefined) out.push(variable(m, v.var), " ");
      return out.concat("[", commas(some(operands, most)), "]");
    }
    return out.concat(computation(m, v.op, m.args(v, t), v.data, most));
  }

  // A row of a block at time t.
  const row = (m, v, t) => instruction(m, v, t, MOST);

  // The largest number of characters that a row ever has.
  function width(m, v) {
    const longest = (id) => {
      let most = 0;
      for (let it = m.value(id); ; it = m.value(it.by)) {
        most = Math.max(most, shown(it.text).length);
        if (it.by === 0) return most;
      }
    };
    const among = (widths) => {
      const rest = widths.length > MOST ? 10 : 0;
      return widths.slice(0, MOST).reduce((a, b) => a + b, rest);
    };
    const head =
      (v.type !== undefined ? shown(v.text).length + 3 : 0) +
      (v.by > 0 ? longest(v.by) + 3 : 0) +
      (v.data !== undefined ? shown(v.data).length + 3 : 0);
    if (v.op !== "phi") {
      const lists = v.lists.map(({ args }) => among(args.map((a) => longest(a) + 2)));
      return head + (v.op || "?").length + Math.max(0, ...lists);
    }
    const by = [];
    const add = (i, o) => {
      by[i] = Math.max(by[i] || 0, shown(m.block(o.from).name).length + longest(o.value) + 4);
    };
    for (const o of v.operands) {
      if (o.list) o.list.forEach((p, i) => add(i, p));
      else add(o.index - 1, o);
    }
    const name = v.var === undefined ? 0 : variable(m, v.var).text.length + 1;
    return head + 6 + name + among(by);
  }

  // What is written at an edge: the condition or key.
  function edge(m, from, index, t) {
    const v = terminator(m, from, t);
    const n = m.targets(from, t).length;
    if (!v || n < 2) return "";
    if (v.op === "branch") return index === 0 ? "true" : "false";
    const key = v.op === "switch" && (index === 0 ? "default" : m.args(v, t)[index]);
    if (typeof key === "number") return shown(m.value(key).text, 12);
    return key || String(index + 1);
  }

  function terminator(m, b, t) {
    for (let i = b.rows.length - 1; i >= 0; i--) {
      const v = m.value(b.rows[i]);
      if (m.isThere(v, t) && v.op !== "phi") return v;
    }
  }

  // }== Sentences

  const isSealed = (m, id, t) => m.block(id).sealed <= t;

  // Operands of a phi other than itself, each once.
  function others(m, id, t) {
    const v = m.value(id);
    return [
      ...new Set(
        m
          .operandsAt(v, t)
          .filter(Boolean)
          .map((o) => o.value),
      ),
    ].filter((o) => o !== id);
  }

  // True if a climb has come to a mark.
  function endsAtMark(m, e, t) {
    const now = m.definition(e.var, e.to, t);
    return now !== undefined && now.value === undefined;
  }

  // True if a block enters the worklist because of what was before: it has a phi.
  const isForPhi = (before, e) => before.event === "placed" && before.var === e.var;

  // An instruction that is rewritten before it is made.
  const rewritten = (m, e, why) => [
    "In ",
    block(m, e.block),
    ", ",
    ...computation(m, e.op, e.args),
    " ⇒ ",
    ...(e.value ? [value(m, e.value)] : computation(m, e.new_op, e.new_args)),
    `: ${why}.`,
  ];

  // How a climb that has come to a block without a definition goes on.
  function further(m, e, t) {
    if (e.value || endsAtMark(m, e, t)) return ["."];
    if (!isSealed(m, e.to, t)) return [", and the block is not sealed: it needs a phi."];
    const preds = m.preds(m.block(e.to), t).length;
    if (preds === 0) return [", and nothing leads there."];
    return preds === 1 ? ["."] : [`, and ${preds} edges arrive.`];
  }

  // A location by its number, with the values that it holds.
  function location(m, index) {
    const it = m.events.find((e) => e.event === "location" && e.index === index);
    const values = it.args.flatMap((id, i) => [i > 0 ? ", " : "", value(m, id)]);
    return [`location ${index}`, ...(values.length > 0 ? [" (", ...values, ")"] : [])];
  }

  const say = {
    block: (m, e) => ["The block ", block(m, e.block), " is made."],
    var: (m, e) => {
      const type = (m.vars.get(e.var) || {}).type;
      return [
        "The variable ",
        variable(m, e.var),
        type ? ` of type ${type} is made.` : " is made.",
      ];
    },
    write: (m, e) => [
      "In ",
      block(m, e.block),
      ", ",
      variable(m, e.var),
      " is set to ",
      value(m, e.value),
      ".",
    ],
    kill: (m, e) => [
      "In ",
      block(m, e.block),
      ", ",
      variable(m, e.var),
      " ends: it has no definition until it is written again.",
    ],
    lookup: (m, e, t) => {
      const read = [
        block(m, e.block),
        " reads ",
        variable(m, e.var),
        ", which has no definition there",
      ];
      if (!isSealed(m, e.block, t)) return read.concat("; it is not sealed, so it needs a phi.");
      const preds = m.preds(m.block(e.block), t);
      if (preds.length === 0) return read.concat(", and nothing leads there.");
      return read.concat(
        ": the look-up goes on in ",
        list([...new Set(preds)].map((p) => block(m, p))),
        ".",
      );
    },
    read: (m, e) => [
      "The read of ",
      variable(m, e.var),
      " in ",
      block(m, e.block),
      " gives ",
      value(m, e.value),
      ".",
    ],
    climb: (m, e, t) => {
      const other = endsAtMark(m, e, t) ? " finds the mark" : " finds no definition";
      const there = e.value ? [" finds ", value(m, e.value)] : [other];
      const from = ["The look-up of ", variable(m, e.var), " in ", block(m, e.from)];
      if (e.from === e.to) return [...from, ...there, " there."];
      const over = e.passed > 0 ? ` over ${count(e.passed, "block")} between` : "";
      return [...from, " climbs to ", block(m, e.to), over, ": it", ...there, ...further(m, e, t)];
    },
    marked: (m, e) => [
      "The look-up of ",
      variable(m, e.var),
      " marks the join ",
      block(m, e.block),
      ", and goes on in its predecessors.",
    ],
    mark_found: (m, e) => [
      "The look-up of ",
      variable(m, e.var),
      " has come back to the mark of ",
      block(m, e.block),
      ": the variable flows around a cycle.",
    ],
    unmarked: (m, e) => [
      "All that reaches ",
      block(m, e.block),
      " gives ",
      variable(m, e.var),
      " the value ",
      value(m, e.value),
      ": the mark goes, and no phi is made.",
    ],
    reexamined: (m, e) => [
      "The phi ",
      value(m, e.value),
      " is examined again, because one of its operands was replaced.",
    ],
    phi: (m, e, t) => {
      const it = value(m, e.value);
      const where = block(m, e.block);
      if (e.var === undefined) return ["The phi ", it, " is made by hand in ", where, "."];
      const of = ["The phi ", it, " of ", variable(m, e.var), " is made in ", where];
      if (!isSealed(m, e.block, t))
        return of.concat(": it gets its operands when the block is sealed.");
      return of.concat(`, where ${count(m.preds(m.block(e.block), t).length, "edge")} arrive.`);
    },
    frontier: (m, e) => [
      block(m, e.block),
      " is in the dominance frontier of ",
      block(m, e.from),
      ": what is written there meets other values here.",
    ],
    queued: (m, e, t) => [
      block(m, e.block),
      " enters the worklist for ",
      variable(m, e.var),
      isForPhi(m.events[t - 2], e) ? ": its phi is a write, too." : ", which it writes.",
    ],
    taken: (m, e) => [
      "The worklist for ",
      variable(m, e.var),
      " gives ",
      block(m, e.block),
      ": blocks in its frontier need a phi.",
    ],
    entered: (m, e) => [
      "Renaming enters ",
      block(m, e.block),
      ": its phis, and what it writes, are pushed.",
    ],
    left: (m, e) => ["Renaming leaves ", block(m, e.block), ": what it has pushed is popped."],
    placed: (m, e) => [
      block(m, e.block),
      " will have a phi for ",
      variable(m, e.var),
      ": it is in the frontier of ",
      block(m, e.from),
      ", which the worklist had.",
    ],
    operand: (m, e) => {
      const self = e.operand === e.value;
      return [
        "From ",
        block(m, e.from),
        ", the phi ",
        value(m, e.value),
        " gets ",
        ...(self ? ["itself"] : [value(m, e.operand)]),
        ".",
      ];
    },
    trivial: (m, e, t) => {
      const it = value(m, e.value);
      const set = others(m, e.value, t - 1).map((o) => value(m, o));
      const why = set.length === 1 ? [": besides itself, its only operand is ", set[0]] : [];
      return ["The phi ", it, " is trivial", ...why, ". ", value(m, e.by), " replaces it."];
    },
    redundant: (m, e) => [
      "The phi ",
      value(m, e.value),
      " is redundant: all that reaches it through phis is ",
      value(m, e.by),
      ", which replaces it.",
    ],
    rule(m, e) {
      const rule = e.rule_text && shown(e.rule_text.replace(/\s+/g, " "), 100);
      return rewritten(m, e, rule ? `by the rule ${rule}` : "by a rule");
    },
    folded: (m, e) => rewritten(m, e, "the operands are constants"),
    swapped: (m, e) => rewritten(m, e, "the operands are swapped"),
    merged: (m, e) => rewritten(m, e, "that is computed already"),
    simplified: (m, e, t) => [
      ...instruction(m, m.value(e.value), t - 1),
      " ⇒ ",
      value(m, e.by),
      ": the instruction is simplified.",
    ],
    emit: (m, e, t) => [
      block(m, e.block),
      " gets the instruction ",
      ...instruction(m, m.value(e.value), t),
      ".",
    ],
    filled: (m, e, t) => {
      const to = [...new Set(e.targets || [])].map((b) => block(m, b));
      return [
        block(m, e.block),
        " is filled: it ends with ",
        ...instruction(m, m.value(e.value), t),
        ...(to.length > 0 ? [", which leads to ", ...list(to, "or")] : []),
        ".",
      ];
    },
    sealed: (m, e, t) => {
      const preds = [...new Set(m.preds(m.block(e.block), t))].map((p) => block(m, p));
      const are = ["it has no predecessors", "its predecessor is ", "its predecessors are "][
        Math.min(preds.length, 2)
      ];
      return [block(m, e.block), " is sealed: ", are, ...list(preds), "."];
    },
    defined: (m, e) => [
      "On some path, ",
      variable(m, e.var),
      " has no definition: the undef callback says ",
      value(m, e.value),
      ".",
    ],
    dropped: (m, e) => ["The block ", block(m, e.block), " is dropped: nothing leads there."],
    finished: (m, e, t) => {
      let phis = 0;
      let blocks = 0;
      for (const b of m.blocks.values()) if (m.isBlockThere(b, t)) blocks++;
      for (const v of m.values.values()) if (v.op === "phi" && m.isThere(v, t)) phis++;
      return [`The function is finished: ${count(blocks, "block")}, ${count(phis, "phi")}.`];
    },
    reopened: () => ["The function is reopened: variables have only what is written from here on."],
    location: (m, e) => [
      `Location ${e.index} `,
      ...(e.args.length > 0
        ? ["has the values ", ...list(e.args.map((id) => value(m, id))), "."]
        : ["keeps what a move would overwrite."]),
    ],
    move: (m, e) => [
      "On the edge from ",
      block(m, e.from),
      " to ",
      block(m, e.to),
      ", ",
      ...location(m, e.index),
      " gets ",
      ...(e.source ? ["what is in ", ...location(m, e.source)] : [value(m, e.value)]),
      ".",
    ],
    edited: (m, e) => [
      "The finished function is edited",
      ...(e.value ? [" at ", value(m, e.value)] : e.block ? [" in ", block(m, e.block)] : []),
      ".",
    ],
  };

  // An event that has no sentence of its own: what it has.
  function other(m, e) {
    const parts = [];
    if (e.block) parts.push(["in ", block(m, e.block)]);
    if (e.var) parts.push(["variable ", variable(m, e.var)]);
    if (e.value) parts.push(["value ", value(m, e.value)]);
    for (const [name, it] of Object.entries(e)) {
      if (["from", "to"].includes(name)) parts.push([`${name} `, block(m, it)]);
      if (name === "count" || name === "index") parts.push([`${name} ${it}`]);
    }
    return [shown(e.event), ": ", ...parts.flatMap((p, i) => (i > 0 ? [", ", ...p] : p)), "."];
  }

  // The sentence of the event at time t.
  function sentence(m, t) {
    const e = m.events[t - 1];
    if (!e)
      return [
        m.watched
          ? "Before the first step: the entry block and the arguments."
          : "The finished function.",
      ];
    return say[e.event] ? say[e.event](m, e, t) : other(m, e);
  }

  // }==

  // A place: "file:line:col".
  const place = (p) => `${p.file ? p.file + ":" : "line "}${p.line}${p.col ? ":" + p.col : ""}`;

  return {
    shown,
    progress,
    value,
    block,
    variable,
    loop,
    list,
    count,
    definition,
    flags,
    headWidth,
    plain,
    instruction,
    row,
    width,
    edge,
    sentence,
    place,
  };
})();
