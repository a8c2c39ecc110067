-- NEWTABLE, SETLIST, with fields, items and open results
local function constructor(...)
  return {}, { 1, 2, x = 3 }, { ... }, { 1, f() }, { f(), f() }
end
