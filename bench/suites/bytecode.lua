-- bytecode.lua: compares which writes reach which reads of local variables, by phial.source with
-- and without values, and by Lua's own bytecode through examples/luac (spec/oracle/bytecode.lua).
-- Prints what differs, then how much was compared, and what was left out.
--
-- usage: lua5.4 bench/suites/bytecode.lua FILE ...

package.path = "./?.lua;" .. package.path
require "bench.lib.tree"

local compare = require("spec.oracle.bytecode").text

local WAYS <const> = {
  { "variables", {} }, { "with values", { values = true, refine = true, fields = true } },
}

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read "a"
end

local function add(total, it)
  for key, value in pairs(it) do
    if type(value) == "number" then total[key] = (total[key] or 0) + value end
  end
end

local differ = 0

local function report(name, opts)
  local total, left, files = {}, {}, 0
  for _, path in ipairs(arg) do
    local result, why = compare(read(path), opts)
    if not result then print(path, why) end
    for _, text in ipairs(result and result.other or {}) do
      differ = differ + 1
      print(path, text)
    end
    if result then
      files = files + 1
      add(total, result)
      add(left, result.left)
    end
  end
  print(("%s: %d files, %d functions; %d names, read at %d places and written at %d"):format(name,
    files, total.functions, total.names, total.reads, total.writes))
  for why, count in pairs(left) do print(("  left out: %d %s"):format(count, why)) end
end

for _, way in ipairs(WAYS) do report(way[1], way[2]) end
os.exit(differ == 0, true)
