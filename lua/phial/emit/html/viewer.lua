--- The viewer of phial.emit.html: the files in viewer/ as strings, by `make generate`.
local M = {}

--- What a page's policy permits.
M.script_hash = "s/Vc2MUXwFlEhPLJj+ltmKl56G9INyRFD0wYi67CJ0w="
M.style_hash = "ZOy5NvmUYGJMugnAQ6ahgPe1deotwGYEjT0qEJSP/78="

M.page = [==[
<header>
  <h1><span class="keyword">fn</span> <span id="name"></span><select id="function" aria-label="Function" hidden></select><span id="signature"></span></h1>
  <div class="search" role="search">
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" role="combobox" aria-label="Search blocks, variables and values" aria-controls="results" aria-expanded="false">
    <ul id="results" role="listbox" aria-label="Results" hidden></ul>
  </div>
  <div class="group" role="group" aria-label="What is shown">
    <button id="show-loops" aria-pressed="false" title="Loops, by depth">Loops</button>
    <button id="show-dominators" aria-pressed="false" title="The dominator tree">Dominators</button>
    <button id="show-removed" aria-pressed="true" title="What was removed">Removed</button>
  </div>
  <div class="group" role="group" aria-label="Panels">
    <button id="show-source" aria-pressed="true">Source</button>
    <button id="show-details" aria-pressed="true">Details</button>
  </div>
</header>
<main>
  <aside id="source" aria-label="Source">
    <div id="tabs" role="tablist"></div>
    <div id="lines-of-source" tabindex="0" aria-label="Lines"></div>
  </aside>
  <section id="graph" aria-label="Control flow" tabindex="-1">
    <div id="world">
      <svg id="halos" aria-hidden="true"></svg>
      <svg id="lines" aria-hidden="true"></svg>
      <svg id="tree" aria-hidden="true"></svg>
      <div id="boxes"></div>
    </div>
    <div class="zoom" role="group" aria-label="Zoom">
      <button id="zoom-out" aria-label="Zoom out">−</button><button id="fit" aria-label="Fit">Fit</button><button id="zoom-in" aria-label="Zoom in">+</button>
    </div>
  </section>
  <aside id="details" aria-label="Details" tabindex="0"></aside>
</main>
<footer id="timeline" aria-label="Steps">
  <p id="sentence" aria-live="polite"></p>
  <div class="track"><canvas id="strip" aria-hidden="true"></canvas><input id="slider" type="range" min="0" max="0" value="0" aria-label="Step"></div>
  <div class="controls">
    <div class="group" role="group" aria-label="Go">
      <button id="first" aria-label="First step" title="First (Home)"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3h1.6v10H3zM12.4 4.1 8.5 8l3.9 3.9-1.1 1.1L6.3 8l5-5z"></path></svg></button>
      <button id="back" aria-label="Step back" title="Back (←)"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10.9 4.1 7 8l3.9 3.9-1.1 1.1-5-5 5-5z"></path></svg></button>
      <button id="play" aria-label="Play" title="Play (Space)"><svg viewBox="0 0 16 16" aria-hidden="true"><path id="play-shape" d="M4 2.5v11L13 8z"></path></svg></button>
      <button id="next" aria-label="Next step" title="Next (→)"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M5.1 4.1 9 8l-3.9 3.9 1.1 1.1 5-5-5-5z"></path></svg></button>
      <button id="last" aria-label="Last step" title="Last (End)"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M13 3h-1.6v10H13zM3.6 4.1 7.5 8l-3.9 3.9L4.7 13l5-5-5-5z"></path></svg></button>
    </div>
    <label>Speed <select id="speed"><option value="0.5">½</option><option value="1">1</option><option value="2" selected>2</option><option value="5">5</option><option value="20">20</option></select> a second</label>
    <button id="mark" aria-pressed="false" title="Marks this step: others are compared with it">Compare</button>
    <output id="count"></output>
  </div>
</footer>
<noscript>This page shows a function by JavaScript, which is switched off.</noscript>
]==]

M.style = [==[
/* viewer.css: the page of phial.emit.html, light and dark, on screen and paper. */

:root {
  color-scheme: light dark;
  --page: #f6f7f8; --panel: #ffffff; --box: #ffffff; --line: #d9dde3; --strong: #aab2bd;
  --text: #20262e; --muted: #69727d; --accent: #2563c9; --accent-soft: #e4edfb;
  --phi: #7a3fc0; --phi-soft: #f6f0fd; --gone: #b8483b; --gone-soft: #fcebe8;
  --sealed: #14796c; --write: #a76a00; --read: #8fa3bd; --other: #c5ccd5;
  --touched: #ffe9a8; --touched-line: #e0a100; --added: #dff3e2; --changed: #fff2cc;
  --variable: #a05a00; --back: #7c8794; --halo: #2563c9;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", sans-serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181c; --panel: #1b1f24; --box: #21262d; --line: #343b44; --strong: #57616d;
    --text: #dfe4ea; --muted: #919ba7; --accent: #79aef5; --accent-soft: #22344f;
    --phi: #c39cf3; --phi-soft: #2a2436; --gone: #ee8f83; --gone-soft: #3a2422;
    --sealed: #5fc7b6; --write: #e5ad4d; --read: #6c7f99; --other: #454e59;
    --touched: #55451a; --touched-line: #d9a92e; --added: #1f3a26; --changed: #42391c;
    --variable: #eab56a; --back: #7f8b99; --halo: #79aef5;
  }
}

* { box-sizing: border-box; }
[hidden] { display: none !important; }

html, body { height: 100%; margin: 0; }

body {
  display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr); background: var(--page); color: var(--text);
  font: 13.5px/1.45 var(--sans); overflow: hidden;
}

/* Controls */

button, select, input[type="search"] {
  font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
  height: 28px; padding: 0 10px;
}
button { cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--strong); }
button:disabled { color: var(--strong); cursor: default; }
button[aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); border-color: transparent; }
button.plain { height: 21px; padding: 0 6px; font-size: 12px; }
button svg { display: block; width: 14px; height: 14px; fill: currentColor; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }

.group { display: flex; gap: 4px; }

/* Header */

header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px 18px; padding: 8px 14px;
  background: var(--panel); border-bottom: 1px solid var(--line); z-index: 3;
}
h1 { display: flex; align-items: center; flex: 1 1 200px; margin: 0; font: 600 14px var(--mono); min-width: 0; }
h1 .keyword { color: var(--muted); font-weight: 400; margin-right: 7px; }
h1 select { border-color: transparent; padding: 0 2px; font: inherit; height: 26px; max-width: 40ch; background: transparent; }
#name { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
#signature { flex: 1 1 0; min-width: 60px; }
h1 option { background: var(--panel); }
#signature { font-weight: 400; color: var(--muted); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }

.search { position: relative; }
#search { width: 170px; }
#results {
  position: absolute; top: 32px; right: 0; width: 280px; max-height: 340px; overflow: auto; margin: 0; padding: 4px;
  list-style: none; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  box-shadow: 0 8px 24px rgb(0 0 0 / 18%); font-family: var(--mono); font-size: 12.5px;
}
#results li { display: flex; justify-content: space-between; gap: 12px; padding: 3px 8px; border-radius: 5px; cursor: pointer; }
#results li[aria-selected="true"], #results li:hover { background: var(--accent-soft); }
#results small { color: var(--muted); font-family: var(--sans); }

/* Panels */

main { display: grid; grid-template-columns: minmax(200px, 25%) minmax(0, 1fr) minmax(220px, 22%); min-height: 0; }
aside { background: var(--panel); min-width: 0; min-height: 0; }
#source { display: flex; flex-direction: column; border-right: 1px solid var(--line); }
#details { border-left: 1px solid var(--line); overflow: auto; padding: 12px 14px 24px; }
.hide-source #source, .without-source #source, .hide-details #details { display: none; }
.without-source #show-source { display: none; }
.hide-source main, .without-source main { grid-template-columns: minmax(0, 1fr) minmax(220px, 25%); }
.hide-details main { grid-template-columns: minmax(200px, 28%) minmax(0, 1fr); }
.hide-source.hide-details main, .without-source.hide-details main { grid-template-columns: minmax(0, 1fr); }

/* Source */

#tabs { display: flex; overflow-x: auto; border-bottom: 1px solid var(--line); flex: none; padding: 0 8px; }
#tabs button { border: 0; border-radius: 0; background: none; border-bottom: 2px solid transparent; color: var(--muted); height: 32px; flex: none; }
#tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); }
#lines-of-source { overflow: auto; flex: 1; padding: 6px 0; font: 12.5px/20px var(--mono); }
.code-line { display: flex; width: max-content; min-width: 100%; color: var(--muted); border-left: 3px solid transparent; }
.code-line .number { flex: none; width: 44px; padding-right: 12px; text-align: right; color: var(--strong); user-select: none; }
.code-line .code { white-space: pre; padding-right: 16px; unicode-bidi: isolate; }
.code-line.has-steps { color: var(--text); cursor: pointer; }
.code-line.has-steps:hover { background: var(--accent-soft); }
.code-line.current { background: var(--touched); border-left-color: var(--touched-line); color: var(--text); }

/* Graph */

#graph { position: relative; overflow: hidden; cursor: grab; touch-action: none; user-select: none; }
#graph:active { cursor: grabbing; }
#world { position: absolute; left: 0; top: 0; transform-origin: 0 0; }
#world.gliding { transition: transform 0.28s ease; }
#world svg { position: absolute; left: 0; top: 0; overflow: visible; pointer-events: none; }
#world .hidden { display: none; }

.box {
  position: absolute; background: var(--box); border: 1px solid var(--strong); border-radius: 7px;
  font: 12.5px/19px var(--mono); cursor: default; contain: layout style;
}
.box .head { display: flex; align-items: center; justify-content: space-between; gap: 10px; height: 26px; padding: 0 10px; font-weight: 600; }
.box .flags { font: 500 10.5px var(--sans); color: var(--write); letter-spacing: 0.02em; white-space: nowrap; }
.box.unsealed { border-top-style: dashed; }
.box.unfilled { border-bottom-style: dashed; }
.box.touched { border-color: var(--touched-line); box-shadow: 0 0 0 3px var(--touched); }
.box.selected { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent); }
.box.unborn { opacity: 0.28; border-style: dotted; background: none; }
.box.dropped { opacity: 0.4; border-style: dotted; border-color: var(--gone); }
.box.added { background: var(--added); }
.box.lost { background: var(--gone-soft); }
.box.folded { background: var(--accent-soft); border-color: var(--accent); cursor: pointer; box-shadow: 3px 3px 0 -1px var(--page), 3px 3px 0 0 var(--line); }
.box.folded .name { color: var(--muted); font-weight: 400; margin-right: 6px; }
.box.folded .head { justify-content: flex-start; gap: 0; }
.box.folded .row { color: var(--muted); font-family: var(--sans); }

.row { height: 19px; padding: 0 10px; white-space: pre; overflow: hidden; unicode-bidi: isolate; }
.row.probe { position: absolute; padding: 0; font: 12.5px/19px var(--mono); visibility: hidden; }
.row.phi { background: var(--phi-soft); }
.row.gone { color: var(--muted); text-decoration: line-through; text-decoration-color: var(--gone); opacity: 0.6; background: none; }
.without-gone .row.gone { visibility: hidden; }
.row.unborn { background: none; }
.row.in-web { background: var(--accent-soft); }
.row.using { box-shadow: inset 3px 0 0 var(--accent); }
.row.touched { background: var(--touched); opacity: 1; visibility: visible; }
.row.selected { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); font-weight: 600; }
.row.added { background: var(--added); }
.row.changed { background: var(--changed); }
.row.lost { background: var(--gone-soft); opacity: 1; visibility: visible; }

.pill {
  position: absolute; right: 8px; top: -10px; height: 18px; padding: 0 7px; border-radius: 9px; line-height: 18px;
  background: var(--variable); color: var(--box); font-size: 11.5px; white-space: pre;
}
.box .pill .thing { color: inherit; }

.thing { cursor: pointer; unicode-bidi: isolate; }
.thing.value { color: var(--accent); }
.thing.value.own { color: inherit; font-weight: 600; }
.thing.variable { color: var(--variable); }
.row.gone .thing { color: inherit; }
.thing:hover { text-decoration: underline; }
.thing.block { color: var(--sealed); }
.row .thing.block { color: var(--muted); }
button.thing { border: 0; padding: 0; height: auto; background: none; font: 0.95em var(--mono); border-radius: 3px; }

.edge .line { fill: none; stroke: var(--strong); stroke-width: 1.4; }
.edge .tip { fill: var(--strong); }
.edge.back .line { stroke: var(--back); stroke-dasharray: none; stroke-width: 1.8; }
.edge.back .tip { fill: var(--back); }
.edge text { font: 10.5px var(--sans); fill: var(--muted); }
.edge.touched .line { stroke: var(--touched-line); stroke-width: 2.4; }
.edge.touched .tip { fill: var(--touched-line); }
#lines.dim { opacity: 0.3; }
#tree path { fill: none; stroke: var(--phi); stroke-width: 1.6; stroke-dasharray: 5 4; }
#tree circle { fill: var(--phi); }
.halo { opacity: 0.09; }
.halo rect { fill: var(--halo); }

.far .head { font-size: 30px; height: 100%; justify-content: center; overflow: hidden; }
.far .flags, .far .pill { display: none; }
.far .edge .line { stroke-width: 3; }
.far .edge text { display: none; }

.zoom { position: absolute; right: 10px; bottom: 10px; display: flex; }
.zoom button { border-radius: 0; min-width: 30px; padding: 0 8px; margin-left: -1px; }
.zoom button:first-child { border-radius: 6px 0 0 6px; }
.zoom button:last-child { border-radius: 0 6px 6px 0; }

/* Details */

h2 { margin: 0 0 10px; font: 600 16px var(--mono); overflow-wrap: anywhere; }
h2 small { display: block; font: 500 11.5px var(--sans); color: var(--muted); }
h3 { margin: 16px 0 4px; font: 600 12px var(--sans); color: var(--muted); }
#details p { margin: 0 0 4px; }
#details ul { margin: 0; padding: 0; list-style: none; }
#details li { padding: 2px 0; overflow-wrap: anywhere; }
#details .code, #details li .thing { font-family: var(--mono); }
#details .code { font-size: 12.5px; }
#details .muted { color: var(--muted); }
#details .problem { color: var(--gone); }
#details .thing.step { white-space: nowrap; color: var(--accent); font-family: var(--sans); font-weight: 600; }
#details .thing { text-align: left; overflow-wrap: anywhere; white-space: normal; }
#details .full { max-height: 220px; overflow: auto; font: 12px var(--mono); overflow-wrap: anywhere; unicode-bidi: isolate; }
#details dl { display: grid; grid-template-columns: auto 1fr; gap: 3px 12px; margin: 0; }
#details dd { margin: 0; color: var(--muted); }
kbd { font: 11.5px var(--mono); }
.differences { border-bottom: 1px solid var(--line); margin-bottom: 14px; padding-bottom: 12px; }
.differences li { font: 12px/1.5 var(--mono); }
.differences .added h3 { color: var(--sealed); }
.differences .lost h3 { color: var(--gone); }
.differences .changed h3 { color: var(--write); }

