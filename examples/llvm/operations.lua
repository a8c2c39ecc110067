-- LLVM's instructions and the ops of phial that mean the same where LLVM's have a meaning.
local M = {}

--- Instructions with two operands of the type of the result.
M.binary = {
  add = "add", sub = "sub", mul = "mul", sdiv = "sdiv", udiv = "udiv", srem = "srem",
  urem = "urem", ["and"] = "band", ["or"] = "bor", xor = "bxor", shl = "shl", lshr = "shr",
  ashr = "sar", fadd = "fadd", fsub = "fsub", fmul = "fmul", fdiv = "fdiv",
}

--- Comparisons, by their predicates. A comparison of floats that is not among them is left
--- as it is.
M.icmp = {
  eq = "eq", ne = "ne", slt = "slt", sle = "sle", sgt = "sgt", sge = "sge", ult = "ult",
  ule = "ule", ugt = "ugt", uge = "uge",
}
M.fcmp = { oeq = "feq", une = "fne", olt = "flt", ole = "fle", ogt = "fgt", oge = "fge" }

--- Conversions between scalars.
M.casts = {
  trunc = "trunc", zext = "zext", sext = "sext", sitofp = "itof", uitofp = "utof",
  fptosi = "ftoi", fptoui = "ftou", bitcast = "bitcast",
}

--- Intrinsics of integers, by what follows "llvm.".
M.intrinsics = {
  smin = "smin", smax = "smax", umin = "umin", umax = "umax", ctpop = "popcnt", ctlz = "clz",
  cttz = "ctz", bswap = "bswap",
}

--- The effects of instructions that are left as they are.
M.effects = {
  getelementptr = "pure", extractvalue = "pure", insertvalue = "pure", extractelement = "pure",
  insertelement = "pure", shufflevector = "pure", icmp = "pure", fcmp = "pure", select = "pure",
  fpext = "pure", fptrunc = "pure", ptrtoint = "pure", inttoptr = "pure", addrspacecast = "pure",
  fneg = "pure", frem = "pure", freeze = "pure",
  alloca = "new", load = "read",
  store = "effect", fence = "effect",
  call = "value", cmpxchg = "value", atomicrmw = "value", va_arg = "value",
  landingpad = "value", catchpad = "value", cleanuppad = "value",
  br = "control", switch = "control", indirectbr = "control", invoke = "control",
  callbr = "control", resume = "control", ret = "control", unreachable = "control",
  catchswitch = "control", catchret = "control", cleanupret = "control",
}
for name in pairs(M.binary) do M.effects[name] = M.effects[name] or "pure" end
for name in pairs(M.casts) do M.effects[name] = M.effects[name] or "pure" end

return M
