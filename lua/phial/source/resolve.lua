--- The first pass over a tree: which variable each name means, and what closures do to variables.
-- Names are looked up in one table, which a scope restores when it ends: linear time.
local failure = require "phial.source.failure"
local fields = require "phial.source.fields"

local M = {}

---@class phial.source.Variable
---@field name string "..." for the extra arguments
---@field node table the name that declares it
---@field kind "local"|"function"|"parameter"|"loop"|"vararg"
---@field attribute? "const"|"close"
---@field value? table the expression whose value it is declared with
---@field owner phial.source.Function that declares it
---@field reads integer how many names in the source read it, in all functions
---@field writes integer how many write it, without its declaration
---@field read_by? phial.source.Function[] closures that the owner makes and that read it
---@field written_by? phial.source.Function[] closures that the owner makes and that write it
---@field depth integer how many loops of the owner its scope is in

---@class phial.source.Function
---@field node table the node "Function"; of the main chunk its list of statements
---@field name string
---@field fn phial.Function
---@field vars table<phial.source.Variable, phial.Variable>
---@field readers table<phial.source.Variable, phial.Variable> the closures that read a variable
---@field writers table<phial.source.Variable, phial.Variable> and those that write it
---@field first? phial.Block where reachable code begins, if not in the entry
---@field parent? phial.source.Function
---@field variables phial.source.Variable[] those it declares, in order
---@field captured phial.source.Captured[] variables of functions around it that it uses, or
--- functions in it do; in the order of their first use
---@field loops table[] the loops of the parent that it is made in, outermost first
---@field has_label boolean
---@field active phial.source.Variable[] those in scope, while it is resolved
---@field labels table<string, table> those in scope
---@field gotos { node: table, active: integer }[] jumps to labels that follow: of `active`
--- variables, all are in scope where the label is
---@field block? phial.source.Block
---@field dead table[] the statements where unreachable code begins
---@field paths? table<any, phial.source.Path> by variable, or "_ENV"

---@class phial.source.Block how much there was of all where it begins
---@field outer? phial.source.Block
---@field undo integer
---@field active integer
---@field gotos integer
---@field labels? string[] its own

---@class phial.source.Captured
---@field variable phial.source.Variable
---@field reads table[] names, in the order of the source
---@field writes table[]

---@class phial.source.Resolved
---@field functions phial.source.Function[] in the order of the source
---@field variables table<table, phial.source.Variable> of names
---@field users table<table, phial.source.Function> of names of captured variables: where they are
---@field joins table<table, phial.source.Variable[]> by loop or function: the variables that
--- calls may write from there on
---@field paths table<table, phial.source.Path> of names of globals and of fields

local variables, functions, users, joins, attribute, paths
local names, undo, current, loops, tested

local function fail(node, message, ...) failure.raise(node, message:format(...)) end

