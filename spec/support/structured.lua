-- Random structured programs: loops with exits at every level, choices, switches,
-- short circuits, labels, gotos and shadowed names. A program is a tree, built
-- with phial.build; spec/oracle/structured.lua interprets it.
local phial = require "phial"

local M = {}

local NAMES = { "a", "b", "c", "d" }
local NUMBERS = { 0, 1, 2, 3, -1, 7, math.maxinteger, math.mininteger }
local STEPS = { 1, -1, 2, -3, 1 << 62, math.mininteger }

-- The state of the generator: names in scope, enclosing loops and labels, how many
-- statements may still be made.
local function inside(at, change) return setmetatable(change, { __index = at }) end

local function pick_name(pick, at) return at.names[pick(#at.names)] end

local function expression(pick, at, depth)
  local kind = pick(depth > 2 and 2 or 5)
  if kind == 1 then return { "name", pick_name(pick, at) } end
  if kind == 2 then return { "number", NUMBERS[pick(#NUMBERS)] } end
  if kind == 5 then
    local test = at.condition(pick, at, depth + 1)
    return { "choose", test, expression(pick, at, depth + 1), expression(pick, at, depth + 1) }
  end
  local op = ({ "add", "sub", "mul" })[pick(3)]
  return { "op", op, expression(pick, at, depth + 1), expression(pick, at, depth + 1) }
end

local function condition(pick, at, depth)
  local kind = pick(depth > 2 and 2 or 5)
  if kind <= 2 then
    local op = ({ "slt", "eq", "ne", "sge" })[pick(4)]
    return { "op", op, expression(pick, at, depth + 1), expression(pick, at, depth + 1) }
  end
  if kind == 3 then return { "not", condition(pick, at, depth + 1) } end
  local name = kind == 4 and "and" or "or"
  return { name, condition(pick, at, depth + 1), condition(pick, at, depth + 1) }
end

local make = {}

local function statement(pick, at)
  at.left[1] = at.left[1] - 1
  if at.left[1] < 0 then return { "show", expression(pick, at, 2) } end
  return make[pick(#make)](pick, at)
end

-- A body, maybe with a local; `first` is its first statement.
local function body(pick, at, first)
  local list = { first }
  if pick(4) == 1 then
    local name = NAMES[pick(#NAMES)]
    list[#list + 1] = { "local", name, expression(pick, at, 1) }
    at = inside(at, { names = table.move(at.names, 1, #at.names, 2, { name }) })
  end
  for _ = 1, pick(3) do list[#list + 1] = statement(pick, at) end
  return list
end

local function loop_body(pick, at)
  return body(pick, inside(at, { loops = at.loops + 1 }), { "show", { "number", pick(9) } })
end

-- A list with labels, which all gotos inside can target.
local function labelled(pick, at)
  local names = {}
  for i = 1, pick(3) - 1 do
    at.count[1] = at.count[1] + 1
    names[i] = "l" .. at.count[1]
  end
  at = inside(at, { labels = table.move(at.labels, 1, #at.labels, #names + 1, names) })
  local list = body(pick, at)
  local first = list[1] and list[1][1] == "local" and 2 or 1
  for i = 1, #at.labels - #at.outside do
    table.insert(list, first + pick(#list - first + 2) - 1, { "label", at.labels[i] })
  end
  return list
end

make = {
  function(pick, at) return { "assign", pick_name(pick, at), expression(pick, at, 1) } end,
  function(pick, at) return { "show", expression(pick, at, 1) } end,
  function(pick, at)
    local node = { "if" }
    for _ = 1, pick(2) do
      node[#node + 1] = condition(pick, at, 1)
      node[#node + 1] = body(pick, at)
    end
    if pick(2) == 1 then node[#node + 1] = body(pick, at) end
    return node
  end,
  function(pick, at) return { "while", condition(pick, at, 1), loop_body(pick, at) } end,
  function(pick, at) return { "repeat", loop_body(pick, at), condition(pick, at, 1) } end,
  function(pick, at) return { "loop", loop_body(pick, at) } end,
  function(pick, at)
    local name, step = NAMES[pick(#NAMES)], STEPS[pick(#STEPS)]
    local names = table.move(at.names, 1, #at.names, 2, { name })
    local from, to = expression(pick, at, 2), expression(pick, at, 2)
    return { "for", name, from, to, step, loop_body(pick, inside(at, { names = names })) }
  end,
  function(pick, at)
    local node = { "switch", expression(pick, at, 1), {} }
    for _ = 1, pick(3) do node[3][NUMBERS[pick(#NUMBERS)]] = body(pick, at) end
    if pick(2) == 1 then node[3].default = body(pick, at) end
    return node
  end,
  function(pick, at) return { "scope", labelled(pick, inside(at, { outside = at.labels })) } end,
  function(pick, at)
    if at.loops == 0 then return { "show", expression(pick, at, 2) } end
    return { pick(2) == 1 and "break" or "continue", pick(at.loops) }
  end,
  function(pick, at)
    if #at.labels == 0 then return { "ret", expression(pick, at, 1) } end
    return { "goto", at.labels[pick(#at.labels)] }
  end,
  function(pick, at)
    if pick(3) > 1 then return { "assign", pick_name(pick, at), expression(pick, at, 1) } end
    return { "ret", expression(pick, at, 1) }
  end,
}

local function say(node, indent)
  if type(node) ~= "table" then return tostring(node) end
  local parts, listed = {}, {}
  for i, it in ipairs(node) do parts[i], listed[i] = say(it, indent .. " "), true end
  for key, it in pairs(node) do
    if not listed[key] then parts[#parts + 1] = ("%s=%s"):format(key, say(it, indent .. " ")) end
  end
  return "(" .. table.concat(parts, type(node[1]) == "table" and "\n" .. indent or " ") .. ")"
end

local program_mt = { __tostring = function(p) return say(p.list, " ") end }

--- A random program with variables a, b, c.
function M.generate(pick)
  local at = {
    names = { "a", "b", "c" }, loops = 0, labels = {}, outside = {},
    left = { pick(25) }, count = { 0 }, condition = condition,
  }
  return setmetatable({ list = labelled(pick, at) }, program_mt)
end

-- Building.

local build = {}

local function value(b, v, node) return build[node[1]](b, v, node) end
local function run_list(b, v, list, loops)
  for _, node in ipairs(list) do build[node[1]](b, v, node, loops) end
end

local function as_body(b, v, list, loops)
  return function() run_list(b, v, list, loops) end
end

-- The body of a loop gets the enclosing loops, innermost first.
local function as_loop(b, v, list, loops)
  return function(loop) run_list(b, v, list, { loop, table.unpack(loops) }) end
end

function build.name(_, v, node) return v[node[2]] end
function build.number(b, _, node) return b:const(node[2]) end

function build.op(b, v, node)
  local x = value(b, v, node[3])
  return b[node[2]](b, x, value(b, v, node[4]))
end

function build.choose(b, v, node)
  return b:if_(value(b, v, node[2]), function() return value(b, v, node[3]) end,
    function() return value(b, v, node[4]) end)
end

build["not"] = function(b, v, node) return b:not_(value(b, v, node[2])) end

build["and"] = function(b, v, node)
  return b:and_(value(b, v, node[2]), function() return value(b, v, node[3]) end)
end

build["or"] = function(b, v, node)
  return b:or_(value(b, v, node[2]), function() return value(b, v, node[3]) end)
end

function build.assign(b, v, node) v[node[2]] = value(b, v, node[3]) end

build["local"] = function(b, v, node) b:var(node[2], value(b, v, node[3])) end

function build.show(b, v, node) b:call("show", nil, value(b, v, node[2])) end

function build.ret(b, v, node) b:ret(value(b, v, node[2])) end

build["if"] = function(b, v, node, loops)
  local rest = {}
  for i = 3, #node do
    local is_condition = i % 2 == 0 and i < #node
    rest[#rest + 1] = is_condition and function() return value(b, v, node[i]) end
      or as_body(b, v, node[i], loops)
  end
  b:if_(value(b, v, node[2]), table.unpack(rest))
end

build["while"] = function(b, v, node, loops)
  b:while_(function() return value(b, v, node[2]) end, as_loop(b, v, node[3], loops))
end

-- The condition does not see the body's names, as in the interpreter.
build["repeat"] = function(b, v, node, loops)
  b:repeat_(function(loop)
    b:scope(function() as_loop(b, v, node[2], loops)(loop) end)
  end, function() return value(b, v, node[3]) end)
end

function build.loop(b, v, node, loops) b:loop(as_loop(b, v, node[2], loops)) end

build["for"] = function(b, v, node, loops)
  local from = value(b, v, node[3])
  b:for_(node[2], from, value(b, v, node[4]), node[5], as_loop(b, v, node[6], loops))
end

function build.switch(b, v, node, loops)
  local arms = {}
  for key, list in pairs(node[3]) do arms[key] = as_body(b, v, list, loops) end
  b:switch_(value(b, v, node[2]), arms)
end

function build.scope(b, v, node, loops) b:scope(as_body(b, v, node[2], loops)) end

build["break"] = function(b, _, node, loops)
  b:break_(node[2] % 2 == 0 and node[2] or loops[node[2]])
end

build["continue"] = function(b, _, node, loops)
  b:continue_(node[2] % 2 == 0 and node[2] or loops[node[2]])
end

function build.label(b, _, node)
  b:label(node[2])
  b:call("show", nil, 1000)
end

build["goto"] = function(b, _, node) b:goto_(node[2]) end

--- Builds a program; opts go to phial.build. `show` is called by name.
function M.build(program, opts)
  return phial.build("random", { "a", "b", "c" }, "i64", opts, function(b, v)
    run_list(b, v, program.list, {})
    b:ret(0)
  end)
end

return M
