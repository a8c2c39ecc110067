-- HIR to SSA form: what the React Compiler's enterSSA and eliminateRedundantPhi do.
--
-- Each identifier is a variable of phial, each line an instruction that has the line as
-- its data.  Blocks are filled in the order in which they are printed, in which only
-- back edges come late.  An identifier that is read where nothing defines it, such as a
-- variable that closures share, is left alone: its value is a constant, its own name.
--
-- A nested function sees the variables of the outer one as they are where it is made.
-- There are two ways to say so, which give the same:
--
-- - "within": its blocks are blocks of the outer function.  The block that makes it ends
--   there, with two targets: the nested function and the rest.
-- - "each": it is a function of phial of its own.  What it reads and does not define, its
--   undef callback tells; this is what the instruction that makes it uses besides.
local dialect = require "react.dialect"
local edges = require "react.edges"
local phial = require "phial"

---@class react.Translation
---@field fn phial.Function
---@field tree react.Function
---@field vars table<string, phial.Variable> by their words
---@field captured string[] what is read and not defined, in the order of the first reads
---@field unknown table<string, true> what the outermost function does not define, either
---@field outer react.Translation? of the function around this one, if both are functions
---@field maker react.Line? what makes this one there
---@field slots table<string, integer> which operand of the maker a captured word is
---@field inners table<react.Line, react.Translation> of the functions in it, by what makes them
---@field made react.Line[] what makes them, in order
---@field apart boolean whether nested functions are functions of their own
---@field firsts table<react.Block, phial.Block> where a reachable block starts; the block of
--- phial in which it ends has it as its data
local Translation = {}
Translation.__index = Translation

local M = {}

local function fail(at, message, ...) error({ at = at, message = message:format(...) }, 0) end

