local function concat(a, b)
  return "<" .. a .. b .. 1 .. ">"
end
