-- The classical algorithms: phial.replay with their names, against their definitions and against
-- construction on the fly.
local CLASSICAL = require "spec.support.classical"
local assert = require "spec.support.assert"
local interpret = require "spec.oracle.programs"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local refused = require "spec.support.refused"
local variants = require "spec.support.variants"

local ALL = table.move(CLASSICAL, 1, #CLASSICAL, #variants + 1, { table.unpack(variants) })

-- The trace of a program.
local function traced(p, opts)
  local record
  opts = opts or {}
  opts.started = function(fn) record = phial.record(fn) end
  programs.build(p, opts):finish()
  return record:text()
end

-- The function that the algorithm makes of a trace; or nil and a message.
local function construct(trace, algorithm)
  return phial.replay(trace, { construction = algorithm, dialects = { programs.dialect } })
end

local function constructed(trace, algorithm) return assert(construct(trace, algorithm)) end

-- A random program in which every assignment makes a value.
local function fresh(pick)
  local p = programs.generate(pick, 7)
  for _, block in ipairs(p.blocks) do
    for _, op in ipairs(block) do
      if op.op == "copy" then op.op, op.b = "write", op.a end
    end
  end
  return programs.pruned(p)
end

-- The phis as a set of "block variable"; blocks are numbered as in the program.
local function phis(fn)
  local set = {}
  for b in fn:blocks() do
    for _, phi in ipairs(b:phis()) do set[b:id() .. " " .. phi:var():name()] = true end
  end
  return set
end

--
-- {== Oracles =========================================================
--

-- True if y is in the dominance frontier of x, by its definition.
local function is_in_frontier(y, x)
  if x:dominates(y) and x ~= y then return false end
  for _, pred in ipairs(y:preds()) do
    if x:dominates(pred) then return true end
  end
  return false
end

-- The iterated dominance frontier of some blocks.
local function iterated_frontier(fn, blocks)
  local reached = {}
  local function visit(x)
    for y in fn:blocks() do
      if not reached[y] and is_in_frontier(y, x) then
        reached[y] = true
        visit(y)
      end
    end
  end
  for x in pairs(blocks) do visit(x) end
  return reached
end

-- What Cytron et al. place: "block variable".
local function by_definition(p, fn, wants)
  local set = {}
  for var = 1, p.vars do
    local writers = {}
    for i, block in ipairs(p.blocks) do
      for _, op in ipairs(block) do
        if op.var == var then writers[fn:find("b" .. i) or fn:entry()] = true end
      end
    end
    if wants(var) then
      for y in pairs(iterated_frontier(fn, writers)) do set[y:id() .. " v" .. var] = true end
    end
  end
  return set
end

-- True if some block reads a variable before it writes it.
local function is_global(p, var)
  for _, block in ipairs(p.blocks) do
    local written = false
    for _, op in ipairs(block) do
      if (op.a == var or op.b == var) and not written then return true end
      written = written or op.var == var
    end
    if block.cond == var and not written then return true end
  end
  return false
end

-- }====================================================================

-- The function that the algorithm makes of a trace, and its events in order.
local function watched(trace, algorithm)
  local events, fn = {}, nil
  for step in assert(phial.steps(trace, { construction = algorithm, detail = true,
    dialects = { programs.dialect } })) do
    fn = step.fn
    table.move(step.events, 1, #step.events, #events + 1, events)
  end
  return fn, events
end

-- The same, the events in groups by name.
local function told(trace, algorithm)
  local events, fn, all = { frontier = {}, placed = {} }, watched(trace, algorithm)
  for _, e in ipairs(all) do table.insert(events[e.event] or {}, e) end
  return fn, events
end

-- Follows the stacks of renaming: each read gives the top. Returns the blocks that were entered.
local function follow_stacks(events)
  local stacks, phis_of, path, entered = {}, {}, {}, {}
  local function push(var, id)
    stacks[var] = stacks[var] or {}
    table.insert(stacks[var], id or false)
    table.insert(path[#path].pushed, var)
  end
  local follow = {
    phi = function(e)
      phis_of[e.block] = phis_of[e.block] or {}
      table.insert(phis_of[e.block], { e.var, e.value_id })
    end,
    entered = function(e)
      assert.equal(path[#path] and path[#path].block, e.block:idom())
      path[#path + 1] = { block = e.block, pushed = {} }
      entered[#entered + 1] = e.block
      for _, phi in ipairs(phis_of[e.block] or {}) do push(table.unpack(phi)) end
    end,
    write = function(e) push(e.var, e.value_id) end,
    kill = function(e) push(e.var) end,
    read = function(e)
      local stack = stacks[e.var] or {}
      assert(not stack[#stack] or stack[#stack] == e.value_id)
    end,
    left = function(e)
      local it = table.remove(path)
      assert.equal(it.block, e.block)
      for _, var in ipairs(it.pushed) do table.remove(stacks[var]) end
    end,
  }
  for _, e in ipairs(events) do if follow[e.event] then follow[e.event](e) end end
  assert.equal(0, #path)
  return entered
end

-- Follows the worklist: what was queued last is taken first, and all of it.
local function follow_worklist(events)
  local todo, var = {}, nil
  for i, e in ipairs(events) do
    if e.event == "queued" then
      assert(e.var == var or #todo == 0)
      var, todo[#todo + 1] = e.var, e.block
    elseif e.event == "taken" then
      assert.equal(table.remove(todo), e.block)
      assert.equal(var, e.var)
    elseif e.event == "placed" and events[i + 1].event == "queued" and events[i + 1].var == var then
      assert.equal(e.block, events[i + 1].block)
    end
  end
  assert.equal(0, #todo)
end

describe("details of a classical algorithm", function()
  for _, algorithm in ipairs { "cytron", "briggs", "choi" } do
    it("are frontiers, and why phis are placed: " .. algorithm, function()
      prop.forall(function(pick) return programs.generate(pick, 6) end, function(p)
        local fn, events = told(traced(p), algorithm)
        local frontiers, expected, placed = {}, {}, {}
        for _, e in ipairs(events.frontier) do
          frontiers[e.block:id() .. " " .. e.from:id()] = true
        end
        for x in fn:blocks() do
          for y in fn:blocks() do
            if is_in_frontier(y, x) then expected[y:id() .. " " .. x:id()] = true end
          end
        end
        assert.same(expected, frontiers)
        for _, e in ipairs(events.placed) do
          assert(frontiers[e.block:id() .. " " .. e.from:id()])
          placed[e.block:id() .. " " .. e.var:name()] = true
        end
        assert.same(phis(fn), placed)
      end)
    end)
  end

  for _, algorithm in ipairs(CLASSICAL) do
    it("are the worklist, and the stacks of renaming: " .. algorithm, function()
      prop.forall(function(pick) return programs.generate(pick, 6) end, function(p)
        local fn, events = watched(traced(p), algorithm)
        local blocks = 0
        for _ in fn:blocks() do blocks = blocks + 1 end
        assert.equal(blocks, #follow_stacks(events))
        follow_worklist(events)
      end)
    end)
  end

  it("are none where no frontiers are used", function()
    local _, events = told(traced(fresh(math.random)), "djgraph")
    assert(#events.frontier + #events.placed == 0)
  end)
end)

describe("a function constructed by a classical algorithm", function()
  for _, copies in ipairs { false, true } do
    it("does what the program over variables does" .. (copies and ", copies" or ""), function()
      prop.forall(function(pick)
        return programs[pick(2) == 1 and "generate" or "generate_with_kills"](pick, 6)
      end, function(p)
        local trace, expected = traced(p, { copies = copies }), interpret.variables(p, 40)
        for _, algorithm in ipairs(CLASSICAL) do
          local fn = constructed(trace, algorithm)
          assert(fn:verify())
          assert.same(expected, interpret.ssa(fn, 40), algorithm)
        end
      end)
    end)
  end

  it("is the same as on the fly, operands included: choi", function()
    prop.forall(fresh, function(p)
      local trace = traced(p)
      assert.equal(constructed(trace, "marker"):text { ids = "dense" },
        constructed(trace, "choi"):text { ids = "dense" })
    end)
  end)

  it("has phis at iterated dominance frontiers: cytron, djgraph; briggs", function()
    prop.forall(fresh, function(p)
      local trace = traced(p)
      local cytron = constructed(trace, "cytron")
      assert.same(by_definition(p, cytron, function() return true end), phis(cytron))
      assert.equal(cytron:text { ids = "dense" },
        constructed(trace, "djgraph"):text { ids = "dense" })
      local briggs = constructed(trace, "briggs")
      assert.same(by_definition(p, briggs, function(var) return is_global(p, var) end),
        phis(briggs))
    end)
  end)

  it("is minimal if its control flow is reducible: aycock", function()
    prop.forall(fresh, function(p)
      local trace = traced(p)
      local fn = constructed(trace, "aycock")
      local is_minimal = fn:is_minimal()
      if fn:is_reducible() then assert.is_true(is_minimal) end
      if not is_minimal then fn:clean { phis = true } end
      assert.same(phis(constructed(trace, "briggs")), phis(fn))
    end)
  end)

  it("knows which reads see no definition", function()
    prop.forall(fresh, function(p)
      local trace = traced(p)
      local function undefined(algorithm)
        local set = {}
        for _, read in ipairs(constructed(trace, algorithm):undefined_reads()) do
          set[read.block:id() .. " " .. tostring(read.var)] = true
        end
        return set
      end
      assert.same(undefined "marker", undefined "choi")
      assert.same(undefined "marker", undefined "cytron")
    end)
  end)
end)

--
-- {== Structured programs =============================================
--

-- A random plain trace of structured statements.
local function structured(pick)
  local blocks, VARS = { {} }, 3
  local function line(format, ...) table.insert(blocks[#blocks], format:format(...)) end
  local function open()
    blocks[#blocks + 1] = {}
    return #blocks - 1
  end
  local function access()
    for _ = 1, pick(4) - 1 do
      line(pick(2) == 1 and "r %d" or "w %d", pick(VARS) - 1)
    end
  end
  local function patch(b, format, ...)
    table.insert(blocks[b + 1], format:format(...))
  end
  local sequence
  local statements = {
    access,
    function(depth) -- if or switch
      local head, arms, ends = #blocks - 1, pick(3) + 1, {}
      local targets = {}
      for i = 1, arms do
        targets[i] = open()
        sequence(depth + 1)
        ends[i] = #blocks - 1
      end
      local join = open()
      if arms == 2 and pick(2) == 1 then
        patch(head, "c %d %d", targets[1], targets[2])
      else
        patch(head, "s %d %s", arms, table.concat(targets, " "))
      end
      for _, b in ipairs(ends) do patch(b, "j %d", join) end
    end,
    function(depth) -- while
      local before, head = #blocks - 1, open()
      patch(before, "j %d", head)
      access()
      local body = open()
      sequence(depth + 1)
      patch(#blocks - 1, "j %d", head)
      patch(head, "c %d %d", body, open())
    end,
    function(depth) -- repeat
      local before, head = #blocks - 1, open()
      patch(before, "j %d", head)
      sequence(depth + 1)
      local last = #blocks - 1
      patch(last, "c %d %d", open(), head)
    end,
  }
  function sequence(depth)
    for _ = 1, pick(3) do statements[depth < 4 and pick(4) or 1](depth) end
  end
  access()
  sequence(1)
  line "u"
  line "x"
  local out = { ("F f %d %d"):format(#blocks, VARS) }
  for i, lines in ipairs(blocks) do
    out[#out + 1] = ("b %d\n%s"):format(i - 1, table.concat(lines, "\n"))
  end
  out[#out + 1] = "E\n"
  return table.concat(out, "\n")
end

describe("brandis", function()
  it("places the phis of cytron in structured programs", function()
    prop.forall(structured, function(trace)
      local fn = constructed(trace, "brandis")
      assert.equal(constructed(trace, "cytron"):text { ids = "dense" }, fn:text { ids = "dense" })
    end)
  end)

  it("refuses what is not structured, or does what cytron does", function()
    local others = 0
    prop.forall(fresh, function(p)
      local trace = traced(p)
      local fn, why = construct(trace, "brandis")
      if fn then
        assert.equal(constructed(trace, "cytron"):text { ids = "dense" }, fn:text { ids = "dense" })
      else
        others = others + 1
        assert.matches("^%d+: the control flow of 'random' is not structured, as block '[%w]+' "
          .. "shows", why)
      end
    end)
    assert.is_true(others > 0)
  end)

  it("refuses a loop that is left in the middle", function()
    local fn, why = construct([[
F f 5 1
b 0
j 1
b 1
c 2 4
b 2
c 3 4
b 3
j 1
b 4
x
E
]], "brandis")
    assert.is_nil(fn)
    assert.equal("12: the control flow of 'f' is not structured, as block 'b2' shows: this "
      .. "algorithm needs if, switch, while and repeat without ways out of their middle", why)
  end)
end)

-- }====================================================================

-- A trace with some lines left out, twice, or elsewhere.
local function damaged(pick, trace)
  local lines = {}
  for line in trace:gmatch "[^\n]+" do lines[#lines + 1] = line end
  for _ = 1, pick(3) do
    local from, to = pick(#lines), pick(#lines)
    local line = lines[from]
    if pick(2) == 1 then table.remove(lines, from) end
    table.insert(lines, math.min(to, #lines + 1), line)
  end
  return table.concat(lines, "\n") .. "\n"
end

describe("phial.replay by a classical algorithm", function()
  local TRACE = "F f 1 1\nb 0\nw 0\nr 0\nx\nE\n"

  it("takes a trace or a record, and gives each function", function()
    local one, two = construct(TRACE .. TRACE, "choi")
    assert.equal("f", one:name())
    assert.equal("f", two:name())
    local fn = phial.fn("g", { "x:i64" }, "i64", { rules = false })
    local record = phial.record(fn)
    fn:entry():ret(fn:entry():read(fn:param(1)))
    fn:finish()
    assert.equal(7, construct(record, "cytron")(7))
    assert.same({ nil, (select(2, phial.replay ""))}, { construct("", "cytron") })
  end)

  -- What is written in the loop is what was read there: only cytron and its kin have a phi of it.
  it("takes the read of the block where blocks have read one value", function()
    local trace = [[
      F f 1 0 i64 n:i64
      V x i8
      B
      B
      B
      B
      b 0
      w x 3:i8
      j 1
      b 1
      s 4 4 1 2 3 %1 -1 0 1
      b 3
      r x %136
      w x %136
      j 3
      b 4
      x 0
      b 2
      r x %136
      i %216 i64 sext %136
      x %216
      E
    ]]
    for _, algorithm in ipairs(CLASSICAL) do
      assert(construct(trace, algorithm))
    end
  end)

  it("refuses what it cannot do", function()
    refused(nil, "'phial.replay': option 'construction': marker, simple, scc, "
      .. "operand, cytron, briggs, choi, djgraph, aycock or brandis expected, got \"cytro\"",
      function() construct(TRACE, "cytro") end)
    refused(nil, "'phial.replay': option 'rules': the algorithm 'choi' knows the values of reads "
      .. "only when the function is finished",
      function() phial.replay(TRACE, { construction = "choi", rules = true }) end)
    local unfinished = TRACE:gsub("E\n", "")
    local _, why = construct(unfinished, "choi")
    assert.equal("'f' is not finished: a line E is missing", why)
    _, why = construct(TRACE .. unfinished:gsub("F f", "F g"), "choi")
    assert.equal("'g' is not finished: a line E is missing", why)
    _, why = phial.replay(unfinished, { construction = "choi", file = "f.trace" })
    assert.equal("f.trace: 'f' is not finished: a line E is missing", why)
    assert.is_false(phial.replay(unfinished, { construction = "marker" }):is_finished())
    _, why = construct(TRACE .. "R\n", "choi")
    assert.equal("7: this algorithm cannot continue a finished function", why)
    _, why = construct("F f 1 1\nb 0\nk %1 0 0\nE\n", "choi")
    assert.equal("3: this algorithm makes no phis before the function is finished", why)
  end)

  it("asks for the value of what is undefined", function()
    local trace = "F f 1 0 i64\nV x i64\nU x 5\nb 0\nr x %1\nx %1\nE\n"
    for _, algorithm in ipairs(ALL) do
      assert.equal(5, constructed(trace, algorithm)(), algorithm)
    end
  end)

  -- Where a variable is not read, a trace does not say what it is.
  it("asks for nothing else", function()
    prop.forall(function(pick) return programs.generate(pick, 7) end, function(p)
      local trace = traced(p, { undef = function(var) return 40 + var:id() end })
      local expected = interpret.ssa(constructed(trace, "marker"), 40)
      for _, algorithm in ipairs(ALL) do
        assert.same(expected, interpret.ssa(constructed(trace, algorithm), 40), algorithm)
      end
    end)
  end)

  it("answers damaged traces with a message", function()
    prop.forall(function(pick)
      return { damaged(pick, traced(programs.generate(pick, 4))), pick(#CLASSICAL) }
    end, function(case)
      local ok, fn, why = pcall(construct, case[1], CLASSICAL[case[2]])
      assert.is_true(ok, fn)
      if not fn and why then assert.equal("string", type(why)) end
    end)
  end)
end)

describe("the steps of a classical algorithm", function()
  it("are phis, operands, reads and writes, at the end", function()
    local counts = {}
    local trace = "F f 4 1\nb 0\nw 0\nc 1 2\nb 1\nw 0\nj 3\nb 2\nj 3\nb 3\nr 0\nu\nx\nE\n"
    for step in assert(phial.steps(trace, { construction = "cytron" })) do
      for _, event in ipairs(step.events) do
        local key = (step.text == "E" and "E " or "") .. event.event
        counts[key] = (counts[key] or 0) + 1
      end
    end
    assert.equal(1, counts["E phi"])
    assert.equal(2, counts["E operand"])
    assert.equal(1, counts["E read"])
    assert.equal(2, counts["E write"])
    assert.is_nil(counts.phi)
    assert.is_nil(counts.read)
  end)
end)
