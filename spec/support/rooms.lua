-- Random accesses to memory, for spec/support/arithmetic.lua: a function has two rooms,
-- which it allocates and fills with zeros, or of which it is given one. A room has a part for
-- integers, which overlap, and one for each other type, so that the bits of a nan are not
-- observed. Each part is a class of memory, which some accesses say.
local M = {}

-- By type: where its part of a room begins, the number of values, their size, the part's class.
local PARTS = {
  i8 = { 0, 16, 1, "integers" }, i16 = { 0, 8, 2, "integers" },
  i32 = { 0, 4, 4, "integers" }, i64 = { 0, 2, 8, "integers" },
  i1 = { 16, 4, 1, "booleans" }, f32 = { 24, 4, 4, "singles" }, f64 = { 40, 2, 8, "doubles" },
  ptr = { 56, 2, 8, "addresses" },
}

--- The classes of all parts: what a call that is given a room reads and writes.
M.classes = { "addresses", "booleans", "doubles", "integers", "singles" }

local ROOM, INTEGERS = 72, 16

--- The members of a struct of such a size.
M.STRUCT = "{i64[9]}"

-- The ops of an access. Integers that are not aligned begin at the first bytes of their part.
local HOW = { "", "", "", "_volatile", "_unaligned" }

--
-- {== Generating ======================================================
--

local steps = {}

-- The index is that of a constant, or a variable; if program.memory is "fixed", a constant, so
-- that fn:promote() can do something.
local function place(pick, program, type, operand)
  local fixed = program.memory == "fixed"
  local index = not fixed and pick(2) == 1 and operand "i64" or { const = pick(4), type = "i64" }
  local how = HOW[pick(#HOW)]
  return { room = pick(2), type = type, index = index,
    how = fixed and how == "_volatile" and pick(20) > 1 and "" or how }
end

function steps.load(pick, program, operand)
  local to = pick(#program.vars)
  return { access = "load", to = to, at = place(pick, program, program.vars[to], operand) }
end

function steps.store(pick, program, operand)
  local type = program.vars[pick(#program.vars)]
  return { access = "store", at = place(pick, program, type, operand), value = operand(type) }
end

function steps.memcpy(pick) return { access = "memcpy", room = pick(2), from = pick(2) } end

function steps.memmove(pick, program, operand)
  local to = place(pick, program, "i64", operand)
  local from = place(pick, program, "i64", operand)
  to.how, from.how = "_unaligned", "_unaligned"
  return { access = "memmove", to = to, from = from }
end

function steps.memset(pick, _, operand)
  return { access = "memset", room = pick(2), value = operand "i8" }
end

local KINDS = { "load", "load", "load", "store", "store", "store", "memcpy", "memmove", "memset" }

--- A random access.
---@param pick fun(n: integer): integer
---@param program table
---@param operand fun(type: string): table
---@return table
function M.step(pick, program, operand)
  local step = steps[KINDS[pick(#KINDS)]](pick, program, operand)
  step.says = pick(2) == 1
  return step
end

-- }== Building ========================================================

--- Allocates the rooms, in the entry; one is given, maybe.
---@param fn phial.Function
---@param given phial.Value?
---@return phial.Value[]
function M.open(fn, given)
  local rooms, b = { nil, given }, fn:entry()
  local count = given and 1 or 2
  for i = 1, count do rooms[i] = b:alloca(ROOM, 8) end
  for i = 1, count do b:memset(rooms[i], fn:const(0, "i8"), ROOM) end
  return rooms
end

local function address(b, rooms, at, read)
  local start, count, size = table.unpack(PARTS[at.type])
  if start == 0 and at.how == "_unaligned" then count, size = 8, 1 end
  local known = at.index.const
  if known then return b:ptradd(rooms[at.room], (known & count - 1) * size + start) end
  local offset = b:mul(b:band(read(at.index), count - 1), size)
  return b:ptradd(rooms[at.room], b:add(offset, start))
end

-- The classes that an access says, as extras.
local function said(step)
  local kind, at = step.access, step.at
  if not step.says or at and at.how == "_volatile" then return {} end
  local classes = kind == "memcpy" and M.classes or { PARTS[at and at.type or "i64"][4] }
  return { reads = kind ~= "store" and kind ~= "memset" and classes or nil,
    writes = kind ~= "load" and classes or nil }
end

--- Emits an access; returns what a load gives.
---@param b phial.Block
---@param rooms phial.Value[]
---@param step table
---@param read fun(operand: table): phial.Value
---@return phial.Value?
function M.emit(b, rooms, step, read)
  local kind, at, extras = step.access, step.at, said(step)
  if kind == "load" then
    return b:emit("load" .. at.how, address(b, rooms, at, read), at.type, extras)
  elseif kind == "store" then
    b:emit("store" .. at.how, address(b, rooms, at, read), read(step.value), extras)
  elseif kind == "memcpy" then
    b:memcpy(rooms[step.room], rooms[step.from], ROOM, extras)
  elseif kind == "memmove" then
    local to, from = address(b, rooms, step.to, read), address(b, rooms, step.from, read)
    b:memmove(to, from, 8, extras)
  else
    b:memset(rooms[step.room], read(step.value), INTEGERS, extras)
  end
end

--- The integers in the rooms, as values.
---@param b phial.Block
---@param rooms phial.Value[]
---@return phial.Value[]
function M.integers(b, rooms)
  local all = {}
  for _, room in ipairs(rooms) do
    for offset = 0, INTEGERS - 8, 8 do all[#all + 1] = b:load(b:ptradd(room, offset), "i64") end
  end
  return all
end

-- }====================================================================

return M
