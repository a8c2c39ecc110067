--- Logs: what construction does with a function, step by step, for phial.emit.json
-- and phial.emit.html.
--
-- Events are noted when they happen, with ids in place of handles: later, a handle
-- stands for what its value has become, and phis that are gone cannot be asked.
local core = require "phial.core"
local errors = require "phial.errors"
local new_class = require "phial.handle"
local portable = require "phial.portable"
local effects_texts = require("phial.trace.values").effects_texts

--- An event with ids in place of handles; `fields` of docs/json.md.
---@class phial.Note
---@field event string
---@field line? integer of the trace
---@field place? integer of the frontend's script: its number among the places
---@field loc? integer the frontend's position: its number among the places
---@field state? phial.log.Block[] at an event `reopened`: the blocks as they were until then

---@class phial.log.Value
---@field text? string of a constant or an argument, and of what has a name
---@field type? string
---@field op? string
---@field data? string as text
---@field effects? string the same of the classes that it is said to read and write
---@field var? integer

--- What is behind a phial.Log.
---@class phial.trace.Log
---@field fn phial.Function? nil: states are not noted
---@field name string its name: it may be closed
---@field notes phial.Note[]
---@field values table<integer, phial.log.Value>
---@field blocks table<integer, string> names, as in the text form
---@field vars table<integer, {name: string, type: string}>
---@field places {file: string?, line: integer, col: integer?}[]
---@field numbers table<string, integer> of places, by their text
local Log = {}
Log.__index = Log

-- {== Things ===========================================================

-- The data of an instruction, the index of a projection as text, as the core prints them: what is
-- called, or has an address, by its name; other objects are only hinted at.
local function data_text(value)
  local data, name = value:index() or value:data(), core.symbol(value)
  return data ~= nil and (portable.literal(data) or name and "@" .. portable.name(name) or "...")
    or nil
end

--- Notes a variable.
---@param var phial.Variable
---@return integer id
function Log:see_var(var)
  local id = var:id()
  if not self.vars[id] then self.vars[id] = { name = tostring(var), type = var:type() } end
  return id
end

local function describe(self, handle, id)
  if handle:id() ~= id then return {} end
  local var, text, effects = handle:var(), tostring(handle), effects_texts(handle)
  return {
    text = text ~= "%" .. id and text or nil, type = handle:type(), op = handle:op(),
    data = data_text(handle), var = var and self:see_var(var),
    effects = #effects > 0 and table.concat(effects, " ") or nil,
  }
end

--- Notes a value, if the handle still stands for it.
---@param handle phial.Value
---@param id integer
function Log:see_value(handle, id)
  local known = self.values[id]
  if known and known.op then return end
  local ok, it = pcall(describe, self, handle, id)
  if ok and (it.op or not known) then self.values[id] = it end
end

--- Notes a value that stands for a variable until a classical algorithm renames it.
---@param value phial.Value
---@param var phial.Variable
function Log:see_stand_in(value, var)
  self:see_value(value, value:id())
  self.values[value:id()].var = self:see_var(var)
end

--- Notes a block.
---@param block phial.Block
---@return integer id
function Log:see_block(block)
  local id = block:id()
  if not self.blocks[id] then self.blocks[id] = tostring(block) end
  return id
end

--- The number of a place, from 0.
---@param file string?
---@param line integer
---@param col integer?
---@return integer
function Log:place(file, line, col)
  local key = ("%d:%d:%s"):format(line, col or 0, file or "")
  local number = self.numbers[key]
  if not number then
    number = #self.places
    self.numbers[key], self.places[number + 1] = number, { file = file, line = line, col = col }
  end
  return number
end

-- }== Events ===========================================================

-- By class: notes what a field of an event holds, and returns its number.
local see <const> = { ["phial.Block"] = Log.see_block, ["phial.Variable"] = Log.see_var }

-- Fields that are not simply copied.
local special <const> = {
  value = true, operand = true, by = true, value_id = true, operand_id = true, by_id = true,
  args = true, args_id = true, new_args = true, new_args_id = true, place = true, loc = true,
}

local function note_args(self, note, e)
  for _, field in ipairs { "args", "new_args" } do
    local ids = e[field .. "_id"]
    for i, arg in ipairs(e[field] or {}) do self:see_value(arg, ids[i]) end
    note[field] = ids
  end
  if note.event ~= "filled" then return end
  note.targets = {}
  for i, target in ipairs(e.block:succs()) do note.targets[i] = self:see_block(target) end
