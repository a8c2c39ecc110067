-- What is wrong with a program: an error with its place, which the compiler catches.
local Problem = {}
Problem.__index = Problem

function Problem:__tostring()
  return ("%s:%d:%d: %s"):format(self.file, self.line, self.col, self.message)
end

--- Raises what is wrong.
---@param at { file: string, line: integer, col: integer } a token
---@param message string a format
return function(at, message, ...)
  error(setmetatable({ file = at.file, line = at.line, col = at.col,
    message = message:format(...) }, Problem), 0)
end
