--- Problems with a program, and the lines of it that they name.
local M = {}

---@class playground.Problem
---@field text string
---@field line? integer
---@field col? integer

--- A problem from a message that begins with a place in the program: "name:12:" or
--- "name:12:5:".
---@param name string
---@param text string
---@return playground.Problem
function M.of(name, text)
  local problem = { text = text }
  if text:sub(1, #name + 1) == name .. ":" then
    local line, col = text:match("^(%d+):(%d*)", #name + 2)
    problem.line, problem.col = math.tointeger(tonumber(line)), math.tointeger(tonumber(col))
  end
  return problem
end

--- Problems from messages.
---@param name string
---@param texts string[]
---@return playground.Problem[]
function M.all(name, texts)
  local list = {}
  for i, text in ipairs(texts) do list[i] = M.of(name, text) end
  return list
end

-- The line of the program that was running.
local function line_of(name)
  local level = 3
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return nil end
    if info.source == "@" .. name then return info.currentline end
    level = level + 1
  end
end

local function has_text(why)
  local meta = getmetatable(why)
  return type(why) == "string" or type(why) == "number" or type(meta) == "table" and meta.__tostring
end

-- What was raised, as text; as the command lua5.4 shows it.
local function shown(why)
  local ok, text = pcall(tostring, why)
  if ok and has_text(why) then return text end
  return ("(error object is a %s value)"):format(type(why))
end

--- Calls a function, which returns problems, and more. What it raises is its only problem,
--- at the line of the program `name` that was running.
---@param name string
---@param f function
---@return playground.Problem[]
---@return any ...
function M.catch(name, f, ...)
  local results = table.pack(xpcall(f, function(why)
    local problem = M.of(name, shown(why))
    problem.line = problem.line or line_of(name)
    return problem
  end, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  -- no handler is called when memory runs out
  local why = results[2]
  return { type(why) == "table" and why or M.of(name, shown(why)) }
end

return M
