-- Specifiers and declarators: what type a declaration gives to a name.
local Parser = require "minic.parser"
local types = require "minic.types"

local QUALIFIERS <const> = { const = 1, volatile = 1, restrict = 1 }

-- How to read a specifier, by the kind of its token.
local SPECIFIERS <const> = {}

---@class minic.Specifiers
---@field type minic.Type
---@field storage string?
---@field align integer?
---@field words string[] that make up the name of a type
---@field const boolean?
---@field volatile boolean?

--- True if a declaration, or the name of a type, begins with the token.
---@param token minic.Token
---@return boolean
function Parser:is_type(token)
  local kind, symbol = token.kind, self.scope[token.text]
  if kind == "name" then return symbol ~= nil and symbol.kind == "typedef" end
  return SPECIFIERS[kind] ~= nil
end

--- The value of a constant expression, an integer.
---@return integer
function Parser:integer_constant()
  local start = self.token
  local value = self:constantly(function() return self:rvalue(self:conditional()).value end)
  local it = value and value:const()
  if math.type(it) ~= "integer" then self:problem(start, "this is not an integer constant") end
  return it --[[@as integer]]
end

-- Attributes are skipped, except those that change what a type is.
function Parser:attributes()
  local packed = false
  while self.token.kind == "__attribute__" do
    local from = self.at + 1
    self:next()
    self:skip_brackets()
    for i = from, self.at - 1 do
      local name = self.tokens[i].text:gsub("^__(.*)__$", "%1")
      packed = packed or name == "packed"
      if name == "aligned" or name == "mode" or name == "vector_size" then
        self:problem(self.tokens[i], "the attribute '%s' is not supported", name)
      end
    end
  end
  return packed
end

-- {== Structs, unions, enumerations ===================================

-- The tag that is next: its type, which the innermost scope gets if it is defined here.
local function tagged(self, make)
  local name = self:accept "name"
  local defines = self.token.kind == "{" or self.token.kind == ";"
  local found = name and (defines and rawget(self.tags, name.text) or not defines
    and self.tags[name.text])
  if found then return found, name end
  local type = make(name and name.text or "(without a name)")
  if name then self.tags[name.text] = type end
  return type, name
end

local function bit_field(self, type, name)
  local start = self.token
  local width = self:integer_constant()
  if type.kind ~= "int" or width < 0 or width > (type.ir == "i1" and 1 or type.size * 8)
    or width == 0 and name then
    self:problem(start, "a bit-field of type '%s' cannot have %d bits", types.shown(type), width)
  end
  return width
end

local function fields_of(self, fields, names)
  local spec = self:specifiers()
  if self.token.kind == ";" and spec.type.kind == "struct" then
    fields[#fields + 1] = { type = spec.type }
  end
  while self.token.kind ~= ";" do
    local type, name = spec.type, nil
    if self.token.kind ~= ":" then type, name = self:declarator(spec.type) end
    local width = self:accept ":" and bit_field(self, type, name)
    self:attributes()
    if not type.size and type.kind ~= "array" or not name and not width then
      self:problem(name, "a member cannot have the type '%s'", types.shown(type))
    end
    if name and names[name.text] then self:problem(name, "'%s' is declared already", name.text) end
    if name then names[name.text] = true end
    fields[#fields + 1] = { name = name and name.text, type = type, width = width or nil,
      align = spec.align }
    if not self:accept "," then break end
  end
  self:expect ";"
end

local function struct(self)
  local word = self:next()
  local packed = self:attributes()
  local type, name = tagged(self, function(tag)
    return { kind = "struct", union = word.kind == "union", name = tag, align = 1 }
  end)
  if type.kind ~= "struct" or type.union ~= (word.kind == "union") then
    self:problem(name, "'%s' is the tag of something else", name.text)
  end
  if not self:accept "{" then return type end
  if type.fields then self:problem(name, "'%s' is declared already", name.text) end
  local fields, names = {}, {}
  while not self:accept "}" do fields_of(self, fields, names) end
  packed = self:attributes() or packed
  for _, field in ipairs(fields) do
    if packed and field.width then
      self:problem(word, "bit-fields in a packed struct are not supported")
    end
  end
  types.complete(type, fields, packed)
  return type
end

local function enumerators(self, type)
  local value = -1
  repeat
    local name = self:expect "name"
    value = self:accept "=" and self:integer_constant() or value + 1
    local is_int = value >= -0x80000000 and value <= 0x7FFFFFFF
    self:declare({ name = name.text, kind = "constant", value = value,
      type = is_int and types.int or types.long }, name)
    if value < 0 then type.signed = true end
    if not is_int then type.size, type.align, type.ir, type.rank = 8, 8, "i64", 4 end
  until not self:accept "," or self.token.kind == "}"
  self:expect "}"
end

local function enum(self)
  self:next()
  local type = tagged(self, function(tag)
    return { kind = "int", name = "enum " .. tag, size = 4, align = 4, rank = 3, ir = "i32",
      signed = false }
  end)
  if self:accept "{" then enumerators(self, type) end
  return type
end

-- }== Specifiers ======================================================

-- The type that words such as `unsigned` and `long` make up, in any order.
local function named(self, words, start)
  if #words == 0 then return types.int end
  table.sort(words)
  local text = " " .. table.concat(words, " ") .. " "
  if text:find " short " or text:find " long " or text:find "signed " then
    text = text:gsub(" int ", " ")
  end
  if not text:find " char " then text = text:gsub(" signed ", " ") end
  local name = text:match "^ *(.-) *$":gsub("^(.*) (u?n?signed)$", "%2 %1")
  if name == "_Bool" then name = "bool" end
  local type = types[name == "" and "int" or name]
  if type then return type end
  self:problem(start, name == "double long" and "'long double' has no type of phial"
    or "'%s' is not a type", name)
end

local function specify(words, read)
  for word in words:gmatch "%S+" do SPECIFIERS[word] = read end
end

specify("void char short int long signed unsigned float double _Bool", function(self, spec)
  table.insert(spec.words, self:next().kind)
end)
specify("typedef extern static auto register", function(self, spec)
  spec.storage = self:next().kind
end)
specify("const volatile", function(self, spec) spec[self:next().kind] = true end)
specify("inline restrict _Noreturn", Parser.next)
specify("__attribute__", Parser.attributes)
specify("struct union", function(self, spec) spec.type = struct(self) end)
specify("enum", function(self, spec) spec.type = enum(self) end)
specify("__builtin_va_list", function(self, spec) spec.type = types[self:next().kind] end)
specify("_Alignas", function(self, spec)
  self:next()
  self:expect "("
  spec.align = self:is_type(self.token) and self:type_name().align or self:integer_constant()
  self:expect ")"
end)

--- The specifiers of a declaration, or of the name of a type.
---@return minic.Specifiers
function Parser:specifiers()
  local start, spec = self.token, { words = {} }
  while self:is_type(self.token) do
    local read = SPECIFIERS[self.token.kind]
    if read then
      read(self, spec)
    elseif spec.type or #spec.words > 0 then
      break
    else
      spec.type = self.scope[self:next().text].type
    end
  end
  if self.token == start then self:problem(nil, "expected a type, found '%s'", start.text) end
  if spec.type and #spec.words > 0 then self:problem(start, "this type has too many words") end
  spec.type = types.qualified(spec.type or named(self, spec.words, start), spec.const,
    spec.volatile)
  return spec
end

-- }== Declarators =====================================================

