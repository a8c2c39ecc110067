// ask: what a page that asks first wants to know before a step: whether a look-up makes a phi,
// whether a phi is trivial, which value a read gives.
const ask = (() => {
  const MOST = 4; // answers

  const answer = (pieces, isRight) => ({ text: text.plain(pieces), isRight });

  // Before a look-up: whether its block gets a phi, until the read has its value.
  function ofLookup(m, { block, var: variable }, t) {
    let end = t;
    while (end < m.events.length && m.events[end - 1].event !== "read") end++;
    const makes = m.events
      .slice(t - 1, end)
      .some((e) => e.event === "phi" && e.block === block && e.var === variable);
    const where = text.block(m, block);
    return {
      pieces: text.said`${where} reads ${text.variable(m, variable)}. Is a phi made there?`,
      answers: [answer(text.said`Yes, in ${where}`, makes), answer(["No"], !makes)],
    };
  }

  // When a phi has all operands: whether it is trivial.
  function ofPhi(m, before, t) {
    const e = m.events[t - 1];
    const count = m.preds(m.block(before.block), t - 1).length;
    if (before.index !== count) return null;
    const isTrivial = e.event === "trivial" && e.value === before.value;
    const phi = text.value(m, before.value);
    return {
      pieces: text.said`The phi ${phi} has all its operands. Is it trivial?`,
      answers: [answer(["Yes, it goes"], isTrivial), answer(["No, it stays"], !isTrivial)],
    };
  }

  // Before a read has its value: which of those that the variable has in some block.
  function ofRead(m, e, t) {
    const ids = new Set([e.value]);
    for (const b of m.blocks.values()) {
      const now = m.definition(e.var, b.id, t - 1);
      if (now && now.value) ids.add(m.resolve(now.value, t - 1));
    }
    if (ids.size === 1) return null;
    const shown = [...ids].slice(0, MOST).sort((a, b) => a - b);
    return {
      pieces: text.said`Which value has ${text.variable(m, e.var)} in ${text.block(m, e.block)}?`,
      answers: shown.map((id) => answer([text.value(m, id)], id === e.value)),
    };
  }

  // The question before the step at time t: {pieces, answers: [{text, isRight}]}, or null.
  function question(m, t) {
    const e = m.events[t - 1];
    const before = m.events[t - 2];
    if (before && before.event === "operand") return ofPhi(m, before, t);
    if (e.event === "lookup") return ofLookup(m, e, t);
    return e.event === "read" ? ofRead(m, e, t) : null;
  }

  return { question };
})();
