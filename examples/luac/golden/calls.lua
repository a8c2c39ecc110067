-- CALL with no, one, several and all results; arguments open or not
local function results(f)
  f()
  local a = f(1)
  local b, c = f(a, 2)
  f(f(b, f()))
  return c, f()
end
local function one(f) return (f()) end
local function tail(f, a) return f(a, f()) end
local function all(f, ...) return f(...) end
