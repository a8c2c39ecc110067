-- What comes from outside and is run, as a program or as a command. Functions of the library pass
-- it on; numbers are harmless; functions of other files are taken to make it so.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
local kinds = require "phial_lint.kinds"
local parts = require "phial_lint.parts"

local HARMLESS <const> = kinds.NIL | kinds.FALSE | kinds.TRUE | kinds.NUMBER

-- The first operand, from one on, of which a question is true.
local function operand(value, first, ask)
  for i, arg in ipairs(value:args()) do
    if i >= first and ask(arg) then return arg end
  end
  return nil
end

local function problem_of(file, solution, returns)
  local function call(v, fact)
    local f, effects = calls.callee(file.program, Facts.node(v))
    if f then return returns[f] or false end
    return effects and (effects.source or operand(v, 2, fact) ~= nil) or false
  end
  return {
    bottom = false, join = function(a, b) return a or b end,
    transfer = { ["lua.call"] = call, ["lua.callall"] = call, default = function(v, fact)
      local is_harmless = v:type() == "any" and solution:fact(v) & ~HARMLESS == 0
      return not is_harmless and operand(v, 1, fact) ~= nil
    end },
  }
end

-- Reports a call, and where a value comes from, step by step.
local function trace(file, call, value, is_tainted)
  local report, seen = file.reports:add(call, "741", "what comes from outside is run here"), {}
  while value and not seen[value] do
    seen[value] = true
    if value:op():find "^lua%.call" then
      file.reports:step(report, Facts.node(value), "from outside, or made of it")
    end
    value = operand(value, 1, is_tainted)
  end
end

-- Reports what a function runs; true if it returns what comes from outside.
local function check(file, f, returns)
  local facts, is_source = file.facts.solutions[f], false
  local solution = f.fn:solve(problem_of(file, facts, returns))
  local function is_tainted(value) return solution:fact(value) end
  for _, terminator in ipairs(parts.of(f).returns) do
    is_source = is_source or operand(terminator, 1, is_tainted) ~= nil
  end
  for _, call in ipairs(file.facts.sinks[f] and parts.of(f).calls or {}) do
    local node = solution:is_taken(call:block()) and Facts.node(call)
    local _, effects = calls.callee(file.program, node or {})
    local value = effects and effects.sink and operand(call, 2, is_tainted)
    if value then trace(file, node, value, is_tainted) end
  end
  return is_source
end

return function(file)
  local returns = {}
  for _, f in ipairs(file.facts:concerned()) do returns[f] = check(file, f, returns) end
end
