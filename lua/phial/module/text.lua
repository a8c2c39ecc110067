-- Modules as text; docs/text.md describes it.
local portable = require "phial.portable"

local M = {}

local function name_of(name)
  return name:find "^[A-Za-z_][A-Za-z0-9_]*$" and name or portable.quoted(name)
end

local function initial_text(g)
  local value = g:initial()
  if value == nil then return "" end
  if g:type() == "ptr" then
    return " = @" .. name_of(type(value) == "string" and value or value:name())
  end
  return " = " .. (type(value) == "string" and portable.quoted(value) or portable.tostring(value))
end

-- internal global table: bytes 64 align 16 = "..."
local function global_text(g)
  local widest = g:type() and g:size() or 8
  return ("%s%s %s: %s%s%s\n"):format(g:linkage() == "internal" and "internal " or "",
    g:is_constant() and "constant" or "global", name_of(g:name()), g:type() or "bytes " .. g:size(),
    g:align() ~= widest and " align " .. g:align() or "", initial_text(g))
end

-- Adds a group of texts, with an empty line before it and, for functions, between them.
local function add_group(out, list, between, text_of)
  for i, it in ipairs(list) do
    if i == 1 or between then out[#out + 1] = "\n" end
    out[#out + 1] = text_of(it)
  end
end

--- The text of a module.
---@param state phial.module.State
---@param opts phial.TextOptions?
---@return string
function M.print(state, opts)
  local function func_text(fn) return fn:text(opts) end
  local out = { "module ", name_of(state.name), "\n" }
  add_group(out, state.globals, false, global_text)
  add_group(out, state.declarations, false, func_text)
  add_group(out, state.functions, true, func_text)
  return table.concat(out)
end

return M
