// address: a program in the address: #example=NAME, or #program= and its fields as JSON, packed
// by deflate and written in the characters of base64url.
const address = (() => {
  const through = async (bytes, stream) =>
    new Uint8Array(
      await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer(),
    );

  async function pack(fields) {
    const bytes = new TextEncoder().encode(JSON.stringify(fields));
    const packed = await through(bytes, new CompressionStream("deflate-raw"));
    const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
    return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  }

  async function unpack(text) {
    const packed = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
    const fields = JSON.parse(
      new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))),
    );
    for (const name of ["language", "name", "text", "words"]) {
      if (typeof fields[name] !== "string") throw new Error(`${name} is missing`);
    }
    return fields;
  }

  // {example} or {program}; {} if the address has neither.
  async function read() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (words.has("program")) return { program: await unpack(words.get("program")) };
    return words.has("example") ? { example: words.get("example") } : {};
  }

  function write(field, text) {
    const start = location.href.split("#")[0];
    history.replaceState(
      null,
      "",
      `${start}#${field}=${encodeURIComponent(text).replace(/%2F/g, "/")}`,
    );
  }

  return { pack, read, write };
})();
