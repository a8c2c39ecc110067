-- Control flow: the current block, dead code, choices, short circuits.
--
-- The current block is that of fn:set_current. A block is sealed as soon as no more edges
-- can come: arms when the choice is made, the block after a structure when the
-- structure ends. Code after a jump out of a structure goes to a dead block, which
-- accepts instructions and adds no edges.
local core = require "phial.core"
local errors = require "phial.errors"
local scope = require "phial.build.scope"

local M = {}

--- Makes what follows dead code.
function M.die(site)
  core.enter(site.fn, site.fn:block "dead")
end

local BOOLEAN = ": Lua computes '==', 'not' and 'and' itself, write a:eq(b), b:not_(c), "
  .. "b:and_(c, f); the constant is b:const(%s)"

-- A hint for a condition that is not an i1.
local function advice(it)
  local class = errors.class(it)
  if type(it) == "boolean" then return BOOLEAN:format(it) end
  if class ~= "phial.Value" or not it:type() then return "" end
  return (": compare it, as in v:%s(0)"):format(it:type():find "^f" and "fne" or "ne")
end

--- Raises unless it is a condition; returns it.
---@param method string
---@param it any
---@param of string? in messages, default "the condition of"
---@return phial.Value
function M.check_condition(method, it, of)
  if core.type(it) ~= "i1" then
    errors.raise("%s '%s' must be a value of type i1, got %s%s", of or "the condition of", method,
      errors.got(it), advice(it))
  end
  return it
end

--- Calls a body in a scope of its own; returns its first result.
---@param body function
---@return any
function M.body(site, body, loop)
  local mark = scope.open(site)
  local value = body(loop)
  scope.close(site, mark)
  return value
end

-- Arms that meet again. If each returns a value, or never gets to its end, the
-- structure has a value, collected by a variable of its own.

local function meet(site, name, whole)
  return { site = site, name = name, done = site.fn:block(name .. "_done"), whole = whole }
end

local function collect(meeting, value)
  local site = meeting.site
  meeting.type = meeting.type or scope.type_of(site, value)
  local typed = scope.typed(site, value, meeting.type)
  if not typed then
    errors.raise("the arms of '%s_' return values of different types: %s, and %s", meeting.name,
      meeting.type, errors.got(value))
  end
  meeting.var = meeting.var or site.fn:var(meeting.name, meeting.type)
  site.fn:write(meeting.var, typed)
end

local function arm(meeting, block, body)
  local site = meeting.site
  local fn = site.fn
  core.enter(fn, block)
  local value = M.body(site, body)
  if meeting.whole then
    local has_value = value ~= nil and scope.type_of(site, value)
    if has_value then collect(meeting, value) end
    local current = fn:current()
    meeting.whole = has_value or not (current and current:is_reachable())
  end
  fn:jump_if_open(meeting.done)
end

local function part(meeting)
  core.enter(meeting.site.fn, meeting.done)
  if meeting.whole and meeting.var then return meeting.done:read(meeting.var) end
end

local function check_arms(n, rest)
  local hint = "it is computed only when it is asked for, function() return a:slt(b) end"
  for i = 1, n > 0 and n or 1 do
    if type(rest[i]) ~= "function" then
      local is_condition = i % 2 == 0 and i < n and errors.class(rest[i])
      errors.arg("if_", i + 1, "function", rest[i], is_condition and hint)
    end
  end
end

local function fork(site, has_else)
  return site.fn:block "if_then", has_else and site.fn:block "if_else"
end

--- if: a condition and a body; then any number of functions that compute a
--- further condition, each with a body; then maybe the body of else.
function M.if_(site, condition, ...)
  local n, rest = select("#", ...), { ... }
  if rest[n] == nil then n = n - 1 end
  M.check_condition("if_", condition)
  check_arms(n, rest)
  core.start(site.fn, condition)
  local yes, no = fork(site, n > 1)
  local meeting = meet(site, "if", n % 2 == 0)
  for i = 1, n, 2 do
    site.fn:branch(condition, yes, no or meeting.done)
    arm(meeting, yes, rest[i])
    if i + 1 == n then
      arm(meeting, no, rest[n])
    elseif i < n then
      core.enter(site.fn, no)
      condition = M.check_condition("if_", rest[i + 1]())
      yes, no = fork(site, i + 3 <= n)
    end
  end
  return part(meeting)
