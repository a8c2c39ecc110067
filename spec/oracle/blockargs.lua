-- Reads the text of phial.emit.blockargs: makes the text form of it, in which phis have
-- the arguments of all edges that lead to their block.
local M = {}

-- Splits text at commas outside of quotes, parentheses and brackets.
local function split(text)
  local out, depth, from, in_quotes, at = {}, 0, 1, false, 1
  while at <= #text do
    local c = text:sub(at, at)
    if c == "\\" then
      at = at + 1
    elseif c == '"' then
      in_quotes = not in_quotes
    elseif not in_quotes and c:find "[%(%[]" then
      depth = depth + 1
    elseif not in_quotes and c:find "[%)%]]" then
      depth = depth - 1
    elseif not in_quotes and depth == 0 and c == "," then
      out[#out + 1], from = text:sub(from, at - 1), at + 1
    end
    at = at + 1
  end
  out[#out + 1] = text:sub(from)
  for i, it in ipairs(out) do out[i] = it:match "^%s*(.-)%s*$" end
  return text:find "%S" and out or {}
end

-- A target: { name =, args = }.
local function target(text)
  local name, args = text:match "^(.-)(%b())$"
  return { name = name or text, args = args and split(args:sub(2, -2)) or {} }
end

-- By op: the targets in what follows it, and a function of their names that writes the
-- same without arguments.
local read = {}

function read.jump(rest)
  return { target(rest) }, function(names) return names[1] end
end

function read.branch(rest)
  local parts = split(rest)
  return { target(parts[2]), target(parts[3]) },
    function(names) return parts[1] .. ", " .. table.concat(names, ", ") end
end

function read.switch(rest)
  local head, cases = rest:match "^(.*) (%b[])$"
  local parts = split(head)
  local targets, keys = { target(parts[2]) }, {}
  for i, case in ipairs(split(cases:sub(2, -2))) do
    local key, to = case:match "^(.-: )(.*)$"
    keys[i], targets[i + 1] = key, target(to)
  end
  return targets, function(names)
    for i, key in ipairs(keys) do keys[i] = key .. names[i + 1] end
    return ("%s, %s [%s]"):format(parts[1], names[1], table.concat(keys, ", "))
  end
end

-- A terminator of a dialect.
local function read_list(rest)
  local head, list = rest:match "^(.*)(%b[])$"
  local targets = {}
  for i, it in ipairs(split(list:sub(2, -2))) do targets[i] = target(it) end
  return targets, function(names) return head .. "[" .. table.concat(names, ", ") .. "]" end
end

-- The targets of a line, and the line without arguments.
local function terminator(line)
  local op, rest = line:match "^  ([%a_.]+) (.*)$"
  local reader = op and (read[op] or op:find(".", 1, true) and rest:find "%]$" and read_list)
  if not reader then return {}, line end
  local targets, write = reader(rest)
  local names = {}
  for i, it in ipairs(targets) do names[i] = it.name end
  return targets, ("  %s %s"):format(op, write(names))
end

-- The blocks of a text: { name =, params =, lines =, edges = }; edges: to them.
local function blocks_of(text)
  local out, by_name, current = {}, {}, nil
  for line in text:gmatch "[^\n]+" do
    local label = line:match "^(%S.*):$"
    if label then
      local it = target(label)
      current = { name = it.name, params = it.args, lines = {}, edges = {} }
      out[#out + 1], by_name[it.name] = current, current
    elseif current and line ~= "}" then
      table.insert(current.lines, line)
    end
  end
  return out, by_name
end

local function phi_line(block, i)
  local sources = {}
  for k, edge in ipairs(block.edges) do sources[k] = edge.from .. ": " .. edge.args[i] end
  return ("  %s = phi [%s]"):format(block.params[i], table.concat(sources, ", "))
end

--- The text form of a function.
---@param text string of phial.emit.blockargs
---@return string
function M.text(text)
  local blocks, by_name = blocks_of(text)
  for _, block in ipairs(blocks) do
    local last = #block.lines
    local targets, plain = terminator(block.lines[last])
    block.lines[last] = plain
    for _, it in ipairs(targets) do
      local to = assert(by_name[it.name], it.name)
      assert(#it.args == #to.params, "wrong number of arguments to " .. it.name)
      table.insert(to.edges, { from = block.name, args = it.args })
    end
  end
  local entry = blocks[1]
  local head, name, types, result = text:match "^(%l*%s?fn )(.-)(%b())(.-) {\n"
  types = split(types:sub(2, -2))
  local params = table.move(entry.params, 1, #entry.params, 1, {})
  if types[#types] == "..." then params[#types] = "..." end
  assert(#types == #params)
  for i, param in ipairs(entry.params) do
    local name_of, type = param:match "^(.*): (.*)$"
    assert(type == types[i]:match "^%S+")
    params[i] = ("%s: %s"):format(name_of, types[i])
  end
  local out = { ("%s%s(%s)%s {"):format(head, name, table.concat(params, ", "), result) }
  for _, block in ipairs(blocks) do
    local preds = {}
    for i, edge in ipairs(block.edges) do preds[i] = edge.from end
    out[#out + 1] = block.name .. (#preds > 0 and ": <- " .. table.concat(preds, ", ") or ":")
    for i = 1, block ~= entry and #block.params or 0 do out[#out + 1] = phi_line(block, i) end
    table.move(block.lines, 1, #block.lines, #out + 1, out)
  end
  return table.concat(out, "\n") .. "\n}\n"
end

return M
