--- What both statements and expressions do to a function under construction: control flow,
-- reads and writes of variables, calls, closures.
--
-- Closures. For a captured variable x, a function has two more variables, the closures that
-- read x and those that write x and exist by now; not where there is nothing to tell. Making a
-- closure is a may-write to them, since those made before remain; a read of x reads x's writers, a
-- write of x its readers. So accesses of these tell which closures see a write, and whose writes a
-- read may see.
local dialect = require "phial.source.dialect"
local fields = require "phial.source.fields"
local phial = require "phial"

local M = {}

---@class phial.source.Translation the state of a function that is translated
---@field fn phial.Function
---@field unit phial.source.Function
---@field program phial.source.Program
---@field opts phial.source.Options
---@field open boolean the current block has no terminator
---@field vars table<phial.source.Variable, phial.Variable>
---@field readers table<phial.source.Variable, phial.Variable> of captured variables
---@field writers table<phial.source.Variable, phial.Variable>
---@field group? phial.Group what calls may write
---@field exposed table<phial.source.Variable, true> the variables in it
---@field none phial.Value what is written where values are not modelled
---@field labels table<string, phial.source.Target> by name; "break" is one
---@field fresh? phial.source.Variable of `local function`, without a value while it is made
---@field line? integer of what is made
---@field closing integer variables that are closed when a scope ends that is open
---@field params integer how many parameters fn has
---@field unsure table<table, phial.source.Target> labels where code seems to be unreachable
---@field first? phial.Block where reachable code begins, if unreachable code is joined
---@field roots phial.Block[] and where this begins
---@field anything? phial.Group all paths, with the option `fields`
---@field by_key table<string, phial.Group> those in which a name occurs

--- Whether an expression of this kind counts as true; nil for others.
M.CONSTANTS = {
  Nil = false, False = false, True = true, Number = true, String = true, Table = true,
  Function = true,
}

--- Kinds of expressions that are equal to a value without a metamethod.
M.LITERALS = { Nil = true, True = true, False = true, String = true, Number = true }

--- The line of the instructions that follow.
function M.set_line(t, line)
  if line ~= t.line then t.fn:set_loc(line) end
  t.line = line
end

-- {== Blocks ==========================================================

---@class phial.source.Target a block that is made when a jump needs it
---@field name string
---@field block? phial.Block

--- Goes on in a block to which nothing leads.
function M.start_dead(t)
  local fn = t.fn
  local block
  if t.first then
    block = fn:block "dead"
    t.roots[#t.roots + 1] = block
    for i = 1, t.params do block:kill(fn:param(i)) end
  else
    block = fn:block("dead", 0)
  end
  fn:set_current(block)
  t.open = true
end

local function block_of(t, target)
  local block = target.block or t.fn:block(target.name)
  target.block = block
  return block
end

--- Jumps, unless the current block has ended.
function M.jump(t, target)
  if not t.open then return end
  t.fn:jump(block_of(t, target))
  t.open = false
end

--- Goes on in the block of a target, to which all jumps have been made; if there are none, what
--- follows is unreachable.
function M.go_on(t, target)
  t.open = target.block ~= nil
  if not t.open then return end
  target.block:seal()
  t.fn:set_current(target.block)
end

--- Begins a loop: jumps to its head, which is sealed when the loop ends.
---@return phial.source.Target
function M.start_loop(t, node)
  local head = { name = "loop" }
  M.join(t, node)
  M.jump(t, head)
  t.fn:set_current(head.block)
  t.open = true
  return head
end

--- Branches on a test, refining the variables in a list.
function M.branch(t, test, yes, no, names)
  local refined = names and #names > 0 and { refine = names } or nil
  t.fn:branch(test, block_of(t, yes), block_of(t, no), refined)
  t.open = false
end

-- }== Variables =======================================================

-- The variables for the closures of v that exist; none do.
local function start_closures(t, v)
  local readers, writers = t.readers[v], t.writers[v]
  if not readers and not writers then return end
  t.fn:set_node(nil)
  if readers then t.fn:write(readers, t.none) end
  if writers then t.fn:write(writers, t.none) end
end

--- Makes the variables of those that a function declares and its closures capture. Where one is
--- only declared, no closure that reads it exists yet, except a function itself, or in the model
--- "creation" that of the turn before.
function M.start_captured(t)
  for _, v in ipairs(t.unit.variables) do
    local is_fixed = v.writes == 0 and v.kind ~= "function" and t.opts.closures == "calls"
    if v.read_by and not is_fixed then t.readers[v] = t.fn:var(v.name .. "'s readers") end
    if v.written_by then t.writers[v] = t.fn:var(v.name .. "'s writers") end
    if t.opts.closures == "creation" then start_closures(t, v) end
  end
end

--- Makes calls may-writes of a variable.
function M.expose(t, v)
  if t.opts.closures ~= "calls" then return end
  t.group = t.group or t.fn:group {}
  t.group:add(t.vars[v])
  t.exposed[v] = true
end

--- Declares a variable, as yet without a value.
function M.declare(t, v)
  local var = t.vars[v] or t.fn:var(v.name)
  t.vars[v] = var
  var:set_data(v)
  if t.opts.closures == "calls" then start_closures(t, v) end
  if v.written_by and t.unit.has_label then M.expose(t, v) end
end

function M.write(t, v, node, value)
  local fn, readers = t.fn, t.readers[v]
  fn:set_node(node)
  fn:write(t.vars[v], value or t.none)
  if t.anything then fields.forget(t, v) end
  if readers then fn:read(readers) end
end

---@return phial.Value
function M.read(t, v, node)
  local fn, writers = t.fn, t.writers[v]
  fn:set_node(node)
  if writers then fn:read(writers) end
  return fn:read(t.vars[v])
end

-- }== Calls and closures ==============================================

