local phial = ...
-- Calls are in direct style; results without a name, several results, data, memory.
local D = phial.dialect("d", {
  split = { args = 1, result = "i64", results = 3, eval = function(x) return x, x + 1, x + 2 end },
  label = { args = 1, pure = true, result = "any", eval = function(x) return x end },
})
local fn = phial.fn("f", { "n:i64" }, "i64", { rules = false })
local b, n = fn:entry(), fn:arg(1)
local p = b:alloca(8)
b:store(p, n)
b:call("log", nil, n, fn:const(2, "i8"), fn:const("it", "any"))
b:call("next", "i64")
local one = b:emit(D.split, n)
local three = b:proj(one, 3, "i64")
b:call(fn, "i64", three)
b:call("use", nil, b:emit(D.label, n, { data = "a \"name\"" }))
b:ret(b:add(b:load(p, "i64"), three))
return fn:finish()
