-- An interpreter for tinylang: executes the trees of a checked program. Each variable is
-- a box, which VAR parameters share.
local M = {}

local function trap() error("trap", 0) end

local operations = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  DIV = function(a, b)
    if b == 0 or a == math.mininteger and b == -1 then trap() end
    return (a - math.fmod(a, b)) // b
  end,
  MOD = function(a, b)
    if b == 0 then trap() end
    return math.fmod(a, b)
  end,
  ["="] = function(a, b) return a == b end,
  ["#"] = function(a, b) return a ~= b end,
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
}

-- {== Expressions =======================================================

local call

local value
local values = {
  number = function(node) return node.value end,
  sign = function(node, frame)
    local operand = value(node.operand, frame)
    return node.op == "-" and -operand or operand
  end,
  ["not"] = function(node, frame) return not value(node.operand, frame) end,
  call = function(node, frame) return call(node, frame) end,
}

function values.qualified(node, frame)
  local symbol = node.symbol
  if symbol.kind == "variable" then return frame.boxes[symbol].value end
  if not symbol.node then return symbol.name == "TRUE" end
  return value(symbol.node.value, frame)
end

function values.binary(node, frame)
  local left = value(node.left, frame)
  if node.op == "AND" then return left and value(node.right, frame) end
  if node.op == "OR" then return left or value(node.right, frame) end
  return operations[node.op](left, value(node.right, frame))
end

function value(node, frame) return values[node.tag](node, frame) end

-- }== Statements ========================================================

-- Returns true if a RETURN has been executed; its value is in the frame.
local execute

local statements = {}

function statements.assign(node, frame)
  frame.boxes[node.target.symbol].value = value(node.value, frame)
end

function statements.call(node, frame) call(node, frame) end

statements["if"] = function(node, frame)
  for _, part in ipairs(node) do
    if value(part.condition, frame) then return execute(part.body, frame) end
  end
  return node.otherwise and execute(node.otherwise, frame)
end

statements["while"] = function(node, frame)
  while value(node.condition, frame) do
    if execute(node.body, frame) then return true end
  end
end

statements["return"] = function(node, frame)
  frame.result = node.value and value(node.value, frame)
  return true
end

function execute(list, frame)
  for _, node in ipairs(list) do
    if statements[node.tag](node, frame) then return true end
  end
end

-- }== Calls ===========================================================

local function new_box(symbol) return { value = symbol.type == "INTEGER" and 0 } end

local function invoke(symbol, boxes)
  for _, inner in ipairs(symbol.kind == "procedure" and symbol.declared or {}) do
    if inner.kind == "variable" then boxes[inner] = new_box(inner) end
  end
  local frame = { boxes = boxes }
  if symbol.node.body then execute(symbol.node.body, frame) end
  return frame.result
end

function call(node, frame)
  local symbol = node.callee.symbol
  local boxes = setmetatable({}, { __index = getmetatable(frame.boxes).__index })
  for i, parameter in ipairs(symbol.parameters) do
    local argument = node.arguments[i]
    boxes[parameter] = parameter.by_reference and frame.boxes[argument.symbol]
      or { value = value(argument, frame) }
  end
  return invoke(symbol, boxes)
end

-- }=====================================================================

---@param program tinylang.Program
---@return table<tinylang.Symbol, { value: integer|boolean }> globals all zero
function M.globals(program)
  local globals = {}
  for _, symbol in pairs(program.procedures) do
    for _, inner in ipairs(symbol.kind == "module" and symbol.declared or {}) do
      if inner.kind == "variable" then globals[inner] = new_box(inner) end
    end
  end
  return globals
end

--- Calls a procedure, or runs the code of a module. A trap raises "trap".
---@param symbol tinylang.Symbol
---@param arguments (integer|boolean)[]
---@param globals table<tinylang.Symbol, { value: integer|boolean }>
---@return integer|boolean|nil
function M.call(symbol, arguments, globals)
  local boxes = setmetatable({}, { __index = globals })
  for i, argument in ipairs(arguments) do boxes[symbol.parameters[i]] = { value = argument } end
  return invoke(symbol, boxes)
end

return M
