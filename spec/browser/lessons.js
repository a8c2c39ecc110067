// Opens the pages of lessons: reads {executable, pages: {name: {address, asked}}, marked, shown}
// from a file; prints a JSON list of {name} or {name, problem}.
const { expect, same, visitAll } = require("./browser.js");

const textOf = (page, id) => page.locator(id).innerText();
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const go = (page, step, asks = false) =>
  page.evaluate(
    ([to, isAsking]) => {
      const { explorer } = globalThis;
      explorer.update({ asks: false });
      explorer.timeline.go(to);
      explorer.update({ asks: isAsking });
    },
    [step, asks],
  );
const sentenceAt = async (page, step) => (await go(page, step), textOf(page, "#sentence"));
const calls = (page) => page.locator(".algorithm section li").allInnerTexts();

// Goes to the first step, from a step on, of whose sentence an expression is true.
async function stepOf(page, pattern, from = 0) {
  const said = await page.evaluate(() => {
    const { explorer: it } = globalThis;
    const { state } = it;
    const all = [...it.model.steps, 0].map((_, step) => {
      it.state = { ...state, step };
      return it.sentence().map((piece) => piece.text ?? piece).join("");
    });
    it.state = state;
    return all;
  });
  const step = said.findIndex((it, i) => i >= from && pattern.test(it));
  expect(step >= 0, `no step is ${pattern}`);
  await go(page, step);
  return step;
}

// Answers the question before a step; returns the verdict.
async function answered(page, step, question, answer) {
  await go(page, step - 1, true);
  await press(page, "ArrowRight");
  expect((await textOf(page, "#sentence")).startsWith(question), await textOf(page, "#sentence"));
  await page.locator("#sentence .answer", { hasText: answer }).click();
  return textOf(page, "#sentence");
}

async function opens(page, asked) {
  same(await textOf(page, "#tabs [aria-selected=true]"), "program", "the text that is shown");
  const outside = await page.evaluate(() => {
    const pane = document.getElementById("graph").getBoundingClientRect();
    const list = document.getElementById("lines-of-source");
    const boxes = [...document.querySelectorAll(".box")].map((it) => it.getBoundingClientRect());
    const isIn = (it) => it.top >= pane.top && it.bottom <= pane.bottom && it.right <= pane.right;
    return [boxes.filter((it) => !isIn(it)).length, list.scrollWidth - list.clientWidth];
  });
  same(outside, [0, 0], "blocks that are not in sight, and what is left of lines");
  expect((await page.locator(".row.write.there").count()) > 0, "what is written is no row");
  // questions that have one possible answer are not asked
  for (let i = 0; i < 9 && (await page.locator(".answer").count()) === 0; i++)
    await press(page, "ArrowRight");
  expect((await textOf(page, "#sentence")).startsWith(asked), await textOf(page, "#sentence"));
}