-- {== Variables =========================================================

local MOST <const> = 32767 -- operands, results or targets of an instruction of phial

local function check_number(list, line)
  if #list > MOST then fail(line.at, "more than %d places or blocks in a line", MOST) end
end

-- Variables are named by their words.
function Translation:var(word)
  local var = self.vars[word]
  if not var then
    var = self.fn:var(word)
    self.vars[word] = var
  end
  return var
end

-- The variables of the places of a line that have a role.
function Translation:places(line, role)
  local list = {}
  for _, piece in ipairs(line) do
    if type(piece) == "table" and piece.role == role then
      list[#list + 1] = self:var(piece.word)
    end
  end
  check_number(list, line)
  return list
end

function Translation:uses(line) return self:places(line, "use") end

-- As in the compiler, a definition must not come after a read that has seen none.
function Translation:defs(line)
  for _, piece in ipairs(line) do
    if type(piece) == "table" and piece.role == "def" and self.unknown[piece.word] then
      fail(piece.at, "'%s' is read before it is defined", piece.word)
    end
  end
  return self:places(line, "def")
end

-- The value of a variable that nothing defines.
function Translation:undefined(var)
  local word = var:name()
  if not self.outer then self.unknown[word] = true end
  self.captured[#self.captured + 1] = word
  return word
end

-- }== Instructions ======================================================

-- Emits an instruction that has a line as its data.
function Translation:emit(defs, op, uses, line)
  local list = defs
  list[#list + 1] = op
  table.move(uses, 1, #uses, #list + 1, list)
  list[#list + 1] = { data = line }
  self.fn:let(table.unpack(list))
end

-- A nested function as blocks of this one. What follows it goes into a block of its own.
function Translation:within(tree)
  local inner, rest = self.fn:block(nil, 1), self.fn:block(nil, 1)
  self.fn:emit(dialect.enter, inner, rest)
  self.fn:set_current(inner)
  local params = self:defs(tree.header)
  if #params > 0 then self:emit(params, dialect.params, {}, tree.header) end
  self:fill(tree)
  self.fn:set_current(rest)
end

function Translation:instruction(line)
  local uses = self:uses(line)
  if line.inner and self.apart then
    local inner = M.translation(line.inner, self)
    self.inners[line], inner.maker = inner, line
    self.made[#self.made + 1] = line
    for _, word in ipairs(inner.captured) do
      uses[#uses + 1] = self:var(word)
      inner.slots[word] = #uses
    end
    check_number(uses, line)
  end
  self:emit(self:defs(line), dialect[line.op], uses, line)
  if line.inner and not self.apart then self:within(line.inner) end
end

-- }== Blocks ============================================================

-- The blocks of phial, by their numbers; the current one is the first. Unreachable ones,
-- which the compiler keeps where something else names them, have none.
function Translation:blocks(tree)
  local counts, message, at = edges.count(tree)
  if not counts then fail(at, "%s", message) end
  local made = {}
  for i, block in ipairs(tree.blocks) do
    local number = block.number
    local it = i == 1 and self.fn:current()
      or counts[number] > 0 and self.fn:block("bb" .. number, counts[number]) or nil
    made[number], self.firsts[block] = it, it
  end
  return made
end

local function refuse_phis(tree)
  for _, block in ipairs(tree.blocks) do
    local phi = block.phis[1]
    if phi then fail(phi.at, "this is in SSA form already") end
  end
end

-- Ends a block; `blocks` are those of phial, by their numbers.
function Translation:terminal(block, blocks)
  local line = block.terminal
  local targets = { data = line }
  for target in edges.targets(block) do targets[#targets + 1] = blocks[target] end
  check_number(targets, line)
  local list = self:uses(line)
  list[#list + 1] = targets
  self.fn:current():set_data(block)
  self.fn:emit(dialect[line.op], table.unpack(list))
end

-- Fills the blocks of a function; the current one is its first.
function Translation:fill(tree)
  refuse_phis(tree)
  local blocks = self:blocks(tree)
  for _, block in ipairs(tree.blocks) do
    local first = blocks[block.number]
    if first then
      self.fn:set_current(first)
      for _, line in ipairs(block.insts) do self:instruction(line) end
      self:terminal(block, blocks)
    end
  end
end

-- }======================================================================

local function parameters(header)
  local list = {}
  for _, piece in ipairs(header) do
    if type(piece) == "table" and piece.role == "def" then
      list[#list + 1] = piece.word
    end
  end
  return list
end

-- Frees the functions at once.
function Translation:close()
  for _, inner in pairs(self.inners) do inner:close() end
  self.fn:close()
end

--- Translates a function; nested ones are functions of their own if those of the outer
--- one are.
---@param tree react.Function
---@param outer react.Translation?
---@param apart boolean?
---@return react.Translation
function M.translation(tree, outer, apart)
  local params, names = parameters(tree.header), {}
  for i, word in ipairs(params) do names[i] = word .. ":any" end
  local self = setmetatable({
    tree = tree, outer = outer, apart = outer and outer.apart or apart, vars = {},
    captured = {}, slots = {}, unknown = outer and outer.unknown or {}, inners = {}, made = {},
    firsts = {},
  }, Translation)
  self.fn = phial.fn(tree.header[1]:sub(1, -2), names, nil, {
    rules = false, type = "any", where = false, dialects = { dialect },
    undef = function(var) return self:undefined(var) end,
  })
  for i, word in ipairs(params) do self.vars[word] = self.fn:param(i) end
  self.fn:set_current(self.fn:entry())
  self:fill(tree)
  self.fn:finish()
  return self
end

--- Translates the printed HIR of a function.
---@param tree react.Function from reader.lua
---@param way "within"|"each" what nested functions become
---@return react.Translation? translation nil if HIR must not be like that
---@return string? message
---@return integer? at where in the text
function M.translate(tree, way)
  local ok, result = pcall(M.translation, tree, nil, way == "each")
  if ok then return result end
  if type(result) ~= "table" then error(result, 0) end
  return nil, result.message, result.at
end

return M
