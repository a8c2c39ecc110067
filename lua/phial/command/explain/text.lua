-- What a story tells: as a summary of the phis, or step by step.
local story_of = require "phial.command.explain.story"

local M = {}

-- {== Names =============================================================

-- "a", "a and b", "a, b and c".
local function list_of(items)
  if #items < 2 then return items[1] or "nothing" end
  return table.concat(items, ", ", 1, #items - 1) .. " and " .. items[#items]
end

-- "1 phi", "2 phis".
local function count(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end

local function block(story, id)
  local text = story.blocks[id]
  return text:sub(1, 1) == '"' and text or "'" .. text .. "'"
end

local function values_of(story, ids)
  local out = {}
  for i, id in ipairs(ids) do out[i] = story.values[id] end
  return out
end

-- An instruction, almost as in the text form.
local function instruction(story, note)
  local it, parts = story.log.values[note.value], values_of(story, note.args)
  for _, target in ipairs(note.targets or {}) do parts[#parts + 1] = story.blocks[target] end
  local op = it.op or "?" -- replaced before anybody was told of it
  return (it.type and story.values[note.value] .. " = " or "") .. op
    .. (it.data and " {" .. it.data .. "}" or "") .. (#parts > 0 and " " or "")
    .. table.concat(parts, ", ")
end

-- The operands of a trivial or redundant phi, without duplicates.
local function operand_set(story, phi)
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

-- }== Step by step ======================================================

-- By event: a sentence about what the frontend does; or nil, and one about an effect of that, if
-- it is worth one. Made from the story, the note, the phi that it is about, and the note of the
-- latest sentence.
local say = {}

function say.write(story, note)
  return ("%s: %s = %s"):format(block(story, note.block), story.vars[note.var],
    story.values[note.value])
end

function say.emit(story, note)
  return ("%s: %s"):format(block(story, note.block), instruction(story, note))
end

function say.filled(story, note)
  return ("%s ends: %s"):format(block(story, note.block), instruction(story, note))
end

function say.lookup(story, note)
  return ("%s reads %s, which has no definition here"):format(block(story, note.block),
    story.vars[note.var])
end

function say.finished() return "finished" end

function say.reopened() return "reopened" end

function say.phi(story, note, phi)
  local name, here = story.values[phi.id], block(story, note.block)
  if not phi.var then return ("%s: %s is a phi made by hand"):format(here, name) end
  return nil, ("%s is a new phi of %s in %s, %s"):format(name, story.vars[phi.var], here,
    phi.incomplete and "incomplete until the block is sealed"
      or "which has " .. count(phi.preds, "predecessor"))
end

function say.operand(story, note, phi)
  if note.index > 1 then return nil end
  local words = {}
  for i, operand in ipairs(phi.operands) do
    local value = operand.id == phi.id and "itself" or story.values[operand.id]
    words[i] = ("%s from %s"):format(value, block(story, operand.from))
  end
  return nil, ("%s gets %s"):format(story.values[phi.id], list_of(words))
end

function say.trivial(story, _, phi)
  return nil, ("%s is trivial: each operand is %s; it is replaced by %s"):format(
    story.values[phi.id], operand_set(story, phi), story.values[phi.gone.by])
end

function say.redundant(story, note, phi)
  local set = phi.gone.set
  if set[1] ~= note.value then return nil end
  local names, by = list_of(values_of(story, set)), story.values[phi.gone.by]
  local sentence = #set == 1 and "%s is redundant: it is replaced by %s"
    or "%s are redundant: their only operands are these phis and %s, which replaces them"
  return nil, sentence:format(names, by)
end

function say.defined(story, note)
  return nil, ("the undef callback: where %s has no definition, it is %s"):format(
    story.vars[note.var], story.values[note.value])
end

function say.dropped(story, note)
  return nil, ("%s is dropped: it is unreachable"):format(block(story, note.block))
end

-- A read without a look-up is a sentence of its own; after a look-up, it is the
-- result.
function say.read(story, note, _, last)
  if last and last.event == "lookup" then
    return nil, ("the read returns %s"):format(story.values[note.value])
  end
  return ("%s reads %s: %s"):format(block(story, note.block), story.vars[note.var],
    story.values[note.value])
end

-- Blocks that wait for a number of predecessors seal themselves, as an effect of
-- a terminator.
function say.sealed(story, note, _, last)
  local sentence = ("%s is sealed"):format(block(story, note.block))
  if last and last.event == "filled" and last.called == note.called then return nil, sentence end
  return sentence
end

local by_finish = { dropped = true, redundant = true }

--- What the frontend did, step by step, and the effects of each step.
---@param story phial.explain.Story
---@return string
function M.steps(story)
  local _, by_id = story_of.phis(story)
  local width, lines, last = 0, {}, nil
  for _, note in ipairs(story.notes) do width = math.max(width, #note.at) end
  width = math.min(width, 40)
  for _, note in ipairs(story.notes) do
    local own, following
    if say[note.event] then
      own, following = say[note.event](story, note, by_id[note.value], last)
    end
    if by_finish[note.event] and not by_finish[last.event] then
      lines[#lines + 1] = ("%-" .. width .. "s  finish"):format(note.at)
      last = note
    end
    if own then
      lines[#lines + 1] = ("%-" .. width .. "s  %s"):format(note.at, own)
      last = note
    elseif following then
      lines[#lines + 1] = (" "):rep(width + 4) .. following
    end
    if note.event == "read" then last = note end
  end
  return table.concat(lines, "\n") .. "\n"
end

-- }== The summary: what requested a phi =================================

local function why_here(phi)
  if phi.incomplete then return "was not sealed yet" end
  return "has " .. count(phi.preds, "predecessor")
end

local function asked(story, phi)
  local here, var = block(story, phi.block), story.vars[phi.var]
  if not phi.var then return ("made by hand (%s)"):format(phi.note.at) end
  if phi.by then
    local sealing = phi.sealing
    return ("needed%s as an operand of %s (%s): %s %s"):format(
      sealing and (" when %s is sealed,"):format(block(story, sealing.block)) or "",
      story.values[phi.by.id], phi.note.at, here, why_here(phi))
  end
  local read = phi.read
  if not read then return ("needed (%s)"):format(phi.note.at) end
  if read.block == phi.block then
    return ("requested by the read of %s in %s (%s), which %s"):format(var, here, read.at,
      why_here(phi))
  end
  return ("requested by the read of %s in %s (%s): on the path up, %s %s"):format(var,
    block(story, read.block), read.at, here, why_here(phi))
end

-- }== The summary: where operands come from =============================

-- By kind of origin: the block, and the place of a write, are added.
local ORIGINS <const> = {
  write = "written in %s (%s)", phi = "the phi in %s", param = "the argument",
  undef = "no definition on this path", nothing = "nothing leads to %s",
}

local function operand_text(story, phi, operand)
  if operand.id == phi.id then return "itself" end
  local words = {}
  for i, origin in ipairs(operand.origins) do
    words[i] = ORIGINS[origin.kind]:format(block(story, origin.block),
      origin.note and origin.note.at)
  end
  local text = story.values[operand.id]
  return #words > 0 and text .. ", " .. list_of(words) or text
end

-- }== The summary: what became of a phi =================================

local fate = {}

function fate.trivial(story, phi)
  local set = operand_set(story, phi)
  if set == "itself" then return "trivial: its only operand is itself" end
  return ("trivial: each operand is %s"):format(set)
end

function fate.redundant(story, phi)
  local set = phi.gone.set
  if #set == 1 then return fate.trivial(story, phi):gsub("^trivial", "redundant") end
  return ("redundant: the only operands of %s are these phis and %s"):format(
    list_of(values_of(story, set)), story.values[phi.gone.by])
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
  local width = 0
  for _, operand in ipairs(phi.operands) do width = math.max(width, #story.blocks[operand.from]) end
  for _, operand in ipairs(phi.operands) do
    out[#out + 1] = ("    from %-" .. math.min(width, 40) .. "s  %s"):format(
      story.blocks[operand.from], operand_text(story, phi, operand))
  end
  if gone then
    out[#out + 1] = ("  %s (%s)"):format(fate[gone.kind](story, phi), gone.note.at)
  end
end

-- }== The summary: all phis =============================================

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
  return list_of(words)
end

--- For each phi of a function: what requested it, what its operands are and where these were
--- written, and whether it remains.
---@param story phial.explain.Story
---@param variable? string only phis of variables of that name
---@return string
function M.summary(story, variable)
  local out, phis = { story.text or ("fn %s is not finished\n"):format(story.name) }, {}
  for _, phi in ipairs((story_of.phis(story))) do
    if not variable or story.vars[phi.var] == variable then phis[#phis + 1] = phi end
  end
  out[#out + 1] = #phis == 0 and "no phis were made"
    or ("%s: %s"):format(count(#phis, "phi"), counts(phis))
  for _, phi in ipairs(phis) do add_phi(out, story, phi) end
  return table.concat(out, "\n") .. "\n"
end

-- }=====================================================================

return M