/* Timeline */

#timeline { background: var(--panel); border-top: 1px solid var(--line); padding: 8px 14px 10px; z-index: 2; }
#timeline.result-only .track, #timeline.result-only .controls { display: none; }
#sentence { margin: 0 0 6px; min-height: 22px; font-size: 15px; line-height: 22px; overflow-wrap: anywhere; max-height: 66px; overflow: auto; }
#sentence .thing { font-size: 14px; font-weight: 600; }
.track { position: relative; }
#strip { display: block; width: 100%; height: 6px; border-radius: 3px; }
#slider { display: block; width: 100%; margin: 2px 0 4px; height: 18px; accent-color: var(--accent); }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px; }
.controls label { color: var(--muted); }
.controls select { padding: 0 4px; color: var(--text); }
#count { margin-left: auto; color: var(--muted); font-variant-numeric: tabular-nums; }

/* Narrow pages: the panels below each other */

@media (max-width: 860px) {
  main, .hide-source main, .without-source main, .hide-details main { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) 34%; }
  #graph { grid-row: 1; grid-column: 1 / -1; border-bottom: 1px solid var(--line); }
  #source { grid-row: 2; }
  #details { grid-row: 2; padding: 8px 12px 16px; }
  .hide-source #details, .without-source #details, .hide-details #source { grid-column: 1 / -1; }
  .hide-source.hide-details main, .without-source.hide-details main { grid-template-rows: minmax(0, 1fr); }
  header { gap: 6px 10px; padding: 6px 10px; }
  #search { width: 120px; }
}

@media (prefers-reduced-motion: reduce) {
  #world.gliding { transition: none; }
}

@media print {
  :root { color-scheme: light; }
  html, body { height: auto; overflow: visible; display: block; background: #fff; }
  main { display: block; }
  header .group, .search, .zoom, .track, .controls, #source, #details { display: none !important; }
  #graph { overflow: visible; break-inside: avoid; }
  #timeline, header { border: 0; }
  * { print-color-adjust: exact; }
}
]==]

