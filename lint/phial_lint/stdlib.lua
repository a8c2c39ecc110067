-- The standard library: what its functions return, and what matters of what they do.
local kinds = require "phial_lint.kinds"

-- A line: the name; `calls` if it runs functions that it is given, `never` if it never returns,
-- `checks` if it returns where its first argument is true, `source` if its results come from
-- outside, `sink` if it runs what its argument says, `needs` if its first argument must not be nil;
-- the results, by commas; alternatives, by bars. After `any` at the end there may be more.
-- Patterns that are not tested usually match: that results of `match` and `find` may be nil does
-- not count as a reason.
local TEXT <const> = [[
assert checks
collectgarbage: any
dofile calls sink: any
error never
getmetatable: any
io.close: true | nil, string, number
io.lines source: function
io.open needs: userdata | nil, string, number
io.popen sink needs: userdata | nil, string, number
io.read source: string | nil
io.tmpfile: userdata | nil, string, number
io.type: string | nil
io.write: userdata | nil, string, number
ipairs needs: function, table, number
load calls sink: function | nil, string
loadfile sink: function | nil, string
loadstring sink: function | nil, string
math.abs needs: number
math.ceil needs: number
math.floor needs: number
math.fmod needs: number
math.huge: number
math.max needs: number
math.min needs: number
math.random: number
math.sqrt needs: number
math.tointeger: number | nil
math.type: string | nil
next needs: any
os.clock: number
os.date: any
os.difftime: number
os.execute sink: any
os.exit never
os.getenv source needs: string | nil
os.remove needs: true | nil, string, number
os.rename needs: true | nil, string, number
os.time: number
os.tmpname: string
pairs needs: function, any, any
pcall calls: any
print:
rawequal: boolean
rawget needs: any
rawlen needs: number
rawset needs: any
require calls: any
select: any
setmetatable needs: table
string.byte needs: any
string.char needs: string
string.dump: string
string.find needs: any
string.format needs: string
string.gmatch needs: function
string.gsub calls needs: string, number
string.len needs: number
string.lower needs: string
string.match needs: any
string.pack: string
string.rep needs: string
string.reverse needs: string
string.sub needs: string
string.upper needs: string
table.concat needs: string
table.insert needs:
table.move needs: any
table.pack: table
table.remove needs: any
table.sort calls needs:
table.unpack needs: any
tonumber: number | nil
tostring: string
type: string
unpack needs: any
xpcall calls: any
]]

---@class lint.Effects
---@field calls? boolean
---@field never? boolean
---@field checks? boolean
---@field source? boolean
---@field sink? boolean
---@field needs? boolean
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
