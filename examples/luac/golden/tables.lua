-- GETTABLE, GETI, GETFIELD, GETTABUP and their SET forms, SELF
local function get(t, k) return t[k], t[1], t.x, t[300], global end
local function set(t, k, v)
  t[k], t[1], t.x = v, v, v
  t[k], t[1], t.x = 1, "one", nil
  global = v
  global = 2
end
local function method(t, ...) return t:name(1, ...) end
