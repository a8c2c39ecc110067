-- Reads without a definition are reported whatever the option undef makes of them. With
-- copies, values tell them, too: undef that was assigned is a copy.
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"

-- Reads x on two ways of which one has written it, y without any write, and z in
-- dead code.
local function build(undef)
  local fn
  if type(undef) == "function" then
    local answer = undef
    undef = function(var) return answer(var, fn) end
  end
  fn = phial.fn("f", { "c:i1", "n:i64" }, "i64", { undef = undef })
  local x, y, z = fn:var "x", fn:var "y", fn:var "z"
  local then_, join, dead = fn:block "then", fn:block "join", fn:block("dead", 0)
  fn:entry():branch(fn:arg(1), then_, join)
  then_:seal()
  then_:write(x, 1)
  then_:jump(join)
  join:seal()
  dead:ret(dead:read(z))
  join:ret(join:add(join:read(x), join:read(y)))
  return fn
end

local function told(fn)
  local list = {}
  for i, read in ipairs(fn:undefined_reads()) do
    local path = {}
    for k, block in ipairs(read.path) do path[k] = tostring(block) end
    list[i] = ("%s in %s: %s"):format(read.var, read.block, table.concat(path, " -> "))
  end
  return list
end

local EXPECTED = { "x in join: entry -> join", "y in join: entry -> join" }

describe("fn:undefined_reads() with an undef function", function()
  it("tells the reads that it was asked about, before finish and after", function()
    for _, answer in ipairs { "constant", "argument" } do
      local asked = {}
      local fn = build(function(var, f)
        asked[#asked + 1] = var:name()
        return answer == "constant" and 7 or f:arg(2)
      end)
      assert.same(EXPECTED, told(fn))
      fn:finish()
      assert.same(EXPECTED, told(fn))
      assert.same({ "x", "y" }, asked)
    end
  end)

  it("tells the same as without one", function()
    local fn = build "undef"
    assert.same(EXPECTED, told(fn))
    fn:finish()
    assert.same(EXPECTED, told(fn))
  end)

  it("tells the same when the function has been reopened, and nothing was done", function()
    local fn = phial.fn("f", {}, "i64", { rules = false, undef = function() return 7 end })
    fn:entry():ret(fn:entry():read(fn:var "x"))
    fn:finish()
    assert.equal(1, #fn:undefined_reads())
    fn:reopen()
    fn:finish()
    assert.equal(1, #fn:undefined_reads())
  end)

  it("tells the same as without one of random programs", function()
    prop.forall(programs.generate, function(p)
      for _, seal in ipairs { "early", "random", "finish" } do
        local opts = { seal = seal, copies = true }
        local plain = programs.build(p, opts)
        opts.undef = function() return 0 end
        local asked = programs.build(p, opts)
        if seal == "early" then assert.same(told(plain), told(asked)) end
        plain:finish()
        asked:finish()
        assert.same(told(plain), told(asked))
      end
    end)
  end)
end)
