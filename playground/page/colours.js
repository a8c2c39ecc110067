// colours: the words of a program's language. Nothing depends on them.
const colours = (() => {
  // Longer texts have none.
  const MOST = 60000;

  const NUMBER = String.raw`(?<number>\b(?:0[xX][\da-fA-F.]+|\d[\da-fA-F.]*H?(?:[eE][+-]?\d+)?)\b)`;
  const WORD = String.raw`(?<word>[A-Za-z_]\w*)`;
  const LONG = String.raw`\[(?<level>=*)\[[^]*?(?:\]\k<level>\]|$)`;
  const LINE = String.raw`--[^\n]*`;

  const LANGUAGES = {
    lua: {
      pattern: [
        `(?<comment>--${LONG.replace(/level/g, "far")}|${LINE})`,
        String.raw`(?<string>"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|${LONG})`,
        NUMBER,
        WORD,
      ],
      words:
        "and break do else elseif end false for function goto if in local nil not or repeat return then true until while",
    },
    while: {
      pattern: [`(?<comment>${LINE})`, NUMBER, WORD],
      words: "and do else false if not or print skip then true while",
    },
    tinylang: {
      pattern: [String.raw`(?<comment>\(\*[^]*?(?:\*\)|$))`, NUMBER, WORD],
      words:
        "AND BEGIN BOOLEAN CONST DIV DO ELSE ELSIF END FALSE FROM IF IMPORT INTEGER MOD MODULE NOT OR PROCEDURE RETURN THEN TRUE VAR WHILE",
    },
  };
  LANGUAGES["lua functions"] = LANGUAGES.lua;

  const rules = new Map(
    Object.entries(LANGUAGES).map(([name, { pattern, words }]) => [
      name,
      { pattern: new RegExp(pattern.join("|"), "g"), words: new Set(words.split(" ")) },
    ]),
  );

  // What a match is, or undefined.
  function kindOf({ comment, string, number, word }, words) {
    if (comment !== undefined) return "comment";
    if (string !== undefined) return "string";
    if (number !== undefined) return "number";
    return words.has(word) ? "keyword" : undefined;
  }

  // A text as nodes.
  function of(language, text) {
    if (text.length > MOST) return [text];
    const { pattern, words } = rules.get(language);
    const nodes = [];
    let from = 0;
    for (const match of text.matchAll(pattern)) {
      const kind = kindOf(match.groups, words);
      if (kind === undefined) continue;
      nodes.push(text.slice(from, match.index));
      nodes.push(make("span", { className: kind, textContent: match[0] }));
      from = match.index + match[0].length;
    }
    return [...nodes, text.slice(from)];
  }

  return { of };
})();
