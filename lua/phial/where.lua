-- Places in functions, as errors of compiled functions and of emitters name them.
local callees = require "phial.code.callees"
local global = require "phial.module.global"
local portable = require "phial.portable"

local M = {}

local function loc_text(line, col, file)
  if not line then return "" end
  return (" (%s%d%s)"):format(file and file .. ":" or "", line, col and ":" .. col or "")
end

--- What is called, or has an address: "@f"; nil if it has no name.
---@param it any
---@return string?
function M.symbol(it)
  if callees.is_usable(it) or global.is(it) then it = it:name() end
  return type(it) == "string" and it ~= "" and "@" .. portable.name(it) or nil
end

local function data_text(v)
  local data = v:data()
  if callees.SYMBOLIC[v:op()] then
    local symbol = M.symbol(data)
    return symbol and " " .. symbol or ""
  end
  return type(data) == "string" and " {" .. portable.quoted(data) .. "}" or ""
end

local function inst_text(v)
  local out = {}
  for i, arg in ipairs(v:args()) do out[i] = i <= 3 and tostring(arg) or i == 4 and "..." or nil end
  return v:op() .. data_text(v) .. (#out > 0 and " " or "") .. table.concat(out, ", ")
end

--- An instruction: "sum: 'sdiv %3, 0' in block 'b' (x:12)".
---@param name string of the function
---@param v phial.Value
---@return string
function M.instruction(name, v)
  return ("%s: '%s' in block '%s'%s"):format(name, inst_text(v), v:block(), loc_text(v:loc()))
end

--- A block: "sum: block 'b' (x:12)".
---@param name string of the function
---@param block phial.Block
---@param v? phial.Value whose position is named
---@return string
function M.block(name, block, v)
  return ("%s: block '%s'%s"):format(name, block, v and loc_text(v:loc()) or "")
end

return M
