-- Memory for the interpreter: a table of bytes by address. Functions have addresses, too.
local M = {}

local FORMATS = { i8 = "<i1", i16 = "<i2", i32 = "<i4", i64 = "<i8", f32 = "<f", f64 = "<d",
  ptr = "<i8", i1 = "<B" }

--- Makes a memory.
function M.new() return { bytes = {}, top = 65536, functions = {}, addresses = {} } end

--- New memory: zeros.
function M.alloca(memory, size, align)
  local p = (memory.top + align - 1) // align * align
  memory.top = p + size
  for i = p, p + size - 1 do memory.bytes[i] = 0 end
  return p
end

local function byte(memory, p) return memory.bytes[p] or error({ trap = "outside memory" }, 0) end

function M.load(memory, p, type)
  local out = {}
  for i = 1, FORMATS[type]:packsize() do out[i] = string.char(byte(memory, p + i - 1)) end
  local x = (FORMATS[type]:unpack(table.concat(out)))
  if type == "i1" then return x & 1 == 1 end
  return x
end

function M.store(memory, p, x, type)
  if type == "i1" then x = x and 1 or 0 end
  local text = FORMATS[type]:pack(x)
  for i = 1, #text do
    byte(memory, p + i - 1)
    memory.bytes[p + i - 1] = text:byte(i)
  end
end

function M.copy(memory, to, from, n)
  local out = {}
  for i = 0, n - 1 do out[i] = byte(memory, from + i) end
  for i = 0, n - 1 do memory.bytes[to + i] = out[i] end
end

function M.fill(memory, p, x, n)
  for i = 0, n - 1 do
    byte(memory, p + i)
    memory.bytes[p + i] = x & 255
  end
end

--- The address of a function or name.
function M.address(memory, it)
  if not memory.addresses[it] then
    memory.addresses[it] = (1 << 40) + 16 * #memory.functions
    table.insert(memory.functions, it)
  end
  return memory.addresses[it]
end

--- What is at the address of a function.
function M.callee(memory, p)
  return memory.functions[(p - (1 << 40)) // 16 + 1] or error({ trap = "there is no function" }, 0)
end

return M
