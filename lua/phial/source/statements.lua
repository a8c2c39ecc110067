--- Statements. Each begins in an open block: what follows a jump is unreachable, and kept.
local flow = require "phial.source.flow"

local go_on, jump, read, write = flow.go_on, flow.jump, flow.read, flow.write

local M = {}
local run = {}

-- {== Blocks and jumps ================================================

-- Notes where unreachable code begins; if at a label, jumps that follow may reach it.
local function note_dead(t, node)
  local dead = t.unit.dead
  dead[#dead + 1] = node
  if node.tag == "Label" then t.unsure[node] = t.labels[node[1]] end
end

local function statements(t, list)
  local is_dead = false
  for i = 1, #list do
    local node = list[i]
    if not t.open then
      flow.start_dead(t)
      if not is_dead then note_dead(t, node) end
      is_dead = true
    end
    is_dead = is_dead and node.tag ~= "Label"
    flow.set_line(t, node.line)
    run[node.tag](t, node)
  end
end

-- Calls a function with further labels.
local function with_labels(t, labels, body, ...)
  local outer = t.labels
  t.labels = setmetatable(labels, { __index = outer })
  body(t, ...)
  t.labels = outer
end

local function labelled(t, list, labels)
  with_labels(t, labels, statements, list)
  for _, node in ipairs(list) do
    local target = node.tag == "Label" and labels[node[1]]
    if target and target.block then target.block:seal() end
  end
end

-- The labels of a block, which are visible in all of it; nil if it has none.
local function labels_of(t, list)
  local labels
  for i = 1, t.unit.has_label and #list or 0 do
    local node = list[i]
    if node.tag == "Label" then
      labels = labels or {}
      labels[node[1]] = { name = node[1] }
    end
  end
  return labels
end

-- What is to be closed when the block ends calls its metamethods then.
local function block(t, list)
  local labels, closing = labels_of(t, list), t.closing
  if labels then labelled(t, list, labels) else statements(t, list) end
  if t.closing > closing then
    if t.open then flow.called(t, list[#list]) end
    t.closing = closing
  end
end
M.block = block

function run.Do(t, node) block(t, node) end

function run.Label(t, node)
  local target = t.labels[node[1]]
  jump(t, target)
  t.fn:set_current(target.block)
  t.open = true
end

local function leave(t, node)
  if t.closing > 0 then flow.called(t, node) end
end

function run.Goto(t, node)
  leave(t, node)
  jump(t, t.labels[node[1]])
end

function run.Break(t, node)
  leave(t, node)
  jump(t, t.labels["break"])
end

function run.Return(t, node)
  local value = t.expressions.open(t, node)
  leave(t, node)
  t.expressions.ret(t, value)
  t.open = false
end

-- }== Assignments =====================================================

function run.Local(t, node)
  local targets, list = node[1], node[2]
  local values = list and t.expressions.adjust(t, list, #targets)
  for i = 1, #targets do
    local id = targets[i]
    local v = t.program.names[id]
    flow.declare(t, v)
    write(t, v, id, values and values[i])
    if v.attribute == "close" then
      t.closing = t.closing + 1
      t.expressions.close(t, read(t, v, id))
    end
  end
end

function run.Localrec(t, node)
  local id = node[1][1]
  local v = t.program.names[id]
  flow.declare(t, v)
  t.fresh = v
  write(t, v, id, t.expressions.one(t, node[2][1]))
end

-- Assigns from right to left, as Lua does.
function run.Set(t, node)
  local targets, places = node[1], {}
  for i = 1, #targets do places[i] = t.expressions.place(t, targets[i]) end
  local values = t.expressions.adjust(t, node[2], #targets)
  for i = #targets, 1, -1 do
    t.expressions.assign(t, targets[i], places[i], values and values[i])
  end
end

-- `x += 1`, which some parsers accept.
function run.OpSet(t, node)
  local target = node[2]
  local place = t.expressions.place(t, target)
  local value = t.expressions.compound(t, node)
  t.expressions.assign(t, target, place, value)
end

function run.Call(t, node) t.expressions.call(t, node) end
run.Invoke = run.Call

-- }== Conditions and loops ============================================

function run.If(t, node)
  local after = { name = "after" }
  for i = 1, #node - 1, 2 do
    local yes, no = { name = "yes" }, { name = "no" }
    if not t.open then flow.start_dead(t) end
    t.expressions.test(t, node[i], yes, no)
    go_on(t, yes)
    block(t, node[i + 1])
    jump(t, after)
    go_on(t, no)
  end
  if #node % 2 == 1 then block(t, node[#node]) end
  jump(t, after)
  go_on(t, after)
end

-- The body of a loop; then what follows it.
local function body_of(t, head, after, run_body, ...)
  with_labels(t, { ["break"] = after }, run_body, ...)
  jump(t, head)
  head.block:seal()
  go_on(t, after)
end

function run.While(t, node)
  local yes, after = { name = "body" }, { name = "after" }
  local head = flow.start_loop(t, node)
  t.expressions.test(t, node[1], yes, after)
  go_on(t, yes)
  body_of(t, head, after, block, node[2])
end

-- The condition is in the scope of the body.
function run.Repeat(t, node)
  local again, after, closing = { name = "again" }, { name = "after" }, t.closing
  local head = flow.start_loop(t, node)
  local function body()
    local labels = labels_of(t, node[1])
    if labels then labelled(t, node[1], labels) else statements(t, node[1]) end
    if not t.open then
      flow.start_dead(t)
      note_dead(t, node[2])
    end
    t.expressions.test(t, node[2], after, again)
    go_on(t, again)
    if t.closing > closing then flow.called(t, node) end
    t.closing = closing
  end
  body_of(t, head, after, body)
end

local function loop(t, node, start, names, list)
  local yes, after = { name = "body" }, { name = "after" }
  local state = start(t, node)
  local head = flow.start_loop(t, node)
  local values = t.expressions.step(t, node, state, yes, after)
  go_on(t, yes)
  for i = 1, #names do
    local v = t.program.names[names[i]]
    flow.declare(t, v)
    write(t, v, names[i], values and values[i])
  end
  body_of(t, head, after, function()
    block(t, list)
    t.expressions.next(t, node, state)
  end)
end

function run.Fornum(t, node)
  loop(t, node, t.expressions.start_numeric, { node[1] }, node[#node])
end

function run.Forin(t, node)
  loop(t, node, t.expressions.start_generic, node[1], node[3])
end

-- }=====================================================================

return M
