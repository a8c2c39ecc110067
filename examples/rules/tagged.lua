-- The words of a bytecode interpreter: an odd word is an integer, shifted left by one; any other
-- is an address. What compiled code boxes and unboxes mostly vanishes by rules.
-- usage: lua5.4 tagged.lua [prove]  with `prove`, z3 is asked, too
local phial = require "phial"

-- eval says what an op does to a check, and to a run; smt to a solver; cost what it is worth.
local t = phial.dialect("t", {
  box = { args = { "i64" }, result = "i64", pure = true, cost = 4,
    eval = function(x) return x << 1 | 1 end, smt = "(bvor (bvshl $a $k(1)) $k(1))" },
  unbox = { args = { "i64" }, result = "i64", pure = true, traps = true, cost = 12,
    eval = function(w) return w & 1 == 1 and w // 2 or phial.trap "not an integer" end,
    smt = "trap (= (bvand $a $k(1)) $k(0))\n(bvashr $a $k(1))" },
  is_int = { args = { "i64" }, result = "i1", pure = true, cost = 6,
    eval = function(w) return w & 1 == 1 end, smt = "((_ extract 0 0) $a)" },
})

local LAWS <const> = [[
  is_int_box: t.is_int(t.box(x))      => true
  is_int_or:  t.is_int(_ | C)         => true if C & 1 == 1
  box_unbox:  t.box(t.unbox(w))       => w
  unbox_box:  t.unbox(t.box(x))       => sar(x << 1, 1)
  box_wraps:  t.box(sar(x << 1, 1))   => t.box(x)
  box_neg:    t.box(-sar(x << 1, 1))  => t.box(-x)
  box_add:    t.box(sar(x << 1, 1) + y) => t.box(x + y)
  box_eq:     t.box(x) == t.box(y)    => (x << 1) == (y << 1)
]]
local laws = phial.rules():attach(t):add(LAWS)

-- Almost right: box loses the topmost bit.
local hasty = phial.rules():attach(t):add "unbox_box: t.unbox(t.box(x)) => x"

local function show(_, verdicts) print(table.concat(verdicts, "\n")) end
show(laws:check())
show(hasty:check())
if arg[1] == "prove" then show(laws:prove()) end

-- What an interpreter does for `-(a + b)`, if both are integers: each step unboxes and boxes.
local function expression(set)
  local fn = phial.fn("expression", { "a", "b" }, "i64", { rules = set, dialects = { t } })
  local slow = fn:block "slow"
  fn:set_current(fn:entry())
  local function integer(w)
    local rest = fn:block()
    fn:branch(fn:emit(t.is_int, w), rest, slow)
    rest:seal()
    fn:set_current(rest)
    return fn:emit(t.unbox, w)
  end
  local sum = fn:emit(t.box, fn:add(integer(fn:arg(1)), integer(fn:arg(2))))
  fn:ret(fn:emit(t.box, fn:neg(integer(sum))))
  slow:seal()
  slow:ret(slow:call("slow", "i64", fn:arg(1), fn:arg(2)))
  fn:finish()
  fn:clean { dead = true }
  return fn
end

print(expression(false))
print(expression(phial.rules("int"):attach(t):add(LAWS)))
