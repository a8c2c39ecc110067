-- What the functions of rules are: of numbers by their bits, the lowest first;
-- of values by what their handles tell. A function of numbers gives nil where
-- it has no value.
local bits = require "spec.oracle.bits"

local M = { numbers = {}, values = {} }

local function ones(a)
  local n = 0
  for _, bit in ipairs(a) do n = n + bit end
  return n
end

-- How many zeros come first, going from bit `from` on.
local function zeros(a, from, step)
  local n = 0
  while a[from + n * step] == 0 do n = n + 1 end
  return n
end

function M.numbers.width(a) return #a end

function M.numbers.log2(a)
  if not bits.is_zero(a) then return #a - 1 - zeros(a, #a, -1) end
end

function M.numbers.pow2(a) return ones(a) == 1 end

function M.numbers.ismask(a)
  local n = ones(a)
  return n > 0 and ones { table.unpack(a, 1, n) } == n
end

function M.numbers.ctz(a) return zeros(a, 1, 1) end
function M.numbers.clz(a) return zeros(a, #a, -1) end
function M.numbers.popcnt(a) return ones(a) end

-- The high half of the product of operands that a bit makes twice as wide.
local function high(a, b, fill)
  local width = #a
  local product = bits.mul(bits.resize(a, 2 * width, fill(a)), bits.resize(b, 2 * width, fill(b)))
  return { table.unpack(product, width + 1) }
end

function M.numbers.umulh(a, b) return high(a, b, function() return 0 end) end
function M.numbers.smulh(a, b) return high(a, b, function(x) return x[#x] end) end

function M.values.uses(v) return v:use_count() end
function M.values.isconst(v) return v:op() == "const" end
function M.values.isphi(v) return v:op() == "phi" end
function M.values.same_block(v, block) return v:block() == block end

-- Of the values in the spec only constants tell a fact; others have facts_spec.lua.
function M.values.nonneg(v) return v:op() == "const" and v:const() >= 0 end
function M.values.nonzero(v) return v:op() == "const" and v:const() ~= 0 end
function M.values.zero_bits(v) return v:op() == "const" and ~v:const() or 0 end

return M
