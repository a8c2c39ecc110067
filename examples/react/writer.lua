-- Prints a tree of HIR in the compiler's form.
local INDENT <const> = "      "

---@class react.Names what a tree is printed with
---@field words table<react.Place, string> identifiers in place of those that were read
---@field phis table<react.Block, react.Phi[]> phis in place of those that were read

local NONE <const> = { words = {}, phis = {} }

local M = {}

local function add(out, ...)
  for i = 1, select("#", ...) do out[#out + 1] = (select(i, ...)) end
end

-- The text that a target stands for precedes it.
local function line(out, it, names)
  for _, piece in ipairs(it) do
    if type(piece) == "string" then
      out[#out + 1] = piece
    elseif type(piece) == "table" then
      out[#out + 1] = names.words[piece] or piece.word
    end
  end
  out[#out + 1] = "\n"
end

local function phi(out, it, names)
  local operands = {}
  for i, operand in ipairs(it.operands) do
    local word = names.words[operand.place] or operand.place.word
    operands[i] = ("bb%d: <unknown> %s"):format(operand.block, word)
  end
  add(out, "<unknown> ", names.words[it.place] or it.place.word, ": phi(",
    table.concat(operands, ", "), ")\n")
end

local fn

local function block(out, it, names, outer)
  local inner = outer .. "  "
  add(out, outer, it.head, "\n")
  if #it.preds > 0 then
    add(out, inner, "predecessor blocks: bb", table.concat(it.preds, " bb"), "\n")
  end
  for _, each in ipairs(names.phis[it] or it.phis) do
    out[#out + 1] = inner
    phi(out, each, names)
  end
  for _, inst in ipairs(it.insts) do
    out[#out + 1] = inner
    line(out, inst, names)
    if inst.inner then fn(out, inst.inner, names) end
  end
  out[#out + 1] = inner
  line(out, it.terminal, names)
end

function fn(out, it, names)
  local outer = INDENT:rep(it.depth)
  out[#out + 1] = outer
  line(out, it.header, names)
  for _, directive in ipairs(it.directives) do add(out, outer, directive, "\n") end
  for _, each in ipairs(it.blocks) do block(out, each, names, outer) end
end

--- The text of a function.
---@param tree react.Function
---@param names? react.Names
---@return string
function M.text(tree, names)
  local out = {}
  fn(out, tree, names or NONE)
  return table.concat(out)
end

return M
