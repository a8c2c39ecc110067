-- Messages of the language server protocol: frames, a header and JSON, from an input to an output.
--
-- A damaged frame costs itself and what its length says that it contains, no more: where a text is
-- not JSON, the next frame is searched in it, too.
local json = require "dkjson"

local MOST <const> = 1 << 26 -- bytes of a text; one with more is not waited for

local M = { null = json.null }

--- Errors of JSON-RPC and of the protocol.
M.PARSE_ERROR, M.INVALID_REQUEST, M.METHOD_NOT_FOUND = -32700, -32600, -32601
M.INVALID_PARAMS, M.INTERNAL_ERROR, M.NOT_INITIALIZED = -32602, -32603, -32002

---@class lint.Messages
---@field input file*
---@field output file*
---@field rest string what was read already, and is to be read again from a place on
---@field at integer
local Messages = {}
Messages.__index = Messages

-- The next line with its end; nil at the end of the input.
local function line(self)
  local head = self.rest:match("^[^\n]*\n?", self.at)
  self.at = self.at + #head
  if head:find "\n$" then return head end
  local tail = self.input:read "L"
  if not tail then return head ~= "" and head or nil end
  return head .. tail
end

-- The next n bytes, fewer at the end of the input; they are not passed.
local function peek(self, n)
  local missing = n - (#self.rest - self.at + 1)
  if missing > 0 then
    self.rest, self.at = self.rest:sub(self.at) .. (self.input:read(missing) or ""), 1
  end
  return self.rest:sub(self.at, self.at + n - 1)
end

-- The length that the next header gives; false if it gives none, nil at the end of the input. What
-- a frame has more than its length says precedes the next header in its line.
local function header(self)
  local length, is_empty = nil, true
  for text in line, self do
    if text:find "^\r?\n$" then
      if not is_empty then return length and length <= MOST and length or false end
    else
      local digits = text:lower():match "content%-length[ \t]*:[ \t]*(%d+)%s*$"
      length, is_empty = digits and tonumber(digits) or length, false
    end
  end
  return nil
end

-- The value of a text; nothing if it is not JSON.
local function decoded(text)
  local ok, it, after = pcall(json.decode, text, 1, json.null)
  if ok and after and it ~= nil and not text:find("%S", after) then return true, it end
end

--- Reads a message: true, and whatever JSON it is; false if it is damaged; nil at the end of the
--- input.
---@return boolean?
---@return any message
function Messages:receive()
  local length = header(self)
  if not length then return length end
  local text = peek(self, length)
  local ok, it = decoded(text)
  if not ok then return false end
  self.at = self.at + length
  return true, it
end

--- Sends a message.
---@param message table
function Messages:send(message)
  message.jsonrpc = "2.0"
  local text = json.encode(message)
  self.output:write(("Content-Length: %d\r\n\r\n%s"):format(#text, text))
  self.output:flush()
end

--- A list, which JSON tells from an object also when it is empty.
function M.list(items) return setmetatable(items or {}, { __jsontype = "array" }) end

---@param input file*
---@param output file*
---@return lint.Messages
function M.new(input, output)
  return setmetatable({ input = input, output = output, rest = "", at = 1 }, Messages)
end

return M
