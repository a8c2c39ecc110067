-- Mistakes: raised at the first frame outside phial, as the C module does it,
-- so that the line is the frontend's, however deep the builder is nested.
local M = {}

local rock = debug.getinfo(1, "S").source:match "^(.*)errors%.lua$"

--- "file:line" of the frontend's call that is under way.
function M.place()
  for level = 2, math.huge do
    local at = debug.getinfo(level, "Sl")
    if not at then return "?" end
    if at.currentline > 0 and at.source:sub(1, #rock) ~= rock then
      return ("%s:%d"):format(at.short_src, at.currentline)
    end
  end
end

--- Raises what string.format makes of its arguments.
function M.raise(format, ...)
  error(M.place() .. ": " .. format:format(...), 0)
end

local KIND = {
  ["nil"] = "nil", table = "a table", ["function"] = "a function", thread = "a thread",
}

--- "phial.Value", "phial.Block", ... of a handle.
function M.class(it)
  local mt = type(it) == "userdata" and getmetatable(it)
  return type(mt) == "table" and mt.__name or nil
end

--- What was found where something else belongs: "i1 '%c'", "1.5", "a table".
function M.got(it)
  local class = M.class(it)
  if class == "phial.Value" then return ("%s '%s'"):format(it:type() or "nothing", it) end
  if class then return "a " .. class end
  if type(it) == "string" then return ("%q"):format(it) end
  return KIND[type(it)] or tostring(it)
end

--- Refuses argument i of a method.
function M.arg(method, i, expected, got, hint)
  M.raise("bad argument #%d to '%s' (%s expected, got %s%s)", i, method, expected, M.got(got),
    hint and ": " .. hint or "")
end

local function is_of(kind, value)
  return kind == true or type(value) == kind or math.type(value) == kind
end

--- Refuses options that are not among those known, or of another type. Gives
--- them as they are: what a metatable would answer does not count.
---@param where string stands before what is wrong with them: "'x': "
---@param opts table
---@param known table<string, string|true> their types; true: any
---@return table
function M.options(where, opts, known)
  local taken = {}
  for name, value in next, opts do
    local kind = known[name]
    taken[name] = value
    if not kind then
      local names = {}
      for other in pairs(known) do names[#names + 1] = other end
      table.sort(names)
      M.raise("%sunknown option '%s'; there are: %s", where, tostring(name),
        table.concat(names, ", "))
    elseif not is_of(kind, value) then
      M.raise("%soption '%s': %s expected, got %s", where, name, kind, M.got(value))
    end
  end
  return taken
end

--- Refuses what is no function.
function M.check_function(method, i, it, hint)
  if type(it) ~= "function" then M.arg(method, i, "function", it, hint) end
end

-- The number of insertions, deletions, replacements and swaps of neighbours
-- that lead from a to b.
local function distance(a, b)
  local before
  local last, row = nil, {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    before, last, row = last, row, { [0] = i }
    for j = 1, #b do
      local same = a:byte(i) == b:byte(j)
      row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same and 0 or 1))
      local swapped = i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j)
      if swapped then row[j] = math.min(row[j], before[j - 2] + 1) end
    end
  end
  return row[#b]
end

--- " (did you mean 'x'?)" when one of a set of names is near, else "".
function M.near(name, names)
  local best, least = nil, math.max(1, #name // 3) + 1
  for other in pairs(names) do
    local far = distance(name, other)
    if far < least or far == least and best and other < best then best, least = other, far end
  end
  return best and (" (did you mean '%s'?)"):format(best) or ""
end

return M
