// Functions that have each construct of the React Compiler's HIR: what functions.jsonl,
// which examples/react/dump.mjs has made, is made from.
import * as React from "react";
import standard, { useMemo, useState as state } from "react";

const shared = 1;

export function straight(a, b) {
  const c = a + b;
  return c * c - -a;
}

export function branches(a) {
  let x = 1;
  if (a) x = 2;
  else if (a === null) x = 3;
  return x;
}

export function branch_without_else(a) {
  let x;
  if (a > 0) {
    x = a;
  }
  return x;
}

export function swapped(a, b, n) {
  let x = a, y = b;
  while (n > 0) {
    const t = x;
    x = y;
    y = t;
    n--;
  }
  return [x, y];
}

export function both_arms_leave(a) {
  if (a) return 1;
  else throw new Error("none");
}

export function for_loop(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    if (i % 2) continue;
    if (i > 10) break;
    s += i;
  }
  return s;
}

export function endless_loop(f) {
  while (true) {
    const x = f();
    if (x) return x;
  }
}

export function while_loop(n) {
  let i = 0;
  while (i < n) i += i + 1;
  return i;
}

export function do_loop(n) {
  let i = 0, last;
  do {
    last = i;
    ++i;
  } while (i < n);
  return last;
}

export function for_of(list) {
  let s = 0;
  for (const [a, b] of list) s += a - b;
  return s;
}

export function for_in(it) {
  let s = "";
  for (const key in it) {
    s = s + key + it[key];
  }
  return s;
}

export function nested_loops(n, m) {
  let s = 0, t = 1;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < m; j += 1) {
      s += i * j;
      if (s > 100) t = s;
    }
  }
  return s + t;
}

export function labels(list, n) {
  let s = 0;
  outer: for (let i = 0; i < n; i += 1) {
    for (const x of list) {
      if (x === i) continue outer;
      if (x > i) break outer;
      s += x;
    }
    s += 1;
  }
  return s;
}

export function labelled_block(a) {
  let x = 0;
  out: {
    if (a) break out;
    x = 1;
  }
  return x;
}

export function only_read_in_loops(a, b, n) {
  let s = 0;
  for (let i = 0; i < n; i += 1) {
    do {
      s += a;
    } while (s < b);
  }
  return s;
}

export function choice(a) {
  let x;
  switch (a) {
    case 1:
    case 2:
      x = "few";
      break;
    case "many":
      x = a;
    default:
      x = x + "?";
  }
  return x;
}

export function choice_in_a_loop(list) {
  let x = 0;
  for (const it of list) {
    switch (it.kind) {
      case "a": {
        x += 1;
        continue;
      }
      case "b":
        return x;
    }
    x *= 2;
  }
  return x;
}

export function empty_choice(a) {
  switch (a) {
  }
  return a;
}

export function guarded(f) {
  let x = 0;
  try {
    x = f(1);
    x = f(x);
  } catch (e) {
    x = e;
  }
  return x;
}

export function guarded_without_binding(f) {
  try {
    return f();
  } catch {
    return null;
  }
}

export function guarded_in_a_loop(list, f) {
  let failed = 0, last;
  for (const x of list) {
    try {
      last = f(x);
    } catch (e) {
      failed += 1;
    }
  }
  return [failed, last];
}

export function thrown(a) {
  let x = a;
  try {
    x = [1, a()];
  } catch (e) {
    x = [e, x];
  }
  if (x[2]) throw x;
  return x;
}

export function optional(a, i) {
  return a?.b?.[i]?.(a.c, i).d;
}

export function optional_as_condition(a, b) {
  let x = b;
  if (a?.b) x = a.b;
  return x;
}

export function logical(a, b, c) {
  return (a && b) || (c ?? a);
}

export function conditional(a, b) {
  const x = a ? b : a.c ? 1 : 2;
  return x ? x : b;
}

export function assigned_in_conditions(a, b) {
  let x = 0;
  const y = a && (x = b);
  return [x, y];
}

export function sequence(a) {
  let x = 1;
  const y = ((x = a), x + 1);
  return y;
}

export function several_results({ a, b: [c, , d = 1, ...e], "k-k": k, ...rest }, [f]) {
  return [a, c, d, e, k, rest, f];
}

