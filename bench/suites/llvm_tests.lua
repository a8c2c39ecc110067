-- llvm_tests.lua: what phial's rules leave of the functions of LLVM's own tests, beside what opt
-- leaves: those of integers without flags that examples/llvm takes, by file.
--
-- usage: [OPT=opt-16] [LLI=lli-16] lua5.4 bench/suites/llvm_tests.lua [--more] FOLDER ...
--
-- --more adds the rules of phial.rules.more that hold in LLVM.
-- FOLDER is llvm/test/Transforms/InstSimplify or InstCombine of LLVM's sources (sh tools/sources
-- FOLDER llvm-toolchain-16 --tar-only fetches them); the pass is named by its last part. A function
-- is reached if phial leaves at most as many instructions as the pass does. It is compared, if
-- nothing in it can trap or be poison, by running both at corners of its parameters; the exit
-- status is 1 if a result is another one.

package.path = "./?.lua;examples/?.lua;" .. package.path

local Stats = require "llvm.stats"
local counts = require "bench.lib.llvm.counts"
local file = require "tools.file"
local grid = require "bench.lib.grid"
local phial = require "phial"
local rules_of_llvm = require "llvm.rules"
local tools = require "bench.lib.llvm.tools"
local translate = require("llvm.module").translate

local SCRATCH <const> = "build/bench/llvm_tests"
local opt, lli = os.getenv "OPT" or "opt-16", os.getenv "LLI" or "lli-16"

local with_more = arg[1] == "--more"
if with_more then table.remove(arg, 1) end
if not arg[1] then
  io.stderr:write("usage: [OPT=opt-16] [LLI=lli-16] lua5.4 bench/suites/llvm_tests.lua ",
    "[--more] FOLDER ...\n")
  os.exit(2)
end

