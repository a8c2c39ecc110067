-- Compares two ways to SSA form: locals that are variables of phial, and locals that are all in
-- memory until they are promoted. What else is in memory is promoted in both.
package.path = "examples/?.lua;" .. package.path
local minic = require "minic.compile"

local PLAIN <const> = { rules = false }

-- The phis of a function, and its instructions without jumps: where a condition is constant, a
-- frontend that knows it does not make the blocks that promotion leaves.
local function counts(fn)
  local phis, instructions = 0, 0
  for v in fn:values() do
    if v:op() == "phi" then phis = phis + 1 end
    if v:op() ~= "jump" then instructions = instructions + 1 end
  end
  return phis, instructions
end

---@class spec.minic.Promotion
---@field functions integer
---@field phis integer of all functions
---@field instructions integer with rules, of locals that are variables
---@field fewer integer how many fewer there are after promotion, with rules
---@field longer integer functions that have more then
---@field wrong string[] functions that have other phis, without rules

--- Compares the functions of a program. Without rules, promotion leaves the same phis. With them,
--- few functions have some instructions more or less: which loads are found equal, and which
--- stores are overwritten, depends on what else is in memory then; and of two forms that weigh
--- the same rules make the one for which most was known when the instruction was emitted.
---@param path string
---@param headers string? a folder
---@return spec.minic.Promotion
return function(path, headers)
  local text = assert(minic.preprocess(path, headers))
  local sum = { functions = 0, phis = 0, instructions = 0, fewer = 0, longer = 0,
    wrong = {} }
  local function add(what, n) sum[what] = sum[what] + n end
  local function compare(options, found)
    local function module(memory)
      return assert(minic.compile(text, path,
        { memory = memory, promote = true, phial = options }))
    end
    local promoted = module(true)
    for _, fn in ipairs(module(false):functions()) do
      found(fn:name(), { counts(fn) }, { counts(promoted:get(fn:name())) })
    end
  end
  compare(PLAIN, function(name, its, after)
    add("functions", 1)
    add("phis", its[1])
    if its[1] ~= after[1] then
      table.insert(sum.wrong, ("%s: %d phis, promoted %d"):format(name, its[1], after[1]))
    end
  end)
  compare(nil, function(_, its, after)
    add("instructions", its[2])
    add("fewer", its[2] - after[2])
    if after[2] > its[2] then add("longer", 1) end
  end)
  return sum
end
