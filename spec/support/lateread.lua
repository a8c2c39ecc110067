-- n loops, each in the one before, in which a variable is written at the innermost
-- place; it is read after all of them. So its phis, one for each loop, are one
-- cycle, which two values enter: Algorithm 5 peels two phis off it at a time.
local phial = require "phial"

-- Two blocks that jump to each other, and are entered at both: their phis are
-- redundant. Returns them; the first one is left open.
local function pair(fn, from, exit)
  local fork, p, q = fn:block(), fn:block(), fn:block()
  from:branch(fn:arg(1), fork, exit)
  fork:seal()
  fork:branch(fn:arg(1), p, q)
  q:jump(p)
  return p, q
end

---@param n integer
---@param twisted? boolean with a pair of redundant phis in the loop in the middle
---@return phial.Function fn not finished
---@return phial.Block? p
---@return phial.Block? q the blocks of the pair
return function(n, twisted)
  local fn = phial.fn("late", { "c:i1" }, "i64", { rules = false, where = false })
  local x, b, heads, exits, p, q = fn:var "x", fn:entry(), {}, {}, nil, nil
  b:write(x, 1)
  for i = 1, n do
    heads[i], exits[i] = fn:block(), fn:block()
    b:jump(heads[i])
    local from, inner = heads[i], fn:block()
    if twisted and i == n // 2 then
      p, q = pair(fn, heads[i], exits[i])
      from = p
    end
    from:branch(fn:arg(1), inner, from == p and q or exits[i])
    inner:seal()
    b = inner
  end
  if p then
    p:seal()
    q:seal()
  end
  b:write(x, 2)
  for i = n, 1, -1 do
    b:jump(heads[i])
    heads[i]:seal()
    exits[i]:seal()
    b = exits[i]
  end
  b:ret(x)
  return fn, p, q
end
