--- Which writes of a program reach which reads, also where closures do them.
--
-- What an access of a variable sees in the function that declares it is answered there. An
-- access in a closure is one of all that the closure does, at any time from its creation on, so
-- it sees what reaches the creation, and what is written while the closure exists.
local errors = require "phial.errors"
local following = require "phial.source.following"

---@class phial.source.Program
---@field private tree phial.source.Tree
---@field private units phial.source.Function[] and by their nodes
---@field private names table<table, phial.source.Variable>
---@field private users table<table, phial.source.Function>
---@field private joins table<table, phial.source.Variable[]>
---@field private callees table<table, phial.source.Function|string|false> of calls that were asked
---@field private opts phial.source.Options
local Program = {}
Program.__index = Program

-- {== Accesses by node ================================================

-- The accesses of a function by node. What writes a parameter in the entry has none: its node is
-- the parameter.
local function enter(index, unit, list)
  for _, access in ipairs(list) do
    local node = access:node()
    if not node then
      local var = access:var()
      local v = var and var:data()
      node = v and v.owner == unit and v.node
    end
    local here = node and index[node]
    if here then
      here[#here + 1] = access
    elseif node then
      index[node] = { access }
    end
  end
end

---@return table<table, phial.Access[]>
local function accesses_in(unit)
  local index = unit.index
  if not index then
    index = {}
    unit.index = index
    enter(index, unit, unit.fn:read_accesses())
    enter(index, unit, unit.fn:write_accesses())
  end
  return index
end

-- The function in which there are accesses for a node, and these.
local function accesses_of(program, node)
  local v, closure = program.names[node], program.units[node]
  local unit = program.users[node] or v and v.owner or closure and closure.parent
  return unit, unit and accesses_in(unit)[node] or {}
end

local function find_access(list, var, is_write)
  for _, access in ipairs(list) do
    if access:var() == var and access:is_write() == is_write then return access end
  end
  return nil
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

-- Adds what a list of accesses in the owner of v is to v: names, and what closures made there do.
-- True if calls are among them.
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

local function reached(owner, node, var)
  local write = var and find_access(accesses_in(owner)[node] or {}, var, true)
  return write and write:reads() or {}
end

local function reaching(owner, node, var)
  local read = var and find_access(accesses_in(owner)[node] or {}, var, false)
  return read and (read:writes()) or {}
end

-- What the closures that exist at a node of its owner do to v: the `key` of those among `others`,
-- its readers or writers.
local function find_existing(program, found, v, node, others, key)
  find_accesses(program, found, v, reaching(v.owner, node, v.owner[others][v]), key)
end

-- What a closure of the owner of v may exchange with others.
local function find_around(program, found, v, closure, key)
  local node, owner = closure.node, v.owner
  local others, role = "writers", "readers"
  if key == "reads" then others, role = role, others end
  find_all(found, closure.captured[v][key])
  find_existing(program, found, v, node, others, key)
  find_accesses(program, found, v, reached(owner, node, owner[role][v]), key)
  if key == "writes" then
    find_accesses(program, found, v, reaching(owner, node, owner.vars[v]), key)
  end
end

local function access_of(program, node, is_write, what)
  local unit, list = accesses_of(program, node)
  local v = program.names[node]
  local access = v and unit and find_access(list, unit.vars[v], is_write)
  if not access then
    errors.raise("%s: the node is not a %s of a variable", what, is_write and "write" or "read")
  end
  return access, v, unit
end

--- The writes that a read may see: names that are assigned or declared, in no particular order.
---@param node table a name that is read
---@param limit? integer no more than so many
---@return table[]
function Program:writes(node, limit)
  local access, v, unit = access_of(self, node, false, "program:writes")
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

--- The reads that may see a write: names; those that would, if it is in unreachable code.
---@param node table a name that is assigned or declared
---@param limit? integer
---@return table[]
function Program:reads(node, limit)
  local access, v, unit = access_of(self, node, true, "program:reads")
  local found = new_found(limit)
  if unit ~= v.owner then
    find_around(self, found, v, closure_of(unit, v), "reads")
    return found.list
  end
  -- of a write in unreachable code, those that would see it if control came there: what other code
  -- reads does not tell of it
  local list = access:block():is_reachable() and access:reads(not v.read_by and limit or nil)
    or following.after(v.owner, v, access).reads
  find_accesses(self, found, v, list, "reads")
  if v.read_by then find_existing(self, found, v, node, "readers", "reads") end
  return found.list
end

--- The writes that end what a write wrote before anything reads it: one of them follows on every
--- path. Nil if a path reads it, or leaves the scope of the variable. A write in a closure ends
--- nothing.
---@param node table a name that is assigned or declared
---@return table[]?
function Program:overwritten_by(node)
  local access, v, unit = access_of(self, node, true, "program:overwritten_by")
  local found = unit == v.owner and following.after(unit, v, access)
  if not found or found.is_left or #found.reads > 0 then return nil end
  return found.writes[1] and found.writes or nil
end

--- The accesses that were made for a node: of names, and where a function is made, of what it
--- captures, and of the variables that tell of closures.
---@param node table
---@return phial.Access[]
function Program:accesses(node)
  local _, list = accesses_of(self, node)
  return table.move(list, 1, #list, 1, {})
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

-- The function that an expression gives, or its name.
local function named(program, node)
  if node.tag == "Function" then return program.units[node] end
  if node.tag == "Paren" then return named(program, node[1]) end
  local v = node.tag == "Id" and program:variable(node)
  if v then
    if v.writes == 0 and v.value then return named(program, v.value) end
  elseif node.tag == "Id" then
    return nil, node[1]
  elseif node.tag == "Call" and node[2] and node[2].tag == "String" then
    local _, name = named(program, node[1])
    return nil, name == "require" and node[2][1] or nil
  elseif node.tag == "Index" and node[2].tag == "String" then
    local _, name = named(program, node[1])
    return nil, name and name .. "." .. node[2][1]
  end
  return nil
end

--- What a call calls, as far as names tell, also those of variables that are not assigned later:
--- a function of the source, or the name of a global, or of a field of one, or of a module that is
--- required: "string.format".
---@param node table a node "Call" or "Invoke"; of others, nothing is known
---@return phial.source.Function? f
---@return string? name
function Program:callee(node)
  if node.tag == "Call" then
    local it = self.callees[node]
    if it == nil then
      local f, name = named(self, node[1])
      it = f or name or false
      self.callees[node] = it
    end
    if type(it) == "string" then return nil, it end
    return it or nil
  end
  local _, name
  if node.tag == "Invoke" then _, name = named(self, node[1]) end
  return nil, name and name .. "." .. node[2][1]
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
  return setmetatable({ tree = tree, opts = opts, callees = {} }, Program)
end

-- }=====================================================================

return M
