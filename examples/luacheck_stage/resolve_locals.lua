-- luacheck's stage resolve_locals: which assignments of local variables reach which accesses.
--
-- It fills the fields that later stages read: `used`, `mutated` and `using_lines` of values,
-- `overwriting_item` of those that are not used, and `used_values` of items.  luacheck walks over
-- all that follows each assignment and each closure; here SSA form is asked, for all accesses of
-- a function at once where that suffices.  A list of used values is cut off after some MOST:
-- stages ask whether there is one, and whether one of them is not empty.
local source = require "phial.source"
local survey = require "luacheck_stage.known"

local MOST <const> = 8

-- A variable of a function has up to three variables there, by these roles of their accesses: its
-- own, READ; WRITERS, the closures that write it and exist; and READERS.
local READ <const>, WRITERS <const>, READERS <const> = 1, 2, 3

local known, functions -- of the file

-- {== What accesses stand for =========================================

---@class luacheck.Meaning of a variable of phial
---@field v phial.source.Variable
---@field role integer

local function meanings(f)
  local meaning = {}
  for _, v in ipairs(f.variables) do
    meaning[f.vars[v]] = { v = v, role = READ }
    if v.read_by then meaning[f.readers[v]] = { v = v, role = READERS } end
    if v.written_by then meaning[f.writers[v]] = { v = v, role = WRITERS } end
  end
  return meaning
end

-- Adds the values that accesses stand for: those of names, and of what closures write.
local function add_values(values, meaning, list)
  for _, access in ipairs(list) do
    local node, means = access:node(), meaning[access:var()]
    local closure = functions[node]
    if closure then
      for _, name in ipairs(closure.captured[means.v].writes) do
        values[#values + 1] = known.values[name]
      end
    else
      values[#values + 1] = known.values[node or means.role == READ and means.v.node]
    end
  end
  return values
end

-- The names that write v in closures that see each other's writes, whatever their order: in one
-- closure, since it may run twice.  In a function that is a closure itself, luacheck takes all
-- closures to be made at once.
local function written_with(closure, v)
  if not v.owner.parent then return closure.captured[v].writes end
  if not known.written[v] then
    local names = {}
    for _, other in ipairs(v.written_by or {}) do
      local writes = other.captured[v].writes
      table.move(writes, 1, #writes, #names + 1, names)
    end
    known.written[v] = names
  end
  return known.written[v]
end

-- }== Used values =====================================================

local function compare(a, b) return known.order[a] < known.order[b] end

-- Adds values to those that a name sees, as often as there are functions around it.
local function list_values(name, values, times)
  if #values == 0 then return end
  if #values > 1 then table.sort(values, compare) end
  local used, var = known.items[name].used_values, name.var
  local list = used[var] or {}
  used[var] = list
  for _, value in ipairs(values) do
    for _ = 1, times do list[#list + 1] = value end
  end
end

-- What a name of the function itself sees; once for a statement.
local function list_own(meaning, name, read, writers)
  local item, var, mutates = known.items[name], name.var, known.mutates[name]
  if (mutates and item.mutations or item.accesses)[var][1] ~= name then return end
  local values = writers and add_values({}, meaning, writers:writes(MOST)) or {}
  if mutates or not known:circular(item, var) then
    add_values(values, meaning, read:writes(MOST))
  end
  list_values(name, values, 1)
end

-- What the names of v in a closure see; `made` are the accesses where it is made, by roles.
local function list_captured(meaning, closure, v, made)
  local before, others = {}, add_values({}, meaning, made[READERS]:reads(MOST))
  if made[READ] then add_values(before, meaning, made[READ]:writes(MOST)) end
  if made[WRITERS] then add_values(others, meaning, made[WRITERS]:writes(MOST)) end
  local written = written_with(closure, v)
  for i = 1, math.min(#written, MOST) do -- the closure runs before, and after
    for _ = 1, 2 do others[#others + 1] = known.values[written[i]] end
  end
  for _, name in ipairs(closure.captured[v].reads) do
    if known.items[name] then
      local values = table.move(others, 1, #others, 1, {})
      if known.mutates[name] or not known:circular(known.items[closure.node], name.var) then
        table.move(before, 1, #before, #values + 1, values)
      end
      list_values(name, values, #known:lines_of(name))
    end
  end
end

-- }== Values that are used ============================================

local function mark(values, key)
  for _, value in ipairs(values) do
    value[key] = true
    if value.secondaries then value.secondaries.used = true end
  end
end

local function key_of(name) return known.mutates[name] and "mutated" or "used" end

-- A closure uses what it and others write.
local function mark_written(closure, v, key)
  local names, marked = written_with(closure, v), known.marked[key]
  if marked[names] then return end
  marked[names] = true
  for _, name in ipairs(names) do mark({ known.values[name] }, key) end
end

-- Adds an access to what is asked at once: of a name, or where a closure is made.
local function ask(questions, access, means)
  local node = access:node()
  local closure = functions[node]
  local names = closure and closure.captured[means.v].reads or { node }
  local asked = {}
  for _, name in ipairs(names) do
    local key, item = key_of(name), known.items[node]
    local all = key == "mutated" or means.role ~= READ
    if known.items[name] and not asked[key] and (all or not known:circular(item, name.var)) then
      asked[key] = true
      table.insert(questions[key], access)
      if closure and means.role == READERS then mark_written(closure, means.v, key) end
    end
  end
end

-- }== One function ====================================================

local function resolve(f)
  local meaning, questions, closures, writers = meanings(f), { used = {}, mutated = {} }, {}, {}
  local function ask_all()
    for key, list in pairs(questions) do
      mark(add_values({}, meaning, (f.fn:defs_and_uses(list))), key)
      questions[key] = {}
    end
  end
  local function note_closure(closure, access, means)
    closures[closure] = closures[closure] or {}
    closures[closure][means.v] = closures[closure][means.v] or {}
    closures[closure][means.v][means.role] = access
  end
  for _, access in ipairs(f.fn:read_accesses()) do
    local means, node = meaning[access:var()], access:node()
    if means and means.role ~= READERS then
      ask(questions, access, means)
      if functions[node] then
        note_closure(functions[node], access, means)
      elseif means.role == WRITERS then
        writers[node] = access
      elseif known.items[node] then
        list_own(meaning, node, access, writers[node])
      end
    end
  end
  ask_all()
  for _, access in ipairs(f.fn:write_accesses()) do
    local means, closure = meaning[access:var()], functions[access:node()]
    if means and means.role == READERS and closure then
      ask(questions, access, means)
      note_closure(closure, access, means)
    elseif means and means.role == READ then
      local node = access:node() or means.v.node
      if known.values[node] then known.last[known.values[node]] = node end
    end
  end
  ask_all()
  for closure, by_variable in pairs(closures) do
    for v, made in pairs(by_variable) do
      if made[READERS] then list_captured(meaning, closure, v, made) end
    end
  end
end

-- }== All values ======================================================

-- The functions that use a value: only of functions it is asked which.
local function list_users(program, value, name)
  for _, read in ipairs(program:reads(name)) do
    local item = known.items[read]
    if item and (known.mutates[read] or not known:circular(item, read.var)) then
      for _, line in ipairs(known:lines_of(read)) do value.using_lines[line] = true end
    end
  end
end

local function list_overwriting(program, value, name)
  for _, other in ipairs(program:overwritten_by(name) or {}) do
    local item = known.values[other].item
    if value.overwriting_item == nil then value.overwriting_item = item end
    if value.overwriting_item ~= item then value.overwriting_item = false end
  end
end

local function position(node) return node.line, node.offset end

local stage = {}

--- Finds reaching assignments for all accesses of local variables.
function stage.run(chstate)
  local tree = { statements = chstate.ast, range = position }
  local program = assert(source.tree(tree, { closures = "creation", unreachable = "joined" }))
  known, functions = survey(chstate.lines), {}
  known.last, known.written, known.marked = {}, {}, { used = {}, mutated = {} }
  for _, f in ipairs(program:functions()) do functions[f.node] = f end
  local extra = program:functions()[1].variables[1]
  known.values[extra.node] = known.values[chstate.top_line.node[1][1]]
  for _, f in ipairs(program:functions()) do resolve(f) end
  for value, name in pairs(known.last) do
    if value.type == "func" then list_users(program, value, name) end
    if not value.used and not value.mutated then list_overwriting(program, value, name) end
  end
  known, functions = nil, nil
end

return stage
