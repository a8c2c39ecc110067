-- Continuation-passing style as Lua: each block is a function that ends with tail
-- calls, phis are its parameters, and `ret`, the last argument of the whole function,
-- gets the result. The functions are nested by dominance. Where that exceeds a limit
-- of Lua they are flat: elements of the table B, and values that cross blocks are
-- elements of the frame F, which each of them passes on.
local Code = require "phial.emit.lua.code"
local allocate = require "phial.emit.lua.allocate"
local chunk = require "phial.emit.lua.chunk"
local errors = require "phial.errors"
local flow = require "phial.emit.lua.flow"
local nesting = require "phial.emit.cps.nesting"
local programs = require "phial.code.program"

local M = {}

-- The most locals of a function; the most of its upvalues that are values or
-- continuations (Lua allows 255, others are functions of the runtime).
local LOCALS, UPVALUES = allocate.ROOM, 180

-- The most levels of nesting: Lua's parser has 200, some of which its caller needs. An
-- expression in another one takes at most EXPRESSION of them.
local LEVELS, EXPRESSION = 185, 5

-- The most arguments of a continuation; more are passed in a table.
local MANY = 40

-- Locals of a block other than values: `all`, `_`, `target`, `result`.
local FURTHER = 4

-- A switch with more cases than this is a binary search, a nesting of its own.
local FEW = 4

--
-- {== Whether it can be nested ========================================
--

-- How deep expressions in a block can be, inside the functions around it and the binary
-- search of its switch.
local function room_for_expressions(block)
  local cases, levels = #block.edges, block.depth
  while cases > FEW do
    cases, levels = (cases + 1) // 2, levels + 1
  end
  return (LEVELS - levels) // EXPRESSION
end

-- True if a function needs too many locals or arguments.
local function has_too_many_locals(program)
  if #program.params > chunk.NAMED then return true end
  for _, block in ipairs(program.blocks) do
    local count = #block.phis + allocate.count_kept(block) + #block.children + FURTHER
    if not block.parent then count = count + #program.params + 2 end
    if count > LOCALS or #block.phis > MANY then return true end
  end
  return false
end

-- Adds what the function of a block takes from around it: values, and blocks that it calls.
local function add_upvalues(free, block)
  local function need(it, owner)
    if owner and owner ~= block then free[it] = owner end
  end
  for _, v in ipairs(block.insts) do
    for _, arg in ipairs(v.args) do need(arg, arg.block) end
  end
  for _, edge in ipairs(block.edges) do
    need(edge.to, edge.to.parent)
    for _, source in ipairs(edge.sources) do need(source, source.block) end
  end
end

-- The number of elements of `free`, without those that the block owns; adds them to those
-- of the block around it.
local function pass_on(free, block, outer)
  local count = 0
  for it, owner in pairs(free) do
    if owner ~= block then
      count, outer[it] = count + 1, owner
    end
  end
  return count
end

-- Blocks come after those around them, so from the last to the first each is complete.
local function has_too_many_upvalues(program)
  local free = {}
  for i = 1, #program.blocks do free[i] = {} end
  for i = #program.blocks, 2, -1 do
    local block = program.blocks[i]
    add_upvalues(free[i], block)
    if pass_on(free[i], block, free[block.parent.number]) > UPVALUES then return true end
    free[i] = nil
  end
  return false
end

-- }== Nested ==========================================================

