--- What rows of several topics have in Lua.
local M = {}

-- The operand of an unsigned comparison, for types of 64 bits, whose highest bit is flipped, and
-- for narrow ones; each with a test, if it is a constant, and if not.
local function variants(which)
  local function of(text) return (text:gsub("a", which)) end
  return {
    [true] = { of "a=const", ("$k(%s+(1<<63))"):format(which), of "!a=const",
      ("$%s ~ 0x8000000000000000"):format(which) },
    [false] = { of "a=const,!a<0", "$" .. which, "", ("$~%s & $x((1<<w.a)-1)"):format(which) },
  }
end

local A <const>, B <const> = variants "a", variants "b"

--- The lines of a comparison.
---@param is_unsigned boolean
---@param sign string
---@param behind string? text that follows
---@return string
function M.comparing(is_unsigned, sign, behind)
  behind = behind or ""
  if not is_unsigned then return ("$a %s $b%s"):format(sign, behind) end
  local lines = {}
  for _, is_wide in ipairs { true, false } do
    local a, b = A[is_wide], B[is_wide]
    for i = 1, 3, 2 do
      for k = 1, 3, 2 do
        local tests = { is_wide and "a=i64|ptr" or "!a=i64|ptr", a[i], b[k] }
        lines[#lines + 1] = ("[%s] %s %s %s%s"):format(
          table.concat(tests, ","):gsub(",,", ","):gsub(",$", ""), a[i + 1], sign, b[k + 1], behind)
      end
    end
  end
  return table.concat(lines, "\n")
end

return M
