-- Runs a program by phial, with what it needs of the C library: runtime.c, and these functions
-- of Lua.
local phial = require "phial"

local M = {}

local ABORTED <const> = 134 -- the exit status, as of a signal

-- The memory of the program, once it runs.
local instance

-- A string, or as much of it as counts.
local function text_at(at, most)
  local bytes = {}
  while #bytes ~= most and instance:load(at + #bytes, "i8") ~= 0 do
    bytes[#bytes + 1] = instance:bytes(at + #bytes, 1)
  end
  return table.concat(bytes)
end

-- {== Formats =========================================================

local SIGNED <const>, BYTES <const> = { d = true, i = true }, { hh = 1, h = 2, [""] = 4 }

-- An unsigned number of 64 bits: Lua formats those that are positive as signed ones.
local function unsigned(spec, value)
  if value >= 0 then return (spec .. "d"):format(value) end
  local tens = (value >> 1) // 5
  return (spec:gsub("%..*", "") .. "s"):format(("%d%d"):format(tens, value - tens * 10))
end

local function integer(spec, value, letter, size)
  local bytes = BYTES[size]
  if bytes then value = ((SIGNED[letter] and "<i" or "<I") .. bytes):unpack(("<j"):pack(value)) end
  if letter == "u" then return unsigned(spec:gsub("[+ ]", ""), value) end
  return (spec .. (letter == "i" and "d" or letter)):format(value)
end

local function float(spec, value, letter) return (spec .. letter:gsub("F", "f")):format(value) end

local CONVERSIONS <const> = {}
for letter in ("diuxXo"):gmatch "." do CONVERSIONS[letter] = integer end
for letter in ("fFeEgGaA"):gmatch "." do CONVERSIONS[letter] = float end
function CONVERSIONS.c(spec, value) return (spec .. "c"):format(value & 0xFF) end
function CONVERSIONS.s(spec, value)
  local most = spec:match "%.(%d*)$"
  return (spec .. "s"):format(text_at(value, most and (tonumber(most) or 0)))
end
function CONVERSIONS.p(_, value) return ("0x%x"):format(value) end

-- The text that printf makes of a format and of what a function gives: integers, or floats.
local function formatted(format, take)
  return (text_at(format):gsub("(%%[-+ #0]*[%d*]*%.?[%d*]*)([hlzjtL]*)(.)",
    function(spec, size, letter)
      local write = CONVERSIONS[letter]
      if letter == "%" then return "%" end
      if not write then return nil end
      spec = spec:gsub("%*", function() return ("%d"):format(take(false)) end):gsub("%-%-", "-")
      return write(spec, take(write == float), letter, size)
    end))
end

-- }== Functions =======================================================

local FILES <const> = { io.stdout, io.stderr }

local env = {}

-- Defines a function with a format after some fixed arguments, and the one that takes a list of the
-- further arguments: the address of the next one, of 8 bytes.
local function define(name, fixed, write)
  local function put(take, ...)
    local text = formatted((select(fixed + 1, ...)), take)
    write(text, ...)
    return #text
  end
  env[name] = function(...)
    local rest, used = { select(fixed + 2, ...) }, 0
    return put(function()
      used = used + 1
      return rest[used] or 0
    end, ...)
  end
  env["v" .. name] = function(...)
    local at = instance:load((select(fixed + 2, ...)), "i64")
    return put(function(is_float)
      at = at + 8
      return instance:load(at - 8, is_float and "f64" or "i64")
    end, ...)
  end
end

define("printf", 0, function(text) io.stdout:write(text) end)
define("fprintf", 1, function(text, file) FILES[file]:write(text) end)
define("dprintf", 1, function(text, file) FILES[file]:write(text) end)
define("sprintf", 1, function(text, to) instance:set_bytes(to, text .. "\0") end)
define("snprintf", 2, function(text, to, n)
  if n > 0 then instance:set_bytes(to, text:sub(1, n - 1) .. "\0") end
end)

function env.fflush() return 0 end
function env.getchar()
  local c = io.read(1)
  return c and c:byte() or -1
end
function env.atof(s)
  return (tonumber(text_at(s):match "^%s*([-+]?[%d.]+[eE]?[-+]?%d*)") or 0) + 0.0
end
function env.exit(status) error({ status = status }) end
function env.abort() error { status = ABORTED } end

for name in ("sin cos tan asin acos atan exp"):gmatch "%a+" do env[name] = math[name] end
env.log, env.atan2, env.fmod = math.log, math.atan, math.fmod
function env.log10(x) return math.log(x, 10) end
function env.pow(x, y) return x ^ y end

-- What phial has ops for: of double, and, with an f, of float.
for name, op in pairs {
  sqrt = "fsqrt", fabs = "fabs", floor = "ffloor", ceil = "fceil", trunc = "ftrunc",
  rint = "fnearest", nearbyint = "fnearest", fmin = "fminnum", fmax = "fmaxnum",
} do
  for suffix, type in pairs { [""] = "f64", f = "f32" } do
    local params = { "x:" .. type, op:find "num$" and "y:" .. type or nil }
    env[name .. suffix] = phial.build(name, params, type, function(b, v)
      b:ret(b:emit(op, v.x, params[2] and v.y))
    end)
  end
end

-- }== The program =====================================================

-- The words of the command, as main gets them: addresses of strings, the last one null.
local function put_arguments(words)
  local base = instance:address "minic_arguments"
  local at, addresses, texts = base + 8 * (#words + 1), {}, {}
  for i, word in ipairs(words) do
    addresses[i], texts[i] = ("<i8"):pack(at), word .. "\0"
    at = at + #word + 1
  end
  instance:set_bytes(base, table.concat(addresses) .. ("\0"):rep(8) .. table.concat(texts))
  return #words, base
end

--- Runs a program that was compiled with the runtime. Returns its exit status, and why it
--- stopped if it did not end by itself.
---@param module phial.Module
---@param words string[] the name of the program, and its arguments
---@return integer status
---@return string? why
function M.run(module, words)
  local main = module:get "main"
  if not main then return 1, "the program has no function 'main'" end
  instance = module:instance { env = env }
  local arguments = { put_arguments(words) }
  local ok, result = pcall(instance.call, instance, "main",
    table.unpack(arguments, 1, #main:params()))
  io.stdout:flush()
  if ok then return (result or 0) & 0xFF end
  if type(result) == "table" and result.status then return result.status & 0xFF end
  return ABORTED, tostring(result)
end

-- }=====================================================================

return M
