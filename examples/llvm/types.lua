-- Types in the text of LLVM IR: where they end, and which of phial's they are.
local byte, match, sub = string.byte, string.match, string.sub

local M = {}

-- All others are values of which phial knows nothing but who uses them.
local SCALARS = {
  i1 = "i1", i8 = "i8", i16 = "i16", i32 = "i32", i64 = "i64", float = "f32", double = "f64",
}

local NAMES = {}
for name, type in pairs(SCALARS) do NAMES[type] = name end

--- The type of phial for one of LLVM: "any" for pointers to types, aggregates, vectors and numbers
--- that phial does not have.
---@param type string
---@return string
function M.of(type) return SCALARS[type] or type == "ptr" and "ptr" or "any" end

--- True if phial has a type with the same operations.
---@param type string
---@return boolean
function M.is_scalar(type) return SCALARS[type] ~= nil end

--- The name in LLVM of a type of phial other than "any".
---@param type string
---@return string
function M.name(type) return NAMES[type] end

local FIRST = {
  ["{"] = "^%b{}()", ["["] = "^%b[]()", ["<"] = "^%b<>()", ["%"] = "^%%[-%w$._\5]+()",
}

-- The words that begin a type.
local WORDS = {}
for word in ([[void half bfloat float double fp128 x86_fp80 ppc_fp128 x86_mmx x86_amx ptr token
  metadata label opaque target]]):gmatch "%S+" do WORDS[word] = true end

local STAR, SPACE, PAREN, A = byte("* (a", 1, -1)

--- True if a type begins here.
---@param text string
---@param at integer
---@return boolean
function M.begins(text, at)
  if FIRST[sub(text, at, at)] then return true end
  local word = match(text, "^%a[%w_]*", at)
  return word and (WORDS[word] or match(word, "^i%d+$")) and true or false
end

-- The position after one more piece of a type, as the stars of a pointer; nil if it ends.
local function skip_more(text, stop)
  local first, second = byte(text, stop, stop + 1)
  if first == STAR then return match(text, "^%*+()", stop) end
  if first ~= SPACE or second ~= PAREN and second ~= A then return nil end
  return match(text, "^ addrspace%(%d+%)%*?()", stop) or match(text, "^ %b()%*+()", stop)
    or match(text, "^ %b() addrspace%(%d+%)%*()", stop)
end

--- The position after the type that begins here, or nil.
---@param text string
---@param at integer
---@return integer?
function M.skip(text, at)
  local stop = match(text, FIRST[sub(text, at, at)] or "^%a[%w_]*()", at)
  if not stop then return nil end
  if sub(text, at, stop - 1) == "target" then stop = match(text, "^%b()()", stop) or stop end
  local next_stop = skip_more(text, stop)
  while next_stop do
    stop, next_stop = next_stop, skip_more(text, next_stop)
  end
  return stop
end

--- The type that begins here and the position after it, or nil.
---@param text string
---@param at integer
---@return string?
---@return integer?
function M.read(text, at)
  local stop = M.skip(text, at)
  if stop then return sub(text, at, stop - 1), stop end
end

--- The types of the members of a struct type; nil if it is not understood.
---@param type string
---@return string[]?
function M.members(type)
  local list, at = {}, match(type, "^<?{ ?()")
  while at and not match(type, "^ ?}", at) do
    local stop = M.skip(type, at)
    if not stop then return nil end
    list[#list + 1] = sub(type, at, stop - 1)
    at = match(type, "^, ()", stop) or stop
  end
  return at and list
end

-- The members of a struct type, the element of another one.
local function member(type, index)
  if match(type, "^%[") then return match(type, "^%[%d+ x (.*)%]$") end
  if match(type, "^<[^{]") then return match(type, "^<.-%d+ x (.*)>$") end
  local list = M.members(type)
  return list and list[index + 1]
end

--- The type of a member of an aggregate or vector, by its indices; nil if the types do not
--- say it.
---@param known table<string, string> definitions of named types
---@param type string
---@param indices integer[]
---@return string?
function M.member(known, type, indices)
  for _, index in ipairs(indices) do
    type = member(known[type] or type, index)
    if not type then return nil end
  end
  return type
end

return M
