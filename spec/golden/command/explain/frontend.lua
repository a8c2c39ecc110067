-- Positions that a frontend tells, names, an undef function, copies, data.
local phial = require "phial"
local lang = phial.dialect("lang", { show = { args = 1 } })
local fn = phial.fn("main", { "n" }, "i64", { copies = true, undef = function() return 7 end })
local x, y = fn:var "x", fn:var "y"
local entry, set, join = fn:entry(), fn:block "set", fn:block("a b", 3)
local dead = fn:block("dead", 0)
fn:set_loc(1, 4, "prog")
entry:branch(entry:sgt(fn:arg(1), 0), set, join)
set:seal()
fn:set_loc(2)
set:write(x, set:add(fn:arg(1), 1):set_name "sum")
set:jump(join)
dead:jump(join)
fn:set_loc(3, 1)
join:emit(lang.show, join:read(x), { data = "x" })
join:emit(lang.show, join:read(y), { data = {} })
local phi = join:phi { [entry] = 1, [set] = 2 }
fn:set_loc()
join:ret(phi)
fn:finish()
