-- What phial.source says of random Lua programs, by running them: the write that a read saw is
-- among those that it names.
local prop = require "spec.support.prop"
local random_lua = require "spec.support.random_lua"
local source = require "phial.source"

-- By their numbers: the names that are read, and those that are written.
local function numbered(program)
  local reads, writes = {}, {}
  local function note(targets, values)
    for i, value in ipairs(values) do
      local is_write = value.tag == "Call" and value[1][1] == "W"
      if is_write then writes[tonumber(value[2][1])] = targets[i] end
    end
  end
  local function walk(node)
    if node.tag == "Call" and node[1][1] == "R" then reads[tonumber(node[2][1])] = node[3] end
    if node.tag == "Call" and node[1][1]:find "^f" then
      writes[tonumber(node[2][1])] = program:variable(node[1]).value[1][1]
    end
    if node.tag == "Forin" then writes[tonumber(node[2][1][2][1])] = node[1][1] end
    if (node.tag == "Local" or node.tag == "Set") and node[2] then note(node[1], node[2]) end
    for _, part in ipairs(node) do
      if type(part) == "table" then walk(part) end
    end
  end
  walk(program:functions()[1].node)
  return reads, writes
end

local function has(list, it)
  for _, other in ipairs(list) do
    if other == it then return true end
  end
  return false
end

local function generate(pick)
  local case = { text = random_lua.program(pick), draws = {}, joined = pick(2) == 1 }
  setmetatable(case, { __tostring = function() return case.text end })
  for i = 1, 150 do case.draws[i] = pick(12) end
  return case
end

local function check(case, closures, values)
  local program = assert(source.parse(case.text, {
    closures = closures, values = values, refine = values, fields = values,
    unreachable = case.joined and "joined" or "apart",
  }))
  local reads, writes = numbered(program)
  random_lua.run(case.text, prop.player(case.draws), function(read, write)
    local node = reads[read]
    local written = write and writes[write] or program:variable(node).node
    assert(has(program:writes(node), written), ("read %d saw write %s"):format(read, write))
    assert(has(program:reads(written), node), ("write %s was seen by read %d"):format(write, read))
  end)
  for _, f in ipairs(program:functions()) do assert(f.fn:verify()) end
end

describe("a read of a random Lua program", function()
  for _, closures in ipairs { "calls", "creation" } do
    for _, values in ipairs { false, true } do
      it(("saw a write that it names: %s, %s"):format(closures, values), function()
        prop.forall(generate, function(case) check(case, closures, values) end, 160)
      end)
    end
  end
end)
