-- The grammar of a line of printed HIR: an LPeg pattern for the value of each kind of
-- instruction and for each kind of terminal, by the word that it starts with.
--
-- What a pattern captures is the line in pieces: text, places (tables) and the blocks
-- that control may go to next (numbers).  The pattern of a kind also says which of its
-- places are used and which are defined, as the compiler's enterSSA has it.
local lpeg = require "lpeg"

local C, Cc, Cp, Ct, P, R, S = lpeg.C, lpeg.Cc, lpeg.Cp, lpeg.Ct, lpeg.P, lpeg.R, lpeg.S

---@class react.Place an occurrence of an identifier
---@field at integer where in the text
---@field word string the identifier with its number: "x$5", "$6"
---@field role "use"|"def"|"kept" kept: enterSSA does not rename it

local M = { VERSION = "1.0.0" }

-- {== Places ============================================================

local digits = R "09" * R "09"^-8 * -R "09" -- of numbers that Lua can hold
local letter = R("az", "AZ", "09", "\x80\xff") + S "_$"
local number = P "$" * digits * -letter
local word = P "#"^-1 * (letter - number)^0 * number
local effect = P "<unknown>" + "read" + "capture" + "store" + "freeze" + "mutate-iterator?"
  + "mutate?" + "mutate"

-- The position after the last place that matched: a line that does not match is wrong
-- there, or later.
local reached

local mark = lpeg.Cmt(true, function(_, at)
  reached = math.max(reached, at)
  return true
end)

local function place(role)
  return C(effect * " ") * (Cp() * C(word) * Cc(role) / function(at, text, what)
    return { at = at, word = text, role = what }
  end) * mark
end

local use, def, kept = place "use", place "def", place "kept"

-- A place at which only the identifier is printed.
local bare = Cp() * C(word) / function(at, text)
  return { at = at, word = text, role = "use" }
end

-- }== Parts =============================================================

local function list(item, separator)
  return (item * (C(separator) * item)^0)^-1
end

local function spread(item) return C "..." * item + item end

local line = (1 - P "\n")^0 -- the rest of it
local rest = C(line)
local block = P "bb" * digits
local target = C(block) / function(text) return text, math.tointeger(text:sub(3)) end
local arguments = C "(" * list(spread(use), ", ") * C ")"
local lvalue = R("az", "AZ")^1 * " " -- its kind

local function up_to(ending) return (1 - (P(ending) + "\n"))^0 * ending end

-- A string as a key is printed without escapes.
local string_key = P '"' * (1 - P '": ' * effect)^0 * '": '
local key = C(string_key + (1 - S ' :"[\n.{}')^1 * ": ")
local property = key * def + C "..." * def
local destructured = C "{ " * list(property, ", ") * C " }"
  + C "[ " * list(C "<hole>" + spread(def), ", ") * C " ]"

-- Of a template, text as in the source: what would end it is escaped there.
local raw = (P "\\" * 1 + (1 - (S "`\\" + "${")))^0
local json = P '"' * (P "\\" * 1 + (1 - S '"\\\n'))^0 * '"'
local primitive = json + P "true" + "false" + "null" + "<undefined>"
  + P "-"^-1 * R "09"^1 * (letter + S ".+-")^0

local path = (P "?"^-1 * "." * (1 - S ".,?\n")^1)^0
local dependency = bare * C(path) + C((1 - S ".,?\n")^1 * path)

local attribute = C " ..." * use + C(" " * up_to "={") * use * C "}"
local tag = use + C((1 - S " />\n<{")^1)
local children = (C "{" * use * C "}")^0

-- }== Instructions ======================================================

local member = C "." * rest
local computed = C "[" * use * C "]"
local set = C " = " * use
local property_name = C("." * (1 - (P " = " * effect + "\n"))^0)
local origin = C((1 - S "\n")^1)

