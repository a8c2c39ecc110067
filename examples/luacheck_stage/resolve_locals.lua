-- luacheck's stage resolve_locals: which assignments of local variables reach which accesses.
--
-- luacheck has made a list of items, statements and jumps, of each function ("line"). Here all of
-- them become one function of phial, whose values tell. What closures do to a variable is in two
-- more variables: the closures that read it and exist by now, and those that assign it; to make one
-- is a may-write. An assignment writes the value of the first, so its users are what closures see.
local phial = require "phial"

-- So many used values of one list suffice: stages ask whether there is one, and whether all are
-- empty, as one value of a variable is.
local MOST <const> = 4
local OPTIONS <const> = { type = "any", copies = true, rules = false, where = false,
  undef = "undef" }
local NONE <const> = {}

-- What lines do to variables of others, and items to those of their line: lists of fields, with
-- tables by variable, and of what that is.
local READ_THERE <const> = { { "accessed_upvalues", "used" }, { "mutated_upvalues", "mutated" } }
local SET_THERE <const> = { { "set_upvalues" } }
local READ <const> = { { "accesses", "used" }, { "mutations", "mutated" } }
local SET <const> = { { "set_variables" } }

-- Calls f for what a line or an item does to variables of the line that is translated, and with the
-- line that counts as user: which one does matters for functions.
local function each(t, context, it, fields, f)
  for i = 1, #fields do
    local name, key = fields[i][1], fields[i][2]
    for var, what in next, it[name] or NONE do
      if var.line == t.line then
        f(t, context, var, what, key, t.has_functions[var] and it or t.line)
      end
    end
  end
end

local function each_line(t, context, lines, fields, f)
  for _, line in ipairs(lines) do each(t, context, line, fields, f) end
end

