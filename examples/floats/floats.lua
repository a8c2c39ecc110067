-- Functions on floats that are not ops of phial, as ops of a dialect, which mean what they mean
-- in C.
local phial = require "phial"

-- An op: eval computes it in Lua; c is its name in C; llvm is what LLVM has for it.
local function op(args, eval, c, llvm)
  return {
    args = args, result = "f64", pure = true, eval = eval,
    c = function(_, operands, emit)
      emit:declare "#include <math.h>"
      return ("%s = %s(%s);"):format(emit:result(), c, table.concat(operands, ", "))
    end,
    llvm = function(_, operands, emit) return llvm(operands, emit) end,
  }
end

-- Ties go away from zero.
local function round(x)
  local whole = x < 0 and -(-x // 1) or x // 1
  if x - whole >= 0.5 then return whole + 1 end
  return x - whole <= -0.5 and whole - 1 or whole
end

return phial.dialect("floats", {
  round = op({ "f64" }, round, "round", function(operands, emit)
    emit:declare "declare double @llvm.round.f64(double)"
    return ("%s = call double @llvm.round.f64(double %s)"):format(emit:result(), operands[1])
  end),
  fmod = op({ "f64", "f64" }, math.fmod, "fmod", function(operands, emit)
    return ("%s = frem double %s, %s"):format(emit:result(), operands[1], operands[2])
  end),
})
