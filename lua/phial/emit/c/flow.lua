-- Edges and terminators. The terminator reads its operands before the moves of an edge.
local calls = require "phial.emit.c.calls"
local names = require "phial.emit.c.names"
local ops = require "phial.emit.c.ops"
local types = require "phial.emit.c.types"

local M = {}

--
-- {== Edges ===========================================================
--

-- Writes the moves of an edge, of which the last one is first.
local function write_moves(code, edge)
  for i = #edge.moves, 1, -1 do
    local move = edge.moves[i]
    local text = move.from.name or code:bare(move.from)
    if text ~= move.to.name then code:put(move.to.name .. " = " .. text .. ";") end
  end
end

-- Writes an edge; without a jump if its target follows.
local function go(code, edge, may_fall)
  if #edge.moves > 0 then write_moves(code, edge) end
  if may_fall and edge.to.number == code.block.number + 1 then return end
  edge.to.is_target = true
  code:put("goto " .. edge.to.label .. ";")
end

local function go_if(code, test, edge)
  local block = #edge.moves > 0
  code:put("if (" .. test .. (block and ") {" or ")"))
  code:enter()
  go(code, edge)
  code:leave()
  if block then code:put "}" end
end

-- }== Terminators =====================================================

--- How terminators of phial are written: `stmt` also gets the edges.
---@type table<string, phial.emit.c.Row>
local rows = {}
M.rows = rows

rows.jump = { stmt = function(code, _, edges) go(code, edges[1], true) end }

rows.branch = { stmt = function(code, v, edges)
  local cond = v.args[1]
  if edges[1].to.number ~= code.block.number + 1 then
    go_if(code, code:bare(cond), edges[1])
    go(code, edges[2], true)
  else
    go_if(code, "!" .. code:text(cond), edges[2])
    go(code, edges[1], true)
  end
end }

-- Writes the cases that lead to one target in a row as one.
local function write_cases(code, v, edges, key_of)
  for i = 2, #v.args do
    code:line("case %s:", key_of(v.args[i]))
    local edge, next_edge = edges[i], edges[i + 1]
    if not next_edge or next_edge.to ~= edge.to or #edge.moves > 0 or #next_edge.moves > 0 then
      code:enter()
      go(code, edge)
      code:leave()
    end
  end
end

-- True if compilers may see what an operand is: what is written of it has no variable, or none that
-- decides.
local function is_foldable(code, arg)
  if not arg.block then return true end
  local row, args = arg.row, arg.args
  if not arg.inline or row.effect then return false end
  if arg.op == "select" then return is_foldable(code, args[1]) end
  local atoms, one_decides = row.atoms, row.lazy == true
  if atoms and (atoms == true or atoms(code, arg)) then return true end
  for i = 1, #args do
    if is_foldable(code, args[i]) == one_decides then return one_decides end
  end
  return not one_decides
end

rows.switch = { stmt = function(code, v, edges)
  local subject = v.args[1]
  local is_bit = subject.type == "i1"
  if #v.args > 1 then
    code:line("switch ((%s)%s) {", is_bit and "int" or types.signed(subject.type),
      is_foldable(code, subject) and code:hidden(subject) or code:text(subject))
    write_cases(code, v, edges, function(key)
      if is_bit then return key.known and "1" or "0" end
      return code:signed(key)
    end)
    code:line "}"
  else
    code:ignore(subject)
  end
  go(code, edges[1], true)
end }

rows.ret = { stmt = function(code, v)
  local value = v.args[1]
  code.returns = true
  if not value then return code:line "return;" end
  code:line("return %s;", code:passed(value, code.program.fn:passing()))
end }

-- A call of the function itself: the parameters get the arguments, all at once.
local function start_anew(code, v)
  local program, sources, is_param = code.program, {}, {}
  for _, param in ipairs(program.params) do is_param[param.name] = true end
  for i, param in ipairs(program.params) do
    local arg = v.args[i]
    local text = code:bare(arg)
    local may_change = arg.inline or is_param[text] and text ~= param.name
    sources[i] = may_change and code:temp(arg.type, text) or text
  end
  for i, param in ipairs(program.params) do
    if sources[i] ~= param.name then
      code:line("%s = %s;", param.name, sources[i])
    else
      param.stays = (param.stays or 0) + 1
    end
  end
  program.blocks[1].is_target = true
  code:line("goto %s;", program.blocks[1].label)
end

-- A compiler without musttail guarantees nothing.
local function tail_call(code, v)
  local fn = code.program.fn
  if v.symbol == fn and not fn:is_variadic() then return start_anew(code, v) end
  local text = calls.tail(code, v)
  code:need "PHIAL_MUSTTAIL"
  code:directive "#ifdef PHIAL_MUSTTAIL"
  code:line("{ PHIAL_MUSTTAIL return %s; }", text) -- clang refuses it behind a label
  code:directive "#else"
  code:directive("#error " .. names.quoted(code:where(v)
    .. ": tail calls need a compiler with musttail, as clang 13 or gcc 15"))
  code:directive "#endif"
  code.returns = true
end

rows.tail_call = { stmt = tail_call, prepare = ops.refers }
rows.tail_call_indirect = { stmt = tail_call }

rows.unreachable = { stmt = function(code, v)
  if code.unit.opts.traps == "undefined" then
    code:line("%s();", code:need "PHIAL_UNREACHABLE")
  else
    code:trap(v, nil, "reached")
  end
end }

-- The statement that follows an edge of a dialect's terminator.
local function target(code, edge)
  local at, loc = code.at, code.loc
  code.at, code.loc = false, false
  local lines = code:apart(function() go(code, edge) end)
  code.at, code.loc = at, loc
  for i, line in ipairs(lines) do lines[i] = line:match "^%s*(.*)$" end
  return #lines == 1 and lines[1] or "{ " .. table.concat(lines, " ") .. " }"
end

--- Writes the terminator of the current block.
---@param code phial.emit.c.Code
function M.finish(code)
  local block = code.block
  local v = block.insts[#block.insts]
  if code.line_of then code:locate(v) end
  local row = rows[v.op]
  if row then return row.stmt(code, v, block.edges) end
  calls.dialect(code, v, function(i)
    return block.edges[i] and target(code, block.edges[i])
  end)
end

-- }====================================================================

return M
