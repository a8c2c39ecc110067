-- An interpreter for While programs: executes trees over variables.
local MIN = math.mininteger

local int = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["/"] = function(a, b)
    if b == 0 or a == MIN and b == -1 then error("trap", 0) end
    return (a - math.fmod(a, b)) // b
  end,
  ["%"] = function(a, b)
    if b == 0 then error("trap", 0) end
    return math.fmod(a, b)
  end,
}

local compare = {
  ["="] = function(a, b) return a == b end,
  ["!="] = function(a, b) return a ~= b end,
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
}

local value
local values = {
  number = function(node) return node[1] end,
  boolean = function(node) return node[1] end,
  name = function(node, vars) return assert(vars[node[1]], node[1]) end,
  negate = function(node, vars) return -value(node[1], vars) end,
  arithmetic = function(node, vars)
    local a = value(node[1], vars)
    return int[node.op](a, value(node[2], vars))
  end,
  comparison = function(node, vars)
    local a = value(node[1], vars)
    return compare[node.op](a, value(node[2], vars))
  end,
  both = function(node, vars) return value(node[1], vars) and value(node[2], vars) end,
  either = function(node, vars) return value(node[1], vars) or value(node[2], vars) end,
  ["not"] = function(node, vars) return not value(node[1], vars) end,
}
function value(node, vars) return values[node.tag](node, vars) end

local execute
local statements = {
  skip = function() end,
  block = function(node, vars, print)
    for _, part in ipairs(node) do execute(part, vars, print) end
  end,
  assign = function(node, vars) vars[node[1]] = value(node[2], vars) end,
  print = function(node, vars, print) print(value(node[1], vars)) end,
  ["if"] = function(node, vars, print)
    local part = value(node[1], vars) and node[2] or node[3]
    if part then execute(part, vars, print) end
  end,
  ["while"] = function(node, vars, print)
    while value(node[1], vars) do execute(node[2], vars, print) end
  end,
}
function execute(node, vars, print) statements[node.tag](node, vars, print) end

--- Executes a tree. A trap raises "trap".
---@param tree table
---@param vars table<string, integer>
---@param print fun(value: integer)
return function(tree, vars, print) execute(tree, vars, print) end
