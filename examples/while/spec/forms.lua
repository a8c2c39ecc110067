-- The SSA forms of a While program: by each variant of construction, and by each classical
-- algorithm, from a trace of the former.
local phial = require "phial"
local translate = require("while.translate").translate
local variants = require "spec.support.variants"

local CLASSICAL = require("phial.trace.algorithms").classical

-- Translates, and records that.
local function recorded(source, tree, given, opts)
  local new, record = phial.fn, nil
  -- luacheck: ignore 122 (translate makes the function and finishes it)
  phial.fn = function(...)
    local fn = new(...)
    record = phial.record(fn)
    return fn
  end
  local ok, it = pcall(translate, source, tree, "forms", given, opts)
  phial.fn = new
  assert(ok, it)
  return it.fn, record
end

--- Calls check(fn, algorithm) for each form.
---@param source while.Source
---@param tree table
---@param given string[]
---@param copies boolean each write makes a copy
---@param check fun(fn: phial.Function, algorithm: string)
return function(source, tree, given, copies, check)
  local record
  for _, construction in ipairs(variants) do
    local opts = { construction = construction, copies = copies }
    local fn <close>, its = recorded(source, tree, given, opts)
    record = its
    check(fn, construction)
  end
  for _, algorithm in ipairs(CLASSICAL) do
    local fn <close>, why = phial.replay(record, { construction = algorithm })
    if fn then
      check(fn, algorithm)
    else -- `and` and `or` lead to one block from two
      assert(algorithm == "brandis" and why:find "is not structured", why)
    end
  end
end
