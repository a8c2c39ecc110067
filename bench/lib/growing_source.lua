-- What phial.source and phial-lint read in growth.lua --sources: one function of n lines of a kind,
-- of which each was quadratic once, or n functions.
local lint = require "phial_lint"
local source = require "phial.source"

local SHAPES <const> = {
  { "choices", "local x, a, b, c = '', ...\n", "x = x .. (a and b or c) .. 'z'\n", "return x" },
  { "fields, tested", "local a, b = ...\n", "if a.x%d then b = a.y%d.z end\n", "return b" },
  { "fields, set", "local s, c = ...\n", "if c then s.f%d = s.g%d or 1 end\n", "" },
  { "arms", "local x = ...\nif x then return 0\n", "elseif x == %d then return %d\n", "end" },
  { "fields of fields", "return a", ".b\n", "" },
  { "functions", "local M = {}\n", "function M.f%d(x) return x and M.f%d(x) end\n", "return M" },
}
local OPTIONS <const> = { values = true, refine = true, fields = true }

local cases = {}
for _, shape in ipairs(SHAPES) do
  local name, first, line, last = table.unpack(shape)
  local function make(n)
    local parts = { first }
    for i = 1, n do parts[i + 1] = line:format(i, i * 7 % n) end
    return table.concat(parts) .. last
  end
  for tool, call in pairs {
    source = function(text) assert(source.parse(text, OPTIONS)) end, lint = lint.text,
  } do
    cases[#cases + 1] = { name = ("%s: %s"):format(tool, name), n = 125, make = make, call = call }
  end
end
table.sort(cases, function(a, b) return a.name < b.name end)

return cases
