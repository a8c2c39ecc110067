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

local chunk = require "luac.chunk"
local compile = require("while.compile").compile
local gains = require "threading.gains"

local function refuse(why)
  io.stderr:write(why, "\n", USAGE)
  os.exit(1)
end

local function options(args)
  local o = { files = {} }
  for _, word in ipairs(args) do
    if word == "--text" then
      o.text = true
    elseif word:find "^%-." then
      refuse(word .. ": no such option")
    else
      o.files[#o.files + 1] = word
    end
  end
  if #o.files == 0 then refuse "no file given" end
  return o
end

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

local o = options(arg)
local total, functions, failed = {}, 0, false
for _, path in ipairs(o.files) do
  local ran, done, why = pcall(each, path, function(fn, name)
    local its = gains.of(fn)
    functions = functions + 1
    gains.add(total, its)
    if its.edges > 0 then io.write(path, ": ", name, ": ", gains.text(its), "\n") end
    if its.edges > 0 and o.text then io.write(fn:text()) end
  end)
  if not ran then why = path .. ": " .. tostring(done) end
  if why then
    io.stderr:write(why, "\n")
    failed = true
  end
end
if functions > 0 then io.write(functions, " functions: ", gains.text(total), "\n") end
os.exit(not failed, true)
