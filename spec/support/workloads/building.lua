-- Work for states whose memory runs out: construction, instructions, edits.
return {
  ["building and asking"] = [[
    local fn = sum { rules = false, where = "all" }
    fn:finish()
    for v in fn:values() do v:users() end
    assert(fn:stats() and fn:undefined_reads() and fn:text { ids = "dense" })]],
  ["the standard rules"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = phial.rules "int" }))
    fn:entry():ret(fn:entry():add(fn:arg(1), 0))]],
  ["copies"] = [[sum({ copies = true, construction = "simple" }):finish():clean { dead = true }]],
  ["rules"] = [[assert(sum({ rules = warm }):finish():stats().rules)]],
  ["an undef function"] = [[sum({ rules = warm, undef = function() return 7 end }):finish()]],
  ["reads that no path writes for"] = [[
    local fn = phial.fn("f", { "c:i1" }, "i64", { rules = false })
    local x, y, a, b = fn:var "x", fn:var "y", fn:block "a", fn:block "b"
    require("phial.core").refuse_unwritten(fn)
    fn:block "exit"
    fn:entry():branch(fn:arg(1), a, b)
    a:write(x, fn:undef "i64")
    a:jump(b)
    b:ret(b:add(b:read(x), b:read(y)))
    local ok, message = pcall(fn.finish, fn)
    assert(not ok)
    if not message:find "variable 'y'" then error(message, 0) end]],
  ["short forms"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = warm, copies = #all % 2 == 0 }))
    local block, n, list = fn:entry(), fn:arg(1), {}
    local x, y, z = fn:var("x", "any"), fn:var("y", "any"), fn:var("z", "any")
    for i = 1, 10 do list[2 * i - 1], list[2 * i] = fn:var("v" .. i), i end
    local v, w = list[1], list[3]
    block:write(table.unpack(list))
    block:write(v, w, w, v)
    block:let(v, "add", v, w)
    block:let(w, "call", "f", v, n, 1)
    block:let(x, y, z, D.split, v, w, list[5], list[7], list[9], list[11], 1, 2, 3, { data = {} })
    block:let(x, "d.op", y, z)
    fn:set_current(block)
    block:ret(v + w * n)]],
  ["many handles"] = [[
    local kept = {}
    for k = 1, 3 do
      local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false }))
      for i = 1, 70 do kept[i] = fn:const(i) end
      for i = 1, 70 do assert(rawequal(kept[i], fn:const(i))) end
      if k == 2 then fn:close() end
    end]],
  ["data of blocks and variables"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false }))
    fn:entry():set_data { fn }
    fn:param(1):set_data { fn:entry() }
    local data = fn:entry():data()
    assert(data == nil or data[1] == fn)
    fn:block():set_data(nil)]],
  -- Each takes memory of Lua between looking at the function and using it.
  ["long lists, options and mistakes"] = [[
    local R = phial.rules()
    local fn = made(phial.fn("f", { "n:i64" }, nil, { rules = false, dialects = { D } }))
    fn:set_loc(1, 2, "file")
    local block, a, b, n, x = fn:entry(), fn:block(), fn:block(), fn:arg(1), fn:var "x"
    local many, vars = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, { x, x, x, x, x, x, x, x, x }
    local function try(method, at, ...) pcall(at[method], at, ...) end
    try("emit", block, "d.split", table.unpack(many))
    try("emit", block, "d.op", n, n, { results = 2 })
    try("emit", block, "d.spilt", n)
    try("results", n)
    try("log", fn, function() end)
    try("explain", R, fn, "branch", true, a, b)
    try("branch", block, true, a, b, { refine = "x" })
    try("switch", block, n, a, { b }, { refine = { n, table.unpack(vars) } })
    local params = { "a", "b", "c", "d", "e", "f", "g", "h", "i" }
    local g = made(phial.fn("g", params, nil, { rules = false }))
    try("call", block, g, nil, table.unpack(many))]],
  ["edits"] = [[
    local fn = sum { rules = false }
    fn:finish()
    local blocks, adds = {}, {}
    for v in fn:values() do if v:op() == "add" then adds[#adds + 1] = v end end
    for block in fn:blocks() do blocks[#blocks + 1] = block end
    local v = adds[1]:before():add(fn:arg(1), 7)
    adds[1]:set_arg(1, v)
    adds[2]:replace(fn:arg(1))
    adds[2]:erase()
    for _, block in ipairs(blocks) do
      local to = block:succs()[1]
      if to then block:split_edge(to) end
    end
    local r = fn:repair(adds[1], v)
    for i, block in ipairs(blocks) do r:define(block, i) end
    r:rewrite()
    fn:reopen():finish()]],
  ["copies of functions"] = [[
    local callee = made(phial.fn("g", { "n:i64" }, "i64", { rules = false, dialects = { D } }))
    callee:set_current(callee:entry())
    callee:set_loc(1, 2, "file")
    local x = callee:emit("d.op", 1, 2, { data = {} }):set_name "x"
    callee:ret(callee:call(print, "i64", x))
    callee:finish()
    local fn = sum { rules = false }
    fn:finish()
    local at = fn:entry():back()
    callee:copy_into(at, { 1 })
    fn:copy_into(at, { 2 })]],
  ["actions"] = [[
    local R = phial.rules("s: x * 5 => $five(x)\nb: x - y => $bad(x)", {
      five = function(b, x) return b:emit("add", b:shl(x, b:const(2)), x) end,
      bad = function(b, x) return b:band(x, 1) and "a text" end,
    })
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = R }))
    local n = fn:arg(1)
    fn:set_current(fn:entry())
    pcall(function() return n - n end)
    fn:entry():ret(n * 5)]],
  ["addresses and memory"] = [[
    local fn = made(phial.fn("f", { "p:ptr", "n:i64" }, "i64"))
    local entry, next, aside = fn:entry(), fn:block "next", fn:block(nil, 1)
    local p, n = fn:arg(1), fn:arg(2)
    local a, g = entry:alloca("i32", 16), entry:address "g"
    entry:memset(a, 0, 4)
    entry:memcpy(a, p, 4)
    entry:store(p, n)
    local x = entry:load(p, "i64")
    entry:branch(entry:slt(x, 3), next, aside)
    aside:jump(next)
    next:seal()
    fn:set_current(next)
    local b = fn:alloca(8)
    next:store(b, next:call(g, "i64", next:load(next:ptradd(p, 8), "i64")))
    next:ret(next:add(next:load(p, "i64"), next:load(b, "i64")))
    fn:finish()
    fn:clean { rules = true }]],
  ["edges, phis and moves by hand"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false }))
    local entry, left, right, join = fn:entry(), fn:block "left", fn:block "right", fn:block "join"
    local n = fn:arg(1)
    entry:branch(entry:slt(n, 1), left, right)
    left:jump(join)
    right:jump(join)
    for _, block in ipairs { left, right, join } do block:seal() end
    local phi = join:phi { [left] = n, [right] = 7 }
    local x = join:add(phi, n)
    join:ret(join:mul(x, x))
    fn:finish()
    local one = left:front():mul(n, 3)
    local two = left:back():mul(n, 4)
    one:move_after(two)
    one:move_before(two)
    local new, phi2 = fn:block "new", join:front():phi { [left] = one, [right] = 9 }
    new:back():branch(fn:const(true), join, join, { [phi] = n, [phi2] = 3 })
    right:retarget(join, new)
    left:add_edge(new, fn:const(false))
    local s = left:split_edge(join, 1, "s")
    s:back():switch(n, join, { [1] = new, [2] = new }, {})
    s:add_edge(new, 5)
    left:remove_edge(new)
    x:set_name "x"
    x:set_loc(1, 2, "here")
    assert(tostring(x:before()) and x:after():block() == join)
    fn:clean()]],
  ["an algorithm of the classics"] = [[
    for _, name in ipairs(require("phial.trace.algorithms").classical) do
      local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false }))
      require("phial.core").classical(fn, name)
      local entry, head, body, done = fn:entry(), fn:block(), fn:block(), fn:block()
      local s, n = fn:var "s", fn:param(1)
      entry:write(s, 0)
      entry:jump(head)
      head:branch(head:slt(s, n), body, done)
      body:write(s, body:add(s, 2))
      body:jump(head)
      done:ret(s)
      for _, block in ipairs { head, body, done } do block:seal() end
      fn:finish()
    end]],
  ["refinements"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false, split = true }))
    local entry, one, two, join = fn:entry(), fn:block "one", fn:block "two", fn:block(nil, 5)
    local n, x, y = fn:param(1), fn:var "x", fn:var "y"
    entry:write(x, n, y, 1)
    entry:branch(entry:slt(x, 5), one, join, { refine = { x, y } })
    one:seal()
    one:write(y, one:add(x, y))
    one:switch(x, two, { [1] = join, [2] = join }, { refine = { x, n } })
    two:seal()
    two:branch(two:eq(x, y), join, join, { refine = { y } })
    join:ret(join:add(join:read(x), y))]],
  ["writes that may happen, and ends of variables"] = [[
    for _, construction in ipairs(require("phial.trace.algorithms").variants) do
      local fn = made(phial.fn("f", { "n:i64" }, "i64", {
        rules = false, construction = construction, keep_unreachable = true,
      }))
      local entry, head, island = fn:entry(), fn:block "head", fn:block "island"
      local a, b, c, n = fn:var "a", fn:var "b", fn:var "c", fn:param(1)
      local g = fn:group { a }
      g:add(b, n)
      entry:write(a, 1, b, 2, c, 3)
      entry:jump(head)
      island:branch(fn:const(true), head, island)
      head:may_write(g, head:add(a, b))
      head:may_write({ a, c }, 5)
      head:kill(b)
      head:jump_if_open(island)
      head:seal()
      island:seal()
    end]],
}
