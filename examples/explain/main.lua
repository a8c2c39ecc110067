-- The command: runs a frontend, or replays a trace, and explains why each phi
-- exists and why other phis were removed.
local USAGE = [[
usage: lua5.4 main.lua [options] PROGRAM [ARGUMENT ...]
PROGRAM is a Lua script that makes functions with phial, which is run with the
arguments, or a trace written by phial.record. For each phi of each function,
prints what requested it, where its operands come from, and why it was removed.
  --steps          prints instead what was done, step by step, and its effects
  --function NAME  only functions of that name
  --variable NAME  only phis of variables of that name
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = package.path .. ";" .. here .. "../?.lua"

local steps = require "explain.steps"
local summary = require "explain.summary"
local watch = require "explain.watch"

local function fail(why)
  io.stderr:write(why, "\n")
  os.exit(1, true)
end

local function refuse(why) fail(why .. "\n" .. USAGE:sub(1, -2)) end

-- Options precede the program.
local function options(args)
  local o, at = { arguments = {} }, 1
  local takes = { ["--function"] = "only", ["--variable"] = "variable" }
  while args[at] and args[at]:find "^%-." do
    local word = args[at]
    if takes[word] then
      at = at + 1
      o[takes[word]] = args[at] or refuse(word .. ": an argument is missing")
    elseif word == "--steps" then
      o.steps = true
    else
      refuse(word .. ": no such option")
    end
    at = at + 1
  end
  o.program = args[at] or refuse "no program given"
  table.move(args, at + 1, #args, 1, o.arguments)
  return o
end

local function slurp(path)
  local file, why = io.open(path, "rb")
  local text = file and file:read "a"
  return text or fail(why or path .. " cannot be read")
end

-- True if the first word outside comments is an F.
local function is_trace(text)
  for line in text:gmatch "[^\n]+" do
    local word = line:match "^%s*(%S+)"
    if word and not word:find "^%-%-" then return word == "F" end
  end
  return false
end

local function tell(stories, o)
  for _, story in ipairs(stories) do
    story:look()
    if not o.only or o.only == story.name then
      io.write(("\n=== %s ===\n\n"):format(story.name))
      io.write(o.steps and steps.text(story) or summary.text(story, o.variable))
    end
  end
end

-- Runs the script as if it were not being watched, until it ends or exits.
local function run(o, text)
  local chunk, why = load(text:gsub("^#[^\n]*", "", 1), "@" .. o.program)
  if not chunk then fail(why) end
  local stories, exit = {}, os.exit
  arg = table.move(o.arguments, 1, #o.arguments, 1, { [0] = o.program }) -- luacheck: ignore 121
  os.exit = function(...) -- luacheck: ignore 122
    tell(stories, o)
    exit(...)
  end
  local _, ok, err = watch.during(function() chunk(table.unpack(o.arguments)) end, stories)
  os.exit = exit -- luacheck: ignore 122
  return stories, not ok and tostring(err) or nil
end

local o = options(arg)
local text = slurp(o.program)
local stories, problem
if is_trace(text) then
  stories, problem = watch.replayed(text, o.program)
else
  stories, problem = run(o, text)
end
tell(stories or {}, o)
if problem then fail(problem) end
