// Opens pages in a browser, as a reader does. Reads from a file the browser's path and what
// to do: [{name, file, action}]; prints a JSON list of {name, text} or {name, problem}.
// No page may ask for anything, write to the console, or raise an error.
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
    for (const [id, shown] of [
      ["#show-loops", "#halos"],
      ["#show-dominators", "#tree"],
    ]) {
      const isHidden = () => page.locator(shown).evaluate((it) => it.classList.contains("hidden"));
      expect(await isHidden(), `${shown} is there`);
      await page.locator(id).click();
      expect(!(await isHidden()), `${shown} is not there`);
    }
    await page.locator("#speed").selectOption("20");
    await page.locator("#play").click();
    await page.waitForFunction(() => !document.getElementById("next").disabled === false, null, {
      timeout: 20000,
    });
    await page.locator(".code-line.has-steps").first().click();
    expect((await page.locator(".code-line.current").count()) === 1, "no line is current");
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
  async folded(page) {
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
    const layout = await page.evaluate(() => {
      const { graph } = globalThis.explorer;
      graph.folded.clear();
      const times = Array.from({ length: 10 }, () => {
        const start = performance.now();
        graph.arrange();
        return performance.now() - start;
      });
      return Math.min(...times);
    });
    const all = await page.evaluate(() => globalThis.explorer.graph.nodes.length);
    return `${all} blocks: ${layout.toFixed(0)} ms`;
  },

  async open(page, { script }) {
    const nodes = await page.evaluate(() => globalThis.explorer.graph.nodes.length);
    return `${nodes} nodes: ${script.toFixed(0)} ms`;
  },
};

async function visit(browser, { file, action, hash = "" }) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
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
  const { metrics } = await session.send("Performance.getMetrics");
  const script = 1000 * metrics.find((it) => it.name === "TaskDuration").value;
  const text = await actions[action](page, { script });
  await page.close();
  expect(problems.length === 0, problems.join("; "));
  return text;
}

visitAll(({ visits }) => visits.map((it) => [it.name, (browser) => visit(browser, it)]));
