-- fold.lua: makes the SSA form of functions of LLVM IR, nothing else, and prints the nodes that are
-- left, how many of them are phis, and the seconds that took, without those of reading. Without a
-- file it makes the rules only.
--
-- usage: lua5.4 bench/paper/fold.lua [--rules] [FILE.ll ...]

package.path = "./?.lua;./examples/?.lua;" .. package.path
require "bench.lib.tree"

local phial = require "phial"
local func = require "llvm.func"
local module = require "llvm.module"
local translate = require "llvm.translate"

local rules, nodes, phis, seconds = false, 0, 0, 0.0

local function add(scanner, number, header, body, last)
  local source = func.read(scanner, header, body, number, last)
  local start = os.clock()
  local ssa = translate.translate(source, scanner, rules)
  seconds = seconds + os.clock() - start
  local stats = ssa.fn:stats()
  nodes, phis = nodes + stats.values, phis + stats.phis
  ssa.fn:close()
end

collectgarbage("incremental", 400)
for _, word in ipairs(arg) do
  if word == "--rules" then
    rules = phial.rules "int"
  else
    local file <close> = assert(io.open(word))
    module.read(word, file:read "a", add, function() end)
  end
end
print(("nodes %d phis %d seconds %.4f"):format(nodes, phis, seconds))
