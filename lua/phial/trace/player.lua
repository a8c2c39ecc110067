--- Replays a function of a trace: each line is a call that the frontend made.
local algorithms = require "phial.trace.algorithms"
local core = require "phial.core"
local dialects = require "phial.dialects"
local format = require "phial.trace.format"
local phial = require "phial"

local mistake, is_mistake = format.mistake, format.is_mistake

-- {== Which reads count, with rules ====================================
--
-- Reads that gave one value when the trace was recorded may give several then, all of which are
-- equal, except in dead code: where rules have folded a branch, a read finds nothing. So what a
-- value is called is decided by the first read in a block that is known to be reachable; in any
-- other block, by the block's own latest read.

---@class phial.trace.Live
---@field reachable table<phial.Block, boolean> blocks that have been filled
---@field current phial.Block
---@field known table<integer, boolean> values that such a read has named
local Live = {}
Live.__index = Live

--- A block is being filled from now on. An edge that comes later does not count: it is that of a
--- loop, or the block is filled before those that lead to it.
---@param block phial.Block
function Live:enter(block)
  self.current = block
  for _, pred in ipairs(block:preds()) do
    if self.reachable[block] then return end
    self.reachable[block] = self.reachable[pred]
  end
end

--- True if a read in the current block decides what a value is called.
---@param id integer of the value
---@return boolean
function Live:counts(id)
  local first = self.reachable[self.current] and not self.known[id]
  if first then self.known[id] = true end
  return first or false
end

-- }== A player =========================================================

---@class phial.trace.Player
---@field fn phial.Function nil until `start` has made it
---@field func phial.trace.Function
---@field opts table the options of phial.replay
---@field blocks phial.Block[] by number + 1
---@field block_named table<string, phial.Block[]>
---@field vars phial.Variable[] by number + 1
---@field var_named table<string, phial.Variable[]>
---@field values table<integer, phial.Value> by their names in the trace
---@field found table<integer, phial.Value> what reads in the current block call otherwise
---@field answers table<phial.trace.Step, phial.Value> of the undef function
---@field hosts table<function, table<integer, any>> values made up for data of the host, by what
---makes them
---@field checks table[] reads whose values finish compares
---@field classical boolean phis are placed when the function is finished
---@field stands_in table? of the line r that was last played: see phial.Step
---@field passed table? with the error of a function of the user
---@field current phial.Block? being filled
---@field live phial.trace.Live? with rules
---@field latest phial.Value? of the block, in a plain trace
---@field before phial.Value? the one before
local Player = {}
Player.__index = Player

-- }== Names ==================================================

local function add_named(list, by_name, it, name)
  list[#list + 1] = it
  if name then
    by_name[name] = by_name[name] or {}
    table.insert(by_name[name], it)
  end
end

local function find_ref(list, by_name, ref, what)
  if type(ref) == "number" then
    return list[ref + 1] or mistake("there is no %s %d", what, ref)
  end
  local found = by_name[ref.name] and by_name[ref.name][ref.nth]
  if not found then
    mistake("there is no %s '%s%s'", what, ref.name, ref.nth > 1 and "/" .. ref.nth or "")
  end
  return found
end

function Player:block(ref) return find_ref(self.blocks, self.block_named, ref, "block") end

function Player:var(ref) return find_ref(self.vars, self.var_named, ref, "variable") end

function Player:here() return self.current or mistake "no block is being filled: b expected" end

function Player:add_block(block) add_named(self.blocks, self.block_named, block, block:name()) end

function Player:add_var(var) add_named(self.vars, self.var_named, var, var:name()) end

function Player:value(it)
  if it.id then
    return self.found[it.id] or self.values[it.id]
      or mistake("there is no value %%%d", it.id)
  end
  if it.undef then return self.fn:undef(it.type) end
  return self.fn:const(it.value, it.type)
end

function Player:values_of(list)
  local out = {}
  for i, it in ipairs(list) do out[i] = self:value(it) end
  return out
end

function Player:blocks_of(list)
  local out = {}
  for i, ref in ipairs(list) do out[i] = self:block(ref) end
  return out
end

-- Names a value.
function Player:bind(id, value)
  if self.values[id] then mistake("%%%d is already defined", id) end
  self.values[id] = value
end

-- Replacements for values that only the host has: a function; a name for the callee of a tail
-- call, or for something with an address.

local function stranger(k)
  return function()
    error(("{host %d} has no value: the option 'host' can give it one"):format(k), 0)
  end
end

-- Calls a function of the user, whose errors are not those of the line.
function Player:outside(f, ...)
  local ok, it = pcall(f, ...)
  if ok then return it end
  self.passed = { it }
  error(it, 0)
end

local function name_of(k) return ("{host %d}"):format(k) end

local Unknown = { __name = "phial.Global" }
function Unknown:__tostring() return name_of(self.number) end

local function unknown(k) return setmetatable({ number = k }, Unknown) end

-- What an instruction has as data. What replaces a value of the host depends on what the
-- instruction takes: a function can be called by one, and its address taken by another.
function Player:data(data, in_place)
  local k = data.host
  if not k then return data.value end
  local host = self.opts.host
  if type(host) == "function" then return self:outside(host, k) end
  if host and host[k] ~= nil then return host[k] end
  in_place = in_place or stranger
  local made = self.hosts[in_place] or {}
  self.hosts[in_place] = made
  made[k] = made[k] or in_place(k)
  return made[k]
end

-- }== The latest values of a plain trace ===============================

