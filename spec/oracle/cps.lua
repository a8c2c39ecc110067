-- A reader and an interpreter of the text of phial.emit.cps: closures over environments.
-- The reader goes by the words only, not by indentation. A name must be bound in a
-- scope around its use, once, and a call must have the arguments that its continuation
-- wants.
local semantics = require "spec.oracle.semantics"

local M = {}

--
-- {== Words ===========================================================
--

-- Patterns of words, in the order in which they are tried, and their kinds.
local WORDS = {
  { "^→", "sign" }, { "^⊥", "sign" }, { "^:=", "sign" },
  { '^"[^"]*"', "string" }, { "^`[^`]*`", "name" },
  { "^%-?inf%f[%W]", "number" }, { "^%-?nan%f[%W]", "number" },
  { "^%-?%d[%d.]*[eE][-+]?%d+", "number" }, { "^%-?%d[%d.]*", "number" },
  { "^[%a_][%w_]*%.?[%w_]*", "name" }, { "^[%(%)%[%]{}:,@]", "sign" },
}

-- The words of a text: { kind, text }; a typed constant has a field type.
local function words(text)
  local hidden, at, out = text:gsub("\\.", "__"), 1, {}
  while true do
    at = hidden:find("%S", at)
    if not at then return out end
    for _, row in ipairs(WORDS) do
      local first, last = hidden:find(row[1], at)
      if first then
        local it = { kind = row[2], text = text:sub(first, last) }
        at = last + 1
        local of = it.kind ~= "sign" and hidden:match("^:([%w_.]+)", at)
        if of then it.type, at = of, at + #of + 1 end
        out[#out + 1] = it
        break
      end
      assert(row ~= WORDS[#WORDS], "unknown word at " .. text:sub(at, at + 20))
    end
  end
end

-- }== Reading =========================================================

local Reader = {}
Reader.__index = Reader

function Reader:peek(k)
  local it = self.list[self.at + (k or 0)]
  return it and it.text or ""
end

function Reader:take(text)
  local it = self.list[self.at]
  if text and (not it or it.text ~= text) then
    error(("%s expected, got %s, word %d"):format(text, it and it.text, self.at), 0)
  end
  self.at = self.at + 1
  return it
end

function Reader:accept(text)
  if self:peek() ~= text then return false end
  self.at = self.at + 1
  return true
end

-- Reads with `read` until a closing sign, between commas.
function Reader:list_of(close, read)
  local out = {}
  while not self:accept(close) do
    if #out > 0 then self:take "," end
    out[#out + 1] = read(self)
  end
  return out
end

-- x : i64
function Reader:typed()
  local name = self:take().text
  if name == "_" then return { name = name } end
  self:take ":"
  local type = self:take().text
  if type == "(" then
    self:take ")"
    type = "()"
  end
  if self:accept "→" then self:take "⊥" end
  return { name = name, type = type }
end

local CONSTANTS = { ["true"] = true, ["false"] = false, inf = math.huge, ["-inf"] = -math.huge,
  nan = 0 / 0, ["-nan"] = 0 / 0 }
local UNDEF = { i1 = false, i8 = 0, i16 = 0, i32 = 0, i64 = 0, f32 = 0.0, f64 = 0.0, ptr = 0 }

-- An operand: { name = } or { value =, type = }.
function Reader:operand()
  if self:accept "{" then
    self:take "host"
    local i = tonumber(self:take().text)
    self:take "}"
    return { value = self.host[i], type = "any" }
  end
  local it = self:take()
  local text = it.text
  if text == "undef" then return { value = UNDEF[it.type], type = it.type } end
  if CONSTANTS[text] ~= nil then
    local type = type(CONSTANTS[text]) == "boolean" and "i1" or "f64"
    return { value = CONSTANTS[text], type = it.type or type }
  end
  if text == "nil" then return { type = it.type or "any" } end
  if it.kind == "string" then
    return { value = load("return " .. text)(), type = it.type or "any" }
  end
  if it.kind == "name" then return { name = text } end
  local value = assert(tonumber(text), text)
  if it.type == "f32" then value = string.unpack("<f", string.pack("<f", value)) end
  return { value = value, type = it.type or (math.type(value) == "integer" and "i64" or "f64") }
end

-- What is between parentheses: operands, targets in brackets, and `5: target`.
function Reader:argument()
  if self:accept "[" then return { list = self:list_of("]", Reader.operand) } end
  local it = self:operand()
  if self:accept ":" then return { key = it, target = self:operand() } end
  return it
end

-- op {data} @callee (arguments)
function Reader:application()
  local it = { op = self:take().text }
  if self:accept "@" then
    it.callee = self:take().text
  elseif self:peek() == "{" then
    if self:peek(1) == "host" then
      it.data = self:operand()
    else
      self:take()
      it.data = self:operand()
      self:take "}"
    end
  end
  self:take "("
  it.args = self:list_of(")", Reader.argument)
  return it
end

-- A binding: of a continuation, or of the results of an instruction.
function Reader:binding()
  if self:accept "(" then
    local results = self:list_of(")", Reader.typed)
    self:take ":="
    return { results = results, made = self:application() }
  end
  if self:peek(1) == ":" then
    local results = { self:typed() }
    self:take ":="
    return { results = results, made = self:application() }
  end
  local it = { name = self:take().text }
  if self:accept "within" then it.within = self:take().text end
  self:take ":="
  self:take "("
  it.params = self:list_of(")", Reader.typed)
  self:take "→"
  self:take "⊥"
  it.body = self:body()
  return it
end

local KEYWORD = { let = true, letrec = true, ["in"] = true }

-- Groups of bindings, then what is called at the end.
function Reader:body()
  local body = { groups = {} }
  while self:peek() == "let" or self:peek() == "letrec" do
    local group = { keyword = self:take().text }
    while not KEYWORD[self:peek()] do group[#group + 1] = self:binding() end
    body.groups[#body.groups + 1] = group
  end
  if #body.groups > 0 then self:take "in" end
  body.call = self:application()
  return body
end

--- Reads a text.
---@param text string
---@param host any[]? the second result of phial.emit.cps
function M.read(text, host)
  local reader = setmetatable({ list = words(text), at = 1, host = host }, Reader)
  local it = { name = reader:take().text }
  reader:take "("
  it.params = reader:list_of(")", Reader.typed)
  it.ret = table.remove(it.params)
  assert(it.ret.name == "ret")
  reader:take "→"
  reader:take "⊥"
  it.body = reader:body()
  assert(reader.at > #reader.list, "text after the end")
  return it
end

-- }== Continuations ===================================================

-- Calls f(continuation, group, the continuation around it) for all continuations.
local function each(it, f)
  for _, group in ipairs(it.body.groups) do
    for _, binding in ipairs(group) do
      if binding.body then
        f(binding, group, it)
        each(binding, f)
      end
    end
  end
end

--- The continuations by name: each with `around`, the one that it is inside.
function M.continuations(it)
  local out = {}
  each(it, function(binding, group, around)
    assert(not out[binding.name], "bound twice: " .. binding.name)
    out[binding.name] = binding
    binding.group, binding.around = group, around
  end)
  for _, binding in pairs(out) do
    if binding.within then binding.around = assert(out[binding.within], binding.within) end
  end
  return out
end

--- Calls f(name) for the continuations that an application passes on, or calls.
function M.targets(it, f)
  for _, arg in ipairs(it.args) do
    for _, target in ipairs(arg.list or { arg.target or arg }) do
      if target.name then f(target.name) end
    end
  end
  f(it.op)
end

-- True if from a member of a group one comes to a member that one came from.
local function has_cycle(group)
  local calls, state = {}, {}
  for _, member in ipairs(group) do calls[member.name] = {} end
  for _, member in ipairs(group) do
    local function note(name)
      if calls[name] then calls[member.name][name] = true end
    end
    M.targets(member.body.call, note)
    each(member, function(inner) M.targets(inner.body.call, note) end)
  end
  local function visit(name)
    if state[name] then return state[name] == "open" end
    state[name] = "open"
    for to in pairs(calls[name]) do
      if visit(to) then return true end
    end
    state[name] = "done"
  end
  for name in pairs(calls) do
    if visit(name) then return true end
  end
  return false
end

--- Checks that a group is `letrec` if and only if it has a cycle.
function M.check_keywords(it)
  local function check(around)
    for _, group in ipairs(around.body.groups) do
      local is_letrec = group.keyword == "letrec"
      assert((group[1].body and has_cycle(group) or false) == is_letrec, group[1].name)
    end
  end
  check(it)
  each(it, check)
end

-- }== Running =========================================================

local function trap(why) error({ trap = why }, 0) end

local function look_up(scope, name)
  while scope do
    local it = scope.names[name]
    if it then return it end
    scope = scope.up
  end
  error("not in scope: " .. tostring(name), 0)
end

local function bind(scope, name, it)
  assert(not scope.names[name], "bound twice: " .. name)
  scope.names[name] = it
end

local function new_scope(up) return { up = up, names = {} } end

-- The value of an operand: { value =, type = }.
local function value_of(scope, operand)
  if not operand.name then return operand end
  local it = look_up(scope, operand.name)
  assert(it.type, operand.name .. " is a continuation")
  return it
end

local function plain(values)
  local out = { n = #values }
  for i, it in ipairs(values) do out[i] = it.value end
  return out
end

-- The results of an instruction, as a list.
local function compute(state, scope, binding)
  local made, values = binding.made, {}
  for i, arg in ipairs(made.args) do values[i] = value_of(scope, arg) end
  local args = plain(values)
  if made.op == "call" then
    return table.pack(state.opts.env[made.callee](table.unpack(args, 1, args.n)))
  end
  if made.op:find(".", 1, true) then
    return table.pack(state.opts.eval(made.op)(table.unpack(args, 1, args.n)))
  end
  if made.op == "trap_if" then
    if args[1] then trap(made.data.value) end
    return {}
  end
  local kind = { type = binding.results[1].type, from = values[1] and values[1].type }
  return { semantics.op(made.op, kind, table.unpack(args, 1, args.n)) }
end

-- Binds the continuations of a group, which see one another; those that are inside another
-- one are bound there.
local function bind_group(scope, group)
  for _, binding in ipairs(group) do
    if not binding.within then
      bind(scope, binding.name, { continuation = binding, scope = scope })
    end
  end
end

-- Executes a body up to its call; flat continuations inside it are bound in its scope.
local function execute(state, scope, name, body)
  for _, group in ipairs(body.groups) do
    if group[1].body then bind_group(scope, group) end
    for _, binding in ipairs(group) do
      if binding.made then
        local results = compute(state, scope, binding)
        for i, result in ipairs(binding.results) do
          if result.name ~= "_" then
            bind(scope, result.name, { value = results[i], type = result.type })
          end
        end
      end
    end
  end
  for _, binding in ipairs(state.inside[name] or {}) do
    bind(scope, binding.name, { continuation = binding, scope = scope })
  end
end

local choose = {}

function choose.branch(_, scope, call)
  return call.args[value_of(scope, call.args[1]).value and 2 or 3]
end

function choose.switch(_, scope, call)
  local subject = value_of(scope, call.args[1]).value
  for i = 3, #call.args do
    if call.args[i].key.value == subject then return call.args[i].target end
  end
  return call.args[2]
end

-- What a terminator of a dialect chooses.
local function by_eval(state, scope, call)
  local values, list = {}, nil
  for _, arg in ipairs(call.args) do
    if arg.list then list = arg.list else values[#values + 1] = value_of(scope, arg) end
  end
  local args = plain(values)
  if call.data then
    args.n = args.n + 1
    args[args.n] = call.data.value
  end
  return list[state.opts.eval(call.op)(table.unpack(args, 1, args.n))]
end

-- The continuation and the arguments of a call; nil and the result at the end.
local function next_of(state, scope, call)
  if call.op == "ret" then return nil, call.args[1] and value_of(scope, call.args[1]).value end
  if call.op == "unreachable" then trap "reached" end
  if call.op == "trap" then trap(call.data.value) end
  local chooser = choose[call.op] or call.op:find "^%a+%.%a" and by_eval
  if chooser then
    local target = chooser(state, scope, call)
    return look_up(scope, target.name), {}
  end
  local values = {}
  for i, arg in ipairs(call.args) do values[i] = value_of(scope, arg) end
  return look_up(scope, call.op), values
end

local function burn(opts)
  if not opts.fuel then return end
  opts.fuel = opts.fuel - 1
  if opts.fuel < 0 then trap "out of fuel" end
end

-- Binds arguments to parameters, whose types they must have.
local function pass(scope, params, values, what)
  assert(#params == #values, what .. ": wrong number of arguments")
  for i, param in ipairs(params) do
    local of = values[i].type
    assert(of == param.type, ("%s: %s is %s, not %s"):format(what, param.name, of, param.type))
    bind(scope, param.name, values[i])
  end
end

--- Runs a function. opts.env: callees by name; opts.eval: the eval of an op of a dialect;
--- opts.fuel: how many blocks it may enter; opts.is_block(name): whether a continuation is
--- one.
---@return any
function M.run(it, opts, ...)
  local state, scope, values = { opts = opts, inside = {} }, new_scope(), {}
  for i, param in ipairs(it.params) do
    values[i] = { value = (select(i, ...)), type = param.type }
  end
  pass(scope, it.params, values, it.name)
  local name, is_flat = it.name, false
  each(it, function(binding)
    if binding.within then
      is_flat, state.inside[binding.within] = true, state.inside[binding.within] or {}
      table.insert(state.inside[binding.within], binding)
    end
  end)
  if not is_flat then burn(opts) end
  local body = it.body
  while true do
    execute(state, scope, name, body)
    local to, args = next_of(state, scope, body.call)
    if not to then return args end
    local continuation = assert(to.continuation, "called, and not a continuation")
    scope = new_scope(to.scope)
    pass(scope, continuation.params, args, continuation.name)
    name, body = continuation.name, continuation.body
    if opts.is_block(name) then burn(opts) end
  end
end

-- }====================================================================

return M
