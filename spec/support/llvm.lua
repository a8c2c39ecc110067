-- LLVM IR of many functions, run at once: a driver calls each of them with arguments
-- and prints what it returns, what it shows and why it traps.
local Unit = require "phial.emit.llvm.unit"
local file = require "spec.support.file"
local types = require "phial.emit.llvm.types"
local under = require "spec.support.under"

local M = {}

--
-- {== Tools ===========================================================
--

local function succeeds(command)
  return os.execute(("LD_PRELOAD= %s >/dev/null 2>&1"):format(command)) == true
end

local function version_of(lli)
  local pipe = assert(io.popen(("LD_PRELOAD= %s --version 2>/dev/null"):format(lli)))
  local text = pipe:read "a"
  pipe:close()
  return tonumber(text:match "LLVM version (%d+)")
end

-- The newest version that is installed, and the newest up to 14; for `make test`, one of them.
local function find_tools()
  local found = {}
  local function try(suffix)
    local tools = {}
    for _, name in ipairs { "opt", "lli", "llc" } do
      tools[name] = name .. suffix
      if not succeeds("command -v " .. tools[name]) then return end
    end
    local version = version_of(tools.lli)
    local kind = version and (version >= 15 and "opaque" or "typed")
    if kind then found[kind] = found[kind] or tools end
  end
  for version = 22, 11, -1 do
    if not (under.brief and next(found)) then try("-" .. version) end
  end
  if not found.opaque and not found.typed then try "" end
  return found
end

--- The tools by the kind of pointers that they read.
---@type table<"opaque"|"typed", {opt: string, lli: string, llc: string}>
M.tools = find_tools()

-- What goes wrong may not end.
local LIMIT = succeeds "command -v timeout" and "timeout 300 " or ""

--- Runs a command; returns its output, or nil and what it complained of.
---@param command string
---@return string?
---@return string?
function M.run(command)
  local errors = os.tmpname()
  local pipe = assert(io.popen(("LD_PRELOAD= %s%s 2>%s"):format(LIMIT, command, errors)))
  local out = pipe:read "a"
  local ok = pipe:close()
  local complaint = file.read(errors)
  os.remove(errors)
  if ok then return out end
  return nil, complaint
end

--- Runs the function `main` of a text; returns its exit status.
---@param tools {lli: string}
---@param text string
---@return integer
function M.status(tools, text)
  local path = os.tmpname()
  file.write(path, text)
  local _, _, status = os.execute(("LD_PRELOAD= %s '%s'"):format(tools.lli, path))
  os.remove(path)
  return status
end

-- }== The driver ======================================================

-- Pointers to T are written <T>.
local DRIVER = [==[
@fs = constant [COUNT x <i64 (<i64>)>] [ FUNCTIONS ]
@as = constant [COUNT x [SLOTS x i64]] [ ARGUMENTS ]
@result = constant [8 x i8] c"is %lx\0A\00"
@shown = constant [11 x i8] c"shows %lx\0A\00"
@trapped = constant [10 x i8] c"traps %s\0A\00"
@why = global <i8> null
@now = global i64 0
@counter = global i64 0
@jump = global [64 x i64] zeroinitializer, align 16

declare i32 @printf(<i8>, ...)
declare i32 @_setjmp(<i8>) returns_twice
declare void @longjmp(<i8>, i32) noreturn

define void @phial_trap(<i8> %why) {
  store <i8> %why, <<i8>> @why
  call void @longjmp(JUMP, i32 1)
  unreachable
}

define void @show(i64 %bits) {
  call i32 (<i8>, ...) @printf(SHOWN, i64 %bits)
  ret void
}

define i64 @next() {
  %n = load i64, <i64> @counter
  %m = add i64 %n, 1
  store i64 %m, <i64> @counter
  ret i64 %m
}

define i32 @main() {
entry:
  br label %head
head:
  %i = load volatile i64, <i64> @now
  %more = icmp ult i64 %i, COUNT
  br i1 %more, label %body, label %done
body:
  store i64 0, <i64> @counter
  %again = call i32 @_setjmp(JUMP) returns_twice
  %first = icmp eq i32 %again, 0
  br i1 %first, label %call, label %trap
call:
  %fp = getelementptr [COUNT x <i64 (<i64>)>], <[COUNT x <i64 (<i64>)>]> @fs, i64 0, i64 %i
  %f = load <i64 (<i64>)>, <<i64 (<i64>)>> %fp
  %ap = getelementptr [COUNT x [SLOTS x i64]], <[COUNT x [SLOTS x i64]]> @as, i64 0, i64 %i, i64 0
  %r = call i64 %f(<i64> %ap)
  call i32 (<i8>, ...) @printf(RESULT, i64 %r)
  br label %next
trap:
  %text = load <i8>, <<i8>> @why
  call i32 (<i8>, ...) @printf(TRAPPED, <i8> %text)
  br label %next
next:
  %j = load volatile i64, <i64> @now
  %k = add i64 %j, 1
  store volatile i64 %k, <i64> @now
  br label %head
done:
  ret i32 0
}
]==]

