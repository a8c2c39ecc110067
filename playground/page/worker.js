// worker: runs one program, in a thread of its own, and answers questions about its functions.
// program.js, which emscripten makes, precedes it: createProgram.
//
// It gets {start: a WebAssembly.Module}, {run: {language, name, text, words, construction,
// rules}} and {ask: "text" or "page", number, detail}; it posts {kind, ...}: ready, output, cut, done,
// answer, failed.
"use strict";

// Characters of output that are shown, and how long some of it may be kept back, in ms.
const MOST = 500000;
const DELAY = 40;

const encoder = new TextEncoder();
let lua;

// {== Output

const output = {
  decoder: new TextDecoder(),
  bytes: new Uint8Array(16384),
  used: 0,
  shown: 0,
  posted: 0,

  put(byte) {
    if (this.used === this.bytes.length) this.post();
    this.bytes[this.used++] = byte;
    if (byte === 10 && performance.now() - this.posted > DELAY) this.post();
  },

  post(last = false) {
    const text = this.decoder.decode(this.bytes.subarray(0, this.used), { stream: !last });
    this.used = 0;
    this.posted = performance.now();
    const room = MOST - this.shown;
    this.shown += text.length;
    if (room > 0 && text !== "") postMessage({ kind: "output", text: text.slice(0, room) });
    if (room > 0 && text.length > room) postMessage({ kind: "cut", most: MOST });
  },
};

// }== Calls

function pushed(bytes) {
  const at = lua._malloc(bytes.length + 1);
  if (at === 0) throw new Error("not enough memory");
  lua.HEAPU8.set(bytes, at);
  lua.HEAPU8[at + bytes.length] = 0;
  return at;
}

// The bytes in memory as text, up to a zero if no size is given.
function textAt(at, size) {
  const bytes = lua.HEAPU8;
  return new TextDecoder().decode(bytes.slice(at, at + (size ?? bytes.indexOf(0, at) - at)));
}

// Calls a function of session.lua; all arguments are texts, and so is the result.
function call(name, ...texts) {
  for (const text of texts) {
    const bytes = encoder.encode(text);
    const at = pushed(bytes);
    lua._playground_push(at, bytes.length);
    lua._free(at);
  }
  const at = pushed(encoder.encode(name));
  const status = lua._playground_call(at);
  lua._free(at);
  const from = lua._playground_result();
  const result = textAt(from, lua._playground_size());
  lua._playground_done();
  if (status !== 0) throw new Error(result);
  return result;
}

// Why a program ended otherwise than by returning: it called os.exit, or memory ran out.
function endOf(error) {
  if (error.name === "ExitStatus") return { status: error.status };
  const text =
    error instanceof RangeError ? "the program is nested too deeply" : String(error.message);
  return { problem: text };
}

// }== Messages

async function start(module) {
  lua = await createProgram({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then(done);
      return {};
    },
    stdin: () => null,
    stdout: (byte) => output.put(byte),
    stderr: (byte) => output.put(byte),
  });
  const why = lua._playground_start();
  if (why !== 0) throw new Error(textAt(why));
  postMessage({ kind: "ready", version: call("version") });
}

function run({ language, name, text, words, construction, rules }) {
  let result = { problems: [], made: [], first: 0 };
  try {
    result = JSON.parse(call("run", language, name, text, words, construction, rules));
  } catch (error) {
    const { status, problem } = endOf(error);
    if (problem) result.problems.push({ text: problem });
    result.status = status;
  }
  output.post(true);
  postMessage({ kind: "done", result });
}

function answer(question) {
  const { ask, number, detail } = question;
  try {
    const text = call(ask, String(number), detail ? "detail" : "");
    postMessage({ kind: "answer", question, text });
  } catch (error) {
    const { problem = "The program has ended." } = endOf(error);
    postMessage({ kind: "answer", question, problem });
  }
}

onmessage = ({ data }) => {
  if (data.run) run(data.run);
  else if (data.ask) answer(data);
  else start(data.start).catch((error) => postMessage({ kind: "failed", text: error.message }));
};

// }==
