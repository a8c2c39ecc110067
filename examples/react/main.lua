-- The command: SSA form of the React Compiler's HIR.
local USAGE = [[
usage: lua5.4 main.lua [options] FILE
FILE is the printed HIR of a function before SSA construction; prints it in SSA form.
  --each       nested functions become functions of phial (the output is the same)
  --text       prints the text of phial's functions instead
       lua5.4 main.lua --compare FILE.jsonl
Each line of FILE.jsonl, which dump.mjs makes, is a function: {"file", "pre", "ssa",
"post"}.  Compares the compiler's SSA form with ours.
]]

local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local command = require "command" (USAGE)
local dump = require "react.dump"
local names = require "react.names"
local reader = require "react.reader"
local translate = require "react.translate"
local writer = require "react.writer"

local OPTIONS <const> = { ["--each"] = "each", ["--text"] = "text", ["--compare"] = "compare" }

-- {== One function ======================================================

local function fail_at(path, text, message, at)
  local before = text:sub(1, at - 1)
  local _, lines = before:gsub("\n", "")
  local col = at - (before:match ".*\n()" or 1) + 1
  command.fail(("%s:%d:%d: %s"):format(path, lines + 1, col, message))
end

-- The texts of phial's functions, the outermost first.
local function texts(translation)
  local list = { translation.fn:text() }
  for _, line in ipairs(translation.made) do
    list[#list + 1] = texts(translation.inners[line])
  end
  return table.concat(list, "\n")
end

local function show(path, o)
  local text = command.read(path)
  local tree, message, at = reader.read(text)
  if not tree then fail_at(path, text, message, at) end
  local translation
  translation, message, at = translate.translate(tree, o.each and "each" or "within")
  if not translation then fail_at(path, text, message, at) end
  io.write(o.text and texts(translation) or writer.text(tree, names.of(translation)))
end

-- }== A dump ============================================================

-- Nothing is written before all lines have been read.
local function compare(path)
  local file, why = io.open(path, "rb")
  if not file then command.fail(why) end
  local out, functions, equal = {}, 0, 0
  local line, problem = file:read "l"
  while line do
    functions = functions + 1
    local name, difference, col = dump.compare(line)
    if not name then command.fail(("%s:%d:%d: %s"):format(path, functions, col, difference)) end
    if difference then
      out[#out + 1] = ("%s:%d: %s: %s\n"):format(path, functions, name, difference)
    else
      equal = equal + 1
    end
    line, problem = file:read "l"
  end
  file:close()
  if problem then command.fail(path .. ": " .. problem) end
  if functions == 0 then command.fail(path .. ":1:1: the file is empty") end
  io.write(table.concat(out), ("%d functions, %d equal, %d differ\n"):format(functions, equal,
    functions - equal))
  return functions == equal
end

-- }======================================================================

local o = command.options(arg, OPTIONS)
local path = command.only(o.files)
if not o.compare then
  show(path, o)
elseif o.each or o.text then
  command.refuse "--compare takes no other option"
else
  os.exit(compare(path), true)
end
