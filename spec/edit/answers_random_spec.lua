-- Answers of analyses are kept until an edit may change them: after random edits of all kinds they
-- are those of the function's text, read anew, and those of a function that forgets them.
local draws = require "spec.support.draws"
local keeping = require "spec.support.keeping"
local list = require "spec.support.list"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"

-- {== Answers ===========================================================

local function sorted(things)
  local names = {}
  for i, it in ipairs(things) do names[i] = tostring(it) end
  table.sort(names)
  return table.concat(names, " ")
end

-- What depends on blocks and edges alone, said of these blocks; default: of all.
local function of_flow(fn, blocks)
  local is_told, order, lines = {}, {}, {}
  blocks = blocks or list(fn:blocks())
  for _, b in ipairs(blocks) do is_told[b] = true end
  for _, b in ipairs(fn:rpo()) do order[#order + 1] = is_told[b] and tostring(b) or nil end
  for _, b in ipairs(blocks) do
    local over = {}
    for _, other in ipairs(blocks) do over[#over + 1] = b:dominates(other) and other or nil end
    lines[#lines + 1] = ("%s: reached %s, idom %s, depth %d, header %s, over %s"):format(b,
      b:is_reachable(), b:idom(), b:loop_depth(), b:loop_header(), sorted(over))
  end
  for _, loop in ipairs(fn:loops()) do
    lines[#lines + 1] = ("%s: loop, reducible %s, blocks %s"):format(loop.header, loop.reducible,
      sorted(loop.blocks))
  end
  table.sort(lines)
  return table.concat(order, " ") .. "\n" .. table.concat(lines, "\n")
end

-- What depends on phis and instructions, too.
local function of_code(blocks)
  local lines = {}
  for _, b in ipairs(blocks) do
    lines[#lines + 1] = ("%s: in %s, out %s"):format(b, sorted(b:live_in()), sorted(b:live_out()))
    for i, v in ipairs(b:insts()) do
      lines[#lines + 1] = ("%s: across %d %s"):format(b, i, sorted(v:live_across()))
    end
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

-- What the text does not say.
local function of_rest(fn)
  local lines = {}
  for _, access in ipairs(fn:read_accesses()) do
    local writes, may_be_none = access:writes()
    lines[#lines + 1] = ("read of %s: %s"):format(access:value(), may_be_none)
    for _, write in ipairs(writes) do lines[#lines + 1] = write:id() end
  end
  if not fn:verify() then return table.concat(lines, "\n") end
  local d = fn:leave()
  fn:entry():loop_depth() -- an answer of another kind leaves this one alone
  for v in fn:values() do
    if d:location(v) then lines[#lines + 1] = ("%s: at %d"):format(v, d:location(v)) end
  end
  return table.concat(lines, "\n")
end

-- Compares what is kept with what is found anew; unless unreachable blocks have numbers, also in
-- the function's text.
local function check(fn, what)
  local blocks = list(fn:blocks())
  local flow, code, rest = of_flow(fn, blocks), of_code(blocks), of_rest(fn)
  local again = not fn:keeps_unreachable()
    and phial.parse(fn:text(), { dialects = { programs.dialect } })
  if again then
    assert.equal(of_flow(again), flow, what)
    assert.equal(of_code(list(again:blocks())), code, what)
  end
  local extra, order = fn:block(), fn:rpo() -- changes no answer about others
  assert.equal(fn:keeps_unreachable() and extra or nil, order[#blocks + 1], what)
  assert.equal(of_flow(fn, blocks), flow, what)
  assert.equal(of_code(blocks), code, what)
  assert.equal(of_rest(fn), rest, what)
end

-- }== Edits =============================================================

local edits = {}

local function some(things, draw) return things[draw(#things)] end

local function some_block(fn, draw) return some(list(fn:blocks()), draw) end

local function some_inst(fn, draw) return some(some_block(fn, draw):insts(), draw) end

-- A value of an instruction or phi, or nil.
local function some_value(fn, draw)
  local b = some_block(fn, draw)
  local v = some(table.move(b:insts(), 1, #b:insts(), #b:phis() + 1, b:phis()), draw)
  return v:type() and v
end

-- A block other than the entry, and values for its phis.
local function some_target(fn, draw)
  local blocks, values = list(fn:blocks()), {}
  local to = blocks[draw(#blocks - 1) + 1]
  for _, phi in ipairs(to and to:phis() or {}) do values[phi] = fn:undef "any" end
  return to, values
end

function edits.insert(fn, draw)
  some_inst(fn, draw):before():emit("rnd.mix", fn:undef "any", fn:const(draw(5), "any"))
end

function edits.use(fn, draw)
  local v = some_value(fn, draw)
  if v then some_inst(fn, draw):before():emit("rnd.use", v) end
end

function edits.phi(fn, draw)
  local b, inputs = some_block(fn, draw), {}
  if #b:preds() == 0 then return end
  for _, pred in ipairs(b:preds()) do inputs[pred] = fn:const(draw(3), "any") end
  b:front():phi(inputs)
end

function edits.replace(fn, draw)
  local v = some_value(fn, draw)
  if v then v:replace(fn:const(draw(5), "any")) end
end

function edits.set_arg(fn, draw)
  local v, w = some_inst(fn, draw), some_value(fn, draw)
  if #v:args() > 0 and v ~= w and v:op():find "^rnd" then v:set_arg(1, w or fn:const(1, "any")) end
end

function edits.erase(fn, draw)
  local v = some_inst(fn, draw)
  if v ~= v:block():terminator() and v:use_count() == 0 then v:erase() end
end

function edits.move(fn, draw)
  local v, w = some_inst(fn, draw), some_inst(fn, draw)
  if v ~= w and v ~= v:block():terminator() then v:move_before(w) end
end

function edits.name(fn, draw)
  local v = some_value(fn, draw)
  if v then v:set_name("n" .. draw(3)) end
end

function edits.locate(fn, draw) some_inst(fn, draw):set_loc(draw(100)) end

function edits.retarget(fn, draw)
  local b, to, values = some_block(fn, draw), some_target(fn, draw)
  local old = some(b:succs(), draw)
  if old and to and old ~= to then b:retarget(old, to, values) end
end

function edits.add_edge(fn, draw)
  local b, to, values = some_block(fn, draw), some_target(fn, draw)
  local op = b:terminator():op()
  if not to or op ~= "rnd.fork" and op ~= "jump" then return end
  b:add_edge(to, op == "jump" and fn:const(draw(2) == 1, "i1") or nil, values)
end

function edits.remove_edge(fn, draw)
  local b = some_block(fn, draw)
  local to = some(b:succs(), draw)
  if to then b:remove_edge(to, 1) end
end

function edits.split_edge(fn, draw)
  local b = some_block(fn, draw)
  local to = some(b:succs(), draw)
  if to then b:split_edge(to, 1) end
end

function edits.merge(fn, draw)
  local b = some_block(fn, draw)
  if b:can_merge() then b:merge() end
end

function edits.block(fn, draw)
  local to, values = some_target(fn, draw)
  local b = fn:block()
  if to then b:back():jump(to, values) end
end

-- New terminators: also one of the same targets in another order, and one that is decided.
function edits.ret(fn, draw) some_block(fn, draw):back():ret() end

function edits.reverse(fn, draw)
  local b = some_block(fn, draw)
  local succs, targets, phis = b:succs(), {}, {}
  if b:terminator():op() ~= "rnd.fork" then return end
  for i, succ in ipairs(succs) do
    targets[#succs + 1 - i] = succ
    for _, phi in ipairs(succ:phis()) do phis[phi] = fn:undef "any" end
  end
  targets.phis = phis
  b:back():emit("rnd.fork", fn:undef "any", targets)
end

function edits.decided(fn, draw)
  local b, yes, values = some_block(fn, draw), some_target(fn, draw)
  local no, others = some_target(fn, draw)
  for phi, v in pairs(others) do values[phi] = v end
  if yes then b:back():branch(fn:const(draw(2) == 1, "i1"), yes, no, values) end
end

function edits.copy(fn, draw)
  if #list(fn:blocks()) < 12 then
    pcall(fn.copy_into, fn, some_inst(fn, draw):before(), fn:params())
  end
end

for _, part in ipairs { "unreached", "phis", "rules", "dead" } do
  edits[part] = function(fn)
    if not fn:verify() then fn:clean { phis = true } end
    if fn:verify() then fn:clean { [part] = true } end
  end
end

function edits.leave(fn)
  if fn:verify() then fn:leave { split = true } end
end

function edits.promote(fn) fn:promote() end

function edits.reopen(fn, draw)
  fn:reopen()
  local b = fn:block "again"
  b:write(fn:var "again", draw(9))
  b:emit("rnd.use", b:read(fn:var "again"))
  if draw(2) == 1 then b:ret() else b:jump(b) end
  fn:finish { verify = false }
end

for _, name in ipairs(keeping.names) do
  edits["keeping " .. name] = function(fn, draw)
    if fn:verify() then keeping[name](fn, draw) end
  end
end

local names, done = {}, {}
for name in pairs(edits) do names[#names + 1] = name end
table.sort(names)

-- Some edits are refused.
local function edit(fn, draw)
  local name = some(names, draw)
  local ok, why = pcall(edits[name], fn, draw)
  done[name] = done[name] or ok
  if not ok then assert.is_nil(why:match "attempt to .*", name) end
  return name
end

-- }== The properties ====================================================

describe("answers of analyses", function()
  for _, keeps in ipairs { false, true } do
    it("are new after each edit" .. (keeps and ", with unreachable blocks" or ""), function()
      prop.forall(draws.cases(40, 6), function(case)
        local fn = programs.build(case.program, { keep_unreachable = keeps, accesses = true })
        fn:finish()
        local draw, goes_on = draws.of(case)
        check(fn, "finish")
        while goes_on() do check(fn, edit(fn, draw)) end
      end)
    end)
  end

  it("are asked after edits of all kinds", function()
    if os.getenv "SEED" or os.getenv "RUNS" then return pending "other cases were asked for" end
    for _, name in ipairs(names) do assert.is_true(done[name], name) end
  end)

  it("are new when a terminator has its targets in another order", function()
    local fn = phial.parse [[
      fn f(%c: i1) {
      entry:
        branch %c, a, b
      a: <- entry
        ret
      b: <- entry
        ret
      }]]
    local entry, a, b = fn:entry(), fn:find "a", fn:find "b"
    assert.same({ entry, a, b }, fn:rpo())
    entry:back():branch(fn:arg(1), b, a)
    assert.same({ entry, b, a }, fn:rpo())
  end)

  it("are new when an edge takes the place of one that was removed", function()
    local fn = phial.parse [[
      fn f(%n: i64) {
      entry:
        switch %n, a [1: b, 2: c]
      a: <- entry
        ret
      b: <- entry
        ret
      c: <- entry
        ret
      }]]
    local entry, c = fn:entry(), fn:find "c"
    assert.equal(4, #fn:rpo())
    entry:remove_edge(c)
    assert.is_nil(c:idom())
    entry:add_edge(c, 3)
    assert.equal(entry, c:idom())
    assert.equal(4, #fn:rpo())
  end)

  it("are new when finish joins edges that were split for refinements", function()
    local fn = phial.fn("f", { "x", "c:i1" }, "i64", { rules = false })
    local x, c = table.unpack(fn:params())
    local yes, no, join = fn:block(nil, 1), fn:block(nil, 2), fn:block "join"
    fn:entry():branch(c, yes, no)
    yes:branch(c, join, no, { refine = { x }, split = true })
    no:jump(join)
    join:seal()
    assert.is_true(#fn:rpo() > 4)
    join:ret(0)
    fn:finish()
    assert.equal(4, #fn:rpo())
  end)

  it("are new when unreachable blocks are no longer kept", function()
    local fn = phial.fn("f", {}, nil, { keep_unreachable = true })
    local dead = fn:block()
    fn:entry():ret()
    dead:ret()
    fn:finish()
    assert.same({ fn:entry(), dead }, fn:rpo())
    fn:reopen()
    assert.same({ fn:entry(), dead }, fn:rpo())
    fn:finish { keep_unreachable = false }
    assert.same({ fn:entry() }, fn:rpo())
  end)

  it("are new while a function is built", function()
    prop.forall(draws.cases(1), function(case)
      local fn
      -- until a block is sealed, it may yet be reached
      local function told(it) return (of_flow(it):gsub("reached %a+, ", "")) end
      local function look()
        local again = assert(phial.parse(fn:text(), { dialects = { programs.dialect } }))
        assert.equal(told(again), told(fn))
      end
      programs.build(case.program, { seal = "random", started = function(it) fn = it end,
        filled = look })
      fn:finish { verify = false }
      look()
    end)
  end)
end)

-- }======================================================================
