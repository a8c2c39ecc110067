-- Texts of rules that are refused: the whole message, with its caret.
local phial = require "phial"
local raises = require "spec.support.raises"
local tables = require "tools.tables"

local OF_VALUES
do
  local names = {}
  for _, row in ipairs(tables.functions()) do
    if row.argument ~= "NUMBERS" then names[#names + 1] = row.name end
  end
  OF_VALUES = table.concat(names, ", ")
end

-- Texts and their errors; each text is named "r".
local REFUSED = {
  { "x + 0 > x", "r:1:10: '=>' expected, the text ends\n  x + 0 > x\n           ^" },
  { "a: x + z => y", "r:1:13: 'y' does not occur in the pattern\n  a: x + z => y\n              ^" },
  { "x + C => x + D", "r:1:14: 'D' does not occur in the pattern\n  x + C => x + D\n               ^" },
  { "x + \"a => x", "r:1:5: this string is not closed on its line\n  x + \"a => x\n      ^" },
  { "(x + 0 => x\nb: x - x => 0", "r:1:8: ')' expected, got '=>'\n  (x + 0 => x\n         ^" },
  { "x:i31 + 0 => x", "r:1:3: there is no type 'i31'; the colon after a rule's name is followed by a blank\n  x:i31 + 0 => x\n    ^" },
  { "x:f64 + 0 => x", "r:1:1: an integer expected here, this is f64\n  x:f64 + 0 => x\n  ^" },
  { "x:i8 + 300 => x", "r:1:8: i8 expected here, this is an integer that does not fit\n  x:i8 + 300 => x\n         ^" },
  { "add(x) => x", "r:1:1: 'add' has 2 operands, not 1\n  add(x) => x\n  ^" },
  { "foo(x) => x", "r:1:1: there is no op 'foo'\n  foo(x) => x\n  ^" },
  { "[add|sub](x, 0) => [x|x|x]", "r:1:20: 3 alternatives here, 2 elsewhere in this rule\n  [add|sub](x, 0) => [x|x|x]\n                     ^" },
  { "x + y => y + x", "r:1:7: this rule might be applied forever: its result weighs 5, its pattern 5; '@ unoriented' allows it\n  x + y => y + x\n        ^" },
  { "shl(x, 1) => x + x", "r:1:11: this rule might be applied forever: its result has 'x' more often than its pattern; '@ unoriented' allows it\n  shl(x, 1) => x + x\n            ^" },
  { "zext(x) => zext(trunc(x))", "r:1:17: the type of this is not known: write it after it, f(x):i32\n  zext(x) => zext(trunc(x))\n                  ^" },
  { "eq(x, x) => eq(0, 0)", "r:1:16: the type of this is not known: write it after it, 0:i32\n  eq(x, x) => eq(0, 0)\n                 ^" },
  { "x + C => x if x > 0", "r:1:15: 'x' is a value: a guard knows constants, in upper case; of values it can ask " .. OF_VALUES .. " and $f\n  x + C => x if x > 0\n                ^" },
  { "x + C => x if C", "r:1:15: a condition expected here, a comparison for instance\n  x + C => x if C\n                ^" },
  { "x + C => x if zed(C)", "r:1:15: there is no op 'zed'\n  x + C => x if zed(C)\n                ^" },
  { "x + C => x if $zed(C)", "r:1:16: no function 'zed' was given with these rules\n  x + C => x if $zed(C)\n                 ^" },
  { "A + B => 0", "r:1:3: constants are computed without a rule\n  A + B => 0\n    ^" },
  { "x => 0", "r:1:1: a pattern starts with an operation\n  x => 0\n  ^" },
  { "add(phi(x, y), z) => add(x, z)", "r:1:5: rules do not look into a phi, whose operands are known in its predecessors only: isphi(x) asks for one\n  add(phi(x, y), z) => add(x, z)\n      ^" },
  { "add(phi(_, _), z) => z", "r:1:5: rules do not look into a phi, whose operands are known in its predecessors only: isphi(x) asks for one\n  add(phi(_, _), z) => z\n      ^" },
  { "branch(c, T, T) => c", "r:1:20: the result must end a block, as the pattern does\n  branch(c, T, T) => c\n                     ^" },
  { "c + 0 => jump(T)", "r:1:15: 'T' does not occur in the pattern\n  c + 0 => jump(T)\n                ^" },
  { "branch(c, t, F) => jump(F)", "r:1:11: a label (in upper case) expected, got 't'\n  branch(c, t, F) => jump(F)\n            ^" },
  { "branch(c, T) => jump(T)", "r:1:1: 'branch' has 2 labels, not 1\n  branch(c, T) => jump(T)\n  ^" },
  { "switch(x, D, 1) => jump(D)", "r:1:1: 'switch' has a value, a label, then a key and a label each\n  switch(x, D, 1) => jump(D)\n  ^" },
  { "x + 0 => once(x)", "r:1:10: once() belongs in a pattern\n  x + 0 => once(x)\n           ^" },
  { "once(x) + 0 => x", "r:1:1: once() asks about an operation\n  once(x) + 0 => x\n  ^" },
  { "once(x + 0) => x", "r:1:8: the whole pattern has no uses yet\n  once(x + 0) => x\n         ^" },
  { "x & (y & C + D) => x", "r:1:14: 'D' occurs only in expressions: nothing binds it\n  x & (y & C + D) => x\n               ^" },
  { "x + (A & B) => x", "r:1:10: 'B' occurs only in expressions: nothing binds it\n  x + (A & B) => x\n           ^" },
  { "x * C => x @ whatever", "r:1:14: prio, late, always, unoriented, tested or unsafe expected, got 'whatever'\n  x * C => x @ whatever\n               ^" },
  { "x + 0 => x @ prio much", "r:1:19: a number expected, got 'much'\n  x + 0 => x @ prio much\n                    ^" },
  { "x + 0 => x @ unsafe", "r:1:20: a reason, in double quotes, expected, the text ends\n  x + 0 => x @ unsafe\n                     ^" },
  { "x + 1.5 => x", "r:1:5: an integer expected here, this is a float\n  x + 1.5 => x\n      ^" },
  { "fadd(x, 0.1:f32) => x", "r:1:13: f32 expected here, this is a float that does not fit\n  fadd(x, 0.1:f32) => x\n              ^" },
  { "zext(x:i32):i8 => trunc(x):i8", "r:1:1: 'zext' cannot convert i32 to i8\n  zext(x:i32):i8 => trunc(x):i8\n  ^" },
  { "x / 2 => x", "r:1:3: division has no operator here: sdiv, udiv, srem or urem\n  x / 2 => x\n    ^" },
  { "x + 99999999999999999999 => x", "r:1:5: '99999999999999999999' is not a 64-bit integer\n  x + 99999999999999999999 => x\n      ^" },
  { "π + 0 => 0", "r:1:1: no token starts with 'π'\n  π + 0 => 0\n  ^" },
  { "x and y => x", "r:1:3: 'and' belongs after 'if': on bits it is '&'\n  x and y => x\n    ^" },
  { "x + C => x if not C", "r:1:19: a condition expected here, a comparison for instance\n  x + C => x if not C\n                    ^" },
  { "x < INT_MAX => x ~= INT_MAX if 3 == INT_MAX", "r:1:37: nothing here determines the width of this\n  x < INT_MAX => x ~= INT_MAX if 3 == INT_MAX\n                                      ^" },
  { "x + 0 => _", "r:1:10: '_' matches anything: it has no value\n  x + 0 => _\n           ^" },
  { "x + 0 => !", "r:1:11: an operand expected, the text ends\n  x + 0 => !\n            ^" },
  { "!x + 0 => x", "r:1:1: '!' belongs in a result: of bits it is '~'\n  !x + 0 => x\n  ^" },
  { "$f(x) => x", "r:1:1: functions belong after '=>' or 'if'\n  $f(x) => x\n  ^" },
  { "x + 0 => x if pow2(x)", "r:1:20: 'x' is a value: a guard knows constants, in upper case; of values it can ask " .. OF_VALUES .. " and $f\n  x + 0 => x if pow2(x)\n                     ^" },
  { "x + C => pow2(C)", "r:1:10: 'pow2' is a condition: it belongs after 'if'\n  x + C => pow2(C)\n           ^" },
  { "branch(c, T, F) => jump(c)", "r:1:25: a label (in upper case) expected, got 'c'\n  branch(c, T, F) => jump(c)\n                          ^" },
  { "x + T => x if T == 1 and branch(T)", "r:1:26: 'branch' cannot be computed here\n  x + T => x if T == 1 and branch(T)\n                           ^" },
  { "call(x) => x", "r:1:1: rules cannot have 'call'\n  call(x) => x\n  ^" },
  { "x + jump(T) => x", "r:1:5: this has no result\n  x + jump(T) => x\n      ^" },
  { "x + 0xfg => x", "r:1:5: '0xfg' is not a 64-bit integer\n  x + 0xfg => x\n      ^" },
  { "x + 1e => x", "r:1:5: '1e' is not a number\n  x + 1e => x\n      ^" },
  { "x + 0 => x if", "r:1:14: an operand expected, the text ends\n  x + 0 => x if\n               ^" },
  { "x + => x", "r:1:5: an operand expected, got '=>'\n  x + => x\n      ^" },
  { "a: b: x + 0 => x", "r:1:5: '=>' expected, got ':'\n  a: b: x + 0 => x\n      ^" },
  { "x + 0 => x y", "r:1:12: the end of the rule expected, got 'y'\n  x + 0 => x y\n             ^" },
  { "x ^ 2 => x", "r:1:3: exclusive or is '~'\n  x ^ 2 => x\n    ^" },
  { "select(c, x) => x", "r:1:1: 'select' has 3 operands, not 2\n  select(c, x) => x\n  ^" },
  { "C + x => x if fadd(C, 1.0)", "r:1:20: a float expected here, this is an integer\n  C + x => x if fadd(C, 1.0)\n                     ^" },
  { "x + nil => x", "r:1:5: an integer expected here, this is any\n  x + nil => x\n      ^" },
  { "x + 0 -> x", "r:1:7: the arrow of a rule is '=>'\n  x + 0 -> x\n        ^" },
  { "x != x => false", "r:1:3: not equal is '~='\n  x != x => false\n    ^" },
  { "x = y => false", "r:1:3: equal is '=='; a rule's arrow is '=>'\n  x = y => false\n    ^" },
  { "x >>> 0 => x", "r:1:3: '>>' already shifts zeros in; sar(x, y) shifts the sign in\n  x >>> 0 => x\n    ^" },
  { "x + C => x if C == 0 && C == 1", "r:1:22: on conditions it is 'and', on bits '&'\n  x + C => x if C == 0 && C == 1\n                       ^" },
  { "x + C => x if C == 0 || C == 1", "r:1:22: on conditions it is 'or', on bits '|'\n  x + C => x if C == 0 || C == 1\n                       ^" },
  { "x + 0 => x // no", "r:1:12: a comment starts with '--', and division has no operator here: sdiv or udiv\n  x + 0 => x // no\n             ^" },
  { "x + 0 => x ; no", "r:1:12: a rule ends at the end of its line; a comment starts with '--'\n  x + 0 => x ; no\n             ^" },
  { "x + 0 => x # no", "r:1:12: a comment starts with '--'\n  x + 0 => x # no\n             ^" },
  { "and(x, x) => x", "r:1:1: there is no op 'and': did you mean 'band'?\n  and(x, x) => x\n  ^" },
  { "a: ashr(x, 0) => x", "r:1:4: there is no op 'ashr': did you mean 'sar'?\n  a: ashr(x, 0) => x\n     ^" },
  { "not(x) + 0 => x", "r:1:1: 'not' belongs after 'if': on bits it is '~'\n  not(x) + 0 => x\n  ^" },
  { "x + 0 ==> x", "r:1:7: the arrow of a rule is '=>'\n  x + 0 ==> x\n        ^" },
  { "x <> y => true", "r:1:3: not equal is '~='\n  x <> y => true\n    ^" },
  { "x + C => x if C != 0", "r:1:17: not equal is '~='\n  x + C => x if C != 0\n                  ^" },
  { "x + C => x if !(C == 0)", "r:1:15: '!' belongs in a result: of conditions it is 'not'\n  x + C => x if !(C == 0)\n                ^" },
  { "(z @ x) & y => x", "r:1:2: '@' names an operation with a result\n  (z @ x) & y => x\n   ^" },
  { "z @ (x & y) => 0", "r:1:8: the whole pattern is not a value yet: it has no name\n  z @ (x & y) => 0\n         ^" },
  { "C @ (x & y) | x => x", "r:1:1: '@' follows the name of a value, in lower case\n  C @ (x & y) | x => x\n  ^" },
  { "z & (z @ ~x) => z", "r:1:6: 'z' occurs before it is bound: '@' belongs to the first one\n  z & (z @ ~x) => z\n       ^" },
  { "(z @ w @ ~x) & x => 0", "r:1:2: this has the name 'w' already\n  (z @ w @ ~x) & x => 0\n   ^" },
  { "x + 0 => z @ ~x", "r:1:10: 'z' does not occur in the pattern\n  x + 0 => z @ ~x\n           ^" },
  { "let add(x) = ~x", "r:1:5: 'add' has a meaning already\n  let add(x) = ~x\n      ^" },
  { "let a(x) = ~x | 1", "r:1:17: this form does not use 'x'\n  let a(x) = ~x | 1\n                  ^" },
  { "let a(x) = x & C", "r:1:16: 'C' is not a parameter\n  let a(x) = x & C\n                 ^" },
  { "let a(x) = zext(x:T)", "r:1:19: a type variable belongs in a rule, not in 'let'\n  let a(x) = zext(x:T)\n                    ^" },
  { "let a(x) = z @ ~x", "r:1:12: '@' belongs in a rule, not in 'let'\n  let a(x) = z @ ~x\n             ^" },
  { "let a(x) = [x|~x]", "r:1:12: '|' alone separates the forms of 'let'\n  let a(x) = [x|~x]\n             ^" },
  { "let a(x, x) = ~x", "r:1:10: a parameter needs a name of its own\n  let a(x, x) = ~x\n           ^" },
  { "let a() = 1", "r:1:7: a parameter expected, got ')'\n  let a() = 1\n        ^" },
  { "let a(x) ~x", "r:1:10: '=' expected, got '~'\n  let a(x) ~x\n           ^" },
  { "let a(x) = ~x y", "r:1:15: '|' or the end of the line expected, got 'y'\n  let a(x) = ~x y\n                ^" },
  { "let a(x) = ~x\nb: a(x, y) => x", "r:2:4: 'a' has 1 parameter, not 2\n  b: a(x, y) => x\n     ^" },
  { "let a(x) = ~x\nb: a(x y) => x", "r:2:8: ',' or ')' expected, got 'y'\n  b: a(x y) => x\n         ^" },
  { "let a(x) = ~x\nb: x + 0 => a(x)", "r:2:13: 'a' is for patterns\n  b: x + 0 => a(x)\n              ^" },
  { "let a(x) = ~(x:i8)\nb: a(y:i16) & 1 => 0", "r:1:16: i8 expected here, this is i16\n  let a(x) = ~(x:i8)\n                 ^" },
  { "let a(x) = x + x\nb: a(~y) & 1 => 0", "r:2:6: 'a' uses 'x' more than once: give it a name, z @ ...\n  b: a(~y) & 1 => 0\n       ^" },
  { "let a(x) = x | ~x\na(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + a(x)))))))) => 0", "r:2:1: this rule has more than 256 forms\n  a(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + (a(x) + a(x)))))))) => 0\n  ^" },
  { "x + C => x where C > 0", "r:1:12: a guard starts with 'if'\n  x + C => x where C > 0\n             ^" },
  { "x * C => C > 0 ? x : 0", "r:1:16: a choice between values is select(c, x, y)\n  x * C => C > 0 ? x : 0\n                 ^" },
  { "(Add64 x (Const64 [0])) => x", "r:1:8: ')' expected, got 'x'; an op precedes the bracket and commas separate its operands: add(x, y)\n  (Add64 x (Const64 [0])) => x\n         ^" },
  { "x + C => x if isPowerOfTwo(C)", "r:1:15: there is no op 'isPowerOfTwo': did you mean 'pow2'?\n  x + C => x if isPowerOfTwo(C)\n                ^" },
  { "or(x, y) => x", "r:1:1: there is no op 'or': did you mean 'bor'?\n  or(x, y) => x\n  ^" },
  { "xor(x, x) => 0", "r:1:1: there is no op 'xor': did you mean 'bxor'?\n  xor(x, x) => 0\n  ^" },
  { "lshr(x, 0) => x", "r:1:1: there is no op 'lshr': did you mean 'shr'?\n  lshr(x, 0) => x\n  ^" },
  { "neq(x, x) => false", "r:1:1: there is no op 'neq': did you mean 'ne'?\n  neq(x, x) => false\n  ^" },
  { "div(x, 1) => x", "r:1:1: there is no op 'div': did you mean 'sdiv' or 'udiv'?\n  div(x, 1) => x\n  ^" },
  { "rem(x, 1) => 0", "r:1:1: there is no op 'rem': did you mean 'srem' or 'urem'?\n  rem(x, 1) => 0\n  ^" },
  { "lt(x, x) => false", "r:1:1: there is no op 'lt': did you mean 'slt' or 'ult'?\n  lt(x, x) => false\n  ^" },
  { "x + C => x if ctlz(C) == 1", "r:1:15: there is no op 'ctlz': did you mean 'clz'?\n  x + C => x if ctlz(C) == 1\n                ^" },
  { "bswap(x:i8) => x", "r:1:7: an integer of 16 bits or more expected here, this is i8\n  bswap(x:i8) => x\n        ^" },
  { "clz(x) => clz(x, 0)", "r:1:11: 'clz' has 1 operand, not 2\n  clz(x) => clz(x, 0)\n            ^" },
  { "x * C => clz(C, C)", "r:1:15: ')' expected, got ','\n  x * C => clz(C, C)\n                ^" },
  { "x * C => clz(\"C)", "r:1:14: this string is not closed on its line\n  x * C => clz(\"C)\n               ^" },
  { "x + 0 => x if C == 0", "r:1:15: 'C' does not occur in the pattern\n  x + 0 => x if C == 0\n                ^" },
  { "x + C => x if y == 0", "r:1:15: 'y' does not occur in the pattern\n  x + C => x if y == 0\n                ^" },
  { "add0 x + 0 => x", "r:1:6: '=>' expected, got 'x'; the name of a rule is followed by a colon\n  add0 x + 0 => x\n       ^" },
  { "sub (x - 0) => x", "r:1:1: 'sub' has 2 operands, not 1\n  sub (x - 0) => x\n  ^" },
  { "a:x + 0 => x", "r:1:3: there is no type 'x'; the colon after a rule's name is followed by a blank\n  a:x + 0 => x\n    ^" },
  { "a:\tx + 0 => 1.0", "r:1:13: an integer expected here, this is a float\n  a:\tx + 0 => 1.0\n    \t         ^" },
}

-- Valid texts.
local ACCEPTED = {
  "x + 0 => x",
  "a: x + 0 => x -- a comment",
  "a:\n  x + 0\n  => x\n  if width(x) == 8\n  @ late",
  "add(\n  x,\n  0) => x",
  "-- nothing but\n\n-- comments",
  "",
  "x + 0x7f => x - -0x7f @ unoriented",
  "(x:T & 1:T):T => x if width(T) > 1 and width(result) > width(i8) @ late, prio -3",
  "[add|sub](x, [0|0]) => x",
  "x + T => x:T",
  "let a(x) = ~x |\n -x\nb: a(a(z @ (x + y))) + z => z",
  "let a(x) = ~x\nlet a(x) = ~x",
  "let + 0 => let",
}

local function refusal(text)
  local ok, message = pcall(phial.rules, text, nil, "r")
  assert.is_false(ok, text)
  return (message:gsub("^.-: r:", "r:"))
end

describe("a text of rules is refused:", function()
  for _, case in ipairs(REFUSED) do
    it(case[1], function() assert.equal(case[2], refusal(case[1])) end)
  end

  it("at the frame that gives it", function()
    local _, message = pcall(phial.rules, "x", nil, "r")
    assert.matches("^spec/rules/language_errors_spec.lua:%d+: r:1:2: '=>' expected, the text ends\n  x\n   %^$", message)
  end)

  it("if a function of values is an operand, or an argument", function()
    for rule, col in pairs {
      ["x * C => $f(x) + 1"] = 13, ["x * C => -$f(x)"] = 14, ["x * C => x + !$f(x)"] = 18,
      ["x * C => x + (C + $f(C, x))"] = 25, ["x + C => x if C == $f(x)"] = 23,
      ["x + C => x if $f($f(x))"] = 21, ["x + C => $f($f(x))"] = 16,
    } do
      raises.with(("r:1:%d: a function of values makes a whole result, or is a condition: here it can "
        .. "have constants only"):format(col), phial.rules, rule, { f = print }, "r")
    end
  end)

  it("as a whole", function()
    local R = phial.rules()
    assert.has_error(function() R:add "a: x + 0 => x\nb: x + 0 > x" end)
    assert.same({}, R:names())
    R:add "a: x + 0 => x"
    assert.same({ "a" }, R:names())
  end)

  it("when it nests too deeply, or is too long", function()
    assert.matches("nested too deeply", refusal(("("):rep(1000) .. "x"))
    assert.matches("nested too deeply", refusal(("~"):rep(1000) .. "x => x"))
    assert.matches("too long", refusal("x" .. (" + x"):rep(1000) .. " => x"))
    assert.matches("too long", refusal("x + 0 => x if " .. ("1 == 1 and "):rep(1000) .. "1 == 1"))
  end)

  -- So many types that their numbers need more than a byte.
  it("for its own types, of several hundred", function()
    local function sum(terms, from, to)
      local middle = (from + to) // 2
      if from == to then return terms[from] end
      return ("(%s + %s)"):format(sum(terms, from, middle), sum(terms, middle + 1, to))
    end
    local terms = {}
    for i = 1, 100 do
      terms[i], terms[100 + i] = ("trunc(y%d:i64):i32"):format(i), ("zext(x%d:i8):i32"):format(i)
    end
    phial.rules(sum(terms, 1, 200) .. " => 0", nil, "r")
    for i = 1, 150 do terms[i] = ("zext(x%d:i8):i32"):format(i) end
    for i = 1, 150, 7 do
      local good = terms[i]
      terms[i] = "zext(z:i64):i32"
      local text = sum(terms, 1, 150) .. " => 0"
      assert.equal(("r:1:%d: 'zext' cannot convert i64 to i32"):format(text:find("zext(z", 1, true)),
        (refusal(text):gsub("\n.*", "")))
      terms[i] = good
    end
  end)

  it("with the name of the text, whatever is in it", function()
    assert.error_matches(function() phial.rules("x", nil, "r\0s") end, "r\0s:1:2: '=>' expected", 1,
      true)
  end)

  -- Lines of the first parts of the messages.
  local function places(text)
    local list = {}
    for place in ("\n" .. refusal(text)):gmatch "\nr:(%d+:%d+): " do list[#list + 1] = place end
    return table.concat(list, " ")
  end

  it("of each rule, as long as it is known where the next one begins", function()
    assert.equal("1:7 2:13 4:4", places "a: x +* 2 => x\nb: x - y => z\nc: x + 0 => x\nd: foo(x) => 1")
    assert.equal("1:4 3:1", places "x +* 2 => x\n  if x > 0\nfoo(x) => x")
    assert.equal("1:1 3:8", places "foo(x,\n y) => x\nx:i8 + 300 => x")
    assert.equal("1:14", places "a: x - y => (z +\n x) => 3")
    assert.equal("1:12", places "let a(x) = y\nb: a(x) => x")
    assert.equal("1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1 10:1", places(("foo(x) => x\n"):rep(12)))
  end)

  it("whatever it is", function()
    math.randomseed(tonumber(os.getenv "SEED") or 1)
    local parts = { "x", "C", "1", "1.5", " ", "(", ")", "[", "]", "|", "+", "=>", "if", "@", ":", "let a(x) =", "let b(y, x) = y + x | y\n", "b(", "a(", "z @", "~", "!",
      "$", ",", "add", "once", "width", "\n", '"', "-", "T", "branch", "true", "\0", "\255", "_" }
    for _ = 1, tonumber(os.getenv "RUNS") or 3000 do
      local text = {}
      for i = 1, math.random(20) do text[i] = parts[math.random(#parts)] end
      pcall(phial.rules, table.concat(text), nil, "r")
    end
  end)
end)

describe("a text of rules is read:", function()
  for _, text in ipairs(ACCEPTED) do
    it(text, function() phial.rules(text) end)
  end

  it("and given back as it was", function()
    local R = phial.rules "a: x + 0 => x -- this\nb: [add|sub](x, 0)\n  => x\n"
    assert.equal("a: x + 0 => x\nb: [add|sub](x, 0)\n  => x\n", R:text())
    assert.equal("a: x + 0 => x\n", R:text "a")
    assert.error_matches(function() R:text "c" end, "there is no rule 'c'")
  end)
end)
