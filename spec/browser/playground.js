// Uses the playground in a browser, as a reader does. Reads from a file the browser's path, the
// page and what to do, a list of names; prints a JSON list of {name, text} or {name, problem}.
// No page may ask for anything, write to the console, or raise an error.
const path = require("path");
const { expect, same, visitAll } = require("./browser.js");

// {== What a reader sees and does

const contentOf = (page, id) => page.locator(id).textContent();
const marked = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".mark")].map((it) => Number(it.dataset.line)));

// Waits until nothing runs, and all is shown.
async function idle(page) {
  await page.waitForFunction(() => !document.body.matches(".running"));
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

async function type(page, language, text) {
  await page.selectOption("#language", language);
  await page.fill("#text", text);
}

// Runs a text; returns what is printed.
async function run(page, language, text) {
  await type(page, language, text);
  await page.keyboard.press("Control+Enter");
  await idle(page);
  return contentOf(page, "#output");
}

// The SSA form of the function that is chosen.
async function form(page) {
  await page.click("#tab-ssa");
  await page.waitForFunction(() => document.getElementById("ssa").textContent !== "");
  return contentOf(page, "#ssa");
}

// The page in the frame of the explorer.
async function explorer(page) {
  await page.click("#tab-steps");
  const frame = page.frameLocator("#steps iframe");
  await frame.locator("#sentence").waitFor();
  return frame;
}

// }== Visits

const actions = {
  // All examples: by name, what each prints, and the SSA form of its function.
  async examples(page) {
    const results = {};
    const names = await page.evaluate(() =>
      [...document.querySelectorAll("#example option")].map((it) => it.value),
    );
    for (const name of names) {
      await page.selectOption("#example", name);
      await idle(page);
      const isMade = (await page.locator("#function option").count()) > 0;
      results[name] = [await contentOf(page, "#output"), isMade ? await form(page) : ""];
    }
    return JSON.stringify(results);
  },

  // Mistakes, and the lines that are marked.
  async mistakes(page) {
    const check = async (language, text, message, lines) => {
      expect((await run(page, language, text)).includes(message), `no '${message}'`);
      same(await marked(page), lines, text);
      expect((await contentOf(page, "#problems")).includes(message), `no '${message}' listed`);
    };
    await check("lua", "print(1)\nlocal x = = 2", "program.lua:2: unexpected symbol", [2]);
    await check("lua", "local x\n\nprint(x.y)", "program.lua:3: attempt to index", [3]);
    await check(
      "lua",
      'local phial = require "phial"\nlocal fn = phial.fn("f", { "n:i32" })\n\nfn:entry():add(fn:param(1), 1 << 40)',
      "program.lua:4: bad argument #2 to 'add' (1099511627776 does not fit i32)",
      [4],
    );
    await check("lua", "error({}, 0)", "(error object is a table value)", [1]);
    await check(
      "lua",
      "io.stdout:close()\nerror(setmetatable({}, { __tostring = error }))",
      "(error object is a table value)",
      [2],
    );
    await check(
      "lua",
      'require("phial").build("f", {}, nil, function(b) b:ret() end):compile()',
      "no C compiler",
      [1],
    );
    await check("lua", "local s = ('x'):rep(1 << 28)\nprint(#(s .. s))", "not enough memory", []);
    await check("while", "x := 1;\ny := x +", "program.while:2:9: expected an expression", [2]);
    await check("tinylang", "MODULE M;\nBEGIN x := 1\nEND M.", "program.mod:2:7: ", [2]);
    await check("lua functions", "local function f(", "program.lua:1:", [1]);
    for (const language of ["lua", "lua functions"]) {
      await check(language, "#!/usr/bin/env lua5.4\nlocal x = =", "program.lua:2: unexpected", [2]);
    }
    await page.fill("#text", "local function f() end");
    same(await marked(page), [], "after a change");
    await run(page, "lua", `local x${"\n".repeat(200)}error "far"`);
    await page.locator("#problems button").click();
    expect(
      (await page.evaluate(() => document.getElementById("text").scrollTop)) > 1000,
      "not scrolled",
    );
    return "good";
  },

  // A program that never ends is stopped; the next one runs.
  async endless(page) {
    for (const text of ["print 'on'\nwhile true do end", "while true do print 'on' end"]) {
      await type(page, "lua", text);
      await page.click("#run");
      await page.waitForFunction(() => document.getElementById("output").textContent !== "");
      await page.keyboard.press("Control+.");
      await idle(page);
      const printed = await contentOf(page, "#output");
      expect(/^on\n([^]*\n)?\[stopped after \d+\.\d s\]\n$/.test(printed), printed.slice(-100));
      expect(printed.length < 600000, `${printed.length} characters`);
      same(await run(page, "lua", "print 'next'"), "next\n", "the next program");
    }
    await type(page, "lua", "while true do end");
    await page.keyboard.press("Control+Enter");
    const said = (wanted) =>
      page.waitForFunction(
        (it) => RegExp(it).test(document.getElementById("state").textContent),
        wanted,
      );
    await said("^Still running: Stop .* ends it\\. [2-9]\\d* s$");
    await page.click("#stop");
    await said("^Stopped after \\d+\\.\\d s\\. $");
    await page.keyboard.press("Control+Enter");
    await page.fill("#text", "print 'again'");
    await page.keyboard.press("Control+Enter");
    await idle(page);
    same(await contentOf(page, "#output"), "again\n", "what runs in place of another");
    await page.reload();
    await idle(page);
    same(await page.inputValue("#text"), "print 'again'", "the text after a reload");
    expect((await contentOf(page, "#state")).includes("are kept"), "nothing says so");
    await type(page, "lua", "while true do print 'on' end");
    await page.click("#run");
    await page.selectOption("#example", "while/gcd.while");
    await idle(page);
    same(await contentOf(page, "#output"), "21\n", "the example");
    same(
      await run(page, "lua", "io.write 'a'\nos.exit(3)"),
      "a\n[the program has ended with status 3]\n",
      "a program that exits",
    );
    return "good";
  },

  // Programs run as they are typed; their lines and the explorer's steps lead to each other; a
  // construction can be chosen.
  async typing(page) {
    await type(page, "lua", "print 'typed'");
    await page.waitForFunction(() => document.getElementById("output").textContent === "typed\n");
    await run(
      page,
      "lua",
      `local phial = require "phial"
phial.build("f", { "n:i64" }, "i64", function(b, v)
  b:while_(function() return v.n:slt(10) end, function()
    v.n = v.n + 1
  end)
  b:ret(v.n)
end)`,
    );
    const frame = await explorer(page);
    await page.evaluate(() => globalThis.playground.editor.go(4));
    await page.keyboard.press("Home");
    const line = frame.locator(".code-line.current .number", { hasText: /^4$/ });
    await line.waitFor({ state: "attached" });
    expect(!(await line.isVisible()), "the program is shown twice");
    await page.click("#wide");
    await line.waitFor();
    await page.click("#wide");
    await line.waitFor({ state: "hidden" });
    await page.waitForFunction(() => document.querySelector(".point").style.top === "60px");
    await page.selectOption("#construction", "simple");
    await frame.locator("#details small", { hasText: "algorithm, simple" }).waitFor();
    return "good";
  },

  // The explorer steps through what a program has made, also where it failed.
  async steps(page) {
    const frame = await explorer(page);
    const sentence = await frame.locator("#sentence").innerText();
    await frame.locator("#back").click();
    expect((await frame.locator("#sentence").innerText()) !== sentence, "it does not step");
    expect((await frame.locator(".code-line.current").count()) === 1, "no line is current");
    const count = async () => Number((await frame.locator("#count").innerText()).split("/")[1]);
    const few = await count();
    await page.click("#detail");
    await frame.locator("#count", { hasText: RegExp(`^(?!.*/ ${few}$)`) }).waitFor();
    expect((await count()) > few, "look-ups are no steps");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    same(download.suggestedFilename(), "sum.html", "the saved file");
    const text =
      'local phial = require "phial"\nfor i = 1, 2 do\n  local fn = phial.fn("f" .. i)\n  fn:entry():jump(fn:block "next")\nend\nerror "here"';
    await run(page, "lua", text);
    same(
      await page.locator("#function option").allTextContents(),
      ["f1 (unfinished)", "f2 (unfinished)"],
      "functions",
    );
    await page.selectOption("#function", "1");
    await frame.locator("#name", { hasText: "f1" }).waitFor();
    await frame.locator(".box .name", { hasText: "next" }).waitFor();
    return "good";
  },

  // The address holds a program.
  async link(page, browser) {
    const text = 'print "\u00e4\u{1f600} </script>"\t-- +/=';
    await type(page, "lua", text);
    await page.click("#share");
    await page.waitForFunction(() => location.hash.startsWith("#program="));
    const address = page.url();
    const other = await (await browser.newContext()).newPage();
    await other.goto(address);
    await other.waitForFunction(() => document.getElementById("text").value !== "");
    same(await other.inputValue("#text"), text, "the program");
    await idle(other);
    same(await contentOf(other, "#output"), "", "what runs unasked");
    expect((await contentOf(other, "#state")).includes("press Run"), "nothing says so");
    await other.goto(`${address.split("#")[0]}#example=while/gcd.while`);
    await idle(other);
    await other.waitForFunction(() => document.getElementById("output").textContent === "21\n");
    await other.close();
    for (const wrong of ["program=nonsense", "example=none"]) {
      // as a reader opens it: before there is a worker
      const fresh = await (await browser.newContext()).newPage();
      await fresh.goto(`${address.split("#")[0]}#${wrong}`);
      await fresh.waitForFunction(() => globalThis.playground.since !== undefined);
      const said = await contentOf(fresh, "#state.bad");
      expect(said.startsWith("The link is damaged"), `${wrong}: ${said}`);
      await fresh.click("#run");
      await fresh.locator("#state:not(.bad)", { hasText: "Done" }).waitFor();
      await fresh.close();
    }
    return "good";
  },

  // Names and output that would be markup.
  async hostile(page) {
    const bad = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u202e";
    await run(
      page,
      "lua",
      `local bad = ${JSON.stringify(bad)}\nprint(bad, "\\xff\\0")\nlocal fn = require("phial").fn(bad)\nfn:entry():ret()\nprint(fn:finish())\nerror(bad)`,
    );
    expect((await contentOf(page, "#output")).startsWith(`${bad}\t\ufffd`), "it is not printed");
    expect((await contentOf(page, "#problems")).includes(bad), "the problem is not shown");
    expect((await form(page)).includes("onerror"), "the name is not shown");
    const frame = await explorer(page);
    expect((await frame.locator("#name").innerText()).startsWith("</script>"), "no name");
    same(await page.evaluate(() => document.querySelectorAll("img").length), 0, "images");
    return "good";
  },

  // By keys alone.
  async keys(page) {
    const text = () => page.inputValue("#text");
    await page.fill("#text", "");
    await page.focus("#text");
    await page.keyboard.type("if x then");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("a = 1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.type("end");
    same(await text(), "if x then\n  a = 1\nend", "what was typed");
    same(await contentOf(page, "#colours"), await text(), "its copy in colours");
    same(
      await page.locator("#colours .keyword").allTextContents(),
      ["if", "then", "end"],
      "its keywords",
    );
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Tab");
    same(await text(), "  if x then\n    a = 1\n  end", "indented");
    await page.keyboard.press("Control+Z");
    same(await text(), "if x then\n  a = 1\nend", "undone");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    same(await page.evaluate(() => document.activeElement.id), "tab-output", "the focus");
    await page.keyboard.press("ArrowRight");
    same(await page.evaluate(() => document.activeElement.id), "tab-ssa", "the tab");
    await page.click("#reset");
    expect((await text()).startsWith("local phial"), "it is not reset");
    await page.fill("#text", "-- changed");
    await page.selectOption("#example", "while/gcd.while");
    await page.selectOption("#example", "the-manual/sum.lua");
    same(await text(), "-- changed", "what was changed before");
    return "good";
  },

  // Nothing is cut off or covered, at any width.
  async widths(page) {
    for (const width of [320, 400, 800, 1280, 1900]) {
      await page.setViewportSize({ width, height: 800 });
      const [program, result] = await page.evaluate(() =>
        ["program", "result"].map((id) => document.getElementById(id).getBoundingClientRect().top),
      );
      expect(result < program === width < 760, `what comes first at ${width}`);
      for (const id of ["#tab-output", "#tab-ssa", "#tab-steps"]) {
        await page.click(id);
        const room = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          [...document.querySelectorAll("button, select, input, h1, a")]
            .filter((it) => it.checkVisibility() && it.offsetWidth < 12)
            .map((it) => it.id),
        ]);
        same(room, [width, []], `${id} at ${width}`);
      }
    }
    return "good";
  },
};

async function visit(browser, address, name) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  const problems = [];
  context.on("console", (message) => problems.push(`console: ${message.text()}`));
  context.on("weberror", (it) => problems.push(`error: ${it.error().message}`));
  context.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = request.url();
    if (url.split("#")[0] !== address && !url.startsWith("blob:")) problems.push(`request: ${url}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  await page.goto(address);
  await idle(page);
  const text = await actions[name](page, browser);
  await context.close();
  expect(problems.length === 0, problems.join("; "));
  return text;
}

// }==

visitAll(({ page, visits }) => {
  const address = `file://${path.resolve(page)}`;
  return visits.map((name) => [name, (browser) => visit(browser, address, name)]);
});
