-- Functions on floats that are not ops of phial, as ops of a dialect.
--
-- They mean what they mean in C (C17, F.10), which LLVM's intrinsics follow: the least of a
-- number and a nan is the number, and of -0.0 and 0.0 either one. A frontend whose language
-- says otherwise, as WebAssembly does, changes the texts here.
local phial = require "phial"

local function op(arity, eval, c, llvm)
  local params = ("double, "):rep(arity):sub(1, -3)
  return {
    args = arity == 1 and { "f64" } or { "f64", "f64" }, result = "f64", pure = true, eval = eval,
    c = function(_, operands, emit)
      emit:declare "#include <math.h>"
      return ("%s = %s(%s);"):format(emit:result(), c, table.concat(operands, ", "))
    end,
    llvm = function(_, operands, emit)
      emit:declare(("declare double @llvm.%s.f64(%s)"):format(llvm, params))
      return ("%s = call double @llvm.%s.f64(double %s)"):format(emit:result(), llvm,
        table.concat(operands, ", double "))
    end,
  }
end

-- Lua's `//` rounds floats down, and keeps nans, infinities and -0.0.
local function floor(x) return x // 1 end
local function ceil(x) return -(-x // 1) end
local function trunc(x) return x < 0 and ceil(x) or floor(x) end

-- From 2^52 on, floats have no fraction: the sum is rounded to an integer, ties to even.
local function nearest(x)
  if not (x > -0x1p52 and x < 0x1p52) then return x end
  local big = x < 0 and -0x1p52 or 0x1p52
  local rounded = x + big - big
  return rounded == 0 and x * 0.0 or rounded
end

local function fmin(a, b)
  if a ~= a or b < a then return b end
  return a
end

local function fmax(a, b)
  if a ~= a or b > a then return b end
  return a
end

return phial.dialect("floats", {
  fmin = op(2, fmin, "fmin", "minnum"),
  fmax = op(2, fmax, "fmax", "maxnum"),
  floor = op(1, floor, "floor", "floor"),
  ceil = op(1, ceil, "ceil", "ceil"),
  trunc = op(1, trunc, "trunc", "trunc"),
  nearest = op(1, nearest, "rint", "rint"),
})
