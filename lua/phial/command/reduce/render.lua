--- The text of a trace of which some things are left out. What depends on them goes too, or is
-- replaced, so that the text remains a trace: a constant takes the place of a value, and a jump
-- or a return that of a terminator whose targets are gone.
local portable = require "phial.portable"
local targets = require("phial.command.reduce.model").targets
local values = require "phial.trace.values"

---@class phial.reduce.State
---@field gone table<any, true> functions, blocks, variables, lines
---@field changed table<phial.reduce.Line, phial.reduce.Terminator>
---@field merged table<phial.reduce.Block, phial.reduce.Block> by block: what it is part of

---@class phial.reduce.Terminator in place of that of a line
---@field letter string
---@field words (string|phial.reduce.Use)[]

local CONSTANTS <const> = { i1 = "true", i64 = "0", f64 = "0.0", any = "nil" }

-- Lines that belong to the block of the latest line b.
local IN_BLOCKS <const> = {
  r = true, w = true, m = true, K = true, u = true, i = true, p = true, t = true, j = true,
  c = true, s = true, x = true,
}

-- A constant of a type.
local function constant(type)
  if CONSTANTS[type] then return CONSTANTS[type] end
  if type:find "^i%d+$" then return "0:" .. type end
  return type == "f32" and "0.0:f32" or "undef:" .. type
end

---@class phial.reduce.Count
---@field n integer
---@field names table<string, integer> how many of each name

---@class phial.reduce.Writer
---@field state phial.reduce.State
---@field func phial.reduce.Function
---@field out string[]
---@field numbers table<phial.reduce.Block|phial.reduce.Variable, integer>
---@field labels table<phial.reduce.Block|phial.reduce.Variable, string>
---@field blocks phial.reduce.Count so far
---@field vars phial.reduce.Count
---@field ids table<phial.reduce.Value, integer> of those that are defined by now
---@field within? phial.reduce.Block of the latest line b
---@field waiting? phial.reduce.Use the block of a line b that is not written yet
local Writer = {}
Writer.__index = Writer

