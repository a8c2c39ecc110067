-- The ways to run a program of tinylang: each is a function that initialises its modules
-- and makes calls, one after the other, and returns their outcomes as a list: a result,
-- or "trap". A way that needs tools that are not installed is not listed.
local compilers = require "spec.support.compilers"
local llvm = require "spec.support.llvm"
local oracle = require "examples.tinylang.spec.interpret"

package.path = "examples/?.lua;" .. package.path
local mangle = require "tinylang.mangle"
local run = require "tinylang.run"

local M = {}

---@class spec.tinylang.Call
---@field [1] string the procedure, as Module.Proc
---@field [2] (integer|boolean)[] its arguments

---@alias spec.tinylang.Way fun(program: tinylang.Program, calls: spec.tinylang.Call[]): any[]

local function outcomes_of(calls, call)
  local outcomes = {}
  for i, it in ipairs(calls) do
    local ok, result = pcall(call, mangle.path(it[1]), it[2])
    assert(ok or result:find "trap$" or result:find ": division by zero$", result)
    outcomes[i] = result
    if not ok then outcomes[i] = "trap" end
  end
  return outcomes
end

--- The oracle, which has nothing to do with phial.
---@type spec.tinylang.Way
function M.oracle(program, calls)
  local globals = oracle.globals(program)
  for _, name in ipairs(program.initialisers) do
    oracle.call(program.procedures[name], {}, globals)
  end
  return outcomes_of(calls, function(name, arguments)
    return oracle.call(program.procedures[name], arguments, globals)
  end)
end

--- What phial runs.
---@type spec.tinylang.Way
function M.instance(program, calls)
  local instance = run.initialised(program)
  return outcomes_of(calls, function(name, arguments)
    return instance:call(name, table.unpack(arguments))
  end)
end

-- The compiler runs without the sanitizer of this process.
local CC = { "env", "LD_PRELOAD=", os.getenv "CC" or "cc" }

--- Native code.
---@type spec.tinylang.Way
local function native(program, calls)
  local lib <close> = program.module:compile { cc = CC, flags = "-O0" }
  for _, name in ipairs(program.initialisers) do lib:call(name) end
  return outcomes_of(calls, function(name, arguments)
    return lib:call(name, table.unpack(arguments))
  end)
end

-- What the driver of LLVM prints, as an outcome.
local function read(line, type)
  local digits = line:match "^is (%x+)$"
  if not digits then return "trap" end
  local value = tonumber(digits, 16)
  if type == "BOOLEAN" then return value == 1 end
  return type and value
end

--- LLVM's interpreter or compiler.
---@type spec.tinylang.Way
local function lli(program, calls)
  local cases, outcomes, kind = {}, {}, llvm.tools.opaque and "opaque" or "typed"
  for _, name in ipairs(program.initialisers) do
    cases[#cases + 1] = { fn = program.module:get(name), args = {} }
  end
  local first = #cases
  for i, it in ipairs(calls) do
    cases[first + i] = { fn = program.module:get(mangle.path(it[1])), args = it[2] }
  end
  llvm.each_way(cases, kind, {}, nil, false, function(_, lines)
    for i, it in ipairs(calls) do
      outcomes[i] = read(lines[first + i], program.procedures[mangle.path(it[1])].type)
    end
  end)
  return outcomes
end

if compilers.has "cc" then M.native = native end
if llvm.tools.opaque or llvm.tools.typed then M.lli = lli end

return M
