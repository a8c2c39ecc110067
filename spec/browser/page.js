// Opens pages in a browser, as a reader does. Reads from a file the browser's path and what
// to do: [{name, file, action}]; prints a JSON list of {name, text} or {name, problem}.
// No page may ask for anything, write to the console, or raise an error.
const fs = require("fs");
const path = require("path");
const { expect, same, visitAll } = require("./browser.js");

const textOf = (page, id) => page.locator(id).innerText();
const detailsOf = (page) => textOf(page, "#details");
const press = (page, ...keys) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

// Where the boxes are in the drawing, and how large.
const places = (page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll(".box")].map((b) => [
        b.dataset.id,
        [b.offsetLeft, b.offsetTop, b.offsetWidth, b.offsetHeight].join(" "),
      ]),
    ),
  );

// The rows of a block that are there, as text.
const rowsOf = (page, name) =>
  page.evaluate((wanted) => {
    const box = [...document.querySelectorAll(".box")].find(
      (b) => b.querySelector(".name").textContent === wanted,
    );
    return [...box.querySelectorAll(".row.there")].map((row) => row.textContent);
  }, name);

const overflowing = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".row.there")]
      .filter((row) => row.scrollWidth > row.clientWidth + 1)
      .map((row) => row.textContent),
  );

const actions = {
  // Goes through all steps; returns their sentences. Nothing moves, no row is cut off.
  async steps(page) {
    const lines = [];
    const last = Number((await textOf(page, "#count")).split(" / ")[1]);
    await press(page, "Home");
    const before = await places(page);
    for (let step = 0; step <= last; step++) {
      same(await textOf(page, "#count"), `${step} / ${last}`, "the count");
      lines.push(`${step} ${await textOf(page, "#sentence")}`);
      same(await places(page), before, `the boxes at step ${step}`);
      same(await overflowing(page), [], `rows that are cut off at step ${step}`);
      await press(page, "ArrowRight");
    }
    expect(new URL(page.url()).hash === `#step=${last}`, `the address is ${page.url()}`);
    return lines.join("\n") + "\n";
  },

  // Figure 2: what is shown of things that are clicked.
  async choose(page) {
    same(
      await rowsOf(page, "head"),
      ["%15 = phi x [entry: 1, latch: %16]", "%7 = slt %n, 10", "branch %7"],
      "head",
    );
    await page.locator(".box .own", { hasText: "%16" }).click();
    const value = await detailsOf(page);
    expect(/phi, i64\s+%16/.test(value), "the phi is not shown");
    expect(/The phi %15 needs it as an operand/.test(value), "why it was made is not shown");
    expect(/Web of phis\s+%15 and %16/.test(value), "its web is not shown");
    await page.locator("#details .step").first().click();
    expect(/step=\d+&value=16/.test(page.url()), `the address is ${page.url()}`);
    await press(page, "End", "Escape");
    await page.locator("#details .variable", { hasText: "x" }).click();
    same(
      await page.locator(".pill").allInnerTexts(),
      ["x = 1", "x = %15", "x = %12", "x = %16", "x = %15"],
      "the definitions of x",
    );
    await press(page, "Escape");
    await page.locator(".box .row.gone", { hasText: "%5" }).click({ position: { x: 3, y: 9 } });
    expect(
      /Replaced by %n as trivial at step 32/.test(await detailsOf(page)),
      "its replacement is not shown",
    );
    await press(page, "Escape", "/");
    await page.keyboard.type("latc");
    await press(page, "Enter");
    expect(
      /from body and change\s+to head/.test(await detailsOf(page)),
      "the search does not find a block",
    );
    await press(page, "Escape", "m", "Home");
    expect(/Removed \d/.test(await detailsOf(page)), "nothing differs");
    await press(page, "Escape", "Home", "Shift+ArrowRight", "Shift+ArrowRight");
    expect(/^[1-9]\d* \//.test(await textOf(page, "#count")), "lines are not passed");
    expect(await page.locator("#show-loops").isDisabled(), "loops are known before the end");
    await press(page, "End");
    for (const [id, shown] of [
      ["#show-loops", "#graph .halos"],
      ["#show-dominators", "#graph .tree"],
    ]) {
      const isHidden = () => page.locator(shown).evaluate((it) => it.classList.contains("hidden"));
      expect(await isHidden(), `${shown} is there`);
      await page.locator(id).click();
      expect(!(await isHidden()), `${shown} is not there`);
    }
    await press(page, "Home");
    await page.locator("#speed").selectOption("20");
    await page.locator("#play").click();
    await page.waitForFunction(() => !document.getElementById("next").disabled === false, null, {
      timeout: 20000,
    });
    await page.locator(".code-line.has-steps").first().click();
    expect((await page.locator(".code-line.current").count()) === 1, "no line is current");
    return "good";
  },

  // The paper's algorithm beside the picture: its line, calls and table, at steps and between.
  async algorithm(page) {
    const line = () => textOf(page, "#details [aria-current]");
    const calls = () => page.locator(".algorithm section li").allInnerTexts();
    const row = (name) => page.locator(".defs tr", { hasText: name }).innerText();
    same((await line()).trim(), "val ← new Phi(block)", "the line where a phi is made");
    same(await calls(), ["readVariable(n, head)", "readVariableRecursive(n, head)"], "the calls");
    same((await row("head")).split("\t")[1], "", "n in head, not yet written");
    for (let i = 0; i < 4; i++) await page.locator("#line-on").click();
    same((await line()).trim(), "currentDef[variable][block] ← value", "four lines on");
    same(await textOf(page, ".defs .writes"), "%5", "what that line writes");
    same(await textOf(page, "#count"), "10 / 45", "the step, which is the same");
    await page.evaluate(() => {
      const { explorer } = globalThis;
      const { events, vars } = explorer.model;
      const isIt = (e) => e.event === "lookup" && vars.get(e.var).name === "x";
      explorer.update({ step: explorer.model.stepAt(1 + events.findLastIndex(isIt)) });
    });
    same(await page.locator(".edge.touched").count(), 0, "paths of a look-up that begins");
    for (let i = 0; i < 4; i++) await page.locator("#line-on").click();
    same((await calls()).pop(), "readVariable(x, head)", "the call");
    same(await page.locator(".edge.touched").count(), 1, "edges of its path");
    await press(page, "?");
    expect(/Shift ← →/.test(await detailsOf(page)), "keys are not shown");
    await press(page, "?");
    expect((await page.locator(".procedures").count()) === 1, "the algorithm is not back");
    return "good";
  },

  // A page that asks first: nothing is shown before the answer, which is judged.
  async ask(page) {
    const answers = () => page.locator("#sentence .answer").allInnerTexts();
    await page.locator("#ask").click();
    await press(page, "ArrowRight");
    same(await textOf(page, "#count"), "8 / 45", "the step while it asks");
    same(
      await textOf(page, "#sentence"),
      "head reads n. Is a phi made there? Yes, in headNo",
      "it",
    );
    await page.locator("#sentence .answer").first().click();
    const right = "Right: a phi is made in head, because head is not sealed: edges that come later may ";
    expect((await textOf(page, "#sentence")).startsWith(right), "not right");
    await press(page, "ArrowRight", "ArrowRight");
    expect((await answers()).includes("%5"), "a read is not asked for");
    await page.locator("#sentence .answer", { hasText: "%n" }).click();
    expect((await textOf(page, "#sentence")).startsWith("Wrong: it is %5, because the phi of n in head stands for what each predecessor gives."), "not wrong");
    const trivial = await page.evaluate(() => {
      const { model } = globalThis.explorer;
      const step = model.stepAt(1 + model.events.findIndex((e) => e.event === "trivial"));
      globalThis.explorer.update({ step: step - 1 });
      return step;
    });
    await press(page, "ArrowRight");
    same(await answers(), ["Yes, it goes", "No, it stays"], "the answers about a phi");
    await press(page, "ArrowRight");
    same(await textOf(page, "#count"), `${trivial} / 45`, "the step without an answer");
    expect(/ask/.test(page.url()), "the address does not say that it asks");
    return "good";
  },

  // A plain trace: its blocks are there from the start, with the trace's numbers.
  async plain(page) {
    await press(page, "Home", "ArrowRight");
    same(await page.locator(".box.unborn").count(), 0, "blocks that are not made");
    same(
      await page.locator(".box .name").allInnerTexts(),
      ["entry", "b1", "b2", "b3"],
      "the blocks",
    );
    await press(page, "/");
    await page.keyboard.type("b2");
    await press(page, "Enter");
    same(await page.inputValue("#search"), "", "the text of the search");
    return "good";
  },

  // Until the end, a classical algorithm's operands are variables.
  async classical(page) {
    await press(page, "Home");
    for (let i = 0; i < 3; i++) await press(page, "ArrowRight");
    same(await rowsOf(page, "entry"), ["%4 = add n, 1", "jump"], "the entry");
    await press(page, "End");
    same(await rowsOf(page, "entry"), ["%4 = add %n, 1", "jump"], "the entry at the end");
    return "good";
  },

  // The pane of a classical algorithm: its worklist, its stacks, the dominator tree with frontiers.
  async renaming(page) {
    const shown = async (event) => {
      const at = await page.evaluate((wanted) => {
        const { model: m, timeline } = globalThis.explorer;
        const t = 1 + m.events.findLastIndex((e) => e.event === wanted);
        timeline.go(m.stepAt(t));
        return m.stepAt(t);
      }, event);
      const pane = await page.locator("#details .algorithm").innerText();
      const current = page.locator("#details [aria-current] > .thing").first();
      return { at, lines: pane.split("\n").filter((it) => it !== ""), now: await current.innerText() };
    };
    const tree = ["Dominator tree, {frontiers}", "entry", "head {head}", "body {head}", "exit"];
    const placed = await shown("placed");
    same(
      placed.lines.slice(1),
      ["phis are placed", ...tree, "Worklist for s", "blocks: entry", "phis in: head"],
      "where a phi is placed",
    );
    same(placed.now, "body", "the block of the worklist");
    const written = await shown("write");
    same(
      written.lines.slice(1),
      ["renaming", ...tree, "Stacks, the top last", "n: %n", "s: %n %16 %12"],
      "where a variable is written",
    );
    const left = await shown("left");
    same([left.lines[1], left.now], ["at rest", "entry"], "at the end");
    return "good";
  },

  // The graph is in the middle again when the pane comes into sight, or has another size.
  async resized(page) {
    const fitted = () =>
      page.waitForFunction(() => {
        const all = [...document.querySelectorAll(".box")].map((b) => b.getBoundingClientRect());
        const pane = document.getElementById("graph").getBoundingClientRect();
        const left = Math.min(...all.map((b) => b.left)) - pane.left;
        const right = pane.right - Math.max(...all.map((b) => b.right));
        return Math.abs(left - right) < 60;
      });
    await page.evaluate(() => {
      document.querySelector("main").style.display = "none";
      globalThis.explorer.open(0);
      // sizes are observed once a frame
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    });
    await page.evaluate(() => document.querySelector("main").style.removeProperty("display"));
    await fitted();
    await page.setViewportSize({ width: 1000, height: 700 });
    await fitted();
    return "good";
  },

  // What is selected is seen in a small picture; Fit shows what is shown; print is one page.
  async small(page) {
    const scale = () => page.evaluate(() => globalThis.explorer.graph.view.scale);
    await page.locator("#fit").click();
    const all = await scale();
    await page.evaluate(() => globalThis.explorer.select({ kind: "value", id: 3 }));
    for (let i = 0; i < 9; i++) await page.locator("#zoom-out").click();
    const outline = await page
      .locator(".box.holding")
      .evaluate((it) => parseFloat(getComputedStyle(it).outlineWidth));
    expect(outline * (await scale()) > 1.9, `an outline of ${outline * (await scale())} pixels`);
    const count = () => page.evaluate(() => globalThis.explorer.graph.nodes.length);
    same(await count(), 32, "the blocks to which an edge ever led");
    await page.locator("#show-removed").click();
    same(await count(), 2, "the blocks that are left");
    await page.locator("#fit").click();
    expect((await scale()) > all, "blocks that are hidden take part");
    const printed = await page.evaluate(() => {
      const { graph } = globalThis.explorer;
      graph.print(true);
      const { scale } = graph.view;
      graph.print(false);
      return scale * graph.size.width;
    });
    expect(printed > 450 && printed <= 700, `two blocks are ${printed} pixels wide on paper`);
    await press(page, "ArrowLeft");
    same(await count(), 32, "the blocks before they were cut off");
    await press(page, "m", "End");
    await page.locator("#side-by-side").click();
    same(await count(), 2, "the blocks after the edit");
    same(
      await page.evaluate(() => globalThis.explorer.side.graph.nodes.length),
      32,
      "the blocks before the edit, beside it",
    );
    const heads = await page.locator(".side").allInnerTexts();
    expect(/^this step: /.test(heads[0]) && /^marked: /.test(heads[1]), "the names of sides");
    const leftOf = async (id) => (await page.locator(id).boundingBox()).x;
    expect((await leftOf("#beside")) < (await leftOf("#graph")), "what is earlier is not left");
    await page.evaluate(() => globalThis.explorer.update({ mark: 90, removed: true }));
    const lost = (id) => page.locator(`${id} .box.lost`).count();
    expect((await lost("#graph")) > 5 && (await lost("#beside")) > 5, "blocks that are lost");
    await page.locator("#show-removed").click();
    await press(page, "Escape");
    expect(!(await page.locator("#beside").isVisible()), "the other side is there");
    await page.locator("#show-removed").click();
    const pdf = (await page.pdf({ format: "A4", printBackground: true })).toString("latin1");
    same((pdf.match(/\/Type\s*\/Page\b/g) || []).length, 1, "pages of paper");
    return "good";
  },

  // A search finds ops, data, types, rules and lines by their text, or says that there is no match;
  // long numbers of lines, and keys of parallel edges, lie on nothing.
  async find(page) {
    const found = async (word) => {
      await page.locator("#search").fill(word);
      return (await page.locator("#results li").allInnerTexts()).map((it) => it.split("\n"));
    };
    same((await found("add"))[0], ["%6 = add %4, 7 i64", "entry"], "an op");
    same((await found("thing of"))[0], ['call @"a thing of data" %6', "entry"], "data");
    same(await found("by8"), [["by8: x * 8 => x << 3", "step 3"]], "a rule");
    await press(page, "Enter");
    expect(/^3 /.test(await textOf(page, "#count")), "the step of the rule");
    same((await found("seal"))[0], ["seal way", "trace:100009"], "a line");
    await page.waitForTimeout(200);
    expect(await page.locator("#results").isVisible(), "results of a search right after another");
    await press(page, "Enter");
    expect(/way is sealed/.test(await textOf(page, "#sentence")), "the step of the line");
    same(await found("nothing like it"), [["no match"]], "what there is not");
    await press(page, "Enter", "Escape");
    expect(!(await page.locator("#results").isVisible()), "results are left");
    const laid = await page.evaluate(() => {
      const boxOf = (it) => it.getBoundingClientRect();
      const text = document.createRange();
      const right = (it) => (text.selectNodeContents(it), boxOf(text).right);
      return {
        areApart: [...document.querySelectorAll(".code-line")].every(
          (it) => right(it.children[0]) < boxOf(it.children[1]).left,
        ),
        labels: [...document.querySelectorAll("#graph .edge text")].map((it) => it.textContent),
      };
    });
    expect(laid.areApart, "numbers of lines lie on the lines");
    same(laid.labels.filter((it) => it !== ""), ["default, 1, 2, … 6 more"], "labels");
    return "good";
  },

  // Lines and values show each other; values are pinned; text is copied and selected.
  async links(page) {
    const line = (n) => page.locator(`[data-line="${n}"]`);
    const row = (name) =>
      page.locator("#graph .row", { has: page.locator(".own", { hasText: name }) });
    const style = (it, what, pseudo) =>
      it.evaluate((e, [name, of]) => getComputedStyle(e, of)[name], [what, pseudo]);
    same(await line(18).innerText(), "18\n  read s → %3", "a read of the trace");
    same(await line(14).innerText(), "14\n  branch %5 → body, exit", "a branch of the trace");
    await line(21).hover();
    same(await style(row("%9"), "outlineStyle"), "solid", "the outline of a value of the line");
    await row("%9").hover();
    same(await style(row("%9"), "outlineStyle"), "none", "the outline, when the pointer has left");
    same(
      await page.locator(".code-line.lit").innerText(),
      "21\n  %9 = add %8, %4",
      "the line of %9",
    );
    for (const name of ["%3", "%9"]) {
      await row(name).locator(".own").click();
      await press(page, "p");
    }
    same(await style(row("%3"), "content", "::after"), '"1"', "the first pin");
    same(await style(row("%9"), "content", "::after"), '"2"', "the second pin");
    expect(/pins=3\.9/.test(page.url()), `the address is ${page.url()}`);
    await page.locator("#details .tools", { hasText: "Unpin" }).click();
    expect(/pins=3$/.test(page.url()), `the address is ${page.url()}`);
    await page.locator("#details .place").click();
    same(await page.locator(".code-line.lit .number").innerText(), "21", "the line of the link");
    await page.locator("#graph .name", { hasText: "body" }).click();
    await page.evaluate(() => {
      window.addEventListener(
        "copy",
        (e) => (globalThis.copied = e.clipboardData.getData("text/plain")),
      );
    });
    await page.locator("#details .tools", { hasText: "Copy" }).click();
    const copied = await page.evaluate(() => globalThis.copied);
    await row("%8").dblclick();
    const selected = await page.evaluate(() => getSelection().toString());
    expect(selected !== "", "no text of the graph is selected");
    return copied;
  },

  // A trace under two constructions: one timeline, counts, what one side only has.
  async beside(page) {
    const heads = () => page.locator(".side").allInnerTexts();
    same(
      await heads(),
      ["marker: 2 phis made, 1 there, step 35 of 35", "cytron: 1 phi made, 1 there, step 27 of 27"],
      "the counts at the end",
    );
    same(await page.locator(".row.only").count(), 0, "what one side only has at the end");
    await page.locator("#beside .own", { hasText: "%16" }).click();
    same(
      await page.locator(".row.selected .own").allInnerTexts(),
      ["%3", "%16"],
      "the phi that is selected on both sides",
    );
    await press(page, "Escape");
    let others = 0;
    for (let step = 61; step >= 0; step--) {
      await press(page, "ArrowLeft");
      const said = await textOf(page, "#sentence");
      if (said.startsWith("cytron: ")) others++;
      const isMarked = /^marker: \d phis? made, 2 there/.test((await heads())[0]);
      const only = await page.locator("#graph .row.only").count();
      if (isMarked) expect(only >= 2, `at step ${step}, ${only} rows are marked`);
    }
    same(others, 26, "steps of the other side");
    const choose = (n) => page.locator("#function").selectOption(String(n));
    await choose(1);
    expect(/^cytron: 0 phis made, 0 there/.test((await heads())[1]), "the other function is not shown");
    await choose(0);
    same((await heads())[1], "cytron: 1 phi made, 1 there, step 27 of 27", "the first function again");
    await press(page, "Home");
    same((await heads())[1], "cytron: 0 phis made, 0 there, step 0 of 27", "the count at first");
    return actions.access(page, {});
  },

  // What axe finds; on a phone, what is too small for a finger.
  async access(page, { isTouched }) {
    await page.evaluate(fs.readFileSync("build/node_modules/axe-core/axe.min.js", "utf8"));
    const found = (rules) =>
      page.evaluate(async (runOnly) => {
        const { violations } = await globalThis.axe.run(runOnly ? { runOnly } : {});
        return violations.map((it) => `${it.id}: ${it.nodes.map((n) => n.html).join(" ")}`);
      }, rules);
    const selection = { kind: "value", id: 4 };
    for (const state of [{}, { mark: 20 }, { mark: null, selection }, { selection: null }]) {
      await page.evaluate((it) => globalThis.explorer.update(it), state);
      await page.emulateMedia({ colorScheme: "light" });
      same(await found(), [], `axe, ${JSON.stringify(state)}`);
      await page.emulateMedia({ colorScheme: "dark" });
      same(await found(["color-contrast"]), [], `axe, in the dark, ${JSON.stringify(state)}`);
    }
    if (!isTouched) return "good";
    const isCut = await page.evaluate(() => {
      const { timeline } = globalThis.explorer;
      globalThis.explorer.update({ step: 8, asks: true });
      timeline.go(9);
      const { scrollHeight, clientHeight } = timeline.sentence;
      return timeline.pending === null || scrollHeight > clientHeight;
    });
    expect(!isCut, "no question, or not all of its answers are in sight");
    const small = await page.evaluate(() =>
      [...document.querySelectorAll("button, select, input")]
        .filter((it) => it.offsetParent && !it.matches(".thing"))
        .filter((it) => it.offsetHeight < 44 || it.offsetWidth < 44)
        .map((it) => it.id || it.textContent),
    );
    same(small, [], "targets that are too small");
    const { scrollWidth, clientWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    same(scrollWidth, clientWidth, "the width of the page");
    return "good";
  },

  // A function that nobody has watched: no steps, the whole function.
  async result(page) {
    expect(!(await page.locator("#slider").isVisible()), "there are steps");
    same(await rowsOf(page, "latch"), ["%16 = phi x [body: %15, change: %12]", "jump"], "latch");
    await page.locator(".box .own", { hasText: "%16" }).click();
    expect(/Used by 1/.test(await detailsOf(page)), "uses are not shown");
    return "good";
  },

  // Names that would be markup: all are text.
  async hostile(page) {
    await actions.steps(page);
    same(
      await page.evaluate(() => document.querySelectorAll("img, iframe, script:not(#data)").length),
      1,
      "elements",
    );
    expect((await textOf(page, "#name")).startsWith("</script><script>"), "the name is not shown");
    same(
      (await page.locator("#tabs button").allInnerTexts()).map((it) => it.slice(0, 5)),
      ["a\\xe2", "scrip"],
      "the names of files",
    );
    const widest = await page.evaluate(() =>
      Math.max(...globalThis.explorer.graph.nodes.map((it) => it.width)),
    );
    expect(widest < 1000, `a block is ${widest} wide`);
    for (const kind of ["variable", "block", "value"]) {
      const ids = await page.evaluate((k) => {
        const { model } = globalThis.explorer;
        return [...{ variable: model.vars, block: model.blocks, value: model.values }[k].keys()];
      }, kind);
      for (const id of ids) {
        await page.evaluate(([k, i]) => globalThis.explorer.select({ kind: k, id: i }), [kind, id]);
        expect((await detailsOf(page)).length < 20000, `${kind} ${id} is too long`);
      }
    }
    return "good";
  },

  // Loops are folded, and unfold in their place.
  async folded(page, { spent }) {
    const count = await page.evaluate(() => globalThis.explorer.graph.nodes.length);
    const loop = page.locator(".box.folded").first();
    const id = await loop.getAttribute("data-id");
    const before = await loop.boundingBox();
    await loop.click();
    expect(
      (await page.evaluate(() => globalThis.explorer.graph.nodes.length)) > count,
      "it is not unfolded",
    );
    const after = await page.locator(`.box[data-id="${id}"]`).boundingBox();
    expect(Math.hypot(after.x - before.x, after.y - before.y) < 2, "it has moved");
    const deep = await page.evaluate(() => {
      const { graph, model } = globalThis.explorer;
      graph.fit();
      const of = (b) => graph.nodes[graph.of.get(b)];
      return [...model.values.values()].find((v) => v.type && v.block && of(v.block).folded >= 0);
    });
    await page.locator("#search").fill(deep.text);
    await press(page, "Enter");
    const row = await page.locator(`#graph .row[data-id="${deep.id}"]`).boundingBox();
    expect(row.height > 10 && row.x > 0 && row.y > 40 && row.y < 700, "what is found is not seen");
    await page.evaluate(() => globalThis.explorer.graph.folded.clear());
    const times = [];
    for (let i = 0; i < 10; i++) {
      const before = await spent();
      await page.evaluate(() => globalThis.explorer.graph.arrange());
      times.push((await spent()) - before);
    }
    const layout = Math.min(...times);
    const all = await page.evaluate(() => globalThis.explorer.graph.nodes.length);
    return `${all} blocks: ${layout.toFixed(0)} ms`;
  },

  async open(page, { script }) {
    const nodes = await page.evaluate(() => globalThis.explorer.graph.nodes.length);
    return `${nodes} nodes: ${script.toFixed(0)} ms`;
  },
};

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function visit(browser, { file, action, hash, device }) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...(device === "phone" ? PHONE : {}),
  });
  const problems = [];
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = `file://${path.resolve(file)}`;
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== address) problems.push(`request: ${request.url()}`);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(address + hash);
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find((it) => it.name === "TaskDuration").value;
  };
  const script = await spent();
  const text = await actions[action](page, { script, spent, isTouched: device === "phone" });
  await page.close();
  expect(problems.length === 0, problems.join("; "));
  return text;
}

visitAll(({ visits }) => visits.map((it) => [it.name, (browser) => visit(browser, it)]));
