-- The language server's protocol, without a client: what is sent is a file.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local file = require "spec.support.file"
local under = require "spec.support.under"

local has_json, json = pcall(require, "dkjson")

local function frame(message)
  local text = type(message) == "string" and message or json.encode(message)
  return ("Content-Length: %d\r\n\r\n%s"):format(#text, text)
end

local server = command_of "lint/bin/phial-lsp"

-- What the server answers to an input, and its exit status.
local function answers(input)
  local path, list, at = os.tmpname(), {}, 1
  file.write(path, input)
  local text, err, status = server("<" .. path)
  os.remove(path)
  assert.equal("", err)
  while at <= #text do
    local length, start = text:match("^Content%-Length: (%d+)\r\n\r\n()", at)
    at = start + tonumber(length)
    list[#list + 1] = assert(json.decode(text:sub(start, at - 1), 1, json.null))
  end
  return list, status
end

local START <const> = { id = 0, method = "initialize", params = { capabilities = {} } }
local DONE <const> = { { id = "end", method = "shutdown" }, { method = "exit" } }

-- A session: texts are frames, tables are messages. Its answers, without those to its begin and
-- end.
local function session(start, ...)
  local parts = { frame(start) }
  for _, it in ipairs { ... } do parts[#parts + 1] = type(it) == "table" and frame(it) or it end
  local list, status = answers(table.concat(parts) .. frame(DONE[1]) .. frame(DONE[2]))
  assert.equal(0, status)
  assert.equal("end", table.remove(list).id)
  return list, table.remove(list, 1)
end

local URI <const> = "file:///a.lua"

local function notify(method, it)
  it.textDocument = it.textDocument or { uri = URI }
  return { method = "textDocument/" .. method, params = it }
end

local function open(text)
  return notify("didOpen", { textDocument = { uri = URI, text = text, version = 1 } })
end

local function hover(line, character)
  local it = notify("hover", { position = { line = line, character = character } })
  it.id = 1
  return it
end

-- What was published last, as texts.
local function shown(list)
  local found
  for _, it in ipairs(list) do
    found = it.method == "textDocument/publishDiagnostics" and it.params.diagnostics or found
  end
  local texts = {}
  for i, it in ipairs(found) do
    local from, to = it.range.start, it.range["end"]
    texts[i] = ("%d:%d-%d:%d %s"):format(from.line, from.character, to.line, to.character,
      it.message)
  end
  return table.concat(texts, "; ")
end

-- Answers to damage: what it is, and the codes.
local WRONG <const> = {
  { "not JSON", "{", -32700 }, { "nothing", "", -32700 }, { "two values", "{} {}", -32700 },
  { "a list", "[]", -32600 }, { "a number", "1", -32600 }, { "false", "false", -32600 },
  { "null", "null", -32600 }, { "no method", [[{"id":1}]], -32600 },
  { "a method that is a number", [[{"id":1,"method":2}]], -32600 },
  { "an unknown method", [[{"id":1,"method":"what"}]], -32601 },
  { "no parameters", [[{"id":1,"method":"textDocument/hover"}]], -32602 },
  { "null as parameters", [[{"id":1,"method":"textDocument/hover","params":null}]], -32602 },
  { "a document that is a text",
    [[{"id":1,"method":"textDocument/hover","params":{"textDocument":"a"}}]], -32602 },
  { "no position",
    [[{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"a"}}}]], -32602 },
  { "a negative line", [[{"id":1,"method":"textDocument/hover","params":{"textDocument":]]
    .. [[{"uri":"a"},"position":{"line":-1,"character":0}}}]], -32602 },
  { "a text that is a number", [[{"id":1,"method":"textDocument/didOpen","params":]]
    .. [[{"textDocument":{"uri":"a","text":1}}}]], -32602 },
  { "a change of what is not open", [[{"id":1,"method":"textDocument/didChange","params":]]
    .. [[{"textDocument":{"uri":"a"},"contentChanges":[]}}]], -32602 },
  { "initialize, again", [[{"id":1,"method":"initialize","params":{}}]], -32600 },
  { "nested deeply", ("["):rep(100000), -32700 },
}

-- {== Damage ==========================================================

local GOOD <const> = '{"jsonrpc":"2.0","id":"damaged","method":"textDocument/hover","params":'
  .. '{"textDocument":{"uri":"file:///a.lua"},"position":{"line":0,"character":6}}}'

-- A frame with a few bytes cut, inserted or changed, or a length that is wrong.
local function damaged(random)
  local text = frame(GOOD)
  if random(4) == 1 then
    local lengths = { "-1", "x", "", "1e9", "99999999999999999999", "4000000000", #GOOD - 1 }
    local length = lengths[random(#lengths + 3)] or #GOOD + random(300)
    text = ("Content-Length: %s\r\n\r\n%s"):format(length, GOOD)
  end
  for _ = 1, random(3) do
    local at, size = random(#text), random(2) == 1 and random(#text) or 1
    local new = random(3) == 1 and "" or string.char(random(256) - 1):rep(random(3))
    text = text:sub(1, at - 1) .. new .. text:sub(at + size)
  end
  return text
end

describe("the server's protocol:", function()
  if not has_json then return end

  it("what is wrong is answered, and ends nothing", function()
    local parts = {}
    for _, case in ipairs(WRONG) do
      parts[#parts + 1], parts[#parts + 2] = frame(case[2]), hover(0, 0)
    end
    local list = session(START, table.unpack(parts))
    for i, case in ipairs(WRONG) do
      assert.equal(case[3], list[2 * i - 1].error.code, case[1])
      assert.same({ jsonrpc = "2.0", id = 1, result = json.null }, list[2 * i], case[1])
    end
    assert.equal(2 * #WRONG, #list)
  end)

  it("requests before and after their time fail", function()
    local list = answers(frame(hover(0, 0)) .. frame(START) .. frame(DONE[1]) .. frame(hover(0, 0)))
    assert.equal(-32002, list[1].error.code)
    assert.equal(-32600, list[4].error.code)
    assert.equal(1, select(2, answers(frame(DONE[2]))))
  end)

  it("each whole frame between damaged ones is answered, in order", function()
    local seed = tonumber(os.getenv "SEED") or os.time()
    local n = (tonumber(os.getenv "RUNS") or under.brief and 1 or 10) * 1000
    math.randomseed(seed)
    local parts, next_id = { open "local x = 1\nreturn x\n" }, 0
    for i = 1, math.min(n, 10000) do
      parts[#parts + 1] = damaged(math.random)
      parts[#parts + 1] = { id = i, method = "textDocument/none" }
    end
    for _, message in ipairs(session(START, table.unpack(parts))) do
      if math.type(message.id) == "integer" and message.error.code == -32601 then
        next_id = next_id + 1
        assert.equal(next_id, message.id, "SEED=" .. seed)
      end
    end
    assert.equal(math.min(n, 10000), next_id, "SEED=" .. seed)
  end)
end)

-- }== Documents =======================================================

describe("the server", function()
  if not has_json then return end

  it("says where a text is not Lua, and clears what is closed", function()
    local list = session(START, open "local x = (\n", notify("didClose", {}))
    assert.equal("1:0-1:0 expected expression near <eof>", shown { list[1] })
    assert.equal("", shown(list))
  end)

  it("counts in the units that are negotiated", function()
    for encoding, expected in pairs {
      ["utf-8"] = "1:20-1:21", ["utf-16"] = "1:18-1:19", ["utf-32"] = "1:17-1:18",
    } do
      local start = { id = 0, method = "initialize", params = { capabilities = {
        general = { positionEncodings = { "utf-7", encoding } } } } }
      local text = "local x = nil\nlocal y = '\u{1F600}' .. x return y"
      local list, first = session(start, open(text), hover(1, tonumber(expected:match ":(%d+)-")))
      assert.equal(encoding, first.result.capabilities.positionEncoding)
      assert.equal(expected .. " 'x' is nil where it is an operand", shown(list))
      assert.equal("`x` has its value from line 1", list[2].result.contents.value)
    end
  end)

  it("takes parts of texts, in order", function()
    local function at(line, from, to, text)
      return { text = text, range = {
        start = { line = line, character = from }, ["end"] = { line = line, character = to },
      } }
    end
    local list = session(START, open "local \u{1F600}", notify("didChange", { contentChanges = {
      at(0, 8, 8, " = 1\n"), at(0, 6, 8, "it"), at(1, 0, 9, "return it, x"), at(0, 8, 8, ", x"),
    } }))
    assert.equal("0:10-0:11 variable 'x' is never set", shown(list))
  end)

  it("looks once at changes that come together", function()
    local start = { id = 0, method = "initialize", params = { capabilities = {
      workspace = { configuration = true } } } }
    local parts = { open "local a" }
    for i = 1, 20 do
      parts[#parts + 1] = notify("didChange", { contentChanges = { { text = "local a" .. i } } })
    end
    parts[#parts + 1] = { id = "changed", result = json.null }
    local list = session(start, table.unpack(parts))
    assert.equal("workspace/configuration", list[1].method)
    assert.equal("0:6-0:9 unused variable 'a20'", shown(list))
    assert.equal(2, #list)
  end)
end)

-- }======================================================================
