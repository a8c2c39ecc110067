-- A language server: reports and explanations in an editor, and which writes reach a read. It reads
-- requests from its input, one after the other, and has the whole text of each document. The client
-- waits until nobody has typed for some time, as Neovim does for 150 ms.
local here = arg[0]:match "^(.*[/\\])" or "./"
package.path = here .. "../?.lua;" .. package.path

local json = require "dkjson"
local lint = require "lint.lint"

---@class lint.Document
---@field reports lint.Reports? of the last text that is Lua
---@field names table<integer, lint.Name[]>? by line

---@class lint.Name a place where a variable is read or written
---@field col integer
---@field end_col integer
---@field node table
---@field is_write boolean

local documents = {} ---@type table<string, lint.Document>

-- {== Messages ========================================================

-- The next message; nil at the end of the input.
local function receive()
  local length
  for line in io.lines() do
    line = line:gsub("\r$", "")
    if line == "" then break end
    length = line:match "^[Cc]ontent%-[Ll]ength: *(%d+)" or length
  end
  local text = length and io.read(tonumber(length))
  return text and json.decode(text, 1, json.null)
end

local function send(message)
  message.jsonrpc = "2.0"
  local text = json.encode(message)
  io.write(("Content-Length: %d\r\n\r\n%s"):format(#text, text))
  io.flush()
end

local function answer(request, result)
  send { id = request.id, result = result == nil and json.null or result }
end

-- }== Diagnostics =====================================================

local function range(line, col, end_line, end_col)
  return {
    start = { line = line - 1, character = col - 1 },
    ["end"] = { line = end_line - 1, character = end_col },
  }
end

local WARNING <const>, HINT <const> = 2, 4

local function diagnostic(uri, report)
  local related = {}
  for i, step in ipairs(report.steps) do
    related[i] = {
      location = { uri = uri, range = range(step.line, step.col, step.line, step.col) },
      message = step.text,
    }
  end
  local is_unused = report.code:find "^2" ~= nil
  return {
    range = range(report.line, report.col, report.end_line, report.end_col),
    severity = is_unused and HINT or WARNING, code = report.code, source = "lint",
    message = report.message, tags = is_unused and { 1 } or nil,
    relatedInformation = #related > 0 and related or nil,
  }
end

-- While a text is not Lua, the reports on the one before stay. Memory is collected when they are
-- sent: a check keeps about half of what it allocates, 11 MB for 5,000 lines.
local function check(uri, text)
  local document = documents[uri] or {}
  documents[uri] = document
  collectgarbage "stop"
  local reports = lint.text(text)
  collectgarbage "restart"
  if not reports then return end
  document.reports, document.names = reports, nil
  local list = setmetatable({}, { __jsontype = "array" })
  for i, report in ipairs(reports) do list[i] = diagnostic(uri, report) end
  send {
    method = "textDocument/publishDiagnostics", params = { uri = uri, diagnostics = list },
  }
  collectgarbage()
end

-- }== Hover ===========================================================

-- What writes a parameter has no node; in a closure, what writes a captured variable.
local function note(names, program, f, access)
  local node, var = access:node(), access:var()
  local v = var and var:data()
  if not node and v and v.owner == f then node = v.node end
  if not v or not node or program:variable(node) ~= v or access:is_may_write() then return end
  local line, col, _, end_col = program:range(node)
  if not line then return end
  names[line] = names[line] or {}
  table.insert(names[line], {
    col = col, end_col = end_col, node = node, is_write = access:is_write(),
  })
end

local function names_of(program)
  local names = {}
  for _, f in ipairs(program:functions()) do
    for _, access in ipairs(f.fn:read_accesses()) do note(names, program, f, access) end
    for _, access in ipairs(f.fn:write_accesses()) do note(names, program, f, access) end
  end
  return names
end

-- What there is to say of a name: the lines of its writes, or of the reads that may see it.
local function told(program, name)
  local others = name.is_write and program:reads(name.node) or program:writes(name.node)
  local lines, seen = {}, {}
  for _, other in ipairs(others) do
    local line = program:range(other)
    if line and not seen[line] then seen[line], lines[#lines + 1] = true, line end
  end
  table.sort(lines)
  local what = name.is_write and "is read" or "has its value"
  if #lines == 0 then return ("`%s` %s nowhere"):format(name.node[1], what) end
  return ("`%s` %s %s line%s %s"):format(name.node[1], what, name.is_write and "on" or "from",
    #lines == 1 and "" or "s", table.concat(lines, ", "))
end

local function hover(document, position)
  if not document or not document.reports then return nil end
  local program = document.reports.program
  document.names = document.names or names_of(program)
  local col = position.character + 1
  for _, name in ipairs(document.names[position.line + 1] or {}) do
    if name.col <= col and col <= name.end_col then
      return { contents = { kind = "markdown", value = told(program, name) } }
    end
  end
  return nil
end

-- }== Requests ========================================================

local FULL <const> = 1

local requests = {}

function requests.initialize(request)
  answer(request, {
    capabilities = { textDocumentSync = { openClose = true, change = FULL }, hoverProvider = true },
    serverInfo = { name = "lint" },
  })
end

requests["textDocument/didOpen"] = function(request)
  local document = request.params.textDocument
  check(document.uri, document.text)
end

requests["textDocument/didChange"] = function(request)
  local changes = request.params.contentChanges
  check(request.params.textDocument.uri, changes[#changes].text)
end

requests["textDocument/didClose"] = function(request)
  documents[request.params.textDocument.uri] = nil
end

requests["textDocument/hover"] = function(request)
  local params = request.params
  answer(request, hover(documents[params.textDocument.uri], params.position))
end

local is_shut = false

function requests.shutdown(request)
  is_shut = true
  answer(request)
end

function requests.exit() os.exit(is_shut, true) end

local METHOD_NOT_FOUND <const> = -32601

for request in receive do
  local run = requests[request.method]
  if run then
    run(request)
  elseif request.id and request.method then
    send { id = request.id, error = { code = METHOD_NOT_FOUND, message = request.method } }
  end
end

-- }=====================================================================
