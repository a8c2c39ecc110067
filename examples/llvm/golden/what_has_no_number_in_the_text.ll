; names in quotes, numbers that are left out, blocks in any order
%"a type" = type { i32, [2 x i64] }
@"a global" = global ptr blockaddress(@f, %"the end"), align 8
@gone = global ptr blockaddress(@f, %unreached)

declare i32 @"a function"(ptr, ...)

define i32 @f(i32, ptr %p, i64 noundef) {
  %x = alloca i32 ; not %4
  %"an object" = alloca %"a type"
  store i32 %0, ptr %x
  load i32, ptr %p
  br label %middle
"the end":
  %"a b" = phi i32 [ %5, %middle ], [ %5, %middle ]
  ret i32 %"a b"
middle:
  %4 = load i32, ptr %x
  call i32 (ptr, ...) @"a function"(ptr @"a global", i32 %4), !note !0
  store i32 7, ptr %x
  switch i32 %3, label %"the end" [ i32 3, label %"the end" ]
unreached:
  ret i32 0
}

!0 = !{!"an % in a string"}
