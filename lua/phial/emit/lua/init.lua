--- phial.emit.lua: Lua source that does exactly what a finished function does.
-- It has one of two forms. A small function becomes one Lua function: blocks are
-- labels, values are locals. Large functions exceed Lua's limits there (200 locals,
-- 255 registers, 32,767 gotos; label lookup is quadratic): each block becomes a
-- function that returns the number of the next block, and values that cross blocks
-- are kept in a table, the frame.
local chunk = require "phial.emit.lua.chunk"
local Code = require "phial.emit.lua.code"
local errors = require "phial.errors"
local flow = require "phial.emit.lua.flow"
local numbers = require "phial.emit.lua.numbers"
local allocate = require "phial.emit.lua.allocate"
local programs = require "phial.code.program"
local options = require "phial.options"

local M = {
  help = "Lua",
}

-- The most blocks of a function with gotos.
local LABELS = 1000

-- The most gotos whose labels are still to come, a limit of Lua.
local GOTOS = 32767

-- The most labels without a statement in between: Lua allows 200 levels of nesting.
local LABELS_IN_A_ROW = 100

--
-- {== Blocks ==========================================================

local function write_block(code, block, opts)
  code:instructions(block, opts.fuel)
  flow.finish(code)
end

-- }== One function ====================================================

local function append(code, lines)
  table.move(lines, 1, #lines, #code.lines + 1, code.lines)
end

-- Writes a block, inside do ... end if it needs that: for its locals, whose scope
-- no goto may enter, or for a return, which must end a Lua block.
local function write_labelled(code, block, opts)
  code:enter()
  local lines = code:apart(function() write_block(code, block, opts) end)
  code:leave()
  local is_last = block.number == code.program.count
  if not is_last and (code.returns or next(code.declared)) then
    code:line "do"
    append(code, lines)
    code:line "end"
  else
    for _, line in ipairs(lines) do code.lines[#code.lines + 1] = line:sub(3) end
  end
end

local function names(values)
  local out = {}
  for i, v in ipairs(values) do out[i] = v.name end
  return table.concat(out, ", ")
end

-- Writes the blocks with their labels. Lua parses a label after a label by recursion.
local function write_bodies(code, bodies)
  local labels = 0
  for i, block in ipairs(code.program.blocks) do
    if block.is_target then
      labels = labels + 1
      if labels % LABELS_IN_A_ROW == 0 then code:line "do end" end
      code:line("::%s::", block.label)
    end
    if #bodies[i] > 0 then labels = 0 end
    append(code, bodies[i])
  end
end

-- The parameters of the function in Lua, whose names are given, or "...".
local function parameters(code, list)
  if not code.varargs or list == "..." then return list end
  return list == "" and "..." or list .. ", ..."
end

-- The address at which the arguments behind those of the parameters are.
local function saved(code, arguments)
  return ("%s(%s, %s)"):format(code:need "va_save", numbers.quote(code.program.name), arguments)
end

local function write_goto(code, opts)
  local program = code.program
  local params = #program.params
  code:line("local function %s(%s)", program.local_name, parameters(code, names(program.params)))
  code:enter()
  local others = table.move(program.crossing, params + 1, #program.crossing, 1, {})
  if #others > 0 then code:line("local %s", names(others)) end
  for _, v in ipairs(program.crossing) do code.fixed[v.name] = true end
  chunk.begin(code)
  if code.varargs then code:line("local va = %s", saved(code, "...")) end
  for _, block in ipairs(program.blocks) do block.label = chunk.label(block) end
  local bodies = {}
  for i, block in ipairs(program.blocks) do
    bodies[i] = code:apart(function() write_labelled(code, block, opts) end)
  end
  write_bodies(code, bodies)
  code:leave()
  code:line "end"
end

-- }== A function for each block =======================================

-- Reads a block and writes it; only what other blocks use is kept.
local function write_function(code, number, opts)
  local program = code.program
  local block = programs.read(program, number)
  allocate.expressions(block)
  allocate.place(program, block, opts.locals or allocate.ROOM)
  code:add("B[" .. number .. "] = function(F) -- " .. chunk.title(code, block))
  code:enter()
  write_block(code, block, opts)
  code:leave()
  code:add "end"
  programs.forget(program, block)
end

local function write_blocks(code, opts)
  local program = code.program
  local n = #program.params
  local params, behind = "...", ("select(%d, ...)"):format(n + 1)
  if n <= chunk.NAMED then
    params, behind = {}, "..."
    for i = 1, n do params[i] = "a" .. i end
    params = table.concat(params, ", ")
  end
  allocate.frame(program)
  code:line("local %s", program.local_name)
  code:line "local B = {}"
  chunk.parts(code, function(number) write_function(code, number, opts) end)
  code:line("function %s(%s)", program.local_name, parameters(code, params))
  code:line("  local F = { %s }", params)
  code:enter()
  chunk.begin(code)
  if code.varargs then code:line("F.va = %s", saved(code, behind)) end
  code:leave()
  code:line "  local b, result = 1"
  code:line "  repeat b, result = B[b](F) until not b"
  if code.needed.packed then
    code:line("  if F.callee then return F.callee(%s(F.passed, 1, F.passed.n)) end",
      code:need "spread")
  end
  if program.result then code:line "  return result" end
  code:line "end"
end

-- }== Choosing a form =================================================

-- The most edges that lead across the start of one block: at least the number of
-- gotos whose labels are still to come.
local function crossing_edges(program)
  local now, most, arriving = 0, 0, {}
  for _, block in ipairs(program.blocks) do
    now = now - (arriving[block.number] or 0)
    for _, edge in ipairs(block.edges) do
      local to = edge.to.number
      if to > block.number then
        now, arriving[to] = now + 1, (arriving[to] or 0) + 1
      end
    end
    most = math.max(most, now)
  end
  return most
end

-- Tries to make the values locals of one function; returns why that is impossible.
local function misfit(program, most)
  if program.count > LABELS then
    return ("it has %d blocks, and at most %d are possible"):format(program.count, LABELS)
  end
  for number = 1, program.count do allocate.expressions(programs.read(program, number)) end
  local gotos = crossing_edges(program)
  if gotos > GOTOS then
    return ("it has %d gotos, and Lua allows %d"):format(gotos, GOTOS)
  end
  if not allocate.locals(program, most) then
    return ("it needs more than %d locals"):format(most)
  end
end

local KNOWN = { form = { "goto", "blocks" }, fuel = "boolean", locals = { 1, allocate.ROOM } }

---@class phial.emit.lua.Options
--- One function with gotos, or a function for each block; default: by its size.
---@field form? "goto"|"blocks"
--- Count blocks: `host.fuel.left` says how many may be entered.
---@field fuel? boolean
---@field locals? integer the most that one Lua function gets (default 180)

local function make(fn, opts)
  local program = programs.open(fn)
  program.local_name = chunk.local_name(program.name)
  local why = opts.form ~= "blocks" and misfit(program, opts.locals or allocate.ROOM)
  if opts.form == "goto" and why then
    errors.raise("function '%s' is too large for one Lua function: %s; leave out form = \"goto\"",
      program.name, why)
  end
  local in_frame = opts.form == "blocks" or why ~= nil
  local code = Code.new(program, in_frame)
  code.marks, code.varargs = opts.marks, fn:is_variadic()
  code.memory = code.varargs or nil
  code.frees = code.varargs or chunk.has_memory(program)
  local write = in_frame and write_blocks or write_goto
  write(code, opts)
  return { source = chunk.assemble(code), host = code.hosted, callees = code.callees,
    calls = code.calls, evals = code.evals, leaves = code.leaves, memory = code.memory,
    counts = opts.fuel }
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
