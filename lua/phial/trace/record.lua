--- phial.record: records what a frontend does with a function, as a trace from
-- which phial.replay makes the function again. docs/trace.md describes traces.
--
-- A recorder listens to the function's log and writes a line for each call of the
-- frontend. It follows what construction does by itself to know the names that
-- values have in the trace.
local core = require "phial.core"
local errors = require "phial.errors"
local new_class = require "phial.handle"
local portable = require "phial.portable"
local signature = require "phial.signature"
local values = require "phial.trace.values"

--- What is behind a phial.Record.
---@class phial.trace.Record
---@field fn phial.Function
---@field lines string[]
---@field stream file*?
---@field blocks table<integer, string> labels by id; likewise vars
---@field vars table<integer, string>
---@field values table<integer, string> names by id
---@field aliases table<integer, string> names taken over from replaced phis, by id
---@field datas table<integer, string> data as recorded, by id
---@field filled table<integer, true> by id of a block
---@field hosts table<any, integer> numbers of data that only the host has
---@field current string? the label of the block of the latest lines
---@field open table? an instruction whose line is not complete
---@field hand table? a phi by hand whose line is not complete
---@field path string? of the stream
local Record = {}
Record.__index = Record

-- Writes to the stream; if that fails, returns nil and why, and nothing more is written.
function Record:put(text)
  local ok, why = self.stream:write(text)
  if ok then ok, why = self.stream:flush() end
  if ok then return true end
  self.stream:close()
  self.stream = nil
  return nil, why
end

