-- A fast variant of busted's assert, for specs that assert in loops. A call of
-- busted's takes 10 to 20 microseconds; this calls it only if the assertion fails,
-- for the message.
local slow = require "luassert"

local M = {}

function M.equal(expected, got, ...)
  if expected == got then return end
  return slow.equal(expected, got, ...)
end

local function is_same(a, b)
  if a == b then return true end
  if type(a) ~= "table" or type(b) ~= "table" then return false end
  for k, v in pairs(a) do
    if not is_same(v, b[k]) then return false end
  end
  for k in pairs(b) do
    if a[k] == nil then return false end
  end
  return true
end

function M.same(expected, got, ...)
  if is_same(expected, got) then return end
  return slow.same(expected, got, ...)
end

function M.is_true(it, ...)
  if it == true then return end
  return slow.is_true(it, ...)
end

function M.is_false(it, ...)
  if it == false then return end
  return slow.is_false(it, ...)
end

function M.is_nil(it, ...)
  if it == nil then return end
  return slow.is_nil(it, ...)
end

local function call(_, it, ...)
  if it then return it, ... end
  return slow(it, ...)
end

return setmetatable(M, { __call = call, __index = slow })
