-- ARCHITECTURE.md, CONTRIBUTING.md and docs/ speak of what exists: the map is the
-- one that the code draws, each function named is one of ours. (site_spec checks links.)
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local output = require("tools.rooms").output

-- The changelog is about what was, too.
local documents = output [[ls README.md ARCHITECTURE.md CONTRIBUTING.md docs/*.md \
  docs/*/*.md examples/*.md examples/*/*.md]]

-- All identifiers of the sources, as keys.
local function identifiers()
  local known = {}
  for _, path in ipairs(output "find src -name '*.[ch]'") do
    for name in file.read(path):gmatch "p[hl]_[%w_]+" do known[name] = true end
  end
  return known
end

it("the map is the one that `make map` draws", function()
  assert(os.execute(interpreter() .. " tools/map.lua --check"))
end)

it("documents name functions that exist", function()
  local known = identifiers()
  for _, path in ipairs(documents) do
    for name in file.read(path):gmatch "`(p[hl]_[%w_]+)`" do -- the changelog has old names, too
      assert(known[name] or path == "CHANGELOG.md", ("%s: `%s` is not in src"):format(path, name))
    end
  end
end)

it("what phial.core and its writings have, some file of Lua calls", function()
  local lua = table.concat(output "find lua examples -name '*.lua' | xargs cat", "\n")
  for _, path in ipairs(output "find src/binding -name '*.c'") do
    for of, name in file.read(path):gmatch '{PL_OF_(%u+), "(%l[%w_]+)"' do
      local call = ({ MODULE = "%f[%w]core%.", WRITING = "%f[%w]w:" })[of]
      assert(not call or lua:find(call .. name .. "%f[^%w_]"), name .. " has no caller: " .. path)
    end
  end
end)
