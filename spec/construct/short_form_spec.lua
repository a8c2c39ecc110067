-- The short form of traces, in which operands are variables and results are written by
-- the call that makes them: it constructs what the long form constructs.
local corpus = require "bench.lib.corpus"
local fuse = require "bench.lib.fuse"
local replay = require "bench.lib.replayer"
local trace = require "bench.lib.trace"
local under = require "spec.support.under"

-- sqlite and large functions only if there is time.
local all = os.getenv "LONG" and not under.hard and not under.valgrind
local most = under.valgrind and 60 or all and math.huge or 300

local function small(program)
  local funcs = {}
  for _, func in ipairs(program.funcs) do
    if #func.code <= most then funcs[#funcs + 1] = func end
  end
  return { funcs = funcs, events = program.events }
end

local function text(func, form, construction)
  local options = { form = form, construction = construction }
  local fn <close> = replay.finished(func, options)
  return fn:text { ids = "dense" }, fn:stats()
end

-- The functions of which the two forms make something different.
local function differences(long, construction)
  local short, names = fuse.trace(long), {}
  for i, func in ipairs(long.funcs) do
    local expected, stats = text(func, "long", construction)
    local got, other = text(short.funcs[i], "short", construction)
    if got ~= expected or other.phis ~= stats.phis or other.values ~= stats.values then
      names[#names + 1] = func.name
    end
  end
  return names
end

describe("the short form constructs the same functions:", function()
  local programs = corpus.programs(corpus.folder)
  if not all then programs[#programs] = nil end
  for _, name in ipairs(programs) do
    local program = small(trace.load(corpus.unpacked(corpus.folder, name)))
    it(name, function()
      assert.same({}, differences(program, "marker"))
    end)
    it(name .. ", sealed at random", function()
      assert.same({}, differences(trace.seal(program, "random"), "simple"))
    end)
  end
end)
