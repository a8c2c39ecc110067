-- Runs a program by phial, with what it needs of the C library: runtime.c, and these functions
-- of Lua.
local M = {}

local ABORTED <const> = 134 -- the exit status, as of a signal

-- The memory of the program, once it runs.
local instance

-- A string, or as much of it as counts.
local function text_at(at, most)
  local bytes = {}
  while true do
    if #bytes == most then return table.concat(bytes) end
    local byte = instance:load(at + #bytes, "i8") & 0xFF
    if byte == 0 then return table.concat(bytes) end
    bytes[#bytes + 1] = string.char(byte)
  end
end

-- {== Formats =========================================================

-- An unsigned number, of which Lua formats those that are positive as signed ones.
local function unsigned(spec, value)
  if value >= 0 then return (spec .. "d"):format(value) end
  local tens = (value >> 1) // 5
  return (spec:gsub("%..*", "") .. "s"):format(("%d%d"):format(tens, value - tens * 10))
end

local CONVERSIONS <const> = {}
function CONVERSIONS.d(spec, value) return (spec .. "d"):format(value) end
CONVERSIONS.i = CONVERSIONS.d
function CONVERSIONS.u(spec, value, long)
  return unsigned(spec:gsub("[+ ]", ""), long and value or value & 0xFFFFFFFF)
end
for letter in ("xXo"):gmatch "." do
  CONVERSIONS[letter] = function(spec, value, long)
    return (spec .. letter):format(long and value or value & 0xFFFFFFFF)
  end
end
for letter in ("feEgGaA"):gmatch "." do
  CONVERSIONS[letter] = function(spec, value) return (spec .. letter):format(value) end
end
CONVERSIONS.F = CONVERSIONS.f
function CONVERSIONS.c(spec, value) return (spec .. "c"):format(value & 0xFF) end
function CONVERSIONS.s(spec, value)
  local precision = spec:match "%.(%d*)$"
  local text = text_at(value, precision and (tonumber(precision) or 0))
  local width = tonumber(spec:match "^%%[-+ #0]*(%d+)") or 0
  local pad = (" "):rep(width - #text)
  return spec:find "^%%[+ #0]*-" and text .. pad or pad .. text
end
function CONVERSIONS.p(_, value) return ("0x%x"):format(value) end

local SHORTENED <const> = { hh = "b", h = "h" }

-- The text that printf makes of arguments.
local function formatted(format, ...)
  local values, used = { ... }, 0
  local function take()
    used = used + 1
    return values[used] or 0
  end
  return (text_at(format):gsub("(%%[-+ #0]*[%d*]*%.?[%d*]*)([hlzjtL]*)(.)",
    function(spec, size, letter)
      if letter == "%" then return "%" end
      spec = spec:gsub("%*", function() return ("%d"):format(take()) end):gsub("%-%-", "-")
      local value, short = take(), SHORTENED[size]
      if short and math.type(value) == "integer" then
        short = (letter == "d" or letter == "i") and short or short:upper()
        value = short:unpack(("j"):pack(value))
      end
      if not CONVERSIONS[letter] then return spec .. size .. letter end
      return CONVERSIONS[letter](spec, value, size:find "[lzjt]")
    end))
end

-- }== Functions =======================================================

local FILES <const> = { io.stdout, io.stderr }

local env = {}

local function put(at, text)
  instance:set_bytes(at, text .. "\0")
  return #text
end

function env.fprintf(file, ...)
  local text = formatted(...)
  FILES[file]:write(text)
  return #text
end
function env.printf(...) return env.fprintf(1, ...) end
function env.sprintf(to, ...) return put(to, formatted(...)) end
function env.snprintf(to, n, ...)
  local text = formatted(...)
  if n > 0 then put(to, text:sub(1, n - 1)) end
  return #text
end
function env.fflush() return 0 end
function env.getchar()
  local c = io.read(1)
  return c and c:byte() or -1
end
function env.atof(s)
  return (tonumber(text_at(s):match "^%s*([-+]?[%d.]+[eE]?[-+]?%d*)") or 0) + 0.0
end
env.dprintf = env.fprintf
function env.exit(status) error({ status = status }) end
function env.abort() error { status = ABORTED } end

for name in ("sin cos tan asin acos atan exp sqrt floor ceil fabs"):gmatch "%a+" do
  local compute = math[name == "fabs" and "abs" or name]
  env[name] = function(x) return compute(x) + 0.0 end
end
env.log = function(x) return math.log(x) end
env.log10 = function(x) return math.log(x, 10) end
env.atan2 = function(y, x) return math.atan(y, x) end
env.pow = function(x, y) return x ^ y end
env.fmod = function(x, y) return math.fmod(x, y) end
env.sqrtf, env.fabsf = env.sqrt, env.fabs

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
