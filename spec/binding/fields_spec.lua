-- The tables that phial hands out have the fields that types/phial.lua declares: each of them in
-- some table, none besides, and those without a question mark in all.
local declared = require "fuzz.attack.declared"
local phial = require "phial"

local function loop_of(rules)
  return phial.build("f", { "n:i64" }, "i64", { rules = rules }, function(b, v)
    v.s = 0
    b:while_(function() return v.n:sgt(0) end, function()
      v.i = v.n
      b:while_(function() return v.i:sgt(0) end, function() v.i = v.i - 1 end)
      v.s, v.n = v.s + v.i, v.n - 1
    end)
    b:ret(v.s)
  end)
end

local TRACE <const> = [[
F f 1 0 i64 a:i64
V x i64
b entry
r x %2
x %2
E
]]

local function steps(text, construction)
  local list = {}
  for step in assert(phial.steps(text, { construction = construction })) do
    list[#list + 1] = step
  end
  return list
end

local function joined(...)
  local list = {}
  for _, some in ipairs { ... } do table.move(some, 1, #some, #list + 1, list) end
  return list
end

-- All nodes of the trees of rules.
local function nodes_of(trees)
  local nodes = {}
  local function add(node)
    nodes[#nodes + 1] = node
    if node.data then add(node.data) end
    for _, kid in ipairs(node) do add(kid) end
  end
  for _, tree in ipairs(trees) do
    add(tree.pattern)
    add(tree.result)
    if tree.guard then add(tree.guard) end
  end
  return nodes
end

local function trees()
  local D = phial.dialect("d", { k = { args = { "any" }, result = "any", pure = true } })
  local R = phial.rules():attach(D):add([[
a: (s @ once(x + C)) ~ x => $f(x, s) if C > 0 @ late, always, unoriented
b: [slt|sle](x, _) => [false|true] @ tested
c: x - INT_MIN => !(x + INT_MAX) if width(x) > 8 @ unsafe "why"
d: branch(false, L1, L2) => jump(L2)
e: d.k{A}(x) => d.k{$f(A)}(x) @ unoriented
]], { f = function() end })
  return R:rules()
end

local function undefined_reads()
  local fn = phial.fn("f", {}, "i64", { where = "all" })
  fn:set_loc(3, 4, "file", 5, 6)
  fn:entry():ret(fn:entry():read(fn:var "x"))
  return fn:finish():undefined_reads()
end

-- A wrong rule, and a function that it makes wrong.
local function bisected()
  local R = phial.rules 'wrong: x + 0 => 0 @ unsafe "a spec"'
  return phial.bisect(function(opts)
    opts.rules = R
    local fn = phial.fn("f", { "x:i64" }, "i64", opts)
    fn:entry():ret(fn:entry():add(fn:arg(1), 0))
    return fn:finish()
  end, function(fn) return fn(7) == 7 end)
end

-- A finished loop with the phi s, on the edge of which a constant is moved; an edge goes from the
-- branch back to it.
local function leaving()
  local fn = assert(phial.parse [[
fn f(%c: i1) -> i64 {
entry:
  jump loop
loop: <- entry, loop
  %s: i64 = phi [entry: 0, loop: %t]
  %t: i64 = add %s, 1
  branch %c, loop, done
done: <- loop
  ret %s
}]])
  return fn:leave(), fn:rpo()
end

local function searched(method, enumerate)
  local fn = phial.fn("f", { "x:i64", "y:i64" }, "i64", { rules = false })
  fn:set_current(fn:entry())
  fn:ret((fn:arg(1) & fn:arg(2)) + (fn:arg(1) | fn:arg(2)))
  local R = phial.rules()
  return R[method](R, { functions = { fn:finish() }, least = 1, enumerate = enumerate })
end

-- The words that a type lists.
local function words_of(type)
  local words = {}
  for word in type:gmatch '"([%l_]+)"' do words[word] = true end
  return words
end

-- By class: some of its tables.
local SOME <const> = {
  Step = function() return joined(steps(TRACE, "cytron"), steps "F f 1 0 -\nb entry\nx %9\n") end,
  Stats = function()
    local R = phial.rules "a: x + 0 => x"
    return { loop_of(R):stats(), loop_of(false):stats() }
  end,
  OpRow = phial.ops,
  UndefinedRead = undefined_reads,
  Location = function() return { undefined_reads()[1].loc, { line = 1 } } end,
  LoopOfBlocks = function() return loop_of():loops() end,
  RuleTree = trees,
  RuleNode = function() return nodes_of(trees()) end,
  Best = function() return { phial.rules():best("x & x", { solver = "/nowhere/z3" }) } end,
  Shape = function() return { searched("find", { ops = "popcnt" })[1].shape } end,
  Found = function() return { { shape = searched "find"[1].shape } } end,
  Bisected = function() return { bisected() } end,
  Forwarded = function() return { loop_of():forward() } end,
  Promoted = function() return { loop_of():promote() } end,
  RepairCounts = function()
    local fn = loop_of()
    return { fn:repair(fn:loops()[1].header:phis()[1]):rewrite() }
  end,
  Move = function()
    local left, blocks = leaving()
    return left:moves(blocks[1], blocks[2])
  end,
  CriticalEdge = function() return leaving():critical_edges() end,
  Cleaned = function()
    return { loop_of():clean { unreached = true, phis = true, rules = true, dead = true }, {} }
  end,
}

-- What users also make themselves.
local GIVEN <const> = { Dialect = true, Emitter = true }

it("each class of tables that a method gives is tried here", function()
  local is_handle = {}
  for _, method in ipairs(declared.methods) do is_handle[method.class or ""] = true end
  for _, method in ipairs(declared.methods) do
    for _, type in ipairs(method.returns) do
      local class = type:match "phial%.(%w+)"
      local gives = class and not is_handle[class] and declared.own_fields(class)[1]
      assert.truthy(not gives or SOME[class] or GIVEN[class], class)
    end
  end
end)

describe("types/phial.lua declares the fields of", function()
  for class, make in pairs(SOME) do
    it("phial." .. class, function()
      local fields, seen, words = {}, {}, {}
      for _, it in ipairs(declared.own_fields(class)) do fields[it.name] = it end
      for _, it in ipairs(make()) do
        for name in pairs(it) do
          assert.truthy(math.type(name) or fields[name], ("%s is not declared"):format(name))
        end
        for name, field in pairs(fields) do
          if it[name] ~= nil then seen[name] = true end -- some are made when they are read
          words[name] = words[name] or {}
          if next(words_of(field.type)) and it[name] then words[name][it[name]] = true end
          assert.truthy(field.optional or field.type:find "%?$" or it[name] ~= nil,
            name .. " is missing")
        end
      end
      for name, field in pairs(fields) do
        assert.truthy(seen[name], name .. " is declared")
        assert.same(words_of(field.type), words[name])
      end
    end)
  end
end)
