-- Definitions and uses of While programs, compared with those of a plain solver.
local assert = require "spec.support.assert"
local prop = require "spec.support.prop"
local reaching = require "examples.while.spec.reaching"
local variants = require "spec.support.variants"

package.path = "examples/?.lua;" .. package.path
local compile = require("while.compile").compile
local random = require "examples.while.spec.random"

local function sorted(set)
  local list = {}
  for key in pairs(set) do list[#list + 1] = key end
  table.sort(list)
  return list
end

-- How both sides name a definition: the position of an assignment, or `x before`.
local function place(from, node)
  return node.before and node.before .. " before" or ("%d:%d"):format(from:place(node.at))
end

local function where(value, name)
  if value:op() ~= "copy" then return name .. " before" end
  return ("%d:%d"):format(value:loc())
end

-- The solver's results: the definitions of each read, by position, and the
-- assignments that no read uses.
local function solved(from, tree)
  local reads, assignments = reaching.of(tree)
  local defined, used, unused = {}, {}, {}
  for node, definitions in pairs(reads) do
    local set = {}
    for _, definition in ipairs(definitions) do
      set[place(from, definition)] = true
      used[definition] = true
    end
    defined[place(from, node)] = table.concat(sorted(set), ", ")
  end
  for _, node in ipairs(assignments) do
    if not used[node] then unused[place(from, node)] = true end
  end
  return defined, sorted(unused), reads
end

local function definitions(program, reads)
  local list = {}
  for node in pairs(reads) do
    local set = {}
    for _, value in ipairs(program.reads[node]:definitions()) do
      set[where(value, node[1])] = true
    end
    list[place(program.source, node)] = table.concat(sorted(set), ", ")
  end
  return list
end

local function unused(program)
  local set = {}
  for value in program.fn:values() do
    if value:op() == "copy" and #value:users() == 0 then set[where(value)] = true end
  end
  return sorted(set)
end

-- Checks that each read that fn:undefined_reads reports may see no definition, and that it
-- reports one for each variable with such reads.
local function check_undefined(program, defined, reads)
  local told, expected = {}, {}
  for _, read in ipairs(program.fn:undefined_reads()) do
    local at = ("%d:%d"):format(read.loc.line, read.loc.col)
    assert.matches(read.var:name() .. " before", defined[at], 1, true)
    told[read.var:name()] = true
  end
  for node in pairs(reads) do
    if defined[place(program.source, node)]:find "before" then expected[node[1]] = true end
  end
  assert.same(expected, told)
end

local function compare(text, opts)
  local program = assert(compile("random.while", text, nil, opts))
  local defined, none, reads = solved(program.source, program.tree)
  assert.same(defined, definitions(program, reads))
  assert.same(none, unused(program))
  check_undefined(program, defined, reads)
end

describe("definitions and users say what a plain solver says", function()
  for _, construction in ipairs(variants) do
    it("construction " .. construction, function()
      prop.forall(random.program, function(text)
        compare(text, { copies = true, construction = construction })
      end)
    end)
  end
end)
