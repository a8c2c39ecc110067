-- Specifiers and declarators: what type a declaration gives to a name.
local Parser = require "minic.parser"
local types = require "minic.types"

local QUALIFIERS <const> = { const = 1, volatile = 1, restrict = 1 }
local UNSUPPORTED <const> = { aligned = 1, mode = 1, vector_size = 1 }

-- How to read a specifier, by the kind of its token.
local SPECIFIERS <const> = {}

---@class minic.Specifiers
---@field type minic.Type
---@field storage string?
---@field align integer?
---@field packed boolean?
---@field words string[] that make up the name of a type
---@field const boolean?
---@field volatile boolean?

--- True if a declaration, or the name of a type, begins with the token.
function Parser:is_type(token)
  local kind, symbol = token.kind, self.scope[token.text]
  return SPECIFIERS[kind] ~= nil and (kind ~= "name" or symbol and symbol.kind == "typedef")
end

--- The value of a constant expression, an integer, which becomes a type if one is given.
---@param type minic.Type?
---@return integer
function Parser:integer_constant(type)
  local start, e = self.token, self:constantly(function()
    local it = self:conditional()
    return type and self:cast(it, type) or self:rvalue(it)
  end)
  local value = e.value and e.value:const()
  self:check(math.type(value) == "integer", start, "this is not an integer constant")
  return value --[[@as integer]]
end

-- Attributes are skipped, except those that change what a type is. True if one says `packed`.
function Parser:attributes()
  local packed = false
  while self:accept "__attribute__" do
    local from = self.at
    self:skip_brackets()
    for i = from, self.at - 1 do
      local name = self.tokens[i].text:gsub("^__(.*)__$", "%1")
      packed = packed or name == "packed"
      self:check(not UNSUPPORTED[name], self.tokens[i], "the attribute '%s' is not supported", name)
    end
  end
  return packed
end

-- {== Structs, unions, enumerations ===================================

-- The tag that is next: its type, which the innermost scope gets if it is defined here.
local function tagged(self, type)
  local name, tags = self:accept "name", self.tags
  type.name = type.name .. (name and name.text or "(without a name)")
  if not name then return type end
  local defines = self.token.kind == "{" or self.token.kind == ";"
  local found = rawget(tags, name.text) or not defines and tags[name.text]
  if not found then tags[name.text] = type end
  return found or type, name
end

local function bit_field(self, type, name)
  local start, width = self.token, self:integer_constant()
  self:check(type.kind == "int" and width >= 0 and width <= (type.ir == "i1" and 1 or type.size * 8)
    and (width > 0 or not name), start, "a bit-field of type '%s' cannot have %d bits", type, width)
  return width
end

-- The declaration of members: adds them to the fields; `names` are those that it has.
local function read_members(self, fields, names)
  local spec = self:specifiers()
  if self.token.kind == ";" and spec.type.kind == "struct" then
    fields[#fields + 1] = { type = spec.type }
  end
  self:list(";", function()
    local type, name = spec.type, nil
    if self.token.kind ~= ":" then type, name = self:declarator(spec.type) end
    local width = self:accept ":" and bit_field(self, type, name) or nil
    local packed = self:attributes() or spec.packed
    self:check((type.size or type.kind == "array") and (name or width), name,
      "a member cannot have the type '%s'", type)
    fields[#fields + 1] = { name = name and name.text, type = type, width = width,
      align = spec.align or packed and 1 or nil, packed = packed }
    self:check(not name or not names[name.text], name, "'%s' is declared already",
      name and name.text)
    if name then names[name.text] = true end
  end)
end

local function struct(self)
  local word = self:next()
  local packed, is_union = self:attributes(), word.kind == "union"
  local type, name = tagged(self, { kind = "struct", union = is_union, name = word.kind .. " ",
    align = 1 })
  self:check(type.kind == "struct" and type.union == is_union, name,
    "'%s' is the tag of something else", name and name.text)
  if not self:accept "{" then return type end
  self:check(not type.fields, name, "'%s' is declared already", name and name.text)
  local fields, names = {}, {}
  while not self:accept "}" do read_members(self, fields, names) end
  packed = self:attributes() or packed
  for _, field in ipairs(fields) do
    self:check(not (packed or field.packed) or not field.width, word,
      "packed bit-fields are not supported")
  end
  types.complete(type, fields, packed)
  return type
end

local function enum(self)
  self:next()
  local type, value = tagged(self, { kind = "int", name = "enum ", size = 4, align = 4, rank = 3,
    ir = "i32", signed = false }), -1
  if not self:accept "{" then return type end
  self:list("}", function()
    local name = self:accept "name" -- a comma may be last
    if not name then return end
    value = self:accept "=" and self:integer_constant() or value + 1
    local is_int = value >= -0x80000000 and value <= 0x7FFFFFFF
    self:declare({ name = name.text, kind = "constant", value = value,
      type = is_int and types.int or types.long }, name)
    if value < 0 then type.signed = true end
    if not is_int then type.size, type.align, type.ir, type.rank = 8, 8, "i64", 4 end
  end)
  return type
end

-- }== Specifiers ======================================================

-- The type that words such as `unsigned` and `long` make up, in any order.
local function named(self, words, start)
  table.sort(words)
  local text = " " .. table.concat(words, " ")
  if not text:find " char" then text = text:gsub(" signed", "", 1) end
  local name = text:gsub("^ int( [lsu])", "%1"):sub(2):gsub("^(.*) (u?n?signed)$", "%2 %1")
  local type = types[name == "" and "int" or name]
  self:check(type, start, name == "double long" and "'long double' has no type of phial"
    or "'%s' is not a type", name)
  return type
end

for words, read in pairs {
  ["void char short int long signed unsigned float double _Bool"] = function(self, spec)
    table.insert(spec.words, self:next().kind)
  end,
  ["typedef extern static auto register"] = function(self, it) it.storage = self:next().kind end,
  ["const volatile"] = function(self, spec) spec[self:next().kind] = true end,
  ["inline restrict _Noreturn"] = Parser.next,
  __attribute__ = function(self, spec) spec.packed = self:attributes() or spec.packed end,
  ["struct union"] = function(self, spec) spec.type = struct(self) end,
  enum = function(self, spec) spec.type = enum(self) end,
  name = function(self, spec) spec.type = self.scope[self:next().text].type end,
  __builtin_va_list = function(self, spec) spec.type = types[self:next().kind] end,
  _Alignas = function(self, spec)
    self:next()
    spec.align = self:parenthesized(function()
      return self:is_type(self.token) and self:type_name().align or self:integer_constant()
    end)
  end,
} do
  for word in words:gmatch "%S+" do SPECIFIERS[word] = read end
end

--- The specifiers of a declaration, or of the name of a type.
---@return minic.Specifiers
function Parser:specifiers()
  local start, spec = self.token, { words = {} }
  while self:is_type(self.token)
    and not (self.token.kind == "name" and (spec.type or spec.words[1])) do
    SPECIFIERS[self.token.kind](self, spec)
  end
  self:check(self.token ~= start, nil, "expected a type, found '%s'", start.text)
  self:check(not spec.type or not spec.words[1], start, "this type has too many words")
  spec.type = types.qualified(spec.type or named(self, spec.words, start), spec.const,
    spec.volatile)
  return spec
end

-- }== Declarators =====================================================

