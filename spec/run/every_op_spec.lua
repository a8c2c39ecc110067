-- A row of op.def is not all that an op needs. What is missing of one is said
-- here, with the file where it belongs.
local arithmetic = require "spec.support.arithmetic"
local c = require("phial.rows").of("c", require("phial.emit.c.calls").rows)
local forms = require "spec.support.forms"
local llvm = require("phial.rows").of("llvm", require("phial.emit.llvm.calls").rows)
local lua = require("phial.rows").of("lua", require("phial.emit.lua.flow").rows)
local ops = require "spec.support.ops"
local phial = require "phial"
local semantics = require "spec.oracle.semantics"
local smt = require("phial.rows").of("smt", {})
local tables = require "tools.tables"
local under = require "spec.support.under"

local RUNS = tonumber(os.getenv "RUNS") or under.brief and 50 or 200

-- The number of edge values of an integer type.
local FEW = RUNS < 100 and 2 or nil

-- What an op lacks, each with the file where it belongs.

local function lacks_oracle(row)
  if not semantics.knows(row.name) then return "an oracle in spec/oracle/semantics.lua" end
end

-- The file of rows for an op, by its class; others are about memory.
local TOPICS <const> = { arith = "integers", sized = "integers", lshift = "integers",
  rshift = "integers", compare = "comparisons", ucompare = "comparisons",
  fcompare = "comparisons", select = "comparisons", other = "memory", offset = "memory" }

local function lacks_column(row, rows, column)
  if rows[row.name] then return nil end
  return ("%s in lua/phial/rows/%s.lua"):format(column, TOPICS[row.class] or "floats")
end

local function lacks_llvm(row) return lacks_column(row, llvm, "its llvm") end
local function lacks_c(row) return lacks_column(row, c, "its c") end
local function lacks_lua(row) return lacks_column(row, lua, "its lua") end
local function lacks_smt(row) return lacks_column(row, smt, "its smt") end

-- For the checker of rules it computes nothing then: no rule with it applies.
local function lacks_evaluation(row)
  local args = table.concat({ "x", "y", "z" }, ", ", 1, #row.signature - 2)
  local tree = ("%s(%s)%s"):format(row.name, args, ops.is_cast(row.name) and ":T" or "")
  local ok, problems = phial.rules(("a: %s => %s @ unoriented"):format(tree, tree)):check()
  if not ok then return "what it computes in src/core/ir/opeval.c: " .. problems[1] end
end

describe("every op", function()
  for _, row in ipairs(ops.all) do
    it(("is complete: %s"):format(row.name), function()
      local missing = {}
      for _, lacks in ipairs {
        lacks_evaluation, lacks_lua, lacks_llvm, lacks_c, lacks_smt, lacks_oracle,
      } do
        missing[#missing + 1] = lacks(row)
      end
      assert(#missing == 0, ("'%s' lacks %s"):format(row.name, table.concat(missing, "; ")))
    end)

    it(("does at every type what it means: %s"):format(row.name), function()
      math.randomseed(1)
      for _, case in ipairs(forms.cases(row, math.max(3, RUNS // 16), nil, FEW)) do
        forms.check(case, case.fn)
      end
    end)
  end
end)

-- Digit by digit: few values are enough to find an error.
it("the root of a constant is that of the machine", function()
  math.randomseed(1)
  local fn = phial.fn "roots"
  for i = 1, 10 * RUNS do
    local bits = math.random(0) & math.maxinteger
    if i % 4 == 0 then bits = bits & 0xfffffffffffff end -- subnormal
    local x = string.unpack("<d", string.pack("<i8", bits))
    for _, type in ipairs { "f64", "f32" } do
      local a = type == "f64" and x or string.unpack("<f", string.pack("<f", x))
      local root = fn:entry():fsqrt(fn:const(a, type)):const()
      local expected = semantics.op("fsqrt", { type = type }, a)
      assert(root == expected or x ~= x, ("of %a: %a"):format(a, root))
    end
  end
end)

describe("a row of op.def", function()
  it("has a text, unless it is 'none'", function()
    for _, row in ipairs(phial.ops()) do assert.not_equal("", row.text, row.name) end
  end)

  it("computes what the function of rules does that has its name", function()
    math.randomseed(1)
    for _, f in ipairs(tables.functions()) do
      for _, type in ipairs(ops.row[f.name] and { "i8", "i16", "i32", "i64" } or {}) do
        local rules = phial.rules(("(x + A) - B => x ~ %s(%s) @ unoriented"):format(f.name,
          table.concat({ "A", "B" }, ", ", 1, f.count)))
        local fn = phial.fn("f", { "x:" .. type }, nil, { rules = rules })
        for _ = 1, RUNS do
          local values = {}
          for i = 1, 2 do values[i] = fn:const(arithmetic.constant(math.random, type), type) end
          local b = fn:entry()
          local found = b:sub(b:add(fn:arg(1), values[1]), values[2]):args()
          local folded = b:emit(f.name, table.unpack(values, 1, f.count))
          assert(found[1] == folded or found[2] == folded, f.name)
        end
      end
    end
  end)

  it("names a swapped op that names it", function()
    for _, row in ipairs(phial.ops()) do
      assert.equal(row.swapped and row.name, row.swapped and ops.row[row.swapped].swapped, row.name)
      assert.equal(row.commutative, row.swapped == row.name or nil, row.name)
    end
  end)

  it("has two operands of one type if they can be exchanged", function()
    for _, row in ipairs(phial.ops()) do
      if row.swapped then assert.matches("^%a:(%a)%1$", row.signature, nil, nil, row.name) end
    end
  end)

  it("has the signature of its class", function()
    local signatures = {
      arith = "^t:tt?$", sized = "^[tw]:[tw]t?$", lshift = "^t:tt$", rshift = "^t:tt$",
      compare = "^b:[et][et]$", ucompare = "^b:ee$", farith = "^f:ff?$", fcompare = "^b:ff$",
      select = "^x:bxx$", narrow = "^I:i$", widen = "^I:i$", tofloat = "^G:i$", toint = "^I:g$",
      fwiden = "^G:g$", fnarrow = "^G:g$",
      bitcast = "^X:v$", offset = "^p:pn$",
    }
    for _, row in ipairs(phial.ops()) do
      if row.class ~= "other" then assert.matches(signatures[row.class], row.signature) end
    end
  end)

  it("weighs something if it computes: rules can have it", function()
    for _, row in ipairs(ops.all) do assert(row.weight > 0, row.name) end
  end)
end)
