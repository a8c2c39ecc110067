;; What a host of Lua is asked for.
(module
  (import "host" "number" (global $number i32))
  (import "host" "print" (func $print (param i32 i32)))
  (import "host" "digits" (func $digits (param i32 i32) (result i32)))
  (memory 0 2)
  (data $hello "hello, ")
  (func (export "_start")
    (drop (memory.grow (i32.const 1)))
    (memory.init $hello (i32.const 8) (i32.const 0) (i32.const 7))
    (call $print (i32.const 8)
      (i32.add (i32.const 7) (call $digits (i32.const 15) (global.get $number))))))
