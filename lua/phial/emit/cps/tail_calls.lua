-- Continuation-passing style as Lua: each block is a function that ends with tail
-- calls, phis are its parameters, and `ret`, the last argument of the whole function,
-- gets the result. The functions are nested by dominance. Where that exceeds a limit
-- of Lua they are flat: elements of the table B, and values that cross blocks are
-- elements of the frame F, which each of them passes on.
local Code = require "phial.emit.lua.code"
local chunk = require "phial.emit.lua.chunk"
local core = require "phial.core"
local errors = require "phial.errors"
local language = require "phial.emit.lua.language"
local nesting = require "phial.emit.cps.nesting"
local programs = require "phial.code.program"

local M = {}

-- The most locals of a function; the most of its upvalues that are values or
-- continuations (Lua allows 255, others are functions of the runtime).
local LOCALS, UPVALUES = chunk.LOCALS, 180

-- The most levels of nesting: Lua's parser has 200, some of which its caller needs. An
-- expression in another one takes at most EXPRESSION of them.
local LEVELS, EXPRESSION = 185, 5

-- Locals of a block other than values: `all`, `_`, `target`, `result`.
local FURTHER = 4

-- A switch with more cases than this is a binary search, a nesting of its own.
local FEW = 4

-- {== Whether it can be nested ========================================

-- How deep expressions in a block can be, inside the functions around it and the binary
-- search of its switch.
local function room_for_expressions(block)
  local cases, levels = #block.edges, block.depth
  while cases > FEW do
    cases, levels = (cases + 1) // 2, levels + 1
  end
  return (LEVELS - levels) // EXPRESSION
end

-- The number of values that have a name.
local function count_named(code, list)
  local count = 0
  for _, v in ipairs(list) do
    if code:place(v.id) then count = count + 1 end
    count = count + (v.results and count_named(code, v.results) or 0)
  end
  return count
end

-- True if a function needs too many locals or arguments.
local function has_too_many_locals(code, program)
  if #program.params > chunk.NAMED then return true end
  for _, block in ipairs(program.blocks) do
    local count = #block.phis + count_named(code, block.insts) + #block.children + FURTHER
    if not block.parent then count = count + #program.params + 2 end
    if count > LOCALS or #block.phis > code.many then return true end
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

-- }== Blocks ==========================================================