M.script = [==[
"use strict";
(() => {
// layers: the layer of each node of a control-flow graph, and their order in it.
//
// After Sugiyama, Tagawa, Toda (1981): edges that close a cycle of the depth-first search
// are turned round; layers are longest paths; edges that pass a layer get a dummy there;
// sweeps by barycentre order the layers.
const layers = (() => {
  // An edge over more layers is led past the whole drawing.
  const LONGEST = 40;

  // {== Cycles and layers

  // The edges that lead back to a node on the path of the search.
  function backEdges(g) {
    const state = new Uint8Array(g.count);
    const back = new Uint8Array(g.edges.length);
    const roots = [g.entry, ...g.roots];
    for (const root of roots) {
      if (state[root]) continue;
      const path = [root];
      const at = [0];
      state[root] = 1;
      while (path.length > 0) {
        const node = path[path.length - 1];
        const i = at[at.length - 1]++;
        if (i === g.out[node].length) {
          state[node] = 2;
          path.pop();
          at.pop();
          continue;
        }
        const e = g.out[node][i];
        const to = g.edges[e].to;
        if (state[to] === 1) back[e] = 1;
        if (state[to] === 0) {
          state[to] = 1;
          path.push(to);
          at.push(0);
        }
      }
    }
    return back;
  }

  // What follows a loop is to be below it: each loop has an end, below the sources of its
  // back edges and above its exits. Returns arcs {from, to, length} between nodes and ends,
  // which are numbered behind the nodes.
  function loopArcs(g, back) {
    const arcs = [];
    const loops = g.loops;
    const isIn = (node, loop) => {
      for (let l = g.loopOf[node]; l >= 0; l = loops[l].parent) if (l === loop) return true;
      return false;
    };
    g.edges.forEach(({ from, to }, e) => {
      for (let l = g.loopOf[from]; l >= 0; l = loops[l].parent) {
        const end = g.count + l;
        if (back[e] && loops[l].header === to) arcs.push({ from, to: end, length: 0 });
        if (!isIn(to, l)) arcs.push({ from: end, to, length: 1 });
      }
    });
    return arcs;
  }

  // The longest paths; null if the arcs have a cycle.
  function longestPaths(count, arcs) {
    const out = Array.from({ length: count }, () => []);
    const waits = new Int32Array(count);
    for (const arc of arcs) {
      out[arc.from].push(arc);
      waits[arc.to]++;
    }
    const layer = new Int32Array(count);
    const ready = [];
    for (let v = 0; v < count; v++) if (waits[v] === 0) ready.push(v);
    for (let i = 0; i < ready.length; i++) {
      for (const { to, length } of out[ready[i]]) {
        layer[to] = Math.max(layer[to], layer[ready[i]] + length);
        if (--waits[to] === 0) ready.push(to);
      }
    }
    return ready.length === count ? layer : null;
  }

  function layersOf(g, back) {
    const arcs = [];
    g.edges.forEach(({ from, to }, e) => {
      if (!back[e]) arcs.push({ from, to, length: 1 });
    });
    const layer =
      longestPaths(g.count + g.loops.length, arcs.concat(loopArcs(g, back))) ||
      longestPaths(g.count, arcs);
    const depth = 1 + layer.subarray(0, g.count).reduce((a, b) => Math.max(a, b), 0);
    spreadLonely(g, layer, depth);
    return { layer, depth };
  }

  // Nodes without edges are spread over the layers; other roots move towards their targets.
  function spreadLonely(g, layer, depth) {
    let lonely = 0;
    for (const v of g.roots) {
      if (g.in[v].length > 0 || v === g.entry) continue;
      const below = g.out[v].reduce((least, e) => Math.min(least, layer[g.edges[e].to]), depth);
      layer[v] = g.out[v].length > 0 ? Math.max(0, below - 1) : lonely++ % depth;
    }
  }

  // }== Dummies

  // Splits edges into links between neighbouring layers. Each edge gets the list of its
  // dummies from its source on; those of a back edge begin in the source's own layer and
  // end in the target's.
  function split(g, back, layer) {
    const at = Array.from(layer.subarray(0, g.count));
    const dummies = g.edges.map(() => []);
    const above = at.map(() => []);
    const below = at.map(() => []);
    const anchor = [];
    const link = (u, v) => {
      below[u].push(v);
      above[v].push(u);
    };
    const add = (e, l) => {
      const id = at.push(l) - 1;
      above.push([]);
      below.push([]);
      dummies[e].push(id);
      return id;
    };
    const far = g.edges.map(({ from, to }) => Math.abs(at[to] - at[from]) > LONGEST);
    g.edges.forEach(({ from, to }, e) => {
      if (far[e]) return;
      if (!back[e]) {
        let last = from;
        for (let l = at[from] + 1; l < at[to]; l++) {
          const id = add(e, l);
          link(last, id);
          last = id;
        }
        link(last, to);
      } else {
        for (let l = at[from]; l >= at[to]; l--) {
          const id = add(e, l);
          if (l < at[from]) link(id, id - 1);
        }
        anchor[dummies[e][0]] = from;
        anchor[dummies[e][dummies[e].length - 1]] ??= to;
      }
    });
    const ends = anchor.map((_, d) => d).filter((d) => d !== undefined);
    return { at, above, below, anchor, ends, dummies, far };
  }

  // }== Order

  // The first order: that of a depth-first search.
  function firstOrder(g, s, depth) {
    const rows = Array.from({ length: depth }, () => []);
    const seen = new Uint8Array(s.at.length);
    const visit = (root) => {
      const work = [root];
      while (work.length > 0) {
        const v = work.pop();
        if (seen[v]) continue;
        seen[v] = 1;
        rows[s.at[v]].push(v);
        for (let i = s.below[v].length - 1; i >= 0; i--) work.push(s.below[v][i]);
      }
    };
    visit(g.entry);
    for (let v = 0; v < s.at.length; v++) visit(v);
    return rows;
  }

  function positions(rows, pos) {
    for (const row of rows)
      row.forEach((v, i) => {
        pos[v] = i;
      });
  }

  // Sorts a row by the mean position of its neighbours; what has none keeps its place, and
  // a back edge stays at the right of its ends.
  function sortRow(row, near, s, pos, key, flip) {
    for (const v of row) {
      const list = near[v];
      let sum = 0;
      for (let i = 0; i < list.length; i++) sum += pos[list[i]];
      key[v] = list.length > 0 ? sum / list.length : pos[v];
    }
    for (const v of row) {
      if (s.anchor[v] !== undefined && near[v].length === 0) key[v] = key[s.anchor[v]] + 0.4;
    }
    const tie = flip ? -1 : 1;
    row.sort((a, b) => key[a] - key[b] || tie * (pos[a] - pos[b]));
    for (let i = 0; i < row.length; i++) pos[row[i]] = i;
  }

  // The crossings of the links between two rows: inversions, counted by a tree of sums; and
  // what a back edge passes on the way to its dummy.
  function crossings(rows, s, pos) {
    let total = 0;
    for (let l = 1; l < rows.length; l++)
      total += crossingsBetween(rows[l - 1], rows[l].length, s, pos);
    for (const d of s.ends) total += Math.abs(pos[d] - pos[s.anchor[d]]) - 1;
    return total;
  }

  function crossingsBetween(upper, size, s, pos) {
    const tree = new Int32Array(size + 1);
    let total = 0;
    let seen = 0;
    for (const u of upper) {
      const list = s.below[u];
      for (let k = 0; k < list.length; k++) {
        let less = 0;
        for (let i = pos[list[k]] + 1; i > 0; i -= i & -i) less += tree[i];
        total += seen - less;
      }
      seen += list.length;
      for (let k = 0; k < list.length; k++) {
        for (let i = pos[list[k]] + 1; i <= size; i += i & -i) tree[i]++;
      }
    }
    return total;
  }

  function order(g, s, depth) {
    let rows = firstOrder(g, s, depth);
    let best = null;
    let least = Infinity;
    const pos = new Int32Array(s.at.length);
    const key = new Float64Array(s.at.length);
    const rounds = s.at.length < 12000 ? 12 : 4;
    let since = 0;
    positions(rows, pos);
    for (let round = 0; round < rounds && least > 0 && since < 4; round++) {
      const down = round % 2 === 0;
      const flip = round % 4 >= 2;
      for (let i = 1; i < depth; i++) {
        const l = down ? i : depth - 1 - i;
        sortRow(rows[l], down ? s.above : s.below, s, pos, key, flip);
      }
      const count = crossings(rows, s, pos);
      since++;
      if (count < least) {
        least = count;
        since = 0;
        best = rows.map((row) => row.slice());
      }
    }
    rows = best || rows;
    positions(rows, pos);
    return { rows, pos };
  }

  // }==

  return { backEdges, layersOf, split, order, positions };
})();

// columns: horizontal coordinates of the nodes of a layered graph, after Brandes, Köpf (2001).
const columns = (() => {
  const NODE_GAP = 30;
  const DUMMY_GAP = 16;

  // Links of a node and a dummy that cross one between two dummies, which shall be straight.
  function conflicts(rows, s, pos, isDummy) {
    const found = new Set();
    const n = s.at.length;
    for (let l = 1; l < rows.length; l++) {
      const upper = rows[l - 1];
      const lower = rows[l];
      let k0 = 0;
      let scan = 0;
      lower.forEach((v, i) => {
        const inner = isDummy(v) ? s.above[v].find(isDummy) : undefined;
        const k1 = inner === undefined ? upper.length : pos[inner];
        if (k1 === upper.length && i < lower.length - 1) return;
        for (; scan <= i; scan++) {
          const w = lower[scan];
          for (const u of s.above[w]) {
            const both = isDummy(u) && isDummy(w);
            if (!both && (pos[u] < k0 || pos[u] > k1)) found.add(u * n + w);
          }
        }
        k0 = k1;
      });
    }
    return found;
  }

  // Aligns each node with a median neighbour; rows and positions may be mirrored.
  function align(rows, pos, near, bad) {
    const n = pos.length;
    const root = new Int32Array(n);
    const next = new Int32Array(n);
    for (let v = 0; v < n; v++) root[v] = next[v] = v;
    for (const row of rows) {
      let last = -1;
      for (const v of row) {
        const list = near[v].slice().sort((a, b) => pos[a] - pos[b]);
        if (list.length === 0) continue;
        const mid = (list.length - 1) / 2;
        for (let m = Math.floor(mid); m <= Math.ceil(mid); m++) {
          const u = list[m];
          if (next[v] !== v || pos[u] <= last || bad(u, v)) continue;
          next[u] = v;
          root[v] = root[u];
          next[v] = root[v];
          last = pos[u];
        }
      }
    }
    return root;
  }

  // Places aligned blocks as far to the left as their neighbours permit, then moves each
  // that has room to the right.
  function compact(rows, root, gap) {
    const n = root.length;
    const after = Array.from({ length: n }, () => []);
    const waits = new Int32Array(n);
    for (const row of rows) {
      for (let i = 1; i < row.length; i++) {
        const u = root[row[i - 1]];
        const v = root[row[i]];
        after[u].push({ v, d: gap(row[i - 1], row[i]) });
        waits[v]++;
      }
    }
    const x = new Float64Array(n);
    const sorted = [];
    for (let v = 0; v < n; v++) if (root[v] === v && waits[v] === 0) sorted.push(v);
    for (let i = 0; i < sorted.length; i++) {
      for (const { v, d } of after[sorted[i]]) {
        x[v] = Math.max(x[v], x[sorted[i]] + d);
        if (--waits[v] === 0) sorted.push(v);
      }
    }
    for (let i = sorted.length - 1; i >= 0; i--) {
      let room = Infinity;
      for (const { v, d } of after[sorted[i]]) room = Math.min(room, x[v] - d);
      if (room !== Infinity) x[sorted[i]] = Math.max(x[sorted[i]], room);
    }
    return x.map((_, v) => x[root[v]]);
  }

  function assignX(rows, s, pos, width, isDummy) {
    const n = s.at.length;
    const bad = conflicts(rows, s, pos, isDummy);
    const all = [];
    const gap = (u, v) =>
      (width(u) + width(v)) / 2 +
      (isDummy(u) && isDummy(v) ? DUMMY_GAP : isDummy(u) || isDummy(v) ? NODE_GAP * 0.8 : NODE_GAP);
    for (const down of [true, false]) {
      for (const left of [true, false]) {
        let order = down ? rows : rows.slice().reverse();
        if (!left) order = order.map((row) => row.slice().reverse());
        const p = new Int32Array(n);
        layers.positions(order, p);
        const isBad = down ? (u, v) => bad.has(u * n + v) : (u, v) => bad.has(v * n + u);
        const x = compact(order, align(order, p, down ? s.above : s.below, isBad), gap);
        all.push(left ? x : x.map((a) => -a));
      }
    }
    return average(all, width);
  }

  // Moves the four placements to the narrowest, and takes the mean of the two in the middle.
  function average(all, width) {
    const bounds = all.map((x) => {
      let low = Infinity;
      let high = -Infinity;
      x.forEach((a, v) => {
        low = Math.min(low, a - width(v) / 2);
        high = Math.max(high, a + width(v) / 2);
      });
      return { low, high };
    });
    const best = bounds.reduce((a, b) => (b.high - b.low < a.high - a.low ? b : a));
    const shift = bounds.map((b, i) => (i % 2 === 0 ? best.low - b.low : best.high - b.high));
    return all[0].map((_, v) => {
      const four = all.map((x, i) => x[v] + shift[i]).sort((a, b) => a - b);
      return (four[1] + four[2]) / 2;
    });
  }

  return { DUMMY_GAP, assignX };
})();

// routes: the ways of the edges of a layered graph, and the heights of its layers.
//
// Edges are polylines of horizontal and vertical pieces: between two layers, the
// horizontal ones are on tracks, so that no two lie on each other.
const routes = (() => {
  const PAD = 14;
  const TRACK = 11;
  const PORT_GAP = 18;
  const PORT_INSET = 14;

  // {== Ports

  // Positions as near as possible to the wanted ones, which are sorted, within a border; room
  // is the distance from each to the next, as far as the border has it.
  function spread(wanted, rooms, low, high) {
    const needed = rooms.slice(0, -1).reduce((a, b) => a + b, 0);
    const scale = Math.min(1, needed > 0 ? (high - low) / needed : 1);
    const offset = [0];
    rooms.forEach((room) => offset.push(offset[offset.length - 1] + room * scale));
    const groups = [];
    const mean = (group) => group.sum / group.n;
    wanted.forEach((x, i) => {
      let group = { sum: x - offset[i], n: 1 };
      while (groups.length > 0 && mean(groups[groups.length - 1]) > mean(group)) {
        const last = groups.pop();
        group = { sum: group.sum + last.sum, n: group.n + last.n };
      }
      groups.push(group);
    });
    const places = groups.flatMap((group) => Array(group.n).fill(mean(group)));
    const end = offset[wanted.length - 1];
    return places.map((x, i) => Math.min(Math.max(x, low), high - end) + offset[i]);
  }

  // The points where edges leave and enter nodes.
  function ports(g, s, x, right) {
    const leave = new Float64Array(g.edges.length);
    const enter = new Float64Array(g.edges.length);
    const place = (list, wanted, room, v, into) => {
      const half = Math.max(0, g.nodes[v].width / 2 - PORT_INSET);
      const clamp = (a) => Math.min(Math.max(a, x[v] - half), x[v] + half);
      const sorted = list.slice().sort((a, b) => wanted(a) - wanted(b) || a - b);
      spread(
        sorted.map((e) => clamp(wanted(e))),
        sorted.map(room),
        x[v] - half,
        x[v] + half,
      ).forEach((p, i) => {
        into[sorted[i]] = p;
      });
    };
    const label = (e) => Math.max(PORT_GAP, g.edges[e].room || 0);
    const first = (e) =>
      s.far[e] ? right : x[s.dummies[e].length > 0 ? s.dummies[e][0] : g.edges[e].to];
    const last = (e) =>
      s.far[e]
        ? right
        : s.dummies[e].length > 0
          ? x[s.dummies[e][s.dummies[e].length - 1]]
          : leave[e];
    for (let v = 0; v < g.count; v++) place(g.out[v], first, label, v, leave);
    for (let v = 0; v < g.count; v++) place(g.in[v], last, () => PORT_GAP, v, enter);
    return { leave, enter };
  }

  // }== Routes

  // The lanes of edges that are led past the drawing: those that overlap differ.
  function lanes(g, s, right) {
    const lane = new Float64Array(g.edges.length);
    const used = [];
    const span = (e) => [g.edges[e].from, g.edges[e].to].map((v) => s.at[v]).sort((a, b) => a - b);
    const list = g.edges.map((_, e) => e).filter((e) => s.far[e]);
    list.sort((a, b) => span(a)[0] - span(b)[0]);
    for (const e of list) {
      const [low, high] = span(e);
      let i = used.findIndex((end) => end < low - 1);
      if (i < 0) i = used.push(0) - 1;
      used[i] = high;
      lane[e] = right + columns.DUMMY_GAP * (i + 1);
    }
    return { lane, width: used.length * columns.DUMMY_GAP };
  }

  // The horizontal pieces of all edges: piece {gap, x1, x2, top, bottom}, where top and
  // bottom list the points at which it is joined from above and from below. Gap i is above
  // layer i.
  function pieces(g, s, x, port, lane) {
    const all = [];
    g.edges.forEach(({ from, to }, e) => {
      const list = [];
      const a = s.at[from] + 1;
      const b = s.at[to];
      const add = (gap, x1, x2, top, bottom) => list.push({ gap, x1, x2, top, bottom, track: -1 });
      const chain = s.dummies[e].map((d) => x[d]);
      const p = port.leave[e];
      const q = port.enter[e];
      if (s.far[e]) {
        add(a, p, lane[e], [p], []);
        add(b, lane[e], q, [], [q]);
      } else if (chain.length > 0 && s.at[s.dummies[e][0]] === s.at[from]) {
        add(a, p, chain[0], [p, chain[0]], []);
        for (let i = 1; i < chain.length; i++) {
          add(a - i, chain[i - 1], chain[i], [chain[i]], [chain[i - 1]]);
        }
        add(b, chain[chain.length - 1], q, [], [chain[chain.length - 1], q]);
      } else {
        const stops = [p, ...chain, q];
        for (let i = 1; i < stops.length; i++)
          add(a + i - 1, stops[i - 1], stops[i], [stops[i - 1]], [stops[i]]);
      }
      all.push(list);
    });
    return all;
  }

  // Gives the pieces of a gap tracks, from above: pieces on a track do not meet, and one that
  // is joined from above at a point is above one that is joined from below there.
  function assignTracks(list) {
    const length = (piece) => Math.abs(piece.x1 - piece.x2);
    for (const piece of list) if (length(piece) < 1) piece.track = 0; // straight through
    const bent = list.filter((piece) => piece.track < 0).sort((p, q) => length(p) - length(q));
    const above = joinedFromAbove(bent);
    const busy = [];
    const place = (piece) => {
      let track = 0;
      piece.track = 0; // against cycles
      for (const x of piece.bottom) {
        for (const other of above(x)) {
          if (other === piece) continue;
          if (other.track < 0) place(other);
          track = Math.max(track, other.track + 1);
        }
      }
      const low = Math.min(piece.x1, piece.x2) - 8;
      const high = Math.max(piece.x1, piece.x2) + 8;
      while (busy[track] && busy[track].some(([a, b]) => a < high && low < b)) track++;
      while (busy.length <= track) busy.push([]);
      busy[track].push([low, high]);
      piece.track = track;
    };
    for (const piece of bent) if (piece.track < 0) place(piece);
    return busy.length;
  }

  // The pieces that are joined from above near a point, as a function of the point.
  function joinedFromAbove(list) {
    const near = new Map();
    const key = (x) => Math.round(x / 4);
    for (const piece of list) {
      for (const x of piece.top) {
        for (const k of [key(x) - 1, key(x), key(x) + 1]) {
          if (!near.has(k)) near.set(k, []);
          near.get(k).push(piece);
        }
      }
    }
    return (x) => near.get(key(x)) || [];
  }

  function gapsOf(all, depth) {
    const gaps = Array.from({ length: depth + 1 }, () => []);
    for (const list of all) for (const piece of list) gaps[piece.gap].push(piece);
    return gaps.map((list) => assignTracks(list));
  }

  // The y coordinates: of layers (top, bottom) and of tracks.
  function assignY(g, s, rows, tracks) {
    const top = [];
    const bottom = [];
    const gapTop = [];
    let y = 0;
    for (let l = 0; l <= rows.length; l++) {
      gapTop.push(y);
      if (tracks[l] > 0 || (l > 0 && l < rows.length))
        y += 2 * PAD + Math.max(0, tracks[l] - 1) * TRACK;
      if (l === rows.length) break;
      let height = 0;
      for (const v of rows[l]) if (v < g.count) height = Math.max(height, g.nodes[v].height);
      top.push(y);
      y += height;
      bottom.push(y);
    }
    return { top, bottom, gapTop, height: y };
  }

  function points(g, s, list, e, y) {
    const { from, to } = g.edges[e];
    const out = [[list[0].x1, y.top[s.at[from]] + g.nodes[from].height]];
    for (const piece of list) {
      const at = y.gapTop[piece.gap] + PAD + piece.track * TRACK;
      out.push([piece.x1, at], [piece.x2, at]);
    }
    out.push([list[list.length - 1].x2, y.top[s.at[to]]]);
    return straight(out);
  }

  // Without points on a straight line between others: two in a column, which may differ by
  // what is rounded, are followed by none in the same column.
  function straight(list) {
    const out = [];
    const isNear = (a, b) => Math.abs(a - b) < 1;
    for (const [x, y] of list) {
      const last = out[out.length - 1];
      if (!last || !isNear(last[0], x)) {
        out.push([x, y]);
      } else if (!isNear(last[1], y)) {
        const before = out[out.length - 2];
        if (before && isNear(before[0], x)) out.pop();
        out.push([last[0], y]);
      }
    }
    return out;
  }

  // }==

  return { ports, lanes, pieces, gapsOf, assignY, points };
})();

// layout: places the nodes of a control-flow graph on layers and routes its edges.
//
// A pure function: nothing here, nor in what it uses, knows about pages.
const layout = (() => {
  function graphOf(input) {
    const count = input.nodes.length;
    const edges = input.edges;
    const g = {
      nodes: input.nodes,
      edges,
      count,
      entry: input.entry || 0,
      loops: input.loops || [],
      loopOf: input.nodes.map((n) => (n.loop === undefined ? -1 : n.loop)),
      out: input.nodes.map(() => []),
      in: input.nodes.map(() => []),
      roots: [],
    };
    edges.forEach(({ from, to }, e) => {
      g.out[from].push(e);
      g.in[to].push(e);
    });
    // what nothing leads to, then the rest: cycles that nothing leads to
    for (let v = 0; v < count; v++) if (g.in[v].length === 0) g.roots.push(v);
    for (let v = 0; v < count; v++) if (g.in[v].length > 0) g.roots.push(v);
    return g;
  }

  // Lays out a graph.
  //   nodes: [{width, height, loop}] (loop: the number of the innermost loop)
  //   edges: [{from, to, room}], by numbers of nodes (room: for what is written at its start)
  //   loops: [{header, parent}] (parent: -1 for none); entry: the first node
  // Returns {width, height, nodes: [{x, y, layer}] (the upper left corners),
  // edges: [{points: [[x, y]], back, columns: [{x, layer}]}], layers: [{top, bottom}]}.
  function layered(input) {
    const g = graphOf(input);
    if (g.count === 0) return { width: 0, height: 0, nodes: [], edges: [], layers: [] };
    const back = layers.backEdges(g);
    const { layer, depth } = layers.layersOf(g, back);
    const s = layers.split(g, back, layer);
    const isDummy = (v) => v >= g.count;
    const width = (v) => (v < g.count ? g.nodes[v].width : 2);
    const { rows, pos } = layers.order(g, s, depth);
    const x = columns.assignX(rows, s, pos, width, isDummy);
    const low = x.reduce((a, b, v) => Math.min(a, b - width(v) / 2), Infinity);
    for (let v = 0; v < x.length; v++) x[v] = Math.round(x[v] - low);
    const right = x.reduce((a, b, v) => Math.max(a, b + width(v) / 2), 0);
    const lane = routes.lanes(g, s, right);
    const all = routes.pieces(g, s, x, routes.ports(g, s, x, right), lane.lane);
    const y = routes.assignY(g, s, rows, routes.gapsOf(all, depth));
    return {
      width: right + lane.width,
      height: y.height,
      nodes: g.nodes.map((node, v) => ({
        x: x[v] - node.width / 2,
        y: y.top[s.at[v]],
        layer: s.at[v],
      })),
      edges: all.map((list, e) => ({
        points: routes.points(g, s, list, e, y),
        back: back[e] === 1,
        columns: s.dummies[e].map((d) => ({ x: x[d], layer: s.at[d] })),
      })),
      layers: y.top.map((top, l) => ({ top, bottom: y.bottom[l] })),
    };
  }

  return { layered };
})();

// replay: follows the events of a construction, and keeps the history of each fact that they
// change: what is in a block, the operands of a phi, the definition of a variable.
//
// A history is a list of entries {t, ...}, sorted by time; what holds at any time is found by
// binary search. Time t is after the first t events.
const replay = (() => {
  const NEVER = Infinity;

  // {== Histories

  // The number of entries of a history up to time t: entries are {t, ...}, sorted.
  function upTo(history, t) {
    let low = 0;
    let high = history.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (history[mid].t <= t) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  // The latest entry of a history at time t, or undefined.
  const latest = (history, t) => history[upTo(history, t) - 1];

  function listIn(map, key) {
    let list = map.get(key);
    if (!list) map.set(key, (list = []));
    return list;
  }

  // }== Things

  function newValue(id, row) {
    return {
      id,
      born: NEVER,
      gone: NEVER,
      by: 0,
      byTime: NEVER,
      block: 0,
      why: null,
      text: row.text === undefined ? "%" + id : row.text,
      type: row.type,
      op: row.op,
      data: row.data,
      var: row.var,
      loc: row.loc,
      lists: [],
      operands: [],
      replaced: [],
    };
  }

  function newBlock(id, name) {
    return {
      id,
      name,
      born: NEVER,
      dropped: NEVER,
      sealed: NEVER,
      filled: NEVER,
      rows: [],
      made: [],
      targets: [],
      marks: [],
      edges: 0,
      idom: undefined,
      loop: undefined,
    };
  }

  // }== Following

  function bear(m, id, block, t) {
    const v = m.value(id);
    if (v.born !== NEVER) return v;
    v.born = t;
    v.block = block;
    m.block(block).made.push(id);
    return v;
  }

  function replace(m, e, t, cause) {
    const v = m.value(e.value);
    v.gone = v.byTime = t;
    v.by = e.by;
    v.why = cause;
    m.value(e.by).replaced.push(e.value);
  }

  // The variables for which look-ups have marked a block at time t.
  function marksAt(marks, t) {
    const now = latest(marks, t);
    return now ? now.list : [];
  }

  function unmark(m, e, t) {
    const { marks } = m.block(e.block);
    const before = marksAt(marks, t);
    if (before.includes(e.var)) marks.push({ t, list: before.filter((v) => v !== e.var) });
  }

  const follow = {
    block(m, e, t) {
      const b = m.block(e.block);
      b.born = t;
      if (e.sealed) b.sealed = t;
    },
    write(m, e, t) {
      define(m, e, t, "write");
    },
    read(m, e, t) {
      define(m, e, t, "read");
      m.asked.read = 0;
    },
    emit(m, e, t) {
      bear(m, e.value, e.block, t).lists.push({ t, args: e.args || [] });
    },
    phi(m, e, t) {
      const v = bear(m, e.value, e.block, t);
      const { waiting } = m.asked;
      v.op = "phi";
      if (e.var === undefined) return;
      unmark(m, e, t);
      v.incomplete = m.block(e.block).sealed > t;
      v.asked = { read: m.asked.read, sealed: m.asked.sealed, by: waiting[waiting.length - 1] };
      (v.incomplete ? listIn(m.incomplete, e.block) : waiting).push(e.value);
      define(m, e, t, "phi");
    },
    marked(m, e, t) {
      define(m, e, t, "marked");
      const marks = m.block(e.block).marks;
      marks.push({ t, list: [...marksAt(marks, t), e.var] });
    },
    unmarked(m, e, t) {
      define(m, e, t, "found");
      unmark(m, e, t);
    },
    operand(m, e, t) {
      const { waiting } = m.asked;
      if (waiting[waiting.length - 1] === e.value) waiting.pop();
      m.value(e.value).operands.push({ t, index: e.index, from: e.from, value: e.operand });
    },
    trivial(m, e, t) {
      replace(m, e, t, "trivial");
    },
    redundant(m, e, t) {
      replace(m, e, t, "redundant");
    },
    simplified(m, e, t) {
      replace(m, e, t, "simplified");
    },
    filled(m, e, t) {
      bear(m, e.value, e.block, t).lists.push({ t, args: e.args || [] });
      const b = m.block(e.block);
      const list = e.targets || [];
      const isDead = e.block !== 1 && b.sealed <= t && b.edges === 0;
      b.filled = t;
      // such a block leads nowhere: `reached` are the targets that get an edge
      b.targets.push({ t, list, reached: isDead ? [] : list });
      if (!isDead) for (const to of list) m.block(to).edges++;
    },
    lookup(m, e, t) {
      m.asked = { read: t, sealed: 0, waiting: [] };
    },
    sealed(m, e, t) {
      m.block(e.block).sealed = t;
      m.asked = {
        read: 0,
        sealed: t,
        waiting: (m.incomplete.get(e.block) || []).slice().reverse(),
      };
    },
    dropped(m, e, t) {
      drop(m, m.block(e.block), t);
    },
    finished(m, e, t) {
      if (t === m.lastFinish) settle(m, m.final, t);
    },
    reopened(m, e, t) {
      if (e.state) settle(m, e.state, t - 1);
      m.forgotten.push({ t });
    },
    edited(m, e, t) {
      if (t === m.firstEdit) settle(m, m.final, t);
    },
  };

  // }== Changes

  // What a block, once it is dropped, contains.
  function drop(m, b, t) {
    b.dropped = Math.min(b.dropped, t);
    if (latest(b.targets, t)) b.targets.push({ t, list: [], reached: [] });
    for (const id of b.made) m.value(id).gone = Math.min(m.value(id).gone, t);
  }

  function define(m, e, t, how) {
    if (e.var === undefined) return;
    let of = m.definitions.get(e.var);
    if (!of) m.definitions.set(e.var, (of = new Map()));
    listIn(of, e.block).push({ t, value: e.value, how });
  }

  // }== What finish has done

  const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

  // Makes the function what it is known to be at time t: what finish simplifies and removes
  // has no events of its own.
  function settle(m, state, t) {
    const alive = new Set();
    const blocks = new Set();
    const sources = new Map(state.map((row) => [row.id, new Set(row.preds)]));
    for (const row of state) {
      const b = m.block(row.id);
      const ids = [...row.phis, ...row.insts];
      blocks.add(row.id);
      b.born = Math.min(b.born, t);
      b.order = ids;
      settleTargets(b, row.succs, sources, t);
      ids.forEach((id, i) => {
        const v = bear(m, id, row.id, t);
        alive.add(id);
        if (v.gone <= t && v.by === 0) v.gone = NEVER;
        if (i < row.phis.length) settleOperands(m, v, row, row.args[i], t);
        else settleArgs(m, v, row.args[i], t);
      });
    }
    for (const v of m.values.values()) {
      if (v.born <= t && v.gone > t && v.block > 0 && !alive.has(v.id)) v.gone = t;
    }
    for (const b of m.blocks.values()) if (b.born <= t && !blocks.has(b.id)) drop(m, b, t);
  }

  // An unreachable block leads only to what it is a predecessor of.
  function settleTargets(b, list, sources, t) {
    const now = latest(b.targets, t) || { list: [], reached: [] };
    const some = list.filter((to) => sources.get(to).has(b.id));
    const reached = some.length === list.length ? list : some;
    if (!same(now.list, list) || !same(now.reached, reached)) b.targets.push({ t, list, reached });
  }

  function settleArgs(m, v, args, t) {
    const now = latest(v.lists, t);
    if (
      !now ||
      !same(
        now.args.map((a) => m.resolve(a, t)),
        args,
      )
    )
      v.lists.push({ t, args });
  }

  function settleOperands(m, v, row, args, t) {
    const now = m.operandsAt(v, t);
    const list = args.map((value, i) => ({ from: row.preds[i], value }));
    const equal =
      now.length === list.length &&
      list.every((o, i) => now[i] && now[i].value === o.value && now[i].from === o.from);
    if (!equal) v.operands.push({ t, list });
  }

  // The blocks of the document as those in an event `reopened`.
  function finalState(fn) {
    const args = new Map(fn.values.map((v) => [v.id, v.args || []]));
    return fn.blocks.map((b) => ({
      id: b.id,
      preds: b.preds,
      succs: b.succs,
      phis: b.phis,
      insts: b.insts,
      args: [...b.phis, ...b.insts].map((id) => args.get(id) || []),
    }));
  }

  // }== All events

  // Calls that begin something new, after which a phi belongs to no look-up before it.
  const BEGINS = new Set(["block", "var", "emit", "write", "filled"]);

  function run(m) {
    m.events.forEach((e, i) => {
      const t = i + 1;
      if (BEGINS.has(e.event)) m.asked = { read: 0, sealed: 0, waiting: [] };
      if (follow[e.event]) follow[e.event](m, e, t);
    });
  }

  // }==

  return { NEVER, upTo, latest, marksAt, listIn, newValue, newBlock, finalState, settle, run };
})();

// model: a function at each moment of its construction. What it is at time t is looked up in
// the histories that replay.js has made; nothing is replayed to go to a step.
const model = (() => {
  const { latest, upTo, listIn } = replay;

  // The rows of a block: the phis that were ever in it, then the instructions. Those that
  // went are behind the one that was made before them, and above the terminator.
  function rowsOf(m, b) {
    const order = b.order || [];
    const stays = new Set(order);
    const isPhi = (id) => m.value(id).op === "phi";
    const merged = (kind, end) => {
      const after = new Map([[0, []]]);
      let last = 0;
      for (const id of b.made.filter(kind)) {
        if (!stays.has(id)) listIn(after, last).push(id);
        else if (id !== end) last = id;
      }
      return after
        .get(0)
        .concat(order.filter(kind).flatMap((id) => [id, ...(after.get(id) || [])]));
    };
    return merged(isPhi).concat(merged((id) => !isPhi(id), order[order.length - 1]));
  }

  class Model {
    // fn: a function of the document (docs/json.md)
    constructor(fn) {
      this.fn = fn;
      this.events = fn.events || [];
      this.watched = fn.events !== undefined;
      this.values = new Map(fn.values.map((row) => [row.id, replay.newValue(row.id, row)]));
      this.blocks = new Map();
      this.vars = new Map(fn.vars.map((v) => [v.id, v]));
      for (const row of fn.blocks)
        this.blocks.set(
          row.id,
          Object.assign(replay.newBlock(row.id, row.name), { idom: row.idom, loop: row.loop }),
        );
      for (const row of fn.dropped) this.blocks.set(row.id, replay.newBlock(row.id, row.name));
      this.final = replay.finalState(fn);
      this.definitions = new Map();
      this.incomplete = new Map();
      this.forgotten = [];
      this.asked = { read: 0, sealed: 0, waiting: [] };
      this.start();
      replay.run(this);
      this.stop();
    }

    // Before the first event: the entry, the arguments.
    start() {
      const entry = this.block(1);
      const { events } = this;
      entry.born = entry.sealed = 0;
      for (const p of this.fn.params) {
        const v = this.value(p.value);
        v.born = 0;
        v.var = p.var;
        this.definitions.set(p.var, new Map([[1, [{ t: 0, value: p.value, how: "argument" }]]]));
      }
      this.lastFinish = 1 + events.map((e) => e.event).lastIndexOf("finished");
      const edits = (e, i) => e.event === "edited" && i >= this.lastFinish;
      this.firstEdit = 1 + events.findIndex(edits);
      if (this.firstEdit > 0) this.lastFinish = 0;
    }

    stop() {
      if (!this.watched) replay.settle(this, this.final, 0);
      else if (this.firstEdit === 0 && this.lastFinish === 0)
        replay.settle(this, this.final, this.events.length);
      if (!this.watched) {
        for (const b of this.fn.blocks) {
          if (b.sealed) this.block(b.id).sealed = 0;
          if (b.filled) this.block(b.id).filled = 0;
        }
      }
      for (const b of this.blocks.values()) b.rows = rowsOf(this, b);
      this.steps = [];
      this.events.forEach((e, i) => {
        if (!e.quiet) this.steps.push(i + 1);
      });
      this.edges = this.allEdges();
    }

    value(id) {
      let v = this.values.get(id);
      if (!v) this.values.set(id, (v = replay.newValue(id, {})));
      return v;
    }

    block(id) {
      let b = this.blocks.get(id);
      if (!b) this.blocks.set(id, (b = replay.newBlock(id, "b" + id)));
      return b;
    }

    // The time after step k: quiet events behind the last step belong to it.
    time(k) {
      return k >= this.steps.length ? this.events.length : k > 0 ? this.steps[k - 1] : 0;
    }

    // The step at or after time t.
    stepAt(t) {
      let low = 0;
      let high = this.steps.length;
      while (low < high) {
        const mid = (low + high) >> 1;
        if (this.steps[mid] < t) low = mid + 1;
        else high = mid;
      }
      return Math.min(low + 1, this.steps.length);
    }

    // The value that stands for a value at time t.
    resolve(id, t) {
      for (let v = this.value(id); v.byTime <= t; v = this.value(id)) id = v.by;
      return id;
    }

    isThere(v, t) {
      return v.born <= t && v.gone > t;
    }
    isBlockThere(b, t) {
      return b.born <= t && b.dropped > t;
    }
    targets(b, t) {
      return (latest(b.targets, t) || { list: [] }).list;
    }

    // The operands of an instruction at time t.
    args(v, t) {
      if (v.op === "phi")
        return this.operandsAt(v, t)
          .filter(Boolean)
          .map((o) => o.value);
      const now = latest(v.lists, t);
      return now ? now.args.map((a) => this.resolve(a, t)) : [];
    }

    // The operands of a phi: [{from, value}]; some may be missing still.
    operandsAt(v, t) {
      const n = upTo(v.operands, t);
      let first = n;
      let list = [];
      while (first > 0 && !v.operands[first - 1].list) first--;
      if (first > 0) list = v.operands[first - 1].list.slice();
      for (let i = first; i < n; i++) {
        const o = v.operands[i];
        list[o.index - 1] = { from: o.from, value: o.value };
      }
      return list.map((o) => ({ from: o.from, value: this.resolve(o.value, t) }));
    }

    // What a variable is in a block at time t (the paper's currentDef): {value, how, t}, without
    // a value where a look-up has left a mark. When a function is reopened, all definitions
    // are forgotten.
    definition(variable, block, t) {
      const of = this.definitions.get(variable);
      const entry = of && of.get(block) && latest(of.get(block), t);
      const since = latest(this.forgotten, t);
      if (!entry || (since && since.t >= entry.t)) return undefined;
      const value = entry.value && this.resolve(entry.value, t);
      return { value, how: entry.how, t: entry.t };
    }

    preds(b, t) {
      const out = [];
      for (const e of b.in) if (this.isEdgeThere(e, t)) out.push(e.from);
      return out;
    }

    // The terminator of a block that nothing can reach any more adds no edges.
    isEdgeThere(edge, t) {
      const now = latest(this.block(edge.from).targets, t);
      if (now === undefined || now.list[edge.index] !== edge.to) return false;
      return now.reached === now.list || now.reached.includes(edge.to);
    }

    // All edges that were ever there: {from, to, index}, index among the targets.
    allEdges() {
      const seen = new Set();
      const out = [];
      for (const b of this.blocks.values()) b.in = [];
      for (const b of this.blocks.values()) {
        for (const { list } of b.targets) {
          list.forEach((to, index) => {
            const key = `${b.id} ${to} ${index}`;
            if (seen.has(key)) return;
            seen.add(key);
            out.push({ from: b.id, to, index });
            this.block(to).in.push(out[out.length - 1]);
          });
        }
      }
      return out;
    }

    // The times of the events that mention a value or a block.
    mentions(kind, id) {
      const times = [];
      const isIt =
        kind === "value"
          ? (e) =>
              e.value === id || e.operand === id || e.by === id || (e.args && e.args.includes(id))
          : (e) => e.block === id || e.from === id;
      this.events.forEach((e, i) => {
        if (isIt(e)) times.push(i + 1);
      });
      return times;
    }

    // By value, the values that ever used it; made when first asked for.
    get users() {
      return (this.knownUsers ??= this.allUsers());
    }

    allUsers() {
      const users = new Map();
      const add = (id, user) => {
        const list = listIn(users, id);
        if (list[list.length - 1] !== user) list.push(user);
      };
      for (const v of this.values.values()) {
        for (const { args } of v.lists) for (const a of args) add(a, v.id);
        for (const o of v.operands) {
          if (o.list) for (const p of o.list) add(p.value, v.id);
          else add(o.value, v.id);
        }
      }
      return users;
    }

    // The instructions and phis that use a value at time t.
    usersAt(id, t) {
      const found = new Set();
      const seen = new Set([id]);
      const work = [id];
      while (work.length > 0) {
        const it = work.pop();
        for (const user of this.users.get(it) || []) {
          const v = this.value(user);
          if (this.isThere(v, t) && this.args(v, t).includes(id)) found.add(user);
        }
        for (const old of this.value(it).replaced) {
          if (!seen.has(old) && this.value(old).byTime <= t) {
            seen.add(old);
            work.push(old);
          }
        }
      }
      return [...found].sort((a, b) => a - b);
    }

    // The phis that a value is connected with: phis that use it, and what these and their
    // operands lead to, through phis only.
    webOf(id, t) {
      const isPhi = (v) => this.value(v).op === "phi" && this.isThere(this.value(v), t);
      const web = new Set();
      const work = isPhi(id) ? [id] : this.usersAt(id, t).filter(isPhi);
      while (work.length > 0) {
        const v = work.pop();
        if (web.has(v)) continue;
        web.add(v);
        for (const u of this.usersAt(v, t).concat(this.args(this.value(v), t)))
          if (isPhi(u)) work.push(u);
      }
      return [...web].sort((a, b) => a - b);
    }

    // What the rows of a block are at time t: an instruction has no text before it is made.
    rowState(v, t) {
      if (v.born > t) return "unborn";
      return v.gone <= t ? "gone" : "there";
    }
  }

  // }==

  return { of: (fn) => new Model(fn) };
})();

// text: names, instructions and sentences, as lists of pieces: a string, or an object
// {value}, {block}, {variable} or {step} with its text, which can be chosen.
const text = (() => {
  const LONG = 28;

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

  // A row of a block at time t.
  function instruction(m, v, t) {
    const out =
      v.type !== undefined ? [{ value: v.id, text: shown(v.text), own: true }, " = "] : [];
    if (v.op === "phi") {
      const operands = m
        .operandsAt(v, t)
        .filter(Boolean)
        .map((o) => [block(m, o.from), ": ", value(m, o.value)]);
      out.push("phi ");
      if (v.var !== undefined) out.push(variable(m, v.var), " ");
      return out.concat("[", commas(operands), "]");
    }
    const args = m.args(v, t).map((a) => value(m, a));
    out.push(v.op || "?");
    if (v.data !== undefined) out.push(` {${shown(v.data)}}`);
    return args.length > 0 ? out.concat(" ", commas(args)) : out;
  }

  // The largest number of characters that a row ever has.
  function width(m, v) {
    const longest = (id) => {
      let most = 0;
      for (let it = m.value(id); ; it = m.value(it.by)) {
        most = Math.max(most, shown(it.text).length);
        if (it.by === 0) return most;
      }
    };
    const head =
      (v.type !== undefined ? shown(v.text).length + 3 : 0) +
      (v.by > 0 ? longest(v.by) + 3 : 0) +
      (v.data !== undefined ? shown(v.data).length + 3 : 0);
    if (v.op !== "phi") {
      const lists = v.lists.map(({ args }) => args.reduce((n, a) => n + longest(a) + 2, 0));
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
    return head + 6 + name + by.reduce((a, b) => a + (b || 0), 0);
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

  // How a climb that has come to a block without a definition goes on.
  function further(m, e, t) {
    if (e.value || endsAtMark(m, e, t)) return ["."];
    if (!isSealed(m, e.to, t)) return [", and the block is not sealed: it needs a phi."];
    const preds = m.preds(m.block(e.to), t).length;
    if (preds === 0) return [", and nothing leads there."];
    return preds === 1 ? ["."] : [`, and ${preds} edges arrive.`];
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
    rule: (m, e) => [
      e.rule === undefined ? "A rule applies" : `The rule ${shown(e.rule, 60)} applies`,
      ...(e.block ? [" to what is emitted into ", block(m, e.block)] : []),
      ".",
    ],
    simplified: (m, e) => [
      "The instruction ",
      value(m, e.value),
      " is simplified: ",
      value(m, e.by),
      " replaces it.",
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
    list,
    count,
    definition,
    flags,
    headWidth,
    plain,
    instruction,
    width,
    edge,
    sentence,
    place,
  };
})();

// fold: which nodes a drawing has: a block each, or a loop that is folded.
const fold = (() => {
  // The outermost folded loop around a block, or -1.
  function foldedAround(loops, folded, loop) {
    let found = -1;
    for (let l = loop === undefined ? -1 : loop; l >= 0; l = parentOf(loops, l))
      if (folded.has(l)) found = l;
    return found;
  }

  const parentOf = (loops, l) => (loops[l].parent === undefined ? -1 : loops[l].parent);

  // The nodes and edges of a model when some loops are folded.
  // Returns {nodes: [{blocks, folded}], edges: [{from, to, members}], of: block -> node}:
  // folded is a loop or -1; members are the edges of the model that a line stands for.
  function nodes(m, folded) {
    const { loops } = m.fn;
    const list = [];
    const of = new Map();
    const byLoop = new Map();
    for (const b of m.blocks.values()) {
      const loop = foldedAround(loops, folded, b.loop);
      if (loop >= 0 && byLoop.has(loop)) {
        list[byLoop.get(loop)].blocks.push(b);
        of.set(b.id, byLoop.get(loop));
        continue;
      }
      if (loop >= 0) byLoop.set(loop, list.length);
      of.set(b.id, list.length);
      const inner = loop >= 0 ? parentOf(loops, loop) : b.loop;
      list.push({ blocks: [b], folded: loop, loop: inner === undefined ? -1 : inner });
    }
    return { nodes: list, edges: edges(m, list, of), of };
  }

  // Between two blocks, each edge is a line; otherwise one line stands for all.
  function edges(m, list, of) {
    const out = [];
    const known = new Map();
    for (const e of m.edges) {
      const from = of.get(e.from);
      const to = of.get(e.to);
      const isFolded = list[from].folded >= 0 || list[to].folded >= 0;
      if (isFolded && from === to) continue;
      const key = `${from} ${to}`;
      if (isFolded && known.has(key)) {
        out[known.get(key)].members.push(e);
        continue;
      }
      known.set(key, out.length);
      out.push({ from, to, members: [e] });
    }
    return out;
  }

  // The loops for layout: by the nodes of their headers.
  function loops(m, of) {
    return m.fn.loops.map((l, i) => ({
      header: of.get(l.header),
      parent: parentOf(m.fn.loops, i),
    }));
  }

  // What is folded at first: outermost loops, if there are more blocks than `most`.
  function first(m, most) {
    const folded = new Set();
    if (m.blocks.size <= most) return folded;
    m.fn.loops.forEach((l, i) => {
      if (l.depth === 1) folded.add(i);
    });
    return folded;
  }

  return { nodes, loops, first };
})();

// dom: makes elements. All text becomes text nodes.
const dom = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  const find = (id) => document.getElementById(id);

  function fill(element, children) {
    element.replaceChildren(...children.filter((c) => c !== null && c !== undefined));
    return element;
  }

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children.filter((c) => c !== null && c !== undefined));
    return element;
  }

  function svg(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, it] of Object.entries(attributes)) element.setAttribute(key, it);
    element.append(...children);
    return element;
  }

  // The kinds of things that can be chosen, as pieces of text and addresses name them.
  const KINDS = ["value", "block", "variable", "step"];

  // Pieces of text (text.js) as nodes; things are marked with what they are, and chosen by a
  // click that bubbles up to the page. As buttons they can also be reached by keys.
  function pieces(list, asButtons = false) {
    return list.map((p) => {
      if (typeof p === "string") return document.createTextNode(p);
      const kind = KINDS.find((k) => p[k] !== undefined);
      const element = make(asButtons ? "button" : "span", {
        className: `thing ${kind}`,
        textContent: p.text,
      });
      if (p.own) element.classList.add("own");
      element.dataset.kind = kind;
      element.dataset.id = p[kind];
      return element;
    });
  }

  // What an element, or one around it, stands for: {kind, id}, or null.
  function thingAt(element) {
    const it = element.closest("[data-kind]");
    return it && { kind: it.dataset.kind, id: Number(it.dataset.id) };
  }

  return { find, fill, make, svg, pieces, thingAt };
})();

// shapes: the sizes of boxes, and what is drawn between and behind them.
const shapes = (() => {
  const ROW = 19;
  const HEAD = 27;
  const FOOT = 7;
  const SIDE = 11;
  const RADIUS = 7;
  // the width of an edge, and of a letter of its label
  const EDGE = 12;
  const LETTER = 7;
  const WIDEST = 2400;

  // {== Sizes

  function letterWidth(world) {
    const probe = dom.make("div", { className: "row probe", textContent: "m".repeat(100) });
    world.append(probe);
    const width = probe.offsetWidth / 100;
    probe.remove();
    return width || 7.5;
  }

  // The size of a block with the largest text that each row ever has.
  function sizeOf(m, node, letter) {
    if (node.folded >= 0) return { width: 30 * letter, height: HEAD + ROW + FOOT };
    const [b] = node.blocks;
    const most = b.rows.reduce(
      (n, id) => Math.max(n, text.width(m, m.value(id))),
      Math.max(text.headWidth(m, b), 8),
    );
    return {
      width: Math.ceil(most * letter) + 2 * SIDE,
      height: HEAD + b.rows.length * ROW + FOOT,
    };
  }

  // Gives each edge the room that its label needs; returns the width that the edges of each
  // node need, to be told apart.
  function roomForEdges(m, { nodes, edges }) {
    const into = nodes.map(() => 0);
    const out = nodes.map(() => 0);
    for (const edge of edges) {
      edge.room = edge.members.length > 1 ? 0 : LETTER * longestLabel(m, edge.members[0]);
      out[edge.from] += Math.max(EDGE, edge.room);
      into[edge.to] += EDGE;
    }
    return nodes.map((_, i) => Math.min(Math.max(into[i], out[i]), WIDEST));
  }

  function longestLabel(m, { from, to, index }) {
    const b = m.block(from);
    const lengths = b.targets
      .filter(({ list }) => list[index] === to)
      .map(({ t }) => text.edge(m, b, index, t).length);
    return Math.max(0, ...lengths);
  }

  // }== Lines

  // A polyline with rounded corners.
  function outline(points) {
    let d = `M${points[0][0]} ${points[0][1]}`;
    for (let i = 1; i < points.length - 1; i++) {
      const [p, q, r] = [points[i - 1], points[i], points[i + 1]];
      const size = (a, b) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
      const radius = Math.min(RADIUS, size(p, q) / 2, size(q, r) / 2);
      const toward = (a) => {
        const s = size(a, q) || 1;
        return `${q[0] + ((a[0] - q[0]) * radius) / s} ${q[1] + ((a[1] - q[1]) * radius) / s}`;
      };
      d += `L${toward(p)}Q${q[0]} ${q[1]} ${toward(r)}`;
    }
    const [x, y] = points[points.length - 1];
    return `${d}L${x} ${y - 5}`;
  }

  function arrow(points) {
    const [x, y] = points[points.length - 1];
    return `M${x} ${y - 0.5}l-4.5 -8h9z`;
  }

  function boundsOf(points) {
    let [x1, y1, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of points) {
      x1 = Math.min(x1, x);
      y1 = Math.min(y1, y);
      x2 = Math.max(x2, x);
      y2 = Math.max(y2, y);
    }
    return { x1, y1, x2, y2 };
  }

  // }== Behind the boxes

  // Halos behind the blocks of loops: rectangles that meet. Those of inner loops lie on those
  // of outer ones.
  function halos(loops, nodes, layers) {
    const groups = [];
    const deepest = loops.reduce((n, l) => Math.max(n, l.depth), 0);
    const depthOf = (node) =>
      node.folded >= 0 ? loops[node.folded].depth : node.loop >= 0 ? loops[node.loop].depth : 0;
    for (let depth = 1; depth <= Math.min(deepest, 6); depth++) {
      const grow = 15 - 2 * depth;
      const group = dom.svg("g", { class: "halo" });
      for (const node of nodes) {
        if (depthOf(node) < depth) continue;
        const { top, bottom } = layers[node.layer];
        group.append(
          dom.svg("rect", {
            x: node.x - grow,
            y: top - grow - 6,
            width: node.width + 2 * grow,
            height: bottom - top + 2 * grow + 12,
            rx: 8,
          }),
        );
      }
      groups.push(group);
    }
    return groups;
  }

  // The dominator tree; of: block -> node.
  function tree(m, nodes, of) {
    const out = [];
    for (const node of nodes) {
      const [b] = node.blocks;
      const header = node.folded >= 0 ? m.block(m.fn.loops[node.folded].header) : b;
      const above = header.idom === undefined ? undefined : of.get(header.idom);
      if (above === undefined || nodes[above] === node) continue;
      const from = nodes[above];
      const [x1, y1] = [from.x + 18, from.y + from.height];
      const [x2, y2] = [node.x + 18, node.y];
      const bend = Math.max(24, Math.abs(y2 - y1) / 2);
      out.push(
        dom.svg("path", { d: `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }),
        dom.svg("circle", { cx: x2, cy: y2, r: 3 }),
      );
    }
    return out;
  }

  // }==

  return { letterWidth, sizeOf, roomForEdges, outline, arrow, boundsOf, halos, tree };
})();

// boxes: draws blocks, and loops that are folded, as of the current step.
const boxes = (() => {
  class Boxes {
    constructor(app, parent) {
      this.app = app;
      this.parent = parent;
    }

    // What the current step is about is known before anything is drawn.
    begin() {
      this.touched = this.app.touched();
    }

    // Draws a node: its element exists while it is in sight.
    draw(node, visible, far) {
      if (!visible) {
        if (node.element) node.element.remove();
        node.element = null;
        return;
      }
      if (!node.element) {
        node.element = this.newBox(node);
        node.shown = null;
        this.parent.append(node.element);
      }
      if (node.folded >= 0) this.renderFolded(node);
      else this.renderBlock(node, node.blocks[0], far);
    }

    newBox(node) {
      const box = dom.make("div", { className: "box", tabIndex: 0 });
      box.setAttribute("role", "group");
      box.dataset.kind = "block";
      box.dataset.id = node.blocks[0].id;
      if (node.folded >= 0) box.dataset.loop = node.folded;
      box.style.left = `${node.x}px`;
      box.style.top = `${node.y}px`;
      box.style.width = `${node.width}px`;
      box.style.height = `${node.height}px`;
      return box;
    }

    renderFolded(node) {
      const { app } = this;
      const m = app.model;
      const t = app.time;
      const { header, depth } = m.fn.loops[node.folded];
      const there = node.blocks.some((b) => m.isBlockThere(b, t));
      const isTouched = node.blocks.some((b) => this.touched.blocks.has(b.id));
      const key = `${there} ${isTouched} ${app.isSelected("block", header)}`;
      if (node.shown === key) return;
      node.shown = key;
      node.element.className = `box folded${there ? "" : " unborn"}${isTouched ? " touched" : ""}`;
      node.element.title = "Unfold this loop";
      dom.fill(node.element, [
        dom.make(
          "div",
          { className: "head" },
          dom.make("span", { className: "name", textContent: "loop of " }),
          ...dom.pieces([text.block(m, header)]),
        ),
        dom.make("div", {
          className: "row",
          textContent: `${text.count(node.blocks.length, "block")}, depth ${depth}: unfold`,
        }),
      ]);
    }

    // Classes that say what a block is by now.
    blockClasses(b, t) {
      const { app } = this;
      const m = app.model;
      const names = ["box"];
      if (b.dropped <= t) names.push("dropped");
      else if (b.born > t) names.push("unborn");
      if (b.sealed > t) names.push("unsealed");
      if (b.filled > t) names.push("unfilled");
      if (this.touched.blocks.has(b.id)) names.push("touched");
      if (app.isSelected("block", b.id)) names.push("selected");
      const before = app.state.mark === null ? null : m.time(app.state.mark);
      if (before !== null && m.isBlockThere(b, before) !== m.isBlockThere(b, t)) {
        names.push(m.isBlockThere(b, t) ? "added" : "lost");
      }
      return names.join(" ");
    }

    renderBlock(node, b, far) {
      const { app } = this;
      const m = app.model;
      const t = app.time;
      const { element } = node;
      const classes = this.blockClasses(b, t);
      const pill = this.pillOf(b, t);
      const flags = text.flags(m, b, t);
      const rows = far ? [] : b.rows.map((id) => this.rowOf(m.value(id), t));
      const key = JSON.stringify([
        classes,
        flags,
        pill && pill.text,
        far,
        rows.map((r) => [r.classes, r.text]),
      ]);
      if (node.shown === key) return;
      node.shown = key;
      element.className = classes;
      element.setAttribute("aria-label", this.labelOf(b, t));
      const head = dom.make(
        "div",
        { className: "head" },
        dom.make("span", { className: "name", textContent: text.shown(b.name) }),
      );
      if (flags !== "") head.append(dom.make("span", { className: "flags", textContent: flags }));
      dom.fill(element, [
        head,
        ...rows.map((r) => this.newRow(r)),
        pill && dom.make("div", { className: "pill" }, ...dom.pieces(pill.pieces)),
      ]);
    }

    labelOf(b, t) {
      return `block ${text.shown(b.name)}: ${text.progress(b, t)}`;
    }

    rowOf(v, t) {
      const { app } = this;
      const m = app.model;
      const state = m.rowState(v, t);
      const names = ["row", state];
      const at = state === "gone" ? v.gone - 1 : t;
      const list = state === "unborn" ? [] : text.instruction(m, v, at);
      if (v.op === "phi") names.push("phi");
      if (this.touched.values.has(v.id)) names.push("touched");
      if (app.isSelected("value", v.id)) names.push("selected");
      if (app.web.has(v.id)) names.push("in-web");
      if (app.using.has(v.id)) names.push("using");
      const change = app.changeOf(v);
      if (change) names.push(change);
      if (state === "gone" && v.byTime <= t) list.push(" → ", text.value(m, v.by));
      return { id: v.id, classes: names.join(" "), pieces: list, text: text.plain(list) };
    }

    newRow(row) {
      const element = dom.make("div", { className: row.classes }, ...dom.pieces(row.pieces));
      element.dataset.kind = "value";
      element.dataset.id = row.id;
      return element;
    }

    // The definition of the selected variable in a block.
    pillOf(b, t) {
      const { app } = this;
      const m = app.model;
      const s = app.state.selection;
      if (!s || s.kind !== "variable" || !m.isBlockThere(b, t)) return null;
      const now = m.definition(s.id, b.id, t);
      if (!now) return null;
      const list = [text.variable(m, s.id), " = ", ...text.definition(m, now)];
      return { pieces: list, text: text.plain(list) };
    }
  }

  return { Boxes };
})();

// graph: draws the control flow. The layout is made once, for all blocks, edges and rows
// of all steps: between steps nothing moves. Only what is in sight has elements.
const graph = (() => {
  const MARGIN = 300;
  const FAR = 0.3;
  const SMALLEST = 0.02;
  const LARGEST = 3;

  class Graph {
    constructor(app) {
      this.app = app;
      this.pane = dom.find("graph");
      this.world = dom.find("world");
      this.boxes = new boxes.Boxes(app, dom.find("boxes"));
      this.lines = dom.find("lines");
      this.halos = dom.find("halos");
      this.tree = dom.find("tree");
      this.view = { x: 0, y: 0, scale: 1 };
      this.listen();
    }

    // Another function.
    open(m) {
      this.m = m;
      this.folded = fold.first(m, 300);
      this.letter = shapes.letterWidth(this.world);
      this.arrange();
      this.boxes.begin();
      this.fit(true);
    }

    // Lays out what is unfolded.
    arrange() {
      const { m } = this;
      const drawn = fold.nodes(m, this.folded);
      this.nodes = drawn.nodes;
      this.of = drawn.of;
      const room = shapes.roomForEdges(m, drawn);
      const sizes = this.nodes.map((node, i) => {
        const { width, height } = shapes.sizeOf(m, node, this.letter);
        return { width: Math.max(width, room[i]), height, loop: node.loop };
      });
      const placed = layout.layered({
        nodes: sizes,
        edges: drawn.edges,
        loops: fold.loops(m, drawn.of),
        entry: drawn.of.get(1),
      });
      this.size = placed;
      this.nodes.forEach((node, i) =>
        Object.assign(node, sizes[i], placed.nodes[i], { key: i, element: null }),
      );
      this.edges = drawn.edges.map((e, i) =>
        Object.assign(e, placed.edges[i], shapes.boundsOf(placed.edges[i].points), {
          element: null,
        }),
      );
      for (const it of [this.boxes.parent, this.lines, this.halos, this.tree]) it.replaceChildren();
      for (const it of [this.lines, this.halos, this.tree]) {
        it.setAttribute("width", placed.width);
        it.setAttribute("height", placed.height);
      }
      this.halos.append(...shapes.halos(m.fn.loops, this.nodes, placed.layers));
      this.tree.append(...shapes.tree(m, this.nodes, drawn.of));
    }

    // {== Rendering

    render() {
      const { state } = this.app;
      this.boxes.parent.classList.toggle("without-gone", !state.removed);
      this.halos.classList.toggle("hidden", !state.loops);
      this.tree.classList.toggle("hidden", !state.dominators);
      this.lines.classList.toggle("dim", state.dominators);
      this.boxes.begin();
      this.pane.classList.toggle("comparing", state.mark !== null);
      this.draw();
    }

    // Draws what is in sight.
    draw() {
      const { x, y, scale } = this.view;
      const [w, h] = [this.pane.clientWidth, this.pane.clientHeight];
      const seen = this.printing
        ? { x1: -1e9, y1: -1e9, x2: 1e9, y2: 1e9 }
        : {
            x1: -x / scale - MARGIN,
            y1: -y / scale - MARGIN,
            x2: (w - x) / scale + MARGIN,
            y2: (h - y) / scale + MARGIN,
          };
      const inSight = (a) => a.x1 < seen.x2 && a.x2 > seen.x1 && a.y1 < seen.y2 && a.y2 > seen.y1;
      const far = scale < FAR;
      this.world.classList.toggle("far", far);
      for (const node of this.nodes) {
        const { x: nx, y: ny, width, height } = node;
        this.boxes.draw(node, inSight({ x1: nx, y1: ny, x2: nx + width, y2: ny + height }), far);
      }
      for (const edge of this.edges) this.drawEdge(edge, inSight(edge));
    }

    drawEdge(edge, visible) {
      const { m, app } = this;
      const t = app.time;
      const there = visible && edge.members.some((e) => m.isEdgeThere(e, t));
      if (!there) {
        if (edge.element) edge.element.remove();
        edge.element = null;
        return;
      }
      if (!edge.element) edge.element = this.newEdge(edge);
      const [e] = edge.members;
      const isTouched = edge.members.some((it) =>
        this.boxes.touched.edges.has(`${it.from} ${it.to}`),
      );
      edge.element.setAttribute(
        "class",
        `edge${edge.back ? " back" : ""}${isTouched ? " touched" : ""}`,
      );
      const label = edge.members.length > 1 ? "" : text.edge(m, m.block(e.from), e.index, t);
      if (edge.label !== label) {
        edge.label = label;
        edge.element.lastChild.textContent = label;
      }
    }

    newEdge(edge) {
      const { points } = edge;
      const [x, y] = points[0];
      const element = dom.svg(
        "g",
        {},
        dom.svg("path", { class: "line", d: shapes.outline(points) }),
        dom.svg("path", { class: "tip", d: shapes.arrow(points) }),
        dom.svg("text", { x: x + 4, y: y + 11 }),
      );
      edge.label = "";
      this.lines.append(element);
      return element;
    }

    // }== Moving

    place(glide = false) {
      const { x, y, scale } = this.view;
      this.world.classList.toggle("gliding", glide);
      this.world.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    }

    move(view, glide) {
      Object.assign(this.view, view);
      this.place(glide);
      this.draw();
    }

    // Shows all; or, if it is to be readable, as much of the top as can be read.
    fit(readable = false) {
      const [w, h] = [this.pane.clientWidth, this.pane.clientHeight];
      const { width, height } = this.size;
      let scale = Math.max(Math.min((w - 48) / width, (h - 48) / height, 1), SMALLEST);
      if (readable) scale = Math.max(scale, 0.75);
      const entry = this.nodes[this.of.get(1)];
      const x =
        width * scale <= w ? (w - width * scale) / 2 : w / 2 - (entry.x + entry.width / 2) * scale;
      this.move({ x, y: Math.max(24, (h - height * scale) / 2), scale });
    }

    zoom(factor, at) {
      const { x, y, scale } = this.view;
      const p = at || [this.pane.clientWidth / 2, this.pane.clientHeight / 2];
      const next = Math.min(Math.max(scale * factor, SMALLEST), LARGEST);
      const k = next / scale;
      this.move({ x: p[0] - (p[0] - x) * k, y: p[1] - (p[1] - y) * k, scale: next });
    }

    // Brings a block into sight, unless it is there.
    reveal(id) {
      const node = this.nodes[this.of.get(id)];
      if (!node) return;
      const { x, y, scale } = this.view;
      const [w, h] = [this.pane.clientWidth, this.pane.clientHeight];
      const left = node.x * scale + x;
      const top = node.y * scale + y;
      const isIn =
        left >= 0 &&
        top >= 0 &&
        left + Math.min(node.width * scale, w) <= w &&
        top + Math.min(node.height * scale, h) <= h;
      if (isIn) return;
      this.move(
        {
          x: w / 2 - (node.x + node.width / 2) * scale,
          y: h / 2 - (node.y + Math.min(node.height, h / scale) / 2) * scale,
        },
        true,
      );
    }

    // Folds or unfolds a loop; what was clicked stays where it is.
    toggle(loop, id) {
      const old = this.nodes[this.of.get(id)];
      if (this.folded.has(loop)) this.folded.delete(loop);
      else this.folded.add(loop);
      this.arrange();
      const node = this.nodes[this.of.get(id)];
      const { scale } = this.view;
      this.render();
      this.move({
        x: this.view.x + (old.x - node.x) * scale,
        y: this.view.y + (old.y - node.y) * scale,
      });
    }

    listen() {
      const { pane } = this;
      let from = null;
      pane.addEventListener("pointerdown", (event) => {
        if (event.button !== 0 || event.target.closest("button")) return;
        from = { x: event.clientX - this.view.x, y: event.clientY - this.view.y, moved: false };
      });
      pane.addEventListener("pointermove", (event) => {
        if (!from) return;
        const x = event.clientX - from.x;
        const y = event.clientY - from.y;
        if (!from.moved && Math.hypot(x - this.view.x, y - this.view.y) < 4) return;
        if (!from.moved) pane.setPointerCapture(event.pointerId);
        from.moved = true;
        this.move({ x, y });
      });
      let dragged = false;
      const end = () => {
        dragged = from !== null && from.moved;
        from = null;
      };
      pane.addEventListener("pointerup", end);
      pane.addEventListener("pointercancel", end);
      // a click that ends a drag chooses nothing
      pane.addEventListener(
        "click",
        (event) => {
          if (dragged) event.stopPropagation();
        },
        true,
      );
      pane.addEventListener(
        "wheel",
        (event) => {
          event.preventDefault();
          const box = pane.getBoundingClientRect();
          if (event.ctrlKey || event.metaKey) {
            this.zoom(Math.exp(-event.deltaY / 200), [
              event.clientX - box.left,
              event.clientY - box.top,
            ]);
          } else {
            const side = event.shiftKey && event.deltaX === 0;
            this.move({
              x: this.view.x - (side ? event.deltaY : event.deltaX),
              y: this.view.y - (side ? 0 : event.deltaY),
            });
          }
        },
        { passive: false },
      );
      new ResizeObserver(() => {
        if (this.m) this.draw();
      }).observe(pane);
      window.addEventListener("beforeprint", () => this.print(true));
      window.addEventListener("afterprint", () => this.print(false));
    }

    // On paper, everything fits on a page.
    print(begins) {
      if (begins) this.before = { ...this.view };
      this.printing = begins;
      const { width, height } = this.size;
      const scale = Math.min(700 / width, 900 / height, 1);
      this.pane.style.height = begins ? `${height * scale + 20}px` : "";
      this.move(begins ? { x: 0, y: 10, scale } : this.before);
    }

    // }==
  }

  return { Graph };
})();

// source: the left panel: the lines of the trace, and of source files.
const source = (() => {
  // More lines are shown around the current one only.
  const MOST = 3000;

  // The texts of a function: {name, lines: [{number, text}], first: line -> its first step}.
  function textsOf(m, files) {
    const out = [];
    if (m.fn.trace) {
      out.push({
        name: "trace",
        lines: m.fn.trace.map((l) => ({ number: l.line, text: l.text })),
        key: "trace",
      });
    }
    for (const file of files) {
      const places = m.fn.places;
      if (!places.some((p) => (p.file || "") === file.name)) continue;
      const lines = file.text
        .replace(/\n$/, "")
        .split("\n")
        .map((line, i) => ({ number: i + 1, text: line }));
      out.push({ name: file.name, lines, key: file.name });
    }
    return out;
  }

  class Source {
    constructor(app) {
      this.app = app;
      this.tabs = dom.find("tabs");
      this.list = dom.find("lines-of-source");
      this.list.addEventListener("click", (event) => this.clicked(event));
    }

    open(m, files) {
      this.m = m;
      this.texts = textsOf(m, files);
      for (const it of this.texts) it.steps = this.stepsOf(it);
      this.choose(this.texts.findIndex((it) => it.steps.size > 0));
    }

    get isEmpty() {
      return this.texts.length === 0;
    }

    // The line of an event in a text, or undefined.
    lineOf(it, e) {
      if (it.key === "trace") return e.line;
      for (const number of [e.loc, e.place]) {
        const p = number === undefined ? undefined : this.m.fn.places[number];
        if (p && (p.file || "") === it.key) return p.line;
      }
    }

    // By line, the first step that belongs to it.
    stepsOf(it) {
      const steps = new Map();
      this.m.steps.forEach((t, i) => {
        const line = this.lineOf(it, this.m.events[t - 1]);
        if (line !== undefined && !steps.has(line)) steps.set(line, i + 1);
      });
      return steps;
    }

    choose(i) {
      this.current = this.texts[Math.max(0, i)];
      this.from = -1;
      dom.fill(
        this.tabs,
        this.texts.map((it, k) => {
          const name = it.name.replace(/^.*[\\/]/, "") || "source";
          const tab = dom.make("button", {
            textContent: text.shown(name),
            title: text.shown(it.name, 300),
          });
          tab.setAttribute("role", "tab");
          tab.setAttribute("aria-selected", it === this.current);
          tab.addEventListener("click", () => {
            this.choose(k);
            this.render();
          });
          return tab;
        }),
      );
    }

    clicked(event) {
      const line = event.target.closest("[data-line]");
      const step = line && this.current.steps.get(Number(line.dataset.line));
      if (step) this.app.update({ step });
    }

    // The lines around one, as many as are shown.
    fillLines(at) {
      const { lines, steps } = this.current;
      const from =
        lines.length <= MOST ? 0 : Math.max(0, Math.min(at - MOST / 2, lines.length - MOST));
      const isThere =
        this.from >= 0 &&
        (lines.length <= MOST || (at >= this.from + 200 && at < this.from + MOST - 200));
      if (isThere) return;
      this.from = from;
      this.rows = new Map();
      dom.fill(
        this.list,
        lines.slice(from, from + MOST).map(({ number, text: line }) => {
          const row = dom.make(
            "div",
            { className: steps.has(number) ? "code-line has-steps" : "code-line" },
            dom.make("span", { className: "number", textContent: number }),
            dom.make("span", {
              className: "code",
              textContent: text.shown(line.replace(/\t/g, "    "), 400) || " ",
            }),
          );
          row.dataset.line = number;
          this.rows.set(number, row);
          return row;
        }),
      );
    }

    render() {
      if (this.isEmpty) return;
      const e = this.app.event;
      const line = e && this.lineOf(this.current, e);
      const index = this.current.lines.findIndex((l) => l.number === line);
      this.fillLines(Math.max(0, index));
      for (const row of this.list.querySelectorAll(".current")) {
        row.classList.remove("current");
        row.removeAttribute("aria-current");
      }
      const row = this.rows.get(line);
      if (!row) return;
      row.classList.add("current");
      row.setAttribute("aria-current", "step");
      const top = row.offsetTop - this.list.offsetTop;
      const { scrollTop, clientHeight } = this.list;
      if (top < scrollTop + 20 || top > scrollTop + clientHeight - 40)
        this.list.scrollTop = top - clientHeight / 2;
    }
  }

  return { Source };
})();

// details: the right panel: what is selected, as of the current step.
const details = (() => {
  const MOST = 200; // entries of a list

  const title = (pieces, kind) =>
    dom.make("h2", {}, dom.make("small", { textContent: kind }), ...dom.pieces(pieces));

  function section(name, ...children) {
    return dom.make("section", {}, dom.make("h3", { textContent: name }), ...children);
  }

  const paragraph = (pieces) => dom.make("p", {}, ...dom.pieces(pieces, true));

  // Items as pieces, or what `write` makes pieces of.
  function list(items, write = (it) => it) {
    const rows = items
      .slice(0, MOST)
      .map((it) => dom.make("li", {}, ...dom.pieces(write(it), true)));
    if (items.length > MOST)
      rows.push(dom.make("li", { textContent: `and ${items.length - MOST} more` }));
    return dom.make("ul", {}, ...rows);
  }

  const stepPiece = (m, t) => ({ step: m.stepAt(t), text: `step ${m.stepAt(t)}` });

  // Events by time, as a list of steps with their sentences.
  function steps(m, times) {
    const shown = times.filter((t) => t > 0 && !m.events[t - 1].quiet);
    return list(shown, (t) => [stepPiece(m, t), " ", text.plain(text.sentence(m, t))]);
  }

  function eventsAbout(m, kind, id) {
    const times = m.watched ? m.mentions(kind, id) : [];
    return times.length > 0 ? section("Steps", steps(m, times)) : null;
  }

  // {== Values

  // Why a phi was made: the read that asked for it, the phi that needs it.
  function whyPhi(m, v) {
    const asked = v.asked;
    const where = text.block(m, v.block);
    if (!asked) return v.var === undefined ? ["Made by hand."] : [];
    const why = v.incomplete ? [where, " was not sealed"] : ["in ", where, " several edges meet"];
    if (asked.by) {
      const when = asked.sealed
        ? [" when ", text.block(m, m.events[asked.sealed - 1].block), " was sealed"]
        : [];
      return [
        "The phi ",
        text.value(m, asked.by),
        " needs it as an operand",
        ...when,
        ": ",
        ...why,
        ".",
      ];
    }
    if (!asked.read) return [];
    const e = m.events[asked.read - 1];
    return [
      "Asked for by the read of ",
      text.variable(m, e.var),
      " in ",
      text.block(m, e.block),
      " at ",
      stepPiece(m, asked.read),
      ": ",
      ...why,
      ".",
    ];
  }

  // What a call does before it emits.
  const BEFORE_EMIT = new Set([
    "rule",
    "lookup",
    "read",
    "phi",
    "climb",
    "marked",
    "mark_found",
    "unmarked",
  ]);

  // The rules that were applied just before an instruction was emitted.
  function rulesOf(m, v) {
    const names = [];
    for (let i = v.born - 2; i >= 0 && BEFORE_EMIT.has(m.events[i].event); i--) {
      const { rule } = m.events[i];
      if (rule !== undefined) names.unshift(text.shown(rule, 60));
    }
    return names;
  }

  function life(m, v, t) {
    const out = [];
    if (v.born > t) return [paragraph(["Not made yet: ", stepPiece(m, v.born), "."])];
    if (v.born > 0)
      out.push(paragraph(["Made in ", text.block(m, v.block), " at ", stepPiece(m, v.born), "."]));
    if (v.op === "phi") out.push(paragraph(whyPhi(m, v)));
    const rules = v.op === "phi" || v.born < 1 || v.born === Infinity ? [] : rulesOf(m, v);
    if (rules.length > 0)
      out.push(
        paragraph([`Made by the rule${rules.length > 1 ? "s" : ""} ${text.plain(text.list(rules))}.`]),
      );
    if (v.byTime <= t) {
      out.push(
        paragraph([
          "Replaced by ",
          text.value(m, v.by),
          ` as ${v.why} at `,
          stepPiece(m, v.byTime),
          ".",
        ]),
      );
    } else if (v.gone <= t) {
      out.push(paragraph(["Removed at ", stepPiece(m, v.gone), "."]));
    }
    const old = v.replaced.filter((id) => m.value(id).byTime <= t);
    if (old.length > 0)
      out.push(paragraph(["It replaced ", ...text.list(old.map((id) => text.value(m, id))), "."]));
    return out;
  }

  function placeOf(m, v) {
    const e = v.born > 0 && v.born < Infinity ? m.events[v.born - 1] : null;
    const number = v.loc !== undefined ? v.loc : e && (e.loc !== undefined ? e.loc : e.place);
    if (e && e.line) return `line ${e.line} of the trace`;
    return number === undefined || number === null
      ? null
      : text.shown(text.place(m.fn.places[number]), 120);
  }

  function fullName(name) {
    return name.length > 28
      ? section(
          "Full name",
          dom.make("div", { className: "full", textContent: text.shown(name, 5000) }),
        )
      : null;
  }

  function ofValue(m, id, t) {
    const v = m.value(id);
    const isInst = v.block > 0;
    const at = v.gone <= t ? v.gone - 1 : t;
    const users = m.usersAt(id, t);
    const web = m.webOf(id, t);
    const where = placeOf(m, v);
    const use = (u) => [
      text.block(m, m.value(u).block),
      ": ",
      ...text.instruction(m, m.value(u), t),
    ];
    const kind =
      v.op === "phi"
        ? "phi"
        : v.op === "const" || v.op === "undef"
          ? "constant"
          : v.op === "param"
            ? "argument"
            : "value";
    return [
      title([text.shown(v.text)], v.type ? `${kind}, ${v.type}` : kind),
      fullName(v.text),
      isInst && v.born <= t
        ? section(
            "Definition",
            dom.make("p", { className: "code" }, ...dom.pieces(text.instruction(m, v, at), true)),
            where ? dom.make("p", { className: "muted", textContent: where }) : null,
          )
        : null,
      section(`Used by ${users.length}`, list(users.map(use))),
      web.length > 1 || (web.length === 1 && web[0] !== id)
        ? section("Web of phis", paragraph(text.list(web.map((p) => text.value(m, p)))))
        : null,
      m.watched && isInst ? section("History", ...life(m, v, t)) : null,
      eventsAbout(m, "value", id),
    ];
  }

  // }== Variables and blocks

  function ofVariable(m, id, t) {
    const variable = m.vars.get(id) || { name: "?" };
    const rows = [];
    for (const b of m.blocks.values()) {
      const now = m.isBlockThere(b, t) && m.definition(id, b.id, t);
      if (now) {
        rows.push([
          text.block(m, b.id),
          ": ",
          ...text.definition(m, now),
          ` (${now.how}`,
          ...(now.t > 0 ? [", ", stepPiece(m, now.t)] : []),
          ")",
        ]);
      }
    }
    const times = [];
    m.events.forEach((e, i) => {
      if (e.var === id) times.push(i + 1);
    });
    return [
      title([text.shown(variable.name)], `variable, ${variable.type || ""}`),
      fullName(variable.name),
      m.watched
        ? section(
            "Definition by block, as of this step",
            rows.length > 0 ? list(rows) : paragraph(["No block knows it yet."]),
          )
        : null,
      m.watched ? section("Steps", steps(m, times)) : null,
    ];
  }

  function ofBlock(m, id, t, app) {
    const b = m.block(id);
    const loops = m.fn.loops;
    const around = [];
    for (let l = b.loop; l !== undefined; l = loops[l].parent) around.push(l);
    const names = (ids) =>
      ids.length > 0 ? text.list([...new Set(ids)].map((p) => text.block(m, p))) : ["none"];
    const state = text.progress(b, t);
    const folding = around.map((l) => {
      const button = dom.make("button", {
        className: "plain",
        textContent: app.graph.folded.has(l) ? "unfold" : "fold",
      });
      button.addEventListener("click", () => app.graph.toggle(l, id));
      return dom.make(
        "li",
        {},
        ...dom.pieces(
          [
            "loop of ",
            text.block(m, loops[l].header),
            `, depth ${loops[l].depth}${loops[l].reducible ? "" : ", irreducible"} `,
          ],
          true,
        ),
        button,
      );
    });
    return [
      title([text.shown(b.name)], `block, ${state}`),
      fullName(b.name),
      section(
        "Edges",
        paragraph(["from ", ...names(m.preds(b, t))]),
        paragraph(["to ", ...names(m.targets(b, t))]),
      ),
      b.idom !== undefined
        ? section("Immediate dominator", paragraph([text.block(m, b.idom)]))
        : null,
      folding.length > 0 ? section("Loops", dom.make("ul", {}, ...folding)) : null,
      eventsAbout(m, "block", id),
    ];
  }

  // }== Differences, and nothing selected

  // What differs between two steps.
  function differences(m, app) {
    const a = m.time(app.state.mark);
    const t = app.time;
    const added = [];
    const lost = [];
    const changed = [];
    for (const v of m.values.values()) {
      if (v.block === 0) continue;
      const change = app.changeOf(v);
      const row = (at) => [text.block(m, v.block), ": ", ...text.instruction(m, v, at)];
      if (change === "added") added.push(row(t));
      if (change === "lost") lost.push(row(a));
      if (change === "changed") changed.push([...row(a), " → ", ...text.instruction(m, v, t)]);
    }
    const part = (name, rows, kind) => {
      if (rows.length === 0) return null;
      const it = section(`${name} ${rows.length}`, list(rows));
      it.classList.add(kind);
      return it;
    };
    return dom.make(
      "div",
      { className: "differences" },
      dom.make(
        "h2",
        {},
        dom.make("small", { textContent: "difference" }),
        `step ${app.state.mark} to step ${app.state.step}`,
      ),
      part("Added", added, "added"),
      part("Removed", lost, "lost"),
      part("Changed", changed, "changed"),
      added.length + lost.length + changed.length === 0
        ? paragraph(["Nothing in the blocks differs."])
        : null,
    );
  }

  const KEYS = [
    ["← →", "a step"],
    ["Shift ← →", "a line of the source"],
    ["Home End", "first, last step"],
    ["Space", "play"],
    ["m", "mark a step, to compare"],
    ["+ − 0", "zoom, fit"],
    ["/", "search"],
    ["Esc", "nothing selected"],
  ];

  function overview(m) {
    const vars = [...m.vars.values()].map((v) => [
      { variable: v.id, text: text.shown(v.name) },
      ` ${v.type}`,
    ]);
    const loops = m.fn.loops.map((l) => [
      text.block(m, l.header),
      `, depth ${l.depth}${l.reducible ? "" : ", irreducible"}`,
    ]);
    return [
      m.fn.problem
        ? section(
            "Problem",
            dom.make("p", { className: "problem", textContent: text.shown(m.fn.problem, 2000) }),
          )
        : null,
      section("Variables", vars.length > 0 ? list(vars) : paragraph(["none"])),
      loops.length > 0 ? section("Loops", list(loops)) : null,
      section(
        "Keys",
        dom.make(
          "dl",
          {},
          ...KEYS.filter(([k]) => m.watched || ["+ − 0", "/", "Esc"].includes(k)).flatMap(
            ([key, what]) => [
              dom.make("dt", {}, dom.make("kbd", { textContent: key })),
              dom.make("dd", { textContent: what }),
            ],
          ),
        ),
      ),
    ];
  }

  // }==

  class Details {
    constructor(app) {
      this.app = app;
      this.panel = dom.find("details");
    }

    render() {
      const { app, panel } = this;
      const { model: m, time: t } = app;
      const s = app.state.selection;
      const parts = !s
        ? overview(m)
        : s.kind === "value"
          ? ofValue(m, s.id, t)
          : s.kind === "variable"
            ? ofVariable(m, s.id, t)
            : ofBlock(m, s.id, t, app);
      const key = s ? `${s.kind} ${s.id}` : "";
      const top = key === this.key ? panel.scrollTop : 0;
      this.key = key;
      dom.fill(panel, [app.state.mark !== null ? differences(m, app) : null, ...parts]);
      panel.scrollTop = top;
    }
  }

  return { Details };
})();

// timeline: the bar below: the sentence of the step, the slider, the buttons.
const timeline = (() => {
  const KINDS = {
    phi: "phi",
    operand: "phi",
    trivial: "gone",
    redundant: "gone",
    simplified: "gone",
    dropped: "gone",
    sealed: "sealed",
    filled: "sealed",
    write: "write",
    read: "read",
    lookup: "read",
    climb: "read",
    marked: "read",
    mark_found: "read",
    unmarked: "read",
  };

  const PLAY = "M4 2.5v11L13 8z";
  const PAUSE = "M4 3h3v10H4zM9 3h3v10H9z";

  class Timeline {
    constructor(app) {
      this.app = app;
      this.slider = dom.find("slider");
      this.sentence = dom.find("sentence");
      this.count = dom.find("count");
      this.speed = dom.find("speed");
      this.strip = dom.find("strip");
      this.timer = null;
      const on = (id, f) => dom.find(id).addEventListener("click", f);
      on("first", () => this.go(0));
      on("back", () => this.go(app.state.step - 1));
      on("play", () => this.toggle());
      on("next", () => this.go(app.state.step + 1));
      on("last", () => this.go(Infinity));
      on("mark", () => this.mark());
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
      this.speed.addEventListener("change", () => {
        if (this.timer) this.start();
      });
      new ResizeObserver(() => this.drawStrip()).observe(this.strip);
      window
        .matchMedia("(prefers-color-scheme: dark)")
        .addEventListener("change", () => this.drawStrip());
    }

    open(m) {
      this.stop();
      this.m = m;
      this.slider.max = m.steps.length;
      dom.find("timeline").classList.toggle("result-only", !m.watched);
      this.drawStrip();
    }

    go(step) {
      this.stop();
      this.app.update({ step });
    }

    // To the first step of another line of the source.
    goLine(by) {
      const { m, app } = this;
      const lineAt = (k) => {
        const e = m.events[m.steps[k - 1] - 1];
        return e ? e.line || `${e.loc} ${e.place}` : "";
      };
      let k = app.state.step;
      const line = lineAt(k);
      while (k + by >= 0 && k + by <= m.steps.length && lineAt(k) === line) k += by;
      this.go(k);
    }

    mark() {
      this.app.update({ mark: this.app.state.mark === null ? this.app.state.step : null });
    }

    toggle() {
      if (this.timer) return this.stop();
      if (this.app.state.step >= this.m.steps.length) this.app.update({ step: 0 });
      this.start();
    }

    start() {
      clearInterval(this.timer);
      this.timer = setInterval(
        () => {
          const { step } = this.app.state;
          if (step >= this.m.steps.length) this.stop();
          else this.app.update({ step: step + 1 });
        },
        1000 / Number(this.speed.value),
      );
      this.showPlaying();
    }

    stop() {
      clearInterval(this.timer);
      this.timer = null;
      this.showPlaying();
    }

    showPlaying() {
      const button = dom.find("play");
      dom.find("play-shape").setAttribute("d", this.timer ? PAUSE : PLAY);
      button.setAttribute("aria-label", this.timer ? "Pause" : "Play");
      // nobody can listen that fast
      this.sentence.setAttribute("aria-live", this.timer ? "off" : "polite");
    }

    // A stripe for each step, by kind.
    drawStrip() {
      if (!this.m) return;
      const { strip, m } = this;
      const width = strip.clientWidth * devicePixelRatio;
      const n = m.steps.length;
      strip.width = width;
      strip.height = 6 * devicePixelRatio;
      const pen = strip.getContext("2d");
      const style = getComputedStyle(strip);
      const color = (kind) => style.getPropertyValue(`--${kind}`);
      const colors = Object.fromEntries(
        ["phi", "gone", "sealed", "write", "read", "other"].map((k) => [k, color(k)]),
      );
      const weight = { phi: 3, gone: 4, sealed: 2, write: 1, read: 0, other: -1 };
      const shown = [];
      const w = Math.max(1, Math.floor(width / n) - 1);
      m.steps.forEach((t, i) => {
        const kind = KINDS[m.events[t - 1].event] || "other";
        const x = Math.floor((i * width) / n);
        if (shown[x] !== undefined && weight[shown[x]] >= weight[kind]) return;
        shown[x] = kind;
        pen.fillStyle = colors[kind];
        pen.fillRect(x, 0, w, strip.height);
      });
    }

    render() {
      const { app, m } = this;
      const { step, mark } = app.state;
      const n = m.steps.length;
      this.slider.value = step;
      this.slider.setAttribute("aria-valuetext", `step ${step} of ${n}`);
      this.count.textContent = m.watched ? `${step} / ${n}` : "";
      dom.fill(this.sentence, dom.pieces(app.sentence(), true));
      const button = dom.find("mark");
      button.setAttribute("aria-pressed", mark !== null);
      button.textContent = mark === null ? "Compare" : `Comparing with ${mark}`;
      for (const id of ["first", "back"]) dom.find(id).disabled = step === 0;
      for (const id of ["next", "last"]) dom.find(id).disabled = step === n;
    }
  }

  return { Timeline };
})();

// search: finds blocks, variables and values by name.
const search = (() => {
  const MOST = 40;

  function find(m, word) {
    const found = [];
    const lower = word.toLowerCase();
    const add = (kind, id, name, what) => {
      const at = name.toLowerCase().indexOf(lower);
      if (at >= 0) found.push({ kind, id, name, what, rank: at * 1000 + name.length });
    };
    for (const b of m.blocks.values()) add("block", b.id, b.name, "block");
    for (const v of m.vars.values()) add("variable", v.id, v.name, "variable");
    for (const v of m.values.values()) if (v.type) add("value", v.id, v.text, v.op || "value");
    return found.sort((a, b) => a.rank - b.rank || a.id - b.id).slice(0, MOST);
  }

  class Search {
    constructor(app) {
      this.app = app;
      this.input = dom.find("search");
      this.results = dom.find("results");
      this.input.addEventListener("input", () => this.show());
      this.input.addEventListener("keydown", (event) => this.key(event));
      this.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
      this.results.addEventListener("pointerdown", (event) => {
        const item = event.target.closest("[data-kind]");
        if (item) this.choose(item);
      });
    }

    show() {
      const found = this.input.value === "" ? [] : find(this.app.model, this.input.value);
      dom.fill(
        this.results,
        found.map((it, i) => {
          const item = dom.make(
            "li",
            { id: `result-${i}` },
            dom.make("span", { textContent: text.shown(it.name, 40) }),
            dom.make("small", { textContent: it.what }),
          );
          item.setAttribute("role", "option");
          item.dataset.kind = it.kind;
          item.dataset.id = it.id;
          return item;
        }),
      );
      this.at = 0;
      this.results.hidden = found.length === 0;
      this.input.setAttribute("aria-expanded", found.length > 0);
      this.highlight();
    }

    highlight() {
      [...this.results.children].forEach((item, i) =>
        item.setAttribute("aria-selected", i === this.at),
      );
      const item = this.results.children[this.at];
      if (item) {
        this.input.setAttribute("aria-activedescendant", item.id);
        item.scrollIntoView({ block: "nearest" });
      }
    }

    key(event) {
      const n = this.results.children.length;
      if (event.key === "Escape") this.input.blur();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        this.at = (this.at + (event.key === "ArrowDown" ? 1 : n - 1)) % Math.max(1, n);
        this.highlight();
      }
      if (event.key === "Enter" && n > 0) this.choose(this.results.children[this.at]);
    }

    choose(item) {
      this.app.select({ kind: item.dataset.kind, id: Number(item.dataset.id) }, true);
      this.input.blur();
      this.close();
    }

    close() {
      this.results.hidden = true;
      this.input.setAttribute("aria-expanded", false);
    }
  }

  return { Search, find };
})();

// main: the page: what is shown now, and what changes it. The address says it, so that a
// step can be linked to.
class App {
  constructor(data) {
    this.data = data;
    this.state = {
      func: 0,
      step: 0,
      selection: null,
      mark: null,
      loops: false,
      dominators: false,
      removed: true,
    };
    this.graph = new graph.Graph(this);
    this.source = new source.Source(this);
    this.timeline = new timeline.Timeline(this);
    this.details = new details.Details(this);
    this.search = new search.Search(this);
    this.models = [];
    this.fillHeader();
    this.listen();
    this.read();
    window.addEventListener("hashchange", () => this.read());
  }

  // {== What is shown

  get time() {
    return this.model.time(this.state.step);
  }
  get event() {
    return this.state.step > 0
      ? this.model.events[this.model.steps[this.state.step - 1] - 1]
      : undefined;
  }

  sentence() {
    const { model: m, state } = this;
    const list = text.sentence(m, state.step > 0 ? m.steps[state.step - 1] : 0);
    if (m.fn.problem && state.step === m.steps.length)
      return list.concat(` Then: ${text.shown(m.fn.problem, 300)}`);
    return list;
  }

  isSelected(kind, id) {
    const s = this.state.selection;
    return s !== null && s.kind === kind && s.id === id;
  }

  // What the current step is about.
  touched() {
    const e = this.event || {};
    const values = new Set([e.value]);
    const edges = new Set();
    const blocks = new Set([e.block]);
    if (e.event === "operand") {
      edges.add(`${e.from} ${e.block}`);
      values.add(e.operand);
    }
    if (e.event === "climb") blocks.add(e.from).add(e.to);
    if (e.by) values.add(e.by);
    if (e.event === "filled") for (const to of e.targets || []) edges.add(`${e.block} ${to}`);
    return { values, edges, blocks };
  }

  // What has become of a row since the marked step.
  changeOf(v) {
    const { mark } = this.state;
    const { model: m, time: t } = this;
    if (mark === null || v.block === 0) return null;
    const before = m.time(mark);
    const was = m.isThere(v, before);
    const is = m.isThere(v, t);
    if (was !== is) return is ? "added" : "lost";
    const row = (at) => text.plain(text.instruction(m, v, at));
    return is && row(before) !== row(t) ? "changed" : null;
  }

  // }== Changes

  open(func) {
    const fn = this.data.functions[func];
    this.models[func] ??= model.of(fn);
    this.model = this.models[func];
    this.opened = func;
    this.web = this.using = new Set();
    dom.find("function").value = func;
    dom.find("signature").textContent = this.signature();
    this.source.open(this.model, this.data.sources || []);
    document.body.classList.toggle("without-source", this.source.isEmpty);
    this.graph.open(this.model);
    this.timeline.open(this.model);
  }

  signature() {
    const { fn, vars } = this.model;
    const params = fn.params.map(
      (p) => `${text.shown(vars.get(p.var).name)}: ${vars.get(p.var).type}`,
    );
    return `(${params.join(", ")})${fn.result ? ` → ${fn.result}` : ""}`;
  }

  // Changes what is shown. Steps outside the function become its ends.
  update(changes, quiet = false) {
    const before = this.state;
    this.state = { ...before, ...changes };
    if (this.state.func !== this.opened) this.open(this.state.func);
    const n = this.model.steps.length;
    this.state.step = Math.min(Math.max(this.state.step, 0), n);
    if (this.state.mark !== null) this.state.mark = Math.min(this.state.mark, n);
    this.follow();
    this.render();
    const e = this.event;
    if (before.step !== this.state.step && e && e.block) this.graph.reveal(e.block);
    if (!quiet) this.write();
  }

  // The web and the uses of the selected value.
  follow() {
    const s = this.state.selection;
    const { model: m, time: t } = this;
    const isValue = s !== null && s.kind === "value";
    this.web = new Set(isValue ? m.webOf(s.id, t) : []);
    this.using = new Set(isValue ? m.usersAt(s.id, t) : []);
  }

  render() {
    const { state } = this;
    for (const name of ["loops", "dominators", "removed"]) {
      dom.find(`show-${name}`).setAttribute("aria-pressed", state[name]);
    }
    this.graph.render();
    this.source.render();
    this.timeline.render();
    this.details.render();
  }

  // Selects a thing, or goes to a step.
  select(thing, reveal = false) {
    if (thing && thing.kind === "step") return this.update({ step: thing.id });
    this.update({ selection: thing });
    if (!reveal || !thing) return;
    const block =
      thing.kind === "block"
        ? thing.id
        : thing.kind === "value"
          ? this.model.value(thing.id).block
          : 0;
    if (block) this.graph.reveal(block);
  }

  // }== The address: #step=12&value=4

  read() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name, other) => {
      const n = Number.parseInt(words.get(name), 10);
      return Number.isNaN(n) ? other : n;
    };
    const kind = ["value", "block", "variable"].find((k) => words.has(k));
    const func = Math.min(Math.max(number("function", 0), 0), this.data.functions.length - 1);
    this.update(
      {
        func,
        step: number("step", Infinity),
        mark: number("compare", null),
        selection: kind ? this.known(func, { kind, id: number(kind, 0) }) : null,
        loops: words.has("loops"),
        dominators: words.has("dominators"),
        removed: !words.has("clean"),
      },
      true,
    );
  }

  // A thing, if the function has it.
  known(func, thing) {
    const fn = this.data.functions[func];
    const lists = { value: fn.values, block: [...fn.blocks, ...fn.dropped], variable: fn.vars };
    return lists[thing.kind].some((it) => it.id === thing.id) ? thing : null;
  }

  write() {
    const { func, step, selection, mark, loops, dominators, removed } = this.state;
    const words = [];
    if (func > 0) words.push(`function=${func}`);
    if (this.model.watched) words.push(`step=${step}`);
    if (mark !== null) words.push(`compare=${mark}`);
    if (selection) words.push(`${selection.kind}=${selection.id}`);
    if (loops) words.push("loops");
    if (dominators) words.push("dominators");
    if (!removed) words.push("clean");
    // in a frame, an address without its start would belong to the page around it
    const [start] = location.href.split("#");
    history.replaceState(null, "", `${start}#${words.join("&")}`);
  }

  // }== Input

  fillHeader() {
    const choice = dom.find("function");
    this.data.functions.forEach((fn, i) => {
      choice.append(dom.make("option", { value: i, textContent: text.shown(fn.name, 60) }));
    });
    const single = this.data.functions.length === 1;
    choice.hidden = single;
    if (single) dom.find("name").textContent = text.shown(this.data.functions[0].name, 60);
    choice.addEventListener("change", () => {
      this.update({ func: Number(choice.value), step: Infinity, selection: null, mark: null });
    });
  }

  listen() {
    for (const name of ["loops", "dominators", "removed"]) {
      dom
        .find(`show-${name}`)
        .addEventListener("click", () => this.update({ [name]: !this.state[name] }));
    }
    for (const name of ["source", "details"]) {
      const button = dom.find(`show-${name}`);
      button.addEventListener("click", () => {
        const hidden = document.body.classList.toggle(`hide-${name}`);
        button.setAttribute("aria-pressed", !hidden);
      });
    }
    dom.find("zoom-in").addEventListener("click", () => this.graph.zoom(1.3));
    dom.find("zoom-out").addEventListener("click", () => this.graph.zoom(1 / 1.3));
    dom.find("fit").addEventListener("click", () => this.graph.fit());
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  clicked(event) {
    const folded = event.target.closest("[data-loop]");
    if (folded) return this.graph.toggle(Number(folded.dataset.loop), Number(folded.dataset.id));
    if (event.target.closest("#results")) return;
    const thing = dom.thingAt(event.target);
    if (thing) this.select(thing, !event.target.closest("#graph"));
    else if (event.target.closest("#graph") && !event.target.closest("button")) this.select(null);
  }

  key(event) {
    const { target } = event;
    if (
      target.matches("input:not([type=range]), select") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    const { step } = this.state;
    const line = this.timeline;
    const { key } = event;
    const actions = {
      ArrowRight: () => (event.shiftKey ? line.goLine(1) : line.go(step + 1)),
      ArrowLeft: () => (event.shiftKey ? line.goLine(-1) : line.go(step - 1)),
      Home: () => line.go(0),
      End: () => line.go(Infinity),
      m: () => line.mark(),
      "+": () => this.graph.zoom(1.3),
      "-": () => this.graph.zoom(1 / 1.3),
      0: () => this.graph.fit(),
      "/": () => this.search.input.focus(),
      Escape: () => this.update({ selection: null, mark: null }),
    };
    if (key === " " && !target.matches("button")) actions[" "] = () => line.toggle();
    if (key === "Enter" && target.matches(".box")) actions.Enter = () => target.click();
    if (!Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key]();
  }

  // }==
}

globalThis.explorer = new App(JSON.parse(dom.find("data").textContent));
})();
]==]

return M
