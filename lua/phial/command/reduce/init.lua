--- phial reduce: makes a trace shorter while a command fails for it.
local failure = require "phial.command.failure"
local file = require "phial.command.file"
local format = require "phial.trace.format"
local input = require "phial.command.input"
local model = require "phial.command.reduce.model"
local passes = require "phial.command.reduce.passes"
local shell = require "phial.shell"

local M = {
  summary = "shrinks a trace for which a command fails",
  takes = "FILE -- COMMAND [WORD ...]",
  about = [[
Makes FILE, a trace, as short as possible while COMMAND fails for it, that is, ends with another
status than 0. {} in the words is replaced by the name of a file with the trace; without {}, the
name is appended. The result is written to standard output, progress to standard error.

What phial makes of the trace stays as it is: one that can be replayed stays one that can be
replayed, and of one that cannot, the message stays, except for names and numbers.
]],
  options = {
    { "--any", "the result need not be a trace that can be replayed" },
    { "--quiet", "writes no progress" },
    { "--host FILE", "dialects: a Lua script that returns them, for replaying" },
    { "-o FILE", "writes the result to FILE", field = "output" },
  },
  takes_rest = true,
}

-- {== Candidates ======================================================
--
-- The command must fail for a candidate, and not only because it is not a trace any more. So
-- replaying it must end as replaying the original does: well, or with the same message. If that
-- crashes phial, the lines of a candidate need only be those of a trace.

---@class phial.reduce.Judge
---@field path string of the candidate
---@field command string
---@field replay string
---@field expected string what replaying says; "" if nothing is asked
---@field known table<string, boolean> verdicts by text
---@field runs integer of the command
local Judge = {}
Judge.__index = Judge

local function shell_words(words)
  local out = {}
  for i, word in ipairs(words) do out[i] = shell.quoted(word) end
  return table.concat(out, " ")
end

-- The command with the name of a file in place of {}, or at its end.
local function command_for(words, path)
  local out, found = {}, 0
  for i, word in ipairs(words) do
    local n
    out[i], n = word:gsub("{}", function() return path end)
    found = found + n
  end
  if found == 0 then out[#out + 1] = path end
  return shell_words(out)
end

-- This command as a shell starts it.
local function own()
  local words, at = {}, 0
  while arg[at - 1] do at = at - 1 end
  return shell_words(table.move(arg, at, 0, 1, words))
end

-- Of a process that Ctrl-C has ended: it ends this one, too.
local INTERRUPTED <const> = 128 + 2

-- Writes the candidate and runs the command: true if it fails.
function Judge:try(text)
  local done, why = file.write(self.path, text)
  if not done then failure.raise(2, why) end
  self.runs = self.runs + 1
  local _, what, number = os.execute(self.command)
  local status = what == "signal" and 128 + number or number -- as a shell has it
  if status == INTERRUPTED then failure.raise(INTERRUPTED, "interrupted") end
  if self.runs == 1 and shell.is_missing(status) then -- which says nothing about the original
    failure.raise(2, ("the command cannot be run (status %d)"):format(status))
  end
  return status ~= 0
end

-- What replaying the candidate says, without names and numbers.
function Judge:replayed()
  local pipe = io.popen(self.replay)
  local said = pipe:read "a"
  local _, what, status = pipe:close()
  if what == "signal" or status > 2 then return "crash" end
  local message = said:match "^[^\n]*":gsub("^.-:%d+:%d+: ", "", 1)
  return status .. " " .. message:gsub("'[^']*'", "'x'"):gsub("%%?%d+", "n")
end

-- True if replaying the candidate ends as replaying the original does.
function Judge:replays_alike(text)
  if self.expected == "" then return true end
  if self.expected == "crash" then return format.read(text) ~= nil end
  return self:replayed() == self.expected
end

--- True if the command fails for a text, as it did for the original.
---@param text string
---@return boolean
function Judge:fails(text)
  if self.known[text] == nil then self.known[text] = self:try(text) and self:replays_alike(text) end
  return self.known[text]
end

--- Removes the file of the candidates.
function Judge:close() os.remove(self.path) end

--- Makes a judge of candidates.
---@param words string[] of the command
---@param original string
---@param opts {host: string?, any: boolean?} any: candidates need not be traces
---@return phial.reduce.Judge? judge nil: the command does not fail for the original
local function new_judge(words, original, opts)
  local path = os.tmpname()
  local self = setmetatable({ path = path, known = {}, runs = 0, expected = "",
    command = command_for(words, path) .. " >/dev/null 2>&1 </dev/null" }, Judge)
  self.replay = ("%s replay --quiet %s %s 2>&1 </dev/null"):format(own(),
    opts.host and "--host " .. shell.quoted(opts.host) or "", shell.quoted(path))
  local ok, failed = pcall(self.fails, self, original)
  if not (ok and failed) then self:close() end
  if not ok then error(failed, 0) end
  if not failed then return nil end
  if not opts.any then self.expected = self:replayed() end
  return self
end

-- }== Making it shorter ===============================================

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
  return joined(passes.ddmin(lines, function(part) return fails(joined(part)) end))
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
    if not (functions and passes.reduce(functions, fails, told)) then by_lines(it.text, fails) end
  end)
  if not ok and not failure.is(err) then error(err, 0) end
  return shortest, not ok and err or nil
end

-- }=====================================================================

--- Runs the subcommand.
function M.run(o)
  local path = input.single(o)
  if #o.rest == 0 then failure.refuse "no command given: -- COMMAND" end
  local it = input.open(path)
  if it.kind == "text" or it.kind == "rules" then input.refuse(it, "trace") end
  file.check(o.output)
  local function tell(line)
    if not o.quiet then io.stderr:write(line, "\n") end
  end
  local judge = new_judge(o.rest, it.text, o)
  if not judge then failure.raise(1, it.name .. ": the command succeeds: nothing to reduce") end
  local ok, text, ended = pcall(shortened, it, judge, tell)
  judge:close()
  if not ok then error(text, 0) end
  file.put(text, o.output)
  tell(("%d lines before, %d after; the command ran %d times"):format(count(it.text), count(text),
    judge.runs))
  if ended then error(ended, 0) end
  return 0
end

return M
