--- phial.module: functions, globals and declarations under one roof.
-- A module owns its symbols by name; its functions know it, so that calls by name
-- are checked against signatures, at the call or when the module is finished.
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"
local new_class = require "phial.handle"
local later = require "phial.later"
local link = require "phial.module.link"
local options = require "phial.options"
local text = require "phial.module.text"

local build_with = later("phial.build", "with")
local compile = later("phial.native", "compile")
local new_callgraph = later("phial.module.callgraph", "new")
local new_instance = later("phial.module.instance", "new")

-- Behind a module are its name, the options of its functions, symbols by name, where each was
-- made, and lists in order.
local class = new_class "phial.Module"
local state_of = class.of

---@class phial.Module
local Module = class.methods -- types/phial.lua says what they take and return

-- The most problems that finish shows; verify returns all.
local SHOWN <const> = 50

-- {== Lists ===========================================================
-- Things in the order in which they were added; each can be removed at once, wherever it is,
-- also by a finalizer while the list is read.
--

---@class phial.module.List
---@field before table<any, any> by thing; before the first one is the list
---@field after table<any, any> by thing; and by the list: the first one
---@field last any
local List = {}
List.__index = List

local function new_list()
  local list = setmetatable({ before = {}, after = {} }, List)
  list.last = list
  return list
end

function List:add(it)
  self.before[it], self.after[self.last], self.last = self.last, it, it
end

-- Removes what may not be in the list.
function List:remove(it)
  local before, after = self.before[it], self.after[it]
  if not before then return end
  self.after[before] = after
  if after then self.before[after] = before else self.last = before end
  self.before[it], self.after[it] = nil, nil
end

--- All, as they are now.
---@return any[]
function List:all()
  local all, it = {}, self.after[self]
  while it do
    all[#all + 1], it = it, self.after[it]
  end
  return all
end

-- }== Symbols =========================================================

local function check_name(method, name)
  if type(name) ~= "string" or name == "" then errors.arg(method, 1, "a name", name) end
end

local function remove(state, name)
  local symbol = state.symbols[name]
  state.symbols[name] = nil
  state.functions:remove(symbol)
  state.declarations:remove(symbol)
  state.globals:remove(symbol)
end

-- Raises if the name is taken; a declaration can be followed by the definition, of the kind
-- `defines`. A function that was closed leaves its name.
local function check_free(state, name, defines)
  local taken = state.symbols[name]
  if not taken then return end
  local kind = global.is(taken) and "global" or "function"
  if defines == kind and link.is_declaration(taken) then return end
  if errors.class(taken) == "phial.Function" and not core.is_usable(taken) then
    return remove(state, name)
  end
  errors.raise("module '%s' has a %s '%s' already (at %s)", state.name,
    link.kind(taken), name, state.places[name])
end

local function add_symbol(state, list, name, symbol, place)
  state.symbols[name], state.places[name] = symbol, place or errors.place()
  list:add(symbol)
  return symbol
end

-- Makes a function of the module for a method, with the options of the module and its own.
local function make(state, method, name, params, result, opts)
  check_name(method, name)
  check_free(state, name, "function")
  if opts ~= nil then errors.check_table(method, 4, opts) end
  local fn = errors.new_function(method, core.fn, name, params, result,
    opts and options.union(state.opts, opts) or state.opts)
  local declared = state.symbols[name]
  if declared then
    link.check_definition(declared, fn, state.places[name])
    state.declarations:remove(declared)
  end
  core.join(fn, state.module, state.symbols)
  return add_symbol(state, state.functions, name, fn)
end

--- Makes a function of the module. A declaration of that name becomes its definition.
function Module:fn(name, params, result, opts)
  return make(state_of(self, "fn"), "fn", name, params, result, opts)
end

--- Builds a function of the module from a body, as phial.build does.
function Module:build(...)
  local state = state_of(self, "build")
  local made
  local function make_it(...)
    made = make(state, "build", ...)
    return made
  end
  local _ <close> = setmetatable({}, { __close = function(_, err)
    if err ~= nil and made then remove(state, made:name()) end
  end })
  return build_with(make_it, "build", ...)
end

--- Declares a function that is defined elsewhere: by C when the module is compiled, by
--- the option `env` when it is run; or later in the module.
function Module:declare(name, params, result, opts)
  local state = state_of(self, "declare")
  check_name("declare", name)
  check_free(state, name)
  opts = options.argument("declare", 4, opts,
    { variadic = "boolean", reads = true, writes = true })
  local fn = errors.new_function("declare", core.fn, name, params, result,
    { dialects = state.opts.dialects, rules = false, variadic = opts.variadic })
  core.declare(fn, opts)
  core.join(fn, self, state.symbols)
  return add_symbol(state, state.declarations, name, fn)
end

--- Makes a global: memory that exists as long as the program runs.
function Module:global(name, type, initial, opts)
  local state = state_of(self, "global")
  check_name("global", name)
  check_free(state, name, "global")
  local g, declared = global.new(self, name, type, initial, opts), state.symbols[name]
  if declared then
    global.check_definition(declared, g, state.places[name])
    state.globals:remove(declared)
  end
  return add_symbol(state, state.globals, name, g)
end

--- Declares a global that is defined elsewhere: by C when the module is compiled, by an
--- address in the option `env` when it is run; or later in the module.
function Module:declare_global(name, type, opts)
  local state = state_of(self, "declare_global")
  check_name("declare_global", name)
  check_free(state, name)
  return add_symbol(state, state.globals, name, global.declare(self, name, type, opts))
end

--- What an initial value refers to: the address of a symbol, plus a number of bytes. A name
--- is resolved when the module is finished.
function Module:ref(symbol, offset)
  state_of(self, "ref")
  return global.ref(symbol, offset)
end

--- The function, declaration or global of that name, or nil.
function Module:get(name) return state_of(self, "get").symbols[name] end

function Module:name() return state_of(self, "name").name end

-- Before 0.9.0 these were iterators: a `for` that calls the list gets an error.
local called = { __call = function()
  errors.raise "it is a list: for _, it in ipairs(m:functions()) do"
end }

local function listed(self, what) return setmetatable(state_of(self, what)[what]:all(), called) end

--- Lists, in order of creation.
function Module:functions() return listed(self, "functions") end

function Module:declarations() return listed(self, "declarations") end

function Module:globals() return listed(self, "globals") end

-- }== The whole module ================================================

