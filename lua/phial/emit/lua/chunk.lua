--- The chunk around generated Lua: its head, the runtime that it needs, its names.
local numbers = require "phial.emit.lua.numbers"
local core = require "phial.core"
local later = require "phial.later"
local portable = require "phial.portable"
local programs = require "phial.code.program"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"
local structs = require "phial.code.structs"

local M = {}

local attach = later("phial.run", "attach")

--- The most parameters that are named; more are `...`.
M.NAMED = 100

-- The most functions in one part.
local FUNCTIONS = 10000

--
-- {== Names ===========================================================
--

local TAKEN = {}
for word in ([[and break do else elseif end false for function global goto if in local nil not or
  repeat return then true until while host F B P s sp va ret pass direct target result all string
  math table error select type tostring]])
  :gmatch "%S+" do
  TAKEN[word] = true
end

--- A unique name for a function: names of values end in digits.
---@param name string
---@return string
function M.local_name(name)
  local text = portable.identifier(name, 60)
  if text == "" or TAKEN[text] or runtime.knows(text) or text:find "%d$" then text = text .. "_" end
  return text
end

--- A name for a block: its label, or its function.
---@param block phial.code.Block
---@return string
function M.label(block)
  return (block.called and portable.identifier(block.called, 40) .. "_" or "b") .. block.id
end

--- A block as text prints it, in quotes.
---@param code phial.emit.lua.Code
---@param block phial.code.Block
---@return string
function M.title(code, block)
  if not block.called then return '"b' .. block.id .. '"' end
  return numbers.quote(tostring(core.block(code.program.fn, block.id)))
end

-- }== Functions for blocks ============================================

--- Calls write(number) for each block, which writes a function; a part of the chunk makes at
--- most 10,000 of them.
---@param code phial.emit.lua.Code
---@param write fun(number: integer)
function M.parts(code, write)
  for first = 1, code.program.count, FUNCTIONS do
    code:line "do"
    code:enter()
    code:line "local function part()"
    code:enter()
    for number = first, math.min(first + FUNCTIONS - 1, code.program.count) do write(number) end
    code:leave()
    code:line "end"
    code:line "part()"
    code:leave()
    code:line "end"
  end
end

-- }== Source ==========================================================

local function head(code)
  local params = {}
  for i, var in ipairs(code.program.fn:params()) do
    params[i] = var:name() .. ": " .. var:type()
  end
  if code.varargs then params[#params + 1] = "..." end
  local text = "-- " .. code.program.name .. signature.text(params, code.program.result)
  return (text:gsub("[\0-\31\127]", "?"))
end

--- The source of a chunk that returns the function.
---@param code phial.emit.lua.Code
---@return string
function M.assemble(code)
  local out = { head(code) }
  local helpers = runtime.sources(code.needed)
  local text = table.concat(helpers, "\n")
  if #code.hosted > 0 or text:find("host", 1, true) then out[#out + 1] = "local host = ..." end
  if #helpers > 0 then out[#out + 1] = text end
  table.move(code.sites, 1, #code.sites, #out + 1, out)
  table.move(code.lines, 1, #code.lines, #out + 1, out)
  out[#out + 1] = ("return %s\n"):format(code.program.local_name)
  return table.concat(out, "\n")
end

-- }== Memory ==========================================================

--- True if the function has memory of its own, which it frees when it returns.
---@param program phial.code.Program
---@return boolean
function M.has_memory(program)
  for i in ipairs(program.params) do
    if structs.copied(program.fn, i) then return true end
  end
  for _, v in ipairs(programs.read(program, 1).insts) do
    if v.op == "alloca" then return true end
  end
  return false
end

--- Writes what a function does before its first block: it notes what memory is in use, and copies
--- the structs that it gets.
---@param code phial.emit.lua.Code
function M.begin(code)
  if not code.frees then return end
  code:line("%ssp = %s()", code.in_frame and "F." or "local ", code:need "stack_top")
  for i, param in ipairs(code.program.params) do
    local struct, place = structs.copied(code.program.fn, i), param.slot or param.name
    if struct and param.uses > 0 then
      code.memory = true
      code:line("%s = %s(%s, %s, %d, %d)", place, code:need "copied", numbers.quote(
        ("%s: parameter %d"):format(code.program.name, i)), place, struct.size, struct.align)
    end
  end
end

--- The source of a chunk, and what it is called with.
---@param fn phial.Function
---@param made phial.emit.lua.Made
---@return string
---@return table
function M.results(fn, made)
  if made.calls or made.memory then attach(fn, made) end
  return made.source, made.host
end

-- }====================================================================

return M
