--- The chunk around generated Lua: its head, the runtime that it needs, its names.
local numbers = require "phial.emit.lua.numbers"
local core = require "phial.core"
local language = require "phial.emit.lua.language"
local later = require "phial.later"
local portable = require "phial.portable"
local runtime = require "phial.run.runtime"
local signature = require "phial.signature"
local structs = require "phial.code.structs"

local M = {}

local attach = later("phial.run", "attach")

--- The most values that are locals of one function: Lua allows 200 locals, and some are not
--- values.
M.LOCALS = 180

--- The most parameters that are named; more are `...`.
M.NAMED = 100

-- The most functions in one part.
local FUNCTIONS = 10000

--
-- {== Names ===========================================================
--

local TAKEN = {}
for word in ([[and break do else elseif end false for function global goto if in local nil not or
  repeat return then true until while host F B P s sp va ret pass direct target result returned all
  string math table error select type tostring]])
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

--- A block as text prints it, in quotes.
---@param block phial.Block
---@return string
function M.title(block) return numbers.quote(tostring(block)) end

-- }== Functions for blocks ============================================

--- Calls write(number) for each block, which adds a function; a part of the chunk makes at
--- most 10,000 of them.
---@param code phial.emit.lua.Code
---@param count integer
---@param write fun(number: integer)
function M.parts(code, count, write)
  for first = 1, count, FUNCTIONS do
    code:add "do"
    code:add "  local function part()"
    for number = first, math.min(first + FUNCTIONS - 1, count) do write(number) end
    code:add "  end"
    code:add "  part()"
    code:add "end"
  end
end

-- }== Source ==========================================================

local function head(code)
  local params = {}
  for i, var in ipairs(code.fn:params()) do
    params[i] = var:name() .. ": " .. var:type()
  end
  if code.varargs then params[#params + 1] = "..." end
  local text = "-- " .. code.name .. signature.text(params, signature.results(code.fn))
  return (text:gsub("[\0-\31\127]", "?"))
end

-- The source of a chunk that returns the function.
local function assemble(code)
  local out = { head(code) }
  for _, line in ipairs(code.head) do code.needed[line] = nil end -- is no function of the runtime
  local helpers = runtime.sources(code.needed)
  local text = table.concat(helpers, "\n")
  if #code.hosted > 0 or text:find("host", 1, true) then out[#out + 1] = "local host = ..." end
  if #helpers > 0 then out[#out + 1] = text end
  table.move(code.head, 1, #code.head, #out + 1, out)
  table.move(code.sites, 1, #code.sites, #out + 1, out)
  table.move(code.out, 1, #code.out, #out + 1, out)
  out[#out + 1] = ("return %s\n"):format(code.local_name)
  return table.concat(out, "\n")
end

-- }== Memory ==========================================================

--- True if the function has memory of its own, which it frees when it returns.
---@param fn phial.Function
---@return boolean
function M.has_memory(fn)
  for i in ipairs(fn:params()) do
    if structs.copied(fn:passing(i)) then return true end
  end
  local _, ops = core.symbolic(fn, language)
  for _, op in ipairs(ops or {}) do
    if op == "alloca" then return true end
  end
  return false
end

--- Adds what a function does before its first block: it notes what memory is in use, and copies
--- the structs that it gets.
---@param code phial.emit.lua.Code
function M.begin(code)
  if not code.frees then return end
  code:add("  %ssp = %s()", code.flags.frame and "F." or "local ", code:need "stack_top")
  for i in ipairs(code.fn:params()) do
    local struct = structs.copied(code.fn:passing(i))
    if struct then
      local _, _, place, uses = code.w:about(code.fn:arg(i):id())
      if uses > 0 then
        code:add("  %s = %s(%s, %s, %d, %d)", place, code:need "copied", numbers.quote(
          ("%s: parameter %d"):format(code.name, i)), place, struct.size, struct.align)
      end
    end
  end
end

--- The lines that say that entering a block takes fuel, if it does.
---@param code phial.emit.lua.Code
---@param number integer
---@param fuel boolean?
---@param indent string
---@return string
function M.burn(code, number, fuel, indent)
  if not fuel then return "" end
  local _, _, id = code.w:is_target(number)
  return ("#%s.left = fuel.left - 1\n#if fuel.left < 0 then %s(%s, \"out of fuel\") end\n")
    :gsub("#", indent):format(code:need "fuel", code:need "trap",
      numbers.quote(code:where_block(core.block(code.fn, id))))
end

--- What phial.run needs of a function that was written.
---@param code phial.emit.lua.Code
---@param counts boolean? it counts blocks
---@return phial.emit.lua.Made
function M.made(code, counts)
  code.w:close()
  return { source = assemble(code), host = code.hosted, callees = code.callees,
    calls = code.calls, evals = code.evals, leaves = code.leaves,
    memory = runtime.have_memory(code.needed), counts = counts }
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
