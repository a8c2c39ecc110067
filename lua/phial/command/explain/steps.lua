-- The story of a construction: what the frontend did, step by step, and the
-- effects of each step.
local history = require "phial.command.explain.history"
local wording = require "phial.command.explain.wording"

local M = {}

-- Sentences about what the frontend does; made from the story, the note, and
-- the phi that it is about.
local say = {}

local function block(story, note) return wording.block(story, note.block) end

function say.write(story, note)
  return ("%s: %s = %s"):format(block(story, note), story.vars[note.var], story.values[note.value])
end

function say.emit(story, note)
  return ("%s: %s"):format(block(story, note), wording.instruction(story, note))
end

function say.filled(story, note)
  return ("%s ends: %s"):format(block(story, note), wording.instruction(story, note))
end

function say.lookup(story, note)
  return ("%s reads %s, which has no definition here"):format(block(story, note),
    story.vars[note.var])
end

function say.finished() return "finished" end

function say.reopened() return "reopened" end

-- Sentences about the effects.
local follows = {}

function follows.phi(story, note, phi)
  local what = ("%s is a new phi of %s in %s"):format(story.values[phi.id],
    story.vars[phi.var], block(story, note))
  if phi.incomplete then return what .. ", incomplete until the block is sealed" end
  return ("%s, which has %s"):format(what, wording.count(phi.preds, "predecessor"))
end

function follows.operand(story, note, phi)
  if note.index > 1 then return nil end
  local words = {}
  for i, operand in ipairs(phi.operands) do
    local value = operand.id == phi.id and "itself" or story.values[operand.id]
    words[i] = ("%s from %s"):format(value, wording.block(story, operand.from))
  end
  return ("%s gets %s"):format(story.values[phi.id], wording.list(words))
end

function follows.trivial(story, _, phi)
  return ("%s is trivial: each operand is %s; it is replaced by %s"):format(
    story.values[phi.id], wording.operand_set(story, phi), story.values[phi.gone.by])
end

function follows.redundant(story, note, phi)
  local set = phi.gone.set
  if set[1] ~= note.value then return nil end
  local names, by = wording.list(wording.values(story, set)), story.values[phi.gone.by]
  if #set == 1 then return ("%s is redundant: it is replaced by %s"):format(names, by) end
  return ("%s are redundant: their only operands are these phis and %s, which replaces them")
    :format(names, by)
end

function follows.defined(story, note)
  return ("the undef callback: where %s has no definition, it is %s"):format(
    story.vars[note.var], story.values[note.value])
end

function follows.dropped(story, note)
  return ("%s is dropped: it is unreachable"):format(block(story, note))
end

-- A read without a look-up is a sentence of its own; after a look-up, it is the
-- result.
local function read(story, note, last)
  if last and last.kind == "lookup" then
    return nil, ("the read returns %s"):format(story.values[note.value])
  end
  return ("%s reads %s: %s"):format(block(story, note), story.vars[note.var],
    story.values[note.value])
end

-- Blocks that wait for a number of predecessors seal themselves, as an effect of
-- a terminator.
local function sealed(story, note, last)
  local sentence = ("%s is sealed"):format(block(story, note))
  if last and last.kind == "filled" and last.called == note.called then return nil, sentence end
  return sentence
end

local by_finish = { dropped = true, redundant = true }

-- last: the note of the latest sentence
local function sentences(story, note, last, by_id)
  local phi = by_id[note.value]
  if note.kind == "read" then return read(story, note, last) end
  if note.kind == "sealed" then return sealed(story, note, last) end
  if note.kind == "phi" and not phi.var then
    return ("%s: %s is a phi made by hand"):format(block(story, note), story.values[phi.id])
  end
  if say[note.kind] then return say[note.kind](story, note) end
  return nil, follows[note.kind] and follows[note.kind](story, note, phi)
end

--- The story of a function.
---@param story phial.explain.Story
---@return string
function M.text(story)
  local _, by_id = history.phis(story)
  local width, lines, last = 0, {}, nil
  for _, note in ipairs(story.notes) do width = math.max(width, #note.place) end
  width = math.min(width, 40)
  for _, note in ipairs(story.notes) do
    local own, following = sentences(story, note, last, by_id)
    if by_finish[note.kind] and not by_finish[last.kind] then
      lines[#lines + 1] = ("%-" .. width .. "s  finish"):format(note.place)
      last = note
    end
    if own then
      lines[#lines + 1] = ("%-" .. width .. "s  %s"):format(note.place, own)
      last = note
    elseif following then
      lines[#lines + 1] = (" "):rep(width + 4) .. following
    end
    if note.kind == "read" then last = note end
  end
  return table.concat(lines, "\n") .. "\n"
end

return M
