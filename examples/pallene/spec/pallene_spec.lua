-- Pallene's IR in SSA form: what its own passes say of recorded programs, what phial says more,
-- and that programs do the same when they are written again.
local assert = require "spec.support.assert"
local phial = require "phial"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local answers = require "pallene.answers"
local construct, key = require("pallene.construct").construct, require("pallene.construct").key
local hoist = require "passes.hoist"
local write = require "pallene.write"

local PROGRAMS <const> = { "binarytrees", "constants", "conway", "fannkuchredux", "nbody", "queen",
  "sieve", "uninitialized" }

-- Calls f(func, name) for each recorded function.
local function each(f)
  for _, name in ipairs(PROGRAMS) do
    local module = dofile(("examples/pallene/recorded/%s.ir"):format(name))
    for _, func in ipairs(module.functions) do f(func, name) end
  end
end

describe("variables that are not initialized", function()
  it("are those of Pallene's pass, and those that are assigned from themselves", function()
    for _, name in ipairs(PROGRAMS) do
      local module = dofile(("examples/pallene/recorded/%s.ir"):format(name))
      local expected, got = module.messages, {}
      for _, func in ipairs(module.functions) do
        table.move(answers.uninitialized(func), 1, 9, #got + 1, got)
      end
      if name == "uninitialized" then -- pallene-lang/pallene#650
        expected[4] = "programs/uninitialized.pln:43:11: error: variable 'a' is used before "
          .. "being initialized"
      end
      assert.same(expected, got)
    end
  end)
end)

describe("what is live at collections", function()
  it("is what Pallene's pass says, without results that are not references", function()
    local count, more = 0, 0
    each(function(func)
      local live = answers.live_at_collections(func)
      for i, block in ipairs(func.live) do
        for k, list in ipairs(block) do
          local expected = {}
          for _, v in ipairs(list or {}) do
            if func.vars[v].gc then expected[#expected + 1] = v else more = more + 1 end
          end
          if list then assert.same(expected, live[func.blocks[i][k]]) end
          count = count + (list and 1 or 0)
        end
      end
    end)
    assert.same({ 38, 2 }, { count, more })
  end)
end)

describe("constants", function()
  it("are those of Pallene's pass, and those that variables have from others", function()
    local same, more = 0, 0
    for _, name in ipairs(PROGRAMS) do
      local functions = dofile(("examples/pallene/recorded/%s.ir"):format(name)).functions
      local found = answers.constants(functions)
      for _, func in ipairs(functions) do
        for _, block in ipairs(func.blocks) do
          for _, cmd in ipairs(block) do
            local is_kept = cmd.op ~= "Move" and cmd.op ~= "InitUpvalues"
            for i, src in ipairs(is_kept and cmd.srcs or {}) do
              local theirs, ours = cmd.constants and cmd.constants[i], found[cmd] and found[cmd][i]
              if theirs then
                assert.equal(key(theirs), ours)
                same = same + 1
              elseif ours and (math.type(src) or src[1] == "Upvalue") then
                more = more + 1
              end
            end
          end
        end
      end
    end
    assert.same({ 4, 2 }, { same, more })
  end)
end)

it("of several results for one variable the first counts", function()
  local func = { name = "f", params = 0, vars = { {}, {} }, returns = { 1 }, blocks = { {
    { op = "CallStatic", dsts = { 2, 1, 1 }, srcs = {} } } } }
  local fn = construct(func, { rules = false })
  local results = fn:find("b2"):insts()[1]:results()
  assert.equal(results[2], fn:find("b2"):terminator():args()[1])
end)

describe("redundant", function()
  it("renormalizations and loop-invariant commands are found", function()
    local count, moved = {}, {}
    each(function(func, name)
      count[name] = (count[name] or 0) + #answers.redundant(func)
      moved[name] = (moved[name] or 0) + hoist((construct(func, { rules = phial.rules() })))
    end)
    assert.same({ binarytrees = 0, constants = 0, conway = 0, fannkuchredux = 2, nbody = 0,
      queen = 0, sieve = 0, uninitialized = 0 }, count)
    assert.same({ binarytrees = 0, constants = 0, conway = 0, fannkuchredux = 0, nbody = 0,
      queen = 3, sieve = 0, uninitialized = 0 }, moved)
  end)
end)

-- {== Written again ======================================================

local function hash(text)
  local h = 5381
  for i = 1, #text do h = h * 33 + text:byte(i) & 0xffffffffffff end
  return h
end

local SILENT <const> = { Jmp = true, JmpIf = true, Move = true, Nop = true }
local KEPT <const> = { CallStatic = true, CallDyn = true, SetArr = true, SetTable = true,
  SetField = true, CheckGC = true, InitUpvalues = true }

local PURE <const> = { Binop = true, FromDyn = true, IsNil = true, IsTruthy = true, ToDyn = true,
  ToFloat = true, Unop = true }

-- Runs a function on values that only have a name: each command gives what is made of its name,
-- its operands and, unless it is pure, the number of writes so far. Returns what writes and calls
-- have seen.
local function trace(func, seed, steps)
  local env, out, b, writes = {}, {}, 1, 0
  for i = 1, func.params do env[i] = seed + i end
  local function value(src)
    if type(src) == "number" then return env[src] or "Nil nil" end -- uninitialized
    return key(src)
  end
  while steps > 0 and b do
    local block, to = func.blocks[b], nil
    for _, cmd in ipairs(block) do
      local seen = { cmd.op, tostring(cmd.name) }
      for i, src in ipairs(cmd.srcs) do seen[i + 2] = tostring(value(src)) end
      local text = table.concat(seen, " ")
      if KEPT[cmd.op] then
        writes, out[#out + 1] = writes + 1, text
      end
      if cmd.op == "Move" then env[cmd.dsts[1]] = value(cmd.srcs[1]) end
      if cmd.to then to = cmd.to[cmd.op == "JmpIf" and hash(text .. steps) % 2 + 1 or 1] end
      for i, dst in ipairs(SILENT[cmd.op] and {} or cmd.dsts) do
        env[dst] = hash(text .. (PURE[cmd.op] and 0 or writes) .. i)
      end
      if cmd.op == "JmpIf" then steps = steps - 1 end
    end
    b = to
  end
  for _, v in ipairs(b and {} or func.returns) do out[#out + 1] = tostring(value(v)) end
  return out
end

-- Gives variables one of two types, as flat.lua gives them those of Pallene.
local function add_types(func)
  func.types = { "no reference", "reference" }
  for _, var in ipairs(func.vars) do var.type = "pallene_types.t" .. (var.gc and 2 or 1) end
end

describe("a function that is written again", function()
  for what, opts in pairs { ["as it is"] = { rules = false },
    ["with rules"] = { rules = phial.rules() }, ["with types"] = { rules = false },
    ["with rules and types"] = { rules = phial.rules() } } do
    it("does what it did: " .. what, function()
      each(function(func)
        if what:find "types" then add_types(func) end
        local again = write(construct(func, opts), func.name)
        for seed = 1, under.brief and 5 or 20 do
          assert.same(trace(func, seed, 40), trace(again, seed, 40))
        end
      end)
    end)
  end
end)

-- }=======================================================================
