-- "file:line" of the caller, as messages name it.

---@return string
return function()
  local at = debug.getinfo(2, "Sl")
  return ("%s:%d"):format(at.short_src, at.currentline)
end
