-- VARARGPREP, VARARG
local function none(...) return ... end
local function two(...)
  local a, b = ...
  return b, a, ...
end
local function first(...) return (...) end
local function rest(a, ...) return select("#", ...), a, { n = 1, ... } end
