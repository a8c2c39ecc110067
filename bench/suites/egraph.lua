-- egraph.lua: what the built-in rules leave of the functions by which cranelift tests its
-- optimizer, beside what cranelift leaves.
--
-- usage: lua5.4 bench/suites/egraph.lua [--above] FOLDER
--
-- FOLDER is cranelift/filetests/filetests/egraph of wasmtime's repository. Instructions count,
-- not constants, parameters and ends of blocks (bench/lib/clif). What is not translated is
-- listed with the reason. --above prints the functions of which phial leaves more.

package.path = "./?.lua;" .. package.path

local grid = require "bench.lib.grid"
local read = require "bench.lib.clif.read"
local tools = require "bench.lib.llvm.tools"
local translate = require "bench.lib.clif.translate"

local prints = arg[1] == "--above"
local folder = arg[prints and 2 or 1] or error("usage: egraph.lua [--above] FOLDER", 0)

local function contents(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local KEYS <const> = { "all", "without expectation", "translated", "fewer", "same", "more" }
local counts, reasons, list = {}, {}, {}

local function add(key) counts[key] = (counts[key] or 0) + 1 end

local function compare(source)
  add "all"
  if #source.expected == 0 then return add "without expectation" end
  local left = read.left(source)
  local lacking = translate.lacking(left)
  local fn, reason = nil, lacking and "result with op " .. lacking
  if not lacking then fn, reason = translate.translate(source) end
  if not fn then
    if not reasons[reason] then reasons[reason], list[#list + 1] = 0, reason end
    reasons[reason] = reasons[reason] + 1
    return
  end
  add "translated"
  local ours, theirs = translate.count(fn), #left
  add(ours < theirs and "fewer" or ours == theirs and "same" or "more")
  if ours > theirs and prints then
    print(("%s %s: %d, %d\n%s\n    %s\n"):format(source.file, source.name, ours, theirs, fn,
      table.concat(source.expected, "\n    ")))
  end
  fn:close()
end

for path in tools.must("find %s -name '*.clif' | LD_PRELOAD= sort", folder):gmatch "[^\n]+" do
  local sources = read.functions(contents(path), path:match "[^/]*$")
  for _, source in ipairs(sources) do compare(source) end
end

table.sort(list, function(a, b)
  if reasons[a] ~= reasons[b] then return reasons[a] > reasons[b] end
  return a < b
end)
local rows = { { "not translated", "functions" } }
for _, reason in ipairs(list) do rows[#rows + 1] = { reason, grid.number(reasons[reason]) } end
io.write(grid.text(rows), "\n")
rows = { { "functions", "" } }
for _, key in ipairs(KEYS) do rows[#rows + 1] = { key, grid.number(counts[key] or 0) } end
io.write(grid.text(rows))