-- The functions that are not finished; those that lack a terminator first: they are refused before
-- any other has changed.
local function unfinished(state)
  local lacking, others = {}, {}
  for _, fn in ipairs(state.functions:all()) do
    local list = #core.unfilled(fn) > 0 and lacking or others
    if not fn:is_finished() then list[#list + 1] = fn end
  end
  return table.move(others, 1, #others, #lacking + 1, lacking)
end

--- Finishes all functions that are not finished, then resolves calls by name: each that
--- names nothing, or does not fit, is reported with its place.
function Module:finish(opts)
  local state = state_of(self, "finish")
  if opts ~= nil then -- refuses what is wrong, also where no function is to be finished
    local fn <close> = core.fn ""
    fn:entry():unreachable()
    fn:finish(opts)
  end
  for _, fn in ipairs(unfinished(state)) do fn:finish(opts) end
  local lines = { ("module '%s' cannot be finished: these uses of names are wrong")
    :format(state.name) }
  local problems = link.resolve(state)
  for i = 1, math.min(#problems, SHOWN) do lines[i + 1] = problems[i].text end
  if #problems > SHOWN then lines[#lines + 1] = ("and %d more"):format(#problems - SHOWN) end
  state.is_refused = #problems > 0
  if state.is_refused then core.raise(table.concat(lines, "\n  ")) end
  return self
end

--- Checks every function, and the calls between them.
function Module:verify()
  local state, all = state_of(self, "verify"), {}
  for _, fn in ipairs(state.functions:all()) do
    local ok, problems = fn:verify()
    for _, problem in ipairs(ok and {} or problems) do
      all[#all + 1] = ("function '%s': %s"):format(fn:name(), problem)
    end
  end
  for _, problem in ipairs(link.check(state)) do all[#all + 1] = problem.text end
  if #all > 0 then return nil, all end
  return true
end

--- The text of the module: globals, declarations, functions, in order of creation.
function Module:text(opts)
  local state = state_of(self, "text")
  if opts ~= nil then core.fn(""):text(opts) end -- refuses what is wrong, also without functions
  return text.print(state, opts)
end

--- Who calls whom.
function Module:callgraph() return new_callgraph(state_of(self, "callgraph")) end

-- }== At work ==========================================================

--- Makes an instance: the module with memory of its own, which lasts from call to call.
function Module:instance(opts)
  return new_instance(state_of(self, "instance"), opts)
end

--- Compiles the module to native code by a C compiler; docs/native.md.
function Module:compile(opts)
  errors.check_accepted(state_of(self, "compile"), "compiled")
  return compile(self, opts)
end

-- Never raises an error, as for functions.
function class.meta:__tostring() return text.describe(class.behind(self)) end

-- }== Making ==========================================================

local M = {}

--- Makes a module. Options are those of phial.fn, and hold for all its functions.
function M.new(name, opts)
  check_name("phial.module", name)
  if opts ~= nil then errors.check_table("phial.module", 2, opts) end
  local taken = options.union(opts or {})
  local ok, it = pcall(core.fn, "", nil, nil, taken) -- refuses what is wrong
  if not ok then error((it:gsub("#4 to 'phial.fn'", "#2 to 'phial.module'")), 0) end
  it:close()
  local state = { name = name, opts = taken, symbols = {}, places = {},
    functions = new_list(), declarations = new_list(), globals = new_list() }
  state.module = class.new(state)
  return state.module
end

--- Makes a function that was read from text part of a module.
---@param state phial.module.State
---@param fn phial.Function
---@param place string in the text
function M.adopt(state, fn, place)
  if fn:name() == "" then errors.raise("a function of a module needs a name") end
  check_free(state, fn:name())
  core.join(fn, state.module, state.symbols)
  local list = fn:is_declaration() and state.declarations or state.functions
  add_symbol(state, list, fn:name(), fn, place)
end

--- The state of a module, for other files of phial; nil if it is none.
---@param m any
---@return phial.module.State?
function M.state(m) return class.behind(m) end

-- }====================================================================

return M
