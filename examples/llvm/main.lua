-- The command: promotes the allocas of LLVM IR to SSA form.
local USAGE = [[
usage: lua5.4 main.lua [--rules] [--stats] FILE.ll
Reads LLVM IR, promotes allocas to values with phis, writes LLVM IR to standard output.
FILE.ll may be - for standard input.
  --rules  applies phial's rules as well
  --stats  writes counts and times to standard error
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local Stats = require "llvm.stats"
local problems = require "llvm.problems"
local rules_of_llvm = require "llvm.rules"
local translate = require("llvm.module").translate

local OPTIONS <const> = { ["--rules"] = "rules", ["--stats"] = "stats" }

local function explain(why)
  return problems.is(why) and tostring(why) or debug.traceback(why)
end

collectgarbage("incremental", 400) -- less often: what is read is soon dropped as a whole
local o = command.options(arg, OPTIONS)
local path = command.only(o.files)
local text = command.read(path)
local stats, rules = Stats.new(), o.rules and rules_of_llvm.new() or false
local done, result = xpcall(translate, explain, path, text, rules, stats)
if not done then command.fail(result) end
io.write(result)
if o.stats then io.stderr:write(stats:text()) end