-- {== Functions ==========================================================

-- What a function of integers without flags does not have.
local OTHER <const> = {
  "%f[%w]ptr%f[^%w]", "float", "double", "half", "fp128", "x86_", "[<*]", "undef", "poison",
  " n[us]w ", " exact ", "token", "alloca", "asm ", "!", "{[^\n]", "@[^\n]*@",
}

local function has(text, list)
  for _, other in ipairs(list) do
    if text:find(other) then return true end
  end
  return false
end

-- The functions of a text by name: from "define" to the brace that ends them.
local function functions(text)
  local list = {}
  for whole in ("\n" .. text):gmatch "\n(define.-\n})" do
    list[#list + 1] = { name = whole:match "^[^\n@]*@([-%w$._]+)%(", text = whole }
  end
  return list
end

-- Adds the declarations of a text to a list, each once.
local function declare(list, text)
  for line in text:gmatch "declare[^\n]*" do
    line = line:gsub(" *#%d+", "")
    local name = line:match "@[-%w$._]+"
    if name and not (has(line, OTHER) or list[name]) then
      list[#list + 1], list[name] = line .. "\n", true
    end
  end
end

-- Those that phial takes, as they are and as it leaves them; and what these declare.
local function taken(path, rules)
  local text = file.read(path):gsub(";[^\n]*", "")
  local declared, list = {}, {}
  declare(declared, text)
  local its = table.concat(declared)
  for _, fn in ipairs(functions(text)) do
    fn.text = fn.text:gsub(" #%d+", "")
    if fn.name and not has(fn.text, OTHER) then
      local done, ours = pcall(translate, path, its .. fn.text .. "\n", rules, Stats.new())
      if done and functions(ours)[1] then
        fn.ours, list[#list + 1] = functions(ours)[1].text, fn
        declare(declared, ours)
      end
    end
  end
  return list, table.concat(declared)
end

-- }== Running ============================================================

local CORNERS <const> = { 0, 1, -1, 2, 7, 85, -128, 127, 100, -3 }

local CALL <const> = [[
  %a$c = call $r @"$f.was"($p)
  %b$c = call $r @$f($p)
  %c$c = icmp ne $r %a$c, %b$c
  %d$c = zext i1 %c$c to i32
  call i32 (ptr, ...) @printf(ptr @text, i32 $n, i32 %d$c)]]
local PRINT <const> = [[
@text = constant [7 x i8] c"%d %d\0A\00"
declare i32 @printf(ptr, ...)
]]

-- What may trap or be poison, or depends on more than the parameters.
local OTHERWISE <const> = { "div ", "rem ", "sh[lr] ", "call ", " br ", "switch", "void" }

-- A function of IR that calls both at corners, and prints whether they differ.
local function calls_of(fn, number)
  local result, params = fn.text:match "(i%d+) @[-%w$._]+%((.-)%)[^\n]*{"
  if not result or has(fn.text, OTHERWISE) then return end
  local lines = {}
  for case = 1, 15 do
    local i = 0
    local args = params:gsub("i(%d+)[^,]*", function(bits)
      i = i + 1
      local value = CORNERS[(case * (2 * i - 1) + case // 5 * i) % #CORNERS + 1]
      return ("i%s %d"):format(bits, tonumber(bits) < 9 and value % (1 << bits - 1) or value)
    end)
    lines[case] = (CALL:gsub("%$(%a)", { r = result, f = fn.name, p = args, n = number,
      c = number .. "_" .. case }))
  end
  return ("define void @run.%d() {\n%s\n  ret void\n}"):format(number, table.concat(lines, "\n"))
end

-- Runs functions as they were and as phial leaves them; returns the number of those that were run,
-- and the set of the places in the list of those that differ.
local function compare(list, declared)
  local parts, calls = { PRINT, declared }, {}
  for i, fn in ipairs(list) do
    local its = calls_of(fn, i)
    if its then
      calls[#calls + 1] = ("call void @run.%d()\n"):format(i)
      parts[#parts + 1] = its
      parts[#parts + 1] = fn.text:gsub("@[-%w$._]+%(", '@"' .. fn.name .. '.was"(', 1)
      parts[#parts + 1] = fn.ours
    end
  end
  if not calls[1] then return 0, {} end
  parts[#parts + 1] = "define i32 @main() {\n" .. table.concat(calls) .. "ret i32 0\n}\n"
  file.write(SCRATCH .. "/both.ll", table.concat(parts, "\n"))
  local different = {}
  for place in tools.must(lli .. " -O0 %s", SCRATCH .. "/both.ll"):gmatch "(%d+) 1\n" do
    different[tonumber(place)] = true
  end
  return #calls, different
end

-- }== The table ==========================================================

local function by_opt(list, declared, pass)
  local parts = { declared }
  for _, fn in ipairs(list) do parts[#parts + 1] = fn.text end
  file.write(SCRATCH .. "/theirs.ll", table.concat(parts, "\n") .. "\n")
  local left, command = {}, opt .. " -S -passes=" .. pass .. " %s -o -"
  for _, fn in ipairs(functions(tools.must(command, SCRATCH .. "/theirs.ll"))) do
    left[fn.name] = counts.of(fn.text).all
  end
  return left
end

-- Of a file: functions, those that are reached, that are compared, that differ; nil: none.
local function row_of(path, pass, rules)
  local list, declared = taken(path, rules)
  if not list[1] then return end
  local left = by_opt(list, declared, pass)
  local run, different = compare(list, declared)
  local reached, wrong = 0, 0
  for i, fn in ipairs(list) do
    if counts.of(fn.ours).all <= left[fn.name] then reached = reached + 1 end
    if different[i] then
      wrong = wrong + 1
      io.stderr:write(path, ": ", fn.name, "\n")
    end
  end
  return { #list, reached, run, wrong }
end

-- The rules of a text that hold in LLVM.
local function holding(text)
  local rules, wrong = phial.rules(text), {}
  for _, rule in ipairs(rules:rules()) do
    if not rules_of_llvm.holds(rule) then wrong[rule.name] = true end
  end
  for name in pairs(wrong) do rules:remove(name) end
  return rules
end

tools.must("mkdir -p " .. SCRATCH)
local rules, differences = rules_of_llvm.new(), 0
if with_more then rules:include(holding(require "phial.rules.more")) end
for _, folder in ipairs(arg) do
  local pass, all = folder:match "[^/]+$":lower(), { 0, 0, 0, 0 }
  local lines = { { "file", "functions", "reached", "compared", "wrong" } }
  for path in tools.must("ls %s/*.ll", folder):gmatch "[^\n]+" do
    local row = row_of(path, pass, rules)
    if row then
      for i, n in ipairs(row) do all[i] = all[i] + n end
      lines[#lines + 1] = { path:match "([^/]+)%.ll$", table.unpack(row) }
    end
  end
  differences = differences + all[4]
  lines[#lines + 1] = { pass, table.unpack(all) }
  io.write(grid.text(lines), "\n")
end
os.exit(differences == 0)

-- }=======================================================================
