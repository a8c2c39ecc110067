-- R:rules gives rules as trees.
local phial = require "phial"
local raises = require "spec.support.raises"

-- A tree as text, in brackets throughout, without types.
local function write(node)
  local kids = {}
  for i, kid in ipairs(node) do kids[i] = write(kid) end
  if node.op == "and" or node.op == "or" then
    return ("(%s)"):format(table.concat(kids, " " .. node.op .. " "))
  elseif node.op == "not" then
    return ("(not %s)"):format(kids[1])
  elseif node.op then
    local call = ("%s(%s)"):format(node.op, table.concat(kids, ", "))
    return node.once and ("once(%s)"):format(call) or call
  end
  local texts = { any = "_", int_min = "INT_MIN", int_max = "INT_MAX" }
  return node.name or texts[node.kind] or tostring(node.value)
end

local function has_kind(node, kind)
  if node.kind == kind then return true end
  for _, kid in ipairs(node) do
    if has_kind(kid, kind) then return true end
  end
  return false
end

-- What a rule is, apart from where it was written.
local function essence(rule)
  return { rule.types, rule.pattern, rule.result, rule.guard, rule.prio }
end

it("a rule is its trees: written again and read, it is the same", function()
  local same = 0
  for _, rule in ipairs(phial.rules("int"):rules()) do
    local _, colons = rule.text:gsub(":", "")
    local asks_type = has_kind(rule.result, "type") or rule.guard and has_kind(rule.guard, "type")
    if colons == 1 and not asks_type then
      local text = ("%s => %s%s @ unoriented, prio %d"):format(write(rule.pattern),
        write(rule.result), rule.guard and " if " .. write(rule.guard) or "", rule.prio)
      local again = phial.rules(text):rules()
      assert.same(essence(rule), essence(again[1]), text)
      same = same + 1
    end
  end
  assert.is_true(same > 250, same)
end)

it("has attributes, places, alternatives, types", function()
  local R = phial.rules([[

  a: [add|sub](x:i8, C) => $half(x, C) if $f(C) and width(x) > 1 @ prio -2, late, always
  zext(x:i8) & 1 => !zext(x & 1):i16 @ unoriented, tested, unsafe "so"
  ]], { half = print, f = type }, "mine")
  local all = R:rules()
  assert.equal(3, #all)
  local a, b, c = all[1], all[2], all[3]
  assert.same({ "a", 2, "mine", 1, -2, true, true },
    { a.name, a.line, a.source, a.alternative, a.prio, a.late, a.always })
  assert.same({ "a", 2, "sub" }, { b.name, b.alternative, b.pattern.op })
  assert.equal(print, a.result.callback)
  assert.equal(type, a.guard[1].callback)
  assert.same({ nil, 3, true, true, "so" }, { c.name, c.line, c.unoriented, c.tested, c.unsafe })
  assert.is_nil(c.alternative)
  assert.equal("only", c.result.kind)
  assert.same({ "i8" }, a.types[a.pattern[1].type])
  assert.same({ "i16" }, c.types[c.pattern.type])
  assert.same({ a, b }, R:rules "a")
end)

it("names types of dialects", function()
  local mat = phial.dialect("mat", {
    t = { args = { "m" }, result = "m", pure = true },
  }, { "m" })
  local rule = phial.rules():attach(mat):add("mat.t(mat.t(a)) => a"):rules()[1]
  assert.same({ "mat.m" }, rule.types[rule.pattern.type])
  assert.equal("mat.t", rule.pattern.op)
end)

it("leaves out what is off, and refuses names of no rule", function()
  local R = phial.rules "a: x + 0 => x\n b: x * 1 => x"
  assert.equal("b", R:enable("a", false):rules()[1].name)
  for _, name in ipairs { "a", "zz" } do
    raises.matching(("bad argument #1 to 'rules' %%(there is no rule '%s'%%)$"):format(name),
      R.rules, R, name)
  end
end)
