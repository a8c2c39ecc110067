--- The ops that say what expressions of Lua compute.
-- A pack is all results of a call, or the extra arguments; as an operand it is the last one.
-- In brackets: the data of an op.
local core = require "phial.core"

local any, i1, pack = "any", "i1", "pack"

local ops = {
  -- what nobody knows: whether a branch is taken, what another function wrote
  unknown = { args = {}, result = any, effect = "read" },
  unknown_test = { args = {}, result = i1, effect = "read" },

  getupval = { args = {}, result = any, effect = "read" }, -- ["_ENV"]
  closure = { args = {}, result = any, effect = "new" }, -- [phial.source.Function]
  tbc = { args = { any } }, -- this value is closed when its scope ends

  newtable = { args = {}, result = any, effect = "new" },
  index = { args = { any, any }, result = any },
  setindex = { args = { any, any, any } },
  setlist = { args = "*" }, -- table, values

  call = { args = "*", result = any }, -- function, arguments; the first result
  callall = { args = "*", result = pack },
  callnone = { args = "*" },
  varargs = { args = {}, result = pack, pure = true },
  item = { args = { pack }, result = any, pure = true }, -- [which]
  ["return"] = { args = "*", terminator = true },

  truthy = { args = { any }, result = i1, pure = true },
  rawequal = { args = { any, any }, result = i1, pure = true }, -- with a constant
  eq = { args = { any, any }, result = i1 },
  lt = { args = { any, any }, result = i1 },
  le = { args = { any, any }, result = i1 },
  boolean = { args = { i1 }, result = any, pure = true },

  ["not"] = { args = { any }, result = any, pure = true },
  unm = { args = { any }, result = any },
  bnot = { args = { any }, result = any },
  len = { args = { any }, result = any },
  -- a numeric loop: true if the number has not passed the limit; number, limit, step
  ["for"] = { args = { any, any, any }, result = i1 },
}
for name in ("add sub mul mod pow div idiv band bor bxor shl shr concat"):gmatch "%a+" do
  ops[name] = { args = { any, any }, result = any }
end

return core.dialect("lua", ops, { pack })
