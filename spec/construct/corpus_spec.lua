-- Real programs: the traces of bench/data/corpus, replayed through the Lua
-- interface and, if it is built, by the C replayer. With every move as a
-- definition, each function must have the phis of minimal, pruned SSA form, however
-- it was constructed and sealed.
local corpus = require "bench.lib.corpus"
local replay = require "bench.lib.replayer"
local system = require "bench.lib.system"
local trace = require "bench.lib.trace"
local under = require "spec.support.under"
local variants = require "spec.support.variants"

-- In the hard build only small functions, and through Lua only.
local through_c = system.present(system.known.c) and not under.hard

local ways = {}
for i, construction in ipairs(variants) do
  for k, order in ipairs { "traced", "end", "random" } do
    -- `make test` takes the orders in turn.
    if not under.brief or i % 3 + 1 == k then
      ways[#ways + 1] = { construction = construction, order = order }
    end
  end
end

local programs = corpus.programs(corpus.folder)

--- Lua asks for the same calls of the core in every variant; `make test` leaves the largest
--- program, which is most of the corpus, to C.
local function in_lua(i, way)
  if not through_c or os.getenv "LONG" then return true end
  return (way.construction == "marker" or way.construction == "simple")
    and not (under.brief and i == #programs)
end

--- A line for each function with another number of phis than expected.
local function differences(phis, expected)
  local lines = {}
  for i, want in ipairs(expected) do
    if phis[i] ~= want.minimal then
      lines[#lines + 1] = ("%s: %s phis, minimal are %d")
        :format(want.name, phis[i], want.minimal)
    end
  end
  return lines
end

--- Replays through Lua; returns what is wrong with the functions.
local function problems_in_lua(sealed, expected, construction)
  local problems = {}
  local function look(fn, func)
    for _, problem in ipairs(replay.problems(fn)) do
      problems[#problems + 1] = func.name .. ": " .. problem
    end
  end
  local phis = replay.phis(sealed, { construction = construction }, look)
  for _, line in ipairs(differences(phis, expected)) do
    problems[#problems + 1] = line
  end
  return problems
end

--- The same through C; the replay verifies.
local function problems_in_c(path, expected, way)
  local list = os.tmpname()
  local options = ("--construction %s --seal %s --phis %s")
    :format(way.construction, way.order, list)
  options = "1 --fresh-moves --verify " .. options
  assert.truthy(system.run(system.known.c, path, options))
  local phis = {}
  for line in io.lines(list) do
    phis[#phis + 1] = tonumber(line:match " (%d+)$")
  end
  os.remove(list)
  return differences(phis, expected)
end

--- The functions with few events, and the expected results.
local function small(program, expected)
  local funcs, wants = {}, {}
  for i, func in ipairs(program.funcs) do
    if #func.code < 300 then
      funcs[#funcs + 1], wants[#wants + 1] = func, expected[i]
    end
  end
  return { funcs = funcs, events = program.events }, wants
end

for i, name in ipairs(programs) do
  describe("the functions of " .. name .. " are minimal", function()
    local path = corpus.unpacked(corpus.folder, name)
    local expected = corpus.expected(corpus.folder, name)
    local program
    local sealed = {}
    setup(function()
      if not in_lua(i, ways[1]) then return end
      program = trace.freshen(trace.load(path))
      if under.hard then program, expected = small(program, expected) end
    end)
    for _, way in ipairs(ways) do
      local label = ("%s, sealed %s"):format(way.construction, way.order)
      if in_lua(i, way) then
        it("through Lua: " .. label, function()
          sealed[way.order] = sealed[way.order] or trace.seal(program, way.order)
          assert.same({}, problems_in_lua(sealed[way.order], expected, way.construction))
        end)
      end
      if through_c then
        it("through C: " .. label, function()
          assert.same({}, problems_in_c(path, expected, way))
        end)
      end
    end
  end)
end
