-- The rows of calls, and of what ends a block, other than jumps and branches.
local callees = require "phial.code.callees"
local later = require "phial.later"
local numbers = require "phial.emit.lua.numbers"

local M = {}

local calls = {}
for _, name in ipairs { "call", "call_indirect", "tail", "eval", "returned", "dialect" } do
  calls[name] = later("phial.emit.lua.calls", name)
end

-- The most cases that are tested one by one; more are split by binary search.
local FEW = 4

--
-- {== Cases ===========================================================
--

local function go_if(code, test, edge)
  if not select(2, code.w:target(edge)) then
    return code:line("if %s then %s end", test, code.w:jump(edge))
  end
  code:line("if %s then", test)
  code.w:indent(1)
  code.w:go(edge)
  code.w:indent(-1)
  code:line "end"
end

-- Writes jumps to the case whose key equals the subject; falls through if none
-- does. Cases are sorted.
local function choose(code, subject, cases, first, last)
  if last - first < FEW then
    for i = first, last do
      go_if(code, ("%s == %s"):format(subject, cases[i].key), cases[i].edge)
    end
    return
  end
  local middle = (first + last) // 2
  code:line("if %s <= %s then", subject, cases[middle].key)
  code.w:indent(1)
  choose(code, subject, cases, first, middle)
  code.w:indent(-1)
  code:line "else"
  code.w:indent(1)
  choose(code, subject, cases, middle + 1, last)
  code.w:indent(-1)
  code:line "end"
end

local function switch(code, v)
  local args, cases = code:args(v), {}
  for i = 2, #args do cases[i - 1] = { key = code:text(args[i]), edge = i } end
  choose(code, code:text(args[1]), cases, 1, #cases)
  code.w:go(1, true)
end

-- }== The end of the function =========================================

-- Ends the function. What it returns needs no memory, unless it is a call.
local function leave(code, text, is_call)
  if code.frees and text and is_call then
    text = ("%s(%s, %s)"):format(code:need "released", code:of_frame "sp", text)
  elseif code.frees then
    code:line("%s(%s)", code:need "release", code:of_frame "sp")
  end
  if code.passes then
    text = ("%s(%s)"):format(code.passes, text or "")
  elseif code.flags.frame then
    if code.results[2] then text = ("{ %s }"):format(text) end
    text = "false" .. (text and ", " .. text or "")
  end
  code:line("%s", text and "return " .. text or "return")
  code.returns = true
end

local function ret(code, v)
  local texts = {}
  for i, value in ipairs(code:args(v)) do texts[i] = code:bare(value) end
  leave(code, texts[1] and (code.flags.frame and not code.passes and table.concat(texts, ", ")
    or code:listed(texts)))
end

-- Lua calls in place of the function, whose memory is freed when the arguments are known. The
-- function of a block leaves that to the loop.
local function tail_call(code, v)
  local callee, arguments = calls.tail(code, v, code.passes)
  if code.frees then
    arguments = ("%s(%s%s)"):format(code:need "released", code:of_frame "sp",
      arguments == "" and "" or ", " .. arguments)
  end
  if code.flags.frame and not code.passes then
    code:line("F.callee, F.passed = %s, %s(%s)", callee, code:need "packed", arguments)
    return code:line "return false"
  end
  code:line("return %s(%s)", callee, arguments)
  code.returns = true
end

M.rows = {
  call = calls.call, call_indirect = calls.call_indirect, switch = switch, ret = ret,
  tail_call = tail_call, tail_call_indirect = tail_call, unreachable = "trap: reached",
}

-- }== Dialects ========================================================

-- The eval of a terminator returns the number of the target, or without targets the function's
-- result.
local function dialect_end(code, v)
  local edges, cases = code.w:edges(), {}
  if edges == 0 then
    if code.result then return leave(code, calls.returned(code, v), true) end
    code:call(calls.eval(code, v))
    return leave(code)
  end
  for i = 1, edges do cases[i] = { key = ("%d"):format(i), edge = i } end
  code:line("local target = %s", calls.eval(code, v))
  code.declared.target = true
  code:line("%s(target, %d, %s)", code:need "check_target", edges, numbers.quote(code:where(v)))
  choose(code, "target", cases, 1, edges - 1)
  code.w:go(edges, true)
end

--- Writes an op of a dialect. What returns from the function is its eval alone.
---@param code phial.emit.lua.Code
---@param v integer
function M.dialect(code, v)
  local ends = code:ends_block(v)
  local write = callees.of_dialect(code.fn, code:handle(v):op(), "lua")
  if write and not (ends and code.w:edges() == 0) then
    code.temps = 0
    code:write(v, "lua", write)
  elseif ends then
    dialect_end(code, v)
  else
    calls.dialect(code, v)
  end
end

-- }====================================================================

return M
