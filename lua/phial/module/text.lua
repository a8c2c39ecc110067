-- Modules as text; docs/text.md describes it.
local core = require "phial.core"
local global = require "phial.module.global"
local link = require "phial.module.link"
local portable = require "phial.portable"

local M = {}

local name_of = portable.name

-- The text of globals, a line each.
local function globals_text(list, linkage)
  local states = {}
  for i, it in ipairs(list) do states[i] = global.behind(it) end
  return core.globals(states, linkage, global.address_text)
end

-- declare printf(%format: ptr, ...) -> i32
-- Of what is not a function of phial, and of a name that means several, calls can have
-- any arguments and result.
local function outside_text(callee, opts)
  if not callee.fn then return ("declare %s(...) -> any\n"):format(name_of(callee.name)) end
  local text = callee.fn:text(opts)
  if callee.fn:is_declaration() then return text end
  return "declare " .. text:match "^%l* ?fn ([^\n]*) {\n" .. "\n"
end

-- Adds a group of texts, with an empty line before it and, if `between`, between them.
local function add_group(out, texts, between)
  for i, text in ipairs(texts) do
    if i == 1 or between then out[#out + 1] = "\n" end
    out[#out + 1] = text
  end
end

--- The text of a module.
---@param state phial.module.State
---@param opts phial.TextOptions?
---@return string
function M.print(state, opts)
  local others, declarations, functions = link.find_outside(state), {}, {}
  local globals = globals_text(state.globals:all()) .. globals_text(others.globals, "internal")
  for _, fn in ipairs(state.declarations:all()) do
    declarations[#declarations + 1] = fn:text(opts)
  end
  for _, callee in ipairs(others.callees) do
    declarations[#declarations + 1] = outside_text(callee, opts)
  end
  for _, fn in ipairs(state.functions:all()) do functions[#functions + 1] = fn:text(opts) end
  local out = { "module ", name_of(state.name), "\n" }
  if globals ~= "" then add_group(out, { globals }, false) end
  add_group(out, declarations, false)
  add_group(out, functions, true)
  return table.concat(out)
end

-- A list without the functions that cannot be used, about which remarks are added.
local function usable(list, names, remarks)
  local kept = {}
  for _, fn in ipairs(list:all()) do
    local good, why = core.is_usable(fn)
    if good then
      kept[#kept + 1] = fn
    else
      remarks[#remarks + 1] = ("-- function %s is %s\n"):format(name_of(names[fn]), why)
    end
  end
  return { all = function() return kept end }
end

--- The text of a module, which has comments about functions that were closed; never raises an
--- error.
---@param state phial.module.State
---@return string
function M.describe(state)
  local names, remarks, rest = {}, {}, setmetatable({}, { __index = state })
  for name, symbol in pairs(state.symbols) do names[symbol] = name end
  rest.declarations = usable(state.declarations, names, remarks)
  rest.functions = usable(state.functions, names, remarks)
  local ok, text = pcall(M.print, rest)
  if not ok then
    remarks[#remarks + 1] = ("-- %s\n"):format(core.refusal(text) or text)
    text = ("module %s\n"):format(name_of(state.name))
  end
  return #remarks > 0 and text .. "\n" .. table.concat(remarks) or text
end

return M
