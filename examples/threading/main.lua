-- The command: threads jumps in programs.
local USAGE = [[
usage: lua5.4 main.lua FILE ... [--text]
FILE is a While program if its name ends in .while, otherwise a Lua 5.4 program.
Prints a line for each function in which edges are threaded, and a last one with
totals of all functions.
  --text  prints the functions, too
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local chunk = require "luac.chunk"
local compile = require("while.compile").compile
local gains = require "threading.gains"

-- Calls visit(fn, name) for the functions of a file; true, or nil and a message.
local function each(path, visit)
  if not path:find "%.while$" then return chunk.each(path, visit) end
  local file <close>, why = io.open(path, "rb")
  if not file then return nil, why end
  local program, problems = compile(path, file:read "a")
  if not program then return nil, table.concat(problems, "\n") end
  visit(program.fn, "main")
  program.fn:close()
  return true
end

local o = command.options(arg, { ["--text"] = "text" })
local total, functions = {}, 0
local done = command.each(o.files, function(path)
  return each(path, function(fn, name)
    local its = gains.of(fn)
    functions = functions + 1
    gains.add(total, its)
    if its.edges > 0 then io.write(path, ": ", name, ": ", gains.text(its), "\n") end
    if its.edges > 0 and o.text then io.write(fn:text()) end
  end)
end)
if functions > 0 then io.write(functions, " functions: ", gains.text(total), "\n") end
os.exit(done, true)
