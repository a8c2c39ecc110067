-- The command: SSA form of While programs.
local USAGE = [[
usage: lua5.4 main.lua FILE.while [NAME=INTEGER ...] [options]
NAME=INTEGER gives a variable a value before the program begins.  Reports what is
wrong with the program.  Then, by default, prints its SSA form.
  --ssa       prints the SSA form
  --dot FILE  writes it as a graph for Graphviz
  --run       runs the program, unless a read may see no value
  --fuel N    ends the run when it enters more than N blocks
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local phial = require "phial"
local compile = require("while.compile").compile
local grammar = require "while.grammar"
local run = require("while.run").run
local undefined = require "while.undefined"

local MOST = 20 -- problems shown

local function fail(why)
  io.stderr:write(why, "\n")
  os.exit(1, true)
end

local function refuse(why) fail(why .. "\n" .. USAGE:sub(1, -2)) end

local function give(o, name, text)
  local value = math.tointeger(tonumber(text))
  if not value then refuse(("%s=%s: not an integer"):format(name, text)) end
  if not grammar.is_name(name) then refuse(name .. ": a reserved word") end
  if not o.values[name] then o.given[#o.given + 1] = name end
  o.values[name] = value
end

local function options(args)
  local o = { given = {}, values = {} }
  local takes = { ["--dot"] = "dot", ["--fuel"] = "fuel" }
  local flags = { ["--ssa"] = "ssa", ["--run"] = "run" }
  local at = 1
  while args[at] do
    local word = args[at]
    local name, text = word:match "^([%a_][%w_]*)=(.*)$"
    if takes[word] then
      at = at + 1
      o[takes[word]] = args[at] or refuse(word .. ": an argument is missing")
    elseif flags[word] then
      o[flags[word]] = true
    elseif name then
      give(o, name, text)
    elseif word:find "^%-." then
      refuse(word .. ": no such option")
    elseif o.file then
      refuse(word .. ": one file at a time")
    else
      o.file = word
    end
    at = at + 1
  end
  if not o.file then refuse "no file given" end
  if o.fuel then o.fuel = math.tointeger(tonumber(o.fuel)) or refuse "--fuel: not an integer" end
  return o
end

local function slurp(path)
  local file, why = io.open(path, "rb")
  if not file then fail(why) end
  local text, problem = file:read "a"
  file:close()
  return text or fail(path .. ": " .. problem)
end

local function complain(problems)
  for i = 1, math.min(#problems, MOST) do io.stderr:write(problems[i], "\n") end
  if #problems > MOST then
    io.stderr:write(("and %d more\n"):format(#problems - MOST))
  end
end

local function draw(fn, path)
  local file, why = io.open(path, "w")
  if not file then fail(why) end
  file:write(phial.emit.dot(fn))
  file:close()
end

local o = options(arg)
local program, problems = compile(o.file, slurp(o.file), o.given)
if program then
  problems = undefined.reads(program)
  if o.ssa or not (o.dot or o.run) then io.write(tostring(program.fn)) end
  if o.dot then draw(program.fn, o.dot) end
  if o.run and #problems == 0 then
    problems = { run(program, o.given, o.values, o.fuel) }
  end
end
complain(problems)
os.exit(#problems == 0, true)
