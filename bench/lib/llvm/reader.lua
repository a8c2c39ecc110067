--- A small reader of LLVM IR as text, independent of phial: the functions with their reachable
--- blocks, phis and instructions.
---
--- Blocks are numbered in depth-first order from the entry, following the successors in the order
--- of the terminator, and instructions that are not phis by position. So the same instruction of
--- two versions of a function has the same name in both, whatever the text calls it:
---
---     %aN        the N-th parameter
---     %vB.N      the result of the N-th instruction of block B that is not a phi
---     a table    a phi
---     any other  a constant, as it is written
local M = {}

---@class llvm.Phi
---@field block integer
---@field type string
---@field preds integer[] the reachable predecessors, ascending
---@field ops llvm.Value[] the operand for each of them

---@alias llvm.Value string|llvm.Phi

---@class llvm.Block
---@field phis llvm.Phi[]
---@field insts string[] with local names as the text has them

---@class llvm.Function
---@field name string
---@field header string
---@field blocks llvm.Block[] the reachable ones
---@field values table<string, llvm.Value> by local name
---@field labels table<string, integer> the reachable blocks by local name

--
-- {== Lines ===========================================================
--

local NAME <const> = "%%[-%w$._]+"
local QUOTED <const> = '%%"[^"]*"'

-- Numbers of groups of attributes and of metadata differ from text to text: groups are replaced
-- by what they contain; metadata, which means nothing to an instruction, is removed.
local function plain(text, groups)
  if text:find("!", 1, true) then text = text:gsub(",? !%a[%w._]* !%d+", "") end
  if text:find("#", 1, true) then text = text:gsub("#%d+", groups) end
  return text
end

local function attribute_groups(text)
  local groups = {}
  for number, content in text:gmatch "\nattributes (#%d+) = (%b{})" do groups[number] = content end
  return groups
end

--- The cases of a switch, which are distinct, in the order of their values as texts.
local function with_sorted_cases(text)
  local head, cases, tail = text:match "^(switch .-, label [^%[]*%[)(.*)(%].*)$"
  local list = {}
  for case in cases:gmatch "i%d+ %-?%w+, label %S+" do list[#list + 1] = case end
  table.sort(list)
  return ("%s %s %s"):format(head, table.concat(list, " "), tail)
end

--- Instructions of debug info and those that mark.lua adds are not instructions of the program.
local function is_extra(line)
  return line:find("@llvm.dbg.", 1, true) or line:find("^%%witness%.%d+ = ")
    or line:find(", !witness !", 1, true)
end

--- The blocks in the order of the text, each a list of lines; an instruction is one line.
local function blocks_of(body, first_label, groups)
  local block = { label = first_label }
  local blocks = { block }
  for line in body:gmatch "[^\n]+" do
    local label = line:match '^("[^"]*"):' or line:match "^([-%w$._]+):"
    if label then
      if #block == 0 and #blocks == 1 then blocks[1] = nil end
      block = { label = "%" .. label }
      blocks[#blocks + 1] = block
    elseif line:find "^   " or line:find "^  %]" then
      block[#block] = block[#block] .. " " .. line:match "^%s*(.*)"
    elseif line:find "^  " then
      line = line:sub(3)
      if not is_extra(line) then block[#block + 1] = line end
    end
  end
  for _, each in ipairs(blocks) do
    for i, line in ipairs(each) do
      line = plain(line, groups)
      each[i] = line:find "^switch " and with_sorted_cases(line) or line
    end
  end
  return blocks
end

--- The names of the parameters, and the label of an entry without one.
local function parameters(header)
  local list = header:match '@"[^"]*"(%b())' or header:match "@[-%w$._]+(%b())"
  list = list:sub(2, -2):gsub("%b()", ""):gsub("%b{}", ""):gsub("%b[]", ""):gsub("%b<>", "")
  local names, unnamed = {}, 0
  for piece in list:gmatch "[^,]+" do
    local name = piece:match "(%%[-%w$._]+)%s*$" or piece:match '(%%"[^"]*")%s*$'
    if name then
      names[#names + 1] = name
      if name:find "^%%%d+$" then unnamed = unnamed + 1 end
    end
  end
  return names, "%" .. unnamed
end

-- }== Blocks that are reached =========================================

local function successors(block, by_label)
  local list = {}
  local last = block[#block]
  for label in last:gmatch "label (%%[-%w$._]+)" do list[#list + 1] = by_label[label] end
  for label in last:gmatch 'label (%%"[^"]*")' do list[#list + 1] = by_label[label] end
  return list
end

--- The reachable blocks, depth-first; `labels` gets their numbers.
local function reachable(blocks, labels)
  local by_label, order, stack = {}, {}, { blocks[1] }
  for _, block in ipairs(blocks) do by_label[block.label] = block end
  while #stack > 0 do
    local block = table.remove(stack)
    if not labels[block.label] then
      order[#order + 1] = block
      labels[block.label] = #order
      local succs = successors(block, by_label)
      for i = #succs, 1, -1 do stack[#stack + 1] = succs[i] end
    end
  end
  return order
end

-- }== Functions =======================================================

--- "phi T [ a, %b ], ..." as a phi whose operands are texts.
local function read_phi(text, labels, block)
  local type, rest = text:match "^phi (.-) (%[ .*)$"
  type = type:gsub("^fast ", "")
  local phi, by_pred = { block = block, type = type, preds = {}, ops = {} }, {}
  local function add(value, label)
    local pred = labels[label]
    if pred and not by_pred[pred] then
      by_pred[pred] = value
      phi.preds[#phi.preds + 1] = pred
    elseif pred and by_pred[pred] ~= value then
      by_pred[pred] = by_pred[pred] .. " or " .. value -- not LLVM IR: equal to nothing
    end
  end
  for value, label in rest:gmatch "%[ (.-), (%%[^%s,]+) %]" do add(value, label) end
  table.sort(phi.preds)
  for i, pred in ipairs(phi.preds) do phi.ops[i] = by_pred[pred] end
  return phi
end

local function read_block(lines, number, fn, phis)
  local block = { phis = {}, insts = {} }
  for _, line in ipairs(lines) do
    local result, text = line:match "^(%%[-%w$._]+) = (.*)$"
    if not result then result, text = line:match '^(%%"[^"]*") = (.*)$' end
    if text and text:find "^phi " then
      local phi = read_phi(text, fn.labels, number)
      fn.values[result] = phi
      block.phis[#block.phis + 1] = phi
      phis[#phis + 1] = phi
    else
      block.insts[#block.insts + 1] = text or line
      if result then fn.values[result] = ("%%v%d.%d"):format(number, #block.insts) end
    end
  end
  return block
end

local function read_function(header, body, groups)
  local name = header:match '@("[^"]*")%(' or header:match "@([-%w$._]+)%("
  local fn = { name = name, header = plain(header, groups), blocks = {}, values = {}, labels = {} }
  local names, first_label = parameters(header)
  for i, param in ipairs(names) do fn.values[param] = "%a" .. i end
  local phis = {}
  for number, lines in ipairs(reachable(blocks_of(body, first_label, groups), fn.labels)) do
    fn.blocks[number] = read_block(lines, number, fn, phis)
  end
  for _, phi in ipairs(phis) do
    for i, op in ipairs(phi.ops) do
      phi.ops[i] = fn.values[op] or (op:find "^%%witness%.%d+$" and "undef") or op
    end
  end
  return fn
end

--- Returns an iterator over the functions of a text.
---@param text string
---@return fun(): llvm.Function?
function M.functions(text)
  local groups = attribute_groups(text)
  local each = ("\n" .. text):gmatch "\n(define [^\n]*){\n(.-)\n}"
  return function()
    local header, body = each()
    if header then return read_function(header, body, groups) end
  end
end

--- What is not inside of functions, except metadata and attributes: declarations, globals, types.
--- Sorted, since types are printed in the order of their first use; labels of blocks are replaced
--- by the numbers of the blocks.
---@param text string
---@param functions table<string, llvm.Function> those whose blocks have addresses, by name
---@return string[]
function M.outside(text, functions)
  local groups, lines = attribute_groups(text), {}
  local function block(name, label)
    local number = functions[name] and functions[name].labels[label]
    return ("blockaddress(@%s, %s)"):format(name, number or label)
  end
  for line in text:gmatch "[^\n]+" do
    if line:find "^[@%%$]" or line:find "^declare " or line:find "^target " then
      if not line:find("@llvm.dbg.", 1, true) and not line:find("@witness.undef.", 1, true) then
        line = plain(line, groups)
        lines[#lines + 1] = line:gsub("blockaddress%(@([^,]+), (%%[^)]+)%)", block)
      end
    end
  end
  table.sort(lines)
  return lines
end

-- }== Instructions ====================================================

--- An instruction with local names replaced: values by `spelled`, labels by the numbers of blocks.
---@param fn llvm.Function
---@param text string
---@param spelled table<string, string> by local name
---@return string
function M.instruction(fn, text, spelled)
  local function name_of(name)
    local known = spelled[name]
    if known then return known end
    if fn.labels[name] then return "B" .. fn.labels[name] end
    if name:find "^%%witness%.%d+$" then return "undef" end
    return name -- of a type
  end
  text = text:gsub(NAME, name_of)
  if text:find('%"', 1, true) then text = text:gsub(QUOTED, name_of) end
  return text
end

-- }====================================================================

return M
