-- Fields that are set together: where one is set, another one is set next to it, in the whole file,
-- and removed with it. If the one is there, so is the other.
local M = {}

local lists = setmetatable({}, { __mode = "k" }) -- by program

-- Notes in a list of statements, or a constructor, which fields are set: false for nil.
local function note(fields, base, key, value)
  if key.tag ~= "String" then return fields end
  fields = fields or {}
  fields[base .. "." .. key[1]] = value.tag ~= "Nil" and value.tag ~= "False"
  return fields
end

local function fields_of(node)
  local fields
  for _, part in ipairs(node) do
    if part.tag == "Pair" then
      fields = note(fields, "", part[1], part[2])
    elseif part.tag == "Set" then
      for i, target in ipairs(part[1]) do
        local is_field = target.tag == "Index" and target[1].tag == "Id"
        if is_field then fields = note(fields, target[1][1], target[2], part[2][i] or part) end
      end
    end
  end
  return fields
end

-- What each list of statements and each constructor of a program sets.
local function all_of(program)
  if lists[program] then return lists[program] end
  local all, todo = {}, { program:functions()[1].node }
  while #todo > 0 do
    local node = table.remove(todo)
    local fields = type(node[1]) == "table" and fields_of(node)
    if fields then all[#all + 1] = fields end
    for _, part in ipairs(node) do
      if type(part) == "table" then todo[#todo + 1] = part end
    end
  end
  lists[program] = all
  return all
end

--- True if a field of an object that a name means is set wherever another one is.
---@param program phial.source.Program
---@param field string
---@param other string
---@return boolean
function M.is_set_with(program, field, other)
  local found = false
  for _, fields in ipairs(all_of(program)) do
    for name, is_set in pairs(fields) do
      local base, key = name:match "^(.-)%.(.*)$"
      local beside = key == other and fields[base .. "." .. field]
      if key == other and is_set then
        if not beside then return false end
        found = true
      elseif key == field and not is_set and fields[base .. "." .. other] ~= false then
        return false
      end
    end
  end
  return found
end

return M
