--- What --help writes, made from the tables of subcommands, of which the man page and the
--- completions of shells are made, too (tools/shell.lua).
local M = {}

local WIDTH <const> = 100

-- The words as lines, all but the first after an indent.
local function wrapped(text, indent)
  local lines, line = {}, nil
  for word in text:gmatch "%S+" do
    if line and indent + #line + 1 + #word > WIDTH then
      lines[#lines + 1], line = line, nil
    end
    line = line and line .. " " .. word or word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. (" "):rep(indent))
end

--- Rows as two columns.
---@param rows {[1]: string, [2]: string}[]
---@return string
function M.columns(rows)
  local width, lines = 0, {}
  for _, row in ipairs(rows) do width = math.max(width, #row[1]) end
  for i, row in ipairs(rows) do
    lines[i] = ("  %-" .. width .. "s  %s\n"):format(row[1], wrapped(row[2], width + 4))
  end
  return table.concat(lines)
end

--- What --help of a subcommand writes.
---@param name string
---@param its phial.command.Subcommand
---@return string
function M.of(name, its)
  return ("usage: phial %s [options] %s\n%s%s\n%s"):format(name, its.takes, its.about,
    M.columns(its.formats and its.formats() or {}), M.columns(its.options))
end

return M
