--- Which writes reach which reads of local variables: phial.source compared with the bytecode that
-- Lua's own compiler makes of the same source, through examples/luac.
--
-- The source is written anew with one token on each line, so that the line of an instruction tells
-- its place: the statement, or the condition of an `if`, that the token is part of. For each
-- variable and place, the writes that reach a read there are compared, as places. What is written
-- before the scope of the variable, by however many instructions, is its declaration.
--
-- What one side cannot see is left out, and counted. An assignment such as `x = x or 1` writes x,
-- but no instruction does where x stays as it is; so it stands for what reaches it.
local parser = require "phial.source.luacheck"
local source = require "phial.source"

package.path = "examples/?.lua;" .. package.path
local bytecode = require "luac.bytecode"
local names_of = require("luac.names").of
local number = require("luac.opcodes").number
local translate = require("luac.translate").translate

local M = {}

---@class oracle.Comparison
---@field functions integer
---@field names integer reads and writes of the source that were compared
---@field reads integer variables at the places that read them
---@field writes integer variables at the places that assign them
---@field left table<string, integer> reads and writes that were left out, by reasons
---@field other string[] what differs

-- {== Places ==========================================================

-- A source with one token on each line, and without comments.
local function spread(text)
  local lexer, decoder = parser.require "luacheck.lexer", parser.require "luacheck.decoder"
  local chars, tokens = decoder.decode(text), {}
  local state = lexer.new_state(chars)
  for token, _, _, offset in lexer.next_token, state do
    if token == "eof" then break end
    if not token:find "comment" then
      tokens[#tokens + 1] = chars:get_substring(offset, state.offset - 1)
    end
  end
  return table.concat(tokens, "\n")
end

-- True if a statement ends by writing nil to a variable.
local function ends_in_nil(node)
  local values = node[2]
  if node.tag ~= "Local" and node.tag ~= "Set" then return false end
  return not values or values[#values].tag == "Nil"
end

local BODY <const> = { While = 2, Repeat = 1, Forin = 3 }

-- The node of the innermost place of each line, for the statements of one function.
local function places_of(program, list)
  local places = {}
  local function paint(place, first, last)
    for line = first, last do places[line] = place end
  end
  local function visit(statements)
    local place
    for i, node in ipairs(statements) do
      local first, _, last = program:range(node)
      -- The compiler may make one instruction of an assignment of nil and the one before.
      local is_joined = i > 1 and ends_in_nil(statements[i - 1]) and ends_in_nil(node)
      place = is_joined and place or node
      paint(place, first, last)
      local tag = node.tag
      for n = 1, tag == "If" and #node or 0 do
        local is_condition = n % 2 == 1 and n < #node
        if is_condition then paint(node[n], node[n].line, last) else visit(node[n]) end
      end
      local body = tag == "Fornum" and node[#node] or BODY[tag] and node[BODY[tag]]
      if body or tag == "Do" then visit(body or node) end
    end
  end
  visit(list)
  return places
end

-- }== Variables =======================================================

-- Which variable of the source a register holds before an instruction: a function of both. Also the
-- variables that a register holds somewhere; constants of the compiler have none.
local function variables_in(unit, proto)
  local by_register, stack, held, at = {}, {}, {}, 1
  local function enter(v)
    local scope = proto.locals[at]
    while stack[1] and stack[#stack].to <= scope.from do stack[#stack] = nil end
    stack[#stack + 1] = scope
    local scopes = by_register[#stack] or {}
    by_register[#stack], at = scopes, at + 1
    scopes[#scopes + 1] = { from = scope.from, to = scope.to, v = v }
  end
  local function name() return proto.locals[at] and proto.locals[at].name end
  for _, v in ipairs(unit.variables) do
    while name() == "(for state)" do enter() end
    local has_register = v.kind ~= "vararg" and (v.attribute ~= "const" or name() == v.name)
    assert(not has_register or name() == v.name, "the variables differ")
    if has_register then
      held[v] = true
      enter(v)
    end
  end
  return function(register, pc)
    for _, scope in ipairs(by_register[register + 1] or {}) do
      if scope.from < pc and pc <= scope.to then return scope.v end
    end
  end, held
end

-- }== Two sides =======================================================

-- What a side sees of a function: by variable, and by the place that reads it, the set of places
-- that write what is read; by variable, the set of places that write it.
local function new_side() return { reads = {}, writes = {} } end

local DECLARATION <const> = {}

local function set_in(by_var, v, place)
  by_var[v] = by_var[v] or {}
  by_var[v][place] = by_var[v][place] or {}
  return by_var[v][place]
end

-- Why an access of the source cannot be compared; nil if it can.
local function obstacle(unit, held, access, v)
  if v.owner ~= unit then return "in closures" end
  if v.written_by then return "of variables that closures write" end
  if v.kind == "vararg" then return "of '...'" end
  if not held[v] then return "of constants of the compiler" end
  return not access:block():is_reachable() and "never reached" or nil
end

local NAMES <const> = { Id = true, Dots = true }

local function by_source(result, program, unit, places, held)
  local side = new_side()
  local function place_of(v, name)
    local place = places[name.line]
    return place ~= places[v.node.line] and place or DECLARATION
  end
  local function visit(access, note)
    local name, var = access:node(), access:var()
    local v = var and var:data()
    if not v or not name or not NAMES[name.tag] then return end
    local why = obstacle(unit, held, access, v)
    if why then
      result.left[why] = (result.left[why] or 0) + 1
    else
      result.names = result.names + 1
      note(v, name)
    end
  end
  for _, read in ipairs(unit.fn:read_accesses()) do
    visit(read, function(v, name)
      local set = set_in(side.reads, v, places[name.line])
      for _, write in ipairs(program:writes(name)) do set[place_of(v, write)] = true end
    end)
  end
  for _, write in ipairs(unit.fn:write_accesses()) do
    visit(write, function(v, name) set_in(side.writes, v, place_of(v, name)) end)
  end
  return side
end

-- Lua's compiler tests false and nil in a register without a name, where the source decides.
local function decide(code, holder)
  for pc = 1, #code - 2 do
    local i, test = code[pc], code[pc + 1]
    local op, register = i & 0x7f, test >> 7 & 0xff
    local is_false = op == number.LOADFALSE or op == number.LOADNIL
    local is_tested = test & 0x7f == number.TEST and i >> 7 & 0xff == register
    if is_false and is_tested and not holder(register, pc + 1) then
      code[pc + 1] = 0xffffff + (test >> 15 & 1) << 7 | number.JMP
    end
  end
end

local function by_bytecode(proto, names, places, holder)
  decide(proto.code, holder)
  local fn <close> = translate(proto, names, true)
  local side, registers = new_side(), {}
  for i = 1, proto.params do registers[fn:param(i)] = i - 1 end
  local function variable(access)
    local var, pc = access:var(), access:node()
    local register = registers[var] or tonumber(var:name():match "^r(%d+)$")
    local v = pc and holder(register, pc)
    return v and not v.written_by and v or nil, pc and places[proto.lines[pc]]
  end
  local function place_of(v, write)
    local held, place = variable(write)
    return held == v and place ~= places[v.node.line] and place or DECLARATION
  end
  for _, read in ipairs(fn:read_accesses()) do
    local v, place = variable(read)
    local set = v and set_in(side.reads, v, place)
    for _, write in ipairs(v and read:writes() or {}) do set[place_of(v, write)] = true end
  end
  for _, write in ipairs(fn:write_accesses()) do
    local v = variable(write)
    if v then set_in(side.writes, v, place_of(v, write)) end
  end
  return side
end

-- }== Comparison ======================================================

-- True if an expression may give the value of a variable that it names, unchanged.
local function gives(program, node, v)
  if node.tag == "Paren" then return gives(program, node[1], v) end
  if node.tag == "Op" and (node[1] == "and" or node[1] == "or") then
    return gives(program, node[2], v) or gives(program, node[3], v)
  end
  return node.tag == "Id" and program:variable(node) == v
end

-- True if a place may assign a variable to itself: the last of several is assigned without a copy.
-- The second result is true if it assigns the variable once more.
local function may_keep(program, place, v)
  local targets, values = place[1], place[2]
  local last = place.tag == "Set" and #targets == #values and #targets
  if not last or program:variable(targets[last]) ~= v then return false, false end
  local is_twice = false
  for i = 1, last - 1 do is_twice = is_twice or program:variable(targets[i]) == v end
  return gives(program, values[last], v), is_twice
end

-- A set of writes, where those that may keep a variable stand for what reaches them.
local function resolved(program, reads, v, set, seen)
  local all = {}
  for place in pairs(set) do
    local keeps, is_twice = may_keep(program, place, v)
    if not keeps or is_twice then
      all[place] = true
    elseif not seen[place] then
      seen[place] = true
      local before = resolved(program, reads, v, reads[v][place] or {}, seen)
      for other in pairs(before) do all[other] = true end
    end
  end
  return all
end

local function shown(set)
  local list = {}
  for place in pairs(set) do list[#list + 1] = place.line or "its declaration" end
  table.sort(list, function(a, b) return tostring(a) < tostring(b) end)
  return table.concat(list, ", ")
end

-- What the two sides have of one variable: `reads` or `writes`.
local function compare(result, program, ours, theirs, v, what)
  local our, their = ours[what][v] or {}, theirs[what][v] or {}
  local function differ(place, why, ...)
    local text = ("%s of '%s' in line %s: " .. why):format(what, v.name, place.line, ...)
    table.insert(result.other, text)
  end
  for place, set in pairs(our) do
    local other = their[place]
    if other then
      local a = shown(resolved(program, ours.reads, v, set, {}))
      local b = shown(resolved(program, theirs.reads, v, other, {}))
      if a ~= b then differ(place, "lines %s by source, %s by bytecode", a, b) end
      result[what] = result[what] + 1
    elseif place ~= DECLARATION and not may_keep(program, place, v) then
      differ(place, "only in the source")
    end
  end
  for place in pairs(their) do
    if not our[place] then differ(place, "only in the bytecode") end
  end
end

--- Compares what is known of a source; nil and a message if it is not Lua 5.4.
---@param text string
---@param opts? phial.source.Options
---@return oracle.Comparison? result
---@return string? message
function M.text(text, opts)
  local chunk, why = load(text, "=source", "t")
  if not chunk then return nil, why end
  local spread_text = spread(text)
  chunk = string.dump(assert(load(spread_text, "=source", "t")))
  local protos, names = names_of(assert(bytecode.read(chunk)))
  local program = assert(source.parse(spread_text, opts))
  local units = program:functions()
  assert(#units == #protos, "the functions differ")
  local result = { functions = #units, names = 0, reads = 0, writes = 0, left = {}, other = {} }
  for i, unit in ipairs(units) do
    local holder, held = variables_in(unit, protos[i])
    local places = places_of(program, unit.parent and unit.node[2] or unit.node)
    local ours = by_source(result, program, unit, places, held)
    local theirs = by_bytecode(protos[i], names, places, holder)
    for _, v in ipairs(unit.variables) do
      compare(result, program, ours, theirs, v, "reads")
      compare(result, program, ours, theirs, v, "writes")
    end
  end
  return result
end

-- }=====================================================================

return M
