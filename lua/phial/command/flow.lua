--- phial flow: which writes of a trace reach which reads.
local excerpt = require "phial.command.excerpt"
local file = require "phial.command.file"
local input = require "phial.command.input"

local M = {
  summary = "says which writes of a trace reach each of its reads",
  takes = "FILE",
  about = [[
Says of each read in FILE, a trace, which writes it may see, and which writes nothing reads. Reads
and writes are named by their lines in FILE.
]],
  options = {
    { "--json", "a list of objects in place of the text" },
    { "--function NAME", "only the function of that name", field = "only" },
    { "--host FILE", "dialects: a Lua script that returns them" },
    { "-o FILE", "writes to FILE", field = "output" },
  },
}

-- What is known of a read or write. A parameter's write has no line.
local function describe(fn, access)
  local row = { ["function"] = fn:name(), var = access:var():name(), line = access:node() }
  local line, col, name = access:loc()
  if line then row.loc = { line, col, name } end
  if access:is_write() then
    row.unread = true
    return row
  end
  local writes, is_missing = access:writes()
  row.writes, row.undefined = {}, is_missing or nil
  for _, write in ipairs(writes) do
    if write:node() then table.insert(row.writes, write:node()) else row.parameter = true end
  end
  table.sort(row.writes)
  return row
end

-- The reads of a function, and the writes without one, by their lines.
local function rows_of(fn)
  local rows = {}
  local function add(access) rows[#rows + 1] = describe(fn, access) end
  for _, read in ipairs(fn:read_accesses()) do add(read) end
  for _, write in ipairs(fn:write_accesses()) do
    if write:node() and #write:reads() == 0 then add(write) end
  end
  table.sort(rows, function(a, b) return a.line < b.line end)
  return rows
end

local function sentence(name, row)
  local place = ("%s:%d: %s: "):format(name, row.line, excerpt.safe(row["function"]))
  local var = excerpt.safe(row.var)
  if row.unread then return place .. "nothing reads this " .. var end
  local from = {}
  if #row.writes > 0 then from[1] = "line " .. table.concat(row.writes, ", ") end
  if row.parameter then from[#from + 1] = "the parameter" end
  if row.undefined then from[#from + 1] = "nothing" end
  return place .. var .. " is from " .. table.concat(from, " or ")
end

--- Runs the subcommand.
function M.run(o)
  local host, it = input.host(o.host), input.open(input.single(o))
  if it.kind ~= "trace" then input.refuse(it, "trace") end
  local program = input.replayed(it, host, { accesses = true, verify = false })
  local rows, lines = {}, {}
  for _, fn in ipairs(input.chosen(program, o.only)) do
    for _, row in ipairs(rows_of(fn)) do
      rows[#rows + 1], lines[#lines + 1] = row, sentence(it.name, row) .. "\n"
    end
  end
  local json = o.json and require("phial.emit.json.write").rows(rows) .. "\n"
  file.put(json or table.concat(lines), o.output)
  return 0
end

return M
