-- its range is empty, and inside that of the loop's variable
for i = 1, 3 do local x = f() end
for _, v in g() do
  f(v)
  local a, b = 1, 2
end
for _ = 1, 3 do
  for _ = 1, 3 do local c end
  local d = f()
end
