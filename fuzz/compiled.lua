-- Routes through compilers, many in one text: C by all that are installed, in this process, and
-- LLVM IR by lli, as it is and optimized.
local compilers = require "spec.support.compilers"
local llvm = require "spec.support.llvm"
local native = require "phial.native"
local phial = require "phial"
local results = require "spec.support.results"
local routes = require "fuzz.route"

local M = { ways = {}, count = 0 }

local function top(route) return route.functions[#route.functions] end

--- True if all that a route's program calls is found by a compiler: other functions only in a
--- module; if nothing ends by a call, which C and LLVM guarantee between functions of one type; and
--- if no variadic function gets a struct by value, which C cannot say.
function M.can(route)
  for _, program in ipairs(route.case.programs) do
    if program.copies and (program.more or 0) > 0 then return false end
  end
  for _, fn in ipairs(route.functions) do
    for block in fn:blocks() do
      if block:terminator():op():find "^tail_call" then return false end
    end
  end
  return route.module ~= nil or #route.functions == 1
end

-- Calls f(route, args, expected) for all that ends.
local function each(list, f)
  for _, it in ipairs(list) do
    for i, args in ipairs(it.route.case.inputs) do
      if it.expected[i] ~= "out of fuel" then f(it.route, args, it.expected[i]) end
    end
  end
end

-- Ops of dialects have results that nothing uses.
local UNUSED = "-Wno-unused-but-set-variable"

local function in_c(list, cc)
  local functions = {}
  for i, it in ipairs(list) do functions[i] = top(it.route) end
  local library <close> = native.compile(functions, compilers.options(cc, UNUSED))
  each(list, function(route, args, expected)
    local f = library:get(top(route):name())
    routes.compare(cc, table.move(args, 1, #args, 1, {}), expected,
      results.outcome(f, table.unpack(args)))
  end)
end

-- True if a function gets a struct by value, or one that others see returns several results, which
-- LLVM cannot say.
local function passes_structs(route)
  for i, program in ipairs(route.case.programs) do
    local is_visible = route.functions[i]:linkage() == "external"
    if program.copies or program.second and is_visible then return true end
  end
end

local function in_llvm(list, kind)
  local cases = {}
  each(list, function(route, args, expected)
    if passes_structs(route) then
      local ok, why = pcall(phial.emit.llvm, route.module)
      assert(not ok and why:find("cannot say", 1, true), why)
    else
      cases[#cases + 1] = { fn = top(route), args = args, expected = expected }
    end
  end)
  if #cases == 0 then return end
  llvm.each_way(cases, kind, {}, nil, kind == "opaque", function(way, outcomes)
    for i, case in ipairs(cases) do
      local trap = (outcomes[i] or "nothing"):match "^traps .-([^:]*)$"
      local got = trap and trap:gsub("^ ", "") or (outcomes[i] or "nothing"):match "^is (%x+)$"
      local expected = case.expected
      if math.type(expected) then expected = llvm.shown("i64", expected) end
      routes.compare(way, table.move(case.args, 1, #case.args, 1, {}), expected, got)
    end
  end)
end

local check = {}
for _, cc in ipairs(compilers.NAMES) do
  if compilers.has(cc) then
    M.ways[#M.ways + 1], check[cc] = cc, function(list) in_c(list, cc) end
  end
end
for _, kind in ipairs { "opaque", "typed" } do
  if llvm.tools[kind] then
    M.ways[#M.ways + 1], check[kind] = kind, function(list) in_llvm(list, kind) end
  end
end

--- Compiles routes in a way of M.ways, and compares what they compute with what is expected.
---@param list { route: fuzz.Route, expected: any[] }[]
---@param way string
function M.check(list, way)
  check[way](list)
  M.count = M.count + #list
end

return M
