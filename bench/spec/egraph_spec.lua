-- bench/suites/egraph.lua on a few functions in the form of cranelift's tests.
local file = require "spec.support.file"
local interpreter = require("bench.lib.system").interpreter
local quoted = require("bench.lib.corpus").quoted
local shell = require "spec.support.shell"

local PRECISE <const> = [[
test optimize precise-output
set opt_level=speed

function %eight(i32) -> i32 {
block0(v0: i32):
    v1 = iconst.i32 8
    v2 = imul v0, v1
    return v2
}

; function %eight(i32) -> i32 fast {
; block0(v0: i32):
;     v3 = iconst.i32 3
;     v4 = ishl v0, v3  ; v3 = 3
;     return v4
; }

function %sum_is_more(i32, i32) -> i32 {
block0(v0: i32, v1: i32):
    v2 = iadd v0, v1
    return v2
}

; function %sum_is_more(i32, i32) -> i32 fast {
; block0(v0: i32, v1: i32):
;     return v0
; }

function %alias(i32) -> i32 {
block0(v0: i32):
    v1 = iconst.i32 1
    v2 = udiv v0, v1
    return v2
}

; function %alias(i32) -> i32 fast {
; block0(v0: i32):
;     v2 -> v0
;     return v2
; }

function %vector(i32x4) -> i32x4 {
block0(v0: i32x4):
    return v0
}

; function %vector(i32x4) -> i32x4 fast {
; block0(v0: i32x4):
;     return v0
; }
]]

local CHECKED <const> = [[
test optimize

function %larger(i64, i64) -> i64 {
block0(v0: i64, v1: i64):
    v2 = icmp ugt v0, v1
    brif v2, block1(v0), block1(v1)
block1(v3: i64):
    v4 = iconst.i64 0
    v5 = iadd v3, v4
    ; check: v2 = icmp ugt v0, v1
    ; check: return v3
    return v5
}

function %says_nothing(i8) -> i8 {
block0(v0: i8):
    return v0
}
]]

it("counts what phial and cranelift leave, and says what is not translated", function()
  local folder = os.tmpname()
  os.remove(folder)
  shell.output("mkdir " .. folder)
  file.write(folder .. "/precise.clif", PRECISE)
  file.write(folder .. "/checked.clif", CHECKED)
  local text = shell.output(("%s bench/suites/egraph.lua %s"):format(quoted(interpreter()), folder))
  shell.output("rm -r " .. folder)
  local count = {}
  for name, n in text:gmatch "| ([%w ]-) +| +(%d+) |" do count[name] = tonumber(n) end
  assert.same({ all = 6, ["without expectation"] = 1, translated = 4, fewer = 0, same = 3, more = 1,
    ["type i32x4"] = 1 }, count)
end)
