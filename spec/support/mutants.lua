-- Rules with one token changed: an operator, a literal, a variable, a
-- comparison, an op, or without the guard.
local ops = require "spec.support.ops"
local tables = require "tools.tables"

local M = {}

-- Tokens that can replace each other, mostly with the same types.
local KINDS = {
  { "+", "-", "*", "&", "|", "~", "<<", ">>" },
  { "==", "~=", "<", "<=", ">", ">=" },
  ops.of("arith", 2),
  ops.of("sized", 2),
  ops.with("b:tt", "b:ee"),
  ops.of("widen", 1),
  { "true", "false" },
  { "INT_MIN", "INT_MAX" },
  { "and", "or" },
}

local counts = {} -- functions of one constant
for _, row in ipairs(tables.functions()) do
  if row.argument == "NUMBERS" and row.count == 1 and row.result == "NUMBER" then
    counts[#counts + 1] = row.name
  end
end
KINDS[#KINDS + 1] = counts

local shifts = ops.of("lshift", 2)
table.move(ops.of("rshift", 2), 1, 2, #shifts + 1, shifts)
KINDS[#KINDS + 1] = shifts

local kind_of = {}
for _, kind in ipairs(KINDS) do
  for _, token in ipairs(kind) do kind_of[token] = kind end
end

local KEYWORDS = { ["if"] = true, ["not"] = true, once = true, select = true, width = true }

-- The tokens of a rule without its name: { text = , blank = what is before }.
local function tokens(rule)
  local out, at = {}, 1
  while at <= #rule do
    local blank, word = rule:match("^(%s*)([%w_]+)", at)
    if not blank then blank, word = rule:match("^(%s*)([=<>~][=<>])", at) end
    if not blank then blank, word = rule:match("^(%s*)(%S)", at) end
    if not blank then break end
    out[#out + 1] = { blank = blank, text = word }
    at = at + #blank + #word
  end
  return out
end

local function joined(list, changed, text)
  local out = {}
  for i, token in ipairs(list) do
    out[#out + 1] = token.blank .. (i == changed and text or token.text)
  end
  return table.concat(out)
end

local function is_variable(list, i)
  local word, after = list[i].text, list[i + 1]
  return word:find "^%a%w*$" and not kind_of[word] and not KEYWORDS[word]
    and not (after and after.text == "(")
end

local function variables(list)
  local out, seen = {}, {}
  for i, token in ipairs(list) do
    if is_variable(list, i) and not seen[token.text] then
      seen[token.text] = true
      out[#out + 1] = token.text
    end
  end
  return out
end

-- The tokens that can replace token i.
local function others(list, i)
  local word, out = list[i].text, {}
  local kind = kind_of[word]
  if word:find "^%d+$" then
    kind = { tostring(math.tointeger(word) + 1), tostring(math.tointeger(word) - 1), "2" }
  elseif not kind and is_variable(list, i) then
    kind = variables(list)
  end
  for _, other in ipairs(kind or out) do
    if other ~= word then out[#out + 1] = other end
  end
  return out
end

local function without_guard(rule) return (rule:match "^(.-)%s+if%s.*$") end

--- All mutants of a rule.
---@param rule string without a name
---@return string[]
function M.of(rule)
  local list, out = tokens(rule), { without_guard(rule) }
  for i in ipairs(list) do
    for _, other in ipairs(others(list, i)) do out[#out + 1] = joined(list, i, other) end
  end
  return out
end

return M
