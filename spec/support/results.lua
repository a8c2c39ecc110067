-- What calls of functions return, and whether two of these are the same.
local M = {}

--- True if two results are the same: all nans are one, the zeros of floats are two.
function M.same(a, b)
  if a ~= a then return b ~= b end
  return math.type(a) == math.type(b) and a == b and (a ~= 0 or 1 / a == 1 / b)
end

--- Raises an error unless two results are the same.
---@param what? string precedes the message
function M.check(expected, got, what)
  if M.same(expected, got) then return end
  local prefix = what and what .. ": " or ""
  error(("%sexpected %s, got %s"):format(prefix, tostring(expected), tostring(got)), 0)
end

--- What a call returns, or the reason for which it trapped, without the place, which
--- oracles do not tell.
function M.outcome(f, ...)
  local ok, it = pcall(f, ...)
  if ok then return it end
  return type(it) == "table" and it.trap or it:match ": ([^:]*)$" or it
end

return M
