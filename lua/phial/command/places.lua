--- Where in a text the functions, blocks and instructions are that messages name.
local M = {}

---@class phial.command.Places
---@field line integer
---@field blocks table<string, {line: integer, lines: {[1]: integer, [2]: string}[]}>

--- Reads where functions and blocks are.
---@param text string in the text form
---@return table<string, phial.command.Places> by function
function M.read(text)
  local list, its, block, number = {}, nil, nil, 0
  for line in text:gmatch "([^\n]*)\n?" do
    number = number + 1
    local name, label = line:match "^%s*fn%s+([^%s(]+)", line:match "^([^%s:%%]+):"
    if name then
      its, block = { line = number, blocks = {} }, nil
      list[name] = list[name] or its
    elseif its and label then
      block = { line = number, lines = {} }
      its.blocks[label] = its.blocks[label] or block
    elseif block then
      table.insert(block.lines, { number, line })
    end
  end
  return list
end

-- The line of an instruction as messages write it, "%5 = add %6, 1"; nil if no line has it.
local function line_of(block, inst)
  local result, rest = inst:match "^(%%%S+) = (.*)$"
  rest = (rest or inst):gsub(", %.%.%.$", ""):gsub('^call {"([^"]*)"}', "call @%1")
  for _, it in ipairs(block.lines) do
    local number, line = it[1], it[2]
    if line:find(rest, 1, true) and (not result or line:match "^%s*(%%[^%s:]+)" == result) then
      return number
    end
  end
end

--- The line that a message is about: of the instruction or block that it names, or that of the
--- function.
---@param its phial.command.Places
---@param message string
---@return integer
function M.line(its, message)
  local inst, within = message:match "'([^']*)' in block '([^']*)'"
  local block = its.blocks[within or message:match "block '([^']*)'"]
  if not block then return its.line end
  return inst and line_of(block, inst) or block.line
end

return M
