-- Work for states whose memory runs out, by the Lua files.
return {
  ["the builder"] = [[
    made(phial.build("f", { "n:i64", "m:i64" }, "i64", function(b, v)
      v.s, v.k = 0, b:const(3)
      b:for_("i", 0, v.n, function()
        b:if_(b:and_(v.i:slt(5), function() return v.s:ne(v.i) end), function()
          v.s = v.s + v.i * 2
        end, function() b:continue_() end)
        b:switch_(v.i, { [1] = function() v.s = v.s + 1 end, default = function() v.k = 4 end })
      end)
      b:loop(function()
        b:scope(function() b:var("t", "i64", v.k) v.s = v.s + v.t end)
        b:if_(b:not_(v.s:slt(100)), function() b:break_() end)
      end)
      b:repeat_(function() v.s = v.s - 7 end, function() return v.s:sle(0) end)
      b:goto_ "out"
      b:label "out"
      b:ret(v.s)
    end))]],
  ["modules, and runs of them"] = [[
    local m = phial.module "m"
    m:global("sum", "i64", 5)
    m:global("text", 5, "hello", { constant = true })
    m:declare("out", { "x:i64" }, "i64")
    local inner = made(m:build("inner", { "n:i64" }, "i64", function(b, v)
      v.x = b:load(b:address "sum", "i64")
      b:if_(v.n:sgt(0), function() b:ret(b:call(m:get "inner", nil, v.n - 1) + v.x) end)
      b:ret(b:call("out", nil, v.n))
    end))
    m:finish()
    assert(m:verify())
    local again = assert(phial.parse(m:text()))
    assert(again:text() == m:text() and #m:callgraph():sccs() > 0)
    local it = again:instance { env = { out = function(x) return x + 1 end } }
    assert(it:call("inner", 3) == 16)
    it:store(it:address "sum", "i64", 2)
    assert(it:load(it:address "sum", "i64") == 2 and #it:bytes(it:address "text", 3) == 3)
    it:set_bytes(it:address "sum", "\1")
    pcall(it.load, it, 3, "i64")
    assert(inner:name() == "inner")]],
  ["runs of a function"] = [[
    local fn = sum { rules = false }
    fn:finish()
    assert(fn(9) and fn(3, { fuel = 1000 }))
    assert(not pcall(fn, 1 << 40, { fuel = 10 }))]],
  ["traces"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false }))
    local record = phial.record(fn)
    local entry, head, x = fn:entry(), fn:block "head", fn:var "x"
    entry:write(x, entry:add(fn:arg(1), 1))
    entry:jump(head)
    head:branch(head:eq(x, 4), head, fn:block "done")
    for block in fn:blocks() do if block:name() == "done" then block:seal() block:ret(x) end end
    head:seal()
    fn:finish()
    made(assert(phial.replay(record)))
    made(assert(phial.replay(record:text(), { construction = "choi" })))
    local n = 0
    for step in assert(phial.steps(record, { detail = true })) do n = n + #step.events end
    assert(n > 10)]],
  ["emitters"] = [[
    local fn = made(phial.fn("f", { "n" }, "i64", { rules = false, log = true }))
    local entry = fn:entry()
    for line = 1, 3 do
      fn:set_loc(line, line, "source" .. line)
      entry:call("callee" .. line, "i64", entry:alloca(8))
    end
    entry:ret(entry:add(fn:arg(1), 2))
    fn:finish()
    for _, name in ipairs { "dot", "lua", "cps", "blockargs", "c", "llvm", "json" } do
      assert(#phial.emit[name](fn) > 0, name)
    end]],
}
