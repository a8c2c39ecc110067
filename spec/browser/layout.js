// Checks layouts of random and of chosen graphs: nothing overlaps, lines end where they
// should and avoid the boxes. Prints what is wrong.
const { layout, routes, fold } = require("./viewer.js")(
  ...["layers", "columns", "routes", "layout", "fold"],
);

const RUNS = Number(process.argv[2] || 200);

// Numbers that are the same in each run.
function drawing(seed) {
  let state = (seed * 2654435761) >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const box = (width, height) => ({ width, height });

// A graph of any shape: self loops, parallel edges, several roots, irreducible loops.
function anyGraph(seed) {
  const pick = drawing(seed);
  const count = 1 + pick(25);
  const nodes = [];
  const edges = [];
  for (let i = 0; i < count; i++) nodes.push(box(60 + pick(200), 30 + pick(150)));
  for (let i = pick(2 * count + 2); i > 0; i--) edges.push({ from: pick(count), to: pick(count) });
  return { nodes, edges };
}

// A long graph as programs have it: jumps ahead and back are mostly short.
function longGraph(count, seed) {
  const pick = drawing(seed);
  const nodes = [];
  const edges = [];
  for (let i = 0; i < count; i++) nodes.push(box(120 + pick(120), 40 + pick(120)));
  for (let i = 0; i + 1 < count; i++) {
    edges.push({ from: i, to: i + 1 });
    if (pick(10) < 4) edges.push({ from: i, to: Math.min(count - 1, i + 1 + pick(8)) });
    if (pick(10) === 0) edges.push({ from: i, to: Math.max(1, i - pick(10)) });
  }
  return { nodes, edges };
}

function expect(good, what) {
  if (!good) throw new Error(what);
}

function checkNodes(g, placed) {
  const boxes = placed.nodes.map((p, i) => ({ ...p, ...g.nodes[i] }));
  boxes.forEach((a, i) => {
    expect(
      a.x >= -1 &&
        a.y >= 0 &&
        a.x + a.width <= placed.width + 1 &&
        a.y + a.height <= placed.height + 1,
      `node ${i} is outside`,
    );
    boxes.slice(0, i).forEach((b, k) => {
      const apart =
        a.x + a.width <= b.x ||
        b.x + b.width <= a.x ||
        a.y + a.height <= b.y ||
        b.y + b.height <= a.y;
      expect(apart, `nodes ${k} and ${i} overlap`);
    });
  });
  return boxes;
}

// The pieces of a line between its points.
const pieces = (points) =>
  points.slice(1).map(([x, y], i) => ({ x1: points[i][0], y1: points[i][1], x2: x, y2: y }));

function checkEdge(g, boxes, edge, e) {
  const { from, to } = g.edges[e];
  const { points } = edge;
  const what = `edge ${e} (${from} to ${to})`;
  const [x1, y1] = points[0];
  const [x2, y2] = points[points.length - 1];
  const a = boxes[from];
  const b = boxes[to];
  expect(
    Math.abs(y1 - a.y - a.height) < 1 && x1 >= a.x && x1 <= a.x + a.width,
    `${what} starts elsewhere`,
  );
  expect(Math.abs(y2 - b.y) < 1 && x2 >= b.x && x2 <= b.x + b.width, `${what} ends elsewhere`);
  expect(points[points.length - 2][1] < y2, `${what} does not come from above`);
  for (const p of pieces(points)) {
    expect(Math.abs(p.x1 - p.x2) < 1 || Math.abs(p.y1 - p.y2) < 1, `${what} is slanted`);
    boxes.forEach((n, i) => {
      const inside =
        Math.max(p.x1, p.x2) > n.x + 1 &&
        Math.min(p.x1, p.x2) < n.x + n.width - 1 &&
        Math.max(p.y1, p.y2) > n.y + 1 &&
        Math.min(p.y1, p.y2) < n.y + n.height - 1;
      expect(!inside, `${what} passes through node ${i}`);
    });
  }
}

// True if two edges may have a trunk in common.
function shareTrunk(g, p, q) {
  const share = (end) => {
    const node = g.edges[p][end];
    const others = g.edges.filter((it) => it[end] === node);
    return g.edges[q][end] === node && others.length >= routes.TRUNK;
  };
  return share("from") || share("to");
}

// Pieces of different edges do not lie on each other, but on a trunk: horizontal ones (axis 0:
// along x) and vertical ones (axis 1).
function checkApart(g, placed, axis) {
  const level = new Map();
  placed.edges.forEach((edge, e) => {
    for (const p of pieces(edge.points)) {
      const along = axis === 0 ? [p.x1, p.x2] : [p.y1, p.y2];
      const at = axis === 0 ? p.y1 : p.x1;
      if (Math.abs(along[0] - along[1]) < 1) continue;
      const key = Math.round(at);
      if (!level.has(key)) level.set(key, []);
      level.get(key).push({ e, a: Math.min(...along), b: Math.max(...along) });
    }
  });
  for (const list of level.values()) {
    list.sort((p, q) => p.a - q.a);
    for (let i = 1; i < list.length; i++) {
      const [p, q] = [list[i - 1], list[i]];
      const isApart = p.e === q.e || p.b <= q.a + 1;
      expect(isApart || shareTrunk(g, p.e, q.e), `edges ${p.e} and ${q.e} lie on each other`);
    }
  }
}

function check(g) {
  const placed = layout.layered(g);
  const boxes = checkNodes(g, placed);
  placed.edges.forEach((edge, e) => checkEdge(g, boxes, edge, e));
  checkApart(g, placed, 0);
  checkApart(g, placed, 1);
  return placed;
}

const [A, B, C, D] = [0, 1, 2, 3];
const edge = (from, to) => ({ from, to });
const boxes = (n) => Array.from({ length: n }, () => box(100, 50));

const chosen = {
  "a single block": () => check({ nodes: boxes(1), edges: [] }),
  nothing: () => layout.layered({ nodes: [], edges: [] }),
  "a self loop": () => {
    const placed = check({ nodes: boxes(2), edges: [edge(A, B), edge(B, B)] });
    expect(placed.edges[1].back && !placed.edges[0].back, "the wrong edge leads back");
  },
  "parallel edges": () => {
    const [p, q] = check({ nodes: boxes(2), edges: [edge(A, B), edge(A, B)] }).edges;
    expect(p.points[0][0] !== q.points[0][0], "parallel edges are one line");
  },
  "an irreducible loop": () => {
    const placed = check({
      nodes: boxes(4),
      edges: [edge(A, B), edge(A, C), edge(B, C), edge(C, B), edge(C, D)],
    });
    expect(placed.edges.filter((e) => e.back).length === 1, "one edge leads back");
  },
  "a loop, whose exit is below it": () => {
    const g = {
      nodes: boxes(4),
      edges: [edge(A, B), edge(B, C), edge(B, D), edge(C, B)],
      loops: [{ header: B, parent: -1 }],
    };
    g.nodes[B].loop = g.nodes[C].loop = 0;
    const { nodes } = check(g);
    expect(nodes[D].y > nodes[C].y && nodes[C].y > nodes[B].y, "the exit is not below the loop");
  },
  "a chain, in a straight line": () => {
    const { nodes, edges } = check({ nodes: boxes(3), edges: [edge(A, B), edge(B, C)] });
    expect(
      nodes.every((n) => n.x === nodes[0].x) && edges.every((e) => e.points.length === 2),
      "it is not straight",
    );
  },
  "a diamond, in the middle": () => {
    const { nodes } = check({
      nodes: boxes(4),
      edges: [edge(A, B), edge(A, C), edge(B, D), edge(C, D)],
    });
    expect(
      nodes[A].x === nodes[D].x && nodes[A].x * 2 === nodes[B].x + nodes[C].x,
      "it is not symmetric",
    );
  },
  "loops that are folded at first": () => {
    const loops = [{ depth: 1 }, { depth: 2, parent: 0 }];
    const loopOf = [undefined, undefined, 0, 0, 0, 0, 1, 1, 1, 1];
    const blocks = new Map(loopOf.map((loop, id) => [id, { id, loop }]));
    const first = (most) => [...fold.first({ fn: { loops }, blocks, edges: [] }, most)].join();
    expect(first(10) === "", "what has room is folded");
    expect(first(7) === "1", "the inner loop is not what is folded");
    expect(first(6) === "0" && first(1) === "0", "the outer loop is not what is folded");
  },
  "edges over many layers": () => {
    const g = { nodes: boxes(90), edges: [] };
    for (let i = 0; i < 89; i++) g.edges.push(edge(i, i + 1));
    g.edges.push(edge(0, 89), edge(88, 1), edge(5, 80));
    check(g);
  },
  "a wide switch": () => {
    const g = { nodes: boxes(80), edges: [] };
    g.nodes[0].width = g.nodes[79].width = 900;
    for (let i = 1; i < 79; i++) g.edges.push(edge(0, i), edge(i, 79));
    const { edges } = check(g);
    const into = edges.filter((_, i) => i % 2 === 1);
    expect(new Set(into.map(({ points }) => points.at(-2)[1])).size === 1, "there is no trunk");
    const labels = edges.filter((_, i) => i % 2 === 0).map(({ label }) => label[0]);
    expect(new Set(labels).size === 78, "labels lie on each other");
  },
};

// The processor's time in ms, the least of some runs.
function cost(g, runs) {
  let least = Infinity;
  for (let i = 0; i < runs; i++) {
    const start = process.cpuUsage();
    layout.layered(g);
    least = Math.min(least, process.cpuUsage(start).user / 1000);
  }
  return least;
}

function run() {
  for (const [name, f] of Object.entries(chosen)) {
    try {
      f();
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }
  for (let seed = 1; seed <= RUNS; seed++) {
    try {
      check(anyGraph(seed));
    } catch (error) {
      throw new Error(`graph ${seed}: ${error.message}`);
    }
  }
  check(longGraph(120, 1));
  const small = cost(longGraph(500, 1), 5);
  expect(small < 100, `500 blocks take ${small} ms`);
  if (RUNS < 100) return;
  const large = cost(longGraph(10000, 1), 2);
  expect(large < 2000, `10,000 blocks take ${large} ms`);
}

try {
  run();
  console.log("good");
} catch (error) {
  console.log(error.message);
  process.exit(1);
}
