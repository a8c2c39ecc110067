-- Lua 5.5 refuses an assignment to the first variable of a loop: the module has none, by its own
-- analysis.
local rooms = require "tools.rooms"
local source = require "phial.source"

-- Notes, of a syntax tree, the first names of loops, and the names that are assigned.
local function walk(node, loops, assigned)
  if node.tag == "Forin" then
    loops[node[1][1]] = true
  elseif node.tag == "Fornum" then
    loops[node[1]] = true
  elseif node.tag == "Set" then
    table.move(node[1], 1, #node[1], #assigned + 1, assigned)
  end
  for _, inner in ipairs(node) do
    if type(inner) == "table" then walk(inner, loops, assigned) end
  end
end

local function mistakes(program)
  local loops, assigned, lines = {}, {}, {}
  walk(program:functions()[1].node, loops, assigned)
  for _, name in ipairs(assigned) do
    local variable = name.tag == "Id" and program:variable(name)
    if variable and loops[variable.node] then
      lines[#lines + 1] = ("%d: %s"):format(program:range(name), name[1])
    end
  end
  return lines
end

it("an assignment to the first variable of a loop is found", function()
  local program = source.parse("for i = 1, 2 do\n  i = 3\n  local i = 4\n  i = 5\nend\n"
    .. "for k, v in next, {} do\n  v = 1\n  k = v\nend")
  assert.same({ "2: i", "8: k" }, mistakes(program))
end)

it("no file of the module has one", function()
  for _, path in ipairs(rooms.output "find lua bin/phial -name '*.lua' -o -name phial -type f") do
    assert.same({}, mistakes(assert(source.load(path))), path)
  end
end)
