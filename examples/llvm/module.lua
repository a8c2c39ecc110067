-- A file: its functions are translated, all else is copied.
local func = require "llvm.func"
local problems = require "llvm.problems"
local scan = require "llvm.scan"
local translate = require "llvm.translate"
local write = require "llvm.write"

local find, match, sub = string.find, string.match, string.sub

local M = {}

-- {== Blocks whose address is taken ======================================

-- The names of blocks change, and blocks vanish: what vanished has no address, as in LLVM.
local function renamed(text, labels, opaque)
  return (text:gsub("blockaddress ?(%b())", function(inside)
    local name, label = match(inside, "^%(@(.-), (%%.*)%)$")
    local of = labels[name]
    if not of then return nil end
    local new = of[label]
    if new then return ("blockaddress(@%s, %s)"):format(name, new) end
    return opaque and "inttoptr (i32 1 to ptr)" or "inttoptr (i32 1 to i8*)"
  end))
end

-- }======================================================================

-- What can begin a line outside functions.
local function is_known(line)
  return line == "" or find(line, "^[;@!%^$]") or find(line, "^%%%S+ = type")
    or find(line, "^source_filename = ") or find(line, "^target %a+ = ")
    or find(line, "^declare ") or find(line, "^module asm ") or find(line, "^attributes #%d+ = ")
    or find(line, "^uselistorder")
end

-- The definitions of named types.
local function named_types(text)
  local known = {}
  for name, body in ("\n" .. text):gmatch "\n(%%[^%s]+) = type ([^\n]*)" do
    known[name] = body
  end
  return known
end

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

--- Translates the text of a file.
---@param text string
---@param opts {rules: phial.Rules|false, stats: llvm.Stats}
---@return string
function M.translate(text, opts)
  local known = named_types(text)
  local scanner = scan.new(known)
  local next_line = lines_of(text)
  local out, labels = {}, {}
  local stats = opts.stats
  for line, number in next_line do
    if find(line, "^define ") then
      local header, body, last = line, {}, number
      while not find(header, "{%s*$") do
        local more = next_line() or problems.raise(number, 1, "the file ends in a function")
        header, last = header .. "\n" .. more, last + 1
      end
      local inside
      for each in next_line do
        inside = each
        if inside == "}" then break end
        body[#body + 1] = inside
      end
      if inside ~= "}" then problems.raise(number, 1, "the file ends in this function") end
      stats:start "read"
      local source = func.read(scanner, header, body, number, last)
      stats:start "construct"
      local ssa = translate.translate(source, scanner, opts.rules)
      stats:start "write"
      local made = {}
      for block, label in pairs(write.write(ssa, out)) do
        made[scanner:written(ssa.labels[block])] = label
      end
      labels[source.name] = made
      stats:start "read"
      stats:add(ssa)
      ssa.fn:close()
    elseif is_known(line) then
      out[#out + 1] = line
    else
      problems.raise(number, 1, "this is not LLVM IR as clang writes it")
    end
  end
  local all = table.concat(out, "\n") .. "\n"
  if find(all, "blockaddress", 1, true) then
    all = renamed(all, labels, not find(text, "\n[^\n]*%*"))
  end
  return all
end

return M
