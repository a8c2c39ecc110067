--- What is tried to make a trace shorter, in this order until nothing helps: to leave out
-- functions, blocks, lines, variables; to simplify terminators; to join blocks.
local render = require "phial.command.reduce.render"
local targets = require("phial.command.reduce.model").targets
local union = require("phial.options").union

local M = {}

-- {== Delta debugging ==================================================
--
-- Zeller and Hildebrandt: Simplifying and isolating failure-inducing input, IEEE Transactions on
-- Software Engineering 28, 2002: the algorithm ddmin.

-- The list in n parts of almost equal length.
local function parts_of(list, n)
  local parts, from = {}, 1
  for i = 1, n do
    local to = from + (#list - from + 1) // (n - i + 1) - 1
    parts[i] = table.move(list, from, to, 1, {})
    from = to + 1
  end
  return parts
end

-- All parts but one.
local function without(parts, i)
  local out = {}
  for k, part in ipairs(parts) do
    if k ~= i then table.move(part, 1, #part, #out + 1, out) end
  end
  return out
end

--- Finds a part of a list that still fails, and of which no item can be left out.
---@param list any[] fails
---@param fails fun(list: any[]): boolean
---@return any[]
function M.ddmin(list, fails)
  if #list > 0 and fails {} then return {} end
  local n = 2
  while #list >= 2 do
    local parts, smaller = parts_of(list, n), nil
    for i = 1, n do
      if fails(parts[i]) then smaller, n = parts[i], 2 break end
    end
    for i = 1, smaller and 0 or n do
      local rest = without(parts, i)
      if n > 2 and fails(rest) then smaller, n = rest, math.max(n - 1, 2) break end
    end
    if not smaller and n == #list then break end
    n = smaller and math.min(n, #smaller) or math.min(2 * n, #list)
    list = smaller or list
  end
  return list
end

-- }== A trace that is made shorter =====================================

---@class phial.reduce.Reduction
---@field functions phial.reduce.Function[]
---@field state phial.reduce.State of the shortest trace that fails
---@field fails fun(text: string): boolean
local Reduction = {}
Reduction.__index = Reduction

-- The state after `edit`, if that trace fails, too.
function Reduction:try(edit)
  local state = {}
  for what, set in pairs(self.state) do state[what] = union(set) end
  edit(state)
  if not self.fails(render(self.functions, state)) then return false end
  self.state = state
  return true
end

-- Calls visit(func) for each function that is left.
function Reduction:each(visit)
  for _, func in ipairs(self.functions) do
    if not self.state.gone[func] then visit(func) end
  end
end

-- Leaves out what can be left out of a list.
function Reduction:shrink(list)
  M.ddmin(list, function(kept)
    local stays = {}
    for _, it in ipairs(kept) do stays[it] = true end
    return self:try(function(state)
      for _, it in ipairs(list) do
        if not stays[it] then state.gone[it] = true end
      end
    end)
  end)
end

-- }== What can be left out ==============================================

function Reduction:of_functions(field, chosen)
  local list = {}
  self:each(function(func)
    for _, it in ipairs(func[field]) do
      if not self.state.gone[it] and chosen(it) then list[#list + 1] = it end
    end
  end)
  return list
end

local passes = {}

passes[1] = { "functions", function(self)
  local list = {}
  self:each(function(func) list[#list + 1] = func end)
  self:shrink(list)
end }

passes[2] = { "blocks", function(self)
  self:shrink(self:of_functions("blocks", function(block)
    return not block.entry and not self.state.merged[block]
  end))
end }

-- Lines that go with the block or variable that they name, and those that end a block.
local FRAME <const> = { b = true, B = true, V = true }
local ENDS <const> = { j = true, c = true, s = true, t = true, x = true }

passes[3] = { "lines", function(self)
  self:shrink(self:of_functions("lines", function(line)
    return not FRAME[line.letter] and not ENDS[line.letter]
  end))
end }

passes[4] = { "variables", function(self)
  self:shrink(self:of_functions("vars", function() return true end))
end }

-- }== Terminators =======================================================

-- Jumps to one of the targets.
local function jumps(words)
  local list = {}
  for i, target in ipairs(targets(words)) do list[i] = { letter = "j", words = { target } } end
  return list
end

local simpler = { c = jumps, s = jumps, t = jumps }

-- Tries simpler terminators in place of those with these letters.
function Reduction:simplify(letters)
  self:each(function(func)
    for _, line in ipairs(func.lines) do
      local now = self.state.changed[line] or line
      local tries = letters:find(now.letter, 1, true) and not self.state.gone[line]
        and simpler[now.letter](now.words) or {}
      for _, its in ipairs(tries) do
        if self:try(function(state) state.changed[line] = its end) then break end
      end
    end
  end)
end

passes[5] = { "branches", function(self) self:simplify "cst" end }

-- }== Blocks in a row ===================================================

-- How many edges lead to each block, and the lines that end in a jump.
local function edges_of(func, state)
  local count, lines = {}, {}
  for _, line in ipairs(func.lines) do
    local now = state.changed[line] or line
    if not state.gone[line] and simpler[now.letter] then
      for _, use in ipairs(targets(now.words)) do
        count[use.block] = (count[use.block] or 0) + 1
      end
      if now.letter == "j" then lines[#lines + 1] = line end
    end
  end
  return count, lines
end

local function join(self, func)
  local count, lines = edges_of(func, self.state)
  for _, line in ipairs(lines) do
    local target = (self.state.changed[line] or line).words[1].block
    local merged, gone = self.state.merged, self.state.gone
    local within = line.within
    while merged[within] do within = merged[within] end
    if count[target] == 1 and within ~= target and not (target.entry or merged[target]
      or gone[target] or gone[within]) then
      self:try(function(state)
        state.merged[target] = within
        state.gone[line] = true
      end)
    end
  end
end

passes[6] = { "blocks in a row", function(self)
  self:each(function(func) join(self, func) end)
end }

-- What nothing leads to any more can be in the entry.
local function into_entry(self, func)
  local entry = func.blocks[1]
  for _, block in ipairs(func.blocks) do
    if block ~= entry and not self.state.gone[block] and not self.state.merged[block] then
      self:try(function(state)
        state.merged[block] = entry
        for _, line in ipairs(func.lines) do
          if line.within == entry and ENDS[line.letter] then state.gone[line] = true end
        end
      end)
    end
  end
end

passes[9] = { "entry", function(self)
  self:each(function(func) into_entry(self, func) end)
end }

-- A jump becomes a return only after blocks were joined, which takes jumps.
function simpler.j() return { { letter = "ret", words = {} } } end

passes[7] = { "jumps", function(self) self:simplify "j" end }

passes[8] = { "ends", function(self)
  self:shrink(self:of_functions("lines", function(line) return ENDS[line.letter] end))
end }

-- }======================================================================

--- Makes a trace shorter as long as it fails.
---@param functions phial.reduce.Function[]
---@param fails fun(text: string): boolean
---@param told fun(pass: string, text: string) called after each pass
---@return string? text nil: the trace without comments does not fail
function M.reduce(functions, fails, told)
  local self = setmetatable({ functions = functions, fails = fails,
    state = { gone = {}, changed = {}, merged = {} } }, Reduction)
  local text = render(functions, self.state)
  if not fails(text) then return nil end
  repeat
    local before = text
    for _, pass in ipairs(passes) do
      pass[2](self)
      text = render(functions, self.state)
      told(pass[1], text)
    end
  until text == before
  return text
end

return M
