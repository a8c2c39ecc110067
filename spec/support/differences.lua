-- Two sets of names, compared: a line for each that only one of them has.

---@param has string[]
---@param where string where these are
---@param wants string[]
---@param elsewhere string where those are
---@return string
return function(has, where, wants, elsewhere)
  local lines, is_wanted = {}, {}
  for _, name in ipairs(wants) do is_wanted[name] = true end
  for _, name in ipairs(has) do
    if not is_wanted[name] then
      lines[#lines + 1] = ("%s of %s is not in %s"):format(name, where, elsewhere)
    end
    is_wanted[name] = nil
  end
  for _, name in ipairs(wants) do
    if is_wanted[name] then
      lines[#lines + 1] = ("%s of %s is not in %s"):format(name, elsewhere, where)
    end
  end
  return table.concat(lines, "\n")
end
