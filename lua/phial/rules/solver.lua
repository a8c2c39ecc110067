--- Runs a solver, z3 or cvc5, on commands of SMT-LIB 2.
local errors = require "phial.errors"
local shell = require "phial.shell"

local M = {}

-- How each is told how long a question, and all that it is asked at once, may take, in ms; z3, how
-- many of its steps a question may.
local LIMITS <const> = {
  z3 = function(one, all, steps)
    return ("-t:%d -T:%d -st rlimit=%d"):format(one, math.ceil(all / 1000), steps or 0)
  end,
  cvc5 = function(one, all)
    return ("--lang=smt2 --incremental --fp-exp --tlimit-per=%d --tlimit=%d"):format(one, all)
  end,
}

-- All questions asked at once may take as long as so many of them.
local MANY <const> = 8

---@class phial.rules.Solver
---@field name string a name or path
---@field one integer how long a question may take, in ms
---@field many? integer questions asked at once may take as long as so many; nil: MANY
---@field limits fun(one: integer, all: integer, steps?: integer): string its arguments that do so
---@field stop? integer when it is not asked any more, as of os.time
---@field steps? integer how many of its steps a question may take
---@field left? integer how many all that it is still asked may

--- A solver by its name or path, which ends with "z3" or "cvc5".
---@param name string
---@param seconds number
---@param steps? integer
---@return phial.rules.Solver
function M.new(name, seconds, steps)
  local kind = name:match "([%w]+)$"
  if not LIMITS[kind] or name:find "\0" then
    errors.raise('option \'solver\': a name or path that ends with "z3" or "cvc5" expected, got %s',
      errors.got(name))
  end
  return { name = name, one = math.ceil(seconds * 1000), limits = LIMITS[kind], steps = steps }
end

-- What the solver prints when asked so many questions.
local function run(solver, text, n)
  local left = solver.stop and math.ceil((solver.stop - os.time()) * 1e3) or math.huge
  local steps = solver.left and math.min(solver.steps, solver.left // n) or solver.steps
  if left <= 0 or steps and steps <= 0 then return "" end
  local all = solver.one * (solver.many or MANY)
  local limit = solver.limits(math.min(solver.one, left), math.min(all, left), steps)
  local output, _, status = shell.run_on(shell.quoted(solver.name) .. " " .. limit, text)
  if shell.is_missing(status) then
    errors.raise("there is no solver '%s': install it, or set the option solver", solver.name)
  end
  local taken = solver.left and math.tointeger(output:match ":rlimit%-count%s+(%d+)")
  solver.left = solver.left and solver.left - (taken or steps * n)
  return output
end

--- Asks questions, each with one (check-sat): "sat", "unsat" or "unknown" of each.
---@param solver phial.rules.Solver
---@param texts string[]
---@return string[]
function M.ask(solver, texts)
  local output, answers = run(solver, table.concat(texts), #texts), {}
  for line in output:gmatch "[^\n]+" do
    if line == "sat" or line == "unsat" then
      answers[#answers + 1] = line
    elseif line == "unknown" or line == "timeout" then
      answers[#answers + 1] = "unknown"
    elseif line:find "^%(error" then
      errors.raise("the solver '%s' does not understand: %s", solver.name, line)
    end
  end
  for i = #answers + 1, #texts do answers[i] = "unknown" end -- it was stopped
  return answers
end

--- The bits of variables for which a question is satisfiable.
---@param solver phial.rules.Solver
---@param text string
---@param symbols string[] of bit vectors
---@return table<string, integer>
function M.model(solver, text, symbols)
  local values = {}
  if #symbols == 0 then return values end
  local get = ("(check-sat)\n(get-value (%s))\n"):format(table.concat(symbols, " "))
  local output = run(solver, (text:gsub("%(check%-sat%)\n", function() return get end)), 1)
  for symbol, digits in output:gmatch "%(([%w_.]+) #x(%x+)%)" do
    values[symbol] = tonumber(digits, 16)
  end
  for symbol, digits in output:gmatch "%(([%w_.]+) #b([01]+)%)" do
    values[symbol] = tonumber(digits, 2)
  end
  return values
end

return M
