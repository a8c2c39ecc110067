-- The story of a construction: a note of each event, with ids in place of handles, since notes
-- outlive phis that are removed and functions that are closed. From the notes, in order, the
-- history of each phi: what requested it, where its operands came from, why it was removed.
local logs = require "phial.trace.log"
local phial = require "phial"

local M = {}

-- {== Notes ============================================================

---@class phial.explain.Note: phial.Note
---@field at string where it happened
---@field called string the frontend's line

---@class phial.explain.Story
---@field log phial.trace.Log
---@field name string
---@field notes phial.explain.Note[]
---@field params table<integer, integer> by variable: the value of the argument
---@field values table<integer, string> as they were when the function was looked at; likewise
---@field blocks table<integer, string>
---@field vars table<integer, string>
---@field text? string the function's, once it is finished
local Story = {}
Story.__index = Story

-- Events that belong to no line of the frontend's source.
local own = { sealed = true, dropped = true, redundant = true, finished = true, reopened = true }

-- Events that are effects of the one before.
local effects = { operand = true, trivial = true }

-- Where it happened: in the frontend's source if the frontend has set a position,
-- else in the frontend.
local function place_of(e, called, last)
  local loc = e.loc
  if effects[e.event] and last then return last.at end
  if not loc or own[e.event] then return called end
  if not loc.file and not loc.col then return "line " .. loc.line end
  return (loc.file and loc.file .. ":" or "") .. loc.line .. (loc.col and ":" .. loc.col or "")
end

--- Keeps a note of an event.
---@param e phial.Event
---@param called? string instead of the frontend's line
function Story:note(e, called)
  local last = self.notes[#self.notes]
  self.log:note(e)
  local note = self.notes[#self.notes]
  note.called = called or e.place or "?"
  note.at = place_of(e, note.called, last)
  if e.event == "finished" then self:look() end
end

--- Looks at the function as it is now, if it still exists: names as in the text form may have been
--- given, or have become ambiguous, after they were first seen. A value that no event has made is
--- what a variable was before the undef callback defined it.
function Story:look()
  local log = self.log
  pcall(function()
    local fn = self.its.fn
    for block in fn:blocks() do self.blocks[block:id()] = tostring(block) end
    for value in fn:values() do
      if value:type() then self.values[value:id()] = tostring(value) end
    end
    self.text = fn:text()
  end)
  for id, it in pairs(log.values) do
    self.values[id] = self.values[id] or it.op and (it.text or "%" .. id) or "undef"
  end
  for id, var in pairs(log.vars) do self.vars[id] = var.name end
end

--- The story of a function that has just been made. It does not keep the function.
---@param fn phial.Function
---@return phial.explain.Story
function M.story(fn)
  local log = logs.new(fn)
  local self = setmetatable({
    log = log, its = setmetatable({ fn = fn }, { __mode = "v" }), name = fn:name(),
    notes = log.notes, blocks = log.blocks, values = {}, vars = {}, params = {},
  }, Story)
  log.fn = nil
  log:see_block(fn:entry())
  for i, var in ipairs(fn:params()) do
    local arg = fn:arg(i)
    self.params[log:see_var(var)] = arg:id()
    log:see_value(arg, arg:id())
  end
  return self
end

-- An error in a call of phial.fn is positioned at the caller.
local function made(ok, fn, ...)
  if not ok then error(tostring(fn):gsub("^.-:%d+: ", "", 1), 3) end
  return fn, ...
end

--- Calls f, and `begin` for each function that is made during the call, right after that.
---@param f fun()
---@param begin fun(fn: phial.Function)
---@return boolean ok
---@return any err what f raised
function M.watching(f, begin)
  local real = phial.fn
  function phial.fn(...)
    local fn = made(pcall(real, ...))
    begin(fn)
    return fn
  end
  local ok, err = xpcall(f, function(why)
    return type(why) == "string" and debug.traceback(why, 2) or why
  end)
  phial.fn = real
  return ok, err
end

--- Begins the story of a function that has just been made.
---@param stories phial.explain.Story[] it is added here
---@param fn phial.Function
function M.listen(stories, fn)
  local story = M.story(fn)
  stories[#stories + 1] = story
  fn:log(function(e) story:note(e) end)
end

--- Replays a trace and listens.
---@param text string
---@param file string
---@return phial.explain.Story[]? # nil when a line cannot be read
---@return string? problem
function M.replayed(text, file)
  local steps, why = phial.steps(text, { file = file })
  if not steps then return nil, why end
  local stories, of = {}, nil
  for step in steps do
    why = step.problem
    if step.fn and step.fn ~= of then
      of = step.fn
      stories[#stories + 1] = M.story(of)
    end
    for _, e in ipairs(step.events or {}) do
      stories[#stories]:note(e, file .. ":" .. step.line)
    end
  end
  for _, story in ipairs(stories) do story:look() end
  return stories, why
end

-- }== Histories =========================================================
--
-- What requested a phi: a look-up makes phis on its way up, each before the phis that it needs
-- itself; so of the phis that wait for their operands, the latest is the one that the next phi is
-- for. Sealing gives operands to the incomplete phis of a block in the order in which they were
-- made, and looks up for these.

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

-- }== Blocks ============================================================

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

local function replace(h, note)
  local phi = h.by_id[note.value]
  phi.gone = { kind = note.event, note = note, by = note.by, became = became(h, phi) }
  return phi
end

function follow.trivial(h, note) h.replaced[replace(h, note).id] = note.by end

function follow.redundant(h, note) table.insert(h.redundant, replace(h, note)) end

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

follow.finished = find_sets

-- After reopening, only what is written from there on is known of variables.
function follow.reopened(h)
  for _, block in pairs(h.blocks) do block.writes, block.phis = {}, {} end
end

-- }== The phis ==========================================================

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
    if begins[note.event] then h.read, h.sealing, h.waiting = nil, nil, {} end
    if follow[note.event] then follow[note.event](h, note) end
  end
  find_sets(h)
  for _, phi in ipairs(h.phis) do
    if phi.gone then phi.gone.finally = now(h, phi.id) end
  end
  return h.phis, h.by_id
end

-- }=====================================================================

return M
