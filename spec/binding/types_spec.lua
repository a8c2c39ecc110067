-- types/phial.lua declares exactly what the module has.
local differences = require "spec.support.differences"
local file = require "spec.support.file"
local handles_of = require "spec.support.handles"
local phial = require "phial"

local source = file.read "types/phial.lua"

local handles = handles_of "f"
local fn = handles.Function
handles.Event = nil -- it has fields
handles.Op = phial.dialect("d", { op = {} }).op
handles.Rules = phial.rules()
handles.Library = phial.parse("fn f() {\nentry:\n  ret\n}\n"):compile()

local m = phial.module "m"
handles.Module, handles.Global, handles.Ref = m, m:global("g", 8), m:ref "g"
handles.CallGraph, handles.Instance = m:callgraph(), m:instance()
handles.Record = phial.record(phial.fn "g")
phial.build("b", {}, nil, function(b) handles.Builder = b end)

-- The methods of what the emitters of C and LLVM IR give to what writes an op of a dialect.
local sites = {}
local function note(emitter)
  return function(_, _, site)
    sites[emitter] = {}
    for name, it in pairs((getmetatable(site) or { __index = site }).__index) do
      if type(it) == "function" then sites[emitter][name] = true end
    end
    return ""
  end
end
local written = phial.dialect("w", { op = { c = note "c", llvm = note "llvm" } })
local writing = phial.fn("w", {}, nil, { dialects = { written } })
writing:entry():emit(written.op)
writing:entry():ret()
writing:finish()
for _, emitter in ipairs { "c", "llvm" } do phial.emit[emitter](writing) end

local function sorted(set)
  local out = {}
  for name in pairs(set) do out[#out + 1] = name end
  table.sort(out)
  return out
end

-- The methods of a class, with inherited ones.
local function declared(class)
  local set, owner = {}, class
  while owner do
    for name in source:gmatch("\nfunction " .. owner .. "[:.]([%w_]+)%(") do set[name] = true end
    owner = source:match("%-%-%-@class phial%." .. owner .. ": phial%.(%w+)")
  end
  return sorted(set)
end

-- Says in a line each which methods are not declared, or do not exist.
local function compare(methods, class)
  local said = differences(sorted(methods), "phial." .. class, declared(class), "types/phial.lua")
  assert(said == "", said)
end

describe("types/phial.lua", function()
  for class, handle in pairs(handles) do
    it("has the methods of phial." .. class, function()
      assert.equal("phial." .. class, getmetatable(handle).__name)
      assert.equal("table", type(getmetatable(handle).__index))
      compare(getmetatable(handle).__index, class)
    end)
  end

  for emitter, methods in pairs(sites) do
    it("has the methods of phial.Site, as phial.emit." .. emitter .. " has them", function()
      methods.label = true -- LLVM IR only, says its comment
      compare(methods, "Site")
    end)
  end

  it("has methods of no other classes", function()
    local parts = { Memory = true,
      Ops = true, Point = true, End = true, Term = true, M = true, Site = true }
    for class in source:gmatch "\nfunction (%u%w*)[:.]" do
      assert.truthy(parts[class] or handles[class], class)
    end
  end)

  it("has what the module offers", function()
    local offered = {}
    for name, it in pairs(phial) do
      if type(it) == "function" then offered[name] = true end
    end
    compare(offered, "M")
    assert.truthy(source:find("---@field _VERSION", 1, true))
    assert.equal("string", type(phial._VERSION))
  end)

  it("has the operators of values that have a meaning", function()
    local not_declared = { -- Lua's own business, or there to be refused
      __name = true, __index = true, __tostring = true, __eq = true,
      __lt = true, __le = true, __idiv = true, __mod = true,
    }
    local events, operators = {}, {}
    for event in pairs(getmetatable(fn:arg(1))) do
      if not not_declared[event] then events[event:sub(3)] = true end
    end
    for name in source:gmatch("\n%-%-%-@operator (%w+)") do operators[name] = true end
    assert.same(sorted(events), sorted(operators))
  end)

  it("describes every method", function()
    for line, name in source:gmatch("([^\n]*)\nfunction ([%w:.]+)%(") do
      assert.equal("---", line:sub(1, 3), name)
    end
  end)

  -- Ops whose arguments are not their operands.
  local OF_BLOCKS <const> = {
    phi = true, call = true, proj = true, alloca = true, address = true, trap_if = true,
  }

  -- Ops of values that reads make, or `emit`; those that a method of another name makes.
  local OF_OTHERS <const> = {
    refine = true, may = true, call_indirect = true, tail_call_indirect = true,
    load_unaligned = true, store_unaligned = true,
  }

  it("has a method of a block and of a value for each op that is an instruction", function()
    local of_values = getmetatable(fn:arg(1)).__index
    for _, op in ipairs(phial.ops()) do
      if not op.leaf and not OF_OTHERS[op.name] then
        assert.equal("function", type(fn:entry()[op.name]), op.name)
        local special = op.terminator or OF_BLOCKS[op.name]
        assert.equal(special and "nil" or "function", type(rawget(of_values, op.name)), op.name)
      end
    end
  end)
end)
