-- What `tonumber` and `load` are called with: numbers, what is written in the program, or any text.
local calls = require "phial_lint.calls"
local kinds = require "phial_lint.kinds"
local library = require "phial_lint.stdlib"
local modules = require "phial_lint.modules"
local parts = require "phial_lint.parts"

local NUMBER <const>, STRING <const> = kinds.NUMBER, kinds.STRING

local M = {}

-- True if a call is of a function of strings, or a method that these have.
local function is_of_strings(program, node)
  if node.tag == "Invoke" then return library["string." .. tostring(node[2][1])] ~= nil end
  local name = node.tag == "Call" and select(2, program:callee(node)) or ""
  return name:find "^string%." ~= nil
end

local LITERALS <const> = {
  Function = kinds.FUNCTION, Table = kinds.TABLE, String = STRING, Number = NUMBER,
}

--- The kind of a captured variable whose only value is a literal; nil for other values.
function M.literal_kind(facts, value)
  local captured = facts.params[value]
  local x = captured and captured.variable
  return x and x.writes == 0 and x.value and LITERALS[x.value.tag]
end

--- True if a text is written in the program, or made by functions of strings of such texts.
---@param facts lint.Facts
---@param value phial.Value
---@return boolean
function M.is_written_down(facts, value)
  value = facts.origin(value)
  if value:op() == "copy" then value = value:arg(1) end
  local op = value:op()
  local is_call = parts.CALLS[op]
  local is_made = op == "lua.concat"
    or is_call and is_of_strings(facts.program, calls.node(value))
  for i = is_call and 2 or 1, is_made and #value:args() or 0 do
    if not M.is_written_down(facts, value:arg(i)) then return false end
  end
  return is_made or op == "const" or M.literal_kind(facts, value) == STRING
end

local JOINS <const> = 4 -- phis, one after another

-- True if a value is a part of a string: what a pattern has captured, or `s:sub(1, 2)`.
local function is_part(facts, value)
  for _ = 1, JOINS do
    if value:op() == "phi" then value = facts.origin(value:arg(1)) end
  end
  if value:op() == "lua.item" then value = value:arg(1) end
  local node = calls.node(value)
  if node and node.tag == "Forin" then node = node[2][1] end
  return node ~= nil and is_of_strings(facts.program, node)
end

-- True if a pattern is tried on a value.
local function is_matched(facts, value)
  for _, user in ipairs(value:users()) do
    local op, effects = user:op(), nil
    if (op == "copy" or op == "refine") and is_matched(facts, user) then return true end
    if op:find "^lua%.call" then
      effects = select(2, calls.callee(facts.program, calls.node(user)))
    end
    local is_match = effects == library["string.match"] or effects == library["string.find"]
    if effects and is_match then return true end
  end
  return false
end

local ARITHMETIC <const> = { ["lua.for"] = true, ["lua.unm"] = true }
for op in ("add sub mul mod pow div idiv"):gmatch "%a+" do ARITHMETIC["lua." .. op] = true end

--- True if something computes with a value.
---@param value phial.Value
---@return boolean
function M.is_computed_with(value)
  for _, user in ipairs(value:users()) do
    local op = user:op()
    if ARITHMETIC[op] or (op == "copy" or op == "refine") and M.is_computed_with(user) then
      return true
    end
  end
  return false
end

-- Notes what a call of a function of the file gives for its parameters.
local function note_arguments(given, callee, call)
  for i = 1, #callee.fn:params() - #callee.captured do
    local param = callee.fn:arg(i)
    given[param] = given[param] or {}
    table.insert(given[param], call:arg(i + 1))
  end
end

-- What calls in the file give for each parameter of its functions, by parameters.
local function arguments_of(program)
  local given = {}
  for _, f in ipairs(program:functions()) do
    for _, call in ipairs(parts.of(f).calls) do
      local callee = modules.called(program, calls.node(call))
      if callee and callee.fn then note_arguments(given, callee, call) end
    end
  end
  return given
end

local given_to = setmetatable({}, { __mode = "k" }) -- by facts

-- What a user gives a program: `arg[1]`, or `args.days`.
local function is_option(node)
  return node.tag == "Index" and node[1].tag == "Id" and node[1][1]:find "^args?$" ~= nil
end

local is_any_text

-- True if a call of the function that has a parameter gives any text for it.
local function is_given_any_text(facts, param, seen)
  given_to[facts] = given_to[facts] or arguments_of(facts.program)
  for _, value in ipairs(given_to[facts][param] or {}) do
    if is_any_text(facts, value, seen) then return true end
  end
  return false
end

-- True if a value may be an arbitrary text: a user gives it, or a known function returns it. What
-- other functions store, return or are called with is believed to be what the program expects.
function is_any_text(facts, value, seen)
  value = facts.origin(value)
  if value:op() == "copy" then value = value:arg(1) end
  local op = value:op()
  if seen[value] then return false end
  seen[value] = true
  if op == "const" then return math.type(tonumber((value:const() or 0))) == nil end
  if op == "phi" then
    for _, operand in ipairs(value:args()) do
      if is_any_text(facts, operand, seen) then return true end
    end
  elseif op == "lua.index" then
    return is_option(calls.node(value))
  elseif op == "param" then
    return is_given_any_text(facts, value, seen)
  end
  local n = 1
  if op == "lua.item" then
    value, n = value:arg(1), value:data()
    op = value:op()
  end
  if not parts.CALLS[op] then return op == "lua.concat" or op == "lua.varargs" end
  local f, effects = calls.callee(facts.program, calls.node(value))
  for _, results in ipairs(f and facts.results[f] or effects and effects.results or {}) do
    if facts.nth(results, n) & STRING ~= 0 then return true end
  end
  return false
end

--- What `tonumber` is called with, in a call of it; nil for other calls.
---@param facts lint.Facts
---@param call phial.Value
---@return phial.Value?
function M.of(facts, call)
  local _, effects = calls.callee(facts.program, calls.node(call))
  return effects and effects == library.tonumber and call:arg(2) or nil
end

--- True if a text is a number: what is cut out to be one, or is digits of a base, or matches a
-- pattern; so is what is computed with.
---@param facts lint.Facts
---@param call phial.Value of `tonumber`
---@param text phial.Value
---@return boolean
function M.is_number(facts, call, text)
  local value = facts.origin(text)
  return #call:args() > 2 or is_part(facts, value) or is_matched(facts, value)
    or M.is_computed_with(value) or not is_any_text(facts, value, {})
end

return M
