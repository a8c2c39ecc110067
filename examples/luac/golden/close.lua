-- TBC, CLOSE, and RETURN that closes
local function closing(open, n)
  local file <close> = open(n)
  do
    local other <close> = open(n + 1)
    if n == 0 then return 1 end
  end
  local limit <const> = n * 2
  return limit, file:read()
end
