-- Names of LLVM IR: any bytes, quoted where needed, each given once.
local Names = {}
Names.__index = Names

--- A set of names without members.
---@return phial.emit.llvm.Names
function Names.new()
  ---@class phial.emit.llvm.Names
  ---@field taken table<string, true>
  ---@field numbers table<string, integer> the last number that was appended to a name
  return setmetatable({ taken = {}, numbers = {} }, Names)
end

--- Takes a name; if it is taken already, the first of name.1, name.2, ... that is free.
--- LLVM allows no NUL in names.
---@param name string
---@return string
function Names:take(name)
  if name:find("\0", 1, true) then name = name:gsub("%z", "_") end
  local base, number = name, self.numbers[name] or 0
  while self.taken[name] do
    number = number + 1
    name = base .. "." .. number
  end
  self.taken[name], self.numbers[base] = true, number
  return name
end

local ESCAPES = {}
for i = 0, 255 do ESCAPES[string.char(i)] = ("\\%02X"):format(i) end

--- Bytes between quotes, as in names, strings and metadata.
---@param bytes string
---@return string
function Names.escaped(bytes) return (bytes:gsub('[\0-\31"\\\127-\255]', ESCAPES)) end

--- A name without its prefix.
---@param name string
---@return string
function Names.quoted(name)
  if name:find "^[a-zA-Z_.$-][a-zA-Z_0-9.$-]*$" then return name end
  return '"' .. Names.escaped(name) .. '"'
end

return Names
