--- phial reduce: makes a trace shorter while a command fails for it.
local ddmin = require "phial.command.reduce.ddmin"
local failure = require "phial.command.failure"
local input = require "phial.command.input"
local model = require "phial.command.reduce.model"
local new_judge = require "phial.command.reduce.judge"
local output = require "phial.command.output"
local reduce = require "phial.command.reduce.passes"

local M = {
  summary = "shrinks a trace for which a command fails",
  usage = [[
usage: phial reduce [options] FILE -- COMMAND [WORD ...]
Makes FILE, a trace, as short as possible while COMMAND fails for it, that is, ends with another
status than 0. {} in the words is replaced by the name of a file with the trace; without {}, the
name is appended. The result is written to standard output, progress to standard error.

What phial makes of the trace stays as it is: one that can be replayed stays one that can be
replayed, and of one that cannot, the message stays, except for names and numbers.

  --any        the result need not be a trace that can be replayed
  --quiet      writes no progress
  --host FILE  dialects: a Lua script that returns them, for replaying
  -o FILE      writes the result to FILE
]],
  options = {
    ["--any"] = "any", ["--quiet"] = "quiet", ["--host"] = { "host" }, ["-o"] = { "output" },
  },
  takes_rest = true,
}

local function lines_of(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do list[#list + 1] = line end
  return list
end

local function count(text) return #lines_of(text) end

-- Leaves out lines of a text, whatever they mean.
local function by_lines(text, fails)
  local function joined(lines) return table.concat(lines, "\n") .. "\n" end
  local lines = lines_of(text)
  if not fails(joined(lines)) then return text end
  return joined(ddmin(lines, function(part) return fails(joined(part)) end))
end

-- The shortest text found; and the failure that ended the search early, if one did.
local function shortened(it, judge, tell)
  local shortest, lines = it.text, nil
  local function fails(text)
    local failed = judge:fails(text)
    shortest = failed and text or shortest
    return failed
  end
  local function told(pass, text)
    if lines ~= count(text) then tell(("%s: %d lines"):format(pass, count(text))) end
    lines = count(text)
  end
  local ok, err = pcall(function()
    local functions = model.read(it.text)
    if not (functions and reduce(functions, fails, told)) then by_lines(it.text, fails) end
  end)
  if not ok and not failure.is(err) then error(err, 0) end
  return shortest, not ok and err or nil
end

--- Runs the subcommand.
---@param o table its options
---@return integer status
function M.run(o)
  local path = input.single(o)
  if #o.rest == 0 then failure.refuse "no command given: -- COMMAND" end
  local it = input.open(path)
  output.check(o.output)
  local function tell(line)
    if not o.quiet then io.stderr:write(line, "\n") end
  end
  local judge = new_judge(o.rest, it.text, o)
  if not judge then
    failure.raise(1, it.name .. ": the command succeeds: nothing to reduce")
  end
  local ok, text, ended = pcall(shortened, it, judge, tell)
  judge:close()
  if not ok then error(text, 0) end
  output.write(text, o.output)
  tell(("%d lines before, %d after; the command ran %d times"):format(count(it.text), count(text),
    judge.runs))
  if ended then error(ended, 0) end
  return 0
end

return M