end

-- Checks the arguments of switch_; returns the keys, sorted.
local function check_switch(site, value, arms)
  local type_of = errors.class(value) == "phial.Value" and value:type()
  if not (type_of and type_of:find "^i%d") then errors.arg("switch_", 1, "integer value", value) end
  if type(arms) ~= "table" then errors.arg("switch_", 2, "{[key] = function, ...}", arms) end
  local keys = {}
  for key, body in pairs(arms) do
    local is_key = math.type(key) == "integer" and core.fits(site.fn, key, type_of)
    if key ~= "default" and not is_key then
      errors.arg("switch_", 2, ("keys of type %s, or 'default',"):format(type_of), key)
    elseif type(body) ~= "function" then
      errors.raise("bad argument #2 to 'switch_' (arm %s: function expected, got %s)", key,
        errors.got(body))
    end
    if is_key then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end

--- switch: a function for each key. The same function under several keys is one
--- arm.
function M.switch_(site, value, arms)
  local keys, block_of, cases = check_switch(site, value, arms), {}, {}
  core.start(site.fn, value)
  for _, key in ipairs(keys) do
    local body, name = arms[key], ("case_%d"):format(key):gsub("-", "minus_")
    block_of[body] = block_of[body] or site.fn:block(name)
    cases[key] = block_of[body]
  end
  local default = arms.default and (block_of[arms.default] or site.fn:block "default")
  local meeting = meet(site, "switch", default ~= nil)
  site.fn:switch(value, default or meeting.done, cases)
  if default then
    keys[#keys + 1], block_of[arms.default] = "default", default
  end
  for _, key in ipairs(keys) do
    local block = block_of[arms[key]]
    block_of[arms[key]] = nil
    if block then arm(meeting, block, arms[key]) end
  end
  return part(meeting)
end

-- Computes operands until one is `decides`.
local function short_circuit(site, name, decides, first, ...)
  local operands, more, n = { ... }, {}, select("#", ...)
  while n > 0 and operands[n] == nil do n = n - 1 end
  local hint = "what is computed already needs no short circuit, a & b, a | b"
  M.check_condition(name .. "_", first, "an operand of")
  for i = 1, n do
    local operand = operands[i]
    errors.check_function(name .. "_", i + 1, operand, errors.class(operand) and hint)
  end
  core.start(site.fn, first)
  for i = 1, n do more[i] = site.fn:block(name .. "_more") end
  local done, result = site.fn:block(name .. "_done"), site.fn:var(name, "i1")
  for i, operand in ipairs(operands) do
    site.fn:write(result, decides)
    site.fn:branch(first, decides and done or more[i], decides and more[i] or done)
    core.enter(site.fn, more[i])
    first = M.check_condition(name .. "_", operand(), "an operand of")
  end
  site.fn:write(result, first)
  site.fn:jump(done)
  core.enter(site.fn, done)
  return done:read(result)
end

--- and: a condition and functions that compute further ones; true if all are.
function M.and_(site, first, ...) return short_circuit(site, "and", false, first, ...) end

--- or: true if one is.
function M.or_(site, first, ...) return short_circuit(site, "or", true, first, ...) end

--- not: true if the condition is false.
function M.not_(_, condition)
  return M.check_condition("not_", condition, "the operand of"):bnot()
end

-- Leave the function, or say that control does not get here.
for _, name in ipairs { "ret", "tail_call", "unreachable", "trap" } do
  M[name] = function(site, ...)
    site.fn[name](site.fn, ...)
    M.die(site)
  end
end

return M
