-- Functions between phial and C. Where C passes a struct or a va_list by value, functions of phial
-- take its address; one function in between has the one signature and calls the other one.
local errors = require "phial.errors"
local names = require "phial.emit.c.names"
local structs = require "phial.code.structs"
local types = require "phial.emit.c.types"

local M = {}

--- True if C passes something by value of which a function of phial takes the address.
---@param symbols phial.emit.c.Symbols
---@param fn phial.Function
---@return boolean
function M.is_needed(symbols, fn)
  if not symbols:interface(fn).by_value then return false end
  for i, var in ipairs(fn:params()) do
    local passing = fn:passing(i)
    if passing == "va_list" or structs.of(passing) then
      if not fn:is_variadic() then return true end
      errors.raise("function '%s' is variadic: its parameter '%s' cannot be %s in C", fn:name(),
        var:name(), passing)
    end
  end
  return false
end

--- The type that C has of such a function, with %s for its name.
---@param symbols phial.emit.c.Symbols
---@param fn phial.Function
---@return string
function M.type(symbols, fn)
  local params, result = {}, symbols:returned(fn)
  for i, var in ipairs(fn:params()) do
    local passing = fn:passing(i)
    local struct, kind = structs.of(passing)
    if kind == "sret" then
      result = symbols:struct(struct)
    else
      params[#params + 1] = struct and symbols:struct(struct)
        or passing == "va_list" and passing or types.passed(var:type(), passing)
    end
  end
  return types.declared_function(result, params)
end

--
-- {== Writing =========================================================
--

---@class phial.emit.c.Between a function that is being written
---@field needed table<string, true> helpers
---@field scope phial.emit.c.Scope
---@field params string[]
---@field args string[] of the call
---@field result string? its type
---@field takes string? the struct that gets the result of the call
---@field before string[] lines before the call
---@field after string[] lines after it

local function add(list, format, ...) list[#list + 1] = format:format(...) end

-- By how a parameter is passed, for functions of C that call one of phial.
local outward = {}

function outward.plain(it, x, type)
  add(it.params, "%s", types.declaration(type, x))
  add(it.args, "%s", x)
end

function outward.byval(it, x, type)
  add(it.params, "%s %s", type, x)
  add(it.args, "(char *)&%s", x)
end

function outward.sret(it, x, type)
  it.result = type
  add(it.before, "%s %s;", type, x)
  add(it.args, "(char *)&%s", x)
  add(it.after, "return %s;", x)
end

function outward.va_list(it, x)
  local list = it.scope:take(x .. "_list")
  it.needed.phial_list = true
  add(it.params, "va_list %s", x)
  add(it.before, "va_list %s;", list)
  add(it.before, "va_copy(%s, %s);", list, x)
  add(it.args, "(char *)&%s", list)
  add(it.after, "va_end(%s);", list)
end

-- The same for functions of phial that call one of C.
local inward = { plain = outward.plain }

function inward.byval(it, x, type)
  local value = it.scope:take(x .. "_value")
  it.needed.string = true
  add(it.params, "char *%s", x)
  add(it.before, "%s %s;", type, value)
  add(it.before, "memcpy(&%s, %s, sizeof %s);", value, x, value)
  add(it.args, "%s", value)
end

function inward.sret(it, x, type)
  local value = it.scope:take(x .. "_value")
  it.needed.string = true
  add(it.params, "char *%s", x)
  it.takes = ("%s %s"):format(type, value)
  add(it.after, "memcpy(%s, &%s, sizeof %s);", x, value, value)
end

function inward.va_list(it, x)
  it.needed.phial_list = true
  add(it.params, "char *%s", x)
  add(it.args, "phial_list(%s)", x)
end

-- What precedes the call. What it returns is kept if something is still to be done.
local function taken(it, result)
  if it.takes then return it.takes .. " = " end
  if not result or #it.after == 0 then return result and "return " or "" end
  local r = it.scope:take "r"
  add(it.after, "return %s;", r)
  return types.declaration(result, r) .. " = "
end

-- The lines of a function that calls another one, or the one at an address, its first parameter.
local function write(symbols, fn, ways, name, callee)
  local result = symbols:returned(fn)
  local it = { needed = symbols.needed, scope = names.scope(symbols.scope), result = result,
    params = {}, args = {}, before = {}, after = {} }
  if not callee then
    local p = it.scope:take "callee"
    add(it.params, "char *%s", p)
    callee = ("((%s)(uintptr_t)%s)"):format(M.type(symbols, fn):format "(*)", p)
  end
  for i, var in ipairs(fn:params()) do
    local struct, kind = structs.of(fn:passing(i))
    local way = ways[kind or fn:passing(i)] or ways.plain
    way(it, it.scope:take(var:name()), struct and symbols:struct(struct)
      or types.passed(var:type(), fn:passing(i)))
  end
  local call = ("%s%s(%s);"):format(taken(it, result), callee, table.concat(it.args, ", "))
  local lines = { types.declared_function(it.result, it.params):format(name) .. " {" }
  local body = it.before
  body[#body + 1] = call
  table.move(it.after, 1, #it.after, #body + 1, body)
  for _, line in ipairs(body) do add(lines, "  %s", line) end
  add(lines, "}")
  return lines
end

--- The function `name` of C that calls a function of phial.
---@param symbols phial.emit.c.Symbols
---@param fn phial.Function
---@param name string
---@return string[] lines
function M.outward(symbols, fn, name)
  return write(symbols, fn, outward, name, symbols:of(fn))
end

--- The function `name` that takes what fn does, and calls a function of C.
---@param symbols phial.emit.c.Symbols
---@param fn phial.Function
---@param name string
---@param callee string? nil: the one at an address, the first argument
---@return string[] lines
function M.inward(symbols, fn, name, callee)
  local lines = write(symbols, fn, inward, name, callee)
  lines[1] = "static " .. lines[1]
  return lines
end

-- }====================================================================

return M
