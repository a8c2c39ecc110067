// machine: the workers that run programs. Each runs one; while the page shows what that one
// has made, the next is ready. Stopping ends a worker.
class Machine {
  // `shows` has functions by the kinds of a worker's messages: output, cut, done, answer,
  // failed; and `ready`, called with the version.
  constructor(shows) {
    this.shows = shows;
    this.current = null;
    this.next = null;
    this.running = false;
  }

  // The program's code: base64 of what gzip has packed.
  static async compile(packed) {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  async load(script, packed) {
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.module = await Machine.compile(packed);
    this.prepare();
  }

  prepare() {
    const worker = new Worker(this.address);
    this.next = { worker, ready: false };
    worker.onmessage = ({ data }) => this.heard(worker, data);
    worker.onerror = (event) => this.shows.failed({ text: event.message || "a worker has failed" });
    worker.postMessage({ start: this.module });
  }

  heard(worker, data) {
    if (data.kind === "ready") {
      this.next.ready = true;
      this.shows.ready(data);
    } else if (data.kind === "failed" || (this.current && this.current.worker === worker)) {
      if (data.kind === "done") this.ended();
      this.shows[data.kind](data);
    }
  }

  ended() {
    this.running = false;
    this.prepare();
  }

  // True if a program can be run now.
  get isReady() {
    return !this.running && this.next !== null && this.next.ready;
  }

  run(program) {
    if (this.current) this.current.worker.terminate();
    this.current = this.next;
    this.next = null;
    this.running = true;
    this.current.worker.postMessage({ run: program });
  }

  stop() {
    this.current.worker.terminate();
    this.current = null;
    this.ended();
  }

  // Asks for a function of the program that was run: {ask: "text" or "page", number, detail}.
  ask(question) {
    if (this.current) this.current.worker.postMessage(question);
  }
}
