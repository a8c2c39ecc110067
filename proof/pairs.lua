-- Writes pairs that the checker compares: traces, and the texts of the functions that phial makes
-- of them, by all constructions.
--
-- usage: lua5.4 proof/pairs.lua FOLDER FAMILY [COUNT]; families: below
package.path = "./?.lua;examples/?.lua;" .. package.path
local algorithms = require "phial.trace.algorithms"
local phial = require "phial"

local folder, family, count = arg[1], arg[2], tonumber(arg[3] or 10000)

local function open(name) return assert(io.open(folder .. "/" .. name, "wb")) end

local function text_of(fn) return fn:text { positions = false } end

-- {== Texts of a trace ==================================================

-- Structured control flow is what "brandis" needs.
local VARIANTS <const> = {}
for _, name in ipairs(algorithms.names) do
  if name ~= "brandis" then VARIANTS[#VARIANTS + 1] = name end
end

-- Files NAME.sst and NAME.CONSTRUCTION.txt.
local Pairs = {}
Pairs.__index = Pairs

local function new_pairs(name, variants)
  local texts = {}
  for _, variant in ipairs(variants) do
    texts[variant] = open(("%s.%s.txt"):format(name, variant))
  end
  return setmetatable({ trace = open(name .. ".sst"), texts = texts, variants = variants }, Pairs)
end

-- Adds the functions of a trace, constructed in each way; `own` is the text of the function that
-- was recorded.
function Pairs:add(trace, own)
  self.trace:write(trace)
  for _, variant in ipairs(self.variants) do
    if variant == "own" then
      self.texts.own:write(own)
    else
      local opts = { construction = variant, verify = false }
      for _, fn in ipairs { assert(phial.replay(trace, opts)) } do
        self.texts[variant]:write(text_of(fn))
        fn:close()
      end
    end
  end
end

function Pairs:close()
  self.trace:close()
  for _, file in pairs(self.texts) do file:close() end
end

local function with_own(list) return table.move(list, 1, #list, 2, { "own" }) end

-- }== Functions that a frontend makes ===================================

-- Records what `phial.fn` makes while `make` runs, and adds it to the pairs when `take` is called.
local function recorded(pairs_, make)
  local core, fn, made = require "phial.core", phial.fn, {}
  phial.fn = function(...)
    local it = fn(...)
    made[#made + 1] = { fn = it, record = assert(phial.record(it)) }
    return it
  end
  local function take()
    for _, it in ipairs(made) do
      if core.is_usable(it.fn) then pairs_:add(it.record:text(), text_of(it.fn)) end
    end
    made = {}
  end
  make(take)
  phial.fn = fn
end

local families = {}

function families.corpus()
  local corpus = require "bench.lib.corpus"
  for _, name in ipairs(corpus.programs(corpus.folder)) do
    local file <close> = assert(io.open(corpus.unpacked(corpus.folder, name)))
    local out = new_pairs(name, VARIANTS)
    out:add(file:read "a")
    out:close()
  end
end

local function luac_functions(take)
  local bytecode, names = require "luac.bytecode", require "luac.names"
  local translate = require "luac.translate".translate
  for _, root in ipairs { "busted.core", "pl.List" } do
    local path = assert(package.searchpath(root, package.path)):match "^(.*)/"
    for file in io.popen(("find '%s' -name '*.lua' | LC_ALL=C sort"):format(path)):lines() do
      local loaded = loadfile(file)
      local protos, known = {}, nil
      if loaded then protos, known = names.of(assert(bytecode.read(string.dump(loaded)))) end
      for _, proto in ipairs(protos) do
        translate(proto, known)
        take()
      end
    end
  end
end

function families.luac()
  local out = new_pairs("luac", with_own(VARIANTS))
  recorded(out, luac_functions)
  out:close()
end

local function react_functions(take)
  local json, reader = require "react.json", require "react.reader"
  local translate = require "react.translate".translate
  for line in io.lines "examples/react/spec/functions.jsonl" do
    for _, way in ipairs { "within", "each" } do
      assert(translate(assert(reader.read(json.read(line).pre)), way))
      take()
    end
  end
end

function families.react()
  local out = new_pairs("react", with_own { "marker", "simple", "scc", "operand", "choi" })
  recorded(out, react_functions)
  out:close()
end

-- }== Random functions ==================================================

local SEALS <const> = { "early", "finish", "random", "count" }

function families.random()
  local programs = require "spec.support.programs"
  math.randomseed(1)
  local out = new_pairs("random", with_own(VARIANTS))
  for i = 1, count do
    local generate = i % 3 == 0 and programs.generate_with_kills or programs.generate
    local p, record = generate(math.random, nil), nil
    local fn = programs.build(p, {
      seal = SEALS[math.random(4)], construction = algorithms.variants[math.random(4)],
      keep_unreachable = math.random(2) == 1, copies = math.random(4) == 1,
      states = math.random(2) == 1, form = math.random(2) == 1 and "short" or "long",
      started = function(it) record = assert(phial.record(it)) end,
    })
    fn:finish()
    out:add(record:text(), text_of(fn))
    fn:close()
  end
  out:close()
end

-- }== Random structured functions =======================================
--
-- Their frontend holds values: it uses what a read or an instruction gave in all blocks that come
-- after it on every path. Each answer has a name of its own.

---@class proof.Draft
---@field lines string[]
---@field ids integer
---@field blocks integer
---@field block integer the current one
---@field unsealed integer[] blocks that are sealed at the end
local Draft = {}
Draft.__index = Draft

local VARS <const> = 4

function Draft:say(format, ...) self.lines[#self.lines + 1] = format:format(...) end

function Draft:new_value(held)
  self.ids = self.ids + 1
  held[#held + 1] = "%" .. self.ids
  return held[#held]
end

function Draft:new_block()
  self:say "B"
  self.blocks = self.blocks + 1
  return self.blocks
end

function Draft:enter(block)
  self.block = block
  self:say("b %d", block)
end

function Draft:seal(block)
  if math.random(2) == 1 then
    self:say("S %d", block)
  else
    self.unsealed[#self.unsealed + 1] = block
  end
end

local function any_of(held) return math.random(5) == 1 and "7:any" or held[math.random(#held)] end

local function copy_of(held) return table.move(held, 1, #held, 1, {}) end

local statement = {}

function Draft:statements(held, depth)
  for _ = 1, math.random(5) do
    statement[math.random(depth > 0 and #statement or #statement - 2)](self, held, depth)
  end
end

function Draft:read(held)
  self:say("r %d %s", math.random(0, VARS - 1), self:new_value(held))
end

statement[1] = Draft.read

-- What is written is what was read: a phi of it is redundant, but classical algorithms place it.
statement[2] = function(self, held)
  local var = math.random(0, VARS - 1)
  self:say("r %d %s", var, self:new_value(held))
  self:say("w %d %s", var, held[#held])
end

statement[3] = function(self, held)
  self:say("w %d %s", math.random(0, VARS - 1), any_of(held))
end

statement[4] = function(self, held)
  local a, b = any_of(held), any_of(held)
  self:say("i %s any h.op {%d} %s %s", self:new_value(held), self.ids, a, b)
end

statement[5] = function(self, held)
  local a = any_of(held)
  self:say("i %s %s any h.pair %s", self:new_value(held), self:new_value(held), a)
end

statement[6] = function(self, held) self:say("i h.use %s %s", any_of(held), any_of(held)) end

-- An if or a switch, sometimes with a phi by hand after it.
statement[7] = function(self, held, depth)
  local arms, inputs = {}, {}
  for i = 1, math.random(2, 3) do arms[i] = self:new_block() end
  local join = self:new_block()
  self:say("t h.if %s > %s", any_of(held), table.concat(arms, " "))
  for i, arm in ipairs(arms) do
    self:seal(arm)
    local inner = copy_of(held)
    self:enter(arm)
    self:statements(inner, depth - 1)
    inputs[i] = ("%d %s"):format(self.block, any_of(inner))
    self:say("j %d", join)
    if math.random(4) == 1 then self:read(inner) end
  end
  self:enter(join)
  if self.by_hand and math.random(3) == 1 then
    self:say("S %d", join)
    self:say("p %s %s", self:new_value(held), table.concat(inputs, " "))
  else
    self:seal(join)
  end
end

-- A loop: what its head gave is held in the body and after it.
statement[8] = function(self, held, depth)
  local head, body, done = self:new_block(), self:new_block(), self:new_block()
  self:say("j %d", head)
  self:enter(head)
  self:read(held)
  self:say("t h.if %s > %d %d", any_of(held), body, done)
  self:seal(body)
  self:seal(done)
  self:enter(body)
  self:statements(copy_of(held), depth - 1)
  self:say("j %d", head)
  self:seal(head)
  self:enter(done)
end

-- A phi by hand is nothing that classical algorithms make.
local function structured(by_hand)
  local draft = setmetatable({ lines = {}, ids = 1, blocks = 0, unsealed = {}, by_hand = by_hand },
    Draft)
  draft:say("F structured 1 %d any p:any", VARS - 1)
  draft:enter(0)
  local held = { "%1" }
  draft:statements(held, 3)
  draft:say("x %s", any_of(held))
  for _, block in ipairs(draft.unsealed) do draft:say("S %d", block) end
  draft:say "E"
  return table.concat(draft.lines, "\n") .. "\n"
end

-- The trace, as it is recorded, with one name for all answers that are one value in the end.
local function named_by_value(trace)
  local fn, record, by = phial.fn, nil, {}
  local function name_of(v)
    if v:op() == "undef" then return "undef:any" end
    return v:op() == "const" and v:const() .. ":any" or "%" .. v:id()
  end
  phial.fn = function(name, params, result, opts)
    opts.log = function(event)
      if event.event == "trivial" or event.event == "redundant" then
        by["%" .. event.value_id] = name_of(event.by)
      end
    end
    local it = fn(name, params, result, opts)
    record = assert(phial.record(it))
    return it
  end
  assert(phial.replay(trace))
  phial.fn = fn
  return (record:text():gsub("%%%d+", function(name)
    while by[name] do name = by[name] end
    return name
  end))
end

-- False if a classical algorithm refuses a trace: a block uses a value of another one by a name
-- that was first read elsewhere, where the algorithm has another phi.
local function is_replayed(trace)
  for _, name in ipairs(algorithms.names) do
    local fn = phial.replay(trace, { construction = name })
    if not fn then return false end
    fn:close()
  end
  return true
end

function families.structured()
  math.randomseed(2)
  local all, variants = new_pairs("structured", algorithms.names),
    new_pairs("by_hand", algorithms.variants)
  local named = new_pairs("named", algorithms.names)
  for _ = 1, count // 2 do
    local trace = structured(false)
    all:add(trace)
    local by_value = named_by_value(trace)
    if is_replayed(by_value) then named:add(by_value) end
    variants:add(structured(true))
  end
  all:close()
  named:close()
  variants:close()
end

-- }== Every line of a trace ============================================

function families.lines()
  local file <close> = assert(io.open "proof/lines.sst")
  local out = new_pairs("lines", algorithms.variants)
  out:add(file:read "a")
  out:close()
end

-- }== With rules =========================================================
--
-- The trace is recorded without rules, and replayed with them.

-- Functions with classes of memory, several results, or other ways of passing: not covered.
local left_out = 0

-- A function that adds a function with rules to files NAME.sst and NAME.rules.txt.
local function ruled(name)
  local trace_file, text_file = open(name .. ".sst"), open(name .. ".rules.txt")
  return function(trace, rules)
    if trace:find "\n[it] [^\n]* reads%(" or trace:find "\n[it] [^\n]* writes%("
      or trace:find "\nO [vszb]" or trace:match "^[^\n]*":find " %d+ %d+ [%w.]+,[%w.]" then
      left_out = left_out + 1
      return
    end
    local fn = phial.replay(trace, { rules = rules or true, verify = false })
    if not fn then return end
    trace_file:write(trace)
    text_file:write((text_of(fn):gsub("^internal ", "")))
    fn:close()
  end
end

-- Records all functions that are made while `make` runs, without rules.
local function all_recorded(add, make)
  local fn, methods = phial.fn, getmetatable(phial.module "m").__index
  local made, in_module, is_replaying = {}, methods.fn, false
  local function start(it)
    if not is_replaying then made[#made + 1] = phial.record(it) end
    return it
  end
  function phial.fn(name, params, result, opts)
    if is_replaying or not opts then return fn(name, params, result, opts) end
    local own = { rules = false }
    for key, value in pairs(opts) do if key ~= "rules" then own[key] = value end end
    return start(fn(name, params, result, own))
  end
  function methods.fn(module, name, params, result, opts)
    local own = { rules = false }
    for key, value in pairs(opts or {}) do if key ~= "rules" then own[key] = value end end
    return start(in_module(module, name, params, result, own))
  end
  make(function()
    is_replaying = true
    for _, it in ipairs(made) do
      local text = it:text():gsub("\n%-%-[^\n]*", ""):gsub("{host (%d+)}", '{"host %1"}')
      if text:find "\nE[^\n]*\n*$" then add(text) end
    end
    made, is_replaying = {}, false
  end)
  phial.fn, methods.fn = fn, in_module
end

local function files_of(pattern) return io.popen("ls " .. pattern):lines() end

function families.rules()
  local arithmetic, patterns = require "spec.support.arithmetic", require "spec.support.patterns"
  local random_rules = require "spec.support.random_rules"
  local limit <const> = math.min(count, 500)     -- their lemmas are asked a solver
  math.randomseed(3)
  local standard = patterns.read(patterns.standard())
  local function recorded_of(program)
    local record
    arithmetic.build(program, "show", { started = function(it) record = phial.record(it) end })
    return record:text()
  end
  local random, sets = ruled "rules_random", ruled "rules_sets"
  for _ = 1, limit do random(recorded_of(arithmetic.generate(math.random, 8, standard))) end
  for i = 1, limit // 4 do
    local text, functions, plain = random_rules.generate(math.random)
    local own, both = patterns.read("\n" .. plain), {}
    for k, rule in ipairs(standard) do
      both[2 * k - 1], both[2 * k] = rule, own[k % #own + 1]
    end
    local most = i % 4 == 0 and 8 or 1
    sets(recorded_of(arithmetic.generate(math.random, most, both, { dense = true })),
      phial.rules "int":add(text, functions))
  end
  local compile, wasm = require "minic.compile", require "wasm.module"
  local modules = require "wasm.spec.modules"
  all_recorded(ruled "rules_minic", function(take)
    for path in files_of "examples/minic/programs/*.c" do
      compile.compile(compile.preprocess(path), path, { run = true })
      take()
    end
  end)
  all_recorded(ruled "rules_wasm", function(take)
    local function add(path)
      local file <close> = assert(io.open(path, "rb"))
      pcall(wasm.translate, file:read "a", path, {})      -- some imports are missing
      os.remove(path)
      take()
    end
    if modules.has "wat2wasm" then
      for path in files_of "examples/wasm/spec/*.wat" do add(modules.of_text(path)) end
    end
    if modules.has("clang", "wasm-ld") then
      add(modules.of_c "examples/wasm/spec/kernels.c")
    end
  end)
  all_recorded(ruled "rules_react", react_functions)
  all_recorded(ruled "rules_luac", luac_functions)
  print(left_out .. " functions are left out: classes of memory, several results, ways of passing")
end

-- The typed traces that bench/paper/run has written to the folder TYPED.
function families.typed()
  for path in files_of(os.getenv "TYPED" .. "/*-typed.sst") do
    local file <close> = assert(io.open(path, "rb"))
    local trace, name = file:read "a", "rules_" .. path:match "([^/]*)-typed%.sst$"
    local trace_file <close> = open(name .. ".sst")
    local text_file <close> = open(name .. ".rules.txt")
    trace_file:write(trace)
    for _, fn in ipairs { assert(phial.replay(trace, { rules = true, verify = false })) } do
      text_file:write(text_of(fn))
      fn:close()
    end
  end
end

-- }=====================================================================

families[family]()
