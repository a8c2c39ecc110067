-- Further rounds of promotion: an alloca whose address was kept in a variable is promoted, too,
-- if all that uses the address in the SSA form loads or stores what it holds.
local M = {}

-- What an instruction was made from; nil for a phi.
local function source_of(user)
  local it = user:op() ~= "phi" and user:data()
  return type(it) == "table" and it or nil
end

-- True if only notes use an address that is derived from another one.
local function is_noted(cast)
  for _, user in ipairs(cast:users()) do
    local it = source_of(user)
    if not it or it.kind ~= "note" then return false end
  end
  return true
end

-- True if an instruction that uses the address v of an alloca only loads, stores or notes.
local function allows(alloca, v, user)
  local it = source_of(user)
  if not it then return false end
  if it.kind == "load" then return it.type == alloca.allocated end
  if it.kind == "store" then
    local args = user:args()
    return it.stored == alloca.allocated and (#args == 1 or args[1] ~= v)
  end
  return it.kind == "note" or it.kind == "cast" and is_noted(user)
end

-- The users of the address of an alloca if it can be promoted.
local function users_of(alloca, v)
  local users = v:users()
  for _, user in ipairs(users) do
    if not allows(alloca, v, user) then return nil end
  end
  return users
end

-- Says at an instruction that uses an address which alloca it is; notes go.
local function resolve(user, name)
  local it = user:data()
  if it.kind == "load" or it.kind == "store" then
    it.variable = name
    return
  end
  it.gone = true
  if it.kind == "cast" then
    for _, note in ipairs(user:users()) do note:data().gone = true end
  end
end

--- Promotes more allocas. Says at the loads and stores which one they use. Returns true if
--- there is one.
---@param promotion llvm.Promotion
---@param ssa llvm.Ssa of the function, whose instructions have as data what they were made from
---@return boolean
function M.promote(promotion, ssa)
  local found, left = false, {}
  for _, name in ipairs(promotion.further) do
    local alloca, v = promotion.allocas[name], ssa.values[name]
    local users = v and users_of(alloca, v)
    if users then
      found, promotion.promoted[name] = true, alloca
      for _, user in ipairs(users) do resolve(user, name) end
    else
      left[#left + 1] = name
    end
  end
  promotion.further = left
  return found
end

return M
