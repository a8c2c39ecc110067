-- The text form: what is printed can be read, and reads back as it was.
local ops = require "spec.support.ops"
local phial = require "phial"
local refused = require "spec.support.refused"
local prop = require "spec.support.prop"

local D = phial.dialect("toy", {
  make = { args = 0, result = "list" },
  cons = { args = { "any", "list" }, result = "list", pure = true },
  spread = { args = "*", result = "any", results = 3 },
  hop = { args = { "i1" }, terminator = true, targets = 2 },
  fan = { args = "*", terminator = true, targets = "*" },
}, { "list" })

local function again(fn)
  local text = fn:text()
  local copy, why = phial.parse(text, { dialects = { D } })
  assert(copy, why)
  assert.equal(text, copy:text())
  return copy, text
end

local function func(result, opts)
  opts = opts or {}
  opts.rules = false
  return phial.fn("f", {}, result, opts)
end

describe("text", function()
  it("holds every op with operands of every fitting type", function()
    local fn = phial.fn("ops", {
      "b:i1", "i8:i8", "i16:i16", "i32:i32", "i64:i64", "f32:f32", "f64:f64", "a:any", "p:ptr",
    }, nil, { rules = false, variadic = true })
    local arg = {}
    for i, t in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "any", "ptr" } do
      arg[t] = fn:arg(i)
    end
    local e, seen = fn:entry(), {}
    local function emit(op, ...)
      seen[op] = true
      e[op](e, ...)
    end
    for _, row in ipairs(ops.all) do
      ops.each_form(row, function(op, types, _, said)
        local args = {}
        for i, t in ipairs(types) do args[i] = arg[t] end
        args[#args + 1] = said
        emit(op, table.unpack(args))
        if #types == 2 then emit(op, args[1], types[1]:find "^f" and 1.5 or 1) end
      end)
    end
    emit("select", arg.i1, arg.any, arg.any)
    emit("copy", arg.any)
    for op, operands in pairs { refine = { arg.any, arg.i1, true }, may = { arg.any, arg.any } } do
      seen[op] = true
      e:emit(op, table.unpack(operands))
    end
    emit("call", "print", nil, arg.any, arg.i64)
    emit("call", "len", "i64", arg.any)
    emit("call", arg.ptr, nil, arg.any, arg.i64)
    emit("call", arg.ptr, "i64")
    seen.call_indirect = true
    emit("alloca", 24)
    emit("alloca", "i16", 64)
    emit("address", "counter")
    emit("trap_if", arg.i1, 'a "message"\n')
    for _, t in ipairs { "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr" } do
      for _, how in ipairs { "", "_volatile" } do
        emit("store" .. how, arg.ptr, arg[t])
        emit("load" .. how, arg.ptr, t)
      end
      emit("store", arg.ptr, arg[t], { align = 1 })
      emit("load", arg.ptr, t, { align = 1 })
    end
    seen.store_unaligned, seen.load_unaligned = true, true
    emit("memcpy", arg.ptr, arg.ptr, arg.i64)
    emit("memmove", arg.ptr, arg.ptr, arg.i64)
    emit("memset", arg.ptr, arg.i8, 16)
    emit("va_start", arg.ptr)
    emit("va_arg", arg.ptr, "i64")
    emit("va_copy", arg.ptr, arg.ptr)
    emit("va_end", arg.ptr)
    e:ret()
    fn:finish()
    again(fn)
    local other = { const = true, param = true, undef = true, phi = true, proj = true,
      jump = true, branch = true, switch = true, ret = true, tail_call = true,
      tail_call_indirect = true, unreachable = true, trap = true }
    for _, op in ipairs(phial.ops()) do
      assert(seen[op.name] or other[op.name], op.name .. " is not shown here")
    end
  end)

  it("holds every terminator", function()
    local fn = phial.fn("ends", { "n", "c:i1" }, "i64", { rules = false })
    local n, c = fn:arg(1), fn:arg(2)
    local a, b, d, e = fn:block "a", fn:block "b", fn:block "d", fn:block "e"
    local by_name, by_address, trap = fn:block "by name", fn:block "by address", fn:block "trap"
    fn:entry():branch(c, a, b)
    a:switch(n, b, { [-3] = d, [7] = d, [2] = e, [8] = by_name, [9] = by_address,
      [10] = trap })
    by_name:tail_call("a name", n, 1)
    by_address:tail_call(fn:const(0, "ptr"))
    b:jump(d)
    d:ret(n)
    e:unreachable()
    trap:trap 'a "message"\n'
    fn:finish()
    local _, text = again(fn)
    for _, part in ipairs { "switch %n, b [-3: d, 2: e, 7: d, 8: ", 'tail_call @"a name" %n, 1\n',
      "tail_call_indirect 0:ptr\n", '  trap {"a \\"message\\"\\n"}\n' } do
      assert.truthy(text:find(part, 1, true), text)
    end
  end)

  it("holds constants exactly", function()
    local constants = {
      { math.mininteger, "i64" }, { math.maxinteger, "i64" }, { -1, "i64" }, { 0, "i1" },
      { true, "i1" }, { -128, "i8" }, { 255, "i8" }, { -32768, "i16" }, { 0x7fffffff, "i32" },
      { 0.1, "f64" }, { -0.0, "f64" }, { 0.0, "f64" }, { 1 / 0, "f64" }, { -1 / 0, "f64" },
      { 0 / 0, "f64" }, { -(0 / 0), "f64" }, { 5e-324, "f64" }, { 1.7976931348623157e308, "f64" },
      { 1e15, "f64" }, { 1e16, "f64" }, { 123456789.0, "f64" }, { 1 / 3, "f64" },
      { 0.1, "f32" }, { -0.0, "f32" }, { 1e-45, "f32" }, { 3.4028234663852886e38, "f32" },
      { nil, "any" }, { true, "any" }, { false, "any" }, { 3, "any" }, { 3.0, "any" },
      { "", "any" },
      { "a \"b\" \\ \n \r \t \0 \1 \127 \200 ü", "any" }, { string.rep("x", 5000), "any" },
    }
    local fn = func()
    local e, values = fn:entry(), {}
    for i, c in ipairs(constants) do values[i] = e:copy(fn:const(c[1], c[2])) end
    e:ret()
    fn:finish()
    local copy = again(fn)
    local copies = copy:entry():insts()
    for i, c in ipairs(constants) do
      local now = copies[i]:args()[1]
      local want, got = values[i]:args()[1]:const(), now:const()
      assert.equal(c[2], now:type())
      assert.equal(math.type(want) or type(want), math.type(got) or type(got))
      if type(want) == "number" then
        assert.equal(string.pack("n", want), string.pack("n", got))
        if math.type(want) == "integer" then assert.equal(want, got) end
      else
        assert.equal(want, got)
      end
    end
  end)

  it("holds ops and types of a dialect, data and further results", function()
    local fn = phial.fn("toys", { "x:any" }, "any", { rules = false, dialects = { D } })
    local e, x = fn:entry(), fn:arg(1)
    local next_, last = fn:block "next", fn:block "last"
    local list = e:emit(D.make)
    list = e:emit(D.cons, x, list)
    for _, data in ipairs { true, 12, -1.5, "a\n", false } do
      e:emit(D.spread, x, x, list, { data = data })
    end
    local _, two, three = e:emit(D.spread)
    e:emit(D.hop, e:eq(1, 2), { next_, last })
    next_:emit(D.fan, two, three, { last, last, last, data = 7 })
    last:ret(three)
    fn:finish()
    local copy = again(fn)
    local datas = {}
    for v in copy:values() do
      if v:op() == "toy.spread" and v:data() ~= nil then datas[#datas + 1] = v:data() end
    end
    assert.same({ true, 12, -1.5, "a\n", false }, datas)
  end)

  it("holds variables of phis, names, positions and gaps in ids", function()
    local fn = phial.fn("a name", { "two words:i64", "n" }, "i64", { rules = false })
    local i, j, odd = fn:var "i", fn:var "i", fn:var "odd name"
    local e, head, body = fn:entry(), fn:block "b7", fn:block "my block"
    local done, twin = fn:block "done", fn:block "done"
    for _, var in ipairs { i, j, odd } do e:write(var, 0) end
    e:jump(head)
    for _, var in ipairs { i, j, odd } do head:read(var) end
    fn:set_loc(12)
    head:branch(head:slt(head:read(i), fn:arg(2)), body, done)
    fn:set_loc(13, 5)
    local sum = body:add(body:read(i), body:read(j))
    sum:set_name "sum"
    fn:set_loc(14, 1, "dir/a \"file\".x")
    local again_sum = body:add(sum, body:read(odd))
    again_sum:set_name "sum"
    for _, var in ipairs { i, j, odd } do body:write(var, again_sum) end
    body:jump(head)
    fn:set_loc()
    done:jump(twin)
    twin:ret(twin:read(i))
    fn:finish()
    local copy, text = again(fn)
    assert.truthy(text:find("%sum.", 1, true), text)
    assert.truthy(text:find("phi i/2 ", 1, true), text)
    assert.truthy(text:find('@ "dir/a \\"file\\".x":14:1', 1, true), text)
    local names = {}
    for v in copy:values() do
      if v:op() == "phi" then names[#names + 1] = v:var():name() end
    end
    assert.same({ "i", "i", "odd name" }, names)
  end)

  it("holds a copy made by a write with its variable", function()
    local fn = func(nil, { copies = true })
    local x = fn:var "x"
    fn:entry():write(x, 3)
    fn:entry():ret()
    fn:finish()
    local copy = again(fn)
    assert.equal("x", copy:entry():insts()[1]:var():name())
  end)

  it("calls values and blocks as tostring does, whatever was named, renamed or went", function()
    local names = { "x", "y", "", "b3" }
    prop.forall(function(pick)
      local steps = {}
      for i = 1, pick(30) do
        steps[i] = { what = pick(5), name = names[pick(4)], at = pick(100) }
      end
      return steps
    end, function(steps)
      local fn = phial.fn("f", { "x" }, "i64")
      local entry, values = fn:entry(), {}
      for i = 1, 8 do values[i] = entry:add(fn:arg(1), i) end
      entry:ret(0)
      fn:finish()
      for _, step in ipairs(steps) do
        local v = values[step.at % #values + 1]
        if step.what == 1 then
          fn:block(step.name)
        elseif step.what == 2 and #values > 1 then
          v:erase()
          table.remove(values, step.at % #values + 1)
        elseif step.what == 3 then
          values[#values + 1] = entry:front():neg(fn:arg(1))
          values[#values]:set_name(step.name)
        elseif step.what == 4 then
          v:set_name(step.name)
        elseif step.at > 90 then
          fn:clean { unreached = true }
        end
        assert(#tostring(v) + #tostring(entry) > 0)
      end
      local text = fn:text()
      for b in fn:blocks() do
        assert(text:find("\n" .. tostring(b) .. ":", 1, true), tostring(b))
      end
      for _, v in ipairs(values) do
        assert(text:find("  " .. tostring(v) .. ": i64 =", 1, true), tostring(v))
      end
    end)
  end)

  it("of a function that finish refuses can be read, unless a value of it has gone", function()
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local entry, set, join = fn:entry(), fn:block("set", 1), fn:block("join", 2)
    entry:branch(fn:arg(1), set, join)
    local v = set:add(1, 2)
    set:jump(join)
    join:ret(v)
    assert.is_false(pcall(fn.finish, fn))
    assert.equal(1, #select(2, again(fn):verify()))
    fn = phial.fn("f", {}, "i64", { rules = false })
    local gone = fn:block "gone"
    fn:entry():ret(gone:add(1, 2))
    gone:unreachable()
    assert.is_false(pcall(fn.finish, fn))
    local _, why = phial.parse(fn:text())
    assert.truthy(why:find("there is no value '%%%d+'"), why)
  end)

  it("of an unfinished function can be looked at, not continued", function()
    local fn = phial.fn("open", { "n" }, "i64", { rules = false })
    local n = fn:param(1)
    local head, dead, never = fn:block "head", fn:block("dead", 0), fn:block "never"
    fn:entry():jump(head)
    local v = head:read(n)
    dead:jump(head)
    local copy = again(fn)
    local _, why = pcall(function() copy:entry():read(copy:var "x") end)
    assert.truthy(tostring(why):find("text of an unfinished function", 1, true), why)
    assert.is_true(v:op() == "phi" and not never:is_filled())
  end)
end)

it("the text can leave out the positions of the frontend", function()
  local text = [[
fn f(%n: i64) -> i64 {
entry:
  %2: i64 = mul %n, 3 @ "a.x":1:2
  jump last
last: <- entry
  ret %2 @ 4
}
]]
  local fn = assert(phial.parse(text))
  local plain = text:gsub(" @[^\n]*", "")
  assert.equal(plain, fn:text { positions = false })
  assert.equal(plain, fn:text { positions = false, order = "rpo" })
  assert.equal(text, fn:text { positions = true })
  assert.equal(fn:text { ids = "dense" }, fn:text { ids = "dense", positions = true })
  assert.equal(plain, assert(phial.parse(plain)):text())
  refused(fn, "bad argument #1 to 'text' (option 'positions': boolean expected, got number)",
    function() fn:text { positions = 1 } end)
end)
