-- Loops. Each has a block where an iteration starts, one after the loop, and, if
-- continue_ is used, one that prepares the next iteration. The first is sealed
-- when the back edge exists, the one after the loop when the loop ends: break_ can
-- be anywhere in it.
local core = require "phial.core"
local errors = require "phial.errors"
local flow = require "phial.build.flow"
local scope = require "phial.build.scope"

local M = {}

---@class phial.build.Loop
---@field kind string
---@field place string where it starts, "file:line"
---@field start phial.Block where an iteration starts
---@field done phial.Block after the loop
---@field next phial.Block? the target of continue_
---@field ended boolean?

local loop_mt = { __name = "phial.Loop" }

-- Makes a loop the innermost one.
local function open_loop(site, kind, start, next_block)
  local loop = setmetatable({ kind = kind, place = errors.place(), start = start,
    done = site.fn:block(kind .. "_done"), next = next_block }, loop_mt)
  site.loops[#site.loops + 1] = loop
  return loop
end

-- The same for a loop whose first iteration starts at once.
local function enter_loop(site, kind, start, next_block)
  local loop = open_loop(site, kind, start, next_block)
  site.fn:jump(start)
  site.fn:set_current(start)
  return loop
end

-- All edges to its start are there.
local function close_loop(site, loop)
  loop.start:seal()
  site.loops[#site.loops] = nil
  loop.ended = true
  core.enter(site.fn, loop.done)
end

-- Ends an iteration: goes to the target of continue_, if that was used.
local function meet_next(site, loop)
  if not loop.next then return end
  site.fn:jump_if_open(loop.next)
  core.enter(site.fn, loop.next)
end

--- while: a function that computes the condition, and a body.
function M.while_(site, condition, body)
  if type(condition) ~= "function" then
    local hint = "it is computed anew in each iteration, function() return a:slt(b) end"
    errors.arg("while_", 1, "function", condition, errors.class(condition) and hint)
  end
  errors.check_function("while_", 2, body)
  local fn = site.fn
  core.start(fn)
  local head, start = fn:block "while_head", fn:block "while_body"
  local loop = enter_loop(site, "while", head, head)
  local goes_on = flow.check_condition("while_", condition())
  fn:branch(goes_on, start, loop.done)
  core.enter(fn, start)
  flow.body(site, body, loop)
  fn:jump_if_open(head)
  close_loop(site, loop)
end

--- An endless loop.
function M.loop(site, body)
  errors.check_function("loop", 1, body)
  core.start(site.fn)
  local start = site.fn:block "loop"
  local loop = enter_loop(site, "loop", start, start)
  flow.body(site, body, loop)
  site.fn:jump_if_open(start)
  close_loop(site, loop)
end

--- repeat: a body, and a function that computes the condition to stop, which sees
--- the body's variables.
function M.repeat_(site, body, condition)
  errors.check_function("repeat_", 1, body)
  errors.check_function("repeat_", 2, condition)
  core.start(site.fn)
  local start = site.fn:block "repeat_body"
  local loop = enter_loop(site, "repeat", start)
  local mark = scope.open(site)
  body(loop)
  meet_next(site, loop)
  local stops = flow.check_condition("repeat_", condition())
  scope.close(site, mark)
  site.fn:branch(stops, loop.done, start)
  close_loop(site, loop)
end

-- Counting. As in Lua the limit is included and evaluated once, and nothing
-- overflows: another iteration follows only if the distance to the limit allows
-- for the step.

local function check_step(site, step, kind)
  if math.type(step) and (step > 0 or step < 0) and scope.typed(site, step, kind) then return end
  local hint = errors.class(step) and "a loop whose direction is not known here is a while_" or nil
  local what = kind:find "^f" and "Lua number" or "Lua integer"
  errors.arg("for_", 4, what .. " other than 0", step, hint)
end

-- The types of counters.
local COUNTS = { i8 = true, i16 = true, i32 = true, i64 = true, f32 = true, f64 = true }

-- Checks the bounds; returns them as values of one type, and the type.
local function check_bounds(site, from, to)
  local decides, it = 2, from
  if errors.class(to) and not errors.class(from) then decides, it = 3, to end
  local kind = scope.type_of(site, it)
  if not COUNTS[kind] then errors.arg("for_", decides, "number", it) end
  local first, last = scope.typed(site, from, kind), scope.typed(site, to, kind)
  if not first then errors.arg("for_", 2, kind .. " like argument #3", from) end
  if not last then errors.arg("for_", 3, kind .. " like argument #2", to) end
  return first, last, kind
end

local function is_float(kind) return kind:find "^f" end

local function before_end(block, at, last, step)
  if is_float(at:type()) then return step > 0 and block:fle(at, last) or block:fge(at, last) end
  return step > 0 and block:sle(at, last) or block:sge(at, last)
end

-- The condition for another iteration, and its number.
local function advance(block, at, last, step)
  if is_float(at:type()) then
    local following = block:fadd(at, step)
    return before_end(block, following, last, step), following
  end
  local goes_on
  if step == 1 or step == -1 then
    goes_on = step > 0 and block:slt(at, last) or block:sgt(at, last)
  else
    local distance = step > 0 and block:sub(last, at) or block:sub(at, last)
    goes_on = block:uge(distance, math.abs(step))
  end
  return goes_on, block:add(at, step)
end

local function count(site, loop, name, counter, last, step, body)
  local mark = scope.open(site)
  scope.var(site, name, counter:type(), site.fn:read(counter))
  body(loop)
  scope.close(site, mark)
  meet_next(site, loop)
  local fn = site.fn
  local goes_on, following = advance(fn, fn:read(counter), last, step)
  fn:write(counter, following)
  fn:branch(goes_on, loop.start, loop.done)
end

--- for: counts from a number to another one by a step (default 1). In the body the
--- name is a variable of its own.
function M.for_(site, name, from, to, step, body)
  local last_argument = body == nil and 4 or 5
  if last_argument == 4 then step, body = 1, step end
  if type(name) ~= "string" then errors.arg("for_", 1, "name", name) end
  local first, last, kind = check_bounds(site, from, to)
  check_step(site, step, kind)
  errors.check_function("for_", last_argument, body)
  local fn = site.fn
  core.start(fn, first)
  core.start(fn, last)
  local start = fn:block "for_body"
  local loop, counter = open_loop(site, "for", start), fn:var(name, kind)
  fn:write(counter, first)
  fn:branch(before_end(fn, first, last, step), start, loop.done)
  fn:set_current(start)
  count(site, loop, name, counter, last, step, body)
  close_loop(site, loop)
end

-- Leaving.

local function check_around(site, method, loop)
  for _, it in ipairs(site.loops) do
    if it == loop then return loop end
  end
  errors.raise("'%s': the loop that starts at %s does not enclose this%s", method, loop.place,
    loop.ended and ", it has ended" or "")
end

local function find_loop(site, method, which)
  local levels = #site.loops
  if getmetatable(which) == loop_mt then return check_around(site, method, which) end
  if which == nil then which = 1 end
  if math.type(which) ~= "integer" or which < 1 then
    errors.arg(method, 1, "number of loops, or the loop that a body is given,", which)
  end
  if levels == 0 then errors.raise("'%s' is not inside a loop", method) end
  if which > levels then
    errors.raise("'%s' of %d loops: it is inside %d only", method, which, levels)
  end
  return site.loops[levels - which + 1]
end

--- Leaves a loop.
function M.break_(site, which)
  site.fn:jump(find_loop(site, "break_", which).done)
  flow.die(site)
end

--- Goes to the next iteration of a loop.
function M.continue_(site, which)
  local loop = find_loop(site, "continue_", which)
  core.start(site.fn)
  loop.next = loop.next or site.fn:block(loop.kind .. "_next")
  site.fn:jump(loop.next)
  flow.die(site)
end

return M
