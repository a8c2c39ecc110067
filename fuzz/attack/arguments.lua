-- Arguments: what a declared type allows, and now and then anything else.
local acts = require "fuzz.attack.acts"
local declared = require "fuzz.attack.declared"
local random = require "fuzz.attack.random"
local world = require "fuzz.attack.world"

local chance, pick = random.chance, random.pick
local R <const> = math.random

local M = {}

local NUMBERS <const> = {
  0, 1, 2, 3, -1, 7, 64, 255, 1.5, -0.0, 1e308, math.huge, 0 / 0, 2^53, math.mininteger,
  math.maxinteger, 1 << 31, 1 << 32,
}
local STRINGS <const> = {
  "", "x", "f", "g", "a", "entry", "i64", "i1", "ptr", "f64", "add", "phi", "d.op", "d", "any",
  "\0", "%1", "int", "sel", ("n"):rep(300), "\xff", "copy", "jump", "d.t", "1", "default", "undef",
}
local TEXTS <const> = {
  "fn f() {\nentry:\n  ret\n}\n", "module m\nfn g(x:i64) -> i64 {\nentry:\n  ret %x\n}\n",
  "fn h(n: i64) -> i64 {\nentry:\n  %1: i64 = add %n, 1\n  ret %1\n}\n",
  "a: x + 0 => x", "b: x + C => $f(x, C) if $g(C)", "c: x * y => y * x", "fn", "",
}
local TYPES <const> = { "i64", "i64", "i64", "i32", "i1", "i8", "f64", "ptr", "any", "f32", "d.t" }
local OPS <const> = {
  "add", "sub", "slt", "d.op", "copy", "load", "select", "zext", "call", "alloca", "phi", "jump",
  "branch", "ret", "d.two", "mul", "eq", "undef", "const", "sdiv", "d.go",
}

local make

--- A callback of a declared type.
---@param text string "fun(v: phial.Value): any"
---@param role string? the name of what it is
function M.callback(text, role)
  local params, result = declared.callback(text)
  return function(...)
    local it, first = nil, ...
    local does = world.class(first) == "Event" and "log" or role
    for i, class in ipairs(params) do
      local param = select(i, ...)
      world.keep(param, class)
      if class == "Site" or class == "Actor" then it = param end
    end
    acts.act(does, it)
    if result then return make(result) end
  end
end

-- A table with a key that may be nil or nan.
local function keyed(k, v) return { [k == k and k or 1] = v } end

local function any_callback(role) return M.callback("fun(a: any): any", role or "any") end

-- A table whose metamethods do things.
local function evil(t)
  local function meta() acts.act() return make "any" end
  return setmetatable(t or {}, {
    __index = meta, __newindex = meta, __len = function() acts.act() return R(0, 3) end,
    __call = meta, __pairs = function() acts.act() return next, {} end,
    __eq = function() acts.act() return chance(2) end,
    __tostring = function() acts.act() return "evil" end, __name = pick { "evil", "phial.Value" },
    __close = function() acts.act() end, __gc = chance(2) and function() acts.act() end or nil,
    evil = true,
  })
end

local HOSTILE <const> = {
  function() return nil end, function() return pick(NUMBERS) end,
  function() return pick(STRINGS) end, function() return chance(2) end,
  function() return {} end, function() return evil() end, function() return pick(TEXTS) end,
  any_callback, function() return io.stdout end,
  function() return coroutine.create(print) end,
  function(role) return { make("any", role), make "any" } end,
  function() return keyed(make "phial.Value", make "any") end,
  function() return world.of(pick(declared.classes)) end,
  function() return world.of(pick(declared.classes)) end,
  function() return world.of "Value" end, function() return world.of "Block" end,
}

--- Anything.
---@param role string? of callbacks
function M.any(role) return pick(HOSTILE)(role) end

