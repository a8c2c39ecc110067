-- The call graph of a module: callers, callees, strongly connected components.
local callees = require "phial.code.callees"
local errors = require "phial.errors"
local new_class = require "phial.handle"
local strongly = require "phial.strongly"

local M = {}

-- Behind a call graph are its nodes, and the functions in order.
local class = new_class "phial.CallGraph"
local of = class.of

---@class phial.CallGraph
local CallGraph = class.methods -- types/phial.lua says what they take and return

local CALLS <const> = {
  call = true, call_indirect = true, tail_call = true, tail_call_indirect = true,
}

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
    local data = callees.SYMBOLIC[op] and v:data()
    if type(data) == "string" then data = graph.symbols[data] end
    local known = errors.class(data) == "phial.Function"
    if known and op ~= "address" then
      connect(graph, fn, data)
    elseif CALLS[op] then
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
  local graph = { nodes = {}, list = {}, symbols = state.symbols }
  for _, list in ipairs { state.declarations, state.functions } do
    for _, fn in ipairs(list:all()) do
      graph.nodes[fn] = { callees = {}, callers = {}, calls = {} }
      graph.list[#graph.list + 1] = fn
    end
  end
  for _, fn in ipairs(state.functions:all()) do add_function(graph, fn) end
  return class.new(graph)
end

local function node_of(self, fn, method)
  return of(self, method).nodes[fn] or errors.arg(method, 1, "a function of the module", fn)
end

local function copy(list) return table.move(list, 1, #list, 1, {}) end

--- The functions that a function calls, each once, in order of their first calls.
function CallGraph:callees(fn) return copy(node_of(self, fn, "callees").callees) end

--- The functions of the module that call a function, each once.
function CallGraph:callers(fn) return copy(node_of(self, fn, "callers").callers) end

--- True if a function calls what the graph does not know: Lua functions, or through a pointer.
function CallGraph:calls_unknown(fn) return node_of(self, fn, "calls_unknown").unknown == true end

--- True if the address of a function is taken, so that calls through pointers may reach it.
function CallGraph:is_address_taken(fn)
  return node_of(self, fn, "is_address_taken").taken == true
end

--- The strongly connected components, callees before callers: lists of functions that can
--- reach one another. A function alone calls itself if it is its own callee.
function CallGraph:sccs()
  local graph = of(self, "sccs")
  local _, members = strongly.components(graph.list, function(fn, f)
    for _, callee in ipairs(graph.nodes[fn].callees) do
      if graph.nodes[callee] then f(callee) end
    end
  end)
  return members
end

return M
