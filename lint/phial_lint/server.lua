-- A language server: reports and explanations in an editor, and which writes reach a read. It reads
-- messages from its input, one after the other; what is wrong with one is answered, and ends
-- nothing.
--
-- Changes are coalesced: after one, the server asks the client a question that has no content. All
-- that the client has sent by then precedes its answer, and documents are checked after that.
local lint = require "phial_lint"
local messages = require "phial_lint.messages"
local new_document = require "phial_lint.document"
local new_reports = require "phial_lint.reports"
local new_settings = require "phial_lint.settings"

local documents = {} ---@type table<string, lint.Document>
local encoding, asks = "utf-16", false -- what the client can do
local is_asked = false -- the question has no answer yet
local settings, refused ---@type lint.Settings?, string?
local client = messages.new(io.stdin, io.stdout)

-- {== Parameters ======================================================

local function fail(code, message, ...) error({ code = code, message = message:format(...) }, 0) end

-- A part of parameters, of a type; fails if there is none.
local function part(of, name, kind)
  local it = of[name]
  local is_right = kind == "integer" and math.type(it) == "integer" and it >= 0
    or kind ~= "integer" and type(it) == kind
  if not is_right then fail(messages.INVALID_PARAMS, "'%s' is not a %s", name, kind) end
  return it
end

-- The part of parameters that may be missing: a table.
local function optional(of, name)
  local it = type(of) == "table" and of[name]
  return type(it) == "table" and it or {}
end

local function uri_of(params)
  return part(part(params, "textDocument", "table"), "uri", "string")
end

local function position_of(of)
  return part(of, "line", "integer"), part(of, "character", "integer")
end

-- }== Diagnostics =====================================================

local function range(document, line, col, end_line, end_col)
  return {
    start = document:position(line, col), ["end"] = document:position(end_line, end_col + 1),
  }
end

local ERROR <const>, WARNING <const>, HINT <const> = 1, 2, 4

local function diagnostic(uri, document, report)
  local related = {}
  for i, step in ipairs(report.steps) do
    local place = range(document, step.line, step.col, step.line, step.col)
    related[i] = { location = { uri = uri, range = place }, message = step.text }
  end
  local is_unused = report.code:find "^2" ~= nil
  return {
    range = range(document, report.line, report.col, report.end_line, report.end_col),
    severity = report.is_error and ERROR or (is_unused or report.code == "712") and HINT or WARNING,
    code = report.code,
    source = "phial-lint",
    message = report.message, tags = is_unused and { 1 } or nil,
    relatedInformation = #related > 0 and related or nil,
  }
end

local function publish(uri, document, list)
  client:send { method = "textDocument/publishDiagnostics", params = {
    uri = uri, version = document and document.version, diagnostics = messages.list(list),
  } }
end

-- The path of a file; nil if a document is not one.
local function path_of(uri)
  local path = uri:match "^file://[^/]*(/.*)$"
  return path and (path:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- Frees what is not used: functions are finalized by one collection, and freed by the next.
local function free()
  collectgarbage()
  collectgarbage()
end

-- Memory is freed before a check, too, which takes half as long again if its memory is scattered
-- between what is known of the old text. A check keeps about half of what it allocates, 11 MB for
-- 5,000 lines.
local function check(uri, document)
  local path = path_of(uri)
  document.is_checked, document.reports = true, nil
  free()
  collectgarbage "stop"
  local ok, reports = pcall(lint.text, document:text(), settings, path)
  if not ok then reports = new_reports():refuse("phial-lint fails: " .. tostring(reports)) end
  document.reports = reports
  local list = {}
  for i, report in ipairs(reports) do list[i] = diagnostic(uri, document, report) end
  if settings and path and settings:excludes(path) then list = {} end
  publish(uri, document, list)
  collectgarbage "restart"
  free()
end

local function check_all()
  for uri, document in pairs(documents) do
    if not document.is_checked then check(uri, document) end
  end
end

-- Checks what has changed once the client has sent all that it has to say.
local QUESTION <const> = "changed"
local function check_later()
  if not asks then return check_all() end
  if is_asked then return end
  is_asked = true
  client:send {
    id = QUESTION, method = "workspace/configuration", params = { items = messages.list() },
  }
end

-- }== Hover ===========================================================

-- The node of an access to a variable of its function, if it is one to a name, on a line: what
-- writes a parameter has no node; in a closure, what writes a captured variable.
local function node_of(program, f, access, line)
  local node = access:node()
  if node and node.line ~= line then return nil end
  local var = access:var()
  local v = var and var:data()
  if not node and v and v.owner == f then node = v.node end
  local is_there = node and node.line == line and v and program:variable(node) == v
  return is_there and not access:is_may_write() and node or nil
end

-- The name at a place, and whether it is written.
local function name_at(program, line, col)
  for _, f in ipairs(program:functions()) do
    local first, _, last = program:range(f.node)
    local is_around = not first or first <= line and line <= last
    for _, list in ipairs(is_around and { f.fn:read_accesses(), f.fn:write_accesses() } or {}) do
      for _, access in ipairs(list) do
        local node = node_of(program, f, access, line)
        local _, from, _, to = program:range(node or {})
        if node and from <= col and col <= to then return node, access:is_write() end
      end
    end
  end
end

