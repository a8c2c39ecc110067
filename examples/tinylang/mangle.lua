-- Names of symbols in the program: `_t`, then the names on the way to the symbol,
-- from the module on, each after its length: Square.Root is _t6Square4Root.
local M = {}

local function joined(names)
  local parts = { "_t" }
  for _, name in ipairs(names) do parts[#parts + 1] = #name .. name end
  return table.concat(parts)
end

--- The name of a symbol.
---@param symbol tinylang.Symbol
---@return string
function M.name(symbol)
  local names = {}
  local at = symbol
  while at do
    table.insert(names, 1, at.name)
    at = at.owner
  end
  return joined(names)
end

--- The name for a path: `Square.Root`, or a name that is mangled already.
---@param path string
---@return string
function M.path(path)
  if path:find "^_t%d" then return path end
  local names = {}
  for name in path:gmatch "[^.]+" do names[#names + 1] = name end
  return joined(names)
end

--- The path for a mangled name: `_t6Square4Root` is Square.Root; nil if it is none.
---@param mangled string
---@return string?
function M.demangled(mangled)
  local names, at = {}, 3
  if mangled:sub(1, 2) ~= "_t" then return nil end
  while at <= #mangled do
    local length, from = mangled:match("^(%d+)()", at)
    if not length then return nil end
    at = from + tonumber(length)
    names[#names + 1] = mangled:sub(from, at - 1)
  end
  return table.concat(names, ".")
end

return M
