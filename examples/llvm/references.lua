-- Checks that a file is complete: what it refers to by a name or number is in it. What comes
-- last in a file, metadata, is what is missing if it has been cut off. (A group of attributes that
-- is not there is empty.)
local problems = require "llvm.problems"

local M = {}

-- The set of what a pattern captures.
local function collect(text, pattern)
  local set = {}
  for key in text:gmatch(pattern) do set[key] = true end
  return set
end

local function line_of(text, at)
  local _, count = text:sub(1, at - 1):gsub("\n", "")
  return count + 1
end

local function check(text, prefix, pattern, defined, what)
  for at, key in text:gmatch("()" .. prefix .. pattern) do
    if not defined[key] then
      local name = prefix .. key
      problems.raise(line_of(text, at), name, "%s '%s' is not defined", what, name)
    end
  end
end

--- Raises an error if something is missing.
---@param text string
function M.check(text)
  -- quotes and comments may contain anything
  text = "\n" .. text:gsub('"[^"\n]*"', '""'):gsub("\n;[^\n]*", "\n;"):gsub("^;[^\n]*", ";")
  local symbols = collect(text, "\n@([-%w$._]+) = ")
  for name in text:gmatch "\nde[cf][^\n@]*@([-%w$._]+) ?%(" do symbols[name] = true end
  if not next(symbols) then problems.raise(1, nil, "the file defines and declares nothing") end
  text = text:sub(2)
  check(text, "@", "([-%w$._]+)", symbols, "symbol")
  check(text, "!", "(%d+)", collect(text, "\n!(%d+) *= "), "metadata")
end

return M
