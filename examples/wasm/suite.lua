-- suite.lua [COUNT]: compares modules of npm packages, which it fetches, and COUNT random modules
-- (500) with node: interpreted, and one in five also as native code. Run from the tree's root;
-- needs node, npm and binaryen.
package.path = "./?.lua;./examples/?.lua;" .. package.path
local file = require "spec.support.file"
local shell = require "spec.support.shell"
local beside_node = require "wasm.spec.beside_node"
local modules = require "wasm.spec.modules"

local PACKAGES <const> = { "hash-wasm@4", "source-map@0.7", "sql.js@1" }

-- What hash-wasm's modules are asked, those that have it.
local HASH <const> = { { "Hash_GetBuffer", text = ("phial"):rep(400) }, { "Hash_Init", 256 },
  { "Hash_Update", 2000 }, { "Hash_Final", 0 }, { "Hash_Calculate", 1000, 256, 0 } }

local failed, passed = 0, 0

local function compare(name, path, flags, calls)
  local ok, why = pcall(beside_node.differs, path, flags, calls)
  if ok and not why then passed = passed + 1
  else
    failed = failed + 1
    print(name, why)
  end
end

-- The modules in the files of a package: files, or texts of base64 in scripts.
local EXTRACT <const> = [[
const fs = require("fs"), path = require("path");
let n = 0;
for (const file of fs.readdirSync(".", { recursive: true })) {
  if (file.endsWith(".wasm")) fs.copyFileSync(file, `module${n++}.wasm`);
  if (!/umd[^.]*\.js$/.test(file)) continue;
  for (const [text] of fs.readFileSync(file, "utf8").matchAll(/AGFzbQ[\w+/=]*/g))
    fs.writeFileSync(`module${n++}.wasm`, Buffer.from(text, "base64"));
}]]

local function fetched(package)
  local folder = shell.output "mktemp -d":gsub("\n", "")
  file.write(folder .. "/extract.cjs", EXTRACT)
  shell.output(("cd %s && npm pack --silent %s && tar xzf *.tgz && node extract.cjs"):format(folder,
    package))
  return folder
end

for _, package in ipairs(PACKAGES) do
  local folder = fetched(package)
  for path in io.popen("ls " .. folder .. "/*.wasm"):lines() do
    local calls = package:find "^hash" and HASH or nil
    compare(path, path, nil, calls)
    compare(path, path, "-O1", calls)
  end
  os.execute("rm -r " .. folder)
end
for seed = 1, tonumber(arg[1]) or 500 do
  local path = modules.random(seed)
  compare("seed " .. seed, path)
  if seed % 5 == 0 then compare("seed " .. seed, path, "-O1") end
  os.remove(path)
end
print(("%d equal, %d not"):format(passed, failed))
os.exit(failed == 0)
