-- The examples of the playground, as the tree has them.
local read = require("tools.file").read

local M = {}

---@class playground.Example
---@field id string names it in addresses
---@field group string
---@field title string
---@field language string
---@field name string of its file
---@field text string
---@field words string what its run is given

-- {== Lua ==============================================================

-- The n-th block of Lua in a document.
local function block(path, n)
  local at = 1
  for code in read(path):gmatch "\n```lua\n(.-)```" do
    if at == n then return code end
    at = at + 1
  end
  error(path .. " has not that many blocks of Lua")
end

-- A function of the paper, as its golden file has it.
local function figure(name)
  local code = read(("spec/golden/construct/figures/%s.lua"):format(name))
  return (code:gsub("local phial = %.%.%.", 'local phial = require "phial"', 1)
    :gsub("return fn\n$", "print(fn)\n"))
end

local function scripts()
  return {
    { "The manual", "sum, with the builder", "sum.lua", block("README.md", 1) },
    { "The manual", "sum, with blocks", "primitives.lua", block("docs/start/frontend.md", 4) },
    { "The paper", "Figure 2: a variable written on one way", "figure2.lua", figure "figure2" },
    { "The paper", "Figure 3: a loop, sealed late", "figure3.lua", figure "figure3" },
    { "The paper", "Figure 5: redundant phis", "figure5.lua", figure "figure5" },
    { "The paper", "Figure 6: nested redundant phis", "figure6.lua", figure "figure6" },
    { "Rules", "Strength reduction", "strength.lua", read "examples/rules/strength.lua" },
    { "Rules", "Division by constants", "division.lua", read "examples/rules/division.lua" },
    { "Rules", "Laws of matrices", "matrices.lua", read "examples/rules/matrices.lua" },
    { "Rules", "Branches on constants", "branches.lua", read "examples/rules/branches.lua" },
  }
end

-- }== Programs of other languages ======================================

-- Title, file, what the run is given.
local WHILE <const> = {
  { "Greatest common divisor", "gcd" }, { "Collatz", "collatz", "n=27" }, { "Primes", "primes" },
  { "Right triangles", "pythagoras" }, { "Reads without a value", "undefined" },
  { "Mistakes", "mistakes" },
}

local TINYLANG <const> = {
  { "Greatest common divisor", "gcd", "Gcd.Gcd 1071 462" }, { "Dice", "dice", "Dice.Sum 100" },
  { "Square roots", "square", "Square.Root 1000000" },
  { "VAR parameters", "order", "Order.Median 3 1 2" },
  { "Recursion", "recursion", "Recursion.Hanoi 8" }, { "Reads without a value", "undefined" },
  { "Mistakes", "mistakes" },
}

-- }=====================================================================

local function add(list, language, group, title, name, text, words)
  list[#list + 1] = {
    id = group:gsub(" ", "-"):lower() .. "/" .. name, group = group, title = title,
    language = language, name = name, text = text, words = words or "",
  }
end

local function add_programs(list, language, suffix, programs)
  for _, it in ipairs(programs) do
    local name = it[2] .. suffix
    local path = ("examples/%s/programs/%s"):format(language, name)
    local group = language == "while" and "While" or language
    add(list, language, group, it[1], name, read(path), it[3])
  end
end

--- All examples, in the order of the list.
---@return playground.Example[]
function M.all()
  local list = {}
  for _, it in ipairs(scripts()) do add(list, "lua", table.unpack(it)) end
  add(list, "lua functions", "Lua functions", "Collatz", "collatz.lua",
    read("examples/demo.lua"):match "local EXAMPLE = %[%[\n(.-)%]%]")
  add_programs(list, "while", ".while", WHILE)
  add_programs(list, "tinylang", ".mod", TINYLANG)
  return list
end

return M
