-- the first instruction is the target of a jump, and not the entry
local function wait(ready)
  while not ready() do end
  return ready
end
local function forever() while true do end end
