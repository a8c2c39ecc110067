-- Command lines of phial: what they write, and their exit status. A golden file has the words of
-- the command line in its first line, {} for a file with the lines that follow.
local command = require("spec.support.command") "bin/phial"
local file = require "spec.support.file"
local golden = require "spec.support.golden"

local function run(program)
  local words, text = program:match "^([^\n]*)\n(.*)$"
  local path = os.tmpname()
  file.write(path, text)
  local out, complaints, status = command((words:gsub("{}", path)))
  os.remove(path)
  if complaints ~= "" then complaints = "-- standard error\n" .. complaints end
  local told = ("%s%sstatus %d\n"):format(out, complaints, status)
  return (told:gsub(path:gsub("%p", "%%%0"), "FILE"))
end

describe("the command line", function()
  for name, check in golden.each("spec/golden/command/lines", run) do it(name, check) end
end)
