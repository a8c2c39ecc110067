-- Work for states whose memory runs out: questions, rules as objects, texts, runs, mistakes.
return {
  ["accesses"] = [[
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = false, accesses = true }))
    local entry, head, n, x = fn:entry(), fn:block "head", fn:param(1), fn:var "x"
    fn:set_node {}
    entry:write(x, n)
    local many = {}
    for i = 1, 20 do many[i] = x end
    fn:set_node {}
    entry:may_write(many, 1)
    entry:may_write(fn:group { x }, 2)
    entry:jump(head)
    fn:set_node { fn }
    head:write(x, head:add(head:read(x), n))
    head:branch(head:slt(x, n), head, head)
    head:seal()
    fn:finish()
    for _, it in ipairs(fn:write_accesses()) do
      assert(#it:reads() > 0 and (it:node() or it:var() == n))
    end
    assert(#fn:defs_and_uses(fn:read_accesses()) == 5)
    for _, it in ipairs(fn:read_accesses()) do assert(#it:writes() > 0 and it:block()) end
    for v in fn:values() do assert(#v:nodes() <= 1) end
    assert(fn:node()[1] == fn)]],
  ["solving"] = [[
    local fn, other = sum({ rules = false }):finish(), nil
    for v in fn:values() do other = v:type() and v or other end
    for _, direction in ipairs { "forward", "backward" } do
      local r = fn:solve { bottom = "", join = math.max, direction = direction, edge = function(b)
        return b:preds()
      end, equal = function(a, b) return a == b end, transfer = { default = function(v, fact)
        local x = tonumber(fact(other)) or #v:users()
        return math.min(9, x + 1), x
      end } }
      assert(r:is_taken(fn:entry()) and r:fact(other))
    end
    local few = fn:solve { bottom = 0, join = math.max, values = { other }, transfer = {
      default = function(v, fact) return math.min(9, fact(v:args()[1] or v) + 1) end } }
    assert(few:fact(other))]],
  ["a log function"] = [[
    local told = 0
    local function log(e) told = told + #e.event + (e.value and #e.value:op() or 0) end
    sum({ rules = false, log = log }):finish()]],
  ["functions behind $name"] = [[
    local function twice(b, x) return b:shl(x, b:sub(2, 1)) end
    local R = phial.rules("r: x + x => $twice(x)\ns: x + y => y + x if $no(x, y) @ unoriented",
      { twice = twice, no = function(x, y) return x == y end })
    local fn = made(phial.fn("f", { "n:i64", "m:i64" }, "i64", { rules = R }))
    local n, m = fn:arg(1), fn:arg(2)
    local block = fn:entry()
    block:ret(block:add(block:add(n, m), block:add(n, n)))
    fn:finish()
    assert(fn:stats().rules.r == 1)
    R:explain(fn, "add", n, n)]],
  ["evals that fold"] = [[
    local E = phial.dialect("e", {
      text = { args = 2, result = "any", pure = true, eval = function(x, y) return x .. y end },
      size = { args = { "any" }, result = "i64", pure = true, eval = function(x) return #x end },
    })
    known[2] = E
    local R = phial.rules():attach(E)
      :add "x * 3 => x + e.size(e.text(1:i64, 2:i64)) @ unoriented, always"
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = R, dialects = { E } }))
    fn:entry():ret(fn:entry():mul(fn:arg(1), 3))
    fn:finish()
    assert(fn:stats().folded == 2)]],
  ["errors that are caught"] = [[
    local fn = made(phial.fn("f", { "n:i64", "m:any" }, nil, { rules = false }))
    local block, n, m = fn:entry(), fn:arg(1), fn:arg(2)
    local function try(method, at, ...) return select(2, pcall(at[method], at, ...)) end
    for i = 1, 6 do
      local x = try("var", fn, "x" .. i)
      try("write", block, x, try("add", block, n, i))
      try("read", block, x, x)
      try("emit", block, D.op, m, m)
      try("emit", block, D.split, m, "s", { data = {} })
      try("set_loc", fn, i, i, "file" .. i)
      try("text", fn)
      try("stats", fn)
      if i % 3 == 0 then collectgarbage() end
    end]],
  ["questions"] = [[
    local fn = sum({ rules = false, where = "all" }):finish()
    assert(fn:is_reducible() and fn:is_pruned() and #fn:rpo() > 0)
    for _, loop in ipairs(fn:loops()) do assert(loop.reducible and #loop.blocks > 0) end
    for block in fn:blocks() do
      local n = #block:live_in() + #block:live_out() + #block:preds() + block:loop_depth()
      assert(n >= 0 and block:terminator() and block:is_reachable())
      assert(block:idom() or block:id() == 1 and not block:loop_header())
      for other in fn:blocks() do assert(not block:dominates(other) or block:can_reach(other)) end
    end
    for v in fn:values() do
      local _ = { v:args(), v:const(), v:name(), v:place(), v:loc(), v:var(), v:definitions(),
        v:use_count(), tostring(v), v:block() and { v:live_out(), v:live_across() } }
    end
    assert(fn:find "%n" == fn:arg(1) and #fn:params() == 1)]],
  ["leaving SSA form"] = [[
    local fn = sum({ rules = false }):finish()
    for _, opts in ipairs { { coalesce = false }, { split = true } } do
      local l = fn:leave(opts)
      for i = 1, l:count() do assert(l:type(i) and l:values(i)) end
      for v in fn:values() do l:location(v) end
      for block in fn:blocks() do
        for _, to in ipairs(block:succs()) do
          for _, move in ipairs(l:moves(block, to)) do assert(move.to and move.from) end
        end
      end
      assert(opts.split and #l:critical_edges() == 0 or l)
    end]],
  ["programs for emitters"] = [[
    local fn = sum({ rules = false }):finish()
    local core = require "phial.core"
    assert(#core.program(fn).block > 0)
    for _, x in ipairs { 5, 1.5, "a text", false } do core.constant(fn, fn:const(x):id()) end
    core.constant(fn, fn:undef "i64":id())]],
  ["sets of rules that change"] = [[
    local R = phial.rules("a: x + 0 => x\nb: x * 2 => x << 1\na: x - 0 => x", nil, "first")
    R:attach(D)
    R:add("c: d.op(x, d.op(y, z)) => d.op(y, z) if $ok(x)", { ok = function() return true end })
    local S = phial.rules("int"):include(R):remove "a":enable("b", false):enable "b"
    assert(#S:names() > 10 and #S:text "b" > 0 and tostring(S))
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = S, dialects = { D } }))
    local entry, n = fn:entry(), fn:arg(1)
    entry:ret(entry:add(entry:mul(n, 2), entry:sub(n, 0)))
    pcall(R.add, R, "x + y => z", nil, "wrong")
    pcall(R.add, R, "x +", nil, "unfinished")]],
  ["rules that are looked at"] = [[
    local E = phial.dialect("e", {
      inc = { args = { "i64" }, result = "i64", pure = true, eval = function(x) return x + 1 end },
      go = { args = 1, terminator = true, targets = 2, eval = function() return 1 end },
    })
    local R = phial.rules()
    known[2] = E
    R:attach(E)
    R:add([=[
      twice: e.inc(x) => $inc(x)
      some: x + x => x << 1 if $fits(x)
      again: (x + A) + A => x + (A + A)
      again: (x + A) + A => x + 2 * A
      wrong: x * y => x + y
      half: udiv(x, C) => x >> log2(C) if pow2(C)]=], {
      inc = function(b, x) return b:emit("e.inc", x) end, fits = function() return true end,
    })
    R:lint()
    R:check { width = 2, limit = 4, cases = 5, div = "ub", shift = "undef" }
    local fn = made(phial.fn("f", { "n:i64" }, "i64", { rules = R, dialects = { E } }))
    assert(R:explain(fn, "udiv", fn:arg(1), 6):find "half")
    assert(R:explain(fn, "e.inc", fn:arg(1)):find "twice")]],
  ["a log of all details"] = [[
    local n, fields = 0, { "place", "loc", "block", "var", "value", "value_id", "args_id",
      "operand", "operand_id", "index", "from", "to", "passed", "rule", "by", "by_id" }
    local fn = sum { rules = warm, where = "all", log = { function(e)
      for _, field in ipairs(fields) do n = n + (e[field] and 1 or 0) end
      for _ in pairs(e) do n = n + 1 end
    end, detail = true } }
    fn:finish()
    assert(n > 100)]],
  ["texts of all kinds"] = [==[
    local text = [=[
fn "all kinds"(%n: i64, %"a b": f64, %c: i1) -> any {
entry:
  %11: any = d.op {"\"\\\n\x01"} %n, "key" @ "file.x":12:5
  branch %c, loop, done
loop: <- entry, b9, b9
  %13: i64 = phi i [entry: %n, b9: %16, b9: %16]
  %15: any = phi "a b" [entry: 1:any, b9: 1.5:any, b9: true:any]
  jump b9
done: <- entry
  ret %11
b9: <- loop
  %16: i64 = add %13, -1
  %19: f64 = fadd %"a b", -nan
  %20: i8 = add 127:i8, undef:i8
  branch %c, loop, loop
}]=]
    local core = require "phial.core"
    local fn = made(assert(core.parse(text, { dialects = { D }, file = "all.sst" })))
    assert(fn:text { ids = "dense", order = "rpo", positions = true } and tostring(fn))
    local two, after = core.parse_part("declare g(%x: i64)\n" .. text, { dialects = { D } }, 1)
    assert(two, after)
    for _, wrong in ipairs { "add %%n, %%n", "ad %%n", "jump nowhere", '"' } do
      local wrong_text = text:gsub("jump b9", wrong)
      assert(not core.parse(wrong_text, { dialects = { D } }))
    end]==],
  ["dialects and ops"] = [[
    assert(#phial.ops() > 20)
    local E = phial.dialect("e", {
      new = { args = 2, result = "table", effect = "new", describe = function() end },
      get = { args = 2, result = "*", results = 2, effect = "read", cost = 5, llvm = print },
      go = { args = 1, terminator = true, targets = "*", c = print },
    }, { "table" })
    known[2] = E
    assert(tostring(E) and tostring(E.new) and E.get:name() and E.get:results() == 2)
    local fn = made(phial.fn("f", { "n:i64", "x:any" }, nil, { dialects = { E }, accesses = true }))
    local entry, done = fn:entry(), fn:block "done"
    local t = entry:emit(E.new, fn:arg(1), fn:arg(2), { data = { "of the host" } })
    local a = entry:emit(E.get, t, t, "i64")
    a:set_data "text"
    assert(t:data() and fn:text():find "new")
    entry:emit("e.go", a, done, done)
    done:seal()
    done:ret()
    fn:finish()
    for _, it in ipairs(fn:read_accesses()) do assert(tostring(it) and it:place()) end
    pcall(phial.dialect, "e", { new = { results = "many" } })]],
  ["declarations in a module"] = [[
    local core, owner, symbols = require "phial.core", {}, {}
    local fn = made(phial.fn("f", { "n:i64" }, "i64"))
    local g = phial.fn("g", { "n:i64" }, "i64", { variadic = true })
    core.declare(g, {})
    core.join(fn, owner, symbols)
    core.join(g, owner, symbols)
    fn:entry():ret(fn:entry():call(g, nil, fn:arg(1)))
    assert(fn:module() == owner and g:is_variadic())
    for v in fn:values() do core.symbol(v) end]],
  ["a space of a run"] = [[
    local space = require("phial.core").space()
    local g = space.place(108, 16, false)
    space.start(g, "initial " .. ("x"):rep(100))
    local p = space.alloca(1000, 16)
    for _, type in ipairs { "i1", "i8", "i64", "f32", "f64", "ptr" } do
      space["store_" .. type](p, type == "i1" or 1)
      space["load_" .. type](p)
    end
    space.fill(p, 1, 100)
    space.copy(p + 200, p, 100)
    space.write(p, space.bytes(p, 300))
    space.alloca(100000, 8)
    space.release(p)
    assert(space.fault(3, 8, true) and #space.bytes(g, 108) == 108)
    local m = space.reserve_global(100, 1 << 20)
    assert(space.grow(m, 1000) == 100 and space.write(m + 1090, "end") == nil)
    assert(space.restore() and #space.bytes(m, 100) == 100)]],
  ["native code"] = [[
    local core = require "phial.core"
    local mapping, at = core.reserve(1 << 20) -- nil where addresses have 32 bits
    local it = assert(core.open_library(library, 0, error, false, { mapping }))
    assert(core.is_open(it) and (not mapping or core.grow(mapping, 4096) == 0
      and core.poke(it, at, nil, "text", true) and core.peek(it, at, 4, true) == "text"))
    core.link(it, "f", "phial_f", "l:l")
    local f = it:get "f"
    assert(f(40) == 42 and it:call("f", 1) == 3)
    assert(not core.open_library("/nowhere", 0, error, false))
    assert(not core.open_regular "/nowhere" and not core.folder "/nowhere/XXXXXX")
    pcall(f, 1.5)
    it:close()
    pcall(f, 1)]],
  ["mistakes"] = [[
    local fn = made(phial.fn("f", { "n:i64", "x:f64" }, nil, { rules = false, where = "all" }))
    local g = phial.fn("g", {}, nil, { undef = "error" })
    local entry, n, x, v, b = fn:entry(), fn:arg(1), fn:arg(2), fn:var "v", fn:block "b"
    for _, call in ipairs {
      function() n:ad(1) end, function() return entry:add(n, x) end, function() entry:add(n) end,
      function() entry:ret(n) end, function() entry:write(v, x) end, function() fn:var(1, 2) end,
      function() fn.finsh(fn) end, function() fn:text { id = "" } end, function() fn:finish() end,
      function() fn:text { ids = "owned" } end, function() g:entry():read(v) end,
      function() entry:branch(n, b, b) end, function() entry:switch(n, b, { x = b }) end,
      function() phial.fn("f", { "n:i46" }) end, function() phial.fn("f", {}, { 1 }) end,
      function() entry:phi { [entry] = n } end, function() entry:emit("d.spilt", n) end,
      function() g:entry():read(g:var "never") g:entry():ret() g:finish() end,
      function() b:jump(entry) end, function() fn:const("text", "i64") end,
      function() require("phial.core").raise("f: no", 1) end,
    } do
      local good, why = pcall(call)
      assert(not good and tostring(why))
    end
    for _, it in ipairs { fn, g, entry, n, v, b } do tostring(it) end]],
}
