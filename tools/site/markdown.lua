--- Markdown as documents of this tree are written: where it is prose, its links and headings.
local M = {}

-- {== Prose and code ===================================================

-- The fence that is open after a line, if `fence` is before it.
local function fence_after(fence, line)
  local mark = line:match "^%s*(```+)"
  if not fence then return mark end
  return mark ~= fence and fence or nil
end

-- Replaces what is not in a code span.
local function outside_spans(text, f)
  local out, at = {}, 1
  while true do
    local from, to = text:find("`+", at)
    local ticks = from and text:sub(from, to)
    local last = from and select(2, text:find("%f[`]" .. ticks .. "%f[^`]", to + 1))
    out[#out + 1] = f(text:sub(at, (last and from or #text + 1) - 1))
    if not last then return table.concat(out) end
    out[#out + 1] = text:sub(from, last)
    at = last + 1
  end
end

local function is_code(paragraph, in_list)
  return not in_list and paragraph:find "^    "
end

--- Replaces stretches of prose: what is neither in fenced blocks, nor indented as code, nor in
--- code spans. A link's text with a code span is in several stretches.
---@param text string
---@param f fun(stretch: string): string
---@return string
function M.prose(text, f)
  local out, paragraph, fence, in_list = {}, {}, nil, false
  local function flush()
    local it = table.concat(paragraph)
    if not it:find "^%s" then in_list = it:find "^[-*] " or it:find "^%d+%. " end
    out[#out + 1] = is_code(it, in_list) and it or outside_spans(it, f)
    paragraph = {}
  end
  for line in (text:gsub("[^\n]$", "%0\n")):gmatch "[^\n]*\n" do
    local before = fence
    fence = fence_after(fence, line)
    if before or fence or line == "\n" then
      if #paragraph > 0 then flush() end
      out[#out + 1] = line
    else
      paragraph[#paragraph + 1] = line
    end
  end
  if #paragraph > 0 then flush() end
  return table.concat(out)
end

-- }== Links and headings ===============================================

--- Replaces the targets of links and images.
---@param text string
---@param f fun(target: string): string
---@return string
function M.relink(text, f)
  return M.prose(text, function(stretch)
    return (stretch:gsub("%]%(([^()%s]+)%)", function(target) return "](" .. f(target) .. ")" end))
  end)
end

--- The targets of links and images.
---@param text string
---@return string[]
function M.links(text)
  local list = {}
  M.relink(text, function(target)
    list[#list + 1] = target
    return target
  end)
  return list
end

--- The anchor of a heading, as GitHub and the site make it.
---@param heading string
---@return string
function M.slug(heading)
  local plain = heading:gsub("%[(.-)%]%b()", "%1"):lower()
  return (plain:gsub("[^%w%s_\x80-\xff-]", ""):gsub("%s", "-"))
end

--- The headings of a document, in order.
---@param text string
---@return {level: integer, text: string, anchor: string}[]
function M.headings(text)
  local list, seen, fence = {}, {}, nil
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    fence = fence_after(fence, line)
    local level, heading = line:match "^(#+) +(.-) *$"
    if level and not fence then
      local slug = M.slug(heading)
      local n = seen[slug]
      seen[slug] = (n or 0) + 1
      list[#list + 1] = { level = #level, text = heading, anchor = n and slug .. "-" .. n or slug }
    end
  end
  return list
end

-- }== For Python-Markdown ==============================================

-- What a line begins: the width of its indentation, the marker of a list item.
local function item(line)
  local indent, marker = line:match "^( *)([-*] +)%S"
  if not indent then indent, marker = line:match "^( *)(%d+%. +)%S" end
  return indent and #indent or #line:match "^ *", marker
end

-- In tables, bars in code spans are not escaped.
local function row(line)
  if not line:find "^|" then return line end
  return (line:gsub("`[^`]*`", function(code) return (code:gsub("\\|", "|")) end))
end

-- Ends the items that a line with this indentation is not in. `items` has the column at which
-- the text of each item around it begins.
local function leave(items, indent)
  while #items > 0 and items[#items] > indent do items[#items] = nil end
end

-- Adds a line of prose, indented as Python-Markdown wants it.
local function adapt(line, items, follows_text, out)
  local indent, marker = item(line)
  local in_list = #items > 0
  local continues = follows_text and not marker and in_list -- it may begin anywhere
  if not continues then leave(items, indent) end
  local width = continues and 4 * #items or indent + 4 * #items - (items[#items] or 0)
  if marker then
    if follows_text and not in_list then out[#out + 1] = "" end
    items[#items + 1] = indent + #marker
  end
  out[#out + 1] = (" "):rep(width) .. row(line):sub(indent + 1)
end

--- A document as Python-Markdown wants it: a blank line before a list, four blanks before what
--- is in an item, bars in tables as they are.
---@param text string
---@return string
function M.adapted(text)
  local out, items, fence, previous = {}, {}, nil, ""
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local before = fence
    fence = fence_after(fence, line)
    if line == "" then
      out[#out + 1] = ""
    elseif before or fence then
      if not before then leave(items, #line:match "^ *") end
      out[#out + 1] = (" "):rep(4 * #items) .. line:sub((items[#items] or 0) + 1)
    else
      adapt(line, items, previous ~= "", out)
    end
    previous = line
  end
  return (table.concat(out, "\n"):gsub("\n+$", "\n"))
end

-- }=====================================================================

return M
