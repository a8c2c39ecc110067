-- Operations of Lua that fail if an operand is nil, on local variables that are nil there:
-- whatever path led there, or on one path (paths.lua).
local chunk = require "luac.chunk"
local facts_of = require("unused.facts").of
local find_path = require("unused.paths").find
local guarded = require "unused.guarded"
local locals = require "unused.locals"
local nilness = require "unused.nilness"
local tests = require "unused.tests"

local M = {}

local NIL <const>, FALSE <const>, OTHER <const> = tests.NIL, tests.FALSE, tests.OTHER

-- The number of operands, from the first on, that must not be nil, and what the operation
-- does to them.
local OPS = {}
local function add(count, done, names)
  for name in names:gmatch "%a+" do OPS["lua." .. name] = { count = count, done = done } end
end
add(1, "indexed", "index setindex")
add(1, "called", "call callall callnone tailcall")
add(2, "compared", "lt le")
add(1, "used as an operand", "len unm bnot")
add(2, "used as an operand", "add sub mul mod pow div idiv band bor bxor shl shr")
add(3, "used as an operand", "forprep")
add(math.maxinteger, "used as an operand", "concat")

---@class unused.Checked a function that is being checked
---@field fn phial.Function
---@field facts unused.Facts
---@field suspects table<phial.Value, boolean> nilness.suspects
---@field visible fun(pc: integer, register: integer): unused.Local? locals.visible
---@field registers table<phial.Variable, integer> where each variable is
---@field lines table<phial.Value, integer> where the local is declared whose first value it is
---@field all boolean? also what is not sure
---@field reports unused.Reports
---@field told table<any, boolean> what made values nil that were reported
local Checked = {}
Checked.__index = Checked

-- The name of the local variable that has a value at an instruction, or of one that this
-- value was copied from; or nil.
function Checked:name(value, pc)
  local origin = tests.origin(value)
  while true do
    local variable = value:var()
    local register = variable and self.registers[variable]
    local here = register and self.visible(pc, register)
    if here then return here.name:match "^[%a_].*" end
    if value == origin then return nil end
    value = value:args()[1]
  end
end

-- How a value came to be nil.
function Checked:reason(path)
  if path.test then return "tested on line " .. path.test.branch:loc() end
  local value = tests.origin(path.value)
  local line = self.lines[value]
  return line and "declared on line " .. line or "assigned on line " .. value:loc()
end

function Checked:report(inst, name, is, path)
  local cause = path.test and path.test.branch or tests.origin(path.value)
  if self.told[cause] then return end
  self.told[cause] = true
  self.reports:add(inst:loc(), nil, "'%s' %s where it is %s (%s)", name, is,
    OPS[inst:op()].done, self:reason(path))
end

-- Checks an operand that must not be nil.
function Checked:operand(inst, value)
  local facts, block = self.facts, inst:block()
  if not self.suspects[value] or facts.solution:fact(value) & NIL == 0 then return end
  local name = self:name(value, select(2, inst:loc()))
  local known = facts:at(block)
  local kinds, origin = facts:kinds(value, known), tests.origin(value)
  if not name or kinds & NIL == 0 then return end
  if kinds & OTHER == 0 then
    local is = kinds & FALSE == 0 and "is nil" or "is nil or false"
    return self:report(inst, name, is, { value = origin, test = facts.finding(origin, known) })
  end
  local path = find_path(facts, origin, block)
  if path and (path.sure or self.all) then self:report(inst, name, "may be nil", path) end
end

-- The instructions that are reached and fail with nil, in the order of the code.
function Checked:instructions()
  local list, solution = {}, self.facts.solution
  for inst in self.fn:values() do
    if OPS[inst:op()] and solution:is_taken(inst:block()) then list[#list + 1] = inst end
  end
  table.sort(list, function(a, b) return select(2, a:loc()) < select(2, b:loc()) end)
  return list
end

function Checked:check()
  for _, inst in ipairs(self:instructions()) do
    local args = inst:args()
    for i = 1, math.min(#args, OPS[inst:op()].count) do self:operand(inst, args[i]) end
  end
end

local function registers_of(fn, proto, written)
  local registers = {}
  for p = 1, proto.params do registers[fn:param(p)] = p - 1 end
  for _, copy in ipairs(written) do registers[copy.variable] = copy.register end
  return registers
end

local function lines_of(proto, written)
  local owner, lines = locals.of(proto), {}
  for _, copy in ipairs(written) do
    local here, is_first = owner(copy.pc, copy.register)
    if is_first then lines[copy.value] = here.line end
  end
  return lines
end

-- True if a function can return.
local function returns(fn)
  for _, block in ipairs(fn:rpo()) do
    local op = block:terminator():op()
    if op == "lua.return" or op == "lua.tailcall" then return true end
  end
  return false
end

--- Reports operations on nil in a file; or returns nil and a message.
---@param path string
---@param reports unused.Reports
---@param all boolean? also those that are not sure
---@param start fun(protos: table[], source?: string) as in luac.Options
---@return true? done
---@return string? problem
function M.find(path, reports, all, start)
  local never = {}
  return chunk.each(path, function(fn, full_name, proto, written)
    local name = full_name:match "^(.*):%d"
    if name then never[name] = never[name] ~= false and not returns(fn) end
    setmetatable({
      fn = fn, facts = facts_of(fn), suspects = nilness.suspects(fn),
      visible = locals.visible(proto), registers = registers_of(fn, proto, written),
      lines = lines_of(proto, written), all = all, reports = reports, told = {},
    }, Checked):check()
  end, { copies = true, inner_first = true, state = guarded(never), start = start })
end

return M
