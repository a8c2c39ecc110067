-- Random edits of edges in any order, against a model of edges and operands
-- (spec/oracle/edges.lua).
local assert = require "spec.support.assert"
local draws = require "spec.support.draws"
local edges_of = require "spec.oracle.edges"
local list = require "spec.support.list"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local read = require("spec.support.parsed").read

-- A block other than the entry, and values for its phis.
local function some_target(fn, draw)
  local blocks = list(fn:blocks())
  local to = blocks[draw(#blocks - 1) + 1] or blocks[1]
  local values = {}
  for _, phi in ipairs(to:phis()) do
    values[phi] = draw(2) == 1 and fn:undef "any" or fn:const(draw(5), "any")
  end
  return to, values
end

local edits = {}

function edits.retarget(fn, model, b, draw)
  local to, values = some_target(fn, draw)
  local old = model.succs[b][draw(#model.succs[b])]
  if not old or old.to == to or to == fn:entry() then return end
  local edges = {}
  for i, edge in ipairs(model.succs[b]) do
    edges[i] = edge.to == old.to and { from = b, to = to, args = values } or edge
  end
  b:retarget(old.to, to, values)
  edges_of.change(model, b, edges)
end

function edits.add(fn, model, b, draw)
  local to, values = some_target(fn, draw)
  local op = b:terminator():op()
  if to == fn:entry() or op ~= "rnd.fork" and op ~= "jump" then return end
  local edges = table.move(model.succs[b], 1, #model.succs[b], 1, {})
  table.insert(edges, op == "jump" and 1 or #edges + 1, { from = b, to = to, args = values })
  b:add_edge(to, op == "jump" or nil, values)
  edges_of.change(model, b, edges)
end

-- One of the edges of a list, if there are any: it, which one to its block it is, and its place.
local function drawn(edges, draw)
  local i, nth = draw(#edges), 0
  local edge = edges[i]
  for k = 1, edge and i or 0 do if edges[k].to == edge.to then nth = nth + 1 end end
  return edge, nth, i
end

function edits.remove(_, model, b, draw)
  local edge, nth, i = drawn(model.succs[b], draw)
  if not edge then return end
  local edges = table.move(model.succs[b], 1, #model.succs[b], 1, {})
  table.remove(edges, i)
  b:remove_edge(edge.to, nth)
  edges_of.change(model, b, edges)
end

function edits.split(_, model, b, draw)
  local edge, nth = drawn(model.succs[b], draw)
  if not edge then return end
  local middle = b:split_edge(edge.to, nth)
  local rest = { from = middle, to = edge.to, args = edge.args }
  local preds = model.preds[edge.to]
  for k, pred in ipairs(preds) do if pred == edge then preds[k] = rest end end
  edge.to, edge.args = middle, {}
  model.succs[middle], model.preds[middle] = { rest }, { edge }
end

function edits.merge(_, model, b)
  local edge = model.succs[b][1]
  local to = edge and edge.to
  if not to or b:terminator():op() ~= "jump" or to == b or #model.preds[to] > 1 then return end
  b:merge()
  model.succs[b], model.succs[to], model.preds[to] = model.succs[to], nil, nil
  for _, after in ipairs(model.succs[b]) do after.from = b end
end

-- Copies the function into itself, unless an edit has left a use without a definition: edges keep
-- their order, and blocks that return, in reverse postorder, lead to what follows the cursor.
function edits.copy(fn, model, b, draw)
  local order, insts, old, twins = fn:rpo(), b:insts(), {}, {}
  if #order > 8 then return end
  for p in fn:blocks() do old[p] = { succs = model.succs[p], preds = model.preds[p] } end
  local ok, entry, rest, _, map = pcall(fn.copy_into, fn, insts[draw(#insts)]:before(), fn:params())
  if not ok then return assert(entry:find("no path from the entry defines", 1, true), entry) end
  for _, p in ipairs(order) do
    model.succs[map[p]] = {}
    for i, edge in ipairs(old[p].succs) do
      local args = {}
      for phi, v in pairs(edge.args) do
        if map[phi] then args[map[phi]] = map[v:now()] or v end -- it is not merged
      end
      twins[edge] = { from = map[p], to = map[edge.to], args = args }
      model.succs[map[p]][i] = twins[edge]
    end
  end
  model.preds[rest], model.succs[rest] = {}, model.succs[b]
  for _, p in ipairs(order) do
    local preds = {}
    for _, edge in ipairs(old[p].preds) do preds[#preds + 1] = twins[edge] end
    model.preds[map[p]] = preds
    if map[p]:succs()[1] == rest then
      model.succs[map[p]] = { { from = map[p], to = rest, args = {} } }
      table.insert(model.preds[rest], model.succs[map[p]][1])
    end
  end
  for _, edge in ipairs(model.succs[rest]) do edge.from = rest end
  local first = { from = b, to = entry, args = {} }
  model.succs[b], model.preds[entry] = { first }, { first }
end

function edits.anew(fn, model, b, draw)
  local targets, all, edges, matched = {}, {}, {}, {}
  for k = 1, draw(4) - 1 do
    local to, values = some_target(fn, draw)
    if to == fn:entry() then return end
    targets[k] = to
    for _, edge in ipairs(model.succs[b]) do
      if not edges[k] and edge.to == to and not matched[edge] then
        edges[k], matched[edge] = edge, true
      end
    end
    if not edges[k] then
      for phi, value in pairs(values) do all[phi] = all[phi] or value end
      edges[k] = { from = b, to = to, args = all }
    end
  end
  targets.phis = all
  b:back():emit("rnd.fork", fn:undef "any", targets)
  edges_of.change(model, b, edges)
end

-- True except for problems that an edit may leave to later ones.
local function is_structural(problem)
  return not (problem:find("is not on every path there", 1, true)
    or problem:find " is trivial$" or problem:find " is redundant: ")
end

local function check(fn)
  local _, problems = fn:verify()
  for _, problem in ipairs(problems or {}) do
    assert.is_false(is_structural(problem), problem)
  end
  for v in fn:values() do v:use_count() end
  local text = fn:text()
  local again = assert(phial.parse(text, { dialects = { programs.dialect } }))
  assert.equal(text, again:text())
  assert.equal(edges_of.text(edges_of.read(fn), fn), edges_of.text(edges_of.read(again), again))
end

describe("edges", function()
  local names = { "add", "anew", "copy", "merge", "remove", "retarget", "split" }

  it("and operands are what each edit says", function()
    prop.forall(draws.cases(100), function(case)
      local fn = programs.build(case.program):finish()
      local model, draw, goes_on = edges_of.read(fn), draws.of(case)
      while goes_on() do
        local blocks = list(fn:blocks())
        local name = names[draw(#names)]
        edits[name](fn, model, blocks[draw(#blocks)], draw)
        assert.equal(edges_of.text(model, fn), edges_of.text(edges_of.read(fn), fn), name)
        check(fn)
      end
    end)
  end)

  -- The order of edges is restored when it is next read.
  local looks = {}

  function looks.edges(fn) return edges_of.read(fn), fn end

  function looks.text(fn)
    local again = assert(phial.parse(fn:text(), { dialects = { programs.dialect } }))
    return edges_of.read(again), again
  end

  function looks.verify(fn)
    fn:verify()
    return edges_of.read(fn), fn
  end

  function looks.uses(fn)
    for v in fn:values() do v:use_count() end
    return edges_of.read(fn), fn
  end

  for name, look in pairs(looks) do
    it("are so when nobody has looked in between: by " .. name, function()
      prop.forall(draws.cases(100), function(case)
        local fn = programs.build(case.program):finish()
        local model, draw, goes_on = edges_of.read(fn), draws.of(case)
        if draw(2) == 1 then looks.uses(fn) end
        while goes_on() do
          local blocks = list(fn:blocks())
          edits[names[draw(#names)]](fn, model, blocks[draw(#blocks)], draw)
        end
        local expected = edges_of.text(model, fn)
        assert.equal(expected, edges_of.text(look(fn)))
        check(fn)
      end)
    end)
  end

  it("are so in a block that is looked at, and later in the others", function()
    prop.forall(draws.cases(100), function(case)
      local fn = programs.build(case.program):finish()
      local model, draw, goes_on = edges_of.read(fn), draws.of(case)
      while goes_on() do
        local blocks = list(fn:blocks())
        edits[names[draw(#names)]](fn, model, blocks[draw(#blocks)], draw)
        blocks = list(fn:blocks())
        local b, preds, succs = blocks[draw(#blocks)], {}, {}
        for k, edge in ipairs(model.preds[b]) do preds[k] = edge.from end
        for k, edge in ipairs(model.succs[b]) do succs[k] = edge.to end
        if draw(2) == 1 then
          assert.same(succs, b:succs())
        else
          for _, phi in ipairs(b:phis()) do
            local args = {}
            for k, edge in ipairs(model.preds[b]) do args[k] = edge.args[phi] end
            assert.same(args, phi:args())
          end
          assert.same(preds, b:preds())
        end
      end
      assert.equal(edges_of.text(model, fn), edges_of.text(edges_of.read(fn), fn))
      check(fn)
    end)
  end)

  it("can go in any order, and what is left is well-formed", function()
    prop.forall(draws.cases(100), function(case)
      local fn = programs.build(case.program):finish()
      local draw, goes_on = draws.of(case)
      while goes_on() do
        local blocks = list(fn:blocks())
        edits.remove(fn, edges_of.read(fn), blocks[draw(#blocks)], draw)
        if draw(3) == 1 then fn:clean { unreached = true } end
        if not fn:verify() then fn:clean { phis = true } end
        assert(fn:verify())
      end
      assert.is_true((fn:is_minimal()))
    end)
  end)

  it("of a switch keep their keys", function()
    local SWITCH = [[
      fn f(%n: i64, %c: i1) -> i64 {
      entry:
        switch %n, a [1: a, 2: b, 3: a]
      a: <- entry, entry, entry
        %4: i64 = phi x [entry: 0, entry: 10, entry: 30]
        ret %4
      b: <- entry
        ret 20
      }]]
    prop.forall(draws.cases(100), function(case)
      local fn, _, b = read(SWITCH)
      local model, draw, goes_on = edges_of.read(fn), draws.of(case)
      local targets = { b.a, b.b }
      while goes_on() do
        local last = b.entry:terminator()
        local keys, succs = last:args(), b.entry:succs()
        local expected, key = {}, draw(9)
        if last:op() ~= "switch" then return end
        for i = 2, #keys do expected[keys[i]:const()] = succs[i] end
        if expected[key] then
          local i, nth = 2, 0
          while keys[i]:const() ~= key do i = i + 1 end
          for k = 1, i do if succs[k] == succs[i] then nth = nth + 1 end end
          b.entry:remove_edge(succs[i], nth)
          local edges = table.move(model.succs[b.entry], 1, #succs, 1, {})
          table.remove(edges, i)
          edges_of.change(model, b.entry, edges)
          expected[key] = nil
        else
          local to, values = targets[draw(2)], {}
          for _, phi in ipairs(to:phis()) do values[phi] = key end
          b.entry:add_edge(to, key, values)
          local edges = table.move(model.succs[b.entry], 1, #succs, 1, {})
          edges[#edges + 1] = { from = b.entry, to = to, args = values }
          edges_of.change(model, b.entry, edges)
          expected[key] = to
        end
        if draw(2) == 1 then
          assert.equal(edges_of.text(model, fn), edges_of.text(edges_of.read(fn), fn))
        end
        keys, succs = b.entry:terminator():args(), b.entry:succs()
        local found = {}
        for i = 2, #keys do found[keys[i]:const()] = succs[i] end
        assert.same(expected, found)
        assert.equal(#keys, #succs)
        check(fn)
      end
    end)
  end)
end)
