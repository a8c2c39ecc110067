-- What a translated function is printed with: each value is an identifier with a number
-- of its own, and phis are where phial has put them.

---@class react.Naming
---@field last integer the last number that has been given to a value
---@field values table<phial.Value, string> their words
---@field lines table<react.Line, phial.Value> instructions by their data
---@field words table<react.Place, string>
---@field phis table<react.Block, react.Phi[]>
local Naming = {}
Naming.__index = Naming

-- {== Walking ===========================================================

-- Calls the visitor's methods for each header, block and line, with the translation that
-- it belongs to, in the order of the text; unreachable blocks are left as they are.
local function walk(self, translation, tree, visit)
  visit.header(self, translation, tree.header)
  for _, block in ipairs(tree.blocks) do
    if visit.everywhere or translation.firsts[block] then
      visit.block(self, translation, block)
      for _, line in ipairs(block.insts) do
        visit.line(self, translation, line)
        if line.inner then
          walk(self, translation.inners[line] or translation, line.inner, visit)
        end
      end
      visit.line(self, translation, block.terminal)
    end
  end
end

local function each_place(line, role, visit)
  local n = 0
  for _, piece in ipairs(line) do
    if type(piece) == "table" and piece.role == role then
      n = n + 1
      visit(piece, n)
    end
  end
end

-- }== Instructions, by their lines, and the highest number ==============

local function highest(self, line)
  for _, piece in ipairs(line) do
    if type(piece) == "table" then
      self.last = math.max(self.last, math.tointeger(piece.word:match "%d+$"))
    end
  end
end

local finding = { everywhere = true }

function finding.header(self, translation, header)
  if header == translation.tree.header then
    for value in translation.fn:values() do
      local line = value:data()
      if line then self.lines[line] = value end
    end
  end
  highest(self, header)
end

function finding.block() end
function finding.line(self, _, line) highest(self, line) end

-- }== Words of values ===================================================

-- A new number for the same identifier.
function Naming:new_word(value, word)
  self.last = self.last + 1
  self.values[value] = word:gsub("%d+$", tostring(self.last))
  return self.values[value]
end

local naming = {}

local function results(self, line)
  local value = self.lines[line]
  local list = value and value:results() -- without parameters, there is no instruction
  each_place(line, "def", function(place, i)
    self.words[place] = self:new_word(list[i], place.word)
  end)
end

function naming.header(self, translation, header)
  if header ~= translation.tree.header then return results(self, header) end
  each_place(header, "def", function(place, i)
    self.words[place] = self:new_word(translation.fn:arg(i), place.word)
  end)
end

function naming.block(self, translation, block)
  for _, phi in ipairs(translation.firsts[block]:phis()) do
    self:new_word(phi, phi:var():name())
  end
end

function naming.line(self, _, line) results(self, line) end

-- }== Uses and phis =====================================================

-- A constant is an identifier that this function does not define: it stands for an
-- operand of what makes this function, or it is left alone.
function Naming:word(translation, value)
  local word = value:const()
  if not word then return self.values[value] end
  local outer = translation.outer
  if not outer then return word end
  local operands = self.lines[translation.maker]:args()
  return self:word(outer, operands[translation.slots[word]])
end

local using = {}

function using.header() end

function using.line(self, translation, line)
  local args = self.lines[line]:args()
  each_place(line, "use", function(place, i)
    self.words[place] = self:word(translation, args[i])
  end)
end

-- The operands of a phi by the numbers of blocks; several edges from one block carry the
-- same value.
local function operands(phi)
  local list, args = {}, phi:args()
  for i, pred in ipairs(phi:block():preds()) do list[pred:data().number] = args[i] end
  return list
end

function using.block(self, translation, block)
  local phis = {}
  for _, phi in ipairs(translation.firsts[block]:phis()) do
    local values = operands(phi)
    local it = { place = { word = self.values[phi] }, operands = {} }
    for i, number in ipairs(block.preds) do
      it.operands[i] = { block = number, place = { word = self:word(translation, values[number]) } }
    end
    phis[#phis + 1] = it
  end
  self.phis[block] = phis
end

-- }======================================================================

local M = {}

--- What the tree of a translation is to be printed with.
---@param translation react.Translation
---@return react.Names
function M.of(translation)
  local self = setmetatable({ last = 0, values = {}, lines = {}, words = {}, phis = {} }, Naming)
  for _, visit in ipairs { finding, naming, using } do
    walk(self, translation, translation.tree, visit)
  end
  return self
end

return M