-- The most parameters of a function.
local SLOTS = 8

-- A text with pointers as its tools read them.
local function with_pointers(text, kind)
  local count
  repeat text, count = text:gsub("<([^<>]*)>", kind == "typed" and "%1*" or "ptr") until count == 0
  return text
end

-- A pointer to bytes, as an argument.
local function bytes(symbol, type, kind)
  if kind == "opaque" then return "ptr " .. symbol end
  return ("i8* bitcast (%s* %s to i8*)"):format(type, symbol)
end

-- Lines that make R, the 64 bits of a value A of a type, or that value of the bits. The bits
-- of a nan are not the same everywhere.
local TO_BITS = {
  i64 = "  R = add i64 0, A",
  ptr = "  R = ptrtoint <i8> A to i64",
  f64 = "  R.b = bitcast double A to i64\n  R.n = fcmp uno double A, A\n"
    .. "  R = select i1 R.n, i64 9221120237041090560, i64 R.b",
  f32 = "  R.b = bitcast float A to i32\n  R.n = fcmp uno float A, A\n"
    .. "  R.s = select i1 R.n, i32 2143289344, i32 R.b\n  R = zext i32 R.s to i64",
}
local FROM_BITS = {
  i64 = "  R = add i64 0, A",
  ptr = "  R = inttoptr i64 A to <i8>",
  f64 = "  R = bitcast i64 A to double",
  f32 = "  R.b = trunc i64 A to i32\n  R = bitcast i32 R.b to float",
}

local function to_bits(type, result, value)
  local text = TO_BITS[type] or ("  R = zext %s A to i64"):format(type)
  return (text:gsub("%f[%w][RA]%f[%W]", { R = result, A = value }))
end

local function from_bits(type, result, bits)
  local text = FROM_BITS[type] or ("  R = trunc i64 A to %s"):format(type)
  return (text:gsub("%f[%w][RA]%f[%W]", { R = result, A = bits }))
end

-- A type as that of a parameter or result.
local function passed(type)
  return types.passed(types.NAMES[type] or "<i8>", types.PASSING[type])
end
local function returned(type)
  return types.returned(type and (types.NAMES[type] or "<i8>"), types.PASSING[type])
end