function Player:push(value) self.before, self.latest = self.latest, value end

function Player:latest_or_opaque() return self.latest or self.fn:const(nil, "any") end

-- Combines the two latest values.
function Player:op2()
  local before = self.before or self.fn:const(nil, "any")
  local value = self:here():emit("trace.op2", before, self:latest_or_opaque())
  self:push(value)
  return value
end

-- }== Instructions ======================================================

-- What phial.ops() says of each op.
local rows = {}
for _, row in ipairs(core.ops()) do rows[row.name] = row end

-- Adds what an instruction says besides its operands, in a table, if it says anything.
local function add_said(args, step, said)
  said.reads, said.writes = step.reads, step.writes
  if next(said) then args[#args + 1] = said end
end

-- By op: emits an instruction that is more than its operands, which are converted already.
local special = {}

-- The type of the result of a call, or a list if it has several.
local function types_of(step)
  local types, n = step.types, #(step.results or {})
  if n < 2 then return step.type end
  if #types == n then return types end
  local list = {}
  for i = 1, n do list[i] = step.type end
  return list
end

function special.call(player, step, args)
  if not step.data then mistake "'call' needs the callee, in braces" end
  add_said(args, step, {})
  return player:here():call(player:data(step.data), types_of(step), table.unpack(args))
end

function special.proj(player, step)
  if #step.args ~= 1 then mistake "'proj' has one operand" end
  local nth = step.data and player:data(step.data)
  return player:here():proj(player:value(step.args[1]), nth, step.type)
end

function special.address(player, step)
  if not step.data then mistake "'address' needs what has it, in braces" end
  return player:here():address(player:data(step.data, unknown))
end

function special.trap_if(player, step, args)
  if not step.data then mistake "'trap_if' needs its message, in braces" end
  table.insert(args, player:data(step.data))
  return player:here():trap_if(table.unpack(args))
end

-- The size and the alignment are numbers.
function special.alloca(player, step)
  local args = {}
  for i, it in ipairs(step.args) do args[i] = it.value or player:value(it):const() end
  return player:here():alloca(table.unpack(args))
end

-- Its data is the number of parameters of a variadic callee, or the name of one whose signature it
-- has.
function special.call_indirect(player, step, args)
  local said = step.data and player:data(step.data)
  add_said(args, step, { [type(said) == "string" and "as" or "variadic"] = said })
  return player:here():call(args[1], types_of(step), table.unpack(args, 2))
end

-- Emits any other op. One of a dialect takes the type and number of its results, if the instruction
-- says them, and data.
local function plain(player, step, args)
  local row = rows[step.op]
  if row and row.signature:find "^%u" then args[#args + 1] = step.type end
  local dialect, name = step.op:match "^([^.]*)%.(.*)$"
  local d = dialect and player.fn:dialect(dialect)
  local op = d and d[name]
  local results = op and op:results() == "*" and #step.results or nil
  if results and #step.types > 1 then
    results = step.types
  elseif op and op:says_type() then
    args[#args + 1] = step.type
  end
  add_said(args, step, { data = step.data and player:data(step.data), results = results })
  return player:here():emit(step.op, table.unpack(args))
end

-- Names the results of an instruction.
local function bind_results(player, step, ...)
  if select("#", ...) ~= #step.results then
    mistake("'%s' has %d results, the line names %d", step.op, select("#", ...), #step.results)
  end
  for i, id in ipairs(step.results) do
    local value = select(i, ...)
    local type = step.types[i] or step.type
    if value:type() ~= type then
      mistake("%%%d is %s, the line says %s", id, value:type(), type)
    end
    player:bind(id, value)
    player:push(value)
  end
end

-- }== Lines ============================================================

local play = {}

function play:b(step)
  local block = self:block(step.block)
  self.current, self.latest, self.before, self.found = block, nil, nil, {}
  if self.live then self.live:enter(block) end
end

-- The entry is sealed from the start.
function play:S(step)
  local block = self:block(step.block)
  if block ~= self.fn:entry() then block:seal() end
end

-- True if reads that gave one value when the trace was recorded can give several, of which a block
-- needs its own: a classical algorithm places phis that are redundant.
function Player:differs()
  return self.classical or self.live and not self.live.reachable[self.current]
end

-- A read whose value already has a name is checked when the function is finished:
-- phis may be replaced until then. The value may be an undef where the undef
-- function failed and answered later.
function play:r(step)
  local var = self:var(step.var)
  local it, value = step.value, self:here():read(var)
  self:push(value)
  self.stands_in = self.classical and { value = value, var = var } or nil
  if not it then return end
  local counts = it.id and self.live and self.live:counts(it.id)
  if counts or it.id and not self.values[it.id] then
    self.values[it.id] = value
  elseif it.id and self:differs() then
    self.found[it.id] = value
  elseif not (self.classical or self.live or self.opts.accesses) then -- which find other values
    local said = it.undef and self:answered(var) or self:value(it)
    table.insert(self.checks, { step = step, block = self.current, value = value, said = said })
  end
end

function play:w(step)
  local value = step.value and self:value(step.value) or self:op2()
  local copy = self:here():write(self:var(step.var), value)
  if step.copy then self:bind(step.copy, copy) end
end

function play:K(step) self:here():kill(self:var(step.var)) end

function play:m(step)
  self:here():write(self:var(step.var), self.latest or self:op2())
end

function play:u() self:here():emit("trace.use", self:latest_or_opaque()) end

function play:V(step) self:add_var(self.fn:var(step.name, step.type)) end

function play:B(step) self:add_block(self.fn:block(step.name)) end

function play:i(step)
  local emit = special[step.op] or plain
  bind_results(self, step, emit(self, step, self:values_of(step.args)))
end

-- Terminators of phial that have no letter of their own.
local endings = {}

function endings.unreachable(_, _, block, ...)
  if select("#", ...) > 0 then mistake "'unreachable' has no operands" end
  block:unreachable()
end

function endings.trap(player, step, block, ...)
  if not step.data then mistake "'trap' needs its message, in braces" end
  if select("#", ...) > 0 then mistake "'trap' has no operands" end
  block:trap(player:data(step.data))
end

function endings.tail_call(player, step, block, ...)
  if not step.data then mistake "'tail_call' needs the callee, in braces" end
  block:tail_call(player:data(step.data, name_of), ...)
end

function endings.tail_call_indirect(_, _, block, ...) block:tail_call(...) end

function play:t(step)
  local block, args, targets = self:here(), self:values_of(step.args), self:blocks_of(step.targets)
  local ending = #targets == 0 and endings[step.op]
  if ending then return ending(self, step, block, table.unpack(args)) end
  if rows[step.op] then mistake("'%s' cannot be written with t", step.op) end
  if step.data then targets.data = self:data(step.data) end
  if step.data or #targets > 0 then args[#args + 1] = targets end
  block:emit(step.op, table.unpack(args))
end

function play:p(step)
  local values = {}
  for i, ref in ipairs(step.preds) do values[self:block(ref)] = self:value(step.args[i]) end
  self:bind(step.id, self:here():phi(values))
end

function play:k(step)
  if self.classical then mistake "this algorithm makes no phis before the function is finished" end
  local block, var = self:block(step.block), self:var(step.var)
  for _, phi in ipairs(block:phis()) do
    if phi:var() == var then return self:bind(step.id, phi) end
  end
  mistake("block '%s' has no phi of '%s'", block, var)
end

function play:j(step) self:here():jump(self:block(step.targets[1])) end

function play:c(step)
  local block, targets = self:here(), self:blocks_of(step.targets)
  if not step.value then return block:emit("trace.br", self:latest_or_opaque(), targets) end
  block:branch(self:value(step.value), targets[1], targets[2])
end

local function switch(self, value, step)
  local cases = {}
  for i, key in ipairs(step.keys) do
    local k = key.value
    if type(k) == "boolean" and value:type() == "i1" then k = k and 1 or 0 end
    if math.type(k) ~= "integer" then mistake "a key must be an integer" end
    if cases[k] then mistake("key %d appears twice", k) end
    cases[k] = self:block(step.targets[i + 1])
  end
  self:here():switch(value, self:block(step.targets[1]), cases)
end

function play:s(step)
  if step.value then return switch(self, self:value(step.value), step) end
  self:here():emit("trace.sw", self:latest_or_opaque(), self:blocks_of(step.targets))
end

function play:x(step)
  if step.none then return self:here():ret() end
  local values = {}
  for i, it in ipairs(step.args) do values[i] = self:value(it) end
  if not values[1] then values[1] = self:latest_or_opaque() end
  self:here():ret(table.unpack(values))
end

play["@"] = function(self, step)
  self.fn:set_loc(step.at, step.col, step.file, step.end_line, step.end_col)
end

function play:N(step) self:value(step):set_name(step.name) end

function play:D(step) self:value(step):set_data(self:data(step.data)) end

-- U and O were used when the function was made.
function play:U(step) self:value(step.value) end

function play.O() end

-- Some algorithms refuse what is not structured.
function Player:check_structure()
  if #core.unfilled(self.fn) > 0 then return end -- which finish tells
  local at = core.unstructured(self.fn)
  if at then
    mistake("the control flow of '%s' is not structured, as block '%s' shows: this algorithm "
      .. "needs if, switch, while and repeat without ways out of their middle", self.fn:name(), at)
  end
end

-- A classical algorithm starts from the entry: it keeps no unreachable blocks.
function play:E(step)
  if self.classical then self:check_structure() end
  self.fn:finish { verify = self.opts.verify,
    keep_unreachable = step.keep_unreachable and not self.classical }
  local there = {}
  for block in self.fn:blocks() do there[block] = true end
  for _, check in ipairs(self.checks) do
    if there[check.block] and check.value ~= check.said then
      error({ step = check.step,
        mistake = ("the read gives %s here, not %s"):format(check.value, check.said) }, 0)
    end
  end
  self.checks = {}
end

function play:R()
  if self.classical then mistake "this algorithm cannot continue a finished function" end
  self.fn:reopen()
end

-- }== A function =======================================================

-- Calls f; returns nil, or the line and the message if the line is wrong: a mistake,
-- or what phial refuses. Other errors pass.
local function try(player, step, f, ...)
  local ok, err = pcall(f, player, ...)
  if ok then return nil end
  if player.passed then error(err, 0) end
  if is_mistake(err) then return (err.step or step).line, err.mistake end
  local why = core.refusal(err)
  if not why then error(err, 0) end
  return step.line, why
end

-- The answer of the undef function for a variable, or nil.
function Player:answered(var)
  for _, step in ipairs(self.func.answers) do
    local of
    try(self, step, function() of = self:var(step.var) end)
    if of == var then return self.answers[step] end
  end
end

-- Called as undef function: while one runs, no values can be made.
function Player:answer(var)
  return self:answered(var)
    or mistake("no line U says what '%s' is where it has no definition", var)
end

-- The parameters and the result of the function, with their passings.
local function signature_of(func)
  local params, passings, results = {}, func.passings, func.results or {}
  local result = results[1]
  if not func.params then result = "any" end
  local function extended(text, i)
    return passings[i] and ("%s %s"):format(text, passings[i]) or text
  end
  for i, param in ipairs(func.params or {}) do params[i] = extended(param, i) end
  for i in pairs(passings) do
    if i > #params then mistake("there is no parameter %d", i) end
    if i == 0 and not result then mistake "the function has no result" end
  end
  if results[2] then return params, results end
  return params, result and extended(result, 0) or nil
end

function Player:start()
  local func = self.func
  local params, result = signature_of(func)
  local construction = self.opts.construction or func.construction
  local rules = self.opts.rules or false
  if rules == true then rules = nil end -- the built-in ones
  self.classical = algorithms.is_classical[construction] or false
  self.fn = phial.fn(func.name, params, result, {
    rules = rules, where = false, copies = func.copies, accesses = self.opts.accesses,
    linkage = func.linkage, variadic = func.variadic,
    keep_unreachable = func.keep_unreachable and not self.classical,
    construction = not self.classical and construction or nil,
    undef = #func.answers > 0 and function(var) return self:answer(var) end or nil,
    dialects = dialects.of_trace(func, self.opts.dialects),
  })
  if self.classical then core.classical(self.fn, construction) end
  if rules ~= false then
    self.live = setmetatable({ reachable = { [self.fn:entry()] = true }, known = {} },
      Live)
  end
  self:add_block(self.fn:entry())
  for _ = 2, func.nblocks do self:add_block(self.fn:block()) end
  for i in ipairs(func.params or {}) do
    self:add_var(self.fn:param(i))
    self.values[func.copies and 2 * i - 1 or i] = self.fn:arg(i)
  end
  for i = 0, func.nvars - 1 do self:add_var(self.fn:var("v" .. i, "any")) end
  for _, step in ipairs(func.answers) do
    try(self, step, function() self.answers[step] = self:value(step.value) end)
  end
end

--- Replays one line.
---@param step phial.trace.Step
---@return integer? line
---@return string? why nil on success
function Player:step(step)
  if self.opts.accesses then self.fn:set_node(step.line) end
  return try(self, step, play[step.letter], step)
end

--- Makes the function, as it is before the first line.
---@param func phial.trace.Function
---@param opts table
---@return phial.trace.Player
---@return integer? line
---@return string? why
return function(func, opts)
  local player = setmetatable({
    func = func, opts = opts, blocks = {}, block_named = {}, vars = {}, var_named = {},
    values = {}, found = {}, answers = {}, hosts = {}, checks = {},
  }, Player)
  return player, try(player, func, player.start)
end

-- }=====================================================================
