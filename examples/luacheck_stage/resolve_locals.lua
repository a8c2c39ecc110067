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
local OPTIONS <const> = {
  type = "any", copies = true, rules = false, where = false, undef = "undef",
}
local NONE <const> = {}
local UPVALUES <const> = { used = "accessed_upvalues", mutated = "mutated_upvalues" }

-- {== Values ==========================================================

local function add(list, items) return table.move(items, 1, #items, #list + 1, list) end

-- A step back to what was assigned, or ahead to what is assigned while a closure exists: luacheck's
-- values, and where to go on.
local function back(t, v)
  local op = v:op()
  local further = op == "phi" and v:args() or op == "may" and { v:arg(1) }
  return t.assigned[v:id()] or NONE, further or NONE
end

local function ahead(t, v)
  local values, further = {}, {}
  for _, user in ipairs(v:users()) do
    local assigned = t.assigned[user:id()]
    add(assigned and values or further, assigned or { user })
  end
  return values, further
end

-- Collects values by steps, up to where it is known what is found from there.
local function collect(t, todo, step, most, known)
  local seen, found = {}, {}
  while #todo > 0 and #found < most do
    local v = table.remove(todo)
    local id = v:id()
    local values, further = known[id] or NONE, NONE
    if not known[id] and not seen[id] then values, further = step(t, v) end
    seen[id] = true
    for _, value in ipairs(values) do
      if not seen[value] then seen[value], found[#found + 1] = true, value end
    end
    add(todo, further)
  end
  return found
end

-- Marks values as used or mutated: a list once. Which lines use them matters for functions.
local function mark(line, values, key)
  if values[key] == line then return end
  values[key] = line
  for i = 1, #values do
    local value = values[i]
    value[key], value.using_lines[line] = true, true
    if value.secondaries then value.secondaries.used = true end
  end
end

-- Connects an access with values, whose list is shared.
local function connect(line, item, var, key, values)
  local used = item.used_values[var]
  local is_enough = used and used[2] and not (used[1].empty and used[#used].empty)
  if not is_enough and values[1] then
    item.used_values[var] = used and add(add({}, used), values) or values
  end
  mark(line, values, key)
end

local function precedes(a, b) return a.var_node.offset < b.var_node.offset end

-- Connects accesses with what steps lead to; where that is much, marks it for all at once.
local function connect_all(t, accesses, step)
  local known, many = {}, {}
  for i = #accesses, 1, -1 do
    local access = accesses[i]
    local line, key, id = access.line, access.key, access.value:id()
    if not known[id] then
      known[id] = collect(t, { access.value }, step, MOST, known)
      table.sort(known[id], precedes)
    end
    connect(line, access.item, access.var, key, known[id])
    if #known[id] >= MOST then
      many[line] = many[line] or { used = {}, mutated = {} }
      table.insert(many[line][key], access.value)
    end
  end
  for line, by_key in pairs(many) do
    for key, list in pairs(by_key) do mark(line, collect(t, list, step, math.huge, NONE), key) end
  end
end

-- }== Items ===========================================================

local function contains_call(node)
  if node.tag == "Function" then return false end
  if node.tag == "Call" or node.tag == "Invoke" then return true end
  for _, part in ipairs(node) do
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

local function note(list, line, item, var, key, value)
  list[#list + 1] = { line = line, item = item, var = var, key = key, value = value }
end

-- Notes that a line reads a variable of this one, by an item. The value is the one `at` an item.
local function see(t, line, item, var, key, at)
  local writers, own = t.writers[var], t.vars[var]
  if writers then note(t.reads, line, item, var, key, t.fn:read(writers)) end
  if not own or key == "used" and is_circular(at, var) then return end
  local value = t.fn:read(own)
  local values = t.assigned[value:id()]
  if values then
    connect(line, item, var, key, values)
  else
    note(t.reads, line, item, var, key, value)
  end
end

local function read(t, item, by_var, key)
  for var in pairs(by_var) do
    if var.line == t.line then see(t, t.line, item, var, key, item) end
  end
end

local function readers_of(t, var) return t.readers[var] and t.fn:read(t.readers[var]) or t.none end

local function write(t, item)
  for var, value in pairs(item.set_variables) do
    if var.line == t.line then
      t.vars[var] = t.vars[var] or t.fn:var(var.name)
      t.assigned[t.fn:write(t.vars[var], readers_of(t, var)):id()] = { value }
    end
  end
end

-- }== Closures ========================================================

-- Calls f for what some lines do to variables of this one, and with the line that counts as user.
local function each_upvalue(t, lines, field, f)
  for _, line in ipairs(lines) do
    for var, items in pairs(line[field]) do
      if var.line == t.line then f(var, items, t.has_functions[var] and line or t.line) end
    end
  end
end

local function start(t)
  local fields = { set_upvalues = t.writers }
  for _, field in pairs(UPVALUES) do fields[field] = t.readers end
  for field, vars in pairs(fields) do
    each_upvalue(t, t.line.lines, field, function(var)
      if vars[var] then return end
      vars[var] = t.fn:var(var.name)
      t.fn:write(vars[var], t.none)
      for _, value in ipairs(var.values) do
        if value.type == "func" then t.has_functions[var] = true end
      end
    end)
  end
end

local function values_of(items, var)
  local values = {}
  for i, item in ipairs(items) do values[i] = item.set_variables[var] end
  return values
end

-- The closures that an item makes exist before anything in them happens.
local function make_closures(t, item)
  local fn = t.fn
  for key, field in pairs(UPVALUES) do
    each_upvalue(t, item.lines, field, function(var, items, line)
      fn:may_write({ t.readers[var] }, t.none)
      local value = fn:read(t.readers[var])
      for _, by in ipairs(items) do note(t.made, line, by, var, key, value) end
    end)
  end
  each_upvalue(t, item.lines, "set_upvalues", function(var, items)
    fn:may_write({ t.writers[var] }, readers_of(t, var))
    t.assigned[fn:read(t.writers[var]):id()] = values_of(items, var)
  end)
  for key, field in pairs(UPVALUES) do
    each_upvalue(t, item.lines, field, function(var, items, line)
      for _, by in ipairs(items) do see(t, line, by, var, key, item) end
    end)
  end
end

-- In a function that is a closure itself, luacheck takes all closures to be made at once.
local function meet(t)
  local assigned = {}
  each_upvalue(t, t.line.lines, "set_upvalues", function(var, items)
    assigned[var] = add(assigned[var] or {}, values_of(items, var))
  end)
  for key, field in pairs(UPVALUES) do
    each_upvalue(t, t.line.lines, field, function(var, items, line)
      for _, item in ipairs(assigned[var] and items or NONE) do
        connect(line, item, var, key, assigned[var])
      end
    end)
  end
end

-- }== A line ==========================================================

-- Makes the blocks of a line, by the items that begin them; with the number of edges, they seal
-- themselves. What nothing before it leads to is a root. That may be unreachable code, from where
-- values flow, too, for luacheck.
local function make_blocks(fn, items, roots)
  local edges, first, blocks, before = {}, {}, {}, "Jump"
  for i = 1, items.size + 1 do
    if before == "Jump" and not edges[i] then
      edges[i], first[#first + 1] = 1, i
    elseif edges[i] and before ~= "Jump" and before ~= "Cjump" then
      edges[i] = edges[i] + 1
    end
    local item = items[i] or NONE
    local to = item.to
    before = item.tag
    if to then edges[to] = (edges[to] or to <= i and 1 or 0) + 1 end
    if before == "Cjump" then edges[i + 1] = (edges[i + 1] or 0) + 1 end
  end
  for i, count in pairs(edges) do blocks[i] = fn:block(nil, count) end
  for _, i in ipairs(first) do roots[#roots + 1] = blocks[i] end
  return blocks
end

local function translate(t, items, blocks)
  local fn, test, open = t.fn, t.fn:arg(1), false
  for i = 1, items.size + 1 do
    local block, item = blocks[i], items[i]
    local tag = item and item.tag
    if block and open then fn:jump(block) end
    if block then fn:set_current(block) end
    if i == 1 then start(t) end
    open = tag ~= "Jump" and tag ~= "Cjump"
    if not item then
      fn:ret()
    elseif tag == "Jump" then
      fn:jump(blocks[item.to])
    elseif tag == "Cjump" then
      fn:branch(test, blocks[item.to], blocks[i + 1])
    else
      if item.lines and item.lines[1] then make_closures(t, item) end
      if item.accesses then read(t, item, item.accesses, "used") end
      if item.mutations then read(t, item, item.mutations, "mutated") end
      if item.set_variables then write(t, item) end
    end
  end
end

-- Notes which item assigns anew after a value: false if the scope ends first, or several do.
local function overwrite(_, i, item, var, value)
  local is_over = i > var.scope_end
  local overwrites = is_over or item.set_variables and item.set_variables[var]
  if overwrites then
    local by = not is_over and item
    if value.overwriting_item == nil then value.overwriting_item = by end
    if value.overwriting_item ~= by then value.overwriting_item = false end
  end
  return overwrites
end

local function find_overwriting(line)
  for i, item in ipairs(line.items) do
    for var, value in pairs(item.set_variables or NONE) do
      local is_used = value.used or value.mutated or #var.values == 1
      if var.line == line and not is_used then line:walk({}, i + 1, overwrite, var, value) end
    end
  end
end

local stage = {}

--- Finds reaching assignments for all accesses of local variables.
function stage.run(chstate)
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
    if line.parent then meet(t) end
    find_overwriting(line)
  end
end

return stage
