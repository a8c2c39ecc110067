-- Runs the commands of documents. A block marked console has lines `$ command`, each followed by
-- what the command writes. A block marked text is a file if the paragraph above it is "`name`:" or
-- starts with "`name` is". BLESS=1 rewrites what is written.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"
local tree = require "bench.lib.tree"

local M = {}

-- The command `phial` of this tree, for any folder.
local COMMAND <const> = [[
#!/bin/sh
%sexec %s %s/bin/phial "$@"
]]

local function new_folder()
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir " .. quoted(folder)))
  local here <close> = assert(io.popen "pwd")
  file.write(folder .. "/phial",
    COMMAND:format(shell.output("sh tools/env " .. quoted(tree.build)), quoted(interpreter()),
      quoted(here:read "l")))
  assert(os.execute("chmod +x " .. quoted(folder .. "/phial")))
  return folder
end

-- What a command writes, to its output and as errors.
local function written(command, folder)
  local pipe <close> = assert(io.popen(("cd %s && PATH=.:$PATH && { %s\n} 2>&1"):format(
    quoted(folder), command)))
  return pipe:read "a"
end

-- A block with what its commands write.
local function played(block, folder)
  local out = {}
  for line in ("\n" .. block):gmatch "\n%$ ([^\n]*)" do
    out[#out + 1] = "$ " .. line .. "\n" .. written(line, folder)
  end
  return table.concat(out)
end

-- The document with what its commands write.
local function replayed(text, folder)
  return (text:gsub("([^\n]*)(\n\n?```(%l+)\n)(.-\n)```\n", function(before, fence, mark, block)
    local name = before:match "^`([^`]+)`:$" or before:match "^`([^`]+)` is "
    if mark == "text" and name then file.write(folder .. "/" .. name, block) end
    return mark == "console" and before .. fence .. played(block, folder) .. "```\n" or nil
  end))
end

--- Runs the commands of a document, in a folder of its own, and compares what they write with
--- what is shown.
---@param path string
function M.check(path)
  local folder, text = new_folder(), file.read(path)
  assert(text:find("\n```console\n", 1, true), path .. " has no commands")
  local ok, got = pcall(replayed, text, folder)
  os.execute("rm -r " .. quoted(folder))
  if not ok then error(got, 0) end
  if os.getenv "BLESS" then file.write(path, got) end
  if not os.getenv "BLESS" and got ~= text then
    error(("%s\n--- expected\n%s\n--- got\n%s"):format(path, text, got), 0)
  end
end

return M
