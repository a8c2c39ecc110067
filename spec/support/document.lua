-- Runs the code of documents: the blocks marked lua are one program, a block without
-- a mark is the output of the code above it. BLESS=1 rewrites the latter.
local file = require "spec.support.file"

local M = {}

---@alias spec.Part {mark: string?, text: string} mark: of a fenced block

-- Splits a document into prose, with the fences, and fenced blocks.
---@return spec.Part[]
local function parts(text)
  local out = { { text = "" } }
  for line in text:gmatch "[^\n]*\n" do
    local fence, part = line:match "^```(%w*)\n$", out[#out]
    if fence and part.mark then
      out[#out + 1] = { text = line }
    elseif fence then
      part.text = part.text .. line
      out[#out + 1] = { mark = fence, text = "" }
    else
      part.text = part.text .. line
    end
  end
  return out
end

-- The program of a document: other text becomes empty lines, so that errors have the
-- line numbers of the document; a call of `shown` follows each block of code.
local function program(document)
  local out = {}
  for _, part in ipairs(document) do
    out[#out + 1] = part.mark == "lua" and part.text .. "shown() " or part.text:gsub("[^\n]", "")
  end
  return table.concat(out)
end

-- The output of each block of code.
local function outputs(path, source)
  local out, printed = {}, {}
  local env = setmetatable({}, { __index = _G })
  function env.print(...)
    local texts = table.pack(...)
    for i = 1, texts.n do texts[i] = tostring(texts[i]) end
    out[#out + 1] = table.concat(texts, "\t"):gsub("\n$", "") .. "\n"
  end
  function env.shown()
    printed[#printed + 1] = table.concat(out)
    out = {}
  end
  assert(load(source, "=" .. path:match "[^/]*$", "t", env))()
  return printed
end

local function compare(path, expected, got)
  if os.getenv "BLESS" or expected == got then return end
  error(("%s\n--- expected\n%s\n--- got\n%s"):format(path, expected, got), 0)
end

--- The n-th block of code.
---@param path string
---@param n integer
---@return string
function M.code(path, n)
  for _, part in ipairs(parts(file.read(path))) do
    n = part.mark == "lua" and n - 1 or n
    if n == 0 then return part.text end
  end
  error(path .. " has not that many blocks of code")
end

--- Runs the code of a document and compares what it prints with what is shown.
---@param path string
function M.check(path)
  local document, block = parts(file.read(path)), 0
  local printed, texts, unseen = outputs(path, program(document)), {}, ""
  for i, part in ipairs(document) do
    if part.mark == "lua" then
      assert(unseen == "", path .. " does not show all that is printed")
      block = block + 1
      unseen = printed[block]
    elseif part.mark == "" then
      compare(path, part.text, unseen)
      part.text, unseen = unseen, ""
    end
    texts[i] = part.text
  end
  assert(block > 0 and unseen == "", path .. " does not show all that is printed")
  if os.getenv "BLESS" then file.write(path, table.concat(texts)) end
end

return M
