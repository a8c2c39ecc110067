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
  function progress(m, b, t) {
    if (b.born > t) return "not made yet";
    if (b.dropped <= t) return "dropped";
    const filled = b.filled <= t ? "filled" : "not filled";
    if (m.fn.construction && !m.isOnTheFly) return filled;
    return `${b.sealed <= t ? "sealed" : "not sealed"}, ${filled}`;
  }

  // What the head of a block says at time t: what it is not yet, for which variables it is marked.
  function flags(m, b, t) {
    const out = [];
    if (b.dropped <= t) return "dropped";
    if (b.born > t) return "";
    if (b.sealed > t && m.isOnTheFly) out.push("unsealed");
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

  // The data of an op: the name of what is called or has an address, as in the text form.
  function named(op, data) {
    if (/^"/.test(data) && ["call", "address", "tail_call"].includes(op))
      return shown(`@${data.replace(/^"([\w.]+)"$/, "$1")}`);
    return /^@/.test(data) ? shown(data) : `{${shown(data)}}`;
  }

  // An op and at most so many operands.
  function computation(m, op, args, data, most) {
    const out = [shown(op || "?")];
    if (data !== undefined) out.push(` ${named(op, data)}`);
    const operands = args.map((a) => value(m, a));
    return args.length > 0 ? out.concat(" ", commas(some(operands, most))) : out;
  }

  // An instruction at time t, with at most so many operands.
  function instruction(m, v, t, most) {
    if (v.op === "write") return [variable(m, v.var), " = ", value(m, m.resolve(v.written, t))];
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
    if (v.op === "write") return variable(m, v.var).text.length + 3 + longest(v.written);
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
      return head + shown(v.op || "?").length + Math.max(0, ...lists);
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

  // What is written at a line that stands for edges: nothing if they join different blocks.
  function line(m, edges, t) {
    const [{ from, to }] = edges;
    if (edges.some((e) => e.from !== from || e.to !== to)) return "";
    const list = edges.filter((e) => m.isEdgeThere(e, t));
    const keys = list.map((e) => edge(m, m.block(from), e.index, t)).filter((it) => it !== "");
    return plain(commas(some(keys, 4)));
  }

  function terminator(m, b, t) {
    for (let i = b.rows.length - 1; i >= 0; i--) {
      const v = m.value(b.rows[i]);
      if (m.isThere(v, t) && v.op !== "phi" && v.id > 0) return v;
    }
  }

  // }== Sentences

  // A template with pieces, or lists of them, in it; where a line ends, it has a blank.
  const said = (strings, ...its) =>
    strings
      .flatMap((s, i) => [s.replace(/\n\s+/g, " "), its[i] ?? ""].flat())
      .filter((piece) => piece !== "");

  const isSealed = (m, id, t) => !m.isOnTheFly || m.block(id).sealed <= t;

  // Operands of a phi other than itself, each once.
  function others(m, id, t) {
    const operands = m.operandsAt(m.value(id), t).filter(Boolean);
    return [...new Set(operands.map((o) => o.value))].filter((o) => o !== id);
  }

  // True if a phi is made before the predecessors are asked.
  const makesFirst = (m) => ["simple", "operand"].includes(m.fn.construction);

  // True if a climb has come to a mark.
  function endsAtMark(m, e, t) {
    const now = m.definition(e.var, e.to, t);
    return now !== undefined && now.value === undefined;
  }

  // How a climb that has come to a block without a definition goes on.
  function further(m, e, t) {
    if (e.value || endsAtMark(m, e, t)) return ".";
    if (!isSealed(m, e.to, t)) return ", and the block is not sealed, so a phi is made.";
    const preds = m.preds(m.block(e.to), t).length;
    if (preds === 0) return ", and nothing leads there.";
    const then = makesFirst(m) ? "a phi is made" : "each predecessor is asked";
    return preds === 1 ? "." : `, and ${preds} edges meet there: ${then}.`;
  }

  // Why a phi is not trivial at time t: two operands that differ, and where they come from; or null.
  function difference(m, id, t) {
    const seen = new Map();
    for (const o of m.operandsAt(m.value(id), t))
      if (o && o.value !== id && !seen.has(o.value)) seen.set(o.value, o.from);
    if (seen.size < 2) return null;
    const [a, b] = [...seen].map(([v, from]) => said`${value(m, v)} from ${block(m, from)}`);
    return said`${a} and ${b} differ`;
  }

  // Why a phi that has its operands goes or stays at time t.
  function judgement(m, id, t) {
    const different = difference(m, id, t);
    if (different) return said`${value(m, id)} is not trivial: ${different}`;
    const only = others(m, id, t).map((o) => value(m, o));
    const why = only.length > 0 ? said`besides itself, its only operand is ${only}` : "it has none";
    return said`${value(m, id)} is trivial: ${why}`;
  }

  // What is said of a phi at time t, when it could have been replaced and is not.
  function stays(m, id, t) {
    const next = m.events[t];
    const goes = next && next.event === "trivial" && next.value === id;
    return goes || !difference(m, id, t) ? "" : said` ${judgement(m, id, t)}.`;
  }

  // Why a phi is made in a sealed block at time t: what the algorithm has tested.
  function whyMade(m, e, t) {
    const { construction } = m.fn;
    if (makesFirst(m)) {
      const count = m.preds(m.block(e.block), t).length;
      return `${count} edges meet there; made before its operands, it ends look-ups around loops`;
    }
    if (construction !== "marker" && construction !== "scc")
      return said`${block(m, e.block)} is where definitions meet`;
    const last = t + m.preds(m.block(e.block), t).length;
    const follow = m.events.slice(t, last).every((it) => it.operand && it.value === e.value);
    const different = follow && difference(m, e.value, last);
    const cycle = said`the look-up has come back to ${block(m, e.block)}, around a loop`;
    return different || cycle;
  }

  // A location by its number, with the values that it holds.
  function location(m, index) {
    const { args } = m.events.find((e) => e.event === "location" && e.index === index);
    const values = commas(args.map((id) => value(m, id)));
    return said`location ${String(index)}${args.length > 0 ? [" (", ...values, ")"] : ""}`;
  }

  // The distinct blocks of a list of ids.
  const blocks = (m, ids) => [...new Set(ids)].map((id) => block(m, id));

  // What an event has, as pieces, which are made when they are asked for.
  const MAKERS = { block, from: block, to: block, var: variable, value, by: value, operand: value };

  function piecesOf(m, e) {
    const of = ([name, make]) => [name, { get: () => make(m, e[name]) }];
    return Object.defineProperties({}, Object.fromEntries(Object.entries(MAKERS).map(of)));
  }

  // An instruction that is rewritten before it is made.
  function rewritten(it, m, e, why) {
    const now = e.value ? it.value : computation(m, e.new_op, e.new_args);
    return said`In ${it.block}, ${computation(m, e.op, e.args)} ⇒ ${now}: ${why}.`;
  }

  // By event: its sentence, made of what the event has, the model, the event and the time.
  const say = {
    block: (it) => said`The block ${it.block} is made.`,
    var(it, m, e) {
      const { type } = m.vars.get(e.var) || {};
      return said`The variable ${it.var}${type ? ` of type ${type}` : ""} is made.`;
    },
    write: (it) => said`In ${it.block}, ${it.var} is set to ${it.value}.`,
    kill: (it) => said`In ${it.block}, ${it.var} ends: it has no definition until it is
      written again.`,
    lookup(it, m, e, t) {
      const preds = m.preds(m.block(e.block), t);
      const next = said`: the look-up goes on in ${list(blocks(m, preds))}`;
      const further = !isSealed(m, e.block, t)
        ? said`. ${it.block} is not sealed, so a phi is made`
        : preds.length === 0
          ? ", and nothing leads there"
          : preds.length > 1 && makesFirst(m)
            ? `, and ${preds.length} edges meet there: a phi is made`
            : next;
      return said`${it.block} reads ${it.var}, which has no definition there${further}.`;
    },
    read: (it) => said`The read of ${it.var} in ${it.block} gives ${it.value}.`,
    climb(it, m, e, t) {
      const other = endsAtMark(m, e, t) ? "the mark" : "no definition";
      const found = e.value ? it.value : other;
      const from = said`The look-up of ${it.var} in ${it.from}`;
      if (e.from === e.to) return said`${from} finds ${found} there.`;
      const over = e.passed > 0 ? ` over ${count(e.passed, "block")} between` : "";
      return said`${from} climbs to ${it.to}${over}: it finds ${found}${further(m, e, t)}`;
    },
    marked: (it) => said`The look-up of ${it.var} marks ${it.block}, and asks its predecessors.`,
    mark_found: (it) => said`The look-up of ${it.var} has come back to ${it.block}, which it has
      marked.`,
    unmarked: (it) => said`All that reaches ${it.block} gives ${it.var} the value ${it.value}: the
      mark goes, and no phi is made.`,
    reexamined: (it, m, e, t) => said`The phi ${it.value} is examined again, because one of its
      operands was replaced.${stays(m, e.value, t)}`,
    phi(it, m, e, t) {
      if (e.var === undefined) return said`The phi ${it.value} is made by hand in ${it.block}.`;
      const why = isSealed(m, e.block, t)
        ? whyMade(m, e, t)
        : said`it gets its operands when ${it.block} is sealed`;
      const { event, block: at, to = at } = m.events[t - 2] || {};
      const isTold = !makesFirst(m) || (["lookup", "climb"].includes(event) && to === e.block);
      const jump = isTold ? "" : said`The look-up goes on in ${it.block}. `;
      return said`${jump}The phi ${it.value} of ${it.var} is made in ${it.block}: ${why}.`;
    },
    frontier: (it) => said`${it.block} is in the dominance frontier of ${it.from}: what is written
      there meets other values here.`,
    queued(it, m, e, t) {
      const before = m.events[t - 2];
      const isForPhi = before.event === "placed" && before.var === e.var;
      const why = isForPhi ? ": its phi is a write, too" : ", which it writes";
      return said`${it.block} enters the worklist for ${it.var}${why}.`;
    },
    taken: (it) => said`The worklist for ${it.var} gives ${it.block}: blocks in its frontier need
      a phi.`,
    entered: (it) => said`Renaming enters ${it.block}: its phis, and what it writes, are pushed.`,
    left: (it) => said`Renaming leaves ${it.block}: what it has pushed is popped.`,
    placed: (it) => said`${it.block} will have a phi for ${it.var}: it is in the frontier of
      ${it.from}, which the worklist had.`,
    operand(it, m, e, t) {
      const operand = e.operand === e.value ? "itself" : it.operand;
      const isLast = e.index === m.preds(m.block(e.block), t).length;
      const further = isLast ? stays(m, e.value, t) : "";
      return said`From ${it.from}, the phi ${it.value} gets ${operand}.${further}`;
    },
    trivial(it, m, e, t) {
      const set = others(m, e.value, t - 1).map((o) => value(m, o));
      const why = set.length === 1 ? [": besides itself, its only operand is ", set[0]] : "";
      return said`The phi ${it.value} is trivial${why}. ${it.by} replaces it.`;
    },
    redundant: (it) => said`The phi ${it.value} is redundant: all that reaches it through phis is
      ${it.by}, which replaces it.`,
    rule(it, m, e) {
      const rule = e.rule_text && shown(e.rule_text.replace(/\s+/g, " "), 100);
      return rewritten(it, m, e, rule ? `by the rule ${rule}` : "by a rule");
    },
    folded: (it, m, e) => rewritten(it, m, e, "the operands are constants"),
    swapped: (it, m, e) => rewritten(it, m, e, "the operands are swapped"),
    merged: (it, m, e) => rewritten(it, m, e, "that is computed already"),
    simplified: (it, m, e, t) => said`${instruction(m, m.value(e.value), t - 1)} ⇒ ${it.by}: the
      instruction is simplified.`,
    emit: (it, m, e, t) => said`${it.block} gets the instruction
      ${instruction(m, m.value(e.value), t)}.`,
    filled(it, m, e, t) {
      const to = blocks(m, e.targets || []);
      const further = to.length > 0 ? [", which leads to ", ...list(to, "or")] : "";
      const end = instruction(m, m.value(e.value), t);
      return said`${it.block} is filled: it ends with ${end}${further}.`;
    },
    sealed(it, m, e, t) {
      const preds = blocks(m, m.preds(m.block(e.block), t));
      const are = ["it has no predecessors", "its only predecessor is ", "its predecessors are "];
      const next = m.isOnTheFly && ["climb", "operand", "phi"].includes((m.events[t] || {}).event);
      const fills = next ? " Now its phis get operands." : "";
      return said`${it.block} is sealed: ${are[Math.min(preds.length, 2)]}${list(preds)}.${fills}`;
    },
    defined: (it) => said`On some path, ${it.var} has no definition: the undef callback says
      ${it.value}.`,
    dropped: (it) => said`The block ${it.block} is dropped: nothing leads there.`,
    finished(it, m, e, t) {
      const there = [...m.blocks.values()].filter((b) => m.isBlockThere(b, t));
      const phis = [...m.values.values()].filter((v) => v.op === "phi" && m.isThere(v, t));
      const [all, of] = [count(there.length, "block"), count(phis.length, "phi")];
      return [`The function is finished: ${all}, ${of}.`];
    },
    reopened: () => ["The function is reopened: variables have only what is written from here on."],
    location(it, m, e) {
      const values = list(e.args.map((id) => value(m, id)));
      const keeps = "keeps what a move would overwrite";
      const what = values.length > 0 ? said`has the values ${values}` : keeps;
      return said`Location ${String(e.index)} ${what}.`;
    },
    move(it, m, e) {
      const what = e.source ? said`what is in ${location(m, e.source)}` : it.value;
      return said`On the edge from ${it.from} to ${it.to}, ${location(m, e.index)} gets ${what}.`;
    },
    edited(it, m, e) {
      const where = e.value ? [" at ", it.value] : e.block ? [" in ", it.block] : "";
      return said`The finished function is edited${where}.`;
    },
  };

  // An event that has no sentence of its own: what it has.
  function other(it, m, e) {
    const parts = [];
    if (e.block) parts.push(["in ", it.block]);
    if (e.var) parts.push(["variable ", it.var]);
    if (e.value) parts.push(["value ", it.value]);
    for (const name of Object.keys(e)) {
      if (["from", "to"].includes(name)) parts.push([`${name} `, it[name]]);
      if (["count", "index"].includes(name)) parts.push([`${name} ${e[name]}`]);
    }
    return said`${shown(e.event)}: ${commas(parts)}.`;
  }

  // The sentence of the event at time t.
  function sentence(m, t) {
    const e = m.events[t - 1];
    if (e) return (say[e.event] || other)(piecesOf(m, e), m, e, t);
    const before = "Before the first step: the entry block and the arguments.";
    return [m.watched ? before : "The finished function."];
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
    said,
    judgement,
    difference,
    whyMade,
    isSealed,
    instruction,
    row,
    width,
    line,
    sentence,
    place,
  };
})();
