-- Operations of Lua that fail when an operand is nil, on local variables that
-- have no value yet on some way.
--
-- fn:definitions tells what a variable can have been given where it is read.
-- If the nil of `local x` is one of these, there is a way on which nothing else
-- was assigned.  It may be one that no run takes: so ways are left out on which
-- something is known (facts.lua) that contradicts what is known at the use.
local facts = require "unused.facts"
local locals = require "unused.locals"

local M = {}

-- How many operands, from the first on, must not be nil.
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

-- The nils that declarations without a value write, by their copies.
local function declarations_of(proto, written)
  local owner, set = locals.of(proto), {}
  for _, copy in ipairs(written) do
    local value, type = copy.value:args()[1]:const()
    if value == nil and type then
      local variable, is_first = owner(copy.pc, copy.register)
      if is_first and not variable.name:find "^[_(]" then
        set[copy.value] = { name = variable.name, line = (copy.value:loc()) }
      end
    end
  end
  return set
end

-- Does something that is known in a block say that an edge was not taken?
local function contradicted(fn, here, index, from, to)
  for _, fact in ipairs(here) do
    local value = fact.value
    if value:op() == "phi" and value:block() == to then value = value:args()[index] end
    local known = facts.on_edge(fn, value, from, to)
    if known ~= nil and known ~= "set" and fact.known ~= "set" and known ~= fact.known then
      return true
    end
  end
  return false
end

-- Does a definition come to a value, as far as is known where it is used?
-- fn:definitions has found that it does on some way.
local function comes(fn, definition, value, here)
  local todo, seen = { value }, { [value] = true }
  while #todo > 0 do
    local now = table.remove(todo)
    if now == definition then return true end
    local to, args = now:block(), now:args()
    for i, from in ipairs(now:op() == "phi" and to:preds() or {}) do
      local arg = args[i]
      if not seen[arg] and not facts.never(from, to) and not facts.on_edge(fn, arg, from, to)
        and not contradicted(fn, here, i, from, to) then
        seen[arg], todo[#todo + 1] = true, arg
      end
    end
  end
  return false
end

-- The declaration whose nil comes to a value, if one does, and the lines where
-- the variable is assigned otherwise.
local function declared(fn, value, block, declarations)
  local declaration, lines, seen = nil, {}, {}
  for _, definition in ipairs(fn:definitions(value)) do
    local line = definition:loc()
    if declarations[definition] then
      if comes(fn, definition, value, facts.all(block)) then
        declaration = declarations[definition]
      end
    elseif line and not seen[line] then
      seen[line], lines[#lines + 1] = true, line
    end
  end
  table.sort(lines)
  return declaration, lines
end

-- What is called is a copy of the variable, and so may others be: asking about
-- one of them is asking about all.
local function find(fn, operand, block, declarations)
  local declaration, lines
  while operand:op() == "copy" or operand:op() == "phi" do
    if facts.known(fn, operand, block) then return nil end
    if not declaration then
      declaration, lines = declared(fn, operand, block, declarations)
    end
    if operand:op() == "phi" then break end
    operand = operand:args()[1]
  end
  return declaration, lines
end

local function add(reports, use)
  local done = DONE[use.inst:op():match "%a+$"] or "an operand"
  local name, line = use.declaration.name, use.declaration.line
  if #use.lines == 0 then
    reports:add(use.line, nil, "'%s' is nil where it is %s: it is declared in line %d",
      name, done, line)
  else
    reports:add(use.line, nil, "'%s' may be nil where it is %s: it is declared in line %d, "
      .. "assigned in line %s", name, done, line, table.concat(use.lines, ", "))
  end
end

-- The operands of an instruction that must not be nil.
local function needed(inst)
  local name = inst:op():match "^lua%.(.*)"
  local args = NEEDS[name] and inst:args() or {}
  return table.move(args, 1, math.min(#args, NEEDS[name] or 0), 1, {})
end

--- Reports the first operation that may fail for each variable of a function.
---@param fn phial.Function
---@param proto table
---@param written luac.Copy[]
---@param reports unused.Reports
function M.find(fn, proto, written, reports)
  local declarations, list, first = declarations_of(proto, written), {}, {}
  if not next(declarations) then return end
  for inst in fn:values() do
    for _, operand in ipairs(needed(inst)) do
      local declaration, lines = find(fn, operand, inst:block(), declarations)
      if declaration then
        list[#list + 1] = {
          inst = inst, line = (inst:loc()), declaration = declaration, lines = lines,
        }
      end
    end
  end
  table.sort(list, function(a, b) return select(2, a.inst:loc()) < select(2, b.inst:loc()) end)
  for _, use in ipairs(list) do
    if not first[use.declaration] then add(reports, use) end
    first[use.declaration] = true
  end
end

return M
