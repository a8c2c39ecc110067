-- The ops into which Lua's bytecode is translated: a dialect of phial.
--
-- Values are of type `any`, except the results of tests (i1) and packs: a pack is
-- the results of a call, or the extra arguments, if their number is not known.
-- A pack is always the last operand.  What can call a metamethod or changes memory
-- has the effect "write" (the default), what looks at memory "read", what allocates
-- "new"; the others are pure.
local phial = require "phial"

local any, i1, pack = "any", "i1", "pack"

-- args, result, further properties; `data` is noted in brackets.
local ops = {
  -- memory: registers that closures share [register], upvalues [name]
  load = { args = {}, result = any, effect = "read" },
  store = { args = { any } },
  getupval = { args = {}, result = any, effect = "read" },
  setupval = { args = { any } },
  tbc = { args = { any } }, -- [register] is a to-be-closed variable
  close = { args = {} }, -- closes all from [register] on
  closure = { args = {}, result = any, effect = "new" }, -- [the name of the function]

  -- tables
  newtable = { args = {}, result = any, effect = "new" },
  index = { args = { any, any }, result = any },
  setindex = { args = { any, any, any } },
  setlist = { args = "*" }, -- table, values: to [first] and what follows

  -- calls: function, arguments
  call = { args = "*", result = any },
  callall = { args = "*", result = pack },
  callnone = { args = "*" },
  varargs = { args = {}, result = pack, pure = true },
  item = { args = { pack }, result = any, pure = true }, -- [which]
  ["return"] = { args = "*", terminator = true },
  tailcall = { args = "*", terminator = true },

  -- tests, all i1
  truthy = { args = { any }, result = i1, pure = true },
  rawequal = { args = { any, any }, result = i1, pure = true },
  eq = { args = { any, any }, result = i1 },
  lt = { args = { any, any }, result = i1 },
  le = { args = { any, any }, result = i1 },

  -- operators
  ["not"] = { args = { any }, result = any, pure = true },
  unm = { args = { any }, result = any },
  bnot = { args = { any }, result = any },
  len = { args = { any }, result = any },
  concat = { args = "*", result = any },

  -- the numeric for: forprep takes index, limit and step, and gives index, number
  -- of turns left, step, and whether a turn follows; forloop takes index, number
  -- and step, and gives the next index and number, and whether a turn follows
  forprep = { args = { any, any, any }, result = any, results = 4 },
  forloop = { args = { any, any, any }, result = any, results = 3 },
}

-- In the order of the metamethods' numbers in bytecode, from 6.
local BINARY = "add sub mul mod pow div idiv band bor bxor shl shr"
local binary, event = {}, 6
for name in BINARY:gmatch "%a+" do
  ops[name] = { args = { any, any }, result = any }
  binary[event], event = name, event + 1
end

local dialect = phial.dialect("lua", ops, { pack })

--- The op of each name; `binary`: arithmetic ops by the number of the metamethod.
local M = { dialect = dialect, binary = {} }
for name in pairs(ops) do M[name] = dialect[name] end
for number, name in pairs(binary) do M.binary[number] = dialect[name] end

return M
