-- What is wrong with the input: errors that carry their place.
local M = {}

---@class llvm.Problem
---@field file string
---@field line integer
---@field column integer
---@field message string

local Problem = {}
Problem.__index = Problem

function Problem:__tostring()
  return ("%s:%d:%d: %s"):format(self.file, self.line, self.column, self.message)
end

-- The name of the file that is being read.
local current = "-"

--- Says which file messages name from now on.
---@param file string
function M.start(file) current = file end

--- Raises an error at a place of the file.
---@param line integer
---@param column integer?
---@param format string
function M.raise(line, column, format, ...)
  error(setmetatable({
    file = current, line = line, column = column or 1, message = format:format(...),
  }, Problem), 0)
end

--- True if an error is one of these.
---@param it any
---@return boolean
function M.is(it) return getmetatable(it) == Problem end

return M
