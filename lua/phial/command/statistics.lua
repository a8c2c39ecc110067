--- Counts about functions, as a table.
local excerpt = require "phial.command.excerpt"

local M = {}

-- The columns: a field of fn:stats(), and its title.
local COLUMNS <const> = {
  { "blocks", "blocks" }, { "values", "values" }, { "phis", "phis" },
  { "temporary_phis", "temporary" }, { "trivial_phis", "trivial" },
  { "redundant_phis", "redundant" }, { "folded", "folded" }, { "applied", "rules" },
  { "merged", "merged" },
}

-- Those of the same kind that finish did are added.
local LATE <const> = { folded = "late_folded", applied = "late_applied", merged = "late_merged" }

local function row(fn)
  local stats, out = fn:stats(), { excerpt.safe(fn:name()) }
  for i, column in ipairs(COLUMNS) do
    local field = column[1]
    out[i + 1] = tostring(stats[field] + (LATE[field] and stats[LATE[field]] or 0))
  end
  return out
end

local function width(text) return utf8.len(text) or #text end

--- A line for each function, below the titles.
---@param functions phial.Function[]
---@return string
function M.text(functions)
  local rows, widths = { { "function" } }, {}
  for i, column in ipairs(COLUMNS) do rows[1][i + 1] = column[2] end
  for _, fn in ipairs(functions) do rows[#rows + 1] = row(fn) end
  for _, cells in ipairs(rows) do
    for i, text in ipairs(cells) do widths[i] = math.max(widths[i] or 0, width(text)) end
  end
  local lines = {}
  for k, cells in ipairs(rows) do
    local out = {}
    for i, text in ipairs(cells) do
      local blanks = (" "):rep(widths[i] - width(text))
      out[i] = i == 1 and text .. blanks or blanks .. text
    end
    lines[k] = table.concat(out, "  ")
  end
  return table.concat(lines, "\n") .. "\n"
end

return M
