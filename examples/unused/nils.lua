-- Operations of Lua that fail if an operand is nil, on local variables that have
-- no value yet on some path.
--
-- fn:definitions lists the values that a variable may have where it is read.  If
-- the nil of `local x` is one of them, a path exists on which nothing else was
-- assigned.  It may be a path that no run takes, so paths are excluded on which
-- something is known (facts.lua) that contradicts what is known at the use.
local facts_of = require("unused.facts").of
local locals = require "unused.locals"
local messages = require "unused.reports"

local M = {}

-- The number of operands, from the first on, that must not be nil.
local NEEDS = {
  index = 1, setindex = 1, call = 1, callall = 1, callnone = 1, tailcall = 1, len = 1, unm = 1,
  bnot = 1, lt = 2, le = 2, forprep = 3, concat = math.maxinteger,
}
for name in ("add sub mul mod pow div idiv band bor bxor shl shr"):gmatch "%a+" do
  NEEDS[name] = 2
end
local DONE = {
  index = "indexed", setindex = "indexed", call = "called", callall = "called",
  callnone = "called", tailcall = "called", lt = "compared", le = "compared",
}

-- The nils that declarations without a value write: by copy, the declaration.
local function declarations_of(proto, written)
  local owner, set = locals.of(proto), {}
  for _, copy in ipairs(written) do
    local value, type = copy.value:args()[1]:const()
    if value == nil and type then
      local variable, is_first = owner(copy.pc, copy.register)
      if is_first and not variable.name:find "^[_(]" then
        set[copy.value] = { name = variable.name, line = variable.line or copy.value:loc() }
      end
    end
  end
  return set
end

-- True if something that is known at the use implies that an edge was not taken.
local function contradicted(facts, here, index, from, to)
  for _, fact in ipairs(here) do
    local value = fact.value
    if value:op() == "phi" and value:block() == to then value = value:args()[index] end
    local known = facts:on_edge(value, from, to)
    if known ~= nil and known ~= "set" and fact.known ~= "set" and known ~= fact.known then
      return true
    end
  end
  return false
end

-- True if a definition may reach a value, given what is known where that is used.
-- fn:definitions has found that it does on some path.
local function comes(facts, definition, value, here)
  local todo, seen = { value }, { [value] = true }
  while #todo > 0 do
    local now = table.remove(todo)
    if now == definition then return true end
    local to, args = now:block(), now:args()
    for i, from in ipairs(now:op() == "phi" and to:preds() or {}) do
      local arg = args[i]
      if not seen[arg] and not facts:never(from, to) and not facts:on_edge(arg, from, to)
        and not contradicted(facts, here, i, from, to) then
        seen[arg], todo[#todo + 1] = true, arg
      end
    end
  end
  return false
end

-- The operands of an instruction that must not be nil.
local function needed(inst)
  local name = inst:op():match "^lua%.(.*)"
  local args = NEEDS[name] and inst:args() or {}
  return table.move(args, 1, math.min(#args, NEEDS[name] or 0), 1, {})
end

-- An operand, and what it is a copy of, as callees always are.
local function origins(operand)
  local list = {}
  while operand:op() == "copy" do
    list[#list + 1] = operand
    operand = operand:args()[1]
  end
  if operand:op() == "phi" then list[#list + 1] = operand end
  return list
end

-- The declarations among the definitions of a value.
local function declared(fn, value, declarations)
  local list = {}
  for _, definition in ipairs(fn:definitions(value)) do
    if declarations[definition] then list[#list + 1] = definition end
  end
  return list
end

---@class unused.Use
---@field inst phial.Value
---@field pc integer
---@field origins phial.Value[] the operand
---@field value phial.Value which of these the nil reaches
---@field definition phial.Value where that nil comes from

-- All uses that the nil of a declaration reaches, in the order of the code.
local function uses(fn, declarations)
  local list, reached = {}, {}
  for inst in fn:values() do
    for _, operand in ipairs(needed(inst)) do
      local through = origins(operand)
      for _, value in ipairs(through) do
        reached[value] = reached[value] or declared(fn, value, declarations)
        for _, definition in ipairs(reached[value]) do
          list[#list + 1] = {
            inst = inst, pc = select(2, inst:loc()), origins = through, value = value,
            definition = definition,
          }
        end
      end
    end
  end
  table.sort(list, function(a, b) return a.pc < b.pc end)
  return list
end

local function may_be_nil(facts, use)
  local block = use.inst:block()
  for _, value in ipairs(use.origins) do
    if facts:known(value, block) then return false end
  end
  return comes(facts, use.definition, use.value, facts:all(block))
end

local function add(reports, fn, use, declaration)
  local done, others = DONE[use.inst:op():match "%a+$"] or "used as an operand", {}
  for _, definition in ipairs(fn:definitions(use.value)) do
    if definition ~= use.definition then others[#others + 1] = definition end
  end
  local line, lines = use.inst:loc(), messages.lines(others)
  reports:add(line, nil, "'%s' %s nil where it is %s (declared on line %d%s)",
    declaration.name, lines and "may be" or "is", done, declaration.line,
    lines and ", assigned on " .. lines or "")
end

--- Reports the first operation that may fail for each variable of a function.
---@param fn phial.Function
---@param proto table
---@param written luac.Copy[]
---@param reports unused.Reports
function M.find(fn, proto, written, reports)
  local declarations, told = declarations_of(proto, written), {}
  if not next(declarations) then return end
  local facts = facts_of(fn)
  for _, use in ipairs(uses(fn, declarations)) do
    if not told[use.definition] and may_be_nil(facts, use) then
      told[use.definition] = true
      add(reports, fn, use, declarations[use.definition])
    end
  end
end

return M
