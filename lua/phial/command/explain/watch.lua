-- Listens to the construction of functions. Keeps a note of each event, with ids
-- in place of handles: the notes outlive phis that are removed and functions that
-- are closed.
local phial = require "phial"

local M = {}

---@class phial.explain.Note
---@field kind phial.EventName
---@field place string
---@field called string the frontend's line
---@field block? integer
---@field from? integer
---@field var? integer
---@field value? integer
---@field operand? integer
---@field by? integer
---@field index? integer
---@field op? string of an instruction, with its data
---@field args? integer[] its operands
---@field typed? boolean it has a result
---@field targets? integer[] of a terminator
---@field sealed? boolean of a block that is made

---@class phial.explain.Story
---@field name string
---@field notes phial.explain.Note[]
---@field params table<integer, integer> by variable: the value of the argument
---@field text? string the function's, once it is finished
local Story = {}
Story.__index = Story

-- Notes the text of a value, if the handle still stands for that value. A value
-- that no event has made is what a variable was before the undef callback defined
-- it.
local function see(self, handle, id)
  if not handle then return end
  pcall(function()
    if handle:id() == id and handle:type() then self.values[id] = tostring(handle) end
  end)
  self.values[id] = self.values[id] or self.made[id] and "%" .. id or "undef"
end

local function see_block(self, block)
  local id = block:id()
  local ok, text = pcall(tostring, block)
  self.blocks[id] = ok and text or self.blocks[id] or block:name() or "b" .. id
  return id
end

-- Names as in the text form: they may have been given, or have become ambiguous,
-- after they were first seen.
local function see_all(self, fn)
  for block in fn:blocks() do see_block(self, block) end
  for value in fn:values() do see(self, value, value:id()) end
end

local function carried(value)
  local data = value:index() or value:data()
  if data == nil then return "" end
  local kind = type(data)
  if kind == "string" then return (" {%q}"):format(data) end
  return (kind == "number" or kind == "boolean") and (" {%s}"):format(data) or " {...}"
end

local function instruction(self, note, e)
  note.op, note.args = e.value:op() .. carried(e.value), e.args_id
  note.typed = e.value:type() ~= nil
  for i, arg in ipairs(e.value:args()) do see(self, arg, e.args_id[i]) end
  if e.event ~= "filled" then return end
  note.targets = {}
  for i, target in ipairs(e.block:succs()) do note.targets[i] = see_block(self, target) end
end

-- Events that belong to no line of the frontend's source.
local own = { sealed = true, dropped = true, redundant = true, finished = true, reopened = true }

-- Events that are effects of the one before.
local follows = { operand = true, trivial = true }

-- Where it happened: in the frontend's source if the frontend has set a position,
-- else in the frontend.
local function place_of(self, e, called)
  local loc, last = e.loc, self.notes[#self.notes]
  if follows[e.event] and last then return last.place end
  if not loc or own[e.event] then return called end
  if not loc.file and not loc.col then return "line " .. loc.line end
  return (loc.file and loc.file .. ":" or "") .. loc.line .. (loc.col and ":" .. loc.col or "")
end

--- Keeps a note of an event.
---@param e phial.Event
---@param called? string instead of the frontend's line
function Story:note(e, called)
  called = called or e.place or "?"
  local note = {
    kind = e.event, called = called, place = place_of(self, e, called), index = e.index,
    value = e.value_id, operand = e.operand_id, by = e.by_id,
  }
  if e.block then note.block = see_block(self, e.block) end
  if e.from then note.from = see_block(self, e.from) end
  if e.var then
    note.var = e.var:id()
    self.vars[note.var] = tostring(e.var)
  end
  if e.event == "phi" or e.event == "emit" then self.made[e.value_id] = true end
  see(self, e.value, e.value_id)
  see(self, e.operand, e.operand_id)
  see(self, e.by, e.by_id)
  if e.args_id then instruction(self, note, e) end
  if e.event == "block" then note.sealed = e.block:is_sealed() end
  self.notes[#self.notes + 1] = note
  if e.event == "finished" then self:look() end
end

--- Looks at the function as it is now, if it still exists.
function Story:look()
  pcall(function()
    see_all(self, self.its.fn)
    self.text = self.its.fn:text()
  end)
end

--- The story of a function that has just been made.
---@param fn phial.Function
---@return phial.explain.Story
function M.story(fn)
  local self = setmetatable({
    its = setmetatable({ fn = fn }, { __mode = "v" }), name = fn:name(), notes = {},
    made = {}, values = {}, blocks = {}, vars = {}, params = {},
  }, Story)
  see_block(self, fn:entry())
  for i, var in ipairs { fn:params() } do
    local arg = fn:arg(i)
    self.vars[var:id()], self.params[var:id()] = tostring(var), arg:id()
    see(self, arg, arg:id())
  end
  return self
end

-- An error in a call of phial.fn is positioned at the caller.
local function made(ok, fn, ...)
  if not ok then error(tostring(fn):gsub("^.-:%d+: ", "", 1), 3) end
  return fn, ...
end

--- Calls f, and listens to all functions made during the call.
---@param f fun()
---@param stories? phial.explain.Story[] their stories are added here, as they begin
---@return phial.explain.Story[]
---@return boolean ok
---@return any err what f raised
function M.during(f, stories)
  local real = phial.fn
  stories = stories or {}
  function phial.fn(...)
    local fn = made(pcall(real, ...))
    local story = M.story(fn)
    stories[#stories + 1] = story
    fn:log(function(e) story:note(e) end)
    return fn
  end
  local ok, err = xpcall(f, function(why)
    return type(why) == "string" and debug.traceback(why, 2) or why
  end)
  phial.fn = real
  for _, story in ipairs(stories) do story:look() end
  return stories, ok, err
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

return M
