-- A file: its functions are translated, all else is copied.
local func = require "llvm.func"
local problems = require "llvm.problems"
local references = require "llvm.references"
local scan = require "llvm.scan"
local translate = require "llvm.translate"
local write = require "llvm.write"

local find, match, sub = string.find, string.match, string.sub

local M = {}

-- {== What is not a file of this kind ===================================

local function check_text(text)
  if find(text, "^BC\xC0\xDE") or find(text, "^\xDE\xC0\x17\x0B") then
    problems.raise(1, nil, "this is bitcode: llvm-dis makes text of it")
  end
  if find(text, "[\0-\8\14-\31]") then problems.raise(1, nil, "this is not text") end
  if not find(text, "%S") then problems.raise(1, nil, "the file is empty") end
end

-- Complete lines end so, even without a line feed.
local function check_end(text)
  if find(text, "[\n})%]\"]$") then return end
  local _, count = text:gsub("\n", "")
  problems.raise(count + 1, nil, "the file ends in this line")
end

local KNOWN = { "^[;@!%^$]", "^%%[^=]+ = type", "^source_filename = ", "^target %a+ = ",
  "^declare ", "^module asm ", "^attributes #%d+ = ", "^uselistorder" }

-- True if a line can begin outside functions.
local function is_known(line)
  if line == "" then return true end
  line = match(line, "^%s*(.*)")
  for _, pattern in ipairs(KNOWN) do
    if find(line, pattern) then return true end
  end
  return line == ""
end

-- A function that tells of each line outside functions whether it is one, or goes on with the one
-- before: it is indented, or follows an open bracket or a comma.
local function outside()
  local before, depth = "", nil
  return function(line)
    local known = is_known(line)
    if not known then
      depth = depth or scan.depth(before)
      if not (find(line, "^%s") or depth > 0 or find(before, ",%s*$")) then return false end
      depth = depth + scan.depth(line)
    else
      depth = nil
    end
    before = line
    return true
  end
end

-- }== Blocks whose address is taken ======================================

-- The names of blocks change, and blocks vanish: those have no address, as in LLVM.
local function renamed(text, labels, pointer)
  return (text:gsub("blockaddress ?(%b())", function(inside)
    local name, label = match(inside, "^%(@(.-), (%%.*)%)$")
    local of = labels[name]
    if not of then return nil end
    if of[label] then return ("blockaddress(@%s, %s)"):format(name, of[label]) end
    return ("inttoptr (i32 1 to %s)"):format(pointer)
  end))
end

-- }== Functions ==========================================================

-- Reads lines one after the other.
local function lines_of(text)
  local at, size, number = 1, #text, 0
  return function()
    if at > size then return nil end
    local stop = find(text, "\n", at, true) or size + 1
    local line = sub(text, at, stop - 1)
    at, number = stop + 1, number + 1
    return line, number
  end
end

-- A line without the comment after it.
local function without_comment(line)
  if not find(line, ";", 1, true) then return line end
  local stop = 1
  repeat
    stop = match(line, '^[^";]*()', stop)
    if sub(line, stop, stop) ~= '"' then break end
    stop = match(line, '^"[^"]*"?()', stop)
  until false
  return sub(line, 1, stop - 1)
end

-- The lines of a function: the header, what follows without the closing brace, and the number
-- of the last line of the header.
local function function_lines(next_line, header, number)
  local last, body = number, {}
  header = without_comment(header)
  while not find(header, "{%s*$") do
    local more = next_line()
    if not more or find(more, "^[@%%!]") or find(more, "^%a+ .*@") then
      problems.raise(number, nil, "'{' is missing at the end of the line")
    end
    header, last = header .. "\n" .. without_comment(more), last + 1
  end
  for line in next_line do
    if find(line, "^}") then return header, body, last end
    body[#body + 1] = line
  end
  problems.raise(number, nil, "the file ends in this function")
end

---@class llvm.Unit
---@field out string[]
---@field labels table<string, table<string, string>> new names of blocks
---@field pointer string the type of an address
---@field declarations table of intrinsics that are called: lines, and the set of these
---@field rules phial.Rules|false
---@field stats llvm.Stats

local function translate_function(unit, scanner, number, header, body, last)
  local stats, made = unit.stats, {}
  stats:start "read"
  local source = func.read(scanner, header, body, number, last)
  stats:start "construct"
  local ssa = translate.translate(source, scanner, unit.rules)
  stats:start "write"
  for block, label in pairs(write.write(ssa, unit)) do
    made[scanner:written(ssa.labels[block])] = label
  end
  unit.labels[source.name] = made
  stats:add(ssa)
  ssa.fn:close()
  stats:start "read"
end

-- Appends the declarations that the file does not have.
local function declare(unit, text)
  for _, line in ipairs(unit.declarations) do
    local symbol = match(line, "@[^(]*"):gsub("%.", "%%.")
    if not find("\n" .. text, "\ndeclare [^\n]*" .. symbol .. "%(") then
      unit.out[#unit.out + 1] = line
    end
  end
end

-- }=======================================================================

--- Reads the text of a file. Raises an error (llvm.Problem) if it is not understood.
---@param file string its name, for messages
---@param text string
---@param visit fun(scanner: llvm.Scanner, number: integer, header: string, body: string[],
--- last: integer) gets the lines of each function, and the numbers of its first line and of the
--- last one of its header
---@param keep fun(line: string) gets each other line
function M.read(file, text, visit, keep)
  problems.start(file, text)
  check_text(text)
  local scanner, next_line, is_outside = scan.new(text), lines_of(text), outside()
  for line, number in next_line do
    if find(line, "^define ") then
      visit(scanner, number, function_lines(next_line, line, number))
    elseif is_outside(line) then
      keep(line)
    else
      problems.raise(number, nil, "this is not LLVM IR as clang writes it")
    end
  end
  check_end(text)
  references.check(text)
end

--- Translates the text of a file. Raises an error (llvm.Problem) if it is not understood.
---@param file string its name, for messages
---@param text string
---@param rules phial.Rules|false
---@param stats llvm.Stats
---@return string
function M.translate(file, text, rules, stats)
  stats:start "read"
  local out = {}
  local unit = { out = out, labels = {}, declarations = {}, rules = rules, stats = stats,
    pointer = find(text, "%f[%w]ptr%f[%W]") and "ptr" or "i8*" }
  M.read(file, text, function(scanner, ...)
    translate_function(unit, scanner, ...)
  end, function(line) out[#out + 1] = line end)
  declare(unit, text)
  local all = table.concat(out, "\n") .. "\n"
  if not find(all, "blockaddress", 1, true) then return all end
  return renamed(all, unit.labels, unit.pointer)
end

return M
