-- fn:solve: facts of values by sparse evaluation. (examples/analyses/spec/analyses_spec.lua has six
-- analyses, on random functions.)
local assert = require "spec.support.assert"
local flowing = require "spec.support.flowing"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local solving = require "spec.oracle.solving"
local solving_cost = require "spec.support.solving_cost"

local LOOP = [[
fn f(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi [entry: 0, body: %j]
  %c: i1 = slt %i, %n
  branch %c, body, done
body: <- head
  %j: i64 = add %i, 1
  jump head
done: <- head
  ret %i
}]]

local function either(a, b) return a | b end

-- A problem whose facts are sets, as bits; what is given replaces its options.
local function problem(given)
  local it = { bottom = 0, join = either, transfer = {} }
  for name, option in pairs(given or {}) do it[name] = option end
  return it
end

-- The operands' facts together.
local function all(v, fact)
  local sum = 0
  for i = 1, #v:args() do sum = sum | fact(i) end
  return sum
end

describe("fn:solve", function()
  it("computes only what the option 'values' needs, and what functions ask for", function()
    local fn, evaluated = phial.parse(LOOP), {}
    local function note(v, fact)
      evaluated[tostring(v)] = true
      return all(v, fact)
    end
    local transfer = {
      default = note, param = function() return 1 end, const = function() return 2 end,
    }
    local r = fn:solve(problem { values = { fn:find "%j" }, transfer = transfer })
    assert.same({ ["%j"] = true }, evaluated)
    assert.equal(2, r:fact(fn:find "%i"))
    assert.is_true(r:is_taken(fn:find "done"))
    local c = fn:find "%c"
    refused(fn, "bad argument #1 to 'fact' ('%c = slt %i, %n' has no fact: the option 'values' "
      .. "did not need it)", function() r:fact(c) end)
    -- an edge asks for what nobody has listed
    r = fn:solve(problem { values = {}, transfer = transfer, edge = function(from, _, fact)
      return from:terminator():op() ~= "branch" or fact(1) == 3
    end })
    assert.equal(3, r:fact(fn:find "%c"))
    assert.is_true(r:is_taken(fn:find "done"))
    for given, why in pairs {
      [{ values = 1 }] = "option 'values': a list expected, got number",
      [{ values = { 1 } }] = "option 'values': element 1: phial.Value expected, got 1",
      [{ values = {}, direction = "backward" }] = "option 'values': facts flow backward",
    } do
      local ok, message = pcall(fn.solve, fn, problem(given))
      assert.is_false(ok)
      assert.truthy(message:find(why, 1, true), message)
    end
  end)

  it("evaluates what is reached, and evaluates again what has changed", function()
    local fn, evaluated = phial.parse(LOOP), {}
    local function note(v, fact)
      evaluated[#evaluated + 1] = tostring(v)
      return all(v, fact)
    end
    local r = fn:solve(problem { transfer = {
      default = note, param = function() return 1 end, const = function(v)
        return v:const() == 0 and 2 or 4
      end,
    } })
    assert.equal("phial.Solution", tostring(r):match "^[%w.]+")
    assert.same({ "%c", "%j", "%c", "%j" }, evaluated)
    assert.equal(6, r:fact(fn:find "%i"))
    assert.equal(6, r:fact(fn:find "%j"))
    assert.equal(7, r:fact(fn:find "%c"))
    assert.equal(1, r:fact(fn:arg(1)))
    assert.equal(4, r:fact(fn:find("%j"):args()[2]))
  end)

  it("asks for edges until they are taken", function()
    local fn = phial.parse [[
fn f(%n: i64) {
entry:
  switch %n, a [1: a, 2: b, 3: c]
a: <- entry, entry
  ret
b: <- entry
  %x: i64 = add %n, 1
  ret
c: <- entry
  ret
}]]
    local asked = {}
    local r = fn:solve(problem { transfer = { default = function(v)
      return assert(v:op() ~= "add" and 1)
    end }, edge = function(from, to, fact, n)
      asked[#asked + 1] = ("%s %s %d %d"):format(from, to, n, fact(1))
      return n == 2 or n == 4
    end })
    assert.same({ "entry a 1 1", "entry a 2 1", "entry b 3 1", "entry c 4 1" }, asked)
    local entry, a, b, c = fn:entry(), fn:find "a", fn:find "b", fn:find "c"
    assert.same({ true, true, false, true },
      { r:is_taken(entry), r:is_taken(a), r:is_taken(b), r:is_taken(c) })
    assert.is_true(r:is_taken(entry, a))
    assert.is_false(r:is_taken(entry, a, 1))
    assert.is_true(r:is_taken(entry, a, 2))
    assert.is_false(r:is_taken(entry, b))
    assert.equal(0, r:fact(fn:find "%x"))
    refused(nil, "bad argument #2 to 'is_taken' ('a' does not lead to 'b')",
      function() r:is_taken(a, b) end)
    refused(nil, "bad argument #3 to 'is_taken' (3 is not in 1 .. 2)",
      function() r:is_taken(entry, a, 3) end)
  end)

  it("notes which other values a value depends on", function()
    prop.forall(function(pick) return programs.generate(pick, 12) end, function(program)
      local fn = flowing.build(program, flowing.numbers)
      local values = {}
      for v in fn:values() do
        if v:type() then values[#values + 1] = v end
      end
      local it = problem { transfer = { default = function(v, fact)
        local other = values[v:id() * 7 % (#values + 1)]
        return 1 << v:id() % 60 | all(v, fact) | (other and fact(other) or 0)
      end } }
      solving.compare(fn, it, fn:solve(it))
      it.edge = function(_, to, fact, n)
        local other = values[to:id() % (#values + 1)]
        return n == 1 or other and fact(other) & 0x5555555 ~= 0
      end
      solving.compare(fn, it, fn:solve(it))
    end, 60)
  end)

  it("goes backward, from users to operands", function()
    local fn = phial.parse [[
fn f(%a: i64, %b: i64, %c: i1) -> i64 {
entry:
  %x: i64 = select %c, %a, %b
  %y: i64 = mul %x, 3
  branch %c, yes, no
yes: <- entry
  ret %x
no: <- entry
  ret %y
}]]
    local it = problem { direction = "backward", transfer = {
      select = function(v, fact) return 8, fact(v) | 16 end, -- the last one for all others
      default = function(v, fact) return fact(v) end,
      ret = function(v) return #v:block():name() end,
      branch = function() return 32 end,
    } }
    local r = fn:solve(it)
    assert.equal(3 | 2, r:fact(fn:find "%x"))
    assert.equal(2, r:fact(fn:find "%y"))
    assert.equal(3 | 2 | 16, r:fact(fn:arg(1)))
    assert.equal(3 | 2 | 16, r:fact(fn:arg(2)))
    assert.equal(8 | 32, r:fact(fn:arg(3)))
    it.edge = function(_, to) return to:name() == "yes" end
    r = fn:solve(it)
    assert.is_false(r:is_taken(fn:find "no"))
    assert.equal(3, r:fact(fn:find "%x"))
    assert.equal(0, r:fact(fn:find "%y"))
  end)

  it("is the same, backward, as evaluating everything again and again", function()
    prop.forall(function(pick) return programs.generate(pick, 12) end, function(program)
      local fn = flowing.build(program, flowing.numbers)
      local it = problem { direction = "backward", transfer = { default = function(v, fact)
        return fact(v) | 1 << v:id() % 60, fact(v) & 0x555555555555555
      end } }
      solving.compare(fn, it, fn:solve(it))
    end, 60)
  end)

  it("leaves out unreachable blocks that are kept", function()
    local fn = phial.fn("f", { "n" }, "i64", { rules = false })
    local join, dead, other = fn:block "join", fn:block "dead", fn:block "other"
    local v = fn:var "v"
    fn:entry():write(v, 1)
    fn:entry():jump(join)
    dead:let(v, "add", 2, 3)
    dead:branch(dead:slt(v, fn:arg(1)), join, other)
    other:jump(dead)
    join:ret(join:add(v, 1))
    fn:finish { keep_unreachable = true }
    local it = problem { transfer = { default = function(w)
      assert(not w:block() or w:block() == join or w:block() == fn:entry())
      return 1
    end } }
    for _, direction in ipairs { "forward", "backward" } do
      it.direction = direction
      local r = fn:solve(it)
      assert.is_false(r:is_taken(dead))
      assert.is_true(r:is_taken(join))
      for _, w in ipairs(dead:insts()) do assert.equal(0, r:fact(w)) end
    end
  end)

  it("takes ops of dialects, by name or as they are", function()
    local D = phial.dialect("d", { one = { args = {}, result = "i64" } })
    local fn = phial.fn("f", {}, "i64", { dialects = { D } })
    local v = fn:entry():emit(D.one)
    fn:entry():ret(v)
    fn:finish()
    local function one() return 1 end
    assert.equal(1, fn:solve(problem { transfer = { ["d.one"] = one } }):fact(v))
    local function two() return 2 end
    assert.equal(1, fn:solve(problem { transfer = { [D.one] = one, ["e.x"] = two } }):fact(v))
    assert.equal(2, fn:solve(problem { transfer = { default = two, ["e.one"] = one } }):fact(v))
    refused(nil, "bad argument #1 to 'solve' (option 'transfer': unknown op 'd.on': did you mean"
      .. " 'd.one'?)", function() fn:solve(problem { transfer = { ["d.on"] = one } }) end)
  end)

  it("joins the many operands of a phi once for each change", function()
    local fn = phial.fn("f", { "x" }, "i64", { rules = false, where = false })
    local head, done, blocks = fn:block(), fn:block(), {}
    local v = fn:var "v"
    fn:entry():write(v, 0)
    fn:entry():jump(head)
    for i = 1, 2000 do blocks[i] = fn:block() end
    head:switch(fn:arg(1), done, blocks)
    for i, b in ipairs(blocks) do
      b:write(v, i)
      b:jump(head)
    end
    done:ret(v)
    fn:finish()
    local joins = 0
    local r = fn:solve { bottom = -1, transfer = {
      const = function(c) return c:const() end, param = function() return 0 end,
    }, join = function(a, b)
      joins = joins + 1
      return math.max(a, b)
    end }
    assert.equal(2000, r:fact(head:phis()[1]))
    assert.is_true(joins < 2010, joins)
  end)
end)

describe("the facts of fn:solve", function()
  local function counting(given)
    local it = { bottom = -1, join = math.max, transfer = {
      default = function() return 0 end, add = function(_, fact) return fact(1) + 1 end,
    } }
    for name, option in pairs(given) do it[name] = option end
    return it
  end

  it("change at most `limit` times, or are widened", function()
    local fn = phial.parse(LOOP)
    refused(nil, "the fact of '%i = phi 0, %j' has changed 1001 times, at last from 999 to 1000:"
      .. " see the options 'widen' and 'limit'", function() fn:solve(counting {}) end)
    refused(nil, "the fact of '%i = phi 0, %j' has changed 6 times, at last from 4 to 5: see the"
      .. " options 'widen' and 'limit'", function() fn:solve(counting { limit = 5 }) end)
    local widened = {}
    local r = fn:solve(counting { limit = 5, widen = function(old, new)
      widened[#widened + 1] = { old, new }
      return math.huge
    end })
    assert.same({ { 4, 5 } }, widened)
    assert.equal(math.huge, r:fact(fn:find "%j"))
    refused(nil, "the fact of '%i = phi 0, %j' has changed 1006 times, at last from 1004 to 1005:"
      .. " see the options 'widen' and 'limit'",
      function() fn:solve(counting { limit = 5, widen = function(_, new) return new end }) end)
  end)

  it("name the frontend's position in errors", function()
    local fn = phial.parse((LOOP:gsub("(%%i: i64 = phi[^\n]*)", "%1 @ \"a.c\":3:9")))
    refused(nil, "the fact of '%i = phi 0, %j' @ a.c:3:9 has changed 2 times, at last from 0 to 1:"
      .. " see the options 'widen' and 'limit'", function() fn:solve(counting { limit = 1 }) end)
  end)

  it("only ascend", function()
    local fn = phial.parse(LOOP)
    refused(nil, "the fact of '%i = phi 0, %j' does not ascend: it was 7 and became 3, but the join"
      .. " of these is 7",
      function() fn:solve(counting {
        join = function(_, b) return b end,
        transfer = {
          const = function() return 7 end, param = function() return 7 end,
          default = function() return 3 end,
        },
      }) end)
    refused(nil, "the fact of '%i = phi 0, %j' does not ascend: it was 1 and became 0, but the join"
      .. " of these is 1",
      function() fn:solve(counting { limit = 1, widen = function() return 0 end }) end)
  end)

  it("ascend even if a transfer function does not", function()
    local fn, times = phial.parse(LOOP), 0
    local r = fn:solve(counting { transfer = { default = function()
      times = times + 1
      return 100 - times
    end } })
    assert.is_true(times < 20)
    local i, j = fn:find "%i", fn:find "%j"
    assert.equal(r:fact(i), math.max(r:fact(i:args()[1]), r:fact(j)))
  end)

  it("are compared by `equal`, or ==", function()
    local fn, Set = phial.parse(LOOP), {}
    local function set(n) return setmetatable({ n = n }, Set) end
    Set.__eq = function(a, b) return a.n == b.n end
    local it = problem { bottom = set(0), join = function(a, b) return set(a.n | b.n) end,
      transfer = { default = function() return set(3) end } }
    assert.equal(3, fn:solve(it):fact(fn:find "%i").n)
    Set.__eq = nil
    Set.__tostring = function() return "T" end
    refused(nil, "the fact of '%i = phi 0, %j' does not ascend: it was T and became T, but the join"
      .. " of these is T", function() fn:solve(it) end)
    it.equal = function(a, b) return a.n == b.n end
    assert.equal(3, fn:solve(it):fact(fn:find "%i").n)
  end)

  it("are not nil", function()
    local fn = phial.parse(LOOP)
    local function id(v) return v:id() end
    refused(nil, "option 'transfer' returned nil for '%n = param': a fact expected",
      function() fn:solve(problem { transfer = { default = function() end } }) end)
    refused(nil, "option 'join' returned nil for '%i = phi 0, %j': a fact expected",
      function() fn:solve(problem { join = function() end, transfer = { default = id } }) end)
    refused(nil, "option 'transfer' returned nil for '%j = add %i, 1': a fact expected",
      function() fn:solve(problem { direction = "backward", transfer = { default = function(v)
        if v:op() ~= "add" then return 1 end
      end } }) end)
  end)
end)

describe("fn:solve", function()
  local function options(message, given)
    local fn = phial.parse(LOOP)
    refused(nil, "bad argument #1 to 'solve' (" .. message .. ")", function() fn:solve(given) end)
  end

  it("refuses wrong options", function()
    options("table expected, got nil", nil)
    options("option 'bottom': a fact expected: that of a value that is never computed",
      { join = either })
    options("option 'join': a function expected, got nil", { bottom = 0 })
    options("option 'edge': a function expected, got boolean", problem { edge = true })
    options("option 'limit': a positive integer expected", problem { limit = 0 })
    options("option 'limit': a positive integer expected", problem { limit = "3" })
    options("option 'transfer': a table of functions by op expected, got nil",
      { bottom = 0, join = either })
    options("option 'transfer': unknown op 'ad': did you mean 'add'?",
      problem { transfer = { ad = all } })
    options("option 'transfer': a key is not the name of an op", problem { transfer = { all } })
    options("option 'transfer': 'add': a function expected, got number",
      problem { transfer = { add = 1 } })
    options("option 'transfer': phis have no function: the fact of a phi is the join of its"
      .. " operands'", problem { transfer = { phi = all } })
    local fn = phial.parse(LOOP)
    refused(nil, "option 'transfer': no function for op 'slt' of '%c = slt %i, %n', and no "
      .. "'default'", function() fn:solve(problem { transfer = { param = all, const = all } }) end)
  end)

  it("needs a finished function", function()
    local fn = phial.fn("f", {})
    refused(nil, "function 'f' is not finished: it can be solved after fn:finish()",
      function() fn:solve(problem()) end)
  end)

  it("hands on errors with the whole traceback, and forbids to yield", function()
    local fn = phial.parse(LOOP)
    local function failing() error({ "mine" }) end
    local it = problem { transfer = { default = failing } }
    local ok, trace = xpcall(fn.solve, debug.traceback, fn, it)
    assert.is_false(ok)
    assert.same({ "mine" }, trace)
    it.transfer.default = function() error "mine" end
    trace = select(2, xpcall(fn.solve, debug.traceback, fn, it))
    assert.truthy(trace:find("mine.*in function <spec/analysis/solve_spec.lua:%d+>.*'solve'")
      or trace:find("mine.*solve_spec.*solve"), trace)
    it.transfer.default = all
    local function in_coroutine(call)
      local good, result = coroutine.resume(coroutine.create(call))
      return good and result or error(result, 0)
    end
    local function solve() return fn:solve(it) end
    assert.equal("phial.Solution", getmetatable(in_coroutine(solve)).__name)
    it.transfer.default = failing
    assert.same({ false, { "mine" } }, { pcall(in_coroutine, solve) })
    for _, option in ipairs { "transfer", "join", "equal", "edge" } do
      local one = problem { transfer = { default = function(v) return 1 << v:id() end } }
      one[option] = option == "transfer" and { default = coroutine.yield } or coroutine.yield
      refused(nil, ("option '%s' may not yield"):format(option),
        function() return fn:solve(one) end, in_coroutine)
    end
    local facts = { __eq = coroutine.yield }
    local one = problem { transfer = { default = function() return setmetatable({}, facts) end } }
    one.bottom = setmetatable({}, facts)
    refused(nil, "a metamethod of facts may not yield",
      function() return fn:solve(one) end, in_coroutine)
    it.transfer.default = all
    fn:solve(it)
    fn:find("body"):front():add(1, 2) -- nothing is locked
  end)

  it("notices changes of the function by callbacks", function()
    local CHANGED = "function 'f' was changed by a callback of fn:solve, which may only read it"
    local fn = phial.parse(LOOP)
    local function change() return fn:find("body"):front():add(1, 2):id() end
    refused(nil, CHANGED, function() fn:solve(problem { transfer = { default = change } }) end)
    local function id(v) return v:id() end
    refused(nil, CHANGED,
      function() fn:solve(problem { transfer = { default = id }, join = change }) end)
    refused(nil, CHANGED,
      function() fn:solve(problem { transfer = { default = all }, edge = change }) end)
    local function one() return 1 end
    refused(nil, CHANGED,
      function() fn:solve(problem { transfer = { default = one }, equal = change }) end)
    refused(nil, "calling 'solve': function 'f' is closed",
      function() fn:solve(problem { transfer = { default = function() fn:close() end } }) end)
  end)

  it("lets callbacks read the function, and solve", function()
    local fn = phial.parse(LOOP)
    local it = problem { transfer = { default = function() return 1 end } }
    local r = fn:solve(problem { transfer = { default = function(v)
      return fn:solve(it):fact(v) + #fn:rpo() + #fn:entry():live_in()
    end } })
    assert.equal(6, r:fact(fn:find "%j"))
  end)

  it("gives `fact` to a callback for the time of the call", function()
    local fn, kept = phial.parse(LOOP), nil
    local function keep(v, fact)
      kept = fact
      return fact(v)
    end
    fn:solve(problem { transfer = { default = keep } })
    refused(nil, "only the function that fn:solve calls with it can call 'fact', and only then:"
      .. " afterwards, use solution:fact(v)", function() kept(fn:arg(1)) end)
    local function asking(message, ask)
      refused(nil, message, ask,
        function() fn:solve(problem { transfer = { default = function(_, f) ask(f) end } }) end)
    end
    asking("wrong number of arguments to 'phial.fact' (1 expected, got 0)",
      function(fact) fact() end)
    asking("bad argument #1 to 'phial.fact' (1 is not in 1 .. 0)", function(fact) fact(1) end)
    asking("bad argument #1 to 'phial.fact' (phial.Value expected, got a phial.Block)",
      function(fact) fact(fn:entry()) end)
    fn:close()
    refused(nil, "calling 'phial.fact': function 'f' is closed", function() kept(1) end)
  end)

  it("is for the function as it is", function()
    local fn = phial.parse(LOOP)
    local r = fn:solve(problem { transfer = { default = all } })
    fn:find("body"):front():add(1, 2)
    refused(nil, "function 'f' has changed since fn:solve(): call it again",
      function() r:fact(fn:arg(1)) end)
    refused(nil, "function 'f' has changed since fn:solve(): call it again",
      function() r:is_taken(fn:entry()) end)
  end)

  it("frees what it has kept", function()
    local fn = phial.parse(LOOP)
    local weak = setmetatable({}, { __mode = "v" })
    weak.solution = fn:solve(problem { transfer = { default = function()
      local fact = setmetatable({}, { __bor = function(a) return a end })
      weak.fact = fact
      return fact
    end }, equal = function(a, b) return rawequal(a, b) or a ~= 0 and b ~= 0 end })
    assert.is_table(weak.fact)
    collectgarbage()
    collectgarbage()
    assert.is_nil(weak.solution)
    assert.is_nil(weak.fact)
  end)
end)

-- The times of the C code are those of the release: not where it is instrumented.
it("fn:solve takes at most three times as long as a bare loop that calls the same", function()
  if os.getenv "PRELOAD" then return pending "instrumented" end
  local times
  for _ = 1, 4 do
    times = solving_cost(16000, 3)
    if times.solve < 3 * times.barest then return end
  end
  error(("%.2f ms, and %.2f ms"):format(times.solve * 1e3, times.barest * 1e3))
end)
