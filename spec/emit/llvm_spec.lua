-- phial.emit.llvm: what LLVM computes is what fn(...) computes.
local arithmetic = require "spec.support.arithmetic"
local conformance = require "spec.support.conformance"
local forms = require "spec.support.forms"
local llvm = require "spec.support.llvm"
local ops = require "spec.support.ops"
local phial = require "phial"
local under = require "spec.support.under"

-- Sanitizers do not see LLVM's tools, which take most of the time.
local LONG = os.getenv "LONG" and not under.slow
local RUNS = tonumber(os.getenv "RUNS") or LONG and 1000 or under.brief and 30 or 100

-- The number of edge values of an integer type.
local FEW = LONG and 6 or RUNS < 100 and 2 or 3

-- How pointers are written; the first is tested with optimizations, too.
local KINDS = {}
for _, kind in ipairs { "opaque", "typed" } do
  if llvm.tools[kind] then KINDS[#KINDS + 1] = kind end
end

-- What a call of a function shows and returns, or why it traps, as the driver prints it.
local function outcome(fn, args, shows, opts)
  local n, lines, env = #fn:params(), {}, {}
  for name, types in pairs(shows or {}) do
    env[name] = function(...)
      for i, type in ipairs(types) do
        lines[#lines + 1] = "shows " .. llvm.shown(type, (select(i, ...)))
      end
    end
  end
  local given = table.move(args, 1, n, 1, {})
  given[n + 1] = { env = env, fuel = opts and opts.fuel }
  local ok, it = pcall(fn, table.unpack(given, 1, n + 1))
  local result = fn:result()
  if not ok and it:find "^[^:]*%.lua:" then error(it, 0) end
  lines[#lines + 1] = ok and "is " .. (result and llvm.shown(result, it) or "0") or "traps " .. it
  return table.concat(lines, "\n")
end

local function check_cases(cases, kind, shows, opts)
  -- `make test` writes pointers of the second kind for a third.
  if under.brief and kind ~= KINDS[1] then
    local third = {}
    for i = 1, #cases, 3 do third[#third + 1] = cases[i] end
    cases = third
  end
  llvm.each_way(cases, kind, shows or {}, opts, kind == KINDS[1], function(way, outcomes)
    assert.equal(#cases, #outcomes)
    for i, case in ipairs(cases) do
      if case.is ~= outcomes[i] then
        error(("%s, %s, case %d: expected %s, got %s\n%s"):format(kind, way, i, case.is,
          outcomes[i], case.fn), 0)
      end
    end
  end)
end

-- Makes cases and runs them with all kinds of pointers that are supported here.
local function in_each_kind(name, make)
  it(name, function()
    if #KINDS == 0 then return pending "LLVM is not installed" end
    local cases, shows, opts = make()
    for _, kind in ipairs(KINDS) do check_cases(cases, kind, shows, opts) end
  end)
end

--
-- {== Every op ========================================================
--

describe("LLVM", function()
  in_each_kind("computes each op at each type as fn(...) does", function()
    local cases = {}
    local function add(fn, args)
      cases[#cases + 1] = { fn = fn, args = args, is = outcome(fn, args) }
    end
    for _, row in ipairs(ops.all) do
      forms.each(row, function(form)
        local fn = forms.build(form.op, form, {}, { rules = false })
        forms.each_edge(form, function(args) add(fn, args) end, FEW)
        if row.signature:find ":[tep][ten]" then
          for _, const in ipairs(forms.edges(form.types[2], FEW)) do
            fn = forms.build(form.op, form, { [2] = const }, { rules = false })
            for _, x in ipairs(forms.edges(form.types[1], FEW)) do add(fn, { x, const }) end
          end
        end
      end)
    end
    assert(RUNS < 100 or #cases > 5000, #cases)
    return cases
  end)
end)

-- }== Programs ========================================================

-- A random function. Half of them are simplified, two thirds load and store.
local function random_case(seed)
  math.randomseed(seed)
  local opts = { no_nans = true, memory = seed % 3 > 0 }
  local program, name = arithmetic.generate(math.random, 12, nil, opts), "show_" .. seed
  local rules = seed % 2 == 0 and phial.rules "int" or false
  local fn, types = arithmetic.build(program, name, { rules = rules }), arithmetic.shown(program)
  local is = outcome(fn, program.values, { [name] = types }, { fuel = 1000 })
  return { fn = fn, args = program.values, is = is }, name, types
end

describe("LLVM", function()
  in_each_kind("computes what random functions with loops, phis, memory and traps do", function()
    local cases, shows, seed = {}, {}, 0
    while #cases < RUNS do
      seed = seed + 1
      local case, name, types = random_case(seed)
      if not case.is:find "out of fuel" then cases[#cases + 1], shows[name] = case, types end
    end
    return cases, shows
  end)

  in_each_kind("does what the programs of the conformance list do", function()
    local cases, shows = {}, { show_1 = { "i64" }, show_2 = { "i64", "i64" } }
    for _, program in ipairs(conformance) do
      local text = program.text:gsub("call @log ([^\n]*)", function(args)
        return ("call @show_%d %s"):format(select(2, args:gsub(",", "")) + 1, args)
      end)
      local fn = assert(phial.parse(text))
      for _, case in ipairs(fn:result() ~= "any" and program.cases or {}) do
        local shown = {}
        for _, value in ipairs(case.shows or {}) do
          shown[#shown + 1] = "shows " .. llvm.shown("i64", value)
        end
        shown[#shown + 1] = case.trap and "traps " .. case.trap
          or "is " .. (fn:result() and llvm.shown(fn:result(), case.is) or "0")
        cases[#cases + 1] = { fn = fn, args = case, is = table.concat(shown, "\n") }
      end
    end
    return cases, shows
  end)
end)

-- }====================================================================
