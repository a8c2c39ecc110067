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

it("what phial.core has besides what is documented, some file of Lua calls", function()
  local lua = {}
  for _, path in ipairs(output "find lua -name '*.lua'") do lua[#lua + 1] = file.read(path) end
  lua = table.concat(lua)
  for _, path in ipairs(output "find src/binding -name '*.c'") do
    for name in file.read(path):gmatch '{PL_OF_MODULE, "([%w_]+)"' do
      assert(lua:find("%f[%w]core%." .. name .. "%f[^%w_]"), name .. " has no caller: " .. path)
    end
  end
end)
