-- Compares two printed functions in SSA form, ours and the compiler's: they must be equal
-- up to the numbers of identifiers, except for phis, which are compared by what they are.
--
-- Definitions and uses in the same places give the first pairs of identifiers.  If both
-- of a pair are phis, their operands are further pairs.  So each phi that something uses
-- is reached, in whatever order phis are printed.  Nothing here knows phial.

---@class react.Entry a header, a block's first lines, an instruction or a terminal
---@field text string with "%" in place of identifiers
---@field places react.Place[]
---@field where string for messages

---@class react.Flat a function as one list
---@field entries react.Entry[]
---@field phis table<string, { phi: react.Phi, where: string, block: integer }> by their words
---@field order string[] words of phis in the order of the text
---@field defined table<string, true>

local M = {}

local function differ(message, ...) error({ message = message:format(...) }, 0) end

-- {== Lists =============================================================

local function entry(flat, line, where)
  local it = { places = {}, where = where }
  local text = {}
  for _, piece in ipairs(line) do
    if type(piece) == "string" then
      text[#text + 1] = piece
    elseif type(piece) == "table" then
      it.places[#it.places + 1] = piece
      text[#text + 1] = "%"
      if piece.role == "def" then flat.defined[piece.word] = true end
    end
  end
  it.text = table.concat(text)
  flat.entries[#flat.entries + 1] = it
end

local function add_phis(flat, block, where)
  for _, phi in ipairs(block.phis) do
    local word = phi.place.word
    if flat.defined[word] then differ("%s: %s is defined twice", where, word) end
    flat.defined[word] = true
    flat.phis[word] = { phi = phi, where = where, block = #flat.entries }
    flat.order[#flat.order + 1] = word
  end
end

local function add(flat, tree)
  entry(flat, tree.header, "the parameters")
  entry(flat, tree.directives, "the directives")
  for _, block in ipairs(tree.blocks) do
    local where = "bb" .. block.number
    entry(flat, { block.head, table.concat(block.preds, " ") }, where)
    add_phis(flat, block, where)
    for _, inst in ipairs(block.insts) do
      entry(flat, inst, where .. ", " .. inst[1]:sub(1, -2))
      if inst.inner then add(flat, inst.inner) end
    end
    entry(flat, block.terminal, where .. ", " .. block.terminal[1]:sub(1, -2))
  end
end

local function flatten(tree)
  local flat = { entries = {}, phis = {}, order = {}, defined = {} }
  add(flat, tree)
  return flat
end

-- }== Pairs =============================================================

---@class react.Comparison
---@field ours react.Flat
---@field theirs react.Flat
---@field mean table<string, string> ours by theirs
---@field back table<string, string> theirs by ours
---@field todo { [1]: string, [2]: string, where: string }[] pairs to look at
local Comparison = {}
Comparison.__index = Comparison

local function name(word) return word:match "^(.*)%$" end

function Comparison:pair(ours, theirs, where)
  self.todo[#self.todo + 1] = { ours, theirs, where = where }
end

-- The places of both lists in pairs.
function Comparison:lines()
  local ours, theirs = self.ours.entries, self.theirs.entries
  for i = 1, math.max(#ours, #theirs) do
    local a, b = ours[i], theirs[i]
    if not a or not b then differ("%s is only in %s", (a or b).where, a and "ours" or "React's") end
    if a.text ~= b.text or #a.places ~= #b.places then
      differ("%s: '%s', ours has '%s'", b.where, b.text, a.text)
    end
    for p, place in ipairs(b.places) do
      local word = a.places[p].word
      if place.role == "kept" and word ~= place.word then
        differ("%s: %s, where ours has %s", b.where, place.word, word)
      end
      if place.role ~= "kept" then self:pair(word, place.word, b.where) end
    end
  end
end

-- Operands by their blocks.
local function operands(at)
  local list = {}
  for _, operand in ipairs(at.phi.operands) do
    if list[operand.block] then differ("%s: a phi has two operands for a block", at.where) end
    list[operand.block] = operand.place.word
  end
  return list
end

-- The operands of a phi of ours and one of React's.
function Comparison:phis(ours, theirs)
  local a, b = operands(ours), operands(theirs)
  local word, where = theirs.phi.place.word, theirs.where
  for block, operand in pairs(b) do
    if not a[block] then differ("%s: %s has an operand for bb%d", where, word, block) end
    self:pair(a[block], operand, ("%s, phi %s"):format(where, word))
  end
  for block in pairs(a) do
    if not b[block] then differ("%s: %s has no operand for bb%d", where, word, block) end
  end
end

-- What is not defined is left alone; only a phi can mean it.
function Comparison:names(ours, theirs, where)
  local left = not self.ours.defined[ours] or not self.theirs.defined[theirs]
  if name(ours) ~= name(theirs) or left and ours ~= theirs and not self.theirs.phis[theirs] then
    differ("%s: %s, where ours has %s", where, theirs, ours)
  end
end

-- Looks at all pairs; `step` with those that are new.
function Comparison:run(step)
  self:lines()
  while #self.todo > 0 do
    local pair = table.remove(self.todo)
    local ours, theirs, where = pair[1], pair[2], pair.where
    local before = self.mean[theirs]
    if before and before ~= ours then
      differ("%s: %s, where ours has %s, which is another value", where, theirs, ours)
    elseif not before then
      self.mean[theirs] = ours
      self:names(ours, theirs, where)
      step(self, ours, theirs, where)
    end
  end
end

local function unused(flat, used, whose)
  for _, word in ipairs(flat.order) do
    if not used[word] then
      differ("%s: the phi %s is only in %s", flat.phis[word].where, word, whose)
    end
  end
end

-- }== After eliminateRedundantPhi =======================================

local function post_step(self, ours, theirs, where)
  local before = self.back[ours]
  if before then
    differ("%s: %s, where ours has %s, which is %s elsewhere", where, theirs, ours, before)
  end
  self.back[ours] = theirs
  local a, b = self.ours.phis[ours], self.theirs.phis[theirs]
  if (a and a.block) ~= (b and b.block) then
    differ("%s: %s is %s, ours is %s", where, theirs, b and "a phi of " .. b.where or "not a phi",
      a and "a phi of " .. a.where or "not")
  end
  if a then self:phis(a, b) end
end

local function post(self)
  self:run(post_step)
  unused(self.theirs, self.mean, "React's")
  unused(self.ours, self.back, "ours")
end

-- }== After enterSSA ====================================================

local function ssa_step(self, ours, theirs)
  local a, b = self.ours.phis[ours], self.theirs.phis[theirs]
  if not b then return end
  if a and a.block == b.block then
    if self.back[ours] then
      differ("%s: %s and %s are one phi in ours", b.where, theirs, self.back[ours])
    end
    self.back[ours] = theirs
    return self:phis(a, b)
  end
  self.redundant[#self.redundant + 1] = theirs
  for _, operand in ipairs(b.phi.operands) do
    self:pair(ours, operand.place.word, ("%s, redundant phi %s"):format(b.where, theirs))
  end
end

-- Redundant phis must not only refer to each other: from each of them, what they all mean
-- is reached.
local function grounded(self)
  local open, left = {}, #self.redundant
  for _, word in ipairs(self.redundant) do open[word] = true end
  repeat
    local before = left
    for _, word in ipairs(self.redundant) do
      for _, operand in ipairs(open[word] and self.theirs.phis[word].phi.operands or {}) do
        if open[word] and not open[operand.place.word] then open[word], left = nil, left - 1 end
      end
    end
  until left == before
  local word = next(open)
  if word then differ("%s: the phi %s means nothing", self.theirs.phis[word].where, word) end
end

local function ssa(self)
  self.redundant = {}
  self:run(ssa_step)
  grounded(self)
  unused(self.theirs, self.mean, "React's")
  unused(self.ours, self.back, "ours")
end

-- }======================================================================

local function compared(ours, theirs, how)
  local ok, result = pcall(function()
    how(setmetatable({
      ours = flatten(ours), theirs = flatten(theirs), mean = {}, back = {}, todo = {},
    }, Comparison))
  end)
  if ok then return true end
  if type(result) ~= "table" then error(result, 0) end
  return nil, result.message
end

--- True if React's function after eliminateRedundantPhi has exactly our phis, operands and
--- uses, up to renaming; otherwise nil and the difference.
---@param ours react.Function
---@param theirs react.Function
---@return true?
---@return string? difference
function M.post(ours, theirs) return compared(ours, theirs, post) end

--- True if each phi of React's function after enterSSA is one of ours, or has operands
--- that all mean one of our values; otherwise nil and the difference.
---@param ours react.Function
---@param theirs react.Function
---@return true?
---@return string? difference
function M.ssa(ours, theirs) return compared(ours, theirs, ssa) end

return M