-- {== Values ==========================================================

local function add(list, items) return table.move(items, 1, #items, #list + 1, list) end

-- A step back to what was assigned, or ahead to what is assigned while a closure exists.
local function back(_, v)
  local op = v:op()
  return op == "phi" and v:args() or op == "may" and { v:arg(1) } or NONE
end

local function ahead(t, v) return t.assigned[v:id()] and NONE or v:users() end

-- Collects luacheck's values by steps, up to where it is known what is found from there.
local function collect(t, v, step, most, known, seen)
  local todo, found = { v }, {}
  while #todo > 0 and #found < most do
    v = table.remove(todo)
    local id = v:id()
    for _, value in ipairs(known[id] or t.assigned[id] or NONE) do
      if not seen[value] then seen[value], found[#found + 1] = true, value end
    end
    if not known[id] and not seen[id] then add(todo, step(t, v)) end
    seen[id] = true
  end
  return found
end

-- Marks values as used or mutated: a list once.
local function mark(line, values, key)
  if values[key] == line then return end
  values[key] = line
  for _, value in ipairs(values) do
    value[key], value.using_lines[line] = true, true
    if value.secondaries then value.secondaries.used = true end
  end
end

-- Connects an access with values, whose list is shared.
local function connect(line, item, var, key, values)
  local used = item.used_values[var]
  local all = used and table.move(values, 1, MOST, #used + 1, add({}, used)) or values
  item.used_values[var] = all[1] and all
  mark(line, values, key)
end

local function precedes(a, b) return a.var_node.offset < b.var_node.offset end

-- Connects accesses with what steps lead to; where that is much, marks all of it.
local function connect_all(t, accesses, step)
  local known, marked = {}, {}
  for i = #accesses, 1, -1 do
    local line, item, var, key, value = table.unpack(accesses[i])
    local id = value:id()
    if not known[id] then
      known[id] = collect(t, value, step, MOST, known, {})
      table.sort(known[id], precedes)
    end
    connect(line, item, var, key, known[id])
    if #known[id] >= MOST then
      marked[line] = marked[line] or { used = {}, mutated = {} }
      mark(line, collect(t, value, step, math.huge, NONE, marked[line][key]), key)
    end
  end
end

-- }== Items ===========================================================

local function contains_call(node)
  if node.tag == "Call" or node.tag == "Invoke" then return true end
  for _, part in ipairs(node.tag == "Function" and NONE or node) do
    if type(part) == "table" and contains_call(part) then return true end
  end
  return false
end

-- A statement like `t.x = t` does not use t.
local function is_circular(item, var)
  local target, value = item.lhs, item.rhs
  if target and item.tag ~= "OpSet" then target, value = target[1], value[1] end
  return target and target[1].var == var and not contains_call(value) and not contains_call(target)
end

-- Notes that an item of a line reads a variable, `at` an item of the line that declares it.
local function see(t, at, var, key, line, item)
  local writers, own = t.writers[var], t.vars[var]
  if writers then table.insert(t.reads, { line, item, var, key, t.fn:read(writers) }) end
  if not own or key == "used" and is_circular(at, var) then return end
  local value = t.fn:read(own)
  local values = t.assigned[value:id()]
  if values then return connect(line, item, var, key, values) end
  table.insert(t.reads, { line, item, var, key, value })
end

local function read(t, item, var, _, key) see(t, item, var, key, t.line, item) end

local function readers_of(t, var) return t.readers[var] and t.fn:read(t.readers[var]) or t.none end

local function set(t, _, var, value)
  t.vars[var] = t.vars[var] or t.fn:var(var.name)
  t.assigned[t.fn:write(t.vars[var], readers_of(t, var)):id()] = { value }
end

-- }== Closures ========================================================

-- Makes a variable of closures, among others.
local function open(t, vars, var)
  if vars[var] then return end
  vars[var] = t.fn:var(var.name)
  t.fn:write(vars[var], t.none)
  for _, value in ipairs(var.values) do
    if value.type == "func" then t.has_functions[var] = true end
  end
end

local function values_of(items, var)
  local values = {}
  for i, item in ipairs(items) do values[i] = item.set_variables[var] end
  return values
end

-- From here on, a closure reads.
local function start_reading(t, _, var, items, key, line)
  t.fn:may_write({ t.readers[var] }, t.none)
  local value = t.fn:read(t.readers[var])
  for _, item in ipairs(items) do table.insert(t.made, { line, item, var, key, value }) end
end

local function start_setting(t, _, var, items)
  t.fn:may_write({ t.writers[var] }, readers_of(t, var))
  t.assigned[t.fn:read(t.writers[var]):id()] = values_of(items, var)
end

local function read_there(t, at, var, items, key, line)
  for _, item in ipairs(items) do see(t, at, var, key, line, item) end
end

local function gather(_, values, var, items)
  values[var] = add(values[var] or {}, values_of(items, var))
end

local function meet(_, values, var, items, key, line)
  if not values[var] then return end
  for _, item in ipairs(items) do connect(line, item, var, key, values[var]) end
end

-- }== A line ==========================================================

-- Makes the blocks of a line, by the items that begin them; with the number of edges, they seal
-- themselves. What nothing before it leads to is a root. That may be unreachable code, from where
-- values flow, too, for luacheck.
local function make_blocks(fn, items, roots)
  local jumps, first, blocks, before = {}, {}, {}, "Jump"
  for i, item in ipairs(items) do
    local to = item.to
    if to then jumps[to], first[to] = (jumps[to] or 0) + 1, first[to] or i end
  end
  for i = 1, items.size + 1 do
    local is_root = before == "Jump" and (first[i] or i) >= i
    if jumps[i] or is_root or before == "Cjump" then
      local from_above = (is_root or before ~= "Jump") and 1 or 0
      blocks[i] = fn:block(nil, from_above + (jumps[i] or 0))
    end
    if is_root then roots[#roots + 1] = blocks[i] end
    before = items[i] and items[i].tag
  end
  return blocks
end

-- The closures that an item makes exist before anything in them happens.
local function translate_item(t, item)
  if item.lines then
    each_line(t, item, item.lines, READ_THERE, start_reading)
    each_line(t, item, item.lines, SET_THERE, start_setting)
    each_line(t, item, item.lines, READ_THERE, read_there)
  end
  if item.accesses or item.mutations then each(t, item, item, READ, read) end
  if item.set_variables then each(t, item, item, SET, set) end
end

local function translate(t, items, blocks)
  local fn = t.fn
  fn:set_current(blocks[1])
  each_line(t, t.readers, t.line.lines, READ_THERE, open)
  each_line(t, t.writers, t.line.lines, SET_THERE, open)
  for i = 1, items.size + 1 do
    local block, item = blocks[i], items[i] or NONE
    if block and i > 1 and fn:current() then fn:jump(block) end
    if block then fn:set_current(block) end
    translate_item(t, item)
    if item.tag == "Jump" then fn:jump(blocks[item.to]) end
    if item.tag == "Cjump" then fn:branch(fn:arg(1), blocks[item.to], blocks[i + 1]) end
  end
  fn:ret()
end

-- Notes which item assigns anew after a value: false if the scope ends first, or several do.
local function overwrite(_, i, item, var, value)
  local by, before = i <= var.scope_end and item, value.overwriting_item
  local ends = not by or by.set_variables and by.set_variables[var]
  if ends then value.overwriting_item = (before == nil or before == by) and by end
  return ends
end

local function find_overwriting(t, i, var, value)
  if value.used or value.mutated or #var.values == 1 then return end
  t.line:walk({}, i + 1, overwrite, var, value)
end

--- Finds reaching assignments for all accesses of local variables.
local function run(chstate)
  local lines, fn = chstate.lines, phial.fn("file", { "any:i1" }, nil, OPTIONS)
  local blocks, roots = {}, {}
  for i, line in ipairs(lines) do blocks[i] = make_blocks(fn, line.items, roots) end
  fn:entry():switch(fn:const(0), table.remove(roots, 1), roots)
  local t = {
    fn = fn, none = fn:const(nil, "any"), vars = {}, readers = {}, writers = {},
    has_functions = {}, assigned = {}, reads = {}, made = {},
  }
  for i, line in ipairs(lines) do
    t.line = line
    translate(t, line.items, blocks[i])
  end
  fn:finish()
  connect_all(t, t.made, ahead)
  connect_all(t, t.reads, back)
  for _, line in ipairs(lines) do
    t.line = line
    local assigned = {}
    if line.parent then -- luacheck takes all of its closures to be made at once
      each_line(t, assigned, line.lines, SET_THERE, gather)
      each_line(t, assigned, line.lines, READ_THERE, meet)
    end
    for i, item in ipairs(line.items) do each(t, i, item, SET, find_overwriting) end
  end
end

return { run = run }
