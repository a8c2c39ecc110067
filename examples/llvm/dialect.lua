-- The ops for what phial does not have: an instruction is its text, in which values are
-- holes. Their types are those of phial for numbers, else "any".
local phial = require "phial"

--- The byte that stands for a value in a text, and for the label of a target.
local VALUE, LABEL = "\1", "\2"

local dialect = phial.dialect("llvm", {
  pure = { args = "*", result = "*", effect = "none" },
  read = { args = "*", result = "*", effect = "read" },
  new = { args = "*", result = "*", effect = "new" },
  value = { args = "*", result = "*" },
  effect = { args = "*" },
  control = { args = "*", targets = "*", terminator = true },
  -- the result of a terminator, which the instruction after it defines
  result = { args = {}, result = "*" },
  -- a constant that phial cannot compute
  constant = { args = {}, result = "*", effect = "none" },
}, {})

return { dialect = dialect, VALUE = VALUE, LABEL = LABEL }
