// editor: a text with numbered lines, some of which are marked.
class Editor {
  static LINE = 20; // height in pixels, as in page.css

  constructor(changed) {
    this.changed = changed;
    this.area = find("text");
    this.numbers = find("numbers");
    this.colours = find("colours");
    this.language = "lua";
    this.marks = find("marks");
    this.count = 0;
    this.isLeaving = false;
    this.area.addEventListener("input", () => this.edited());
    this.area.addEventListener("scroll", () => this.follow());
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () => (this.isLeaving = false));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTo(0, 0);
    this.edited();
  }

  edited() {
    this.mark([]);
    this.number();
    this.colour();
    this.follow();
    this.changed();
  }

  number() {
    const count = this.text.split("\n").length;
    if (count === this.count) return;
    this.count = count;
    this.numbers.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
  }

  // The text itself is transparent: it is seen through its copy in colours.
  colour() {
    this.colours.replaceChildren(...colours.of(this.language, this.text));
  }

  follow() {
    const { scrollLeft, scrollTop } = this.area;
    const moved = `translateY(${-scrollTop}px)`;
    this.numbers.style.transform = moved;
    this.marks.style.transform = moved;
    this.colours.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
  }

  // Marks lines, numbered from 1.
  mark(lines) {
    this.marks.replaceChildren(
      ...lines.map((line) => {
        const mark = make("div", { className: "mark" });
        mark.style.top = `${(line - 1) * Editor.LINE}px`;
        mark.dataset.line = line;
        return mark;
      }),
    );
  }

  // The line of the cursor, from 1.
  get line() {
    return this.text.slice(0, this.area.selectionStart).split("\n").length;
  }

  // Marks the line of the explorer's step; 0: none.
  point(line) {
    this.pointed?.remove();
    if (line === 0) return;
    this.pointed = make("div", { className: "point" });
    this.pointed.style.top = `${(line - 1) * Editor.LINE}px`;
    this.marks.append(this.pointed);
    if (document.activeElement !== this.area) this.show(line);
  }

  // Shows a line, and puts the cursor into it; columns are bytes, as in messages.
  go(line, column = 1) {
    const lines = this.text.split("\n");
    const at = Math.min(line, lines.length) - 1;
    const before = lines.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0);
    const bytes = new TextEncoder().encode(lines[at]).slice(0, column - 1);
    const place = before + new TextDecoder().decode(bytes).length;
    this.area.focus();
    this.area.setSelectionRange(place, place);
    this.show(line);
  }

  show(line) {
    const top = (line - 1) * Editor.LINE;
    const { scrollTop, clientHeight } = this.area;
    const isSeen = top >= scrollTop && top + 2 * Editor.LINE < scrollTop + clientHeight;
    if (!isSeen) this.area.scrollTop = Math.max(0, top - clientHeight / 2);
  }

  // {== Keys

  // Replaces a part, so that it can be undone.
  replace(from, to, text) {
    this.area.setSelectionRange(from, to);
    if (!document.execCommand(text === "" ? "delete" : "insertText", false, text)) {
      this.area.setRangeText(text, from, to, "end");
      this.edited();
    }
  }

  // Indents the lines of the selection by two spaces, or takes as many away.
  indent(isLess) {
    const { selectionStart: start, selectionEnd: end } = this.area;
    if (start === end && !isLess) return this.replace(start, end, "  ");
    const from = this.text.lastIndexOf("\n", start - 1) + 1;
    const old = this.text.slice(from, end);
    const text = isLess ? old.replace(/^ {1,2}/gm, "") : old.replace(/^(?=.)/gm, "  ");
    if (text === old) return;
    this.replace(from, end, text);
    if (start === end)
      this.area.setSelectionRange(
        Math.max(from, start + text.length - old.length),
        from + text.length,
      );
    else this.area.setSelectionRange(from, from + text.length);
  }

  // A new line begins where the one before does.
  newLine() {
    const { selectionStart: start, selectionEnd: end } = this.area;
    const from = this.text.lastIndexOf("\n", start - 1) + 1;
    const [space] = this.text.slice(from, start).match(/^[ \t]*/);
    this.replace(start, end, `\n${space}`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape") {
      this.isLeaving = true;
      return;
    }
    if (event.key === "Tab" && !this.isLeaving) {
      event.preventDefault();
      this.indent(event.shiftKey);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.newLine();
    }
    if (event.key !== "Tab" && event.key !== "Shift") this.isLeaving = false;
  }

  // }==
}
