-- The names of things in the story and in the summary.
local M = {}

--- "a", "a and b", "a, b and c".
---@param items string[]
---@return string
function M.list(items)
  if #items < 2 then return items[1] or "nothing" end
  return table.concat(items, ", ", 1, #items - 1) .. " and " .. items[#items]
end

--- "1 phi", "2 phis".
---@param n integer
---@param what string
---@return string
function M.count(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

---@param story phial.explain.Story
---@param id integer
---@return string
function M.block(story, id)
  local text = story.blocks[id]
  return text:sub(1, 1) == '"' and text or "'" .. text .. "'"
end

---@param story phial.explain.Story
---@param ids integer[]
---@return string[]
function M.values(story, ids)
  local out = {}
  for i, id in ipairs(ids) do out[i] = story.values[id] end
  return out
end

--- An instruction, almost as in the text form.
---@param story phial.explain.Story
---@param note phial.explain.Note
---@return string
function M.instruction(story, note)
  local parts = M.values(story, note.args)
  for _, target in ipairs(note.targets or {}) do parts[#parts + 1] = story.blocks[target] end
  local result = note.typed and story.values[note.value] .. " = " or ""
  return result .. note.op .. (#parts > 0 and " " or "") .. table.concat(parts, ", ")
end

--- The operands of a trivial or redundant phi, without duplicates.
---@param story phial.explain.Story
---@param phi phial.explain.Phi
---@return string
function M.operand_set(story, phi)
  local members, words, itself = {}, {}, false
  for _, id in ipairs(phi.gone.set or { phi.id }) do members[id] = true end
  for _, operand in ipairs(phi.operands) do
    local id = phi.gone.became[operand.id] or operand.id
    itself = itself or id == phi.id
    local text = story.values[operand.id]
    if id ~= operand.id then text = ("%s (replaced by %s)"):format(text, story.values[id]) end
    if not members[id] and not words[text] then
      words[text] = true
      words[#words + 1] = text
    end
  end
  if itself then words[#words + 1] = "itself" end
  return table.concat(words, " or ")
end

return M
