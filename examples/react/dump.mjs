// Dumps the HIR that the React Compiler prints: a line of JSON for each function,
// {"file", "pre", "ssa", "post"}: before enterSSA, after it, and after
// eliminateRedundantPhi.  The compiler is looked up from the working directory;
// README.md names the packages.
//
//   node dump.mjs OUT.jsonl FILE_OR_FOLDER ...
//
// @LIST stands for the names in the lines of a file.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const VERSION = "1.0.0";
const PASSES = { MergeConsecutiveBlocks: "pre", SSA: "ssa", EliminateRedundantPhi: "post" };
const SOURCE = /\.(jsx?|mjs|cjs|tsx?|mts|cts)$/;
const SKIPPED = /(\.d\.[mc]?ts|\.min\.js)$/;

function fail(why) {
  console.error(why);
  process.exit(1);
}

const require = createRequire(path.join(process.cwd(), "dump.mjs"));
const found = require("babel-plugin-react-compiler/package.json").version;
if (found !== VERSION) fail(`babel-plugin-react-compiler is ${found}, not ${VERSION}`);
const compiler = require("babel-plugin-react-compiler");
const babel = require("@babel/core");

// The source files in a file or folder, in the order of their names.
function* sources(name) {
  if (name.startsWith("@")) {
    for (const line of fs.readFileSync(name.slice(1), "utf8").trim().split("\n")) {
      yield* sources(line);
    }
    return;
  }
  if (!fs.statSync(name).isDirectory()) {
    if (SOURCE.test(name) && !SKIPPED.test(name)) yield name;
    return;
  }
  const entries = fs.readdirSync(name, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const inner = path.join(name, entry.name);
    if (entry.isDirectory()) yield* sources(inner);
    else if (SOURCE.test(entry.name) && !SKIPPED.test(entry.name)) yield inner;
  }
}

// What the passes print, function by function.  A function that the compiler refuses
// before it has done all three is left out.
function collector(file, add) {
  let texts = {};
  return ({ kind, name, value }) => {
    if (kind !== "hir" || !PASSES[name]) return;
    if (name === "MergeConsecutiveBlocks") texts = {};
    texts[PASSES[name]] = compiler.printFunctionWithOutlined(value);
    if (texts.pre && texts.ssa && texts.post) {
      add({ file, pre: texts.pre, ssa: texts.ssa, post: texts.post });
      texts = {};
    }
  };
}

function compile(file, add) {
  const logger = { logEvent() {}, debugLogIRs: collector(file, add) };
  const types = /\.[mc]?tsx?$/.test(file);
  babel.transformSync(fs.readFileSync(file, "utf8"), {
    filename: path.resolve(file),
    babelrc: false,
    configFile: false,
    browserslistConfigFile: false,
    code: false,
    parserOpts: {
      allowReturnOutsideFunction: true,
      plugins: /\.[mc]?ts$/.test(file) ? ["typescript"] : ["jsx", types ? "typescript" : "flow"],
    },
    plugins: [[compiler.default, {
      compilationMode: "all", panicThreshold: "none", target: "19", logger,
    }]],
  });
}

const [, , out, ...names] = process.argv;
if (!out || names.length === 0) fail("usage: node dump.mjs OUT.jsonl FILE_OR_FOLDER ...");

const output = fs.openSync(out, "w");
let files = 0, refused = 0, functions = 0;
for (const name of names) {
  for (const file of sources(name)) {
    files += 1;
    try {
      compile(file, (line) => {
        fs.writeSync(output, JSON.stringify(line) + "\n");
        functions += 1;
      });
    } catch (problem) {
      refused += 1;
      console.error(`${file}: ${problem.message.split("\n")[0]}`);
    }
  }
}
fs.closeSync(output);
console.error(`${files} files, ${refused} not read, ${functions} functions`);
