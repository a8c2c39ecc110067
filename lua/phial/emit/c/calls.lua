-- Calls, and ops of dialects, which write themselves.
local core = require "phial.core"
local errors = require "phial.errors"
local types = require "phial.emit.c.types"

local M = {}

--
-- {== Calls ===========================================================
--

local function arguments(code, v)
  local texts = {}
  for i, arg in ipairs(v.args) do texts[i] = code:bare(arg) end
  return table.concat(texts, ", ")
end

-- Checks a call of a phial function as running it does.
local function check_signature(code, v, callee)
  local usable, why = core.is_usable(callee)
  if not usable then code:refuse(v, "its callee is %s", why) end
  local params = { callee:params() }
  if #params ~= #v.args then
    code:refuse(v, "wrong number of arguments to '%s' (%d expected, got %d)", callee:name(),
      #params, #v.args)
  end
  for i, var in ipairs(params) do
    if var:type() ~= v.args[i].type then
      code:refuse(v, "argument %d of function '%s' is of type %s, not %s", i, callee:name(),
        var:type(), v.args[i].type)
    end
  end
  if v.type and callee:result() ~= v.type then
    code:refuse(v, "function '%s' returns %s, not %s", callee:name(), callee:result() or "nothing",
      v.type)
  end
end

-- The C name of the callee.
local function callee_of(code, v)
  local callee = v.v:data()
  if type(callee) == "string" then
    local fn = code.unit:named(callee)
    if not fn then return v.extern end
    callee = fn
  end
  if errors.class(callee) == "phial.Function" then
    check_signature(code, v, callee)
    return code.unit:name_of(callee)
  end
  code:refuse(v, callee == nil and "its callee is not known"
    or "its callee is a Lua %s, which C cannot call", type(callee))
end

local function call(code, v)
  if v.results then code:refuse(v, "a call has one result in C") end
  local name = callee_of(code, v)
  code:check_depth(v, v.v:data())
  local text = ("%s(%s)"):format(name, arguments(code, v))
  if v.type and v.uses > 0 then return code:set(v, text) end
  code:line("%s;", text)
end

-- }== Dialects ========================================================

-- Declares the results of an op, which its lines assign.
local function declare_results(code, v)
  local names = {}
  local function declare(result, i)
    if result.uses == 0 then
      names[i] = code:temp(result.type)
      return code:line("(void)%s;", names[i])
    end
    if result.is_local then code:line("%s %s;", types.name(result.type), result.name) end
    names[i] = result.name
  end
  if v.type then declare(v, 1) end
  for _, result in ipairs(v.results or {}) do declare(result, result.index) end
  return names
end

-- What the `c` of an op gets as its third argument: phial.Site.
local function site(code, v, names, target)
  local it = {}
  function it.type(_, type)
    return types.name(type) or code:refuse(v, "type %s cannot be written in C", type)
  end
  function it.result(_, i)
    i = i or 1
    if not names[i] then names[i] = code:temp(v.type) end
    return names[i]
  end
  function it.target(_, i)
    return target and target(i) or code:refuse(v, "the op has no target %d", i)
  end
  function it.temp(_, type) return code:temp(type) end
  function it.declare(_, line) code.unit:declare(line) end
  return it
end

--- Writes an op of a dialect.
---@param code phial.emit.c.Code
---@param v phial.emit.lua.Value
---@param target? fun(i: integer): string? the statement that goes to the target
function M.dialect(code, v, target)
  local dialect, op = v.op:match "^([^.]*)%.(.*)$"
  if not op then code:refuse(v, "op '%s' cannot be written in C", v.op) end
  local write = code.program.fn:dialect(dialect)[op]:c()
  if not write then code:refuse(v, "op '%s' has no c: it cannot be written in C", v.op) end
  local operands = {}
  for i, arg in ipairs(v.args) do operands[i] = code:text(arg) end
  local lines = write(v.v, operands, site(code, v, declare_results(code, v), target))
  if type(lines) == "string" then lines = { lines } end
  if type(lines) ~= "table" then
    code:refuse(v, "the c of op '%s' returned %s, not a string or a list of strings", v.op,
      errors.got(lines))
  end
  for _, line in ipairs(lines) do code:line("%s", line) end
end

local rows = { call = { stmt = call } }
local dialect_row = { stmt = M.dialect }

--- How a call or an op of a dialect is written.
---@param v phial.emit.lua.Value
---@return phial.emit.c.Row
function M.row(v) return rows[v.op] or dialect_row end

-- }====================================================================

return M