-- {== Words =============================================================

-- Counts a block or a variable, which the lines from here on can name.
function Writer:add(count, it)
  self.numbers[it] = count.n
  self.labels[it] = values.label(count.names, it.name, count.n)
  count.n = count.n + 1
end

function Writer:block_of(use)
  local block = use.block
  while self.state.merged[block] do block = self.state.merged[block] end
  return not self.state.gone[block] and block or nil
end

function Writer:word(use)
  if type(use) == "string" then return use end
  if use.value then
    local id = self.ids[use.value]
    return id and "%" .. id or constant(use.value.type)
  end
  local it = use.var or self:block_of(use)
  return use.number and tostring(self.numbers[it]) or self.labels[it]
end

function Writer:line(letter, words)
  if self.waiting and (IN_BLOCKS[letter] or letter == "@") then
    local block = self.waiting
    self.waiting, self.within = nil, block.block
    self:line("b", { block })
  end
  local out = { letter }
  for i, use in ipairs(words) do
    if type(use) == "table" and use.new then self.ids[use.value] = use.value.id end
    out[i + 1] = self:word(use)
  end
  self.out[#self.out + 1] = table.concat(out, " ")
end

-- }== Terminators =======================================================

function Writer:ret()
  local result = self.func.result
  if result == nil then return self:line("x", {}) end
  local words = {}
  for type in (result or ""):gmatch "[^,]+" do words[#words + 1] = constant(type) end
  self:line("x", #words > 0 and words or { "-" })
end

-- A terminator that leads to these blocks only, whatever it computes.
function Writer:lead(left)
  if left[1] then return self:line("j", { left[1] }) end
  self:ret()
end

-- The targets that remain, and whether these are all.
function Writer:targets(words)
  local all, left = targets(words), {}
  for _, use in ipairs(all) do
    if self:block_of(use) then left[#left + 1] = use end
  end
  return left, #left == #all
end

local function end_block(self, words, letter)
  local left, all = self:targets(words)
  if all then self:line(letter, words) else self:lead(left) end
end

local ends = { ret = Writer.ret, x = end_block, j = end_block, c = end_block, t = end_block }

-- The words of a switch: their number, targets, and, unless the trace is plain, the value and a
-- key for each target but the first.
function ends:s(words)
  local n = tonumber(words[1])
  local left = self:targets(words)
  if #left == 0 or not self:block_of(words[2]) then return self:lead(left) end
  local out, keys = { tostring(#left) }, {}
  for i = 2, n + 1 do
    if self:block_of(words[i]) then
      out[#out + 1] = words[i]
      if i > 2 then keys[#keys + 1] = words[n + i] end
    end
  end
  out[#out + 1] = words[n + 2]
  self:line("s", table.move(keys, 1, #keys, #out + 1, out))
end

-- }== Lines =============================================================

local write = {}

-- A block that is continued needs a line b only in a plain trace, where that has an effect.
function write:b(line)
  local block = self:block_of(line.words[1])
  local goes_on = block == self.within and self.func.result ~= nil
  self.waiting = not goes_on and { block = block, number = line.words[1].number } or nil
end

function write:S(line)
  if not self.state.merged[line.words[1].block] then self:line("S", line.words) end
end

-- A phi keeps the operands of the blocks that are left.
function write:p(line)
  local out = { line.words[1] }
  for i = 2, #line.words, 2 do
    if self:block_of(line.words[i]) then
      out[#out + 1], out[#out + 2] = line.words[i], line.words[i + 1]
    end
  end
  self:line("p", out)
end

function write:N(line)
  if self.ids[line.words[1].value] then self:line(line.letter, line.words) end
end
write.D = write.N

function write:B(line)
  if self.state.merged[line.makes] then return end
  self:add(self.blocks, line.makes)
  self:line("B", { line.makes.name and portable.name(line.makes.name) })
end

function write:V(line)
  self:add(self.vars, line.makes)
  self:line("V", { portable.name(line.makes.name), line.makes.type })
end

-- True if the line is left out: itself, or what it is about, or what a word refers to.
function Writer:skips(line)
  local gone = self.state.gone
  if gone[line] or line.makes and gone[line.makes] then return true end
  if IN_BLOCKS[line.letter] and not (line.within and self:block_of { block = line.within }) then
    return true
  end
  if ends[line.letter] or line.letter == "p" then return false end
  for _, use in ipairs(line.words) do
    local it = type(use) == "table" and use or {}
    if it.var and gone[it.var] or it.block and not self:block_of(it) then return true end
  end
  return false
end

function Writer:write(line)
  local changed = self.state.changed[line] or line
  if self:skips(line) then return end
  local write_end = ends[changed.letter]
  if write_end then return write_end(self, changed.words, changed.letter) end
  if write[line.letter] then return write[line.letter](self, line) end
  self:line(line.letter, line.words)
end

-- }== Functions =========================================================

function Writer:add_initial(count, list)
  for _, it in ipairs(list) do
    if it.initial and not self.state.gone[it] and not self.state.merged[it] then
      self:add(count, it)
    end
  end
end

function Writer:head()
  local func = self.func
  self:add_initial(self.blocks, func.blocks)
  self:add_initial(self.vars, func.vars)
  local words, params = { func.name, tostring(self.blocks.n), "" }, 0
  if func.result ~= nil then words[4] = func.result or "-" end
  for _, var in ipairs(func.vars) do
    if var.param and not self.state.gone[var] then
      words[#words + 1], params = var.param, params + 1
      self.ids[var.value] = func.copies and 2 * params - 1 or params
    end
  end
  words[3] = tostring(self.vars.n - params)
  self:line("F", words)
end

--- The text of what is left of a trace.
---@param functions phial.reduce.Function[]
---@param state phial.reduce.State
---@return string
return function(functions, state)
  local out = {}
  for _, func in ipairs(functions) do
    if not state.gone[func] then
      local writer = setmetatable({ state = state, func = func, out = out, numbers = {},
        labels = {}, ids = {}, blocks = { n = 0, names = {} }, vars = { n = 0, names = {} },
      }, Writer)
      writer:head()
      for _, line in ipairs(func.lines) do writer:write(line) end
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- }======================================================================
