-- How ops on memory are written. In memory an i1 is a byte, 0 or 1; accesses are aligned
-- to the size of their type.
local types = require "phial.emit.llvm.types"

---@type table<string, phial.emit.llvm.Row>
local rows = {}

-- An address as a pointer to a type of LLVM, with its type.
local function pointer(body, address, type)
  if not body.unit.symbols.is_typed then return "ptr " .. address end
  if type == "i8" then return "i8* " .. address end
  return ("%s* %s"):format(type, body:let("bitcast i8* %s to %s*", address, type))
end

-- The type in memory.
local function stored(body, type) return type == "i1" and "i8" or body:type(type) end

function rows.load(body, v, a)
  local type, align = stored(body, v.type), types.size(v.type)
  local from = pointer(body, a, type)
  if v.type ~= "i1" then return body:set(v, "load %s, %s, align %d", type, from, align) end
  body:set(v, "trunc i8 %s to i1", body:let("load i8, %s, align 1", from))
end

function rows.store(body, v, a, b)
  local from = v.args[2].type
  local type = stored(body, from)
  if from == "i1" then b = body:let("zext i1 %s to i8", b) end
  body:line("store %s %s, %s, align %d", type, b, pointer(body, a, type), types.size(from))
end

-- All allocas are at the top: after a check that can trap they would be in another block
-- than the first, and LLVM would move the stack pointer each time.
function rows.alloca(body, v, size, align)
  body:hoist(v, "alloca i8, i64 %s, align %s", size, align)
end

function rows.ptradd(body, v, a, b)
  body:set(v, "getelementptr i8, %s %s, i64 %s", body:type "ptr", a, b)
end

function rows.address(body, v)
  local type = body:type "ptr"
  body:set(v, "bitcast %s %s to %s", type, body:address(body:handle(v):data()), type)
end

local function intrinsic(body, name, params)
  local p = body.unit.symbols.is_typed and "p0i8" or "p0"
  name = name:gsub("PTR", p)
  body:declare("declare void @%s(%s, i1)", name, params)
  return name
end

function rows.memcpy(body, _, to, from, count)
  local ptr = body:type "ptr"
  local name = intrinsic(body, "llvm.memcpy.PTR.PTR.i64", ("%s, %s, i64"):format(ptr, ptr))
  body:line("call void @%s(%s %s, %s %s, i64 %s, i1 false)", name, ptr, to, ptr, from, count)
end

function rows.memset(body, _, to, byte, count)
  local ptr = body:type "ptr"
  local name = intrinsic(body, "llvm.memset.PTR.i64", ("%s, i8, i64"):format(ptr))
  body:line("call void @%s(%s %s, i8 %s, i64 %s, i1 false)", name, ptr, to, byte, count)
end

return rows