-- What there is to say of a name: the lines of its writes, or of the reads that may see it.
local function told(program, node, is_write)
  local others = is_write and program:reads(node) or program:writes(node)
  local lines, seen = {}, {}
  for _, other in ipairs(others) do
    local line = program:range(other)
    if line and not seen[line] then seen[line], lines[#lines + 1] = true, line end
  end
  table.sort(lines)
  local what = is_write and "is read" or "has its value"
  if #lines == 0 then return ("`%s` %s nowhere"):format(node[1], what) end
  return ("`%s` %s %s line%s %s"):format(node[1], what, is_write and "on" or "from",
    #lines == 1 and "" or "s", table.concat(lines, ", "))
end

-- }== Settings ========================================================

-- Makes the folder of the client's project the current one, where .luacheckrc is looked for.
local function enter(params)
  local folder = optional(optional(params, "workspaceFolders"), 1)
  local root = type(params.rootUri) == "string" and params.rootUri or folder.uri
  local path = type(root) == "string" and path_of(root)
  if path then require("lfs").chdir(path) end
end

local WARNING_TYPE <const> = 2

-- Reads .luacheckrc anew; says once what is wrong with it.
local function read_settings()
  local ok, it, why = pcall(new_settings)
  settings, why = ok and it or nil, not ok and it or why
  if why and why ~= refused then
    client:send {
      method = "window/showMessage", params = { type = WARNING_TYPE, message = tostring(why) },
    }
  end
  refused = why
end

-- }== Requests ========================================================

local INCREMENTAL <const> = 2

local requests, state = {}, "new"

function requests.initialize(params)
  if state ~= "new" then fail(messages.INVALID_REQUEST, "the server is initialized") end
  state = "running"
  enter(params)
  local all = optional(params, "capabilities")
  for _, name in ipairs(optional(optional(all, "general"), "positionEncodings")) do
    if name == "utf-8" or name == "utf-16" or name == "utf-32" then
      encoding = name
      break
    end
  end
  asks = optional(all, "workspace").configuration == true
  return {
    capabilities = {
      positionEncoding = encoding, hoverProvider = true,
      textDocumentSync = { openClose = true, change = INCREMENTAL },
    },
    serverInfo = { name = "phial-lsp" },
  }
end

requests["textDocument/didOpen"] = function(params)
  local it = part(params, "textDocument", "table")
  local document = new_document(part(it, "text", "string"), encoding)
  document.version = math.type(it.version) and it.version or nil
  documents[uri_of(params)] = document
  read_settings()
  check_later()
end

local function change(document, it)
  local text = part(it, "text", "string")
  if type(it.range) ~= "table" or it.range == messages.null then return document:replace(text) end
  local line, character = position_of(part(it.range, "start", "table"))
  document:replace(text, line, character, position_of(part(it.range, "end", "table")))
end

requests["textDocument/didChange"] = function(params)
  local document = documents[uri_of(params)]
  if not document then fail(messages.INVALID_PARAMS, "the document is not open") end
  local version = params.textDocument.version
  document.version = math.type(version) and version or nil
  for _, it in ipairs(part(params, "contentChanges", "table")) do
    if type(it) ~= "table" then fail(messages.INVALID_PARAMS, "a change is not an object") end
    change(document, it)
  end
  check_later()
end

requests["textDocument/didClose"] = function(params)
  local uri = uri_of(params)
  if documents[uri] then publish(uri) end
  documents[uri] = nil
end

requests["textDocument/hover"] = function(params)
  local document = documents[uri_of(params)]
  local line, character = position_of(part(params, "position", "table"))
  if document and not document.is_checked then check(uri_of(params), document) end
  local program = document and document.reports and document.reports.program
  if not program then return nil end
  local node, is_write = name_at(program, document:place(line, character))
  if not node then return nil end
  return { contents = { kind = "markdown", value = told(program, node, is_write) } }
end

function requests.shutdown() state = "shut" end

function requests.exit() os.exit(state == "shut", true) end

-- }== Messages ========================================================

local function send_error(id, code, message)
  client:send { id = id or messages.null, error = { code = code, message = message } }
end

-- What a request gives; fails as the protocol says.
local function run(message)
  local method = message.method
  if method ~= "exit" and method ~= "initialize" and state ~= "running" then
    local code = state == "new" and messages.NOT_INITIALIZED or messages.INVALID_REQUEST
    fail(code, "the server is not running")
  end
  local request = requests[method]
  if not request then fail(messages.METHOD_NOT_FOUND, "%s", method) end
  local params = message.params
  return request(type(params) == "table" and params or {})
end

local function is_id(id) return type(id) == "string" or math.type(id) ~= nil end

local function handle(message)
  local id = type(message) == "table" and is_id(message.id) and message.id or nil
  if type(message) ~= "table" or type(message.method) ~= "string" then
    local is_answer = id and (message.result ~= nil or message.error ~= nil)
    if not is_answer then return send_error(id, messages.INVALID_REQUEST, "not a request") end
    if id == QUESTION then
      is_asked = false
      check_all()
    end
    return
  end
  local ok, result = pcall(run, message)
  if not ok and type(result) ~= "table" then
    result = { code = messages.INTERNAL_ERROR, message = tostring(result) }
  end
  if not id then return end -- a notification has no answer
  if not ok then return send_error(id, result.code, result.message) end
  client:send { id = id, result = result == nil and messages.null or result }
end

--- Answers until the input ends, or the client says so.
return function()
  while true do
    local ok, message = client:receive()
    if ok == nil then break end
    if ok then
      local done, why = pcall(handle, message)
      if not done then io.stderr:write(tostring(why), "\n") end
    else
      send_error(nil, messages.PARSE_ERROR, "not a message")
    end
  end
end

-- }=====================================================================
