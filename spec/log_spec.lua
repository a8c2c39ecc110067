-- The option `log`: construction told step by step.
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"

local function named(block) return block and (block:name() or "b" .. block:id()) end

local function line(e)
  local words = { e.event, named(e.block) or "-" }
  if e.var then words[#words + 1] = e.var:name() end
  if e.value_id then words[#words + 1] = "%" .. e.value_id end
  if e.index then words[#words + 1] = ("[%d] from %s"):format(e.index, named(e.from)) end
  if e.operand_id then words[#words + 1] = "%" .. e.operand_id end
  if e.by_id then words[#words + 1] = "by %" .. e.by_id end
  return table.concat(words, " ")
end

describe("the log", function()
  it("tells a loop's construction", function()
    local told = {}
    local fn = phial.fn("f", { "n" }, "i64", {
      rules = false, log = function(e) told[#told + 1] = line(e) end,
    })
    local x, n = fn:var "x", fn:params()
    local head, body, done = fn:block "head", fn:block "body", fn:block "done"
    fn:entry():write(x, 0)
    fn:entry():jump(head)
    head:branch(head:slt(head:read(x), head:read(n)), body, done)
    body:seal()
    body:write(x, body:add(body:read(x), 1))
    body:jump(head)
    head:seal()
    done:ret(done:read(x))
    fn:finish()
    assert.same({
      "block head", "block body", "block done",
      "write entry x %2", "filled entry %3",
      "lookup head x", "phi head x %4", "read head x %4",
      "lookup head n", "phi head n %5", "read head n %5",
      "emit head %6", "filled head %7",
      "sealed body",
      "lookup body x", "read body x %4", "emit body %9", "write body x %9", "filled body %10",
      "sealed head",
      "operand head %4 [1] from entry %2", "operand head %4 [2] from body %9",
      "operand head %5 [1] from entry %1", "operand head %5 [2] from body %5",
      "trivial head %5 by %1",
      "lookup done x", "phi done x %11", "read done x %11", "filled done %12",
      "sealed done", "operand done %11 [1] from head %4", "trivial done %11 by %4",
    }, told)
  end)

  it("is enough to construct the function again", function()
    prop.forall(programs.generate, function(p)
      local again = phial.fn("random", {}, nil, {
        rules = false, type = "any", dialects = { programs.dialect },
      })
      local blocks, vars, values = { again:entry() }, {}, {}
      local function value(v)
        if v:op() == "const" then return again:const(v:const(), v:type()) end
        if v:op() == "undef" then return again:undef(v:type()) end
        return values[v:id()]
      end
      local function operands(v)
        local args = v:args()
        for i, arg in ipairs(args) do args[i] = value(arg) end
        return args
      end
      for v = 1, p.vars do vars["v" .. v] = again:var("v" .. v) end
      local function var(of) return vars[of:name()] end
      local step = {}
      function step.block(e) blocks[e.block:id()] = again:block(e.block:name()) end
      function step.sealed(e) blocks[e.block:id()]:seal() end
      function step.write(e) blocks[e.block:id()]:write(var(e.var), value(e.value)) end
      function step.read(e) values[e.value_id] = blocks[e.block:id()]:read(var(e.var)) end
      function step.emit(e)
        local block, args = blocks[e.block:id()], operands(e.value)
        values[e.value_id] = block:emit(e.value:op(), table.unpack(args))
      end
      function step.filled(e)
        local block, args = blocks[e.block:id()], operands(e.value)
        if e.value:op() == "ret" then return block:ret() end
        local targets = e.block:succs()
        for i, target in ipairs(targets) do targets[i] = blocks[target:id()] end
        block:emit(e.value:op(), args[1], targets)
      end
      local fn = programs.build(p, {
        log = function(e) if step[e.event] then step[e.event](e) end end,
      })
      fn:finish()
      assert.equal(fn:text { ids = "dense" }, again:finish():text { ids = "dense" })
    end)
  end)

  it("of a function that fails leaves the construction whole", function()
    local fail = false
    local fn = phial.fn("f", { "n" }, "i64", {
      rules = false, log = function(e)
        if fail and e.event == "filled" then error("no", 0) end
      end,
    })
    local done = fn:block("done", 1)
    fail = true
    assert.has_error(function() fn:entry():jump(done) end, "no")
    fail = false
    assert.is_true(fn:entry():is_filled() and done:is_sealed())
    done:ret(done:read(fn:params()))
    assert(fn:finish():verify())
  end)

  it("cannot change the function, and must be a function", function()
    local fn
    fn = phial.fn("f", {}, nil, { rules = false, log = function() fn:block() end })
    local ok, why = pcall(fn.block, fn)
    assert.is_false(ok)
    assert.truthy(why:find("is busy with a function of yours", 1, true), why)
    assert.has_error(function() phial.fn("f", {}, nil, { log = 1 }) end)
  end)
end)
