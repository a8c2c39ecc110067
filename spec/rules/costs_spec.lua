-- What a rule saves is weighed by what its ops cost; what may trap is not saved.
local phial = require "phial"

local D = phial.dialect("d", {
  big = { args = { "i64" }, result = "i64", pure = true, cost = 90 },
  small = { args = { "i64" }, result = "i64", pure = true, cost = 15 },
  plain = { args = { "i64" }, result = "i64", pure = true },
})

local function set(text) return phial.rules():attach(D):add(text) end

-- The ops of the instructions in the entry after `build`.
local function ops(rules, build)
  local fn = phial.fn("f", { "x:i64" }, nil, { rules = rules })
  build(fn:entry(), fn:arg(1))
  local list = {}
  for _, v in ipairs(fn:entry():insts()) do list[#list + 1] = v:op() end
  return table.concat(list, " ")
end

describe("a rule whose result has several instructions applies", function()
  it("if these cost less than the one that it replaces", function()
    local R = set "d.big(x) => d.small(d.small(d.small(d.small(x))))"
    assert.equal("d.small d.small d.small d.small", ops(R, function(b, x) b:emit(D.big, x) end))
  end)

  it("if they cost at most that and what becomes redundant", function()
    local R = set "d.plain(d.big(x)) => d.small(d.small(d.small(x)))"
    assert.equal("d.big d.small d.small d.small",
      ops(R, function(b, x) b:emit(D.plain, b:emit(D.big, x)) end))
    assert.equal("d.big add d.plain", ops(R, function(b, x)
      local inner = b:emit(D.big, x)
      b:add(inner, x)
      b:emit(D.plain, inner)
    end))
  end)

  it("if, of phial's ops and those that say nothing, they are no more", function()
    local R = set "d.plain(d.plain(x)) => (x << 1) + 1 @ unoriented"
    assert.equal("d.plain shl add",
      ops(R, function(b, x) b:emit(D.plain, b:emit(D.plain, x)) end))
  end)

  it("not for what may trap, which stays", function()
    local R = phial.rules "x + sdiv(y, x) => ~(x ~ y) @ unoriented"
    local function build(b, x) b:add(x, b:sdiv(5, x)) end
    assert.equal("sdiv add", ops(R, build))
    R:add "x + sdiv(y, x) => ~(x ~ y) @ unoriented, always"
    assert.equal("sdiv bxor bnot", ops(R, build))
  end)
end)

describe("what costs are in the way is told", function()
  local R = set [[
    few:  d.plain(d.big(x)) => d.small(d.small(d.small(x)))
    much: d.plain(d.small(x)) => d.plain(d.big(x + 1)) @ unoriented
  ]]

  it("by R:explain", function()
    local fn = phial.fn("f", { "x:i64" }, nil, { rules = false, dialects = { D } })
    local b = fn:entry()
    local big = b:emit(D.big, fn:arg(1))
    b:add(big, 1)
    assert.equal("d.plain %2:\n  few: its result costs 44 more than the instruction, and what "
      .. "else it makes redundant saves 0 of 90; '@ always' does not count that",
      R:explain(b:emit(D.plain, big), "few"))
  end)

  it("by R:lint, if they always are", function()
    local _, said = R:lint()
    assert.same({ "much: never applies: its result is 3 instructions, which cost more than all "
      .. "that go; '@ always' allows it" }, said)
  end)
end)
