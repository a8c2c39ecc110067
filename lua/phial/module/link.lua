-- Resolves the names in calls and addresses, and checks calls against signatures.
local callees = require "phial.code.callees"
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local signature = require "phial.signature"

local M = {}

--- True if a symbol is a declaration.
---@param symbol any
---@return boolean
function M.is_declaration(symbol)
  return (callees.is_usable(symbol) or global.is(symbol)) and symbol:is_declaration()
end

--- What a symbol is, in messages.
---@param symbol phial.Function|phial.Global
---@return string
function M.kind(symbol)
  if errors.class(symbol) ~= "phial.Function" then return "global" end
  return M.is_declaration(symbol) and "declaration" or "function"
end

-- {== Signatures ======================================================

local function signature_of(fn)
  return signature.text(signature.passed(fn))
end

--- Raises unless a definition has the signature of its declaration.
---@param declared phial.Function
---@param fn phial.Function
---@param place string of the declaration
function M.check_definition(declared, fn, place)
  local want, got = signature_of(declared), signature_of(fn)
  if want == got then return end
  fn:close()
  errors.raise("function '%s' was declared as %s (at %s), not as %s", declared:name(), want, place,
    got)
end

-- Why the results of a callee are not what a call of a function wants; nil if they are.
local function wrong_result(fn, v, callee)
  local got, is_tail = callee:results(), v:op() == "tail_call"
  local function wrong(want)
    return ("it returns %s, not %s"):format(signature.results(callee) or "nothing",
      want or "nothing")
  end
  if is_tail then
    local want = signature.results(fn)
    return signature.results(callee) ~= want and wrong(want) or nil
  end
  for i, result in ipairs(v:results()) do
    local want, which = result:type(), i == 1 and 1 or result:index()
    local has = got[which]
    if has ~= want and has ~= "any" and (want ~= "any" or not has) then
      return wrong(i == 1 and want or ("%s as result %d"):format(want, which))
    end
  end
end

-- What is wrong with the arguments and the result of a call; nil if nothing is.
local function misfit(fn, v, callee)
  local types, args = signature.types(callee), v:args()
  if v:op() == "call_indirect" then table.remove(args, 1) end
  local enough = #args == #types or callee:is_variadic() and #args > #types
  if not enough then
    return ("wrong number of arguments (%s%d expected, got %d)"):format(
      callee:is_variadic() and "at least " or "", #types, #args)
  end
  for i, want in ipairs(types) do
    local got = args[i]:type()
    if got ~= want and got ~= "any" and want ~= "any" then
      return ("argument %d is of type %s, not %s"):format(i, got, want)
    end
  end
  return wrong_result(fn, v, callee)
end

-- }== Names ===========================================================

local VERBS <const> = {
  address = "takes the address of", call_indirect = "calls what has the signature of"
}

---@class phial.module.Problem
---@field text string
---@field user string the symbol that has the use
---@field name string that it names

-- The most problems for which similar names are looked for, which takes a while.
local SUGGESTED <const> = 10

-- That the module has nothing of a name.
local function missing(state, name, problems)
  return (", which module '%s' does not have%s"):format(state.name,
    #problems < SUGGESTED and errors.near(name, state.symbols) or "")
end

-- What is wrong with the use of a symbol; nil if nothing is.
local function wrong_use(state, fn, v, name, symbol, problems)
  if not symbol then return missing(state, name, problems) end
  if v:op() == "address" then return nil end
  if errors.class(symbol) ~= "phial.Function" then return ": it is a global" end
  local why = misfit(fn, v, symbol)
  return why and ": " .. why
end

-- What is wrong with data of another module or of Lua whose name means something else here, which
-- the text of this module would mean; nil if nothing is.
local function foreign(state, data, name)
  if type(data) == "string" or not state.symbols[name] then return nil end
  local home, is_global = "of Lua", global.is(data)
  if is_global or errors.class(data) == "phial.Function" then
    if not is_global and not core.is_usable(data) then return nil end
    local m = data:module()
    if m == state.module then return nil end
    home = m and ("of module '%s'"):format(m:name()) or "of no module"
  end
  return (" %s, but the name is that of a %s of module '%s'"):format(home,
    M.kind(state.symbols[name]), state.name)
end

-- Adds "'main' calls 'f' (at gcd.lua:12)", and why this is wrong.
local function add_problem(problems, fn, v, name, why)
  local place = v:place()
  local text = ("'%s' %s '%s'%s%s"):format(fn:name(), VERBS[v:op()] or "calls", name,
    place and (" (at %s)"):format(place) or "", why)
  problems[#problems + 1] = { text = text, user = fn:name(), name = name }
end

-- Adds what is wrong with the name of a signature.
local function check_signature(state, fn, v, problems)
  local name = v:data()
  if type(name) ~= "string" then return end
  local why = wrong_use(state, fn, v, name, state.symbols[name], problems)
  if why then add_problem(problems, fn, v, name, why) end
end

-- Adds the uses of symbols by name, or by a declaration that has been defined since.
local function add_uses(state, fn, found, problems)
  for v in fn:values() do
    if v:op() == "call_indirect" then check_signature(state, fn, v, problems) end
    local data = callees.SYMBOLIC[v:op()] and v:data()
    local name = data and core.symbol(v) -- in the text
    local symbol = name and state.symbols[name]
    local is_open = type(data) == "string" or symbol and M.is_declaration(data)
    local to_resolve = is_open and symbol ~= data
    local why = name and foreign(state, data, name)
      or to_resolve and wrong_use(state, fn, v, name, symbol, problems)
    if why then
      add_problem(problems, fn, v, name, why)
    elseif to_resolve then
      found[#found + 1] = { v = v, symbol = symbol }
    end
  end
end

-- Adds the initial values of globals that name nothing.
local function check_initials(state, problems)
  for _, g in ipairs(state.globals:all()) do
    for _, name in ipairs(global.symbols(g)) do
      if type(name) == "string" and not state.symbols[name] then
        problems[#problems + 1] = {
          text = ("global '%s' has the address of '%s'"):format(g:name(), name)
            .. missing(state, name, problems),
          user = g:name(),
          name = name,
        }
      end
    end
  end
end

--- What is wrong with names and calls.
---@param state phial.module.State
---@return phial.module.Problem[]
---@return {v: phial.Value, symbol: any}[] found instructions, and what their names mean
function M.check(state)
  local problems, found = {}, {}
  for _, fn in ipairs(state.functions:all()) do add_uses(state, fn, found, problems) end
  check_initials(state, problems)
  return problems, found
end

--- Replaces names by what they mean, unless something is wrong; returns what is.
---@param state phial.module.State
---@return phial.module.Problem[]
function M.resolve(state)
  local problems, found = M.check(state)
  if #problems > 0 then return problems end
  for _, use in ipairs(found) do use.v:set_data(use.symbol) end
  return problems
end

-- }== What others have =================================================
--
-- Functions of Lua, and symbols of other modules. The text of a module declares the functions, and
-- defines the globals as internal ones: running the module, or writing it in C, gives it its own,
-- too.

---@class phial.module.Outside
---@field globals phial.Global[] in the order in which they are reached
---@field callees {name: string, fn: phial.Function?}[] the same; fn: the only meaning of the name

-- Adds what has a name.
local function add_outside(found, it, name)
  if found.symbols[name] or found.seen[it] then return end
  found.seen[it] = true
  if global.is(it) then
    found.globals[#found.globals + 1] = it
    return
  end
  local fn = callees.is_usable(it) and it or nil
  local known = found.by_name[name]
  if known then
    known.fn = nil
  else
    known = { name = name, fn = fn }
    found.by_name[name] = known
    found.callees[#found.callees + 1] = known
  end
end

-- Adds what a global has the address of.
local function add_initial(found, g)
  for _, it in ipairs(global.symbols(g)) do
    local name = type(it) == "string" and it or it:name()
    if not found.symbols[name] then
      if it == name then it = g:module():get(name) end
      if it then add_outside(found, it, name) end
    end
  end
end

--- Finds what the functions and globals of a module use that it does not have.
---@param state phial.module.State
---@return phial.module.Outside
function M.find_outside(state)
  local found = { symbols = state.symbols, seen = {}, by_name = {}, globals = {}, callees = {} }
  for _, g in ipairs(state.globals:all()) do add_initial(found, g) end
  local used = {}
  for _, fn in ipairs(state.functions:all()) do core.symbols(fn, used) end
  for i = 1, #used, 2 do add_outside(found, used[i], used[i + 1]) end
  for _, g in ipairs(found.globals) do add_initial(found, g) end -- which may add more to the list
  return found
end

-- }====================================================================

return M
