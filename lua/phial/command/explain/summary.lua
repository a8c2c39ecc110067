-- For each phi: what requested it, what its operands are and where these were
-- written, and whether it remains.
local history = require "phial.command.explain.history"
local wording = require "phial.command.explain.wording"

local M = {}

local function block(story, id) return wording.block(story, id) end

-- {== What requested it =================================================

local function why_here(phi)
  if phi.incomplete then return "was not sealed yet" end
  return "has " .. wording.count(phi.preds, "predecessor")
end

local function asked(story, phi)
  local here, var = block(story, phi.block), story.vars[phi.var]
  if not phi.var then return ("made by hand (%s)"):format(phi.note.place) end
  if phi.by then
    local sealing = phi.sealing
    return ("needed%s as an operand of %s (%s): %s %s"):format(
      sealing and (" when %s is sealed,"):format(block(story, sealing.block)) or "",
      story.values[phi.by.id], phi.note.place, here, why_here(phi))
  end
  local read = phi.read
  if not read then return ("needed (%s)"):format(phi.note.place) end
  if read.block == phi.block then
    return ("requested by the read of %s in %s (%s), which %s"):format(var, here, read.place,
      why_here(phi))
  end
  return ("requested by the read of %s in %s (%s): on the path up, %s %s"):format(var,
    block(story, read.block), read.place, here, why_here(phi))
end

-- }== Where operands come from =========================================

local origin_text = {}

function origin_text.write(story, origin)
  return ("written in %s (%s)"):format(block(story, origin.block), origin.note.place)
end

function origin_text.phi(story, origin)
  return ("the phi in %s"):format(block(story, origin.block))
end

function origin_text.param() return "the argument" end

function origin_text.undef() return "no definition on this path" end

function origin_text.nothing(story, origin)
  return ("nothing leads to %s"):format(block(story, origin.block))
end

local function operand_text(story, phi, operand)
  if operand.id == phi.id then return "itself" end
  local words = {}
  for i, origin in ipairs(operand.origins) do words[i] = origin_text[origin.kind](story, origin) end
  local text = story.values[operand.id]
  return #words > 0 and text .. ", " .. wording.list(words) or text
end

local function add_operands(out, story, phi)
  local width = 0
  for _, operand in ipairs(phi.operands) do width = math.max(width, #story.blocks[operand.from]) end
  for _, operand in ipairs(phi.operands) do
    out[#out + 1] = ("    from %-" .. math.min(width, 40) .. "s  %s"):format(
      story.blocks[operand.from], operand_text(story, phi, operand))
  end
end

-- }== Its fate ==========================================================

local fate = {}

function fate.trivial(story, phi)
  local set = wording.operand_set(story, phi)
  if set == "itself" then return "trivial: its only operand is itself" end
  return ("trivial: each operand is %s"):format(set)
end

function fate.redundant(story, phi)
  local set = phi.gone.set
  if #set == 1 then return fate.trivial(story, phi):gsub("^trivial", "redundant") end
  return ("redundant: the only operands of %s are these phis and %s"):format(
    wording.list(wording.values(story, set)), story.values[phi.gone.by])
end

function fate.dropped(story, phi)
  return ("dropped: %s is unreachable"):format(block(story, phi.block))
end

local function add_phi(out, story, phi)
  local gone = phi.gone
  local what = phi.var and "phi of " .. story.vars[phi.var] or "phi"
  local result = not gone and "remains" or "was removed"
  if gone and gone.by then result = "was replaced by " .. story.values[gone.finally] end
  out[#out + 1] = ("\n%s, %s in %s, %s"):format(story.values[phi.id], what,
    block(story, phi.block), result)
  out[#out + 1] = "  " .. asked(story, phi)
  add_operands(out, story, phi)
  if gone then
    out[#out + 1] = ("  %s (%s)"):format(fate[gone.kind](story, phi), gone.note.place)
  end
end

-- }=====================================================================

local function counts(phis)
  local n = { remains = 0, trivial = 0, redundant = 0, dropped = 0 }
  for _, phi in ipairs(phis) do
    local what = phi.gone and phi.gone.kind or "remains"
    n[what] = n[what] + 1
  end
  local words = { n.remains .. (n.remains == 1 and " remains" or " remain") }
  for _, kind in ipairs { "trivial", "redundant", "dropped" } do
    if n[kind] > 0 then
      words[#words + 1] = ("%d %s %s"):format(n[kind], n[kind] == 1 and "was" or "were", kind)
    end
  end
  return wording.list(words)
end

--- The summary of a function.
---@param story phial.explain.Story
---@param variable? string only phis of variables of that name
---@return string
function M.text(story, variable)
  local out, phis = { story.text or ("fn %s is not finished\n"):format(story.name) }, {}
  for _, phi in ipairs((history.phis(story))) do
    if not variable or story.vars[phi.var] == variable then phis[#phis + 1] = phi end
  end
  out[#out + 1] = #phis == 0 and "no phis were made"
    or ("%s: %s"):format(wording.count(#phis, "phi"), counts(phis))
  for _, phi in ipairs(phis) do add_phi(out, story, phi) end
  return table.concat(out, "\n") .. "\n"
end

return M
