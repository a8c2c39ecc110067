-- successive declarations without a value are one instruction
local a, b
local c

--[[ local d ]] local d <close>, e; local f = "local g"
do local k = f
  local
    m,
    n end
local i, function_end <const>, j = f(
  function(o, local_) return [==[
local p]] ]==] end,
  'do\'" function', 0x2e)
function f.g:h() local q = self end
local function r()
  local r, s = 1
  repeat local t until t
end
if f then else while f do local u
local v end end
local w, x <const> = f()
for y
, z in f do end
