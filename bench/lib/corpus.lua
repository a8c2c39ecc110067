--- A corpus: a folder with, for each program, NAME.sst.gz, its trace, and
--- NAME.expect.gz, the expected results.
local M = {}

M.folder = "bench/data/corpus"
M.scratch = "build/bench"

--- Quotes a word for the shell.
---@param word string
---@return string
function M.quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function lines(command)
  local pipe <close> = assert(io.popen(command))
  local list = {}
  for line in pipe:lines() do list[#list + 1] = line end
  return list
end

--- The names of its programs, small ones first.
---@param folder string
---@return string[]
function M.programs(folder)
  local names = {}
  for _, path in ipairs(lines("ls -Sr " .. M.quoted(folder))) do
    names[#names + 1] = path:match "^(.*)%.sst%.gz$"
  end
  if #names == 0 then error(folder .. " has no traces", 0) end
  return names
end

--- Unpacks the trace of a program; returns its path.
---@param folder string
---@param name string
---@return string
function M.unpacked(folder, name)
  local path = M.scratch .. "/" .. name .. ".sst"
  local packed = M.quoted(folder .. "/" .. name .. ".sst.gz")
  local command = "mkdir -p %s && gzip -dc %s > %s"
  if not os.execute(command:format(M.scratch, packed, M.quoted(path))) then
    error("cannot unpack " .. packed, 0)
  end
  return path
end

---@class corpus.Expected
---@field minimal integer the phis of minimal, pruned SSA form, moves as writes
---@field reducible boolean
---@field moves integer
---@field llvm integer the phis LLVM's mem2reg leaves, moves as copies
---@field name string

--- What must come out of each function, in order.
---@param folder string
---@param name string
---@return corpus.Expected[]
function M.expected(folder, name)
  local packed = folder .. "/" .. name .. ".expect.gz"
  local list = {}
  for _, line in ipairs(lines("gzip -dc " .. M.quoted(packed))) do
    local minimal, reducible, moves, llvm, func =
      line:match "^%d+ (%d+) ([01]) (%d+) (%d+) (%S+)$"
    if minimal then
      list[#list + 1] = {
        minimal = tonumber(minimal), reducible = reducible == "1",
        moves = tonumber(moves), llvm = tonumber(llvm), name = func
      }
    end
  end
  if #list == 0 then error(packed .. " expects nothing", 0) end
  return list
end

return M
