-- The call graph of a module: callers, callees, strongly connected components.
local errors = require "phial.errors"

local M = {}

---@class phial.CallGraph
local CallGraph = {}

local meta = { __index = CallGraph, __name = "phial.CallGraph" }

-- What only phial sees of a call graph: its nodes, and the functions in order.
local graphs = setmetatable({}, { __mode = "k" })

local function of(self, method)
  return graphs[self] or errors.self(method, "phial.CallGraph", self)
end

-- Adds an edge unless it exists.
local function connect(graph, from, to)
  local node = graph.nodes[from]
  if node.calls[to] then return end
  node.calls[to] = true
  node.callees[#node.callees + 1] = to
  local other = graph.nodes[to]
  if other then other.callers[#other.callers + 1] = from end
end

local function add_function(graph, fn)
  for v in fn:values() do
    local op = v:op()
    local data = (op == "call" or op == "address") and v:data()
    if type(data) == "string" then data = graph.symbols[data] end
    local known = errors.class(data) == "phial.Function"
    if known and op == "call" then
      connect(graph, fn, data)
    elseif op == "call" or op == "call_indirect" then
      graph.nodes[fn].unknown = true
    elseif known and graph.nodes[data] then
      graph.nodes[data].taken = true
    end
  end
end

--- The call graph as the functions are now.
---@param state phial.module.State
---@return phial.CallGraph
function M.new(state)
  local self, graph = setmetatable({}, meta), { nodes = {}, list = {}, symbols = state.symbols }
  for _, list in ipairs { state.declarations, state.functions } do
    for _, fn in ipairs(list:all()) do
      graph.nodes[fn] = { callees = {}, callers = {}, calls = {} }
      graph.list[#graph.list + 1] = fn
    end
  end
  for _, fn in ipairs(state.functions:all()) do add_function(graph, fn) end
  graphs[self] = graph
  return self
end

local function node_of(self, fn, method)
  return of(self, method).nodes[fn] or errors.arg(method, 1, "a function of the module", fn)
end

local function copy(list) return table.move(list, 1, #list, 1, {}) end

--- The functions that a function calls, each once, in order of their first calls.
---@param fn phial.Function
---@return phial.Function[]
function CallGraph:callees(fn) return copy(node_of(self, fn, "callees").callees) end

--- The functions of the module that call a function, each once.
---@param fn phial.Function
---@return phial.Function[]
function CallGraph:callers(fn) return copy(node_of(self, fn, "callers").callers) end

--- True if a function calls what the graph does not know: Lua functions, or through a pointer.
---@param fn phial.Function
---@return boolean
function CallGraph:calls_unknown(fn) return node_of(self, fn, "calls_unknown").unknown == true end

--- True if the address of a function is taken, so that calls through pointers may reach it.
---@param fn phial.Function
---@return boolean
function CallGraph:is_address_taken(fn)
  return node_of(self, fn, "is_address_taken").taken == true
end

-- Tarjan's algorithm (Depth-first search and linear graph algorithms, 1972), with a stack
-- of its own.
local function components(graph)
  local number, low, on, stack, out, n = {}, {}, {}, {}, {}, 0
  local function open(frames, fn)
    n = n + 1
    number[fn], low[fn], on[fn] = n, n, true
    stack[#stack + 1] = fn
    frames[#frames + 1] = { fn = fn, next = 1 }
  end
  local function close(fn)
    if low[fn] ~= number[fn] then return end
    local first = #stack
    while stack[first] ~= fn do first = first - 1 end
    local members = table.move(stack, first, #stack, 1, {})
    for i = #stack, first, -1 do
      on[stack[i]], stack[i] = nil, nil
    end
    out[#out + 1] = members
  end
  for _, root in ipairs(graph.list) do
    local frames = {}
    if not number[root] then open(frames, root) end
    while #frames > 0 do
      local top = frames[#frames]
      local callee = graph.nodes[top.fn].callees[top.next]
      top.next = top.next + 1
      if not callee then
        frames[#frames] = nil
        close(top.fn)
        local below = frames[#frames]
        if below then low[below.fn] = math.min(low[below.fn], low[top.fn]) end
      elseif not graph.nodes[callee] then
        goto continue -- of another module
      elseif not number[callee] then
        open(frames, callee)
      elseif on[callee] then
        low[top.fn] = math.min(low[top.fn], number[callee])
      end
      ::continue::
    end
  end
  return out
end

--- The strongly connected components, callees before callers: lists of functions that can
--- reach one another. A function alone calls itself if it is its own callee.
---@return phial.Function[][]
function CallGraph:sccs() return components(of(self, "sccs")) end

return M
