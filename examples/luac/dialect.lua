-- The ops that Lua's bytecode becomes: a dialect of phial.
--
-- Values are of type `any`, except what a test finds out (i1) and a pack: the
-- results of a call, or the extra arguments, when their number is not known.
-- A pack is only ever the last operand.  Whatever can call a metamethod,
-- allocate, or see memory is an effect; what is left is pure.
local phial = require "phial"

local any, i1, pack = "any", "i1", "pack"

-- args, result, and what else; `data` is in brackets.
local ops = {
  -- memory: registers that closures share [register], upvalues [name]
  load = { args = {}, result = any },
  store = { args = { any } },
  getupval = { args = {}, result = any },
  setupval = { args = { any } },
  tbc = { args = { any } }, -- [register] is to be closed
  close = { args = {} }, -- all from [register] on
  closure = { args = {}, result = any }, -- [the name of the function]

  -- tables
  newtable = { args = {}, result = any },
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

  -- the numeric for: its index, limit and step become index, count of turns
  -- left, step, and whether there is one; then index and count become the
  -- next index and count, and whether there is one
  forprep = { args = { any, any, any }, result = any, results = 4 },
  forloop = { args = { any, any, any }, result = any, results = 3 },
}

-- In the order of the numbers that bytecode gives to metamethods, from 6.
local BINARY = "add sub mul mod pow div idiv band bor bxor shl shr"
local binary, event = {}, 6
for name in BINARY:gmatch "%a+" do
  ops[name] = { args = { any, any }, result = any }
  binary[event], event = name, event + 1
end

local dialect = phial.dialect("lua", ops, { pack })

--- The op of each name, and `binary`: those of arithmetic by metamethod.
local M = { dialect = dialect, binary = {} }
for name in pairs(ops) do M[name] = dialect[name] end
for number, name in pairs(binary) do M.binary[number] = dialect[name] end

return M
