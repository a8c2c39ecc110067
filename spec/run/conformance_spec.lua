-- The programs of spec/support/conformance.lua, run in every way.
local phial = require "phial"
local programs = require "spec.support.conformance"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

-- The functions that a program calls; shown: the values that it has shown.
local function outside(call)
  local shown, count = { n = 0 }, 0
  local env = {}
  function env.log(...)
    for i = 1, select("#", ...) do
      shown.n = shown.n + 1
      shown[shown.n] = (select(i, ...))
    end
  end
  function env.next()
    count = count + 1
    return count
  end
  env.factorial = call
  return env, shown
end

-- Each way makes a Lua function of a function and its callees.
local ways = {}

ways["fn(...)"] = function(fn, env)
  local n = #fn:params()
  return function(...)
    local args = table.pack(...)
    args[n + 1] = { env = env }
    return fn(table.unpack(args, 1, n + 1))
  end
end

local function emitted(opts)
  return function(fn, env)
    local source, host = phial.emit.lua(fn, opts)
    host.env, host.fuel = env, { left = 1000000 }
    return assert(load(source, "=emitted", "t"))(host)
  end
end

ways["one function with gotos"] = emitted { form = "goto" }
ways["a function for each block"] = emitted { form = "blocks" }
ways["a function for each block, with two locals"] = emitted { form = "blocks", locals = 2 }
ways["one function with gotos, and fuel"] = emitted { form = "goto", fuel = true }
ways["a function for each block, and fuel"] = emitted { form = "blocks", fuel = true }

-- In continuation-passing style: the result goes to a last argument, which returns it.
local function continuing(nesting)
  return function(fn, env)
    local source, host = phial.emit.cps(fn, { form = "lua", nesting = nesting, fuel = true })
    host.env, host.fuel = env, { left = 1000000 }
    local f, n = assert(load(source, "=emitted", "t"))(host), #fn:params()
    return function(...)
      local args = { ... }
      args[n + 1] = function(...) return ... end
      return f(table.unpack(args, 1, n + 1))
    end
  end
end

ways["nested continuations"] = continuing(150)
ways["flat continuations"] = continuing(0)

ways["as it reads"] = function(fn, env)
  return function(...) return semantics.run(fn, { env = env }, ...) end
end

local function run(way, fn, case)
  local env, shown
  local call = function(...) return way(fn, env)(...) end
  env, shown = outside(call)
  programs.check(case, call, #fn:params())
  for i = 1, case.shows and shown.n or 0 do results.check(case.shows[i], shown[i]) end
end

-- Arguments that are converted: 255 to -1, 1 to 1.0.
local function taken(fn, case)
  local out = { is = case.is, trap = case.trap, shows = case.shows }
  for i = 1, #fn:params() do
    local type, it = fn:arg(i):type(), case[i]
    if type:find "^f" then it = it + 0.0 end
    if type == "f32" then it = string.unpack("<f", string.pack("<f", it)) end
    local width = math.type(it) == "integer" and tonumber(type:match "^i(%d+)")
    if width and width < 64 then
      it = (it + (1 << width - 1) & (1 << width) - 1) - (1 << width - 1)
    end
    out[i] = it
  end
  return out
end

for name, way in pairs(ways) do
  describe(name, function()
    for _, program in ipairs(programs) do
      it("does " .. program.name, function()
        local fn = assert(phial.parse(program.text, { file = program.name }))
        for _, case in ipairs(program.cases) do
          run(way, fn, name == "fn(...)" and case or taken(fn, case))
        end
      end)
    end
  end)
end
