-- LOADI, LOADF, LOADK, LOADNIL, LOADFALSE, LOADTRUE, MOVE
local function loads()
  local i, big, f, g = 7, 1 << 40, 3.0, 0.1
  local s, yes, no = "a\n", true, false
  local n, m, o
  local copy = i
  return i, big, f, g, s, yes, no, n, m, o, copy
end
