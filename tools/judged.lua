--- Reads tools/data/untested.txt: what no spec notices, by file, each with its reason.
local file = require "tools.file"

local M = {}

local DATA <const> = "tools/data/untested.txt"

---@class Judged
---@field path string "src/core/edit/copy.c"
---@field code string a line as a tool shows it
---@field reason string

--- The entries below a heading.
---@param heading string "Mutants", "Branches"
---@return Judged[]
function M.read(heading)
  local list, path, is_there = {}, nil, false
  for line in file.read(DATA):gmatch "[^\n]+" do
    local found, indent, text = line:match "^== (.+)", line:match "^( *)(.+)"
    if found then
      is_there = found == heading
    elseif is_there and indent == "" then
      path = text
    elseif is_there and indent == "  " then
      list[#list + 1] = { path = path, code = text, reason = "" }
    elseif is_there then
      list[#list].reason = (list[#list].reason .. " " .. text):match "^ ?(.*)"
    end
  end
  return list
end

--- Ends the program if some entries are not among what a tool has found.
---@param list Judged[]
---@param found table<string, table<string, any>> by path and code
function M.check(list, found)
  local stale = {}
  for _, it in ipairs(list) do
    if not (found[it.path] and found[it.path][it.code]) then
      stale[#stale + 1] = ("%s: there is no longer: %s"):format(it.path, it.code)
    end
  end
  if #stale == 0 then return end
  io.stderr:write(DATA, " is out of date\n", table.concat(stale, "\n"), "\n")
  os.exit(false)
end

return M
