-- Which allocas become variables: those of which LLVM's mem2reg says the same. They are
-- loaded and stored as what they are, not volatile; else only notes know of them, which go.
local M = {}

-- An alloca is lost when something else uses its address.
local function lose(state, name)
  local root = state.root[name]
  if root then state.candidates[root] = nil end
end

local function check_uses(state, instruction)
  for _, name in ipairs(instruction.uses) do lose(state, name) end
end

local check = {}

function check.load(state, it)
  local alloca = state.candidates[it.address]
  if state.root[it.address] and not (alloca and alloca.allocated == it.type) then
    lose(state, it.address)
  end
end

-- The value may be an address as well, or contain one.
function check.store(state, it)
  local alloca = state.candidates[it.address]
  if alloca and alloca.allocated == it.stored then
    if it.uses[2] then lose(state, it.uses[1]) end
  else
    check_uses(state, it)
  end
end

function check.note() end

-- The address of an address is no longer followed.
function check.cast(state, it)
  local root = state.root[it.address]
  if root == it.address then
    state.root[it.name] = root
  elseif root then
    lose(state, it.address)
  end
end

check.opaque, check.alloca, check.control = check_uses, check_uses, check_uses

function check.compute(state, it)
  for _, operand in ipairs(it.operands) do lose(state, operand) end
end

function check.phi(state, it)
  for _, value in ipairs(it.values) do
    for name in value:gmatch "%%[-%w$._\5]+" do lose(state, name) end
  end
end

function check.ret(state, it)
  for name in (it.value or ""):gmatch "%%[-%w$._\5]+" do lose(state, name) end
end

function check.branch() end
check.switch, check.jump, check.unreachable = check.branch, check.branch, check.branch

--- The allocas to be promoted, by their names, and the names of addresses derived from
--- allocas.
---@param it llvm.Function
---@return table<string, llvm.Instruction> promoted
---@return table<string, string> root
function M.of(it)
  local state = { candidates = {}, root = {} }
  for _, block in ipairs(it.blocks) do
    for _, instruction in ipairs(block.instructions) do
      if instruction.kind == "alloca" then
        state.candidates[instruction.name] = instruction
        state.root[instruction.name] = instruction.name
      end
    end
  end
  if not next(state.candidates) then return {}, {} end
  -- casts first: an instruction can precede what it uses in the text
  for _, block in ipairs(it.blocks) do
    for _, instruction in ipairs(block.instructions) do
      if instruction.kind == "cast" then check.cast(state, instruction) end
    end
  end
  for _, block in ipairs(it.blocks) do
    for _, phi in ipairs(block.phis) do check.phi(state, phi) end
    for _, instruction in ipairs(block.instructions) do
      if instruction.kind ~= "cast" then check[instruction.kind](state, instruction) end
    end
  end
  return state.candidates, state.root
end

return M