-- {== Scopes ==========================================================

local function enter()
  local f = current
  f.block = { outer = f.block, undo = #undo, active = #f.active, gotos = #f.gotos }
end

local function leave()
  local f, block = current, current.block
  for i = #undo, block.undo + 1, -2 do
    names[undo[i - 1]] = undo[i]
    undo[i], undo[i - 1] = nil, nil
  end
  for i = #f.active, block.active + 1, -1 do f.active[i] = nil end
  for _, name in ipairs(block.labels or {}) do f.labels[name] = nil end
  for i = block.gotos + 1, #f.gotos do
    f.gotos[i].active = math.min(f.gotos[i].active, block.active)
  end
  f.block = block.outer
end

local function declare(node, kind, value, attrib)
  local name = node[1]
  local v = {
    name = name, node = node, kind = kind, value = value, attribute = attrib, owner = current,
    reads = 0, writes = 0, depth = #loops,
  }
  local n = #undo
  undo[n + 1], undo[n + 2] = name, names[name] or false
  names[name] = v
  variables[node] = v
  current.variables[#current.variables + 1] = v
  current.active[#current.active + 1] = v
  return v
end

local function add(list, item)
  list = list or {}
  if list[#list] ~= item then list[#list + 1] = item end
  return list
end

-- Notes that a function uses a variable of one around it; returns the closure of the owner.
local function capture(v, node, key)
  local f = current
  users[node] = f
  while true do
    local here = f.captured[v]
    if not here then
      here = { variable = v, reads = {}, writes = {} }
      f.captured[v], f.captured[#f.captured + 1] = here, here
    end
    here[key][#here[key] + 1] = node
    if f.parent == v.owner then return f end
    f = f.parent
  end
end

local function read(node)
  local v = names[node[1]] or names._ENV
  if not v then return end
  if v.kind == "vararg" and v.owner ~= current then
    failure.raise(node, "cannot use '...' outside a vararg function near '...'")
  end
  variables[node] = v
  v.reads = v.reads + 1
  if v.owner ~= current then v.read_by = add(v.read_by, capture(v, node, "reads")) end
end

local function write(node)
  local v = names[node[1]]
  if not v then return read(node) end -- a field of a local _ENV is written
  if v.attribute then fail(node, "attempt to assign to const variable '%s'", v.name) end
  variables[node] = v
  v.writes = v.writes + 1
  if v.owner == current then return end
  local closure = capture(v, node, "writes")
  v.written_by = add(v.written_by, closure)
  -- calls may write v from the outermost loop on, in its scope, that makes the closure
  local place = closure.loops[v.depth + 1] or closure.node
  joins[place] = add(joins[place], v)
end

-- }== Paths ===========================================================

-- The path of an expression; nil if it is none.
local function path_of(node)
  if node.tag == "Id" then
    local v = names[node[1]]
    if v then return fields.root(current, v) end
    return not names._ENV and fields.part(current, fields.root(current, "_ENV"), node[1]) or nil
  elseif node.tag == "Index" and node[2].tag == "String" then
    local path = paths[node[1]] -- an index was visited before
    if node[1].tag == "Id" then path = path_of(node[1]) end
    return path and fields.part(current, path, node[2][1])
  end
end

-- Notes the path of a node, if that is asked for; a variable alone has none.
local function mention(node, matters)
  if not paths or node.tag == "Id" and names[node[1]] then return end
  local path = path_of(node)
  if not path then return end
  path.mentions, path.matters = path.mentions + 1, path.matters or matters
  paths[node] = path
end

-- }== Nodes ===========================================================

local visit = {}

local function one(node)
  local f = visit[node.tag]
  if f then f(node) end
end

local function all(list, first)
  for i = first or 1, #list do one(list[i]) end
end

-- What a label ends: the jumps to it that precede it.
local function label(node, is_last)
  local f, block, name = current, current.block, node[1]
  if f.labels[name] then
    fail(node, "label '%s' already defined on line %d", name, f.labels[name].line)
  end
  f.has_label, f.labels[name], block.labels = true, node, add(block.labels, name)
  local active, kept = is_last and block.active or #f.active, block.gotos
  for i = block.gotos + 1, #f.gotos do
    local it = f.gotos[i]
    f.gotos[i] = nil
    if it.node[1] ~= name then
      kept = kept + 1
      f.gotos[kept] = it
    elseif it.active < active then
      fail(it.node, "<goto %s> at line %d jumps into the scope of local '%s'", name, it.node.line,
        f.active[it.active + 1].name)
    end
  end
end

-- The statements of a block. Where only labels follow, no variable of it is in scope, except in
-- `repeat`.
local function statements(list, is_repeated)
  local last = #list
  while last > 0 and list[last].tag == "Label" do last = last - 1 end
  for i = 1, #list do
    local node = list[i]
    if node.tag == "Label" then label(node, i > last and not is_repeated) else one(node) end
  end
end

local function block(list)
  enter()
  statements(list)
  leave()
end

-- What names a function: the expression that it is assigned to.
local function text_of(target)
  if target.tag == "Id" then return target[1] end
  if target.tag ~= "Index" or target[2].tag ~= "String" then return "?" end
  return text_of(target[1]) .. "." .. target[2][1]
end

-- Visits values, functions among them with their names.
local function values(list, targets)
  for i = 1, #list do
    local node = list[i]
    if node.tag == "Function" and targets[i] then
      M.func(node, node[1], node[2], text_of(targets[i]))
    else
      one(node)
    end
  end
end

visit.Dots, visit.Invoke, visit.Paren, visit.Pair = read, all, all, all
visit.Table, visit.Return = all, all

function visit.Id(node)
  read(node)
  mention(node, tested)
end

function visit.Index(node)
  all(node)
  mention(node, tested)
end

local TESTS <const> = { ["and"] = true, ["or"] = true, ["not"] = true, eq = true, ne = true }

-- Visits a node, or the parts of one, as conditions, or not.
local function as_tests(are_tests, visited, node, first)
  local outer = tested
  tested = are_tests
  visited(node, first)
  tested = outer
end

local function test(node) as_tests(true, one, node) end

function visit.Op(node) as_tests(TESTS[node[1]], all, node, 2) end

-- A callee is not a condition; its arguments may be.
function visit.Call(node)
  as_tests(false, one, node[1])
  all(node, 2)
end

-- Parsers know numbers of LuaJIT, which Lua reads up to the letter that it does not expect.
function visit.Number(node)
  if tonumber(node[1]) then return end
  fail(node, "malformed number near '%s'", (node[1]:gsub("([ULul])[ULul]+$", "%1")))
end

function visit.Function(node) M.func(node, node[1], node[2], "anonymous") end

function visit.Do(node) block(node) end

function visit.Local(node)
  local targets, list = node[1], node[2]
  if list then values(list, targets) end
  local closes = false
  for i = 1, #targets do
    local id = targets[i]
    local v = declare(id, "local", list and list[i], attribute and attribute(id))
    if v.attribute and v.attribute ~= "const" then
      if v.attribute ~= "close" then fail(id, "unknown attribute '%s'", v.attribute) end
      if closes then fail(id, "multiple to-be-closed variables in local list") end
      closes = true
    end
  end
end

function visit.Localrec(node)
  local id, value = node[1][1], node[2][1]
  declare(id, "function", value)
  M.func(value, value[1], value[2], id[1])
end

local function assign(target)
  if target.tag == "Id" then write(target) else all(target) end
  mention(target, true)
end

function visit.Set(node)
  values(node[2], node[1])
  for _, target in ipairs(node[1]) do assign(target) end
end

function visit.OpSet(node)
  one(node[3])
  assign(node[2])
end

function visit.If(node)
  for i = 1, #node do
    if i % 2 == 0 or i == #node then block(node[i]) else test(node[i]) end
  end
end

local function loop(node, body)
  loops[#loops + 1] = node
  enter()
  body()
  leave()
  loops[#loops] = nil
end

function visit.While(node)
  loop(node, function()
    test(node[1])
    block(node[2])
  end)
end

function visit.Repeat(node)
  loop(node, function()
    statements(node[1], true)
    test(node[2])
  end)
end

function visit.Fornum(node)
  all(node, 2)
  loop(node, function()
    declare(node[1], "loop")
    statements(node[#node])
  end)
end

function visit.Forin(node)
  all(node[2])
  loop(node, function()
    for _, id in ipairs(node[1]) do declare(id, "loop") end
    statements(node[3])
  end)
end

function visit.Goto(node)
  local f = current
  if not f.labels[node[1]] then f.gotos[#f.gotos + 1] = { node = node, active = #f.active } end
end

function visit.Break(node)
  if #loops == 0 then fail(node, "break outside loop at line %d", node.line) end
end

-- }== Functions =======================================================

--- A function, and those in it.
function M.func(node, params, body, name)
  local outer, outer_loops, outer_tested = current, loops, tested
  current = {
    node = node, name = name, parent = outer, variables = {}, captured = {},
    loops = outer and table.move(outer_loops, 1, #outer_loops, 1, {}), has_label = false,
    dead = {}, active = {}, labels = {}, gotos = {},
  }
  functions[#functions + 1] = current
  functions[node] = current
  loops, tested = {}, false
  enter()
  for _, id in ipairs(params) do declare(id, id.tag == "Dots" and "vararg" or "parameter") end
  statements(body)
  leave()
  local lost = current.gotos[1] and current.gotos[1].node
  if lost then fail(lost, "no visible label '%s' for <goto> at line %d", lost[1], lost.line) end
  current, loops, tested = outer, outer_loops, outer_tested
end

--- Resolves all names of a chunk.
---@param tree table its statements
---@param attribute_of? fun(id: table): string? the attribute of a declared name
---@param with_paths? boolean
---@return phial.source.Resolved
function M.run(tree, attribute_of, with_paths)
  variables, functions, users, joins, names, undo = {}, {}, {}, {}, {}, {}
  current, loops, attribute, tested, paths = nil, {}, attribute_of, false, with_paths and {}
  M.func(tree, { { tag = "Dots", "..." } }, tree, "main chunk")
  local result = {
    functions = functions, variables = variables, users = users, joins = joins, paths = paths,
  }
  variables, functions, users, joins, names, undo, paths = nil, nil, nil, nil, nil, nil, nil
  return result
end

-- }=====================================================================

return M
