-- The instructions of a function that is finished, as checks ask for them: one walk finds all.
local M = {}

--- The ops of calls.
local CALLS <const> = { ["lua.call"] = true, ["lua.callall"] = true, ["lua.callnone"] = true }
M.CALLS = CALLS

--- The number of operands, from the first on, that must not be nil, by ops.
local COUNTS <const> = { ["lua.for"] = 3 }
for op in ("call callall callnone index len unm bnot setindex"):gmatch "%a+" do
  COUNTS["lua." .. op] = 1
end
for op in ("add sub mul mod pow div idiv band bor bxor shl shr concat lt le"):gmatch "%a+" do
  COUNTS["lua." .. op] = 2
end
M.COUNTS = COUNTS

-- What gives nil, if anything says so; besides phis.
local GIVES_NIL <const> = { copy = true, refine = true, ["lua.call"] = true, ["lua.item"] = true }

local RETURNS <const> = { ret = true, ["lua.return"] = true }

---@class lint.Parts lists in the order of control
---@field calls phial.Value[]
---@field fields table<any, phial.Value[]> what is assigned to fields, by their constant keys
---@field branches phial.Value[]
---@field returns phial.Value[] terminators
---@field nils phial.Value[] what can give nil
---@field uses phial.Value[] what fails if an operand is nil
---@field first table<phial.Block, integer> of the uses in a block
---@field last table<phial.Block, integer>

local function add_field(fields, inst)
  local key = inst:arg(2):const() or 0
  local values = fields[key] or {}
  fields[key], values[#values + 1] = values, inst:arg(3)
end

local function add(parts, inst, op)
  if COUNTS[op] then
    parts.uses[#parts.uses + 1] = inst
    if op == "lua.setindex" then add_field(parts.fields, inst) end
  end
  if CALLS[op] then parts.calls[#parts.calls + 1] = inst end
  if GIVES_NIL[op] then
    parts.nils[#parts.nils + 1] = inst
  elseif op == "branch" then
    parts.branches[#parts.branches + 1] = inst
  elseif RETURNS[op] then
    parts.returns[#parts.returns + 1] = inst
  end
end

local known = setmetatable({}, { __mode = "k" }) -- by function

--- The parts of a function that is finished.
---@param f phial.source.Function
---@return lint.Parts
function M.of(f)
  local parts = known[f]
  if parts then return parts end
  parts = {
    calls = {}, fields = {}, branches = {}, returns = {}, nils = {}, uses = {},
    first = {}, last = {},
  }
  for _, block in ipairs(f.fn:rpo()) do
    local first = #parts.uses + 1
    for _, phi in ipairs(block:phis()) do parts.nils[#parts.nils + 1] = phi end
    for _, inst in ipairs(block:insts()) do add(parts, inst, inst:op()) end
    if parts.uses[first] then parts.first[block], parts.last[block] = first, #parts.uses end
  end
  known[f] = parts
  return parts
end

local setters = setmetatable({}, { __mode = "k" }) -- by program

--- The functions that assign to fields, by the constant keys of these.
---@param program phial.source.Program
---@return table<any, phial.source.Function[]>
function M.setters(program)
  local by_key = setters[program]
  if by_key then return by_key end
  by_key = {}
  for _, f in ipairs(program:functions()) do
    for key in pairs(M.of(f).fields) do
      local list = by_key[key] or {}
      by_key[key], list[#list + 1] = list, f
    end
  end
  setters[program] = by_key
  return by_key
end

return M
