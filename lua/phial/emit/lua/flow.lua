-- Terminators and edges. The phis of the next block are assigned on the edge, in
-- the terminator's code: so critical edges need no block of their own. In
-- continuation-passing style they are arguments of a tail call instead.
local calls = require "phial.emit.lua.calls"
local parallel_copy = require "phial.emit.lua.parallel_copy"
local numbers = require "phial.emit.lua.numbers"

local M = {}

-- The most cases that are tested one by one; more are split by binary search.
local FEW = 4

--
-- {== Edges ===========================================================
--

-- True if a phi is in the same place as what an edge assigns to it.
local function is_same(phi, from)
  if phi == from then return true end
  return not phi.slot and from.block and not from.inline and phi.name == from.name
end

local function has_moves(code, edge)
  if code.continuations then return false end
  local phis, sources = edge.to.phis, edge.sources
  for i = 1, #phis do
    if not is_same(phis[i], sources[i]) then return true end
  end
  return false
end

-- Writes an assignment for each phi.
local function write_each(code, edge)
  local phis, sources = edge.to.phis, edge.sources
  for i = 1, #phis do
    local phi, from = phis[i], sources[i]
    if not is_same(phi, from) then
      code:add((phi.slot or phi.name) .. " = " .. code:bare(from))
    end
  end
end

-- Writes the assignments to the phis of an edge's target. With slots, only those of an edge
-- back to a block can read what they write.
local function write_moves(code, edge)
  if code.continuations then return end
  if code.in_frame and edge.to.number > code.block.number then return write_each(code, edge) end
  local moves = {}
  for i, phi in ipairs(edge.to.phis) do
    local from = edge.sources[i]
    if not is_same(phi, from) then
      moves[#moves + 1] = { to = phi.slot or phi.name, text = code:bare(from),
        reads = code:reads(from, {}) }
    end
  end
  parallel_copy.write(code, moves)
end

-- The statement that takes an edge.
local function jump(code, edge)
  local to = edge.to
  if code.continuations then return "return " .. code.continuations.call(code, edge) end
  if code.in_frame then return "return " .. to.number end
  to.is_target = true
  return "goto " .. to.label
end

-- Writes an edge; without a jump if its target `follows`.
local function go(code, edge, follows)
  write_moves(code, edge)
  if not follows then code:add(jump(code, edge)) end
end

local function follows(code, edge)
  return not code.in_frame and not code.continuations
    and edge.to.number == code.block.number + 1
end

local function go_if(code, test, edge)
  if not has_moves(code, edge) then
    return code:add("if " .. test .. " then " .. jump(code, edge) .. " end")
  end
  code:add("if " .. test .. " then")
  code:enter()
  write_moves(code, edge)
  code:add(jump(code, edge))
  code:leave()
  code:add "end"
end

-- }== Cases ===========================================================

-- Writes jumps to the case whose key equals the subject; falls through if none
-- does. Cases are sorted.
local function choose(code, subject, cases, first, last)
  if last - first < FEW then
    for i = first, last do
      go_if(code, subject .. " == " .. cases[i].key, cases[i].edge)
    end
    return
  end
  local middle = (first + last) // 2
  code:line("if %s <= %s then", subject, cases[middle].key)
  code:enter()
  choose(code, subject, cases, first, middle)
  code:leave()
  code:line "else"
  code:enter()
  choose(code, subject, cases, middle + 1, last)
  code:leave()
  code:line "end"
end

-- }== Terminators =====================================================

local ends = {}

function ends.jump(code, _, edges)
  go(code, edges[1], follows(code, edges[1]))
end

function ends.branch(code, v, edges)
  local cond = v.args[1]
  if follows(code, edges[1]) then
    go_if(code, "not " .. code:text(cond), edges[2])
    go(code, edges[1], true)
  else
    go_if(code, code:bare(cond), edges[1])
    go(code, edges[2], follows(code, edges[2]))
  end
end

function ends.switch(code, v, edges)
  local cases = {}
  for i = 2, #v.args do cases[i - 1] = { key = code:text(v.args[i]), edge = edges[i] } end
  choose(code, code:text(v.args[1]), cases, 1, #cases)
  go(code, edges[1], follows(code, edges[1]))
end

-- Ends the function. What it returns needs no memory, unless it is a call.
local function leave(code, text, is_call)
  if code.frees then
    if text and is_call then
      code:line("local result = %s", text)
      text = "result"
    end
    code:line("%s(%s)", code:need "release", code.in_frame and "F.sp" or "sp")
  end
  if code.continuations then
    text = code.continuations.ret(code, text)
  elseif code.in_frame then
    text = "false" .. (text and ", " .. text or "")
  end
  code:add(text and "return " .. text or "return")
  code.returns = true
end

function ends.ret(code, v)
  leave(code, v.args[1] and code:bare(v.args[1]))
end

-- Lua calls in place of the function, whose memory is freed when the arguments are known. The
-- function of a block leaves that to the loop.
local function tail_call(code, v)
  local callee, arguments = calls.tail(code, v, code.continuations and code.continuations.result)
  if code.frees then
    arguments = ("%s(%s%s)"):format(code:need "released", code.in_frame and "F.sp" or "sp",
      arguments == "" and "" or ", " .. arguments)
  end
  if code.in_frame and not code.continuations then
    code:line("F.callee, F.passed = %s, %s(%s)", callee, code:need "packed", arguments)
    return code:add "return false"
  end
  code:add(("return %s(%s)"):format(callee, arguments))
  code.returns = true
end

ends.tail_call, ends.tail_call_indirect = tail_call, tail_call

function ends.unreachable(code, v)
  code:trap(v, "true", "reached")
end

-- A terminator of a dialect: its eval returns the number of the target, or without
-- targets the function's result.
local function dialect_end(code, v, edges)
  if #edges == 0 then
    if code.program.result then return leave(code, calls.returned(code, v), true) end
    code:call(calls.eval(code, v))
    return leave(code)
  end
  local cases = {}
  for i, edge in ipairs(edges) do cases[i] = { key = ("%d"):format(i), edge = edge } end
  code:line("local target = %s", calls.eval(code, v))
  code.declared.target = true
  code:line("%s(target, %d, %s)", code:need "check_target", #edges, numbers.quote(code:where(v)))
  choose(code, "target", cases, 1, #cases - 1)
  go(code, edges[#edges], follows(code, edges[#edges]))
end

--- Writes the terminator of the current block.
---@param code phial.emit.lua.Code
function M.finish(code)
  local block = code.block
  local v = block.insts[#block.insts]
  local write = ends[v.op] or dialect_end
  write(code, v, block.edges)
end

-- }====================================================================

return M
