// The parts of the viewer that need no page, for node.
const fs = require("fs");

const FOLDER = "lua/phial/emit/html/viewer/";

// The parts of these names, by name; each uses only those before it.
module.exports = (...names) => {
  const sources = names.map((name) => fs.readFileSync(`${FOLDER}${name}.js`, "utf8"));
  return new Function(`"use strict";\n${sources.join("\n")}\nreturn { ${names.join(", ")} };`)();
};
