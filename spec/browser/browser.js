// What the scripts have in common that open pages in a browser.
const fs = require("fs");
const path = require("path");
const { chromium } = require(path.resolve("build/node_modules/playwright-core"));

function expect(good, what) {
  if (!good) throw new Error(what);
}

function same(got, wanted, what) {
  expect(
    JSON.stringify(got) === JSON.stringify(wanted),
    `${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`,
  );
}

// Reads from a file the browser's path and what `visitsOf` makes a list of visits of, each a name
// and a function; makes them with one browser; prints a JSON list of {name, text} or {name, problem}.
async function main(visitsOf) {
  const input = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
  const browser = await chromium.launch({
    executablePath: input.executable,
    args: ["--no-sandbox"],
  });
  const results = [];
  for (const [name, visit] of visitsOf(input)) {
    try {
      results.push({ name, text: await visit(browser) });
    } catch (error) {
      results.push({ name, problem: error.message });
    }
  }
  await browser.close();
  console.log(JSON.stringify(results));
}

function visitAll(visitsOf) {
  main(visitsOf)
    .then(() => process.exit())
    .catch((error) => {
      console.log(error.message);
      process.exit(1);
    });
}

module.exports = { expect, same, visitAll };