local function names(values, first)
  local out = { first }
  for _, v in ipairs(values) do out[#out + 1] = v.name end
  return table.concat(out, ", ")
end

local function arguments(code, edge, first)
  local out = { first }
  for _, source in ipairs(edge.sources) do out[#out + 1] = code:bare(source) end
  return table.concat(out, ", ")
end

local nested = { result = "ret" }

function nested.call(code, edge)
  return ("%s(%s)"):format(edge.to.label, arguments(code, edge))
end

function nested.ret(_, text) return ("ret(%s)"):format(text or "") end

local write_nested

-- Writes the functions inside a block's; several are declared first, as they see one another.
local function write_children(code, block, opts)
  local labels, start = {}, "function"
  for i, child in ipairs(block.children) do labels[i] = child.label end
  if #labels == 1 then start = "local function" end
  if #labels > 1 then code:line("local %s", table.concat(labels, ", ")) end
  for _, child in ipairs(block.children) do
    code:line("%s %s(%s)", start, child.label, names(child.phis))
    code:enter()
    write_nested(code, child, opts)
    code:leave()
    code:line "end"
  end
end

function write_nested(code, block, opts)
  code:instructions(block, opts.fuel)
  local declared = code.declared
  write_children(code, block, opts)
  code.block, code.declared = block, declared
  flow.finish(code)
end

local function write_in_one(code, opts)
  local program = code.program
  for _, param in ipairs(program.params) do allocate.name(param) end
  for _, block in ipairs(program.blocks) do
    allocate.names(block)
    block.label = chunk.label(block) .. "k"
  end
  local params = names(program.params)
  code:line("local function %s(%s)", program.local_name,
    params == "" and "ret" or params .. ", ret")
  code:enter()
  chunk.begin(code)
  write_nested(code, program.blocks[1], opts)
  code:leave()
  code:line "end"
end

-- }== Flat ============================================================

local flat = { result = "F.ret" }

function flat.call(code, edge)
  local to = edge.to
  if not to.packed then return ("B[%d](%s)"):format(to.number, arguments(code, edge, "F")) end
  return ("B[%d](F, { %s })"):format(to.number, arguments(code, edge))
end

function flat.ret(_, text) return ("F.ret(%s)"):format(text or "") end

-- Decides where the values of a block are: parameters of its function, its locals,
-- elements of the frame.
local function place(program, block)
  block.packed = #block.phis > MANY
  for _, phi in ipairs(block.phis) do
    if phi.far or block.packed then allocate.slot(program, phi) end
    if not block.packed then allocate.name(phi) end
  end
  allocate.place_own(program, block, LOCALS - (block.packed and 0 or #block.phis))
end

-- Stores parameters that other blocks use, or all those in a table.
local function store_phis(code, block)
  for i, phi in ipairs(block.phis) do
    if block.packed then
      code:line("%s = P[%d]", phi.slot, i)
    else
      code:store(phi)
    end
  end
end

local function write_function(code, number, opts)
  local block = code.program.blocks[number]
  code:line("B[%d] = function(%s) -- %s", number,
    block.packed and "F, P" or names(block.phis, "F"), chunk.title(code, block))
  code:enter()
  store_phis(code, block)
  code:instructions(block, opts.fuel)
  flow.finish(code)
  code:leave()
  code:line "end"
end

-- The parameters of a function, and its last one.
local function numbered(count, last)
  local params = {}
  for i = 1, count do params[i] = "a" .. i end
  params[count + 1] = last
  return table.concat(params, ", ")
end

-- Writes the function that makes the frame.
local function write_entry(code)
  local program, n = code.program, #code.program.params
  if n > chunk.NAMED then
    code:line("function %s(...)", program.local_name)
    code:line "  local F = { ... }"
    code:line("  F.ret = F[%d]", n + 1)
  else
    code:line("function %s(%s)", program.local_name, numbered(n, "ret"))
    code:line("  local F = { %s }", numbered(n))
    code:line "  F.ret = ret"
  end
  code:enter()
  chunk.begin(code)
  code:leave()
  code:line "  return B[1](F)"
  code:line "end"
end

local function write_flat(code, opts)
  local program = code.program
  allocate.frame(program)
  for _, block in ipairs(program.blocks) do place(program, block) end
  code:line("local %s", program.local_name)
  code:line "local B = {}"
  chunk.parts(code, function(number) write_function(code, number, opts) end)
  write_entry(code)
end

-- }== The function ====================================================

-- Writes the function that a call of the function itself is: one that returns.
local function write_direct(code)
  local program, n = code.program, #code.program.params
  table.insert(code.lines, 1, "local direct")
  code:line "local function pass(...) return ... end"
  if n > chunk.NAMED then
    code:line "function direct(...)"
    code:line "  local a = { ... }"
    code:line("  a[%d] = pass", n + 1)
    code:line("  return %s(%s(a, 1, %d))", program.local_name, code:need "spread", n + 1)
  else
    code:line("function direct(%s)", numbered(n))
    code:line("  return %s(%s)", program.local_name, numbered(n, "pass"))
  end
  code:line "end"
end

-- A name that no block has.
local function local_name(name)
  local text = chunk.local_name(name)
  return text:find "%dk$" and text .. "_" or text
end

-- True if the continuations cannot be nested. Decides which values are expressions.
local function must_be_flat(program, nesting_allowed)
  local is_deep = nesting.nest(program) > nesting_allowed
  for _, block in ipairs(program.blocks) do
    allocate.expressions(block, not is_deep and room_for_expressions(block) or nil)
  end
  return is_deep or has_too_many_locals(program) or has_too_many_upvalues(program)
end

local function make(fn, opts)
  if fn:is_variadic() then
    errors.raise("function '%s' is variadic: its continuation comes behind its parameters",
      fn:name())
  end
  local program = programs.whole(fn)
  program.local_name = local_name(program.name)
  local is_flat = must_be_flat(program, opts.nesting)
  local code = Code.new(program, is_flat)
  code.frees, code.direct = chunk.has_memory(program), "direct"
  code.continuations = is_flat and flat or nested
  local write = is_flat and write_flat or write_in_one
  write(code, opts)
  if code.calls_itself then write_direct(code) end
  return { source = chunk.assemble(code), host = code.hosted, callees = code.callees,
    calls = code.calls, memory = code.memory, counts = opts.fuel }
end

--- Lua source of a finished function in continuation-passing style: a chunk that returns
--- the function. The chunk is called with the second result, as that of `phial.emit.lua`.
---@param fn phial.Function
---@param opts {nesting: integer, fuel: boolean?}
---@return string source
---@return table host
function M.func(fn, opts)
  return chunk.results(fn, programs.reading({ [fn] = fn:version() }, make, fn, opts))
end

-- }====================================================================

return M
