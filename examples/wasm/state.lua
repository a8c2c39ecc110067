-- The state in which a function is translated: the stack of operands as values, and that of
-- open structures, whose labels become blocks.

---@class wasm.Frame a function, block, loop or if that is open
---@field types phial.Type[] of the operands that a branch to it takes along
---@field results phial.Type[] of the operands that it leaves
---@field height integer operands below its own
---@field label phial.Block? where branches to it lead; made for the first one
---@field otherwise phial.Block? of an if, until its else
---@field params phial.Value[]? of an if, for its else

---@class wasm.State
---@field fn phial.Function
---@field block phial.Block? nil where nothing comes
---@field stack phial.Value[]
---@field n integer operands on the stack
---@field bit boolean the next instruction is a condition, and its operand an i1
---@field frames wasm.Frame[]
---@field slots table<phial.Type, phial.Variable[]> what branches take along, by its height
local State = {}
State.__index = State

function State.new(fn, reader, context)
  return setmetatable({ fn = fn, block = fn:entry(), reader = reader, context = context,
    stack = {}, n = 0, bit = false, frames = {}, slots = {}, skipped = 0 }, State)
end

function State:push(v)
  local n = self.n + 1
  self.stack[n], self.n = v, n
end

function State:pop()
  local n = self.n
  if n == 0 then error("the stack is empty", 0) end
  self.n = n - 1
  return self.stack[n]
end

--- Takes n operands off the stack.
---@return phial.Value ...
function State:take(n)
  local top = self.n
  self.n = top - n
  return table.unpack(self.stack, top - n + 1, top)
end

--- Pushes several values.
function State:push_all(...)
  for i = 1, select("#", ...) do self:push((select(i, ...))) end
end

--- Pops an operand as a condition.
---@return phial.Value an i1
function State:condition()
  local v, bit = self:pop(), self.bit
  self.bit = false
  return bit and v or self.block:ne(v, 0)
end

local function slot(self, height, type)
  local list = self.slots[type] or {}
  self.slots[type] = list
  list[height] = list[height] or self.fn:var("s" .. height, type)
  return list[height]
end

--- The block where branches to a frame lead, for which it keeps the operands that they take
--- along.
---@param frame wasm.Frame
---@return phial.Block
function State:target(frame)
  local types, block = frame.types, self.block
  local below = self.n - #types
  for i, type in ipairs(types) do
    block:write(slot(self, frame.height + i, type), self.stack[below + i])
  end
  frame.label = frame.label or self.fn:block "block"
  return frame.label
end

--- The frame to which a branch of this depth leads.
function State:frame(depth)
  return self.frames[#self.frames - depth] or error(("there is no label %d"):format(depth), 0)
end

--- A thing of the module by its index.
---@param kind "funcs"|"globals"|"types"|"data"|"elements"
---@param n integer
function State:item(kind, n)
  return self.context[kind][n + 1] or error(("there is no %d among the %s"):format(n, kind), 0)
end

--- Nothing comes after what was emitted last.
function State:stop()
  self.block, self.bit = nil, false
end

--- A jump to a frame; nothing comes after it.
function State:leave(frame)
  self.block:jump(self:target(frame))
  self:stop()
end

--- Goes on at a block to which all edges are known.
function State:go_on(block)
  block:seal()
  self.block = block
end

--- Goes on at the label of a frame, whose operands are read from where branches left them.
---@param frame wasm.Frame
function State:enter(frame)
  self.block, self.n = frame.label, frame.height
  for i, type in ipairs(frame.types) do
    self:push(self.block:read(slot(self, frame.height + i, type)))
  end
end

--- Opens a structure, of whose parameters the operands are on the stack.
---@return wasm.Frame
function State:open(types, params, results)
  local frame = { types = types, results = results, height = self.n - #params }
  table.insert(self.frames, frame)
  return frame
end

--- The else of an if, at its place or, where it is missing, at the end.
function State:otherwise(frame)
  if not frame.otherwise then error("an else without an if", 0) end
  if self.block then self:leave(frame) end
  self:go_on(frame.otherwise)
  frame.otherwise, self.n = nil, frame.height
  self:push_all(table.unpack(frame.params))
end

--- Closes the innermost structure.
function State:close()
  local frame = table.remove(self.frames) or error("an end without a structure", 0)
  if frame.otherwise then self:otherwise(frame) end
  if frame.types ~= frame.results then frame.label:seal() -- a loop
  elseif frame.label then
    if self.block then self:leave(frame) end
    frame.label:seal()
    self:enter(frame)
  end
end

return State
