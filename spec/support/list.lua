-- What an iterator gives, as a list.
return function(iterator, state, control)
  local out = {}
  for it in iterator, state, control do out[#out + 1] = it end
  return out
end