--- The type that a parameter has: arrays and functions are passed as addresses.
function Parser.passed_as(type)
  if type.kind == "array" then return types.pointer(type.to) end
  return type.kind == "function" and types.pointer(type) or type
end

-- The parameters; and whether they have no types, since these are declared later.
local function parameters(self)
  if self:accept ")" then return nil end
  local list, old, variadic = {}, self.token.kind == "name" and not self:is_type(self.token), nil
  self:list(")", function()
    variadic = variadic or self:accept "..." ~= nil
    if variadic then return end
    local type, name = types.int, old and self:expect "name" or nil
    if not old then type, name = self:declarator(self:specifiers().type) end
    self:attributes()
    list[#list + 1] = { name = name and name.text, type = self.passed_as(type), at = name }
  end)
  if #list == 1 and list[1].type.kind == "void" then list = {} end
  return list, variadic, old
end

local function qualifiers(self, type)
  while QUALIFIERS[self.token.kind] do
    local word = self:next().kind
    type = types.qualified(type, word == "const", word == "volatile")
  end
  return type
end

local function array_suffix(self, base)
  qualifiers(self, base)
  if self:accept "static" then qualifiers(self, base) end
  if self.token.kind == "*" and self:peek(1).kind == "]" then self:next() end
  local start = self.token
  local count = start.kind ~= "]" and self:integer_constant() or nil
  self:expect "]"
  local element = self:suffixes(base)
  self:check(element.size, start, "the elements of an array cannot be '%s'", element)
  self:check(not count or count >= 0 and count * element.size <= 1 << 30, start,
    "an array cannot have %d elements", count)
  return types.array(element, count)
end

--- What follows a name: arrays and parameters.
---@param base minic.Type
---@return minic.Type
function Parser:suffixes(base)
  if self:accept "[" then return array_suffix(self, base) end
  if not self:accept "(" then return base end
  local params, variadic, old = parameters(self)
  local type = types.func(self:suffixes(base), not old and params or nil, variadic)
  type.old = old and params
  return type
end

--- A declarator: the type, and the token of the name if it has one.
---@param base minic.Type
---@return minic.Type
---@return minic.Token?
function Parser:declarator(base)
  self:attributes()
  while self:accept "*" do
    base = qualifiers(self, types.pointer(base))
    self:attributes()
  end
  local inner = self:peek(1)
  if self.token.kind == "(" and inner.kind ~= ")"
    and (inner.kind == "__attribute__" or not self:is_type(inner)) then
    local inside = self.at + 1
    self:skip_brackets()
    base = self:suffixes(base)
    local after = self.at
    self:go_to(inside)
    local type, name = self:declarator(base)
    self:expect ")"
    self:go_to(after)
    return type, name
  end
  local name = self:accept "name"
  return self:suffixes(base), name
end

--- The name of a type, as in a cast.
---@return minic.Type
function Parser:type_name()
  local start = self.token
  local type, name = self:declarator(self:specifiers().type)
  self:check(not name, start, "'%s' is not expected in a type", name and name.text)
  return type
end

-- }=====================================================================
