--- Programs that phial runs, by a shell.
local M = {}

--- The status of a command that is not there.
M.NOT_FOUND = 127

--- True if a command is not there, or cannot be run.
---@param status integer?
---@return boolean
function M.is_missing(status) return status == M.NOT_FOUND or status == 126 end

--- A word of a command.
---@param word string
---@return string
function M.quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- Runs a command on a file with a text, which is its last word.
---@param command string
---@param text string
---@return string output what it prints, also as errors
---@return boolean? good its status is 0
---@return integer status
function M.run_on(command, text)
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "w"))
  assert(file:write(text))
  file:close()
  local pipe = assert(io.popen(("%s '%s' 2>&1"):format(command, path)))
  local output = pipe:read "a"
  local good, _, status = pipe:close()
  os.remove(path)
  return output, good, status
end

return M
