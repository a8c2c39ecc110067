-- EQ, LT, LE, EQK, EQI, LTI, LEI, GTI, GEI
local function compare(a, b)
  if a == b then return 1 end
  if a < b then return 2 end
  if a <= b then return 3 end
  if a == "k" then return 4 end
  if a == 5 then return 5 end
  if a < 6 then return 6 end
  if a <= 7.0 then return 7 end
  if a > 8 then return 8 end
  if a >= 9 then return 9 end
  if a ~= b then return 10 end
  if 11 > a then return 11 end
end
