// What node says of a module: node reference.js FILE.wasm MEMORY CALLS. A line of the file CALLS is
// a call: the export, a text that is then written to the address which it returns, or nothing, and
// the arguments as type:value, separated by tabs. Writes a line for each call, also of an import,
// and the bytes of the exported memory to the file MEMORY.
import fs from "node:fs";
const [, , path, memory, calls] = process.argv;

// Numbers by their bits as f64: 1 and 1.0 are one thing, -0 and 0 are two.
function shown(value) {
  if (Array.isArray(value)) return value.map(shown).join(" ");
  if (value === undefined) return "";
  if (typeof value === "bigint") return String(value);
  if (Number.isNaN(value)) return "nan";
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return bits.getBigUint64(0).toString(16).padStart(16, "0");
}

function argument(text) {
  const [type, value] = text.split(":");
  return type === "i64" ? BigInt(value) : Number(value);
}

const out = [];
function attempt(name, run) {
  try {
    const value = run();
    out.push(`${name}: ${shown(value)}`);
    return value;
  } catch (e) {
    out.push(`${name}: trap ${e.message}`);
  }
}

const module = new WebAssembly.Module(fs.readFileSync(path));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  imports[from] ??= {};
  imports[from][name] = (...args) => {
    out.push(`${name} ${shown(args)}`);
    return 0;
  };
}
let exported = {};
attempt("start", () => {
  exported = new WebAssembly.Instance(module, imports).exports;
});
const kept = Object.values(exported).find((it) => it instanceof WebAssembly.Memory);
for (const line of fs.readFileSync(calls, "utf8").split("\n")) {
  const [name, text, ...args] = line.split("\t");
  if (!exported[name]) continue;
  const at = attempt(name, () => exported[name](...args.map(argument)));
  if (text) new Uint8Array(kept.buffer).set(new TextEncoder().encode(text), at);
}
fs.writeFileSync(memory, new Uint8Array(kept ? kept.buffer : 0));
process.stdout.write(out.join("\n") + "\n");
