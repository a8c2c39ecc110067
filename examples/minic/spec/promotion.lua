-- Compares two ways to SSA form: locals that are variables of phial, and locals that are all in
-- memory until they are promoted. What else is in memory is promoted in both.
package.path = "examples/?.lua;" .. package.path
local minic = require "minic.compile"

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
---@field phis integer of all functions, with variables
---@field instructions integer of all functions, with variables
---@field fewer integer how many fewer there are after promotion
---@field more integer of functions that have more instructions after promotion
---@field fewer_phis integer of functions that have fewer phis after promotion
---@field wrong string[] the functions that have more phis after promotion, if together they have
--- more than two in a hundred of all, and more than one

--- Compares the functions of a program. Few have an instruction or a phi more or less: which loads
--- are found equal depends on what was in memory when they were compared, and which rules apply on
--- what was known when an instruction was emitted.
---@param path string
---@param headers string? a folder
---@return spec.minic.Promotion
return function(path, headers)
  local text = assert(minic.preprocess(path, headers))
  local module = assert(minic.compile(text, path, { promote = true }))
  local promoted = assert(minic.compile(text, path, { memory = true, promote = true }))
  local sum = { functions = 0, phis = 0, fewer_phis = 0, instructions = 0, fewer = 0, more = 0,
    wrong = {} }
  local excess = 0
  local function add(what, n) sum[what] = sum[what] + n end
  for _, fn in ipairs(module:functions()) do
    local phis, instructions = counts(fn)
    local its_phis, its_instructions = counts(promoted:get(fn:name()))
    add("functions", 1)
    add("phis", phis)
    add("instructions", instructions)
    add("fewer", instructions - its_instructions)
    add("more", its_instructions > instructions and 1 or 0)
    add("fewer_phis", its_phis < phis and 1 or 0)
    if its_phis > phis then
      excess = excess + its_phis - phis
      table.insert(sum.wrong, ("%s: %d phis, promoted %d"):format(fn:name(), phis, its_phis))
    end
  end
  if excess <= math.max(1, sum.phis // 50) then sum.wrong = {} end
  return sum
end
