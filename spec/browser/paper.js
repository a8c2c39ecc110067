// Runs the algorithm that the explorer's pages show over traces of functions: before finish, its
// phis and their operands are those of phial. Reads a JSON document a line; prints what differs.
const fs = require("fs");
const { replay, model, paper } = require("./viewer.js")("replay", "model", "paper");

// The phis of the algorithm, with phial's names of operands.
function phisOf(state, m, t) {
  const nameOf = (value) => {
    const it = paper.now(value);
    if (it.phi) return `${it.variable}@${it.block}`;
    return it.id === 0 ? "undef" : named(m, m.resolve(it.id, t));
  };
  return state.left.map(
    (phi) => `${phi.variable}@${phi.block} ${phi.operands.map(nameOf).join(" ")}`,
  );
}

function named(m, id) {
  const v = m.value(id);
  if (v.op === "phi") return `${v.var}@${v.block}`;
  return v.op === "undef" ? "undef" : String(id);
}

// phial's at time t.
function phialsOf(m, t) {
  return [...m.values.values()]
    .filter((v) => v.op === "phi" && m.isThere(v, t))
    .map((v) => `${v.var}@${v.block} ${m.args(v, t).map((a) => named(m, a)).join(" ")}`);
}

// Goes through all steps: where phial makes or removes a phi, so does the line that is shown.
function walk(m) {
  const shown = new paper.Paper(m);
  const wanted = { phi: "new Phi", trivial: "replaceBy" };
  let found = 0;
  for (let t = 0; t <= shown.end; t++) {
    shown.go(t);
    const text = shown.current && shown.procedures[shown.current.frame.name][shown.current.line];
    const event = t > 0 ? m.events[t - 1].event : "";
    if (wanted[event] && text && text.includes(wanted[event])) found++;
    if (shown.stack.some((f) => !f.name) || shown.variables.length > m.vars.size)
      throw new Error(`${m.fn.name}: step ${t} is wrong`);
  }
  return found;
}

// What is shown at time t.
function shownAt(it, t) {
  const nameOf = (value) => (value.phi ? `${value.variable}@${value.block}` : value.id);
  it.go(t);
  return JSON.stringify([
    it.lines.map(({ line, moment, frame }) => [line, moment, frame.name, frame.block]),
    it.variables.map((v) => [v, [...it.defsOf(v)].map(([block, value]) => [block, nameOf(value)])]),
    it.state.left.map((phi) => [nameOf(phi), phi.operands.map((o) => nameOf(paper.now(o)))]),
  ]);
}

// Goes to and fro: a step shows the same wherever one comes from.
function jump(m) {
  const shown = new paper.Paper(m);
  for (let i = 1; i <= 20; i++) {
    const t = (i * 7919) % (shown.end + 1);
    if (shownAt(shown, t) !== shownAt(new paper.Paper(m), t))
      throw new Error(`${m.fn.name}: step ${t} depends on the one before`);
  }
}

let found = 0;
let changes = 0;
let count = 0;
let phis = 0;
for (const line of fs.readFileSync(process.argv[2], "utf8").split("\n")) {
  if (line === "") continue;
  for (const fn of JSON.parse(line).functions) {
    const m = model.of(fn);
    // finish removes sets of redundant phis (section 3.2), which is not of these lines
    const end = m.events.findIndex((e) => ["finished", "redundant"].includes(e.event));
    for (const isMarker of [true, false]) {
      const state = new paper.State(m, isMarker);
      state.run(end);
      const got = phisOf(state, m, end).sort().join("\n");
      const wanted = phialsOf(m, end).sort().join("\n");
      if (got !== wanted) {
        console.log(`${fn.name}, ${isMarker ? "marker" : "simple"}:\n${got}\nnot\n${wanted}`);
        process.exit(1);
      }
    }
    if (m.events.length < 400) {
      found += walk(m);
      jump(m);
      changes += m.events.filter((e) => e.event === "phi" || e.event === "trivial").length;
    }
    count++;
    phis += phialsOf(m, end).length;
  }
}
console.log(`${count} functions, ${phis} phis, ${found} of ${changes} changes`);
