-- `a and b or c` tests b, but b is never nil
local function pad(text, odd)
  text = odd and text or text .. " "
  return text
end
-- either x or why
local x, why = f()
if not x and why then return why end
x.y = 1
-- what follows depends on what was nil
local name = f()
local rank = ranks[name and name.rank or "none"]
if rank > ranks.none then print(name.x) end
if is_good(name) then print(name.x) end
-- these do not return
local z = f()
if not z then lapp.error "no z" end
z.x = 1
local u = f()
if not u then self:fatal "no u" end
u.x = 1
local function stop(reason)
  print(reason)
  error(reason)
end
local w = f()
if not w then stop "no w" end
w.x = 1
-- nobody has asked
local v = f()
v.x = 1
return pad