local function names(code, values, first)
  local out = { first }
  for _, v in ipairs(values) do out[#out + 1] = code:place(v.id) end
  return table.concat(out, ", ")
end

-- Adds the text of a block, or a part of it.
local function add_block(code, number, part)
  local text = code:block(number, part)
  if text ~= "" then code.out[#code.out + 1] = text:sub(1, -2) end
end

-- Adds the lines that take fuel.
local function burn(code, number, opts, indent)
  if opts.fuel then code.out[#code.out + 1] = chunk.burn(code, number, true, indent):sub(1, -2) end
end

-- }== Nested ==========================================================

local function label_of(code, block) return (select(2, code.w:is_target(block.number))) end

local write_nested

-- Writes the functions inside a block's; several are declared first, as they see one another.
local function write_children(code, block, opts, indent)
  local labels, start = {}, "function"
  for i, child in ipairs(block.children) do labels[i] = label_of(code, child) end
  if #labels == 1 then start = "local function" end
  if #labels > 1 then code:add("%slocal %s", indent, table.concat(labels, ", ")) end
  for i, child in ipairs(block.children) do
    code:add("%s%s %s(%s)", indent, start, labels[i], names(code, child.phis))
    code.w:indent(1)
    write_nested(code, child, opts, indent .. "  ")
    code.w:indent(-1)
    code:add("%send", indent)
  end
end

function write_nested(code, block, opts, indent)
  burn(code, block.number, opts, indent)
  add_block(code, block.number, "instructions")
  local declared = code.declared
  write_children(code, block, opts, indent)
  code.declared = declared
  add_block(code, block.number, "end")
end

local function write_in_one(code, program, opts)
  code:add("local function %s(%s)", code.local_name,
    names(code, program.params):gsub("(.)$", "%1, ") .. "ret")
  chunk.begin(code)
  code.w:indent(1)
  write_nested(code, program.blocks[1], opts, "  ")
  code:add "end"
end

-- }== Flat ============================================================

-- Stores parameters that other blocks use, or all those in a table.
local function store_phis(code, block, is_packed)
  for i, phi in ipairs(block.phis) do
    local home, place = code.w:home(phi.id), code:place(phi.id)
    if is_packed then
      code:add("      %s = P[%d]", home, i)
    elseif home ~= place then
      code:add("      %s = %s", home, place)
    end
  end
end

local function write_function(code, block, opts)
  local number, is_packed = block.number, #block.phis > code.many
  code:add("    B[%d] = function(%s) -- %s", number,
    is_packed and "F, P" or names(code, block.phis, "F"),
    chunk.title(core.block(code.fn, block.id)))
  store_phis(code, block, is_packed)
  burn(code, number, opts, "      ")
  add_block(code, number)
  code:add "    end"
end

-- The parameters of a function, and its last one.
local function numbered(count, last)
  local params = {}
  for i = 1, count do params[i] = "a" .. i end
  params[count + 1] = last
  return table.concat(params, ", ")
end

-- Writes the function that makes the frame.
local function write_entry(code, n)
  if n > chunk.NAMED then
    code:add("function %s(...)", code.local_name)
    code:add "  local F = { ... }"
    code:add("  F.ret = F[%d]", n + 1)
  else
    code:add("function %s(%s)", code.local_name, numbered(n, "ret"))
    code:add("  local F = { %s }", numbered(n))
    code:add "  F.ret = ret"
  end
  chunk.begin(code)
  code:add "  return B[1](F)"
  code:add "end"
end

local function write_flat(code, program, opts)
  code:add("local %s", code.local_name)
  code:add "local B = {}"
  code.w:indent(3)
  chunk.parts(code, program.count, function(number)
    write_function(code, program.blocks[number], opts)
  end)
  write_entry(code, #program.params)
end

-- }== The function ====================================================

-- Writes the function that a call of the function itself is: one that returns.
local function write_direct(code, n)
  table.insert(code.out, 1, "local direct")
  code:add "local function pass(...) return ... end"
  if n > chunk.NAMED then
    code:add "function direct(...)"
    code:add "  local a = { ... }"
    code:add("  a[%d] = pass", n + 1)
    code:add("  return %s(%s(a, 1, %d))", code.local_name, code:need "spread", n + 1)
  else
    code:add("function direct(%s)", numbered(n))
    code:add("  return %s(%s)", code.local_name, numbered(n, "pass"))
  end
  code:add "end"
end

-- A name that no block has.
local function local_name(name)
  local text = chunk.local_name(name)
  return text:find "%dk$" and text .. "_" or text
end

-- True if the continuations cannot be nested; else they are opened so.
local function must_be_flat(code, program, nesting_allowed)
  if nesting.nest(program) > nesting_allowed then return true end
  for _, block in ipairs(program.blocks) do
    code.most = math.min(code.most, room_for_expressions(block))
  end
  code:open(language, "nested", LOCALS)
  return has_too_many_locals(code, program) or has_too_many_upvalues(program)
end

local function make(fn, opts)
  if fn:is_variadic() then
    errors.raise("function '%s' is variadic: its continuation follows its parameters",
      fn:name())
  end
  local program, code = programs.whole(fn), Code.new(fn, local_name(fn:name()))
  code.frees, code.direct = chunk.has_memory(fn), "direct"
  if must_be_flat(code, program, opts.nesting) then
    code.most, code.passes = nil, "F.ret" -- as usual again
    code:open(language, "flat", LOCALS)
    write_flat(code, program, opts)
  else
    code.passes = "ret"
    write_in_one(code, program, opts)
  end
  if code.calls_itself then write_direct(code, #program.params) end
  return chunk.made(code, opts.fuel)
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
