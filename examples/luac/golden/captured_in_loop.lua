-- each turn has a variable of its own; the register is a variable again after
local function each(list)
  local fns = {}
  for i, v in ipairs(list) do
    local w = v
    fns[i] = function() w = w + 1 return w end
    w = w * 2
  end
  local after = #fns
  after = after + 1
  return fns, after
end
