-- The sixty lines of docs/algorithm.md make as many phis as phial does, for random structured
-- programs.
local document = require "spec.support.document"
local phial = require "phial"
local prop = require "spec.support.prop"

local PATH <const> = "docs/algorithm.md"
local NAMES <const> = { "x", "y", "z" }

-- The functions that the document defines before its example.
local function defined()
  local code, n = {}, 1
  repeat
    code[n] = document.code(PATH, n)
    n = n + 1
  until code[n - 1]:find "local function new_block"
  code[n] = "return { read = read, write = write, seal = seal, new_block = new_block }"
  return assert(load(table.concat(code, "\n"), "=" .. PATH))()
end

-- {== Programs =========================================================

local function statements(pick, depth)
  local list = {}
  for i = 1, pick(3) do
    local kind, name = pick(depth > 0 and 5 or 3), NAMES[pick(#NAMES)]
    if kind <= 3 then
      list[i] = { kind == 1 and "write" or "read", name }
    elseif kind == 4 then
      list[i] = { "if", statements(pick, depth - 1), statements(pick, depth - 1) }
    else
      list[i] = { "while", name, statements(pick, depth - 1) }
    end
  end
  return list
end

-- Translates a program, by functions that make, fill and seal blocks.
local function translate(list, by, block)
  for _, it in ipairs(list) do
    if it[1] == "write" or it[1] == "read" then
      by[it[1]](block, it[2])
    elseif it[1] == "if" then
      local yes, no = by.branch(block)
      yes, no = translate(it[2], by, yes), translate(it[3], by, no)
      block = by.join(yes, no)
    else
      local head = by.head(block)
      by.read(head, it[2])
      local body, done = by.branch(head)
      by.back(translate(it[3], by, body), head)
      block = done
    end
  end
  return block
end

-- }== The two ==========================================================

local function by_document(program)
  local M, blocks, written = defined(), {}, 0
  local function block(...)
    local it = M.new_block("b" .. #blocks, ...)
    blocks[#blocks + 1] = it
    return it
  end
  local function sealed(...)
    local it = block(...)
    M.seal(it)
    return it
  end
  local by = { join = sealed, head = block }
  function by.read(b, name) M.read(name, b) end
  function by.write(b, name)
    written = written + 1
    M.write(name, b, { name = "value " .. written })
  end
  function by.branch(b) return sealed(b), sealed(b) end
  function by.back(b, head)
    table.insert(head.preds, b)
    M.seal(head)
  end
  local entry = sealed()
  for _, name in ipairs(NAMES) do by.write(entry, name) end
  translate(program, by, entry)
  local phis = 0
  for _, it in ipairs(blocks) do
    for _, phi in ipairs(it.phis) do
      if not phi.by then phis = phis + 1 end
    end
  end
  return phis
end

local function by_phial(program)
  local fn = phial.fn("f", {}, nil, { rules = false, where = false })
  local vars, by = {}, {}
  function by.read(b, name) b:call("use", false, vars[name]) end
  function by.write(b, name) b:write(vars[name], b:call("new", "i64")) end
  function by.branch(b)
    local yes, no = fn:block(nil, 1), fn:block(nil, 1)
    b:branch(b:call("test", "i1"), yes, no)
    return yes, no
  end
  function by.join(yes, no)
    local join = fn:block(nil, 2)
    yes:jump(join)
    no:jump(join)
    return join
  end
  function by.head(b)
    local head = fn:block()
    b:jump(head)
    return head
  end
  function by.back(b, head)
    b:jump(head)
    head:seal()
  end
  for _, name in ipairs(NAMES) do
    vars[name] = fn:var(name)
    by.write(fn:entry(), name)
  end
  translate(program, by, fn:entry()):ret()
  return fn:finish():stats().phis
end

-- }=====================================================================

it("the lines of " .. PATH .. " make the phis that phial makes", function()
  local phis = 0
  prop.forall(function(pick) return statements(pick, 4) end, function(program)
    local wanted = by_phial(program)
    assert.equal(wanted, by_document(program))
    phis = phis + wanted
  end)
  assert(phis > 0)
end)
