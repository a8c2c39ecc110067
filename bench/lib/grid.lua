--- Tables of text, as Markdown writes them.
local M = {}

--- The width of what is shown: code points, not bytes.
local function width(cell) return utf8.len(cell) or #cell end

local function widest(rows, column)
  local n = 3
  for _, row in ipairs(rows) do
    n = math.max(n, width(row[column]))
  end
  return n
end

--- The first column is flush left, the others are flush right.
local function row_text(row, widths)
  local cells = {}
  for i, cell in ipairs(row) do
    local fill = (" "):rep(widths[i] - width(cell))
    cells[i] = i == 1 and cell .. fill or fill .. cell
  end
  return "| " .. table.concat(cells, " | ") .. " |"
end

--- A table; the first row is its head.
---@param rows string[][]
---@return string
function M.text(rows)
  local widths, rule = {}, {}
  for i = 1, #rows[1] do
    widths[i] = widest(rows, i)
    rule[i] = ("-"):rep(widths[i] - (i > 1 and 1 or 0)) .. (i > 1 and ":" or "")
  end
  local lines = { row_text(rows[1], widths), row_text(rule, widths) }
  for i = 2, #rows do lines[#lines + 1] = row_text(rows[i], widths) end
  return table.concat(lines, "\n") .. "\n"
end

--- A number with `digits` digits after the point; "-" for none.
---@param n number?
---@param digits? integer
---@return string
function M.number(n, digits)
  return n and ("%." .. (digits or 0) .. "f"):format(n) or "-"
end

return M
