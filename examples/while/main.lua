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

local command = require "command" (USAGE)
local phial = require "phial"
local compile = require("while.compile").compile
local grammar = require "while.grammar"
local run = require("while.run").run
local undefined = require "while.undefined"

local MOST = 20 -- problems shown

local OPTIONS <const> = {
  ["--dot"] = { "dot" }, ["--fuel"] = { "fuel" }, ["--ssa"] = "ssa", ["--run"] = "run",
}

local function give(o, name, text)
  local value = math.tointeger(tonumber(text))
  if not value then command.refuse(("%s=%s: not an integer"):format(name, text)) end
  if not grammar.is_name(name) then command.refuse(name .. ": a reserved word") end
  if not o.values[name] then o.given[#o.given + 1] = name end
  o.values[name] = value
end

-- Values of variables are among the files, NAME=INTEGER.
local function options()
  local o, files = command.options(arg, OPTIONS), {}
  o.given, o.values = {}, {}
  for _, word in ipairs(o.files) do
    local name, text = word:match "^([%a_][%w_]*)=(.*)$"
    if name then give(o, name, text) else files[#files + 1] = word end
  end
  o.file = command.only(files) or command.refuse "no file given"
  if o.fuel then
    o.fuel = math.tointeger(tonumber(o.fuel)) or command.refuse "--fuel: not an integer"
  end
  return o
end

local function complain(problems)
  for i = 1, math.min(#problems, MOST) do io.stderr:write(problems[i], "\n") end
  if #problems > MOST then
    io.stderr:write(("and %d more\n"):format(#problems - MOST))
  end
end

local function draw(fn, path)
  local file, why = io.open(path, "w")
  if not file then command.fail(why) end
  file:write(phial.emit.dot(fn))
  file:close()
end

local o = options()
local program, problems = compile(o.file, command.read(o.file), o.given)
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
