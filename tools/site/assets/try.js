// Beside each example in Lua, a link that opens it in the playground. The examples of a page are
// one program: those before an example precede it. address.js is the playground's.
const playground = new URL("../playground/index.html", document.currentScript.src);
const program = { language: "lua", name: "program.lua", words: "", text: "" };

for (const block of document.querySelectorAll(".language-lua.highlight")) {
  program.text += `${block.querySelector("code").textContent.trimEnd()}\n`;
  address.pack(program).then((packed) => {
    const link = document.createElement("a");
    Object.assign(link, { className: "try", textContent: "Open in the playground" });
    link.href = `${playground}#program=${packed}`;
    block.after(link);
  });
}
