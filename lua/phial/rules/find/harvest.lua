--- Shapes: terms that code has often, as patterns of rules.
--
-- A shape is an instruction with some of those that compute its operands, each of which has no
-- other user: a rule that replaces the shape removes them all. Literals are those of the code.
local core = require "phial.core"
local terms = require "phial.rules.find.term"

local M = {}

-- {== Shapes ===========================================================

---@class phial.rules.Part an instruction of a shape
---@field v phial.Value
---@field [integer] phial.rules.Part|false by operand; false: a leaf

-- "t" for the integers of a term, "i1" for its conditions; nil: no term has values of that type.
local function kind(v)
  local type = v:type()
  return type == "i1" and "i1" or (type == "i8" or type == "i16" or type == "i32" or type == "i64")
    and "t" or nil
end

local function is_part(v)
  local op = v:op()
  if not kind(v) or op ~= "select" and not terms.ops[op] then return false end
  for _, arg in ipairs(v:args()) do
    if not kind(arg) then return false end
  end
  return true
end

-- All that an instruction and at most `size` - 1 of those before it make, with their sizes.
local function parts_of(v, size)
  local lists = { { { v = v }, 1 } }
  for i, arg in ipairs(v:args()) do
    local is_inner = size > 1 and arg:use_count() == 1 and is_part(arg)
    local below = is_inner and parts_of(arg, size - 1) or {}
    for k = 1, #lists do
      local part, count = lists[k][1], lists[k][2]
      for _, more in ipairs(below) do
        if count + more[2] <= size then
          local wider = table.move(part, 1, i - 1, 1, { v = v })
          wider[i] = more[1]
          lists[#lists + 1] = { wider, count + more[2] }
        end
      end
      part[i] = false
    end
  end
  return lists
end

local NAMES <const> = "xyzuvwpqrst"

-- The text of a part, and its operator.
local function text_of(part, names)
  local args = {}
  for i, arg in ipairs(part.v:args()) do
    if part[i] then
      args[i] = text_of(part[i], names)
    elseif arg:const() ~= nil then
      args[i] = { text = tostring(arg:const()) }
    else
      if not names[arg] then
        names.n = names.n + 1
        names[arg] = NAMES:sub(names.n, names.n)
        args[i] = { text = names[arg] .. (kind(arg) == "i1" and ":i1" or "") }
      end
      args[i] = args[i] or { text = names[arg] }
    end
  end
  return { text = terms.text(part.v:op(), args), op = part.v:op() }
end

local PLACES <const> = 3

-- By shape: the part at its first place.
local parts = setmetatable({}, { __mode = "k" })

--- The shapes of finished functions, first those with most to save: if one op were left of each.
---@param fns phial.Function[]
---@param size integer the most ops
---@param least integer the least count
---@return phial.Shape[]
function M.shapes(fns, size, least)
  local list, by_text, number = {}, {}, {}
  local function add(fn, part, ops)
    local names = { n = 0 }
    local text = text_of(part, names).text
    if names.n > #NAMES then return end
    local shape = by_text[text]
    if not shape then
      shape = { text = text, count = 0, ops = ops, at = {} }
      list[#list + 1], by_text[text] = shape, shape
      parts[shape], number[shape] = part, #list
    end
    shape.count = shape.count + 1
    if #shape.at < PLACES then shape.at[#shape.at + 1] = { fn = fn, value = part.v } end
  end
  for _, fn in ipairs(fns) do
    for v in fn:values() do
      for _, it in ipairs(is_part(v) and parts_of(v, size) or {}) do
        if it[2] > 1 then add(fn, it[1], it[2]) end
      end
    end
  end
  local often = {}
  for _, shape in ipairs(list) do
    if shape.count >= least then often[#often + 1] = shape end
  end
  table.sort(often, function(a, b)
    local one, other = a.count * (a.ops - 1), b.count * (b.ops - 1)
    if one ~= other then return one > other end
    return number[a] < number[b]
  end)
  return often
end

-- }== What rules do to them ============================================

-- Adds the variables of a part to a list, and their types to that of parameters.
local function note(part, leaves, params)
  for i, arg in ipairs(part.v:args()) do
    if part[i] then
      note(part[i], leaves, params)
    elseif arg:const() == nil and not leaves[arg] then
      params[#params + 1] = ("p%d:%s"):format(#params + 1, arg:type())
      leaves[arg] = #params
    end
  end
end

local function emit(fn, part, leaves)
  local args, v = {}, part.v
  for i, arg in ipairs(v:args()) do
    args[i] = part[i] and emit(fn, part[i], leaves) or leaves[arg] and fn:arg(leaves[arg])
      or fn:const(arg:const())
  end
  return fn:emit(v:op(), table.unpack(args))
end

--- True if rules make a shape smaller.
---@param R phial.Rules
---@param shape phial.Shape
---@return boolean
function M.shrinks(R, shape)
  local leaves, params, ops, part = {}, {}, 0, parts[shape]
  note(part, leaves, params)
  local fn = core.fn("shape", params, part.v:type(), { rules = R, where = false })
  fn:set_current(fn:entry())
  fn:ret(emit(fn, part, leaves))
  fn:finish():clean()
  for _ in fn:values() do ops = ops + 1 end
  return ops - 1 < shape.ops
end

-- }====================================================================

return M
