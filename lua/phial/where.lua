-- Places in functions, as errors of compiled functions and of emitters name them.
local callees = require "phial.code.callees"
local global = require "phial.module.global"
local portable = require "phial.portable"

local M = {}

local function loc_text(line, col, file)
  if not line then return "" end
  return (" (%s%d%s)"):format(file and file .. ":" or "", line, col and ":" .. col or "")
end

-- The data of an instruction, with the blank before it: what is called, or has an address, by its
-- name; otherwise only strings.
local function data_text(v)
  local data, is_symbol = v:data(), callees.SYMBOLIC[v:op()]
  if is_symbol and (callees.is_usable(data) or global.is(data)) then data = data:name() end
  if type(data) ~= "string" or is_symbol and data == "" then return "" end
  return is_symbol and " @" .. portable.name(data) or " {" .. portable.quoted(data) .. "}"
end

--- An instruction: "sum: 'sdiv %3, 0' in block 'b' (x:12)".
---@param name string of the function
---@param v phial.Value
---@return string
function M.instruction(name, v)
  local out = {}
  for i, arg in ipairs(v:args()) do out[i] = i <= 3 and tostring(arg) or i == 4 and "..." or nil end
  local text = v:op() .. data_text(v) .. (#out > 0 and " " or "") .. table.concat(out, ", ")
  return ("%s: '%s' in block '%s'%s"):format(name, text, v:block(), loc_text(v:loc()))
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
