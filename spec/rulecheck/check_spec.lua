-- R:check(): the default rules, wrong rules, and mutants of the default rules.
local mutants = require "spec.support.mutants"
local ops = require "spec.support.ops"
local phial = require "phial"
local under = require "spec.support.under"

local function checked(text, functions, opts)
  local ok, list = phial.rules(text, functions):check(opts)
  return ok, table.concat(list, "\n")
end

-- That of `make test`, and all pairs.
local POLICIES = { { div = "ub", shift = "undef" } }
if not under.brief then
  table.move({ { div = "trap", shift = "mod" }, { div = "trap", shift = "zero" },
    { div = "trap", shift = "undef" }, { div = "ub", shift = "mod" },
    { div = "ub", shift = "zero" } }, 1, 5, 2, POLICIES)
end

describe("the rules that phial has", function()
  for _, opts in ipairs(under.valgrind and {} or under.slow and { POLICIES[1] } or POLICIES) do
    opts.strict = true
    it(("hold with division %s, shifts %s"):format(opts.div, opts.shift), function()
      local ok, list = phial.rules "int":check(opts)
      assert.is_true(ok, table.concat(list, "\n"))
      assert.is_true(#list >= #phial.rules("int"):names())
      for _, verdict in ipairs(list) do
        assert.truthy(verdict:find "^[%w_]+: proved$"
          or verdict:find "^[%w_]+: checked, applied in %d+ cases$"
          or verdict:find "^[%w_]+: tested, applied in %d+ cases$"
          or verdict:find "^[%w_]+: tested, applied in %d+ cases, up to the bits of nans$", verdict)
      end
    end)
  end

  it("have nothing odd", function() assert.is_true(phial.rules "int":lint()) end)
end)

describe("a wrong rule", function()
  local wrong = {
    ["mul2: x * 2 == 0 => x == 0"] = "mul2: wrong at i8: x=-128: 1 -> 0",
    ["a: x + 1 > x => true"] = "a: wrong at i8: x=127: 0 -> 1",
    ["a: x >= C => x > C - 1"] = "a: wrong at i8: x=@, C=-128: 1 -> 0",
    ["a: sar(shl(x, A), A) => x"] = "a: wrong at i8: x=@, A=@: @ -> @",
    ["a: sdiv(x, C) => sar(x, log2(C)) if pow2(C)"] = "a: wrong at i8: x=@, C=@: @ -> @",
    ["a: (x & C) == C => x == C"] = "a: wrong at i8: x=@, C=@: 1 -> 0",
    ["a: sdiv(x, 1) => x"] = "a: wrong at i1: x=1: a trap -> 1",
    ["a: x + x => x << 1"] = "a: wrong at i1: x=1: 0 -> 1",
    ["a: x * C => x if C == 1 or isphi(x)"] = "a: wrong at i8: x=@, C=@: @ -> @",
    ["a: fadd(x, 0.0) => x"] = "a: wrong at f@: x=-0.0: 0.0 -> -0.0",
    ["a: (x & 65535) == 200 => x == 200"] = "a: wrong at i@: x=@: 1 -> 0",
    ["a: x + 3000 > 3000 => x > 0"] = "a: wrong at i@: x=@: 0 -> 1",
    ["a: feq(x, x) => true"] = "a: wrong at f@: x=nan: 0 -> 1",
    ["a: branch(~c, T, F) => branch(c, T, F)"] = "a: wrong at i1: c=0: T -> F",
    ["a: x - 0 => x + sdiv(x, x) @ unoriented"] = "a: wrong at i8: x=0: 0 -> a trap",
  }

  -- Where '@' stands for a number.
  local function pattern(message)
    return "^" .. message:gsub("[%-.]", "%%%0"):gsub("@", "%%-?%%d+") .. "$"
  end

  for text, message in pairs(wrong) do
    it(text, function()
      local ok, problems = checked(text)
      assert.is_nil(ok)
      assert.matches(pattern(message), problems)
    end)
  end

  it("is shown by a case that is given", function()
    local text = "a: (x:i64 ~ y) * 6364136223846793005 == 81985529216486895 => false"
    local case = { x = 302631269884957451, y = 0, z = 1.5, [1] = {} }
    assert.is_true(checked(text))
    local ok, problems = checked(text, nil, { samples = { { y = true, x = 1.5 }, case } })
    assert.is_nil(ok)
    assert.equal("a: wrong at i64: x=302631269884957451, y=0: 1 -> 0", problems)
  end)

  it("depends on what a shift by too much is", function()
    assert.is_true(checked "a: x + x => x << 1 if width(x) > 1")
    assert.is_true(checked("a: x + x => x << 1", nil, { shift = "zero" }))
    local _, problems = checked("a: x + x => x << 1", nil, { shift = "undef" })
    assert.equal("a: wrong at i1: x=0: 0 -> undefined", problems)
  end)

  it("depends on what a trap allows", function()
    assert.is_nil(checked "a: udiv(x, x) => 1")
    assert.is_true(checked("a: udiv(x, x) => 1", nil, { div = "ub" }))
    assert.is_nil(checked("a: x & 0 => udiv(x, x) & 0 @ unoriented", nil, { div = "ub" }))
  end)

  it("with a wide literal shows at wide types", function()
    local _, problems = checked "a: x & 255 => x"
    assert.matches("^a: wrong at i16: x=%-?%d+: %d+ %-> %-?%d+$", problems)
  end)
end)

describe("a function", function()
  local POW2 = "pow: udiv(x, C) => $shift(x, C) if $pow2(C)"
  local function pow2(C) return C > 0 and C & (C - 1) == 0 end
  local function log2(C) return C > 1 and 1 + log2(C >> 1) or 0 end

  it("of a guard is called with constants", function()
    assert.is_true(checked("a: udiv(x, C) => shr(x, log2(C)) if $f(C)", { f = pow2 }))
    local function always() return true end
    assert.is_nil(checked("a: udiv(x, C) => shr(x, log2(C)) if $f(C)", { f = always }))
  end)

  it("that makes a result is checked by what it makes", function()
    local ok, remarks = checked(POW2, {
      pow2 = pow2, shift = function(b, x, C) return b:shr(x, log2(C)) end,
    })
    assert.is_true(ok)
    assert.matches("^pow: tested, applied in %d+ cases$", remarks)
    local _, problems = checked(POW2, {
      pow2 = pow2, shift = function(b, x, C) return b:sar(x, log2(C)) end,
    })
    assert.matches("^pow: wrong at i%d+: x=%-%d+, C=%d+: %d+ %-> %-%d+$", problems)
  end)

  it("may fail: that is raised, with the rule's name", function()
    local R = phial.rules("a: x + C => x if $f(C)", { f = function() error("no", 0) end }, "mine")
    assert.has_error(function() R:check() end, "rule 'a' (mine:1): no")
    local S = phial.rules("a: x + C => $f(x)", { f = function() error("no", 0) end }, "mine")
    assert.has_error(function() S:check() end, "rule 'a' (mine:1): no")
    assert.has_error(function() S:check() end, "rule 'a' (mine:1): no")
  end)

  it("cannot use the set that is checked", function()
    local R
    R = phial.rules("a: x + C => x if $f(C)", { f = function() R:add "b: x + 1 => x" end })
    assert.error_matches(function() R:check() end, "the rules are busy$")
    local function close() getmetatable(R).__gc(R) end
    R = phial.rules("a: x + C => x if $f(C)", { f = close })
    assert.has_no_error(function() R:check() end)
  end)
end)

it("R:check refuses widths that are no numbers", function()
  assert.error_matches(function() phial.rules():check { width = "99" } end,
    "bad argument #1 to 'check' %(option 'width': 1 to 12 expected, got \"99\"%)$")
end)

describe("mutants", function()
  local function is_float(rule)
    for _, op in ipairs(ops.with("f:ff", "f:f", "b:ff")) do
      if rule:find("%f[%w]" .. op .. "%f[%W]") then return true end
    end
  end

  -- The further lines of a rule begin with a blank.
  local function rules()
    local out = {}
    for line in phial.rules "int":text():gmatch "[^\n]+" do
      if line:find "^%s" then
        out[#out] = out[#out] .. "\n" .. line
      else
        out[#out + 1] = line
      end
    end
    return out
  end

  local function shuffled()
    local out, seen = {}, {}
    for _, rule in ipairs(rules()) do
      local name, body = rule:match "^([%w_]+):%s+(.*)$"
      if not is_float(body) then
        seen[body] = true
        for _, mutant in ipairs(mutants.of(body)) do
          if not seen[mutant] then out[#out + 1] = name .. ": " .. mutant .. " @ unoriented" end
          seen[mutant] = true
        end
      end
    end
    for i = #out, 2, -1 do
      local j = math.random(i)
      out[i], out[j] = out[j], out[i]
    end
    return out
  end

  -- The first n that are valid rules.
  local function sets(n)
    local out = {}
    for _, text in ipairs(shuffled()) do
      local ok, R = pcall(phial.rules, text)
      if ok then out[#out + 1] = { rules = R, text = text } end
      if #out == n then break end
    end
    return out
  end

  -- Three variables of 8 bits have 16 million values: all are tried if RUNS asks for
  -- a long run, else all of up to 18 bits.
  local RUNS = tonumber(os.getenv "RUNS") or os.getenv "LONG" and 1200 or under.brief and 25 or 400
  local LIMIT = os.getenv "RUNS" and 24 or 18

  it("that are wrong are found, what survives is right", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    local survive = 0
    local all = sets(math.min(RUNS, 1200))
    for _, mutant in ipairs(all) do
      if mutant.rules:check() then
        survive = survive + 1
        local ok, problems = mutant.rules:check { width = 8, limit = LIMIT, cases = 20000 }
        assert.is_true(ok, mutant.text .. "\n" .. table.concat(problems, "\n"))
      end
    end
    -- A share of a handful says nothing.
    assert.is_true(#all < 100 or survive < #all // 5)
  end)
end)