-- Adds a line, and writes it to the stream, if there is one; raises why that cannot be written.
function Record:line(list)
  local line = table.concat(list, " ")
  self.lines[#self.lines + 1] = line
  self.open = nil -- not before it is stored: memory may run out, and text is asked for again
  if not self.stream then return end
  local ok, why = self:put(line .. "\n")
  if not ok then errors.raise("the trace cannot be written to '%s': %s", self.path, why) end
end

-- {== Names ============================================================

function Record:add_block(block)
  self.blocks[block:id()] = values.label(self.block_names, block:name(), block:id() - 1)
end

-- The label of a variable; one that was made before recording began gets its line
-- on first use.
function Record:var(var)
  local id = var:id()
  if not self.vars[id] then
    self.vars[id] = values.label(self.var_names, var:name(), id - 1)
    self:line { "V", portable.name(var:name()), var:type() }
  end
  return self.vars[id]
end

function Record:bind(id)
  self.values[id] = "%" .. id
  return self.values[id]
end

local leaf = { const = true, undef = true }

-- The name of a value in the trace, or nil; constants are written as they are. `id`
-- is what the value's id was, if it was a phi that was replaced since.
function Record:named(value, id)
  id = id or value:id()
  if self.values[id] then return self.values[id] end
  if leaf[value:op()] then return tostring(value) end
  return self.aliases[id] or self.values[value:id()] or self.aliases[value:id()]
end

-- The name of a value that the frontend uses. It found a phi that no read returned
-- in the phi's block.
function Record:value(value, id)
  local name = self:named(value, id)
  if name then return name end
  if value:var() and value:block() then
    local block, var = self.blocks[value:block():id()], self:var(value:var())
    self:line { "k", "%" .. value:id(), block, var }
  end
  return self:bind(value:id())
end

function Record:data(value)
  local data = value:index() or value:data()
  if data == nil then return nil end
  return values.data_text(data, function(it)
    if not self.hosts[it] then
      self.nhosts = self.nhosts + 1
      self.hosts[it] = self.nhosts
    end
    return self.hosts[it]
  end)
end

-- Appends the data and the operands of the instruction.
function Record:operands(list, e)
  local data = self:data(e.value)
  list[#list + 1] = data
  self.datas[e.value_id] = data
  local ids = e.args_id
  for i, arg in ipairs(e.value:args()) do list[#list + 1] = self:value(arg, ids[i]) end
  return list
end

-- }== Steps ============================================================

-- Selects the block of the following lines.
function Record:at(event)
  local block = self.blocks[event.block:id()]
  if self.current ~= block then
    self.current = block
    self:line { "b", block }
  end
end

function Record:position(loc)
  local line = "@"
  if loc then
    line = ("@ %d"):format(loc.line)
    local file = loc.file or loc.end_line and ""
    if loc.col or file then line = line .. (" %d"):format(loc.col or 0) end
    if file then line = line .. " " .. portable.quoted(file) end
    if loc.end_line then line = line .. (" %d"):format(loc.end_line) end
    if loc.end_col then line = line .. (" %d"):format(loc.end_col) end
  end
  if self.loc == line then return end
  if self.loc or loc then self:line { line } end
  self.loc = line
end

local on = {}

function on:block(e)
  self:add_block(e.block)
  self:line { "B", e.block:name() and portable.name(e.block:name()) }
  if e.block:is_sealed() then on.sealed(self, e) end
end

function on:var(e) self:var(e.var) end

function on:sealed(e) self:line { "S", self.blocks[e.block:id()] } end

function on:read(e)
  local known = self:named(e.value, e.value_id)
  self:at(e)
  self:line { "r", self:var(e.var), known or self:bind(e.value:id()) }
end

function on:write(e)
  self:at(e)
  local copied, var = self.copied, self:var(e.var)
  local value = copied or self:value(e.value, e.value_id)
  self.copied = nil
  self:line { "w", var, value, copied and self:bind(e.value_id) }
end

function on:kill(e)
  self:at(e)
  self:line { "K", self:var(e.var) }
end

-- Further results of a call or a dialect's op follow their instruction at once. They are on
-- its line, which is written when the next event comes.
function Record:is_further(value)
  local open = self.open
  return open and value:op() == "proj" and value:args()[1] == open.value
    and value:index() == #open.results + 1
end

function Record:close_line()
  local open = self.open
  if not open then return end
  local list = table.move(open.results, 1, #open.results, 2, { "i" })
  table.move(open.rest, 1, 1, #list + 1, list)
  for i = 2, open.differ and #open.types or 1 do
    list[#list + 1], list[#list + 2] = ",", open.types[i]
  end
  self:line(table.move(open.rest, 2, #open.rest, #list + 1, list))
end

-- Lazy definitions are made of calls that traces have no lines for.
local function refuse_lazy(value)
  local op = value:op()
  if (op == "refine" or op == "may") and value:var() then
    errors.raise("a read has found a %s: traces have no lines for refinements and may-writes",
      op == "refine" and "refinement" or "may-write")
  end
end

-- False also of a value that is gone.
local function is_alloca(value)
  local ok, op = pcall(value.op, value)
  return ok and op == "alloca"
end

function on:emit(e)
  local value = e.value
  if self.filled[e.block:id()] and not is_alloca(value) then return end -- when finish simplifies
  refuse_lazy(value)
  if value:op() == "copy" and value:var() then -- a write's
    self.copied = self:value(value:args()[1], e.args_id[1])
    return
  end
  self:at(e)
  local has_result = value:type()
  local rest = self:operands(has_result and { value:type(), value:op() } or { value:op() }, e)
  table.move(values.effects_texts(value), 1, 2, #rest + 1, rest)
  self.open = { value = value, rest = rest, results = {}, types = { has_result } }
  if has_result then self.open.results[1] = self:bind(e.value_id) end
  local op = value:op()
  local may_have_more = has_result and (op:find(".", 1, true) or op:find "^call")
  if not may_have_more then self:close_line() end
end

-- A phi without a variable was made by hand: its operands follow.
function on:phi(e)
  if e.var then return end
  self.hand = { id = e.value_id, left = #e.block:preds(), line = { "p", "%" .. e.value_id } }
end

function on:operand(e)
  local hand = self.hand
  if not hand or hand.id ~= e.value_id then return end
  self:at(e)
  hand.line[#hand.line + 1] = self.blocks[e.from:id()]
  hand.line[#hand.line + 1] = self:value(e.operand, e.operand_id)
  hand.left = hand.left - 1
  if hand.left > 0 then return end
  self.hand = nil
  self:bind(hand.id)
  self:line(hand.line)
end

-- The value that replaces a phi takes over its name, unless it has its own.
function on:trivial(e)
  local name = self.values[e.value_id] or self.aliases[e.value_id]
  self.aliases[e.by_id] = self.aliases[e.by_id] or name
end
on.redundant = on.trivial

-- Appends the targets of a terminator.
function Record:targets(list, e)
  for _, block in ipairs(e.block:succs()) do list[#list + 1] = self.blocks[block:id()] end
  return list
end

local ends = {}

function ends:jump(e) return self:targets({ "j" }, e) end

function ends:branch(e) return self:operands(self:targets({ "c" }, e), e) end

function ends:switch(e)
  return self:operands(self:targets({ "s", #e.block:succs() }, e), e)
end

function ends:ret(e)
  return #e.args_id > 0 and self:operands({ "x" }, e) or { "x", "-" }
end

-- Any other terminator.
local function other(self, e)
  local list = self:operands({ "t", e.value:op() }, e)
  list[#list + 1] = #e.block:succs() > 0 and ">" or nil
  return self:targets(list, e)
end

function on:filled(e)
  self:at(e)
  self:line((ends[e.value:op()] or other)(self, e))
  self.filled[e.block:id()] = true
end

function on:defined(e) self:line { "U", self:var(e.var), self:value(e.value, e.value_id) } end

function on:finished()
  self.finished = true
  self:line { "E", self.fn:keeps_unreachable() and "keep_unreachable" or nil }
end

function on:reopened()
  self.finished = false
  self:line { "R" }
end

-- }== The end ==========================================================

-- The events of a finished function that have lines.
local tells = { var = true, reopened = true }

-- Ends the trace at the first edit, which has no line: the trace makes the function
-- as it was before.
function Record:give_up(e)
  self.ended = true
  local at = e.place or "?"
  self:line { ("-- edited at %s: the trace ends here, it cannot express edits"):format(at) }
end

-- The function as it is now, in comments.
function Record:epilogue()
  local list = { "-- the function is now:" }
  for line in self.fn:text():gmatch "[^\n]+" do list[#list + 1] = "-- " .. line end
  return list
end

-- }== A recorder =======================================================

function Record:told(event)
  if self.ended then return end
  if self.finished and not tells[event.event] then return self:give_up(event) end
  if self.open then
    if event.event == "emit" and self:is_further(event.value) then
      local type = event.value:type()
      table.insert(self.open.results, self:bind(event.value_id))
      table.insert(self.open.types, type)
      self.open.differ = self.open.differ or type ~= self.open.types[1]
      self.datas[event.value_id] = self:data(event.value)
      return
    end
    self:close_line()
  end
  if self.copied and event.event ~= "write" then -- the copy of a write is followed by the write
    errors.raise "a may-write has made a copy: traces have no lines for refinements and may-writes"
  end
  local step = on[event.event]
  if not step then return end
  self:position(event.loc)
  step(self, event)
end

function Record:start(fn)
  local params = fn:params()
  local header = { "F", portable.name(fn:name()), "1", "0",
    fn:result() and table.concat(fn:results(), ",") or "-" }
  self:add_block(fn:entry())
  for i, var in ipairs(params) do
    self.vars[var:id()] = values.label(self.var_names, var:name(), var:id() - 1)
    header[#header + 1] = portable.name(var:name()) .. ":" .. var:type()
    self.values[fn:arg(i):id()] = "%" .. fn:arg(i):id()
  end
  self:line(header)
  if fn:construction() ~= "marker" then self:line { "O", "construction", fn:construction() } end
  if #fn:entry():insts() > 0 then self:line { "O", "copies", "true" } end
  if fn:keeps_unreachable() then self:line { "O", "keep_unreachable", "true" } end
  if fn:is_variadic() then self:line { "O", "variadic", "true" } end
  if fn:linkage() == "internal" then self:line { "O", "linkage", "internal" } end
  for i, passing in pairs(signature.passings(fn)) do
    local kind, members = passing:match "^(%S+) ?(.*)$"
    self:line { "O", kind, i, members ~= "" and members:gsub(" ", "") or nil }
  end
end

-- Starts to write lines to the path, if there is one; nil and why if that fails.
function Record:open_stream()
  if not self.path then return true end
  local stream, why = io.open(self.path, "wb")
  if not stream then return nil, why end
  self.stream = stream
  local ok, failed = self:put(table.concat(self.lines, "\n") .. "\n")
  return ok, failed and ("%s: %s"):format(self.path, failed)
end

-- Lines for names and data that values got after they were made.
local function afterwards(self)
  local list = {}
  for value in self.fn:values() do
    local id, name, data = self:named(value), value:name(), self:data(value)
    if id and name then list[#list + 1] = ("N %s %s"):format(id, portable.name(name)) end
    if id and data ~= self.datas[value:id()] then
      list[#list + 1] = ("D %s %s"):format(id, data or "{nil}")
    end
  end
  return list
end

-- }== What the host has ================================================

local class = new_class "phial.Record"

---@class phial.Record
local Handle = class.methods -- types/phial.lua says what they take and return

-- Checks self and the number of further arguments; returns what is behind self.
local function check_call(self, method, expected, ...)
  local record = class.behind(self)
    or errors.self(method, "phial.Record", self, " (use ':'?)")
  errors.count(method, expected, expected, 0, ...)
  return record
end

local function check_path(method, i, path)
  errors.check_string(method, i, path)
  if path:find("\0", 1, true) then errors.arg(method, i, "path without NUL", path) end
end

--- The trace so far.
function Handle:text(...)
  local record = check_call(self, "text", 0, ...)
  record:close_line()
  local text = table.move(record.lines, 1, #record.lines, 1, {})
  if core.is_usable(record.fn) then
    local also = record.ended and record:epilogue() or afterwards(record)
    table.move(also, 1, #also, #text + 1, text)
  end
  return table.concat(text, "\n") .. "\n"
end

--- Writes the trace so far to a file.
function Handle:save(...)
  check_call(self, "save", 1, ...)
  local path, text = ..., self:text()
  check_path("save", 1, path)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local ok, failed = file:write(text)
  local closed, unwritten = file:close()
  if ok and closed then return true end
  return nil, ("%s: %s"):format(path, failed or unwritten)
end

class.meta.__tostring = Handle.text

local M = {}

--- Starts recording a new function.
function M.record(fn, path, ...)
  errors.count("phial.record", 1, 2, 2, ...)
  errors.check_untouched(fn, "record")
  if path ~= nil then check_path("phial.record", 2, path) end
  local record = setmetatable({
    fn = fn, lines = {}, path = path, blocks = {}, block_names = {}, vars = {},
    var_names = {}, values = {}, aliases = {}, datas = {}, filled = {},
    hosts = setmetatable({}, { __mode = "k" }), nhosts = 0,
  }, Record)
  record:start(fn)
  local ok, why = record:open_stream()
  if not ok then return nil, why end
  fn:log(function(event) record:told(event) end)
  return class.new(record)
end

-- }=====================================================================

return M
