--- phial emit: functions in other formats.
local construction = require "phial.command.construction"
local export = require "phial.command.export"
local failure = require "phial.command.failure"
local input = require "phial.command.input"
local output = require "phial.command.output"

local M = {
  summary = "writes functions as Lua, C, LLVM IR, HTML ...",
  usage = [[
usage: phial emit [options] FORMAT FILE
Writes what FILE holds, functions as text or a trace, in another format:
  blockargs  the text form, with parameters of blocks in place of phis
  c          C
  cps        continuation-passing style
  dot        the control flow, for Graphviz
  html       a page; of a trace, with the steps of construction
  json       JSON; of a trace, with the events of construction
  llvm       LLVM IR
  lua        Lua
  text       the text form
Some formats hold one function only: if FILE has several, --function chooses one.

  --function NAME      only the function of that name
  --construction NAME  of a trace: by this algorithm, see phial replay --help
  --detail             html and json of a trace: also what look-ups do on their way
  --source             html: also the text of the files that positions name
  --host FILE          dialects: a Lua script that returns them
  -o FILE              writes to FILE
]],
  options = {
    ["--function"] = { "only" }, ["--construction"] = { "construction" }, ["--detail"] = "detail",
    ["--source"] = "source", ["--host"] = { "host" }, ["-o"] = { "output" },
  },
}

--- Runs the subcommand.
---@param o table its options
---@return integer status
function M.run(o)
  if not o.files[1] then failure.refuse "no format given" end
  if not o.files[2] then failure.refuse "no file given" end
  if o.files[3] then failure.refuse(o.files[3] .. ": one file at a time") end
  construction.check(o.construction)
  local host = input.host(o.host)
  output.write(export.text(o.files[1], input.open(o.files[2]), host, o), o.output)
  return 0
end

return M