--- Random options of a class.
---@param class string
---@return table
function M.options(class)
  local t, list = {}, declared.fields(class)
  for _, field in ipairs(list) do
    if chance(#list > 4 and 4 or 2) or not field.optional then
      t[field.name] = make(field.type, field.name)
    end
  end
  if chance(30) then t[pick(STRINGS)] = make "any" end
  return chance(30) and evil(t) or t
end

local function list_of(type)
  local list = {}
  for i = 1, R(0, 3) do list[i] = make(type) end
  return list
end

local function params()
  local list = {}
  for i = 1, R(0, 3) do
    list[i] = pick { "a", "b:i1", "p:ptr", "x:f64", "n:i64", "o:any", "s:ptr byval {i32, f64}" }
  end
  return list
end

-- What these are called decides; limits of time stay small.
local function small() return R(0, 4) end
local function nothing() end
local function listener() return M.callback("fun(event: phial.Event)", "log") end
local function classes() return pick { "all", {}, { "a" }, { "b", "a" }, { "c" .. R(40) } } end
local NAMED <const> = {
  reads = classes, writes = classes,
  text = function() return chance(4) and world.of "Record" or pick(TEXTS) end,
  path = function() return "/dev/null" end,
  op = function() return chance(3) and world.of "Op" or pick(OPS) end, params = params,
  cases = small, limit = small, width = small, fuel = small, stack = small, cc = nothing,
  flags = nothing, nth = function() return pick { 1, 2 } end,
  source = function() return chance(2) end, i = function() return pick { 1, 2, 3 } end,
  file = function() return pick { "a.x", "b.x" } end,
  args = function() return pick { 0, 1, 2, "*", { "i64" } } end,
  message = function() return "m" end, results = function() return pick { 1, 2, "*" } end,
  targets = function() return pick { 0, 1, 2 } end,
  log = function()
    return pick { true, false, listener(), { listener(), detail = true }, { detail = true } }
  end,
  functions = function() return { f = any_callback(), g = any_callback(), x = make "any" } end,
}
local PLAIN <const> = {
  integer = function() return chance(4) and pick(NUMBERS) or R(0, 9) end,
  number = function() return pick(NUMBERS) end, boolean = function() return chance(2) end,
  string = function() return pick(STRINGS) end, any = function() return M.any() end,
  ["nil"] = nothing,
  ["true"] = function() return true end, ["false"] = function() return false end, T = nothing,
  table = function() return {} end, ["function"] = function() return any_callback() end,
  ["phial.Type"] = function() return pick(TYPES) end,
  ["phial.Literal"] = function() return pick { 0, 1, 5, true, 2.5 } end,
  ["phial.Incoming"] = function() return keyed(world.of "Value", make "phial.Operand") end,
}

local function table_of(one)
  local key, value = one:match "^table<(.-), ?(.*)>$"
  local t = keyed(make(key), make(value))
  t[2] = make(value)
  return t
end

local function fields_of(one)
  local t = {}
  for key, of in one:gmatch "([%w_]+): ([^,}]+)" do t[key] = make(of, key) end
  return t
end

local function right(type, name)
  if NAMED[name] and (name == "log" or not type:find "^fun%(") then return NAMED[name]() end
  local one = pick(declared.alternatives(type))
  local literal, element = one:match '^"(.-)"', one:match "^(.+)%[%]$"
  if literal then return literal end
  if PLAIN[one] then return PLAIN[one]() end
  if one:find "^fun%(" then return M.callback(one, name) end
  if element then return list_of((element:gsub("^%((.*)%)$", "%1"))) end
  if one:find "^table<" then return table_of(one) end
  if one:find "^{" then return fields_of(one) end
  local class = one:match "^phial%.(%w+)"
  if not class then return M.any() end
  if declared.aliases[class] then return make(declared.aliases[class]) end
  return world.of(class) or M.options(class)
end

local depth = 0

--- A value of a declared type; now and then anything else.
---@param type string
---@param name string? of the parameter or field
---@return any
function M.make(type, name)
  depth = depth + 1
  local it
  if depth > 6 then it = nil
  elseif chance(16) and name ~= "path" then it = M.any(name)
  else it = right(type, name) end
  depth = depth - 1
  return it
end
make = M.make

--- Arguments for the declared parameters.
---@param method attack.Method
---@return any[] args
---@return integer n
function M.declared(method)
  local args, n = {}, 0
  for _, p in ipairs(method.params) do
    if p.name == "..." then
      local type = p.type:gsub("phial%.Block", "phial.Operand")
      for _ = 1, R(0, 2) do n = n + 1; args[n] = make(type) end
    elseif not (p.optional and chance(2)) then
      n = n + 1
      args[n] = make(p.type, p.name)
    elseif chance(2) then n = n + 1
    else break end
  end
  return args, n
end

--- Makes one wrong now and then, exchanges two, or adds or drops one.
---@param args any[]
---@param n integer
---@return integer n
function M.disturb(args, n)
  if chance(12) and n > 0 then args[R(n)] = M.any() end
  if chance(40) and n > 1 then
    local i, k = R(n), R(n)
    args[i], args[k] = args[k], args[i]
  end
  return chance(25) and math.max(0, n + pick { -1, 1, 2 }) or n
end

return M
