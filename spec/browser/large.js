// The page of the largest function of Lua's interpreter, all of it unfolded: what a step costs by
// the browser's own clock, and how many lines cross, beside Graphviz. Reads from a file the
// browser's path and that of the page.
const { execFileSync } = require("child_process");
const path = require("path");
const { expect, visitAll } = require("./browser.js");

// {== Crossings

const pieces = (lines) =>
  lines.flatMap((points, e) =>
    points.slice(1).map((q, i) => {
      const p = points[i];
      const [top, bottom] = [Math.min(p[1], q[1]), Math.max(p[1], q[1])];
      return { e, p, q, left: Math.min(p[0], q[0]), right: Math.max(p[0], q[0]), top, bottom };
    }),
  );

// Where two pieces cross, as a text, or undefined.
function crossing({ p, q }, other) {
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const [ex, ey] = [other.q[0] - other.p[0], other.q[1] - other.p[1]];
  const d = dx * ey - dy * ex;
  if (Math.abs(d) < 1e-9) return undefined;
  const [fx, fy] = [other.p[0] - p[0], other.p[1] - p[1]];
  const a = (fx * ey - fy * ex) / d;
  const b = (fx * dy - fy * dx) / d;
  const isWithin = (t) => t > 1e-6 && t < 1 - 1e-6;
  if (!isWithin(a) || !isWithin(b)) return undefined;
  return `${Math.round(p[0] + a * dx)} ${Math.round(p[1] + a * dy)}`;
}

// The points at which lines of different edges cross: where a trunk is crossed is one point.
function crossings(lines) {
  const list = pieces(lines).sort((a, b) => a.left - b.left);
  const found = new Set();
  list.forEach((it, i) => {
    for (let k = i + 1; k < list.length && list[k].left <= it.right; k++) {
      const other = list[k];
      if (it.e === other.e || it.top > other.bottom || it.bottom < other.top) continue;
      found.add(crossing(it, other));
    }
  });
  found.delete(undefined);
  return found.size;
}

// A spline of Graphviz as a polyline.
function polyline(c) {
  const points = [c[0]];
  for (let i = 0; i + 3 < c.length; i += 3) {
    for (let k = 1; k <= 12; k++) {
      const t = k / 12;
      const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
      points.push([0, 1].map((axis) => weights.reduce((sum, w, j) => sum + w * c[i + j][axis], 0)));
    }
  }
  return points;
}

// The lines that Graphviz draws between boxes of the same sizes.
function linesOfDot({ nodes, edges }) {
  const input = [
    'digraph { node [shape=box fixedsize=true label=""];',
    ...nodes.map(([w, h], i) => `n${i} [width=${w / 72} height=${h / 72}];`),
    ...edges.map(({ from, to }) => `n${from} -> n${to};`),
    "}",
  ].join("\n");
  const plain = execFileSync("dot", ["-Tplain"], { input, maxBuffer: 1e9 }).toString();
  const rows = plain.split("\n").map((line) => line.split(" "));
  return rows
    .filter(([kind]) => kind === "edge")
    .map(([, , , n, ...at]) =>
      polyline(Array.from({ length: n }, (_, i) => [72 * at[2 * i], 72 * at[2 * i + 1]])),
    );
}

// }== Steps

// Measures what something costs, such as a step, in ms of the page's thread: script, style,
// layout, paint.
async function meter(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find((it) => it.name === "TaskDuration").value;
  };
  const timed = async (action, it) => {
    const before = await spent();
    await page.evaluate(action, it);
    await page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))),
        ),
    );
    return (await spent()) - before;
  };
  const cost = (step) => timed((wanted) => globalThis.explorer.timeline.go(wanted), step);
  return { timed, cost, count: await page.evaluate(() => globalThis.explorer.model.steps.length) };
}

function summary(list) {
  list.sort((a, b) => a - b);
  return { median: list[25], p95: list[47] };
}

// What ten steps in each of five places of a function cost.
async function costs(page) {
  const { cost, count } = await meter(page);
  const list = [];
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.99]) {
    const first = Math.floor(part * count);
    await cost(first);
    await page.waitForTimeout(400);
    for (let i = 1; i <= 10; i++) list.push(await cost(first + i));
  }
  return summary(list);
}

// What it costs to go to and fro, fifty times.
async function jumps(page) {
  const { cost, count } = await meter(page);
  const list = [];
  for (let i = 1; i <= 50; i++) list.push(await cost((i * 7919) % count));
  return summary(list);
}

// }==

async function visit(browser, file) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  const problems = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(`file://${path.resolve(file)}`);
  const { timed, cost } = await meter(page);
  const unfolding = await timed(() => {
    const { graph } = globalThis.explorer;
    graph.folded.clear();
    graph.arrange();
    graph.render();
  });
  // the block of the most variables is sealed: the paper's algorithm recurses through most blocks
  const heavy = await cost(9702);
  const lines = await page.evaluate(() => globalThis.explorer.algorithm.paper.count);
  expect(lines > 400000, `${lines} lines`);
  const drawing = await page.evaluate(() => {
    const { graph } = globalThis.explorer;
    return {
      nodes: graph.nodes.map(({ width, height }) => [width, height]),
      edges: graph.edges.map(({ from, to }) => ({ from, to })),
      lines: graph.edges.map(({ points }) => points),
    };
  });
  const readable = await costs(page);
  const jumping = await jumps(page);
  const before = await page.evaluate(() => globalThis.explorer.graph.view.x);
  await page.locator("#graph .minimap").click();
  const after = await page.evaluate(() => globalThis.explorer.graph.view.x);
  expect(before !== after, "a click into the minimap does not move the graph");
  await page.evaluate(() => globalThis.explorer.graph.fit());
  expect(
    !(await page.locator("#graph .minimap").isVisible()),
    "there is a minimap of what is all in sight",
  );
  const whole = await costs(page);
  const spilled = await page.evaluate(
    () =>
      [...document.querySelectorAll(".far .box .name")].filter(
        (it) => it.offsetWidth > it.closest(".box").offsetWidth,
      ).length,
  );
  expect(problems.length === 0, problems.join("; "));
  const dot = crossings(linesOfDot(drawing));
  const own = crossings(drawing.lines);
  await page.close();
  const blocks = drawing.nodes.length;
  const steps = { readable, jumping, whole };
  return JSON.stringify({ blocks, unfolding, heavy, ...steps, spilled, own, dot });
}

visitAll(({ file }) => [["large", (browser) => visit(browser, file)]]);
