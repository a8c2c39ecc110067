-- Which allocas become variables: those that LLVM's mem2reg promotes. They are loaded and
-- stored as what they are, not volatile; nothing else knows their address except notes, which
-- go with them.
--
-- mem2reg starts again when it has promoted something, because an address that was only kept
-- in another alloca may then be known where it is used. Such allocas are `further` ones:
-- rounds.lua finds out.
local M = {}

---@class llvm.Promotion
---@field allocas table<string, llvm.Instruction>
---@field root table<string, string> of an address, the alloca from which it is derived
---@field loaded table<string, true> values that come from an alloca
---@field lost table<string, true> allocas whose address something else uses
---@field stored table<string, true> allocas whose address is stored in an alloca, or where a
--- value from an alloca says
---@field promoted table<string, llvm.Instruction>
---@field further string[]

local function lose(state, name)
  local root = state.root[name]
  if root then state.lost[root] = true end
end

local function lose_uses(state, instruction)
  for _, name in ipairs(instruction.uses) do lose(state, name) end
end

local check = {}

function check.load(state, it)
  local alloca = state.allocas[it.address]
  if not (alloca and alloca.allocated == it.type) then lose(state, it.address) end
end

-- The value may be an address as well, or contain one.
function check.store(state, it, reached)
  local alloca = state.allocas[it.address]
  if alloca and alloca.allocated ~= it.stored then lose(state, alloca.name) end
  if not alloca then lose(state, it.address) end
  if not it.uses[2] then return end
  if reached and (alloca or state.loaded[it.address]) and state.allocas[it.value]
    and it.value ~= it.address then
    state.stored[it.value] = true
  else
    lose(state, it.uses[1])
  end
end

-- The address of an address is not followed.
local function derive(state, it)
  local root = state.root[it.address]
  if root and root ~= it.address then
    lose(state, root)
  elseif root then
    state.root[it.name] = root
  end
end

local function lose_names(state, text)
  for name in text:gmatch "%%[-%w$._\5]+" do lose(state, name) end
end

function check.phi(state, it)
  for _, value in ipairs(it.values) do lose_names(state, value) end
end

function check.ret(state, it)
  if it.value then lose_names(state, it.value) end
end

check.opaque, check.alloca, check.control = lose_uses, lose_uses, lose_uses

local function nothing() end

-- What computes has no addresses as operands.
for _, kind in ipairs { "note", "cast", "compute", "branch", "switch", "jump", "unreachable" } do
  check[kind] = nothing
end

-- Calls visit(state, instruction, reached) with all instructions other than phis.
local function each(it, state, visit)
  for i, block in ipairs(it.blocks) do
    local reached = i == 1 or block.preds > 0
    for _, instruction in ipairs(block.instructions) do visit(state, instruction, reached) end
  end
end

local function note_alloca(state, it)
  if it.kind ~= "alloca" then return end
  state.allocas[it.name], state.root[it.name] = it, it.name
end

local function note_derived(state, it)
  if it.kind == "cast" then
    derive(state, it)
  elseif it.kind == "load" and state.allocas[it.address] then
    state.loaded[it.name] = true
  end
end

local function check_one(state, it, reached) check[it.kind](state, it, reached) end

--- The allocas to be promoted.
---@param it llvm.Function whose blocks know their predecessors
---@return llvm.Promotion
function M.of(it)
  local state = { allocas = {}, root = {}, loaded = {}, lost = {}, stored = {}, promoted = {},
    further = {} }
  each(it, state, note_alloca)
  if not next(state.allocas) then return state end
  each(it, state, note_derived) -- first: the text may have a use before its definition
  each(it, state, check_one)
  for _, block in ipairs(it.blocks) do
    for _, phi in ipairs(block.phis) do check.phi(state, phi) end
  end
  for name, alloca in pairs(state.allocas) do
    if not state.lost[name] then
      if state.stored[name] then
        table.insert(state.further, name)
      else
        state.promoted[name] = alloca
      end
    end
  end
  table.sort(state.further)
  return state
end

return M
