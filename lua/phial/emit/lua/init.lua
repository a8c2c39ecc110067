--- phial.emit.lua: Lua source that does exactly what a finished function does.
-- It has one of two forms. A small function becomes one Lua function: blocks are
-- labels, values are locals. Large functions exceed Lua's limits there (200 locals,
-- 255 registers, 32,767 gotos; label lookup is quadratic): each block becomes a
-- function that returns the number of the next block, and values that cross blocks
-- are kept in a table, the frame.
local chunk = require "phial.emit.lua.chunk"
local Code = require "phial.emit.lua.code"
local core = require "phial.core"
local errors = require "phial.errors"
local language = require "phial.emit.lua.language"
local numbers = require "phial.emit.lua.numbers"
local options = require "phial.options"
local programs = require "phial.code.program"

local M = {
  help = "Lua",
}

-- The most blocks of a function with gotos.
local LABELS <const> = 1000

-- The most gotos whose labels are still to come, a limit of Lua.
local GOTOS <const> = 32767

-- The most labels without a statement in between: Lua allows 200 levels of nesting.
local LABELS_IN_A_ROW <const> = 100

--
-- {== With gotos ======================================================

-- The parameters of the function in Lua, whose names are given, or "...".
local function parameters(code, list)
  if not code.varargs or list == "..." then return list end
  return list == "" and "..." or list .. ", ..."
end

-- The address at which the arguments after those of the parameters are.
local function saved(code, arguments)
  return ("%s(%s, %s)"):format(code:need "va_save", numbers.quote(code.name), arguments)
end

-- Writes the start of a function, in which values are locals.
local function write_head(code)
  local params = {}
  for i in ipairs(code.fn:params()) do params[i] = code:place(code.fn:arg(i):id()) end
  code:add("local function %s(%s)", code.local_name, parameters(code, table.concat(params, ", ")))
  local locals = code.w:declared()
  if locals ~= "" then code:add("  local %s", locals) end
  chunk.begin(code)
  if code.varargs then code:add("  local va = %s", saved(code, "...")) end
end

-- The text of a block, inside do ... end if it needs that: for its locals, whose scope
-- no goto may enter, or for a return, which must end a Lua block.
local function body_of(code, number, is_last)
  local text, is_apart = code:block(number)
  if not is_last and is_apart then return ("  do\n%s  end\n"):format(text) end
  return (text:sub(3):gsub("\n  ", "\n"))
end

-- Appends the blocks with their labels. Lua parses a label after a label by recursion.
local function add_bodies(code, bodies)
  local labels, lines = 0, code.out
  for number, body in ipairs(bodies) do
    local is_target, label = code.w:is_target(number)
    if is_target then
      labels = labels + 1
      if labels % LABELS_IN_A_ROW == 0 then code:add "  do end" end
      code:add("  ::%s::", label)
    end
    if body ~= "" then
      labels = 0
      lines[#lines + 1] = body:sub(1, -2)
    end
  end
end

local function write_goto(code, opts)
  local count, bodies = code.w:blocks(), {}
  write_head(code)
  code.w:indent(2)
  for number = 1, count do
    bodies[number] = chunk.burn(code, number, opts.fuel, "  ")
      .. body_of(code, number, number == count)
  end
  add_bodies(code, bodies)
  code:add "end"
end

-- }== A function for each block =======================================

local function write_blocks(code, opts)
  local n = #code.fn:params()
  local params, behind = "...", ("select(%d, ...)"):format(n + 1)
  if n <= chunk.NAMED then
    params, behind = {}, "..."
    for i = 1, n do params[i] = "a" .. i end
    params = table.concat(params, ", ")
  end
  code:add("local %s", code.local_name)
  code:add "local B = {}"
  code.w:indent(3)
  chunk.parts(code, code.w:blocks(), function(number)
    local _, _, id = code.w:is_target(number)
    code:add("    B[%d] = function(F) -- %s", number, chunk.title(core.block(code.fn, id)))
    code:add("%s%s    end", chunk.burn(code, number, opts.fuel, "      "), code:block(number))
  end)
  code:add("function %s(%s)", code.local_name, parameters(code, params))
  code:add("  local F = { %s }", params)
  chunk.begin(code)
  if code.varargs then code:add("  F.va = %s", saved(code, behind)) end
  code:add "  local b, result = 1"
  code:add "  repeat b, result = B[b](F) until not b"
  if code.needed.packed then
    code:add("  if F.callee then return F.callee(%s(F.passed, 1, F.passed.n)) end",
      code:need "spread")
  end
  if code.results[2] then
    code:add("  return %s(result, 1, %d)", code:need "spread", #code.results)
  elseif code.result then
    code:add "  return result"
  end
  code:add "end"
end

-- }== Choosing a form =================================================

-- Tries to make the values locals of one function; returns why that is impossible.
local function misfit(code, most)
  local count, is_too_many, gotos = code:open(language, "goto", most):blocks()
  if count > LABELS then
    return ("it has %d blocks, and at most %d are possible"):format(count, LABELS)
  end
  if gotos > GOTOS then return ("it has %d gotos, and Lua allows %d"):format(gotos, GOTOS) end
  if is_too_many then return ("it needs more than %d locals"):format(most) end
end

local KNOWN = { form = { "goto", "blocks" }, fuel = "boolean", locals = { 1, chunk.LOCALS } }

---@class phial.emit.lua.Options
--- One function with gotos, or a function for each block; default: by its size.
---@field form? "goto"|"blocks"
--- Count blocks: `host.fuel.left` says how many may be entered.
---@field fuel? boolean
---@field locals? integer the most that one Lua function gets (default 180)

local function make(fn, opts)
  local code, most = Code.new(fn, chunk.local_name(fn:name())), opts.locals or chunk.LOCALS
  code.marks, code.varargs = opts.marks, fn:is_variadic()
  code.frees = code.varargs or chunk.has_memory(fn)
  local why = opts.form ~= "blocks" and misfit(code, most)
  if opts.form == "goto" and why then
    errors.raise("function '%s' is too large for one Lua function: %s; leave out form = \"goto\"",
      code.name, why)
  end
  if code.w and not why then
    write_goto(code, opts)
  else
    code:open(language, "blocks", most)
    write_blocks(code, opts)
  end
  return chunk.made(code, opts.fuel)
end

---@class phial.emit.lua.Made
---@field source string
---@field host table what it calls, by number
---@field callees table<integer, string> where the phial functions among them are called
---@field calls boolean? it calls functions of phial, maybe, or evals
---@field evals boolean? it calls the eval of an op
---@field leaves boolean? it calls functions of the host
---@field memory boolean? it needs a space, in the field `space` of host
---@field counts boolean? it counts blocks, in the field `fuel` of host

--- As `func`, for `phial.run`.
---@param fn phial.Function
---@param opts? phial.emit.lua.Options
---@param marks? table filled with the calls, which are marked in the source: --[[@number]]
---@return phial.emit.lua.Made
function M.generate(fn, opts, marks)
  errors.check_finished(fn)
  opts = options.argument("phial.emit.lua", 2, opts, KNOWN)
  opts.marks = marks
  return programs.reading({ [fn] = fn:version() }, make, fn, opts)
end

--- Lua source of a finished function: a chunk that returns the function. The chunk
--- is called with the second result, a table of what the function calls; callees
--- that are names are looked up in its field `env`. Their memory is in it, too, and lasts.
---@param fn phial.Function
---@param opts? phial.emit.lua.Options
---@return string source
---@return table host
function M.func(fn, opts)
  return chunk.results(fn, M.generate(fn, opts))
end

-- }====================================================================

return M
