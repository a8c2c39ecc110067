--- phial.record: what a frontend does with a function, as a trace that
-- phial.replay makes the function again from. docs/trace.md tells what stands
-- in one.
--
-- A recorder listens to the function's log and writes a line for each thing
-- that the frontend did; what construction did by itself it only follows, to
-- know under which name the trace has a value.
local errors = require "phial.errors"
local values = require "phial.trace.values"

---@class phial.Record
local Record = {}
Record.__index = Record

function Record:line(list)
  local line = table.concat(list, " ")
  self.lines[#self.lines + 1] = line
  if self.stream then
    self.stream:write(line, "\n")
    self.stream:flush()
  end
end

-- {== Names ============================================================

-- The name by which a trace calls a block or variable: its number when it has
-- no name, else which of those with that name it is.
local function label(counts, name, number)
  if not name then return tostring(number) end
  counts[name] = (counts[name] or 0) + 1
  return values.name(name) .. (counts[name] > 1 and "/" .. counts[name] or "")
end

function Record:add_block(block)
  self.blocks[block:id()] = label(self.block_names, block:name(), block:id() - 1)
end

-- A variable that was made before recording began gets its line at last.
function Record:var(var)
  local id = var:id()
  if not self.vars[id] then
    self.vars[id] = label(self.var_names, var:name(), id - 1)
    self:line { "V", values.name(var:name()), var:type() }
  end
  return self.vars[id]
end

function Record:bind(id)
  self.values[id] = "%" .. id
  return self.values[id]
end

local leaf = { const = true, undef = true }

-- The name that a value has in the trace, or nil. Its id was another one, if
-- it was a phi that is gone by now. Constants stand for themselves.
function Record:named(value, id)
  id = id or value:id()
  if self.values[id] then return self.values[id] end
  if leaf[value:op()] then return tostring(value) end
  return self.aliases[id] or self.values[value:id()] or self.aliases[value:id()]
end

-- A value that the frontend uses. A phi that no read gave it has been found in
-- its block.
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
  local data = value:data()
  if data == nil then return nil end
  return values.data_text(data, function(it)
    if not self.hosts[it] then
      self.nhosts = self.nhosts + 1
      self.hosts[it] = self.nhosts
    end
    return self.hosts[it]
  end)
end

-- Appends what the instruction carries and its operands.
function Record:operands(list, e)
  local data = self:data(e.value)
  list[#list + 1] = data
  self.datas[e.value_id] = data
  for i, arg in ipairs(e.value:args()) do list[#list + 1] = self:value(arg, e.args_id[i]) end
  return list
end

-- }== Steps ============================================================

-- The block that lines are about, and the frontend's position.
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
    if loc.col or loc.file then line = line .. (" %d"):format(loc.col or 0) end
    if loc.file then line = line .. " " .. values.quoted(loc.file) end
  end
  if self.loc == line then return end
  if self.loc or loc then self:line { line } end
  self.loc = line
end

local on = {}

function on:block(e)
  self:add_block(e.block)
  self:line { "B", e.block:name() and values.name(e.block:name()) }
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
  if copied then
    self:line { "w", var, copied, self:bind(e.value_id) }
    self.copied = nil
  else
    self:line { "w", var, self:value(e.value, e.value_id) }
  end
end

-- Further results, which ops of dialects can have, follow their instruction at
-- once, one after the other; they stand in its line, which is written when the
-- next event comes.
function Record:is_further(value)
  local open = self.open
  return open and value:op() == "proj" and value:args()[1] == open.value
    and value:data() == #open.results + 1
end

function Record:close_line()
  local open = self.open
  if not open then return end
  self.open = nil
  local list = table.move(open.results, 1, #open.results, 2, { "i" })
  self:line(table.move(open.rest, 1, #open.rest, #list + 1, list))
end

function on:emit(e)
  local value = e.value
  if value:op() == "copy" and value:var() then -- a write's
    self.copied = self:value(value:args()[1], e.args_id[1])
    return
  end
  self:at(e)
  local has_result = value:type()
  local rest = self:operands(has_result and { value:type(), value:op() } or { value:op() }, e)
  self.open = { value = value, rest = rest, results = {} }
  if has_result then self.open.results[1] = self:bind(e.value_id) end
  local may_have_more = has_result and value:op():find(".", 1, true)
  if not may_have_more then self:close_line() end
end

-- A phi without a variable is one by hand: its operands follow.
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

-- What replaced a phi goes by its name, if it has none of its own.
function on:trivial(e)
  local name = self.values[e.value_id] or self.aliases[e.value_id]
  self.aliases[e.by_id] = self.aliases[e.by_id] or name
end
on.redundant = on.trivial

-- Appends the blocks that a terminator names.
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
end

function on:defined(e) self:line { "U", self:var(e.var), self:value(e.value, e.value_id) } end

function on:finished()
  self.finished = true
  self:line { "E" }
end

function on:reopened()
  self.finished = false
  self:line { "R" }
end

-- }== The end ==========================================================

-- What can happen to a finished function and be told.
local tells = { var = true, reopened = true }

-- Edits have no lines: what follows one cannot be told either. The trace says
-- so, and stays good for the function that was edited.
function Record:give_up(e)
  self.ended = true
  self:line { ("-- edited at %s: a trace cannot tell that, it ends here"):format(e.place or "?") }
end

-- The function as it is now, in comments.
function Record:epilogue()
  local list = { "-- by now it is:" }
  for line in self.fn:text():gmatch "[^\n]+" do list[#list + 1] = "-- " .. line end
  return list
end

-- }== A recorder =======================================================

function Record:told(event)
  if self.ended then return end
  if self.finished and not tells[event.event] then return self:give_up(event) end
  if self.open then
    if event.event == "emit" and self:is_further(event.value) then
      table.insert(self.open.results, self:bind(event.value_id))
      self.datas[event.value_id] = self:data(event.value)
      return
    end
    self:close_line()
  end
  local step = on[event.event]
  if not step then return end
  self:position(event.loc)
  step(self, event)
end

function Record:start(fn)
  local params = { fn:params() }
  local header = { "F", values.name(fn:name()), "1", "0", fn:result() or "-" }
  self:add_block(fn:entry())
  for i, var in ipairs(params) do
    self.vars[var:id()] = label(self.var_names, var:name(), var:id() - 1)
    header[#header + 1] = values.name(var:name()) .. ":" .. var:type()
    self.values[fn:arg(i):id()] = "%" .. fn:arg(i):id()
  end
  self:line(header)
  if fn:construction() ~= "marker" then self:line { "O", "construction", fn:construction() } end
  if #fn:entry():insts() > 0 then self:line { "O", "copies", "true" } end
end

-- What values that the trace knows have got since they were made: names, and
-- other data.
local function afterwards(self)
  local list = {}
  for value in self.fn:values() do
    local id, name, data = self:named(value), value:name(), self:data(value)
    if id and name then list[#list + 1] = ("N %s %s"):format(id, values.name(name)) end
    if id and data ~= self.datas[value:id()] then
      list[#list + 1] = ("D %s %s"):format(id, data or "{nil}")
    end
  end
  return list
end

-- What stands behind the lines. Of a function that is closed there is nothing
-- to tell.
local function ending(self)
  local ok, list = pcall(self.ended and Record.epilogue or afterwards, self)
  return ok and list or {}
end

--- The trace so far.
---@return string
function Record:text()
  self:close_line()
  local text = table.move(self.lines, 1, #self.lines, 1, {})
  local also = ending(self)
  return table.concat(table.move(also, 1, #also, #text + 1, text), "\n") .. "\n"
end

--- Writes the trace so far to a file.
---@param path string
---@return boolean? # nil and why when that fails
---@return string? why
function Record:save(path)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local ok, failed = file:write(self:text())
  local closed, unwritten = file:close()
  if ok and closed then return true end
  return nil, failed or unwritten
end

function Record:__tostring() return self:text() end

-- With the option `copies` parameters have been copied to their variables.
local function is_untouched(fn)
  local blocks, insts = 0, fn:entry():insts()
  for _ in fn:blocks() do blocks = blocks + 1 end
  for _, v in ipairs(insts) do
    if v:op() ~= "copy" or not v:var() then return false end
  end
  return blocks == 1 and #insts <= select("#", fn:params())
end

---@param fn phial.Function
---@param path? string
---@return phial.Record
return function(fn, path)
  if errors.class(fn) ~= "phial.Function" then
    errors.arg("phial.record", 1, "phial.Function", fn)
  end
  if not is_untouched(fn) then
    errors.raise("function '%s' has blocks or instructions already: record it right after phial.fn",
      fn:name())
  end
  local stream, why
  if path ~= nil then
    if type(path) ~= "string" then errors.arg("phial.record", 2, "string", path) end
    stream, why = io.open(path, "wb")
    if not stream then errors.raise("%s", why) end
  end
  local record = setmetatable({
    fn = fn, lines = {}, stream = stream, blocks = {}, block_names = {}, vars = {}, var_names = {},
    values = {}, aliases = {}, datas = {}, hosts = setmetatable({}, { __mode = "k" }), nhosts = 0,
  }, Record)
  record:start(fn)
  fn:log(function(event) record:told(event) end)
  return record
end

-- }=====================================================================
