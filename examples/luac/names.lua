-- Names for functions, which have none of their own in Lua.  A function gets the
-- name to which the code after CLOSURE assigns it (a local, a global, a field or
-- an upvalue), with its line: "close:12"; without such a name, "function:30".  The
-- main function is "main".  A second function of the same name is "function:30#2".
local opcodes = require "luac.opcodes"

local M = {}

local number = opcodes.number
local CLOSURE = number.CLOSURE

-- The locals in the registers, as pc advances: locals begin and end as on a stack,
-- in the order of the list.
local function scopes(locals)
  local stack, next = {}, 1
  local function drop(pc)
    while #stack > 0 and stack[#stack].to <= pc do stack[#stack] = nil end
  end
  return function(pc)
    while locals[next] and locals[next].from <= pc do
      drop(locals[next].from)
      stack[#stack + 1] = locals[next]
      next = next + 1
    end
    drop(pc)
    return stack
  end
end

-- The name that the instruction after a CLOSURE gives to its result, by opcode; of
-- the prototype, the locals there, the instruction and the closure's register.
local naming = {
  [number.MOVE] = function(_, stack, i, register)
    local name = stack[(i >> 7 & 0xff) + 1]
    return i >> 16 & 0xff == register and name and name.name
  end,
  [number.SETUPVAL] = function(p, _, i, register)
    local upvalue = p.upvalues[i >> 16 & 0xff]
    return i >> 7 & 0xff == register and upvalue and upvalue.name
  end,
  [number.SETFIELD] = function(p, _, i, register)
    return i >> 24 == register and not opcodes.k(i)
      and p.constants[i >> 16 & 0xff]
  end,
}
naming[number.SETTABUP] = naming[number.SETFIELD]

local function name_children(p, names)
  for c = 0, p.children.n - 1 do
    names[p.children[c]] = ("function:%d"):format(p.children[c].line)
  end
  if p.children.n == 0 then return end
  local stack_at, code = scopes(p.locals), p.code
  for pc = 1, #code do
    local i = code[pc]
    local child = i & 0x7f == CLOSURE and p.children[i >> 15]
    if child then
      local register, next = i >> 7 & 0xff, p.code[pc + 1] or 0
      local stack = stack_at(pc)
      local here, name = stack[register + 1], naming[next & 0x7f]
      name = here and here.name or name and name(p, stack, next, register)
      if name then names[child] = ("%s:%d"):format(name, child.line) end
    end
  end
end

--- All functions of a chunk, in the order of the source, and the name of each.
---@param main table the main prototype
---@return table[] prototypes
---@return table<table, string> names
function M.of(main)
  local list, names, todo = {}, { [main] = "main" }, { main }
  local seen = {}
  while #todo > 0 do
    local p = table.remove(todo)
    local name = names[p]
    seen[name] = (seen[name] or 0) + 1
    if seen[name] > 1 then names[p] = name .. "#" .. seen[name] end
    list[#list + 1] = p
    name_children(p, names)
    for c = p.children.n - 1, 0, -1 do todo[#todo + 1] = p.children[c] end
  end
  return list, names
end

return M