--- Of the values that start with a word, what follows it.
M.VALUES = {
  Array = C " [" * list(C "<hole>" + spread(use), ", ") * C "]",
  Await = C " " * use,
  Binary = C " " * use * C(" " * up_to " ") * use,
  Call = C " " * use * arguments,
  ComputedDelete = C " " * use * computed,
  ComputedLoad = C " " * use * computed,
  ComputedStore = C " " * use * computed * set,
  Debugger = P(true),
  DeclareContext = C(" " * lvalue) * kept,
  DeclareLocal = C(" " * lvalue) * def,
  Destructure = C(" " * lvalue) * destructured * set,
  FinishMemoize = C " decl=" * use * C(P " pruned"^-1),
  Function = C(" " * up_to " @context[") * list(use, ",") * C("] @aliasingEffects=[]"),
  GetIterator = C " collection=" * use,
  IteratorNext = C " iterator=" * use * C " collection=" * use,
  JSX = C " <" * tag * attribute^0 * C(P " "^-1)
    * (C "/>" + C ">" * children * C "</" * tag * C ">"),
  JSXText = C(" " * json),
  JsxFragment = C " [" * list(use, ", ") * C "]",
  LoadContext = C " " * use,
  LoadGlobal = origin,
  LoadLocal = C " " * use,
  MetaProperty = C " " * rest,
  MethodCall = C " " * use * C "." * use * arguments,
  New = C " " * use * arguments,
  NextPropertyOf = C " " * use,
  Object = C " { " * list(key * use + C "[" * use * C "]: " * use + C "..." * use, ", ") * C " }",
  PostfixUpdate = C " " * def * set * C(" " * (P "++" + "--")),
  PrefixUpdate = C " " * def * C(" = " * (P "++" + "--") * " ") * use,
  PropertyDelete = C " " * use * member,
  PropertyLoad = C " " * use * member,
  PropertyStore = C " " * use * property_name * set,
  RegExp = C " /" * rest,
  StartMemoize = C " deps=" * (C "(none)" + list(dependency, ",")),
  StoreContext = C(" " * lvalue) * use * set,
  StoreGlobal = C(" " * up_to " = ") * use,
  StoreLocal = C(" " * lvalue) * def * set,
  TypeCast = C " " * use * C ": " * rest,
  Unary = C " " * use,
  UnsupportedNode = C " " * rest,
}
M.VALUES.ObjectMethod = M.VALUES.Function

--- The other values, each with its kind.
M.OTHERS = {
  { "Primitive", C(primitive) },
  { "Template", C "`" * C(raw) * (C "${" * use * C("}" * raw))^0 * C "`" },
  { "TaggedTemplate", use * C("`" * raw * "`") },
}

--- The place that an instruction defines.
M.RESULT = def * C " = "

-- }== Terminals =========================================================

local branches = C " (" * use * C ") then:" * target * C " else:" * target
local test = C(" " * up_to "test:") * target * rest
local indent = P "\n" * P " "^1

--- Of a terminal, what follows the word that it starts with.
M.TERMINALS = {
  Branch = branches * C(" fallthrough:" * block),
  DoWhile = C " loop=" * target * C(" test=" * line),
  For = C " init=" * target * C(" test=" * line),
  ForIn = C " init=" * target * C(" loop=" * line),
  ForOf = C " init=" * target * C(" test=" * line),
  Goto = C(P "(Continue)"^-1 * " ") * target,
  If = branches * C((" fallthrough=" * block)^-1),
  Label = C " block=" * target * C(" fallthrough=" * line),
  Logical = test,
  MaybeThrow = C " continuation=" * target * C " handler=" * target,
  Optional = test,
  Return = C(" " * R("az", "AZ")^1 * " ") * use,
  Sequence = C " block=" * target * C(" fallthrough=" * line),
  Switch = C " (" * use * C ")"
    * (C(indent * "Case ") * use * C ": " * target + C(indent * "Default: ") * target)^0
    * C((indent * "Fallthrough: " * block)^-1),
  Ternary = test,
  Throw = C " " * use,
  Try = C " block=" * target * C(" handler=" * block)
    * (C " handlerBinding=(" * use * C ")")^-1 * C(" fallthrough=" * line),
  Unreachable = P(true),
  Unsupported = P(true),
  While = C " test=" * target * C(" loop=" * line),
}

-- }== Other lines =======================================================

--- The first line of a function.
M.HEADER = C((1 - S "(\n")^1 * "(") * list(spread(def), ", ") * C "): " * kept

--- A phi: its place, and a block and a place for each operand.
M.PHI = use * C ": phi(" * list(target * C ": " * use, ", ") * C ")"

-- Each pattern captures its pieces as a list, and the position after them.
local function whole(it) return Ct(it) * Cp() end

for _, patterns in ipairs { M.VALUES, M.TERMINALS } do
  for kind, it in pairs(patterns) do patterns[kind] = whole(it) end
end
for _, other in ipairs(M.OTHERS) do other[2] = whole(other[2]) end
M.RESULT, M.HEADER, M.PHI = whole(M.RESULT), whole(M.HEADER), whole(M.PHI)

--- Matches a pattern.
---@param pattern any one of the above
---@param text string
---@param at integer
---@return table? pieces nil if it does not match
---@return integer after the position after them, or one up to which it does match
function M.match(pattern, text, at)
  reached = at
  local pieces, after = pattern:match(text, at)
  return pieces, after or reached
end

return M
