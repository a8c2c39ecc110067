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

local phial = require "phial"
local Stats = require "llvm.stats"
local problems = require "llvm.problems"
local translate = require("llvm.module").translate

local function fail(why)
  io.stderr:write(why, "\n")
  os.exit(1, true)
end

local function refuse(why) fail(why .. "\n" .. USAGE:sub(1, -2)) end

local FLAGS = { ["--rules"] = "rules", ["--stats"] = "stats" }

local function options(args)
  local o = {}
  for _, word in ipairs(args) do
    if FLAGS[word] then
      o[FLAGS[word]] = true
    elseif word:find "^%-." then
      refuse(word .. ": no such option")
    elseif o.file then
      refuse(word .. ": one file only")
    else
      o.file = word
    end
  end
  return o.file and o or refuse "no file given"
end

local function read(path)
  if path == "-" then return io.read "a" end
  local file, why = io.open(path, "rb")
  if not file then fail(why) end
  local text
  text, why = file:read "a"
  file:close()
  return text or fail(path .. ": " .. why)
end

local function explain(why)
  return problems.is(why) and tostring(why) or debug.traceback(why)
end

collectgarbage("incremental", 400) -- less often: what is read is soon dropped as a whole
local o = options(arg)
local stats, rules = Stats.new(), o.rules and phial.rules "int" or false
local done, result = xpcall(translate, explain, o.file, read(o.file), rules, stats)
if not done then fail(result) end
io.write(result)
if o.stats then io.stderr:write(stats:text()) end
