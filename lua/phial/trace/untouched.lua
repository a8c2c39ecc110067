--- Whether a function can still be watched from its beginning.

--- True if the frontend has not used the function. With the option `copies` the entry has a
--- copy per parameter.
---@param fn phial.Function
---@return boolean
return function(fn)
  local blocks, insts = 0, fn:entry():insts()
  for _ in fn:blocks() do blocks = blocks + 1 end
  for _, v in ipairs(insts) do
    if v:op() ~= "copy" or not v:var() then return false end
  end
  return blocks == 1 and #insts <= select("#", fn:params())
end
