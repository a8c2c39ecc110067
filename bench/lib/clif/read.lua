--- Tests of cranelift's optimizer, in its text form CLIF: functions with what it makes of them.
local M = {}

---@class clif.Function
---@field name string
---@field params string[] names of types
---@field lines string[] of the body, without comments
---@field expected string[] lines of the optimized body; empty: the test does not say
---@field file string

local function header(line)
  local name, params = line:match "^;?%s*function (%S+)(%b())"
  if not name then return nil end
  local types = {}
  for param in params:sub(2, -2):gmatch "[^,]+" do types[#types + 1] = param:match "[%w]+" end
  return name:match "^[^(]*", types
end

local function without_comment(line) return (line:gsub(";.*", ""):match "^%s*(.-)%s*$") end

-- Adds what `; check: LINE` expects.
local function note_check(fn, line)
  local check = line:match ";%s*check:%s*(.*)" or line:match ";%s*nextln:%s*(.*)"
  if check then fn.expected[#fn.expected + 1] = without_comment(check) end
end

--- The functions of a file's text. An expectation is what follows as comments
--- (`precise-output`), or lines of `; check:` in and after the body.
---@param text string
---@param file string
---@return clif.Function[]
function M.functions(text, file)
  local list, fn, inside = {}, nil, nil
  for line in text:gmatch "[^\n]*" do
    local name, params = header(line)
    if name and line:sub(1, 1) ~= ";" then
      fn = { name = name, params = params, lines = {}, expected = {}, file = file }
      list[#list + 1], inside = fn, fn.lines
    elseif name and fn and name == fn.name then
      inside = fn.expected
    elseif line:find "^;?%s*}" then
      inside = nil
    elseif inside then
      note_check(fn, line)
      local plain = without_comment(inside == fn.expected and line:sub(2) or line)
      if plain ~= "" then inside[#inside + 1] = plain end
    elseif fn then
      note_check(fn, line)
    end
  end
  return list
end

-- Constants, declarations and the ends of blocks do not count.
local FREE <const> = {
  iconst = true, f32const = true, f64const = true, vconst = true, ["return"] = true, jump = true,
  brif = true, br_table = true, trap = true, ["function"] = true
}

--- The instructions that count among lines of CLIF.
---@param lines string[]
---@return {id: string?, op: string, line: string}[]
local function instructions(lines)
  local list = {}
  for _, line in ipairs(lines) do
    local id, rest = line:match "^(v%d+)[%dv, ]* = (.*)$"
    local op = (rest or line):match "^[%a_][%w_]*"
    local declares = not id and line:find "^%a+%d+ = "
    if op and not FREE[op] and not declares and not line:find ":$" and not line:find "%->" then
      list[#list + 1] = { id = id, op = op, line = line }
    end
  end
  return list
end

-- The value that a line defines as an instruction's result, or as an alias of another: `v2 -> v5`.
local function defined(line)
  return line:match "^(v%d+)[%dv, ]* = " or line:match "^(v%d+) %->"
end

--- The instructions that cranelift leaves: those expected, and those of the function itself that
--- they use and that are not among them, since a check may name some lines only.
---@param source clif.Function
---@return {op: string}[]
function M.left(source)
  local list, own, met = instructions(source.expected), {}, {}
  for _, it in ipairs(instructions(source.lines)) do own[it.id or ""] = it end
  for _, line in ipairs(source.expected) do met[defined(line) or ""] = true end
  local i, lines = 1, table.move(source.expected, 1, #source.expected, 1, {})
  while lines[i] do
    for id in lines[i]:gsub("^[^=]* = ", ""):gmatch "%f[%w]v%d+" do
      if own[id] and not met[id] then
        met[id], list[#list + 1], lines[#lines + 1] = true, own[id], own[id].line
      end
    end
    i = i + 1
  end
  return list
end

return M
