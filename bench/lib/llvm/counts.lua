--- Instructions of LLVM IR, by opcode, as its text shows them.
local M = {}

--- The numbers of instructions of a text by opcode, `all` of them among these.
---@param text string
---@return table<string, integer>
function M.of(text)
  local counts = { all = 0 }
  for line in text:gmatch "\n  ([^ %]][^\n]*)" do -- cases of a switch are further to the right
    local opcode = line:match "^%S+ = (%a+)" or line:match "^%a+"
    if opcode:find "tail$" then opcode = "call" end
    counts.all = counts.all + 1
    counts[opcode] = (counts[opcode] or 0) + 1
  end
  return counts
end

--- Adds the counts of another text.
---@param sum table<string, integer>
---@param counts table<string, integer>
function M.add(sum, counts)
  for opcode, n in pairs(counts) do sum[opcode] = (sum[opcode] or 0) + n end
end

return M
