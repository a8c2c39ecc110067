-- The evaluation of the paper, bench/paper: the traces that it makes of LLVM IR, and the redundant
-- sets of phis that it counts.
local components = require "bench.paper.components"
local traces = require "bench.paper.traces"

local LOOP = [[
define i32 @f(i32 noundef %n, ptr noundef %p) {
entry:
  %n.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %kept = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  store i32 0, ptr %i, align 4
  call void @g(ptr noundef %kept)
  br label %head

head:
  %0 = load i32, ptr %i, align 4
  %1 = load i32, ptr %n.addr, align 4
  %more = icmp slt i32 %0, %1
  br i1 %more, label %body, label %done

body:
  %2 = load i32, ptr %n.addr, align 4
  store i32 %2, ptr %i, align 4
  store i32 %2, ptr %p, align 4
  switch i32 %2, label %head [
    i32 1, label %head
    i32 2, label %done
  ]

unused:
  br label %head

done:
  ret i32 0
}

define void @without_variables() {
  ret void
}

declare void @g(ptr noundef)
]]

local TRACE = [[
F f 4 2
S 0
b 0
w 0
w 1
u
j 1
b 1
r 1
r 0
c 2 3
S 2
b 2
r 0
m 1
u
s 3 1 1 3
S 1
S 3
b 3
x
E
]]

-- Two blocks that lead to each other and are both entered from outside, and a variable that is
-- only read there.
local TWO_ENTRIES = [[
F g 4 1
S 0
b 0
w 0
c 1 2
b 1
r 0
c 2 3
S 2
b 2
r 0
c 1 3
S 1
S 3
b 3
r 0
x
E
]]

local function file_of(text)
  local path = os.tmpname()
  finally(function() os.remove(path) end)
  local file <close> = assert(io.open(path, "w"))
  file:write(text)
  return path
end

describe("the evaluation", function()
  it("makes traces, with reads and writes of what mem2reg promotes", function()
    local out, input = os.tmpname(), file_of(LOOP)
    traces.write({ input, input }, out)
    local file <close> = assert(io.open(out))
    assert.equal(TRACE, file:read "a")
    os.remove(out)
  end)

  it("counts redundant sets of phis, where control flow is irreducible", function()
    assert.same({ sets = 1, irreducible = 1 }, components.of { trace = file_of(TWO_ENTRIES) })
  end)

  it("counts none where it is reducible", function()
    assert.same({ sets = 0, irreducible = 0 }, components.of { trace = file_of(TRACE) })
  end)
end)