--- What a call may write, by then.
---@param only? phial.source.Variable[] of captured variables these alone
function M.called(t, node, only)
  if not t.group and not t.anything then return end
  t.fn:set_node(node)
  local value = t.opts.values and t.fn:emit(dialect.unknown) or t.none
  if t.group and not only then t.fn:may_write(t.group, value) end
  for _, v in ipairs(only or {}) do
    if t.exposed[v] then t.fn:may_write({ t.vars[v] }, value) end
  end
  if t.anything then t.fn:may_write(t.anything, value) end
end

--- What a metamethod may write, with the option: an operator or a field of a table is like a call.
function M.may_run(t, node)
  if t.opts.metamethods then M.called(t, node) end
end

--- From a node on, calls may write what the closures made there write.
function M.join(t, node)
  for _, v in ipairs(t.program.joins[node] or {}) do
    if v.owner == t.unit then M.expose(t, v) end
  end
end

-- The accesses of one captured variable where a closure is made; `made` collects the variables
-- that tell of the closure.
local function capture(t, captured, made)
  local v, fn = captured.variable, t.fn
  local reads, writes = #captured.reads > 0, #captured.writes > 0
  local readers, writers = t.readers[v], t.writers[v]
  if reads and v ~= t.fresh then fn:read(t.vars[v]) end
  if reads and writers then fn:read(writers) end
  if writes and readers then fn:read(readers) end
  if reads then made[#made + 1] = readers end
  if writes then made[#made + 1] = writers end
end

--- Makes a closure; its function is translated already.
---@param f phial.source.Function
function M.close_over(t, f)
  local fn, made = t.fn, {}
  fn:set_node(f.node)
  for _, captured in ipairs(f.captured) do capture(t, captured, made) end
  t.fresh = nil
  for _, var in ipairs(made) do fn:may_write({ var }, t.none) end
  M.join(t, f.node)
end

-- }== Functions =======================================================

local function params_of(unit)
  local names = {}
  for _, v in ipairs(unit.variables) do
    if v.kind ~= "parameter" and v.kind ~= "vararg" then break end
    names[#names + 1] = v.name
  end
  local own = #names
  for _, captured in ipairs(unit.captured) do names[#names + 1] = captured.variable.name end
  return names, own
end

-- Unreachable code begins as if the function had begun there, without its parameters.
local function join_unreachable(t)
  local fn = t.fn
  fn:entry():switch(fn:const(0), t.first, t.roots)
  t.first:seal()
  for _, root in ipairs(t.roots) do root:seal() end
end

-- The labels where code turned out to be reachable do not begin unreachable code.
local function reconsider(t)
  if not next(t.unsure) then return end
  local met, todo, kept = {}, { t.first or t.fn:entry() }, {}
  while #todo > 0 do
    local block = table.remove(todo)
    if not met[block] then
      met[block] = true
      table.move(block:succs(), 1, #block:succs(), #todo + 1, todo)
    end
  end
  for _, node in ipairs(t.unit.dead) do
    local label = t.unsure[node]
    if not label or not met[label.block] then kept[#kept + 1] = node end
  end
  t.unit.dead = kept
end

local function start_params(t, own)
  for i, v in ipairs(t.unit.variables) do
    if i > own then break end
    t.vars[v] = t.fn:param(i)
    M.declare(t, v)
  end
  for i, captured in ipairs(t.unit.captured) do
    local v = captured.variable
    t.vars[v] = t.fn:param(own + i)
    t.vars[v]:set_data(v)
    if v.writes > 0 then M.expose(t, v) end
  end
end

--- Translates a function by a callback that gets its state.
---@param program phial.source.Program
---@param unit phial.source.Function
---@param opts phial.source.Options
---@param body fun(t: phial.source.Translation)
function M.func(program, unit, opts, body)
  local names, own = params_of(unit)
  opts.fn = opts.fn or {
    type = "any", rules = false, accesses = true, keep_unreachable = true, where = false,
    undef = "undef", split = opts.refine, dialects = { dialect },
  }
  local fn = phial.fn(unit.name, names, nil, opts.fn)
  local t = {
    fn = fn, unit = unit, program = program, opts = opts, open = true, vars = {}, readers = {},
    writers = {}, labels = {}, closing = 0, params = #names, roots = {}, by_key = {}, exposed = {},
    unsure = {},
  }
  unit.vars, unit.readers, unit.writers = t.vars, t.readers, t.writers
  fn:set_current(fn:entry())
  t.none = fn:const(nil, "any")
  M.start_captured(t)
  start_params(t, own)
  if opts.unreachable == "joined" then
    t.first = fn:block "body"
    fn:set_current(t.first)
    unit.first = t.first
  end
  fields.start(t)
  body(t)
  if t.open then fn:ret() end
  if t.first then join_unreachable(t) end
  unit.fn = fn:finish()
  reconsider(t)
end

-- }=====================================================================

return M
