-- Random programs on random routes: `lua5.4 fuzz/routes.lua SEED COUNT`. A program is made in some
-- way, with any options, changed by what must keep its meaning, and run in some way, on several
-- inputs; what comes out is compared with the oracle's interpreter of a plain construction
-- (fuzz/route.lua). Every twentieth goes through compilers, too (fuzz/compiled.lua). What fails is
-- reduced and written down.
package.path = "./?.lua;" .. package.path
local arithmetic = require "spec.support.arithmetic"
local compiled = require "fuzz.compiled"
local declared = require "fuzz.attack.declared"
local file = require "spec.support.file"
local patterns = require "spec.support.patterns"
local prop = require "spec.support.prop"
local routes = require "fuzz.route"

local FIRST <const>, COUNT <const> = tonumber(arg[1]) or 1, tonumber(arg[2]) or 1000
local FOLDER <const> = arg[3] or "build"
local TRACE <const> = os.getenv "TRACE"

local ROUTES <const>, INPUTS <const>, STEPS <const> = 3, 3, 150
local EVERY <const> = 20 -- goes through compilers

-- Seconds for reducing what fails.
local PATIENCE <const> = 60

local RULES <const> = patterns.read(patterns.standard())

local counts = { programs = 0, runs = 0, endless = 0, trapped = 0 }

-- {== Programs ==========================================================

local function generate(pick)
  local kind, count = pick(4), math.max(1, pick(7) - 3)
  local opts = { no_nans = true, memory = ({ false, "fixed", true, true })[pick(4)],
    ticks = pick(4) > 1 and pick(6) or nil, foreign = pick(4) == 1, dense = kind == 4,
    tails = pick(2) == 1, variadic = pick(3) == 1, structs = pick(3) == 1,
    several = pick(3) == 1 }
  local rules, most = kind > 1 and RULES or nil, pick(8) == 1 and 20 or 8
  local case = { rules = pick(1 << 20), inputs = {} }
  case.programs = arithmetic.generate_all(pick, count, most, rules, opts)
  local top = case.programs[count]
  for i = 1, INPUTS do
    case.inputs[i] = {}
    for v = 1, top.params do case.inputs[i][v] = arithmetic.constant(pick, top.vars[v]) end
  end
  return case
end

-- }== Failures ==========================================================

-- What is wrong with a program on a route; nil if nothing is.
local function problem(case, pick, seed, way)
  local ok, why = pcall(function()
    local reference, expected = routes.reference(case, STEPS)
    routes.close(reference)
    local route = routes.take(case, pick, ("s%d_"):format(seed))
    routes.run(route, expected)
    if way and compiled.can(route) then
      compiled.check({ { route = route, expected = expected } }, way)
    end
    routes.close(route)
  end)
  return not ok and tostring(why) or nil
end

-- The smallest tapes that still fail, as far as there is time.
local function reduced(failure)
  local deadline = os.time() + PATIENCE
  local function check(case, pick)
    if os.time() < deadline then assert(not problem(case, pick, failure.seed, failure.way)) end
  end
  local program = prop.smallest(failure.program, generate, function(case)
    check(case, prop.player(failure.tape))
  end)
  local case = generate(prop.player(program))
  return case, prop.smallest(failure.tape, function(pick) return pick end, function(pick)
    check(case, pick)
  end)
end

local function report(failure)
  local case, tape = reduced(failure)
  local why = problem(case, prop.player(tape), failure.seed, failure.way) or failure.why
  local lines = { ("seed %d: %s"):format(failure.seed, why), "route: " ..
    table.concat(routes.latest.said, "; "), "program:" }
  for i, fn in ipairs(routes.reference(case, 0).functions) do lines[i + 3] = fn:text() end
  lines[#lines + 1] = "on the route:"
  for _, fn in ipairs(routes.latest.functions) do
    lines[#lines + 1] = select(2, pcall(fn.text, fn))
  end
  lines[#lines + 1] = ("again: lua5.4 fuzz/routes.lua %d 1\n"):format(failure.seed)
  local path = ("%s/routes-%d.txt"):format(FOLDER, failure.seed)
  file.write(path, table.concat(lines, "\n"))
  io.stderr:write(lines[1], "\n", lines[2], "\nthe program: ", path, "\n", lines[#lines])
  os.exit(1)
end

-- }== Rounds ============================================================

local waiting = {} -- routes to be compiled, with what is expected

local function compile_all()
  for _, way in ipairs(#waiting > 0 and compiled.ways or {}) do
    local ok = pcall(compiled.check, waiting, way)
    for _, it in ipairs(ok and {} or waiting) do
      local alone, why = pcall(compiled.check, { it }, way)
      if not alone then
        report { seed = it.seed, program = it.program, tape = it.tape, way = way, why = why }
      end
    end
    if not ok then error(way .. " fails for many functions, and for none alone") end
  end
  for _, it in ipairs(waiting) do routes.close(it.route) end
  waiting = {}
end

local function one(seed)
  if TRACE then io.stderr:write("seed ", seed, "\n") end
  math.randomseed(seed)
  local program = {}
  local case = generate(prop.recorder(program))
  local reference, expected = routes.reference(case, STEPS)
  routes.close(reference)
  counts.programs = counts.programs + 1
  for _, it in ipairs(expected) do
    if it == "out of fuel" then counts.endless = counts.endless + 1
    elseif type(it) == "string" then counts.trapped = counts.trapped + 1 end
  end
  for i = 1, ROUTES do
    local tape = {}
    local ok, why = pcall(function()
      local route = routes.take(case, prop.recorder(tape), ("s%d_%d_"):format(seed, i))
      routes.run(route, expected)
      counts.runs = counts.runs + 1
      if seed % EVERY == 0 and compiled.can(route) then
        waiting[#waiting + 1] = { route = route, expected = expected, seed = seed,
          program = program, tape = tape }
      else
        routes.close(route)
      end
    end)
    if not ok then report { seed = seed, program = program, tape = tape, why = why } end
  end
end

local forgotten = routes.forgotten(declared.fields "Options")
assert(#forgotten == 0, "no route sets the option " .. table.concat(forgotten, ", "))
for seed = FIRST, FIRST + COUNT - 1 do
  one(seed)
  if #waiting >= 60 then compile_all() end
end
compile_all()
print(("seeds %d to %d: %d programs, %d runs of routes, %d calls endless, %d trapped, %d compiled"):
  format(FIRST, FIRST + COUNT - 1, counts.programs, counts.runs, counts.endless, counts.trapped,
    compiled.count))

-- }======================================================================
