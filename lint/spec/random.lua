-- Random Lua programs whose local variables are nil, false or tables, and are tested and
-- indexed.  `bit()` decides what cannot be known; without bits, loops end.
local M = {}

local VARS = { "a", "b", "c" }
local TESTS = {
  "bit()", "bit()", "%s", "not %s", "%s == nil", "%s ~= nil", "type(%s) == 'table'",
  "type(%s) ~= 'nil'", "%s and bit()", "bit() or %s", "not (%s or bit())",
}

local function variable(g) return VARS[g.pick(#VARS)] end

local function test(g) return (TESTS[g.pick(#TESTS)]:gsub("%%s", variable(g))) end

local function add(g, text) g.lines[#g.lines + 1] = text end

local statement

local function list(g, depth)
  for _ = 1, g.pick(3) do statement(g, depth) end
end

local statements = {
  function(g) add(g, variable(g) .. " = nil") end,
  function(g) add(g, variable(g) .. " = {}") end,
  function(g) add(g, variable(g) .. " = unknown()") end,
  function(g) add(g, variable(g) .. ".f = 1") end,
  function(g) add(g, variable(g) .. ".f = 1") end,
  function(g) add(g, ("assert(%s)"):format(variable(g))) end,
  function(g, depth)
    add(g, ("if %s then"):format(test(g)))
    list(g, depth + 1)
    if g.pick(2) == 1 then
      add(g, "else")
      list(g, depth + 1)
    end
    add(g, "end")
  end,
  function(g, depth)
    add(g, "while bit() do")
    list(g, depth + 1)
    add(g, "end")
  end,
}

function statement(g, depth)
  statements[g.pick(depth < 3 and #statements or #statements - 2)](g, depth)
end

--- A program, each statement on a line of its own.
---@param pick fun(n: integer): integer
---@return string
function M.program(pick)
  local g = { pick = pick, lines = {} }
  for _, name in ipairs(VARS) do
    add(g, ("local %s%s"):format(name, pick(2) == 1 and " = {}" or ""))
  end
  for _ = 1, 6 do statement(g, 1) end
  return table.concat(g.lines, "\n") .. "\n"
end

return M
