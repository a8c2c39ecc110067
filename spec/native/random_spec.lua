-- Random functions as native code: loops of any shape, parallel phis, traps, memory. They return
-- a digest of all their variables, which is compared with that of the oracle or, if they
-- use memory, with what they return in Lua.
local arithmetic = require "spec.support.arithmetic"
local compilers = require "spec.support.compilers"
local native = require "phial.native"
local results = require "spec.support.results"
local semantics = require "spec.oracle.semantics"

local LONG = os.getenv "LONG" ~= nil
local FUNCTIONS = LONG and 300 or 80

-- How many blocks a run may enter; those that enter more are not run as native code,
-- which cannot be stopped.
local STEPS = 100

-- Native code has memory of the machine's byte order; in Lua it is little-endian.
local MEMORY = string.pack("=I2", 1) == "\1\0"

-- How often each function is called.
local CALLS = 4

local functions, checks = {}, {}

local function pick(n) return math.random(n) end

local function add(i)
  local p = arithmetic.generate(pick, 10, nil, { memory = i % 2 == 0 and MEMORY })
  local fn = arithmetic.build(p, nil, { name = "f" .. i, result = "i64",
    leave = arithmetic.digest })
  functions[i] = fn
  for k = 1, CALLS do
    local args = { [#p.vars + 1] = { fuel = STEPS } }
    for v, type in ipairs(p.vars) do
      args[v] = k == 1 and p.values[v] or arithmetic.constant(pick, type)
    end
    local expected = p.memory and results.outcome(fn, table.unpack(args))
      or results.outcome(semantics.run, fn, args[#args], table.unpack(args, 1, #p.vars))
    if expected ~= "out of fuel" then
      args[#args] = nil
      checks[#checks + 1] = { name = "f" .. i, fn = fn, args = args, expected = expected }
    end
  end
end

math.randomseed(tonumber(os.getenv "SEED") or 14)
for i = 1, FUNCTIONS do add(i) end

describe("random functions compiled by", function()
  compilers.each(pending, function(cc)
    it(cc .. " compute what the oracle says", function()
      assert(#checks > FUNCTIONS)
      local lib <close> = native.compile(functions, compilers.options(cc))
      for _, check in ipairs(checks) do
        local got = results.outcome(lib:get(check.name), table.unpack(check.args))
        if got ~= check.expected then
          error(("%s\nexpected %s, got %s"):format(check.fn, check.expected, got), 0)
        end
      end
    end)
  end)
end)