end

local function note_values(self, note, e)
  for _, field in ipairs { "value", "operand", "by" } do
    local id = e[field .. "_id"]
    note[field] = id
    if id then self:see_value(e[field], id) end
  end
  if note.event ~= "phi" then return end
  local var = e.var
  self.values[note.value] = {
    op = "phi", var = var and var:id(), type = var and var:type() or self.values[note.value].type,
  }
end

--- Notes an event.
---@param e phial.Event
---@param line? integer of a trace
function Log:note(e, line)
  local note = { event = e.event, line = line }
  for field, it in pairs(e) do
    local seen = see[errors.class(it)]
    if seen then
      note[field] = seen(self, it)
    elseif not special[field] and type(it) ~= "table" and type(it) ~= "userdata" then
      note[field] = it
    end
  end
  note_values(self, note, e)
  if e.args_id then note_args(self, note, e) end
  local file, number = (e.place or ""):match "^(.*):(%d+)$"
  if number and not note.line then -- the lines of a replay itself are nothing to note
    note.place = self:place(file, math.tointeger(tonumber(number)))
  end
  if e.loc then note.loc = self:place(e.loc.file, e.loc.line, e.loc.col) end
  if note.event == "reopened" and self.fn then note.state = self:state() end
  if note.event == "block" and e.block:is_sealed() then note.sealed = true end
  self.notes[#self.notes + 1] = note
end

-- }== Functions ========================================================

local function block_ids(blocks)
  local out = {}
  for i, block in ipairs(blocks) do out[i] = block:id() end
  return out
end

-- The ids of values, which are noted as they are now.
local function value_ids(self, values)
  local out = {}
  for i, value in ipairs(values) do
    local id = value:id()
    self.values[id] = describe(self, value, id)
    out[i] = id
  end
  return out
end

---@class phial.log.Block
---@field id integer
---@field preds integer[]
---@field succs integer[]
---@field phis integer[]
---@field insts integer[]
---@field args integer[][] the operands of the phis, then of the instructions

local function block_state(self, block)
  local phis, insts, args = block:phis(), block:insts(), {}
  for _, list in ipairs { phis, insts } do
    for _, value in ipairs(list) do args[#args + 1] = value_ids(self, value:args()) end
  end
  self.blocks[block:id()] = tostring(block)
  return {
    id = block:id(), preds = block_ids(block:preds()), succs = block_ids(block:succs()),
    phis = value_ids(self, phis), insts = value_ids(self, insts), args = args,
  }
end

--- The blocks as they are now, with what is in them.
---@return phial.log.Block[]
function Log:state()
  local out = {}
  for block in self.fn:blocks() do out[#out + 1] = block_state(self, block) end
  return out
end

local M = {}

--- The events that the option `detail` adds; they change nothing.
M.DETAILS = {
  climb = true, marked = true, mark_found = true, unmarked = true, reexamined = true,
  frontier = true, queued = true, taken = true, placed = true, entered = true, left = true,
}

--- A log of a function. It does not listen yet.
---@param fn phial.Function
---@return phial.trace.Log
function M.new(fn)
  return setmetatable({
    fn = fn, name = fn:name(), notes = {}, values = {}, blocks = {}, vars = {}, places = {},
    numbers = {},
  }, Log)
end

local class = new_class "phial.Log"

function class.meta:__tostring()
  local log = class.behind(self)
  return ("phial.Log of '%s': %d events"):format(log.name, #log.notes)
end

--- The phial.Log of a log.
---@type fun(log: phial.trace.Log): phial.Log
M.handle = class.new

--- What is behind a phial.Log; nil of anything else.
---@type fun(it: any): phial.trace.Log?
M.behind = class.behind

-- The latest log of each function that has one.
local logs = setmetatable({}, { __mode = "k" })

--- The latest log of a function, if it has one.
---@param fn phial.Function
---@return phial.trace.Log?
function M.of(fn) return logs[fn] end

--- The log that a function keeps: of fn:log(true), or the option `log`.
---@param fn phial.Function
---@param detail boolean
---@return phial.Log
function M.listen(fn, detail)
  errors.check_untouched(fn, "log")
  local log = M.new(fn)
  fn:log { function(event) log:note(event) end, detail = detail }
  logs[fn] = log
  return class.new(log)
end

return M

-- }=====================================================================
