-- Runs a module of WebAssembly by phial and by node, and compares what both say.
local file = require "spec.support.file"
local node = require "spec.support.node"
local wasm = require "wasm.module"

local M = {}

-- {== Words ===================================================================

-- What node says of a trap, and what phial says.
local TRAPS <const> = {
  { "divide by zero", "division by zero" },
  { "remainder by zero", "division by zero" },
  { "divide result unrepresentable", "does not fit" },
  { "float unrepresentable in integer range", "does not fit" },
  { "element segment out of bounds", "table index is out of bounds" },
  { "Maximum call stack size", "overflow" },
}

local SAME <const> = { "unreachable", "memory access out of bounds", "table index is out of bounds",
  "null function or function signature" }
for _, text in ipairs(SAME) do table.insert(TRAPS, { text, text }) end

-- The trap that a message is about, in phial's words.
local function trap_of(message, side)
  for _, texts in ipairs(TRAPS) do
    if message:find(texts[side], 1, true) then return texts[2] end
  end
  return message
end

-- Numbers but for i64 by their bits as f64, as node has them.
local function shown(types, values, from)
  local list = {}
  for i, type in ipairs(types) do
    local value = values[from + i - 1]
    if type == "i64" then list[i] = ("%d"):format(value)
    elseif value ~= value then list[i] = "nan"
    else list[i] = ("%016x"):format((">i8"):unpack((">d"):pack(value))) end
  end
  return table.concat(list, " ")
end

-- }== Calls ===================================================================

local ARGUMENTS <const> = { 0, 1, 7, -3, 100 }

-- The calls that the module can take, as it takes them: of each export, or those of `wanted`.
local function calls_of(m, wanted)
  local list = {}
  for _, it in ipairs(wanted or m.exports) do
    local name = it.name or it[1]
    local f = m.exported[name]
    if f and not f.module then
      local call = { name, text = it.text }
      for p in ipairs(f.type.params) do
        call[p + 1] = it[p + 1] or ARGUMENTS[p % #ARGUMENTS + 1]
      end
      list[#list + 1] = call
    end
  end
  return list
end

-- The calls as node's script reads them.
local function for_node(m, calls)
  local lines = {}
  for i, call in ipairs(calls) do
    local f, words = m.exported[call[1]], { call[1], call.text or "" }
    for p, type in ipairs(f.type.params) do words[p + 2] = ("%s:%d"):format(type, call[p + 1]) end
    lines[i] = table.concat(words, "\t")
  end
  return table.concat(lines, "\n")
end

-- What the program imports: functions that log their arguments and return zeros.
local function imports(m, lines)
  local env = {}
  for _, f in ipairs(m.funcs) do
    if f.module then
      env[f.symbol] = function(...)
        lines[#lines + 1] = ("%s %s"):format(f.name, shown(f.type.params, { ... }, 1))
        if f.type.results[1] then return 0 end
      end
    end
  end
  return env
end

-- What phial says of the calls, line by line, and the bytes of the memory.
local function run(module, m, calls, flags)
  local lines, program = {}, nil
  local env = imports(m, lines)
  function env.wasm_grow(n) return program:grow("wasm_memory", n) and 1 or 0 end
  program = flags and module:compile { env = env, flags = flags } or module:instance { env = env }
  local function attempt(name, results, symbol, ...)
    local got = table.pack(pcall(program.call, program, symbol, ...))
    lines[#lines + 1] = ("%s: %s"):format(name,
      got[1] and shown(results, got, 2) or "trap " .. trap_of(got[2], 2))
    return got[1] and got[2]
  end
  if attempt("start", {}, "wasm_init") ~= false then
    for _, call in ipairs(calls) do
      local f = m.exported[call[1]]
      local result = attempt(call[1], f.type.results, f.symbol, table.unpack(call, 2))
      if call.text then program:set_bytes(program:address "wasm_memory" + result, call.text) end
    end
  end
  return lines, program:bytes "wasm_memory"
end

-- }== Comparison ==============================================================

local SCRIPT <const> = debug.getinfo(1, "S").source:match "^@(.*/)" .. "reference.js"

local function first_difference(a, b)
  local at = 1
  while a:byte(at) == b:byte(at) do at = at + 1 end
  return at - 1
end

--- What differs for the module in a file; nil: nothing does.
---@param path string
---@param flags string? those of the C compiler, for native code instead of the interpreter
---@param calls? any[][] exports, with arguments, of which those count that the module has; where
--- there is a `text`, it is then written to the address that the export returned. Without a list,
--- each export is called
---@return string? difference
---@return integer calls
function M.differs(path, flags, calls)
  local module, m = wasm.translate(file.read(path), path, {})
  local called = calls_of(m, calls)
  local memory = os.tmpname()
  local said, good = node.run(("%s '%s' %s"):format(SCRIPT, path, memory), for_node(m, called))
  if not good then return said, #called end
  local expected = file.read(memory)
  os.remove(memory)
  local lines, bytes = run(module, m, called, flags)
  local n = 0
  for line in said:gmatch "[^\n]+" do
    n = n + 1
    line = line:gsub("trap (.*)$", function(message) return "trap " .. trap_of(message, 1) end)
    if line ~= lines[n] then return ("node: %s; phial: %s"):format(line, lines[n]), n end
  end
  if n ~= #lines then return "phial: " .. lines[n + 1], n end
  if expected ~= "" and expected ~= bytes then
    return ("memory differs from 0x%x on"):format(first_difference(expected, bytes)), n
  end
  return nil, n
end

return M
