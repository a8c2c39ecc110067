-- TFORPREP, TFORCALL, TFORLOOP
local function keys(t)
  local last
  for k in next, t do last = k end
  for k, v, w in pairs(t) do
    if v == w then goto continue end
    last = k
    ::continue::
  end
  return last
end
