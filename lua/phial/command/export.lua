--- Programs as text of another kind, by the emitters of phial.
local failure = require "phial.command.failure"
local input = require "phial.command.input"
local outside = require "phial.command.outside"
local phial = require "phial"

local M = {}

-- Formats in which texts of functions can follow one another.
local JOINED <const> = { text = "\n", dot = "\n", blockargs = "\n", cps = "\n" }

-- Formats of modules as a whole.
local MODULES <const> = { text = true, c = true, llvm = true }

-- Formats that show how a trace constructs its functions.
local TRACES <const> = { html = true, json = true }

-- What the emitter makes of a function, a module or a trace.
local function emitted(emit, it, opts, name)
  local ok, text, refused = outside.pcall(emit, it, opts)
  if ok then return text end
  if not refused then error(text, 0) end
  failure.raise(1, ("%s: %s"):format(name, text))
end

---@param format string
---@param it phial.command.Input
---@param host table of phial.command.input.host
---@param opts? {only: string?, construction: string?, title: string?}
---@return string
function M.text(format, it, host, opts)
  opts = opts or {}
  local known, emit, refused = outside.pcall(function() return phial.emit[format] end)
  if not known and not refused then error(emit, 0) end
  if not known then failure.refuse(emit) end
  if it.kind == "trace" and TRACES[format] and not opts.only then
    return emitted(emit, it.text, { file = it.name, dialects = host.dialects, host = host.host,
      construction = opts.construction, title = opts.title }, it.name)
  end
  local program = it.kind == "trace"
    and input.replayed(it, host, { construction = opts.construction }) or input.program(it, host)
  if program.module and MODULES[format] and not opts.only then
    return emitted(emit, program.module, nil, it.name)
  end
  if not JOINED[format] then
    return emitted(emit, input.only(program, opts.only), nil, it.name)
  end
  local texts = {}
  for _, fn in ipairs(input.chosen(program, opts.only)) do
    texts[#texts + 1] = emitted(emit, fn, nil, it.name):gsub("\n*$", "\n")
  end
  return table.concat(texts, JOINED[format])
end

return M
