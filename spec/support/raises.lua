-- What a call raises. Each check takes what is expected, a function and its arguments, and
-- returns what the call has raised.
local assert = require "spec.support.assert"

local function raised(f, ...)
  local ok, err = pcall(f, ...)
  if ok then error("the call raises nothing", 3) end
  return err
end

local function checked_by(check)
  return function(expected, f, ...)
    local err = raised(f, ...)
    check(expected, err)
    return err
  end
end

return {
  equal = checked_by(assert.equal), -- this text, or this very table
  same = checked_by(assert.same), -- a table with these fields
  matching = checked_by(assert.matches), -- a text that this pattern matches
  with = checked_by(function(part, err) assert(err:find(part, 1, true), err) end),

  --- The text that the call raises, without its position in Lua.
  message = function(f, ...) return (raised(f, ...):gsub("^[^: ]*:%d+: ", "")) end,
}
