-- Reads bytecode of Lua 5.4, as written by string.dump and luac, into tables.
--
-- A function ("prototype") becomes a table:
--   line, params, vararg, stack   the line where it starts, its number of parameters,
--                                 whether it takes more, its number of registers
--   code        its instructions, 32-bit integers
--   constants   what instructions refer to as K[i], from 0; .n is their number
--   upvalues    { instack=, index=, name= }, from 0: instack ones are registers
--               of the enclosing function, the others upvalues of it
--   children    the prototypes of the functions that it makes, from 0
--   lines       the source line of each instruction (empty if stripped)
--   locals      { name=, from=, to= }: visible in from <= pc < to, pc from 0
--
-- Sizes and counts are compared with the rest of the chunk before anything of that
-- size is allocated: an inconsistent chunk is an error, not a crash.
local M = {}

local SIGNATURE = "\27Lua"
local VERSION, FORMAT = 0x54, 0
local DATA = "\x19\x93\r\n\x1a\n"
local INT, NUM = 0x5678, 370.5
local DEPTH = 200 -- the compiler's limit

local unpack = string.unpack

local function bad(why)
  error("bad bytecode: " .. why, 0)
end

-- The reader's state is { data =, at = the position of the next byte }.

local function need(s, bytes)
  if bytes > #s.data - s.at + 1 then bad "it is truncated" end
end

local function take(s, format, bytes)
  need(s, bytes)
  local value = unpack(format, s.data, s.at)
  s.at = s.at + bytes
  return value
end

local function byte(s)
  local value = s.data:byte(s.at)
  if not value then bad "it is truncated" end
  s.at = s.at + 1
  return value
end

-- Seven bits per byte, the most significant first; the last byte has bit 7 set.
local function size(s)
  local value = 0
  while true do
    local b = byte(s)
    if value >> 55 ~= 0 then bad "a size overflows" end
    value = value << 7 | b & 0x7f
    if b >= 0x80 then return value end
  end
end

local function int(s)
  local value = size(s)
  if value > 0x7fffffff then bad "a number overflows" end
  return value
end

-- A count of things of at least `bytes` bytes each.
local function count(s, bytes)
  local n = size(s)
  if n > (#s.data - s.at + 1) // bytes then bad "it is truncated" end
  return n
end

local function text(s)
  local n = size(s)
  if n == 0 then return nil end
  need(s, n - 1)
  s.at = s.at + n - 1
  return s.data:sub(s.at - n + 1, s.at - 1)
end

local function integer(s) return take(s, "=i8", 8) end
local function float(s) return take(s, "=d", 8) end

local function expect(ok, why, ...)
  if not ok then error(why:format(...), 0) end
end

local function header(s)
  expect(s.data:sub(1, #SIGNATURE) == SIGNATURE, "not Lua bytecode")
  s.at = #SIGNATURE + 1
  local version, format = byte(s), byte(s)
  expect(version == VERSION, "bytecode of Lua %d.%d, not of Lua 5.4",
    version >> 4, version & 15)
  expect(format == FORMAT, "bytecode of format %d, not of the official format",
    format)
  local data = take(s, "c6", #DATA)
  expect(data == DATA, "bytecode was damaged by a conversion of line ends")
  for name, bytes in ("instruction4 integer8 float8 "):gmatch "(%a+)(%d)" do
    local got = byte(s)
    expect(got == tonumber(bytes), "bytecode with %ss of %d bytes, not %s",
      name, got, bytes)
  end
  expect(integer(s) == INT, "bytecode with integers of another byte order")
  expect(float(s) == NUM, "bytecode with floats of another format")
end

local constant = {
  [0x00] = function() return nil end,
  [0x01] = function() return false end,
  [0x11] = function() return true end,
  [0x03] = integer,
  [0x13] = float,
  [0x04] = text,
  [0x14] = text,
}

local function constants(s)
  local list = { n = count(s, 1) }
  for i = 0, list.n - 1 do
    local tag = byte(s)
    if not constant[tag] then bad(("unknown type of constant %d"):format(tag)) end
    list[i] = constant[tag](s)
  end
  return list
end

local function code(s)
  local n = count(s, 4)
  local list, data, at = {}, s.data, s.at
  for i = 1, n do
    list[i] = unpack("=I4", data, at)
    at = at + 4
  end
  s.at = at
  return list
end

local function upvalues(s)
  local n = count(s, 3)
  local list = { n = n }
  for i = 0, n - 1 do
    local instack, index, _ = byte(s), byte(s), byte(s) -- the kind is not needed
    list[i] = { instack = instack ~= 0, index = index }
  end
  return list
end

-- Lines are stored as differences from the previous line; if a difference does not
-- fit in a byte it is -128, and a second list contains the line itself.
local function lines(s, first)
  local n = count(s, 1)
  local deltas = s.data:sub(s.at, s.at + n - 1)
  s.at = s.at + n
  local absolute = {}
  for _ = 1, count(s, 2) do
    local pc = int(s)
    absolute[pc] = int(s)
  end
  local list, line = {}, first
  for i = 1, n do
    local delta = unpack("b", deltas, i)
    line = delta == -128 and (absolute[i - 1] or line) or line + delta
    list[i] = line
  end
  return list
end

local function locals(s)
  local list = {}
  for i = 1, count(s, 3) do
    list[i] = { name = text(s) or "?", from = int(s), to = int(s) }
  end
  return list
end

local function upvalue_names(s, list)
  for i = 0, count(s, 1) - 1 do
    if not list[i] then bad "a name without an upvalue" end
    list[i].name = text(s)
  end
end

local function prototype(s, depth)
  if depth > DEPTH then bad "its functions are nested too deeply" end
  text(s) -- the name of the source, which the caller knows
  local p = { line = int(s) }
  int(s) -- its last line
  p.params, p.vararg, p.stack = byte(s), byte(s) ~= 0, byte(s)
  p.code = code(s)
  p.constants = constants(s)
  p.upvalues = upvalues(s)
  p.children = { n = count(s, 12) }
  for i = 0, p.children.n - 1 do p.children[i] = prototype(s, depth + 1) end
  p.lines = lines(s, p.line)
  p.locals = locals(s)
  upvalue_names(s, p.upvalues)
  return p
end

--- Reads a chunk; returns its main function, or nil and a message.
---@param chunk string
---@return table? prototype
---@return string? problem
function M.read(chunk)
  local s = { data = chunk, at = 1 }
  local ok, result = pcall(function()
    header(s)
    byte(s) -- the main function's number of upvalues, which is also stored there
    return prototype(s, 1)
  end)
  if ok then return result end
  return nil, result
end

--- True if this text is bytecode, not source.
---@param chunk string
---@return boolean
function M.is(chunk)
  return chunk:byte(1) == SIGNATURE:byte(1)
end

return M
