// Search in pages that are opened as files. A browser refuses them workers and requests: the
// script of the worker runs in a frame, the index comes as a script (search/search_index.js).
if (location.protocol === "file:") {
  const base = new URL("..", document.currentScript.src);

  class FrameWorker extends EventTarget {
    constructor(address) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.window = frame.contentWindow;
      this.window.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      script.src = address;
      script.onload = () => {
        const { waiting } = this;
        this.waiting = null;
        for (const data of waiting) this.postMessage(data);
      };
      frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.window.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {}
  }

  window.Worker = FrameWorker;
  window.__search = {
    index: new Promise((resolve) => {
      window.searchIndex = resolve;
      const script = document.createElement("script");
      script.src = new URL("search/search_index.js", base);
      document.head.append(script);
    }),
  };
}

// What the theme does not name for readers who hear the page.
document.querySelector("[data-md-component=search]")?.setAttribute("aria-label", "Search");
document.querySelector(".md-search__scrollwrap")?.setAttribute("tabindex", "0");
for (const it of document.querySelectorAll("pre > code")) it.tabIndex = 0; // it may be scrolled
for (const it of document.querySelectorAll("th:empty")) it.replaceWith(document.createElement("td"));
