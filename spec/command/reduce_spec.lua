-- phial reduce: delta debugging, what is left of a trace, and the command.
local command = require("spec.support.command") "bin/phial"
local file = require "spec.support.file"
local format = require "phial.trace.format"
local model = require "phial.command.reduce.model"
local phial = require "phial"
local programs = require "spec.support.programs"
local prop = require "spec.support.prop"
local passes = require "phial.command.reduce.passes"
local render = require "phial.command.reduce.render"
local structured = require "spec.support.structured"
local under = require "spec.support.under"

describe("ddmin", function()
  it("finds a part that fails, of which nothing can be left out", function()
    prop.forall(function(pick)
      local case = { list = {}, sets = {} }
      for i = 1, pick(40) do case.list[i] = i end
      for i = 1, pick(3) do
        case.sets[i] = {}
        for _ = 1, pick(4) do case.sets[i][pick(#case.list)] = true end
      end
      return case
    end, function(case)
      -- a list fails that has all items of one of the sets
      local function fails(list)
        local has = {}
        for _, it in ipairs(list) do has[it] = true end
        for _, set in ipairs(case.sets) do
          local all = true
          for it in pairs(set) do all = all and has[it] end
          if all then return true end
        end
        return false
      end
      local found = passes.ddmin(case.list, fails)
      assert(fails(found))
      for i = 1, #found do
        local less = table.move(found, 1, #found, 1, {})
        table.remove(less, i)
        assert(not fails(less))
      end
      for i = 2, #found do assert(found[i - 1] < found[i]) end
    end)
  end)

  it("tries few parts where one item fails", function()
    local list, tries = {}, 0
    for i = 1, 1024 do list[i] = i end
    assert.same({ 700 }, passes.ddmin(list, function(part)
      tries = tries + 1
      for _, it in ipairs(part) do
        if it == 700 then return true end
      end
      return false
    end))
    assert(tries < 40, tries)
  end)
end)

-- {== What is left of a trace ============================================

-- Traces of random programs.
local function traces(pick)
  local structure, record = pick(2) == 1, nil
  local new = phial.fn
  local p = (structure and structured or programs).generate(pick)
  phial.fn = function(...)
    local fn = new(...)
    record = phial.record(fn)
    return fn
  end
  local ok, err = pcall(structure and structured.build or programs.build, p, { rules = false })
  phial.fn = new
  if not ok then error(err, 0) end
  return { text = record:text(), seed = pick(1 << 30) }
end

local function dense(text) return assert(phial.replay(text)):text { ids = "dense" } end

local ALL <const> = { gone = {}, changed = {}, merged = {} }

describe("the model of a trace", function()
  it("has all of it", function()
    prop.forall(traces, function(case)
      assert.equal(dense(case.text), dense(render(model.read(case.text), ALL)))
    end, 100)
  end)

  it("has all of the lines of traces", function()
    for _, text in ipairs {
      "F f 3 1\nb 0\nr 0\nw 0\nm 0\nu\nc 1 2\nS 1\nb 1\ns 2 2 2\nS 2\nb 2\nr 0\nx\nE\n",
      "F f 2 0 - x:i64\nO construction simple\nb entry\n@ 1 2 \"a b\"\n"
        .. "i %2 i64 call {\"g\"} %1 1:i8\nN %2 two\nj 1\nb 1\nx -\nE keep_unreachable\n",
      "F f 1 0 i64 \"a b\":i64\nV x i64\nV x i64\nB \"3\"\nB a\nB a\nb entry\nw x/2 %1\n"
        .. "w \"a b\" 1\ns 3 a a/2 \"3\" %1 1 2\nS a\nS a/2\nS \"3\"\nb a\nr x/2 %5\nx %5\n"
        .. "b a/2\nx 2\nb \"3\"\nx 3\nE\n",
      "F f 1 0 i64 x:i64\nO copies true\nB a\nV y i1\nU y true\nb entry\nw x 1 %4\nr x %4\nj a\n"
        .. "b a\np %7 entry %4\nx %7\n",
      "F f 1 0 -\nB l\nb entry\nj l\nb l\nt d.op 1 {\"a\"} > l entry\n",
    } do
      local functions = model.read(text)
      if functions then assert.equal(text, render(functions, ALL)) end
      assert.equal(format.read(text) ~= nil, functions ~= nil)
    end
  end)

  it("does not exist of a text that is wrong", function()
    for _, text in ipairs { "", "F f 1 0\nb 1", "F f 1 0\nr 0", "F f 1 0\nr x %", "F f 1 0\nu %9",
      "F f 1 0\nb 0\nx %9\n" } do
      assert.is_nil(model.read(text))
    end
  end)

  it("remains a trace, whatever is left out", function()
    prop.forall(traces, function(case)
      local functions = model.read(case.text)
      local seed = case.seed
      local function chance()
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
        return seed >> 16 & 7 == 0
      end
      local state = { gone = {}, changed = {}, merged = {} }
      for _, func in ipairs(functions) do
        for _, list in ipairs { func.blocks, func.vars, func.lines } do
          for _, it in ipairs(list) do
            local frame = it.letter and it.letter:find "[bBV]"
            if not it.entry and not frame and chance() then state.gone[it] = true end
          end
        end
      end
      local text = render(functions, state)
      assert(format.read(text), text)
      -- every name means something
      local _, why = phial.replay(text)
      assert(not why or not why:find "there is no", why and why .. "\n" .. text)
      assert(model.read(text), text)
    end, 100)
  end)

  it("is reduced to what matters", function()
    prop.forall(traces, function(case)
      local function fails(text)
        local fn = phial.replay(text)
        if not fn then return false end
        for block in fn:blocks() do
          if #block:phis() > 0 then return true end
        end
        return false
      end
      if not fails(case.text) then return end
      local text = passes.reduce(model.read(case.text), fails, function() end)
      assert(fails(text))
      local _, lines = text:gsub("\n", "")
      assert(lines <= 12, text)
    end, 25)
  end)
end)

-- }== The command ========================================================

describe("reduce", function()
  -- A trace of many blocks and functions: one of them multiplies in a loop.
  local function large()
    local out = {}
    for f = 1, 12 do
      out[#out + 1] = ("F f%d 1 0 i64 n:i64\nV i i64\nV s i64\nB head\nB body\nB done"):format(f)
      out[#out + 1] = "b entry\nw i 0\nw s 0\nj head\nb head\nr i %4\nr n %5\ni %6 i1 slt %4 %5"
      out[#out + 1] = "c body done %6\nS body\nS done\nb body"
      for k = 1, 12 do out[#out + 1] = ("r i %%4\ni %%%d i64 add %%4 %d\nw s %%%d"):format(
        20 + k, k, 20 + k) end
      if f == 7 then out[#out + 1] = "r s %32\ni %90 i64 mul %32 %4\nw s %90" end
      out[#out + 1] = "i %91 i64 add %4 1\nw i %91\nj head\nS head\nb done\nr s %8\nx %8\nE"
    end
    return table.concat(out, "\n") .. "\n"
  end

  -- Runs the command for a trace; {} in the words is its file.
  local function run(text, words)
    local path = os.tmpname()
    file.write(path, text)
    local out, complaints, status = command("reduce " .. path .. " " .. words)
    os.remove(path)
    return out, complaints:gsub(path:gsub("%p", "%%%0"), "FILE"), status
  end

  it("shrinks a trace of hundreds of lines to what matters", function()
    local text = large()
    local out, complaints, status = run(text, [[-- sh -c '! grep -q " mul " {}']])
    assert.equal("F f7 1 0 i64\nb entry\ni %90 i64 mul 0 0\n", out)
    assert.equal(0, status)
    local _, before = text:gsub("\n", "")
    assert.truthy(complaints:find(("\n%d lines before, 3 after; the command ran %%d+ times\n$")
      :format(before)), complaints)
    if under.brief then return end
    local again = run(text, [[--quiet -- sh -c '! grep -q " mul " {}']])
    assert.equal(out, again)
  end)

  it("keeps a mistake, and not any mistake", function()
    local text = large():gsub("S head", "S body", 1)
    local out, complaints, status = run(text:gsub("c body done %%6\n", "S head\n%0", 1),
      "--quiet -- test ! -e")
    assert.same({ "", 0 }, { complaints, status })
    local _, why = phial.replay(out)
    assert.truthy(why:find "is sealed: '.-' cannot become a predecessor of it", why)
    assert(#out < 80, out)
  end)

  it("takes what is no trace line by line", function()
    local out, _, status = run("F f 1 0\nwhat\nis this\nwhat\n", [[-- sh -c '! grep -q is {}']])
    assert.same({ "F f 1 0\nis this\n", 0 }, { out, status })
    out = run("F f 1 0\nwhat\nis this\nwhat\n", [[--any -- sh -c '! grep -q is {}']])
    assert.equal("is this\n", out)
  end)

  it("ends with the command", function()
    local out, complaints, status = run("F f 1 0\nb 0\nx\n", "-- true")
    assert.same({ "", "FILE: the command succeeds: nothing to reduce\n", 1 },
      { out, complaints, status })
    out, complaints, status = run("F f 1 0\nb 0\nx\n", "-- sh -c 'kill -2 $$'")
    assert.same({ "", "interrupted\n", 130 }, { out, complaints, status })
  end)
end)

-- }======================================================================
