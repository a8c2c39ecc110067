local function log2(n)
  local k = 0
  repeat
    k = k + 1
    local half = n // 2
    n = half
  until half <= 1
  return k
end
