--- Judges candidates: the command must fail for them, and not only because they are not traces
-- any more. So replaying a candidate must end as replaying the original does: well, or with the
-- same message. If that crashes phial, the lines of a candidate need only be those of a trace.
local file = require "phial.command.file"
local failure = require "phial.command.failure"
local format = require "phial.trace.format"

---@class phial.reduce.Judge
---@field path string of the candidate
---@field command string
---@field replay string
---@field expected string what replaying says; "" if nothing is asked
---@field known table<string, boolean> verdicts by text
---@field runs integer of the command
local Judge = {}
Judge.__index = Judge

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

local function shell_words(words)
  local out = {}
  for i, word in ipairs(words) do out[i] = quoted(word) end
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

-- Runs a command; its status, or 128 and the number of the signal that ended it, as in a shell.
local function status_of(command)
  local _, what, number = os.execute(command)
  return what == "signal" and 128 + number or number
end

-- Of a process that Ctrl-C has ended: it ends this one, too.
local INTERRUPTED <const> = 128 + 2

-- Of a command that is not there, or cannot be run: it says nothing about the original.
local NOT_RUN <const>, NOT_FOUND <const> = 126, 127

-- Writes the candidate and runs the command: true if it fails.
function Judge:try(text)
  local done, why = file.write(self.path, text)
  if not done then failure.raise(2, why) end
  self.runs = self.runs + 1
  local status = status_of(self.command)
  if status == INTERRUPTED then failure.raise(INTERRUPTED, "interrupted") end
  if self.runs == 1 and (status == NOT_RUN or status == NOT_FOUND) then
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
return function(words, original, opts)
  local path = os.tmpname()
  local self = setmetatable({ path = path, known = {}, runs = 0, expected = "",
    command = command_for(words, path) .. " >/dev/null 2>&1 </dev/null" }, Judge)
  self.replay = ("%s replay --quiet %s %s 2>&1 </dev/null"):format(own(),
    opts.host and "--host " .. quoted(opts.host) or "", quoted(path))
  local ok, failed = pcall(self.fails, self, original)
  if not (ok and failed) then self:close() end
  if not ok then error(failed, 0) end
  if not failed then return nil end
  if not opts.any then self.expected = self:replayed() end
  return self
end
