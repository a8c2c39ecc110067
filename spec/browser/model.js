// Compares the viewer's model with what Lua has seen of functions: after each line of a
// trace, or at the end, their blocks and what is in them. Reads the cases from a file;
// prints what differs.
const fs = require("fs");
const { model, text } = require("./viewer.js")("replay", "model", "text");

const sorted = (list) =>
  list
    .slice()
    .sort((a, b) => a - b)
    .join(" ");

function check(what, got, expected) {
  if (JSON.stringify(got) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
  }
}

// A block at time t, compared with the one that Lua has seen.
function compareBlock(m, seen, t) {
  const b = m.block(seen.id);
  const at = `block ${seen.id} at ${t}`;
  check(`${at} is there`, m.isBlockThere(b, t), true);
  check(`${at} is sealed`, b.sealed <= t, seen.sealed);
  check(`${at} is filled`, b.filled <= t, seen.filled);
  check(`${at} leads to`, m.targets(b, t), seen.succs);
  check(`${at} is reached from`, sorted(m.preds(b, t)), sorted(seen.preds));
  const there = b.rows.map((id) => m.value(id)).filter((v) => m.isThere(v, t));
  const phis = there.filter((v) => v.op === "phi");
  check(`phis of ${at}`, sorted(phis.map((v) => v.id)), sorted(seen.phis.map((p) => p.id)));
  for (const p of seen.phis) {
    const operands = m.operandsAt(m.value(p.id), t).filter(Boolean);
    check(
      `%${p.id} at ${t}`,
      operands.map((o) => o.value),
      p.args,
    );
    check(
      `sources of %${p.id} at ${t}`,
      operands.map((o) => o.from),
      seen.preds.slice(0, p.args.length),
    );
  }
  const insts = there.filter((v) => v.op !== "phi");
  check(
    `instructions of ${at}`,
    insts.map((v) => v.id),
    seen.insts.map((i) => i.id),
  );
  for (const i of seen.insts) check(`%${i.id} at ${t}`, m.args(m.value(i.id), t), i.args);
}

// The text of a row must fit into what is reserved for it.
function checkWidths(m, t) {
  for (const v of m.values.values()) {
    if (v.block === 0 || !m.isThere(v, t)) continue;
    const length = text.plain(text.instruction(m, v, t)).length;
    const most = text.width(m, v);
    if (length > most) throw new Error(`%${v.id} at ${t} has ${length} characters, not ${most}`);
  }
}

function run({ document, states }) {
  const m = model.of(document.functions[0]);
  let t = 0;
  for (const { line, blocks } of states) {
    while (t < m.events.length && !(m.events[t].line > line)) t++;
    for (const b of blocks) compareBlock(m, b, t);
    const ids = [...m.blocks.values()].filter((b) => m.isBlockThere(b, t)).map((b) => b.id);
    check(`blocks at ${t}`, sorted(ids), sorted(blocks.map((b) => b.id)));
    checkWidths(m, t);
  }
  for (let i = 0; i <= m.events.length; i++) {
    const sentence = text.plain(text.sentence(m, i));
    if (/undefined|null|NaN|\?/.test(sentence)) throw new Error(`sentence ${i}: ${sentence}`);
  }
  m.events.forEach((e, i) => {
    const now = m.definition(e.var, e.block, i + 1);
    if (e.event === "kill") check(`the definition after event ${i}`, now, undefined);
    if (e.event === "write") check(`that after event ${i}`, now.value, m.resolve(e.value, i + 1));
  });
}

const cases = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
cases.forEach((it, i) => {
  try {
    run(it);
  } catch (error) {
    console.log(`case ${i + 1}: ${error.message}\n${it.trace}`);
    process.exit(1);
  }
});
console.log(`${cases.length} cases`);
