--- Makes reads of uninitialised memory visible. LLVM replaces a phi of undef and one other value by
--- that value, and a read before the only write of a constant by that constant, which is right,
--- since undef may be any value, but hides whether "undef" in our version is right. So each alloca
--- in the entry is initialised by a store of what an unknown function returns:
---
---     %x = alloca i32, align 4
---     %witness.1 = call i32 @witness.undef.1()
---     store i32 %witness.1, ptr %x, align 4, !witness !{}
---
--- mem2reg then leaves %witness.1 wherever undef can be read, and folds nothing. The reader takes
--- it for undef, and leaves out the call and, if the alloca is not promoted, the store.

--- The type of an alloca of one element, or nil.
local function allocated(line)
  local type = line:match "^  %S+ = alloca (.-), align %d+" or line:match "^  %S+ = alloca (.*)$"
  return type and not type:find ", i%d+ [%%%d][^,{}]*$" and type or nil
end

--- The text with marks.
---@param text string what clang wrote
---@param pointers "opaque"|"typed"
---@return string
return function(text, pointers)
  local out, makers, in_entry, count = {}, {}, false, 0
  local function maker(type)
    local name = makers[type]
    if not name then
      makers[#makers + 1] = type
      name = "@witness.undef." .. #makers
      makers[type] = name
    end
    return name
  end
  local seen -- an instruction of the function
  for line in text:gmatch "([^\n]*)\n?" do
    out[#out + 1] = line
    if line:find "^define " then
      in_entry, seen = true, false
    elseif in_entry and line:find "^  " then
      seen = true
      local type = allocated(line)
      if type then
        count = count + 1
        local value = "%witness." .. count
        out[#out + 1] = ("  %s = call %s %s()"):format(value, type, maker(type))
        out[#out + 1] = ("  store %s %s, %s %s, !witness !{}"):format(type, value,
          pointers == "typed" and type .. "*" or "ptr", line:match "^  (%S+)")
      end
    elseif seen and line:find "^%S" then
      in_entry = false
    end
  end
  for i, type in ipairs(makers) do
    out[#out + 1] = ("declare %s @witness.undef.%d()"):format(type, i)
  end
  return table.concat(out, "\n") .. "\n"
end
