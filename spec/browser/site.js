// Opens pages of the site in a browser. Reads {executable, site, pages} from the file that is
// its argument; prints a JSON list of {name} or {name, problem}. No page may ask another host for
// anything, write to the console, or raise an error.
const fs = require("fs");
const http = require("http");
const path = require("path");
const zlib = require("zlib");
const { expect, visitAll } = require("./browser.js");

const KINDS = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

// A server of the site on a port of its own. It ends with the process: the page may still be
// loading when its visit ends.
function serve(site) {
  const server = http.createServer((request, response) => {
    const file = path.join(site, decodeURIComponent(request.url.split("?")[0]));
    fs.readFile(file, (error, data) => {
      const kind = KINDS[path.extname(file)] || "text/plain";
      response.writeHead(error ? 404 : 200, { "Content-Type": kind });
      response.end(data);
    });
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

// The addresses that a search for a word finds, in order.
async function search(page, word) {
  await page.locator(".md-search__input").click();
  await page.keyboard.type(word);
  await page.locator(".md-search-result__link").first().waitFor();
  await page.waitForTimeout(300);
  const links = await page.locator(".md-search-result__link").all();
  return Promise.all(links.map((it) => it.getAttribute("href")));
}

async function searches(page, base) {
  await page.goto(`${base}/running.html`);
  const found = await search(page, "split_edge");
  const [first] = found;
  expect(first.includes("reference/block.html"), `it is found in ${first}`);
  const method = found.find((it) => it.endsWith("#phial.Block.split_edge"));
  expect(method, "the method is not found");
  await page.locator(`.md-search-result__link[href="${method}"]`).click();
  await page.locator("h3:target").waitFor();
}

const scheme = (page) => page.locator("body").getAttribute("data-md-color-scheme");

const actions = {
  "the front page": async (page, base) => {
    await page.goto(`${base}/index.html`);
    const cards = page.locator(".cards strong a");
    expect((await cards.count()) === 6, "there is not a card for each kind of user");
    await cards.first().click();
    await page.locator("h1").waitFor();
    expect(page.url().endsWith("start/script.html"), page.url());
  },

  "search in files": searches,

  "search from a server": async (page, base, site) => {
    const server = await serve(site);
    await searches(page, `http://127.0.0.1:${server.address().port}`);
  },

  "a step of a figure": async (page, base) => {
    await page.goto(`${base}/algorithm.html`);
    await page.locator("a.md-button").first().click();
    await page.locator("#sentence").waitFor();
    expect(page.url().endsWith("gallery/figure3.html#step=8"), page.url());
    const sentence = await page.locator("#sentence").innerText();
    expect(sentence.includes("phi"), sentence);
  },

  "an example": async (page, base) => {
    await page.goto(`${base}/running.html`);
    const link = page.locator("a.try").nth(1);
    const [, packed] = (await link.getAttribute("href")).split("#program=");
    const fields = JSON.parse(zlib.inflateRawSync(Buffer.from(packed, "base64url")));
    const codes = await page.locator(".language-lua.highlight code").allInnerTexts();
    expect(codes[1].trim() !== "" && fields.text.includes(codes[0].trim()), fields.text);
    expect(fields.text.endsWith(`${codes[1].trimEnd()}\n`), fields.text);
    await link.click();
    expect(page.url().includes("playground/index.html#program="), page.url());
  },

  "the colours": async (page, base) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto(`${base}/index.html`);
    expect((await scheme(page)) === "slate", "it is not dark");
    await page.locator("label.md-header__button[title=Light]").click();
    await page.goto(`${base}/gallery.html`);
    expect((await scheme(page)) === "default", "it is dark again");
  },

  // What axe finds, in both schemes.
  access: async (page, base, site, pages) => {
    const axe = fs.readFileSync("build/node_modules/axe-core/axe.min.js", "utf8");
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const it of pages.slice(0, 7)) {
        await page.goto(`${base}/${it}`);
        await page.evaluate(axe);
        const found = await page.evaluate(async () =>
          (await globalThis.axe.run({ preload: false })).violations.map(
            (v) => `${v.id}: ${v.nodes[0].html}`,
          ),
        );
        expect(found.length === 0, `${it}, ${colorScheme}: ${found.join("; ")}`);
      }
    }
  },

  // Neither a phone nor a window has to be scrolled to the side; no picture is missing.
  "the widths": async (page, base, site, pages) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const it of pages) {
        await page.goto(`${base}/${it}`);
        const [room, wide, broken] = await page.evaluate(() => [
          document.documentElement.clientWidth,
          document.documentElement.scrollWidth,
          [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
        ]);
        expect(wide <= room, `${it} is ${wide} wide at ${room}`);
        expect(broken.length === 0, `${it}: no ${broken}`);
      }
    }
  },
};

async function visit(browser, action, base, site, pages) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => problems.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    const isHere = /^(file|data|blob):|^http:\/\/127\.0\.0\.1:/.test(address);
    if (!isHere) problems.push(`request: ${address}`);
  });
  page.setDefaultTimeout(20000);
  await action(page, base, site, pages);
  await context.close();
  expect(problems.length === 0, problems.join("; "));
}

visitAll(({ site, pages }) =>
  Object.entries(actions).map(([name, action]) => [
    name,
    (browser) => visit(browser, action, `file://${site}`, site, pages),
  ]),
);