local function parameter(self)
  local spec = self:specifiers()
  local type, name = self:declarator(spec.type)
  self:attributes()
  if type.kind == "array" then type = types.pointer(type.to) end
  if type.kind == "function" then type = types.pointer(type) end
  return { name = name and name.text, type = type, at = name }
end

-- The parameters, and `old`: the names of a definition whose parameters are declared later.
local function parameters(self)
  if self:accept ")" then return nil end
  if self.token.kind == "name" and not self:is_type(self.token) then
    local old = {}
    repeat old[#old + 1] = self:expect "name" until not self:accept ","
    self:expect ")"
    return nil, false, old
  end
  local list = {}
  repeat
    if self:accept "..." then
      self:expect ")"
      return list, true
    end
    list[#list + 1] = parameter(self)
  until not self:accept ","
  self:expect ")"
  if #list == 1 and list[1].type.kind == "void" then list = {} end
  return list, false
end

local function array_suffix(self, base)
  while QUALIFIERS[self.token.kind] or self.token.kind == "static" do self:next() end
  if self.token.kind == "*" and self:peek(1).kind == "]" then self:next() end
  local start = self.token
  local count = start.kind ~= "]" and self:integer_constant() or nil
  self:expect "]"
  local element = self:suffixes(base)
  if not element.size then
    self:problem(start, "the elements of an array cannot be '%s'", types.shown(element))
  end
  if count and (count < 0 or count * element.size > 1 << 30) then
    self:problem(start, "an array cannot have %d elements", count)
  end
  return types.array(element, count)
end

--- What follows a name: arrays and parameters.
---@param base minic.Type
---@return minic.Type
function Parser:suffixes(base)
  if self:accept "[" then return array_suffix(self, base) end
  if not self:accept "(" then return base end
  local params, variadic, old = parameters(self)
  local type = types.func(self:suffixes(base), params, variadic)
  type.old = old
  return type
end

--- A declarator: the type, and the token of the name if it has one.
---@param base minic.Type
---@return minic.Type
---@return minic.Token?
function Parser:declarator(base)
  self:attributes()
  while self:accept "*" do
    base = types.pointer(base)
    while QUALIFIERS[self.token.kind] do
      local word = self:next().kind
      base = types.qualified(base, word == "const", word == "volatile")
    end
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
  if name then self:problem(start, "'%s' is not expected in a type", name.text) end
  return type
end

-- }=====================================================================
