-- What Lua refuses, phial.source refuses; where luacheck's parser does not, for Lua's reason. The
-- chunks are of Lua's own tests, and others; then files of this repository, with damage.
local assert = require "spec.support.assert"
local file = require "spec.support.file"
local parser = require "phial.source.luacheck"
local source = require "phial.source"
local under = require "spec.support.under"

-- True if both accept a text. What luacheck's parser refuses has reasons in other words.
local function compare(text)
  local chunk, theirs = load(text, "=s", "t")
  local program, ours = source.parse(text, { name = "s" })
  assert.equal(chunk ~= nil, program ~= nil, ("%s\n%s\n%s"):format(theirs, ours, text))
  if program then return true end
  if parser.parse(text) then
    assert.equal((theirs:gsub("^s:%d+: ", "")), (ours:gsub("^s:%d+:%d+: ", "")), text)
  end
  return false
end

local PARTS <const> = {
  "", "end", "do", "::a::", "goto a", "local a", "local b <const> = 1", "<close>", "<foo>", "break",
  "return", "nil", "...", "1LL", "2i", "(", ")", "{", "}", "else", "until x", "a = 1", "'", "[[",
}

-- A text with one to three tokens changed.
local function damaged(text, random)
  local tokens = {}
  for space, token in text:gmatch "(%s*)([%w_]*[^%w_%s]?)" do
    tokens[#tokens + 1] = space
    tokens[#tokens + 1] = token
  end
  for _ = 1, random(3) do
    tokens[random(#tokens)] = (" %s "):format(PARTS[random(#PARTS)])
  end
  return table.concat(tokens)
end

describe("phial.source and Lua agree on", function()
  it("chunks that are mostly wrong", function()
    local refused = 0
    for line in file.read "spec/source/chunks.txt":gmatch "[^\n]+" do
      if not compare(line) then refused = refused + 1 end
    end
    assert(refused > 100)
  end)

  it("damaged files", function()
    local seed = tonumber(os.getenv "SEED") or os.time()
    math.randomseed(seed)
    local files = {}
    for path in io.popen "find lua -name '*.lua' | LC_ALL=C sort":lines() do
      local text = file.read(path)
      if #text < 2000 then files[#files + 1] = text end
    end
    for _ = 1, under.brief and 100 or 2000 do
      local text = damaged(files[math.random(#files)], math.random)
      local ok, why = pcall(compare, text)
      assert(ok, ("SEED=%d\n%s"):format(seed, tostring(why)))
    end
  end)
end)
