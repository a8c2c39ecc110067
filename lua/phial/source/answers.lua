--- Which writes of a program reach which reads, also where closures do them.
--
-- What an access of a variable sees in the function that declares it is answered there. An
-- access in a closure is one of all that the closure does, at any time from its creation on, so
-- it sees what reaches the creation, and what is written while the closure exists.
local errors = require "phial.errors"

---@class phial.source.Program
---@field private tree phial.source.Tree
---@field private units phial.source.Function[] and by their nodes
---@field private names table<table, phial.source.Variable>
---@field private joins table<table, phial.source.Variable[]>
---@field private opts phial.source.Options
---@field private index? phial.source.Index
local Program = {}
Program.__index = Program

-- {== Accesses by node ================================================

-- Accesses by their nodes: those of names by these alone, others (of closures, and of the
-- variables that tell of them) by node and variable.
---@class phial.source.Index
---@field reads table<table, phial.Access>
---@field writes table<table, phial.Access>
---@field unit table<table, phial.source.Function> of names that are accessed
---@field other_reads table<table, table<phial.Variable, phial.Access>>
---@field other_writes table<table, table<phial.Variable, phial.Access>>

local function enter(unit, names, list, by_name, others, units)
  for _, access in ipairs(list) do
    local var = access:var()
    local node = access:node()
    local v = node and names[node] or not node and var and var:data()
    if v and not node and v.owner == unit then node = v.node end
    if node and v and unit.vars[v] == var then
      by_name[node], units[node] = access, unit
    elseif node and var then
      local here = others[node] or {}
      others[node], here[var] = here, access
    end
  end
end

local function index(program)
  if program.index then return program.index end
  local it = { reads = {}, writes = {}, unit = {}, other_reads = {}, other_writes = {} }
  for _, unit in ipairs(program.units) do
    local fn, names = unit.fn, program.names
    enter(unit, names, fn:read_accesses(), it.reads, it.other_reads, it.unit)
    enter(unit, names, fn:write_accesses(), it.writes, it.other_writes, it.unit)
  end
  program.index = it
  return it
end

-- The closure of the owner of v that a function is, or is in.
local function closure_of(unit, v)
  while unit.parent ~= v.owner do unit = unit.parent end
  return unit
end

-- }== Answers =========================================================

-- A list of nodes, each once, with a limit.
---@class phial.source.Found
---@field list table[]
---@field seen table<table, true>
---@field most number

local function new_found(limit)
  return { list = {}, seen = {}, most = limit or math.huge }
end

local function find(found, node)
  if found.seen[node] or #found.list >= found.most then return end
  found.seen[node] = true
  found.list[#found.list + 1] = node
end

local function find_all(found, list)
  for _, node in ipairs(list) do find(found, node) end
end

-- Adds what a list of accesses in the owner of v is to v: names, and what closures do that are
-- made there. True if calls are among them.
local function find_accesses(program, found, v, list, key)
  local calls = false
  for _, access in ipairs(list) do
    local node = access:node()
    local closure = program.units[node]
    if closure then
      find_all(found, closure.captured[v][key])
    elseif access:is_may_write() then
      calls = true
    elseif node or access:var() == v.owner.vars[v] then
      find(found, node or v.node)
    end
  end
  return calls
end

local function reached(by_var, var)
  local access = by_var and by_var[var]
  return access and access:reads() or {}
end

local function reaching(by_var, var)
  local access = by_var and by_var[var]
  return access and (access:writes()) or {}
end

-- What closures do to v that exist at a node of its owner: the `key` of all that are among
-- `others`, its readers or writers.
local function find_existing(program, found, v, node, others, key)
  local here = index(program).other_reads[node]
  find_accesses(program, found, v, reaching(here, v.owner[others][v]), key)
end

-- What a closure of the owner of v may exchange with others.
local function find_around(program, found, v, closure, key)
  local it, node, owner = index(program), closure.node, v.owner
  local others, role = "writers", "readers"
  if key == "reads" then others, role = role, others end
  find_all(found, closure.captured[v][key])
  find_existing(program, found, v, node, others, key)
  local later = reached(it.other_writes[node], owner[role][v])
  find_accesses(program, found, v, later, key)
  if key == "writes" then
    find_accesses(program, found, v, reaching(it.other_reads[node], owner.vars[v]), key)
  end
end

local function access_of(program, node, key, what)
  local access = index(program)[key][node]
  if not access then
    errors.raise("%s: the node is not a %s of a variable", what, key:sub(1, -2))
  end
  return access, program.names[node], index(program).unit[node]
end

--- The writes that a read may see: names that are assigned or declared, in no particular order.
---@param node table a name that is read
---@param limit? integer no more than so many
---@return table[]
function Program:writes(node, limit)
  local access, v, unit = access_of(self, node, "reads", "program:writes")
  local found, others = new_found(limit), self.opts.closures == "creation"
  local list = access:writes(not v.written_by and limit or nil)
  if unit ~= v.owner then
    for _, write in ipairs(list) do
      local from = write:node()
      local outside = from == nil or write:is_may_write()
      others = others or outside
      if not outside then find(found, from) end
    end
    if others then find_around(self, found, v, closure_of(unit, v), "writes") end
    return found.list
  end
  others = find_accesses(self, found, v, list, "writes") or others
  if others and v.written_by then find_existing(self, found, v, node, "writers", "writes") end
  return found.list
end

--- The reads that may see a write: names.
---@param node table a name that is assigned or declared
---@param limit? integer
---@return table[]
function Program:reads(node, limit)
  local access, v, unit = access_of(self, node, "writes", "program:reads")
  local found = new_found(limit)
  if unit ~= v.owner then
    find_around(self, found, v, closure_of(unit, v), "reads")
    return found.list
  end
  find_accesses(self, found, v, access:reads(not v.read_by and limit or nil), "reads")
  if v.read_by then find_existing(self, found, v, node, "readers", "reads") end
  return found.list
end

-- }== What there is ===================================================

--- The functions, in the order of the source; the first is the main chunk.
---@return phial.source.Function[]
function Program:functions() return table.move(self.units, 1, #self.units, 1, {}) end

--- The local variable that a name means; nil if it is a global, or the name of a field.
---@param node table
---@return phial.source.Variable?
function Program:variable(node)
  local v = self.names[node]
  return v and v.name == node[1] and v or nil
end

--- The variables, function by function, in the order of the source.
---@return phial.source.Variable[]
function Program:variables()
  local list = {}
  for _, unit in ipairs(self.units) do
    table.move(unit.variables, 1, #unit.variables, #list + 1, list)
  end
  return list
end

--- The position of a node: its first line and column, its last line and column; nothing for the
--- extra arguments of the chunk, which the source does not declare.
---@param node table
---@return integer? line
---@return integer? col
---@return integer? end_line
---@return integer? end_col
function Program:range(node)
  if node.line then return self.tree.range(node) end
end

local M = {}

---@param tree phial.source.Tree
---@param opts phial.source.Options
---@return phial.source.Program
function M.new(tree, opts)
  return setmetatable({ tree = tree, opts = opts }, Program)
end

-- }=====================================================================

return M
