-- The history of each phi: what requested it, where its operands came from, why
-- it was removed. Reads a story's notes once, in order.
--
-- What requested it: a look-up makes phis on its way up, each before the phis
-- that it needs itself; so of the phis that wait for their operands, the latest
-- is the one that the next phi is for. Sealing gives operands to the incomplete
-- phis of a block in the order in which they were made, and looks up for these.
local M = {}

---@class phial.explain.Origin
---@field kind "write"|"phi"|"param"|"undef"|"nothing"
---@field block integer
---@field note? phial.explain.Note the write
---@field id? integer the phi, the argument

---@class phial.explain.Operand
---@field from integer
---@field id integer
---@field origins phial.explain.Origin[]

---@class phial.explain.Phi
---@field id integer
---@field var? integer
---@field block integer
---@field note phial.explain.Note when it was made
---@field read? phial.explain.Note the read that requested it
---@field by? phial.explain.Phi the phi that needs it as an operand
---@field sealing? phial.explain.Note the sealing during which that happened
---@field incomplete? boolean its block was not sealed
---@field preds integer how many predecessors it had
---@field operands phial.explain.Operand[]
---@field gone? phial.explain.Gone

---@class phial.explain.Gone
---@field kind "trivial"|"redundant"|"dropped"
---@field note phial.explain.Note
---@field by? integer what replaced it
---@field finally? integer the last replacement in that chain
---@field set? integer[] of a redundant phi: the redundant set
---@field became? table<integer, integer> its operands that had been replaced by then

local follow = {}

local function block_of(h, id)
  h.blocks[id] = h.blocks[id] or {
    preds = {}, writes = {}, made = {}, phis = {}, incomplete = {}
  }
  return h.blocks[id]
end

-- {== Blocks ============================================================

function follow.block(h, note) block_of(h, note.block).sealed = note.sealed end

function follow.write(h, note) block_of(h, note.block).writes[note.var] = note end

-- The terminator of a dead block adds no edges.
function follow.filled(h, note)
  local block = block_of(h, note.block)
  local dead = note.block ~= h.entry and block.sealed and #block.preds == 0
  for _, target in ipairs(dead and {} or note.targets) do
    table.insert(block_of(h, target).preds, note.block)
  end
end

local function origin_in(h, var, id)
  local block = block_of(h, id)
  local write, phi = block.writes[var], block.phis[var]
  if write then return { kind = "write", block = id, note = write } end
  if phi and not phi.gone then return { kind = "phi", block = id, id = phi.id } end
  if id == h.entry then
    local arg = h.params[var]
    return { kind = arg and "param" or "undef", block = id, id = arg }
  end
  return #block.preds == 0 and { kind = "nothing", block = id } or nil
end

-- Where the value of var at the end of a block was made: the nearest places on
-- all paths up.
local function origins(h, var, start)
  local found, seen, work = {}, { [start] = true }, { start }
  while #work > 0 do
    local id = table.remove(work)
    local origin = origin_in(h, var, id)
    found[#found + 1] = origin
    for _, pred in ipairs(origin and {} or block_of(h, id).preds) do
      if not seen[pred] then
        seen[pred] = true
        work[#work + 1] = pred
      end
    end
  end
  if #found == 0 then found[1] = { kind = "nothing", block = start } end
  return found
end

-- }== Phis are made =====================================================

function follow.lookup(h, note) h.read, h.sealing, h.waiting = note, nil, {} end

function follow.sealed(h, note)
  local block = block_of(h, note.block)
  block.sealed = true
  h.read, h.sealing, h.waiting = nil, note, {}
  for i = #block.incomplete, 1, -1 do table.insert(h.waiting, block.incomplete[i]) end
end

function follow.phi(h, note)
  local block = block_of(h, note.block)
  local phi = {
    id = note.value, var = note.var, block = note.block, note = note, operands = {},
    incomplete = not block.sealed, preds = #block.preds,
    by = h.waiting[#h.waiting], sealing = h.sealing,
  }
  if phi.var and not phi.by then phi.read = h.read end
  h.phis[#h.phis + 1] = phi
  h.by_id[phi.id] = phi
  table.insert(block.made, phi)
  if phi.var then block.phis[phi.var] = phi end
  table.insert(phi.incomplete and block.incomplete or h.waiting, phi)
end

function follow.operand(h, note)
  local phi = h.by_id[note.value]
  if h.waiting[#h.waiting] == phi then table.remove(h.waiting) end
  phi.operands[note.index] = {
    from = note.from, id = note.operand, origins = phi.var and origins(h, phi.var, note.from) or {},
  }
end

-- }== Phis are removed ==================================================

local function now(h, id)
  while h.replaced[id] do id = h.replaced[id] end
  return id
end

-- The operands of a phi that have been replaced, and their replacements.
local function became(h, phi)
  local by = {}
  for _, operand in ipairs(phi.operands) do
    local id = now(h, operand.id)
    if id ~= operand.id then by[operand.id] = id end
  end
  return by
end

function follow.trivial(h, note)
  local phi = h.by_id[note.value]
  phi.gone = { kind = "trivial", note = note, by = note.by, became = became(h, phi) }
  h.replaced[phi.id] = note.by
end

function follow.redundant(h, note)
  local phi = h.by_id[note.value]
  phi.gone = { kind = "redundant", note = note, by = note.by, became = became(h, phi) }
  h.redundant[#h.redundant + 1] = phi
end

function follow.dropped(h, note)
  for _, phi in ipairs(block_of(h, note.block).made) do
    phi.gone = phi.gone or { kind = "dropped", note = note }
  end
end

-- Redundant phis that are operands of each other form one set; they are replaced
-- by the same value.
local function find_sets(h)
  local set_of = {}
  for _, phi in ipairs(h.redundant) do set_of[phi.id] = { phi.id } end
  for _, phi in ipairs(h.redundant) do
    for _, operand in ipairs(phi.operands) do
      local set, other = set_of[phi.id], set_of[now(h, operand.id)]
      if other and other ~= set then
        for _, id in ipairs(other) do
          set[#set + 1] = id
          set_of[id] = set
        end
      end
    end
  end
  for _, phi in ipairs(h.redundant) do
    table.sort(set_of[phi.id])
    phi.gone.set = set_of[phi.id]
    h.replaced[phi.id] = phi.gone.by
  end
  h.redundant = {}
end

function follow.finished(h) find_sets(h) end

-- After reopening, only what is written from there on is known of variables.
function follow.reopened(h)
  for _, block in pairs(h.blocks) do block.writes, block.phis = {}, {} end
end

-- }=====================================================================

-- Events that begin a new call, and so end whatever the one before has begun.
local begins = { block = true, var = true, emit = true, write = true, filled = true }

--- The phis of a story, in the order in which they were made.
---@param story phial.explain.Story
---@return phial.explain.Phi[]
---@return table<integer, phial.explain.Phi> by_id
function M.phis(story)
  local h = {
    entry = 1, params = story.params, blocks = {}, phis = {}, by_id = {}, waiting = {},
    replaced = {}, redundant = {},
  }
  block_of(h, h.entry).sealed = true
  for _, note in ipairs(story.notes) do
    if begins[note.kind] then h.read, h.sealing, h.waiting = nil, nil, {} end
    if follow[note.kind] then follow[note.kind](h, note) end
  end
  find_sets(h)
  for _, phi in ipairs(h.phis) do
    if phi.gone then phi.gone.finally = now(h, phi.id) end
  end
  return h.phis, h.by_id
end

return M