-- The function of the driver that calls fn with arguments from memory.
local function wrapper(i, fn, symbol)
  local lines, args = { ("define i64 @w.%d(<i64> %%args) {"):format(i) }, {}
  for k in ipairs(fn:params()) do
    local type = fn:arg(k):type()
    lines[#lines + 1] = ("  %%p%d = getelementptr i64, <i64> %%args, i64 %d\n"):format(k, k - 1)
      .. ("  %%b%d = load i64, <i64> %%p%d"):format(k, k)
    lines[#lines + 1] = from_bits(type, "%a" .. k, "%b" .. k)
    args[k] = passed(type) .. " %a" .. k
  end
  local result = fn:result()
  local call = ("call %s @%s(%s)"):format(returned(result), symbol,
    table.concat(args, ", "))
  if result then
    lines[#lines + 1] = "  %r = " .. call
    lines[#lines + 1] = to_bits(result, "%x", "%r")
    lines[#lines + 1] = "  ret i64 %x\n}"
  else
    lines[#lines + 1] = "  " .. call .. "\n  ret i64 0\n}"
  end
  return table.concat(lines, "\n")
end

-- A function of the driver that shows its arguments.
local function shower(name, params)
  local lines, heads = {}, {}
  for i, type in ipairs(params) do
    heads[i] = ("%s %%a%d"):format(passed(type), i)
    lines[i] = to_bits(type, "%x" .. i, "%a" .. i)
      .. ("\n  call void @show(i64 %%x%d)"):format(i)
  end
  return ("define void @%s(%s) {\n%s\n  ret void\n}"):format(name, table.concat(heads, ", "),
    table.concat(lines, "\n"))
end

--- The 64 bits of a value of a type, as an unsigned number of its width.
---@param type string
---@param value boolean|number
---@return integer
function M.bits(type, value)
  if type == "i1" then return value and 1 or 0 end
  if value ~= value then return type == "f32" and 0x7fc00000 or 0x7ff8000000000000 end
  if type == "f32" then return (string.unpack("<I4", string.pack("<f", value))) end
  if type == "f64" then return (string.unpack("<i8", string.pack("<d", value))) end
  local width = types.width(type) or 64
  return width == 64 and value or value & (1 << width) - 1
end

---@class spec.llvm.Case
---@field fn phial.Function
---@field args any[]

local function joined(list) return table.concat(list, ", ") end

--- All cases as one text.
---@param cases spec.llvm.Case[]
---@param kind "opaque"|"typed"
---@param shows table<string, string[]> names of functions that show their arguments, of these types
---@param opts table? for the emitter
---@return string
function M.program(cases, kind, shows, opts)
  opts = setmetatable({ pointers = kind }, { __index = opts or { traps = "call" } })
  local unit, wrappers, functions, arguments = Unit.new(opts), {}, {}, {}
  for i, case in ipairs(cases) do
    local slots = {}
    for k = 1, SLOTS do
      local type = case.args[k] ~= nil and case.fn:arg(k):type()
      slots[k] = ("i64 %d"):format(type and M.bits(type, case.args[k]) or 0)
    end
    if not wrappers[case.fn] then
      wrappers[case.fn] = #wrappers + 1
      wrappers[#wrappers + 1] = wrapper(#wrappers + 1, case.fn, unit.symbols:add(case.fn, true))
    end
    functions[i] = ("<i64 (<i64>)> @w.%d"):format(wrappers[case.fn])
    arguments[i] = ("[%d x i64] [ %s ]"):format(SLOTS, joined(slots))
  end
  local text = unit:text("cases"):gsub("declare void @phial_trap[^\n]*\n", "")
    :gsub("declare void @show[^\n]*\n", ""):gsub("declare i64 @next[^\n]*\n", "")
  local fields = { COUNT = ("%d"):format(#cases), SLOTS = ("%d"):format(SLOTS),
    FUNCTIONS = joined(functions), ARGUMENTS = joined(arguments),
    JUMP = bytes("@jump", "[64 x i64]", kind), RESULT = bytes("@result", "[8 x i8]", kind),
    SHOWN = bytes("@shown", "[11 x i8]", kind), TRAPPED = bytes("@trapped", "[10 x i8]", kind) }
  local out = { text, (DRIVER:gsub("%u[%u_]+", fields)), table.concat(wrappers, "\n") }
  for name, params in pairs(shows) do out[#out + 1] = shower(name, params) end
  for i = 2, #out do out[i] = with_pointers(out[i], kind) end
  return table.concat(out, "\n")
end

-- }== Outcomes ========================================================

--- A list of lines as text: the outcome of a case.
local function each_outcome(text)
  local outcomes, shown = {}, {}
  for line in text:gmatch "[^\n]+" do
    shown[#shown + 1] = line
    if not line:find "^shows" then
      outcomes[#outcomes + 1] = table.concat(shown, "\n")
      shown = {}
    end
  end
  return outcomes
end

--- A value as the driver prints it.
function M.shown(type, value) return ("%x"):format(M.bits(type, value)) end

--- Runs cases as they are, and maybe optimized; calls check(way, outcomes) for each way.
---@param cases spec.llvm.Case[]
---@param kind "opaque"|"typed"
---@param shows table<string, string[]>
---@param opts table? for the emitter
---@param optimize boolean
---@param check fun(way: string, outcomes: string[])
function M.each_way(cases, kind, shows, opts, optimize, check)
  local tools, plain, optimized = M.tools[kind], os.tmpname(), os.tmpname()
  file.write(plain, M.program(cases, kind, shows, opts))
  local function run(format, ...)
    local command = format:format(...)
    return M.run(command) or error(("%s: %s"):format(command, select(2, M.run(command))))
  end
  -- By `make test`, once.
  if not (optimize and under.brief) then
    check("lli", each_outcome(run("%s '%s'", tools.lli, plain)))
  end
  if optimize then
    run("%s -passes='verify,default<O2>,verify' '%s' -o '%s'", tools.opt, plain, optimized)
    check("opt -O2, lli", each_outcome(run("%s '%s'", tools.lli, optimized)))
  end
  os.remove(plain)
  os.remove(optimized)
end

-- }====================================================================

return M