const LECTURE = {
  async "if-and-loop"(page) {
    await stepOf(page, /^The phi %7 of x is made in join/);
    same((await calls(page)).slice(0, 2), ["readVariable(x, join)", "readVariableRecursive(x, join)"], "the calls");
    expect((await textOf(page, ".algorithm")).includes("currentDef"), "currentDef is not shown");
  },

  async "unsealed-block"(page, { marked, shown }) {
    expect(/i of phi|operands when head is sealed/.test(await sentenceAt(page, 12)), "no phi waits");
    same(await stepOf(page, /^head is sealed/), marked + 1, "the step that seals the head");
    same(await stepOf(page, /^done is sealed/), shown + 1, "the step after the last one of that");
    await go(page, marked);
    await press(page, "m");
    await go(page, shown);
    const difference = (await textOf(page, ".differences")).replace(/\s+/g, " ");
    expect(/Removed 1 head: %5 = phi limit/.test(difference), difference);
    expect(/%4 = phi i \[\] → %4 = phi i \[entry: 0, body: %11\]/.test(difference), difference);
  },

  async "trivial-phis"(page) {
    const first = await stepOf(page, /is trivial/);
    expect((await calls(page)).pop().startsWith("tryRemoveTrivialPhi(%6)"), "the call");
    const second = await stepOf(page, /is trivial/, first + 1);
    expect((await calls(page)).pop().startsWith("tryRemoveTrivialPhi(%10)"), "the call in that");
    const why = "Wrong: The phi %10 is trivial: besides itself, its only operand is %n.";
    const question = "An operand of the phi %10 was replaced. Is it trivial now?";
    const verdict = await answered(page, second, question, "No");
    expect(verdict.startsWith(why), verdict);
  },

  async "irreducible-loops"(page) {
    const rows = async () => (await page.locator(".row.phi.there").allInnerTexts()).join("; ");
    const first = await stepOf(page, /is redundant/);
    await go(page, first - 1);
    expect(/%7 = phi x \[entry: 42, right: %12\]/.test(await rows()), await rows());
    expect(/%12 = phi x \[entry: 42, left: %7\]/.test(await rows()), await rows());
    const why = "Wrong: The phi %7 is redundant: all that reaches it through phis is 42";
    const question = "The phi %7 is not trivial, but redundant. Which value replaces it?";
    const verdict = await answered(page, first, question, "%12");
    expect(verdict.startsWith(why), verdict);
    expect(/^The phi %12 is redundant/.test(await sentenceAt(page, first + 1)), "the second one");
  },

  async markers(page) {
    await stepOf(page, /^The look-up of x marks join/);
    same(await page.locator(".box .flags", { hasText: "marked x" }).count(), 2, "marks");
    await stepOf(page, /^The function is finished/);
    const phis = await page.locator(".row.phi.there").allInnerTexts();
    same(phis.map((it) => it.split(" = ")[1]), ["phi x [join: %n, latch: %13]", "phi x [body: %12, set: 2]"], "phis");
  },

  // The pane shows what is known: in turn the dominator tree, the worklist, the stacks.
  async cytron(page, { pages }) {
    const pane = () => textOf(page, "#details");
    const rows = async () => (await page.locator("#graph .row.phi.there .variable").allInnerTexts()).sort();
    await go(page, 3);
    same((await pane()).split("\n").pop(), "waits for all blocks", "the pane at first");
    expect(!(await textOf(page, "#graph")).includes("unsealed"), "blocks are unsealed");
    expect(await page.locator("#show-dominators").isDisabled(), "dominators are known");
    for (const [step, heading] of [
      [/dominance frontier/, "Dominator tree, {frontiers}"],
      [/enters the worklist/, "Worklist for "],
      [/^Renaming enters/, "Stacks, the top last"],
    ]) {
      expect(!(await pane()).includes(heading), `${heading} is early`);
      await stepOf(page, step);
      expect((await pane()).includes(heading), `${heading} is missing`);
    }
    await press(page, "End");
    const own = await rows();
    await page.goto(pages.figure2.address);
    same(own, await rows(), "the variables of phis");
  },
};

const OTHERS = {
  // The order of what is read: the step, then the program, the blocks, the algorithm. Bars between
  // panels are moved by hand and by keys.
  async panels(page) {
    await sentenceAt(page, 20);
    const read = await page.locator("body").ariaSnapshot();
    const places = [
      "heading \"fn pick", "paragraph:\n    - text: The read of", "status: 20 / 45",
      "paragraph: 3 i = x", 'group "block entry', "paragraph: x = 1",
      'heading "the paper\'s algorithm, simple line 36 of 36"', 'heading "currentDef"',
    ].map((it) => read.indexOf(it));
    expect(!places.includes(-1), `${places}\n${read}`);
    same([...places].sort((a, b) => a - b), places, "the order");
    const width = async (id) => (await page.locator(id).boundingBox()).width;
    const [left, right] = await page.locator(".splitter").all();
    const { x, y } = await right.boundingBox();
    await page.mouse.move(x + 4, y + 100);
    await page.mouse.down();
    await page.mouse.move(800, y + 100);
    await page.mouse.up();
    expect(Math.abs((await width("#details")) - 480) < 8, `details: ${await width("#details")}`);
    const before = await width("#source");
    const step = await textOf(page, "#count");
    await left.focus();
    await press(page, "ArrowLeft");
    expect((await width("#source")) < before, "a key does not move the bar");
    same(await textOf(page, "#count"), step, "the step");
  },
};

async function visit(browser, address, action) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, reducedMotion: "reduce" });
  const problems = [];
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  await page.goto(address);
  await action(page);
  await page.close();
  expect(problems.length === 0, problems.join("; "));
}

visitAll((input) => {
  const { pages } = input;
  const list = [];
  const add = (name, of, action) =>
    list.push([name, (browser) => visit(browser, pages[of].address, action)]);
  for (const [name, { asked }] of Object.entries(pages)) {
    const shows = async (page) => {
      if (asked) await opens(page, asked);
      await LECTURE[name](page, input);
    };
    if (LECTURE[name]) add(name, name, shows);
  }
  for (const name in OTHERS) add(name, "if-and-loop", OTHERS[name]);
  return list;
});
