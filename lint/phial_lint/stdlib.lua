-- The standard library: what its functions return, and what matters of what they do.
local kinds = require "phial_lint.kinds"

-- A line: the name; `calls` if it runs functions that it is given, `never` if it never returns,
-- `checks` if it returns where its first argument is true, `source` if its results come from
-- outside, `sink` if it runs what its argument says; the results, by commas; alternatives, by bars.
-- After `any` at the end there may be more. Patterns that are not tested usually match: that the
-- results of `match` and `find` may be nil does not count as a reason.
local TEXT <const> = [[
assert checks
collectgarbage: any
dofile calls sink: any
error never
getmetatable: any
io.close: true | nil, string, number
io.lines source: function
io.open: userdata | nil, string, number
io.popen sink: userdata | nil, string, number
io.read source: string | nil
io.tmpfile: userdata | nil, string, number
io.type: string | nil
io.write: userdata | nil, string, number
ipairs: function, table, number
load calls sink: function | nil, string
loadfile sink: function | nil, string
loadstring sink: function | nil, string
math.abs: number
math.ceil: number
math.floor: number
math.fmod: number
math.huge: number
math.max: number
math.min: number
math.random: number
math.sqrt: number
math.tointeger: number | nil
math.type: string | nil
next: any
os.clock: number
os.date: any
os.difftime: number
os.execute sink: any
os.exit never
os.getenv source: string | nil
os.remove: true | nil, string, number
os.rename: true | nil, string, number
os.time: number
os.tmpname: string
pairs: function, any, any
pcall calls: any
print:
rawequal: boolean
rawget: any
rawlen: number
rawset: any
require calls: any
select: any
setmetatable: table
string.byte: any
string.char: string
string.dump: string
string.find: any
string.format: string
string.gmatch: function
string.gsub calls: string, number
string.len: number
string.lower: string
string.match: any
string.pack: string
string.rep: string
string.reverse: string
string.sub: string
string.upper: string
table.concat: string
table.insert:
table.move: any
table.pack: table
table.remove: any
table.sort calls:
table.unpack: any
tonumber: number | nil
tostring: string
type: string
unpack: any
xpcall calls: any
]]

---@class lint.Effects
---@field calls? boolean
---@field never? boolean
---@field checks? boolean
---@field source? boolean
---@field sink? boolean
---@field results lint.Results[] alternatives
---@field together? lint.Results[] what results go together, unless those of `results` do

---@class lint.Results kinds of results
---@field rest? integer of further ones, which are nil otherwise

local function results_of(text)
  local list = {}
  for alternative in (text .. "|"):gmatch "(.-)|" do
    local results = {}
    for name in alternative:gmatch "%a+" do results[#results + 1] = kinds.by_name[name] end
    if results[#results] == kinds.UNKNOWN then results.rest = kinds.UNKNOWN end
    if #results > 0 then list[#list + 1] = results end
  end
  return list
end

---@type table<string, lint.Effects>
local library = {}
for name, effects, results in TEXT:gmatch "([%w.]+)([%a ]*):?([^\n]*)\n" do
  local entry = { results = results_of(results) }
  for effect in effects:gmatch "%a+" do entry[effect] = true end
  library[name] = entry
end

--- What holds together for the results of a call that nothing else is known of: a function that
--- returns nil or false returns a message with it. A pattern gives all its captures, or none.
local SOMETHING <const> = kinds.TRUTHY & ~kinds.UNKNOWN
library.others = { together = {
  { SOMETHING, rest = kinds.ALL }, { kinds.FALSY, SOMETHING, rest = kinds.ALL },
} }
library["string.match"].together = { { rest = SOMETHING }, { rest = kinds.NIL } }

return library
