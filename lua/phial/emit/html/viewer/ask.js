// ask: what a page that asks first wants to know before a step: whether a look-up makes a phi,
// whether a phi is trivial, which value a read gives.
const ask = (() => {
  const MOST = 4; // answers

  const answer = (pieces, isRight) => ({ text: text.plain(pieces), isRight });

  // Why a look-up makes no phi in its block at time t, or makes the one that event e tells.
  function reason(m, block, variable, e, t) {
    const where = text.block(m, block);
    if (!text.isSealed(m, block, t))
      return text.said`${where} is not sealed: edges that come later may bring other values`;
    if (e) return text.whyMade(m, m.events[e - 1], e);
    const preds = m.preds(m.block(block), t);
    if (preds.length === 0) return text.said`nothing leads to ${where}`;
    if (preds.length === 1) {
      const from = text.block(m, preds[0]);
      return text.said`only ${from} leads to ${where}, and ${variable} is the same at its end`;
    }
    return text.said`all that leads to ${where} gives ${variable} one value`;
  }

  // Before a look-up: whether its block gets a phi, until the read has its value.
  function ofLookup(m, { block, var: variable }, t) {
    let end = t;
    while (end < m.events.length && m.events[end - 1].event !== "read") end++;
    const made = m.events
      .slice(t - 1, end)
      .findIndex((e) => e.event === "phi" && e.block === block && e.var === variable);
    const makes = made >= 0;
    const [where, name] = [text.block(m, block), text.variable(m, variable)];
    const why = reason(m, block, name, makes && t + made, t);
    return {
      pieces: text.said`${where} reads ${name}. Is a phi made there?`,
      answers: [answer(text.said`Yes, in ${where}`, makes), answer(["No"], !makes)],
      because: text.said`${makes ? "a phi" : "no phi"} is made in ${where}, because ${why}. `,
    };
  }

  // When a phi has all operands, or is examined again: whether it is trivial.
  function ofPhi(m, before, t) {
    const e = m.events[t - 1];
    const again = before.event === "reexamined";
    const count = m.preds(m.block(m.value(before.value).block), t - 1).length;
    if (!again && before.index !== count) return null;
    const isTrivial = e.event === "trivial" && e.value === before.value;
    const phi = text.value(m, before.value);
    return {
      pieces: again
        ? text.said`An operand of the phi ${phi} was replaced. Is it trivial now?`
        : text.said`The phi ${phi} has all its operands. Is it trivial?`,
      answers: [answer(["Yes, it goes"], isTrivial), answer(["No, it stays"], !isTrivial)],
      // the step says why one goes
      because: isTrivial ? undefined : text.said`${text.judgement(m, before.value, t - 1)}. `,
    };
  }

  // Before a phi is replaced as redundant: by what.
  function ofRedundant(m, e, t) {
    const ids = new Set([e.by]);
    const add = (id) => ids.size < MOST && id !== e.value && ids.add(id);
    m.operandsAt(m.value(e.value), t - 1).forEach((o) => o && add(o.value));
    const phi = text.value(m, e.value);
    if (ids.size === 1)
      return {
        pieces: text.said`The function is complete. Can the phi ${phi} go?`,
        answers: [answer(["Yes, it is redundant"], true), answer(["No, it stays"], false)],
      };
    return {
      pieces: text.said`The phi ${phi} is not trivial, but redundant. Which value replaces it?`,
      answers: [...ids]
        .sort((a, b) => a - b)
        .map((id) => answer([text.value(m, id)], id === e.by)),
    };
  }

  // Why a read gives its value: where that comes from.
  function whyRead(m, e, t) {
    const [it, name] = [m.value(e.value), text.variable(m, e.var)];
    const where = text.block(m, e.block);
    const own = m.definition(e.var, e.block, t - 1);
    if (it.op === "phi" && it.block === e.block)
      return text.said`the phi of ${name} in ${where} stands for what each predecessor
        gives`;
    if (own && own.value && m.resolve(own.value, t - 1) === e.value)
      return text.said`${where} has it already`;
    return text.said`${where} does not write ${name}, and this is what reaches it`;
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
      pieces: text.said`Which value does ${text.variable(m, e.var)} have in
        ${text.block(m, e.block)}?`,
      answers: shown.map((id) => answer([text.value(m, id)], id === e.value)),
      because: text.said`it is ${text.value(m, e.value)}, because ${whyRead(m, e, t)}. `,
    };
  }

  // The question before the step at time t, or null: {pieces, answers: [{text, isRight}], because},
  // the latter where the step does not say why.
  function question(m, t) {
    const e = m.events[t - 1];
    const before = m.events[t - 2];
    const asked = before && ["operand", "reexamined"].includes(before.event);
    const ofBefore = asked ? ofPhi(m, before, t) : null;
    if (ofBefore) return ofBefore;
    if (e.event === "lookup") return ofLookup(m, e, t);
    if (e.event === "redundant") return ofRedundant(m, e, t);
    return e.event === "read" ? ofRead(m, e, t) : null;
  }

  return { question };
})();
