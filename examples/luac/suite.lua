-- suite.lua <LIST: the functions of Lua files, as luac compiles them, in SSA form: each is
-- minimal, pruned and well-formed, and its text is read as it was written. Files are named in the
-- input; those that Lua refuses are counted. Run from the root of the tree.
package.path = "./examples/?.lua;" .. package.path
local chunk = require "luac.chunk"
local phial = require "phial"

local counts = { files = 0, refused = 0, functions = 0, failed = 0 }

local function problem(fn)
  local ok, problems = fn:verify()
  if not ok then return table.concat(problems, "\n") end
  if not fn:is_minimal() then return "not minimal" end
  if not fn:is_pruned() then return "not pruned" end
  local text = fn:text()
  local again, why = phial.parse(text, { dialects = "any" })
  if not again then return why end
  return again:text() ~= text and "the text is not read as it was written" or nil
end

for path in io.lines() do
  local ok = chunk.each(path, function(fn, name)
    local why = problem(fn)
    counts.functions = counts.functions + 1
    if why then
      counts.failed = counts.failed + 1
      print(path, name, why)
    end
  end)
  local kind = ok and "files" or "refused"
  counts[kind] = counts[kind] + 1
end
print(("%d functions of %d files, %d failed; Lua refuses %d files"):format(counts.functions,
  counts.files, counts.failed, counts.refused))
os.exit(counts.failed == 0)
