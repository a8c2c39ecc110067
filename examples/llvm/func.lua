-- Reads a function: its parameters, blocks and instructions.
local instructions = require "llvm.instructions"
local operations = require "llvm.operations"
local problems = require "llvm.problems"
local scan = require "llvm.scan"
local types = require "llvm.types"

local find, match, sub = string.find, string.match, string.sub
local NAME = "%%[-%w$._\5]+"

local M = {}

---@class llvm.Block
---@field label string with its prefix
---@field line integer
---@field instructions llvm.Instruction[] without phis; the terminator last
---@field phis llvm.Instruction[]
---@field preds integer edges that come from reachable blocks

---@class llvm.Function
---@field name string as in the text
---@field header string its first line
---@field line integer
---@field params {name: string, type: string}[]
---@field blocks llvm.Block[]
---@field labels table<string, llvm.Block>
---@field unnamed integer the number of parameters without a name

-- {== The header ========================================================

-- Calls visit(piece) with each piece of a list between commas.
local function each_piece(list, visit)
  local at, from = 1, 1
  while true do
    at = match(list, "^[^,()%[%]{}<>]*()", at)
    local stop = match(list, "^%b()()", at) or match(list, "^%b[]()", at)
      or match(list, "^%b{}()", at) or match(list, "^%b<>()", at)
    if not stop then
      local piece = scan.trimmed(sub(list, from, at - 1))
      if piece ~= "" then visit(piece) end
      if at > #list then return end
      from, stop = at + 1, at + 1
    end
    at = stop
  end
end

-- The name of the function, and its parameters in parentheses.
local function name_and_params(header)
  local name, at = match(header, "@([-%w$._]+) ?()%(")
  if not name then name, at = match(header, "@(\3%d+\3) ?()%(") end
  return name, at and match(header, "^%b()", at)
end

local function read_params(it, list)
  it.params, it.unnamed = {}, 0
  each_piece(sub(list, 2, -2), function(piece)
    if piece == "..." then return end
    local type, stop = types.read(piece, 1)
    if not type then problems.raise(it.line, piece, "parameter '%s' is not understood", piece) end
    local name = match(piece, "(" .. NAME .. ")$", stop)
    if not name or match(name, "^%%%d+$") then
      name = "%" .. it.unnamed
      it.unnamed = it.unnamed + 1
    end
    it.params[#it.params + 1] = { name = name, type = type }
  end)
end

-- }== The body ==========================================================

-- Words with which an instruction goes on in the next line.
local FURTHER = { ["to"] = true, ["unwind"] = true, cleanup = true, catch = true, filter = true }

-- The text of the instruction that begins in line i, and its last line: it goes on where a bracket
-- is open, or after a comma.
local function whole(scanner, lines, i, first, text)
  local parts, last, depth, from = { text }, text, scan.depth(text), i
  while depth > 0 or sub(last, -1) == "," do
    i = i + 1
    if not lines[i] then problems.raise(first + from, nil, "a bracket is not closed") end
    local more = scanner:line(lines[i])
    depth = depth + scan.depth(more)
    if more ~= "" then
      parts[#parts + 1], last = more == "]" and "\n  ]" or "\n    " .. more, more
    end
  end
  while lines[i + 1] and FURTHER[match(lines[i + 1], "^%s+(%a+)")] do
    i = i + 1
    parts[#parts + 1] = "\n          " .. scanner:line(lines[i])
  end
  return table.concat(parts), i
end

-- True if an instruction may go on in a line: nothing begins there.
local function may_go_on(line)
  if not line then return false end
  local word = match(line, "^%s+([%a_]+)")
  if operations.effects[word] then return find(line, "^%s+[%a_]+ *%(") ~= nil end
  return not find(line, "^%s+%%[^ =]+ *=")
end

local TERMINATORS = { jump = true, branch = true, switch = true, ret = true, unreachable = true,
  control = true }

-- Those that have a type, but no result.
local NO_RESULTS = { ret = true, branch = true, switch = true }

local function add_block(it, label, line)
  if it.labels[label] then problems.raise(line, nil, "block '%s' is defined twice", label) end
  local block = { label = label, line = line, instructions = {}, phis = {}, preds = 0 }
  it.blocks[#it.blocks + 1], it.labels[label] = block, block
  return block
end

local function add_instruction(block, instruction)
  if instruction.kind == "phi" then
    block.phis[#block.phis + 1] = instruction
  else
    block.instructions[#block.instructions + 1] = instruction
  end
end

-- Numbers count what has no name, whether the text shows them or not.
local function number_of(it, name)
  local number = name and match(name, "^%%(%d+)$")
  if number then
    it.next = tonumber(number) + 1
  elseif not name then
    name, it.next = "%" .. it.next, it.next + 1
  end
  return name
end

local function end_block(block, line)
  if block and not block.closed then
    problems.raise(line or block.line, nil, "block '%s' has no terminator", block.label)
  end
end

local RESULTS = { compute = true, phi = true, load = true, alloca = true, cast = true }

-- Fills the blocks from the lines after the header.
local function read_body(it, scanner, reader, lines, first)
  local block
  local i, last = 1, #lines
  it.next = it.unnamed
  while i <= last do
    local text, number = scanner:line(lines[i]), first + i
    local label = match(text, "^([-%w$._\5]+):$")
    if label then
      end_block(block)
      block = add_block(it, number_of(it, "%" .. label), number)
    elseif text ~= "" and not find(text, "^uselistorder") then
      if not block or block.closed then block = add_block(it, number_of(it), number) end
      if may_go_on(lines[i + 1]) then text, i = whole(scanner, lines, i, first, text) end
      local instruction = reader:read(text, number)
      if RESULTS[instruction.kind] or instruction.type and not NO_RESULTS[instruction.kind] then
        instruction.name = number_of(it, instruction.name)
      end
      add_instruction(block, instruction)
      block.closed = TERMINATORS[instruction.kind]
    end
    i = i + 1
  end
  if not block then problems.raise(it.line, nil, "a function without blocks") end
  end_block(block, first + last)
end

-- Names must be different from each other, and from those of types: which of the two is
-- meant is not known without grammar.
local function check_names(it, scanner)
  local seen = {}
  local function check(name, line)
    if not name then return end
    if seen[name] then problems.raise(line, nil, "'%s' is defined twice", scanner:written(name)) end
    if scanner.types[name] then
      problems.raise(line, nil, "'%s' is both a type and a value", scanner:written(name))
    end
    seen[name] = true
  end
  for _, param in ipairs(it.params) do check(param.name, it.line) end
  for _, block in ipairs(it.blocks) do
    for _, phi in ipairs(block.phis) do check(phi.name, phi.line) end
    for _, instruction in ipairs(block.instructions) do
      check(instruction.name, instruction.line)
    end
  end
  it.names = seen
end

-- }======================================================================

--- Reads a function from its lines.
---@param scanner llvm.Scanner
---@param header string its first line, to the brace
---@param lines string[] what follows, without the closing brace
---@param line integer the number of the first line
---@param first? integer the number of the last line of the header
---@return llvm.Function
function M.read(scanner, header, lines, line, first)
  scanner:forget()
  local plain = scanner:line(header)
  local name, params = name_and_params(plain)
  if not params then problems.raise(line, nil, "the name or the parameters are not understood") end
  local it = { name = scanner:restored(name), header = header, line = line, blocks = {},
    labels = {} }
  read_params(it, params)
  read_body(it, scanner, instructions.new(scanner), lines, first or line)
  check_names(it, scanner)
  return it
end

return M
