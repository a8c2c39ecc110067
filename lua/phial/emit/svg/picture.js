// Draws steps of a construction as they are on the page of phial.emit.html: an SVG with a
// panel for each. The parts of that page's script that need no page come before this one.

const LETTER = 7.25;
const GAP = 28;
const CAPTION = 46;
const SIDE = 16;

// What a reader's system prefers changes none of them. On paper, marks are thick, not coloured.
const themes = {
  light: {
    ...{ page: "#f6f7f8", panel: "#fff", border: "#d9dde3", box: "#fff", line: "#aab2bd" },
    ...{ text: "#20262e", muted: "#606974", flags: "#8f5a00" },
    ...{ phi: "#f6f0fd", row: "#ffe9a8", touched: "#e0a100", thick: 2.5 },
  },
  dark: {
    ...{ page: "#15181c", panel: "#1b1f24", border: "#343b44", box: "#21262d", line: "#57616d" },
    ...{ text: "#dfe4ea", muted: "#a0aab5", flags: "#e5ad4d" },
    ...{ phi: "#2a2436", row: "#55451a", touched: "#d9a92e", thick: 2.5 },
  },
  print: {
    ...{ page: "none", panel: "none", border: "#aaa", box: "none", line: "#555" },
    ...{ text: "#000", muted: "#444", flags: "#000" },
    ...{ phi: "#eee", row: "#d0d0d0", touched: "#000", thick: 3 },
  },
};

const styleOf = (c) => `
  svg { background: ${c.page}; }
  text { font: 12px Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: ${c.text}; }
  .panel { fill: ${c.panel}; stroke: ${c.border}; }
  .box { fill: ${c.box}; stroke: ${c.line}; }
  .unborn { opacity: 0.3; }
  .step { font: 600 13px system-ui, sans-serif; }
  .caption { font: 13px system-ui, sans-serif; }
  .name { font-weight: 600; }
  .phi { fill: ${c.phi}; }
  .touched { stroke: ${c.touched}; stroke-width: ${c.thick}; }
  .row-touched { fill: ${c.row}; }
  .gone { fill: ${c.muted}; text-decoration: line-through; }
  .line { fill: none; stroke: ${c.line}; stroke-width: 1.4; }
  .tip { fill: ${c.line}; }
  .flags { font: 10px system-ui, sans-serif; fill: ${c.flags}; }
  .label { font: 10px system-ui, sans-serif; fill: ${c.muted}; }
  @media print { svg { width: 100%; height: 100vh; } }
`;

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (it) => it.replace(/[&<>"]/g, (c) => ESCAPES[c]);
const round = (it) => Math.round(it * 10) / 10;

function words(x, y, kind, it) {
  return `<text x="${round(x)}" y="${round(y)}" class="${kind}">${escape(it)}</text>`;
}

function rectangle(x, y, width, height, kind, rounded = 0) {
  const size = `width="${round(width)}" height="${round(height)}"`;
  return `<rect x="${round(x)}" y="${round(y)}" ${size} rx="${rounded}" class="${kind}"/>`;
}

// The text in lines that fit into a width.
function wrapped(it, width) {
  const lines = [""];
  for (const word of it.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== "" && (last.length + word.length) * 6.9 > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

function row(m, v, t, place, node, e) {
  const state = m.rowState(v, t);
  if (state === "unborn") return "";
  const at = state === "gone" ? v.gone - 1 : t;
  const isTouched = e && [e.value, e.by].includes(v.id);
  const kind = isTouched ? "row-touched" : v.op === "phi" && state === "there" ? "phi" : null;
  const back = kind ? rectangle(node.x + 1, place - 14, node.width - 2, 19, kind) : "";
  const end = v.byTime <= t ? ` → ${m.value(v.by).text}` : "";
  const shown = text.plain(text.row(m, v, at)) + end;
  return back + words(node.x + 11, place, state === "gone" ? "gone" : "", shown);
}

function block(m, node, t, e) {
  const [b] = node.blocks;
  const isThere = m.isBlockThere(b, t);
  const kind = `box${e && e.block === b.id ? " touched" : ""}`;
  const name = text.shown(b.name);
  const parts = [rectangle(node.x, node.y, node.width, node.height, kind, 6)];
  parts.push(words(node.x + 11, node.y + 18, "name", name));
  const at = node.x + 19 + name.length * LETTER;
  parts.push(words(at, node.y + 18, "flags", text.flags(m, b, t)));
  b.rows.forEach((id, i) => parts.push(row(m, m.value(id), t, node.y + 41 + 19 * i, node, e)));
  return `<g${isThere ? "" : ' class="unborn"'}>${parts.join("")}</g>`;
}

function edge(m, it, t) {
  const [member] = it.members;
  if (!m.isEdgeThere(member, t)) return "";
  const [x, y] = it.label;
  const label = text.line(m, it.members, t);
  return (
    `<path class="line" d="${shapes.outline(it.points)}"/>` +
    `<path class="tip" d="${shapes.arrow(it.points)}"/>` +
    (label ? words(x + 4, y + 11, "label", label) : "")
  );
}

function arranged(m) {
  const drawn = fold.nodes(m, new Set(), (b) => m.reached.has(b.id) || !m.fn.finished);
  const { width, height } = shapes.place(m, drawn, LETTER);
  return { nodes: drawn.nodes, edges: drawn.edges, width, height };
}

function panel(m, graph, step, x, y, width, height) {
  const t = m.time(step);
  const e = m.events[t - 1];
  const parts = [rectangle(x, y, width, height, "panel", 8)];
  const caption = wrapped(text.plain(text.sentence(m, t)), width - 2 * SIDE - 50);
  if (m.watched) parts.push(words(x + SIDE, y + 22, "step", String(step)));
  caption.forEach((it, i) => parts.push(words(x + SIDE + 30, y + 22 + 17 * i, "caption", it)));
  const left = x + (width - graph.width) / 2;
  parts.push(`<g transform="translate(${round(left)} ${y + CAPTION + 8})">`);
  for (const it of graph.edges) parts.push(edge(m, it, t));
  for (const node of graph.nodes) parts.push(block(m, node, t, e));
  return parts.join("\n") + "</g>";
}

function picture(fn, steps, most, theme) {
  const m = model.of(fn);
  const graph = arranged(m);
  const columns = Math.min(most, steps.length);
  const width = Math.max(graph.width, 320) + 2 * SIDE;
  const height = graph.height + CAPTION + 24;
  const rows = Math.ceil(steps.length / columns);
  const size = [columns * (width + GAP) - GAP + 2, rows * (height + GAP) - GAP + 2].map(Math.ceil);
  const panels = steps.map((step, i) => {
    const x = 1 + (i % columns) * (width + GAP);
    return panel(m, graph, step, x, 1 + Math.floor(i / columns) * (height + GAP), width, height);
  });
  const frame = `viewBox="0 0 ${size.join(" ")}" width="${size[0]}"`;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" ${frame}>`;
  process.stdout.write(`${head}\n<style>${styleOf(theme)}</style>\n${panels.join("\n")}\n</svg>\n`);
}