export function reassigned(o, p) {
  let a, b;
  ({ a, b } = o);
  if (p) [a, b] = [b, a];
  return a - b;
}

export function spreads(a, ...more) {
  const list = [0, ...more, , a];
  const o = { a, ...more[0], "b c": 1, [a]: 2, 3: 4 };
  return Math.max(...list, o.a);
}

export function default_arguments(a = 1, { b = a } = {}) {
  return a + b;
}

export function closures(a) {
  const b = a + 1;
  const add = (x) => x + b;
  function twice(x) {
    return add(add(x));
  }
  return twice(a);
}

export function closures_in_loops(list) {
  const out = [];
  for (const x of list) {
    let y = x;
    if (x > 2) y = x - 1;
    out.push(() => x + y);
  }
  return out;
}

export function shared_variables(n) {
  let count = 0, last;
  const step = (by) => {
    for (let i = 0; i < by; i += 1) count = count + 1;
    last = by;
  };
  step(n);
  if (n) step(1);
  return [count, last];
}

export function closures_in_closures(a, b) {
  let s = a;
  if (b) s = b;
  return (x) => {
    let t = x;
    while (t < s) t += s;
    return (y) => {
      let u = y;
      if (y) u = t;
      return [u, t, s, x];
    };
  };
}

export function closures_in_branches(a, f) {
  let g;
  if (a) {
    g = (x, ...more) => (x ? more : f);
  } else {
    g = async () => await f(a);
  }
  return g;
}

export function hoisted(n) {
  const even = (x) => (x === 0 ? true : odd(x - 1));
  const odd = (x) => (x === 0 ? false : even(x - 1));
  return even(n);
}

export function methods(a) {
  const b = a ? 1 : 2;
  return {
    get() {
      return b;
    },
    add(x) {
      return x ? x + b : b;
    },
  };
}

export function called_at_once(a) {
  const x = (() => {
    if (a) return 1;
    return 2;
  })();
  return x;
}

export function globals(a) {
  let x = shared;
  if (a) x = window.size + standard.size;
  unknown_name = x;
  return typeof x + React.version + import.meta.url;
}

export function constants() {
  const r = /a\/`b${/g;
  const big = [1e21, -1.5, null, undefined, true, "\"\n\u2028", "<unknown> x$5", "é\u{1f600}"];
  return [r, big];
}

export function templates(a, b) {
  const x = `plain \${a} \` ${a}
      $ {${b}}`;
  const y = String.raw`one
  two`;
  return x + `${x}${y}`;
}

export function template_in_a_closure(a) {
  return () => `  ${a}
  [1] <unknown> $5 = 0
bb0 (block):
`;
}

export function members(o, key, a) {
  "use marker";
  debugger;
  o.a = a;
  o[key] = o.a;
  o[0] = delete o.b;
  const x = delete o[key];
  return new o.Type(x, ...o.list);
}

export function typed(a: any, b: unknown) {
  enum Kind { First }
  const x = a as string[];
  let y: number | undefined;
  if (x.length) y = (b satisfies unknown) as number;
  return y!;
}

export async function awaited(f) {
  let x = await f(0);
  while (x) x = await f(x);
  return x;
}

export function unused_values(a, n) {
  let x = a, y = 0;
  for (let i = 0; i < n; i += 1) {
    x = i;
    y = y + 1;
  }
  return n;
}

export function after_return(a) {
  return a;
  a = 1;
  return a;
}

export function Component({ items, title = "none", onPick, ...rest }) {
  const [picked, setPicked] = state(null);
  const sorted = useMemo(() => [...items].sort((a, b) => a.at - b.at), [items, rest.by?.name]);
  let body = null;
  if (sorted.length > 0) {
    body = sorted.map((it, i) => (
      <li key={it.id} data-picked={i === picked} onClick={() => { setPicked(i); onPick?.(it); }}>
        {it.name}: "{i}"
      </li>
    ));
  }
  return (
    <section {...rest} aria-label={title} xlink:href="#a">
      <h1>{title} &amp; more</h1>
      <>{body}<React.Fragment /></>
      {picked !== null && <p>{sorted[picked].name}</p>}
    </section>
  );
}

export const Arrow = ({ a, b }) => (a ? <b.Tag>{a}</b.Tag> : <i />);
