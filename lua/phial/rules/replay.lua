--- Runs what a rule is about with given values, with the rule and without it: shows in phial what
-- a solver has found.
local core = require "phial.core"
local terms = require "phial.rules.terms"

local M = {}

-- The Lua value of the bits of a type.
local function value_of(bits, type)
  local width = terms.width(type)
  if type == "i1" then return bits & 1 == 1 end
  if type == "f32" then return (string.unpack("<f", string.pack("<I4", bits))) end
  if type == "f64" then return (string.unpack("<d", string.pack("<i8", bits))) end
  if width < 64 and bits >> width - 1 & 1 == 1 then return bits - (1 << width) end
  return bits
end
M.value = value_of

--- As a message shows it: integers signed, i1 as 0 and 1.
---@param bits integer
---@param type string
---@return string
function M.shown(bits, type)
  if type == "i1" then return tostring(bits & 1) end
  return tostring(value_of(bits, type))
end

---@class phial.rules.Replay
---@field fn phial.Function
---@field types string[] those of the rule
---@field values table<string, integer> bits by variable
---@field args table<string, phial.Value> parameters by variable
---@field labels table<string, phial.Block>

-- What a node is in the function; nil if it cannot be emitted.
local emit = {}

local function operand(replay, node)
  local make = emit[node.kind]
  return make and make(replay, node)
end

function emit.value(replay, node) return replay.args[node.name] end

function emit.any(replay, node)
  local type = replay.types[node.type]
  return replay.fn:const(value_of(0, type), type)
end

function emit.constant(replay, node)
  local type = replay.types[node.type]
  return replay.fn:const(value_of(replay.values[node.name] or 0, type), type)
end

function emit.literal(replay, node)
  return replay.fn:const(node.value, replay.types[node.type])
end

function emit.int_min(replay, node)
  local type = replay.types[node.type]
  return replay.fn:const(value_of(1 << terms.width(type) - 1, type), type)
end

function emit.int_max(replay, node)
  local type = replay.types[node.type]
  return replay.fn:const(value_of((1 << terms.width(type) - 1) - 1, type), type)
end

-- A block that returns its number.
function emit.label(replay, node)
  local block = replay.labels[node.name]
  if not block then
    block = replay.fn:block(node.name)
    block:ret(#replay.labels + 1)
    replay.labels[#replay.labels + 1], replay.labels[node.name] = node.name, block
  end
  return block
end

-- Keys of a switch and their labels are a table; the label of none precedes theirs.
local function emit_switch(replay, args)
  local half, cases = #args // 2, {}
  for i = 2, half do cases[args[i]:const()] = args[half + i] end
  replay.fn:switch(args[1], args[half + 1], cases)
  return true
end

function emit.op(replay, node)
  local args = {}
  for i, kid in ipairs(node) do
    args[i] = operand(replay, kid)
    if args[i] == nil then return nil end
  end
  if node.op == "switch" then return emit_switch(replay, args) end
  local data = node.data
  if data then data = { data = data.value or replay.values[data.name] or 0 } end
  if node.type then
    if node.own and node.own:says_type() or terms.is_cast(node.op) then
      args[#args + 1] = replay.types[node.type]
    end
    args[#args + 1] = data
    local value = replay.fn:emit(node.own or node.op, table.unpack(args))
    if node.as then replay.args[node.as] = value end
    return value
  end
  replay.fn[node.op](replay.fn, table.unpack(args))
  return true
end

-- A parameter, such that its bits are known to be those of its value.
local function pinned(fn, param, bits)
  local type = param:type()
  if not type:find "^i" then return param end
  local value = value_of(bits, type)
  return fn:bor(fn:band(param, value), value)
end

-- The function that computes the pattern with the rules; nil if it cannot be made.
local function build(rule, types, query, values, rules)
  local params, args, given = {}, {}, {}
  for _, v in ipairs(query.variables) do
    if v.kind == "value" then
      params[#params + 1] = v.name .. ":" .. v.type
      given[#given + 1] = value_of(values[v.name] or 0, v.type)
    end
  end
  local result = rule.pattern.type and types[rule.pattern.type] or "i64"
  local fn = core.fn("rule", params, result, { rules = rules })
  fn:set_current(fn:entry())
  for i, param in ipairs(params) do
    local name = param:match "^(.-):"
    args[name] = query.facts and pinned(fn, fn:arg(i), values[name] or 0) or fn:arg(i)
  end
  local replay = { fn = fn, types = types, values = values, args = args, labels = {} }
  local value = operand(replay, rule.pattern)
  if value == nil then return nil end
  if rule.pattern.type then fn:ret(value) end
  return fn:finish(), given, replay.labels
end

local function outcome(fn, given, labels)
  local done, result = pcall(fn, table.unpack(given))
  if not done then return "a trap" end
  if #labels > 0 then return labels[result] end
  if type(result) == "boolean" then return result and "1" or "0" end
  return (tostring(result):gsub("^%-nan$", "nan"))
end

--- What the pattern computes without and with the rule; nil if this is not known, or the same.
---@param rule phial.rules.Rule
---@param query phial.rules.Query the question at the types
---@param values table<string, integer> bits by variable
---@return string? without
---@return string? with
function M.run(rule, query, values)
  if rule.blind then return nil end
  local results, R = {}, core.rules()
  for _, dialect in pairs(rule.dialects) do R:attach(dialect) end
  for i, rules in ipairs { false, R:add(rule.text, rule.functions) } do
    local done, fn, given, labels = pcall(build, rule, query.types, query, values, rules)
    if not (done and fn) then return nil end
    results[i] = outcome(fn, given, labels)
    fn:close()
  end
  if results[1] == results[2] then return nil end
  return results[1], results[2]
end

return M
