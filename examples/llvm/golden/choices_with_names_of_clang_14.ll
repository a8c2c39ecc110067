; ModuleID = 'choices.c'
source_filename = "choices.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@walk.t = internal global [2 x i8*] [i8* blockaddress(@walk, %one), i8* blockaddress(@walk, %two)], align 16

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @choose(i32 noundef %x, i32 noundef %y) #0 {
entry:
  %retval = alloca i32, align 4
  %x.addr = alloca i32, align 4
  %y.addr = alloca i32, align 4
  %r = alloca i32, align 4
  store i32 %x, i32* %x.addr, align 4
  store i32 %y, i32* %y.addr, align 4
  %0 = load i32, i32* %x.addr, align 4
  switch i32 %0, label %sw.default [
    i32 3, label %sw.bb
    i32 1, label %sw.bb
    i32 2, label %sw.bb
    i32 7, label %sw.bb1
    i32 9, label %sw.bb2
  ]

sw.bb:                                            ; preds = %entry, %entry, %entry
  %1 = load i32, i32* %y.addr, align 4
  store i32 %1, i32* %r, align 4
  br label %sw.epilog

sw.bb1:                                           ; preds = %entry
  %2 = load i32, i32* %y.addr, align 4
  %add = add nsw i32 %2, 1
  store i32 %add, i32* %r, align 4
  br label %sw.bb2

sw.bb2:                                           ; preds = %entry, %sw.bb1
  %3 = load i32, i32* %r, align 4
  %mul = mul nsw i32 %3, 2
  store i32 %mul, i32* %r, align 4
  br label %sw.epilog

sw.default:                                       ; preds = %entry
  store i32 -1, i32* %retval, align 4
  br label %return

sw.epilog:                                        ; preds = %sw.bb2, %sw.bb
  %4 = load i32, i32* %r, align 4
  store i32 %4, i32* %retval, align 4
  br label %return

return:                                           ; preds = %sw.epilog, %sw.default
  %5 = load i32, i32* %retval, align 4
  ret i32 %5
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @both(i32 noundef %a, i32 noundef %b) #0 {
entry:
  %a.addr = alloca i32, align 4
  %b.addr = alloca i32, align 4
  store i32 %a, i32* %a.addr, align 4
  store i32 %b, i32* %b.addr, align 4
  %0 = load i32, i32* %a.addr, align 4
  %cmp = icmp sgt i32 %0, 3
  br i1 %cmp, label %land.lhs.true, label %lor.rhs

land.lhs.true:                                    ; preds = %entry
  %1 = load i32, i32* %b.addr, align 4
  %cmp1 = icmp sgt i32 %1, 3
  br i1 %cmp1, label %lor.end, label %lor.rhs

lor.rhs:                                          ; preds = %land.lhs.true, %entry
  %2 = load i32, i32* %a.addr, align 4
  %3 = load i32, i32* %b.addr, align 4
  %cmp2 = icmp eq i32 %2, %3
  br label %lor.end

lor.end:                                          ; preds = %lor.rhs, %land.lhs.true
  %4 = phi i1 [ true, %land.lhs.true ], [ %cmp2, %lor.rhs ]
  %lor.ext = zext i1 %4 to i32
  ret i32 %lor.ext
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @walk(i32 noundef %n) #0 {
entry:
  %n.addr = alloca i32, align 4
  %s = alloca i32, align 4
  store i32 %n, i32* %n.addr, align 4
  store i32 0, i32* %s, align 4
  %0 = load i32, i32* %n.addr, align 4
  %and = and i32 %0, 1
  %idxprom = sext i32 %and to i64
  %arrayidx = getelementptr inbounds [2 x i8*], [2 x i8*]* @walk.t, i64 0, i64 %idxprom
  %1 = load i8*, i8** %arrayidx, align 8
  br label %indirectgoto

one:                                              ; preds = %indirectgoto
  %2 = load i32, i32* %s, align 4
  %add = add nsw i32 %2, 10
  store i32 %add, i32* %s, align 4
  %3 = load i32, i32* %n.addr, align 4
  %dec = add nsw i32 %3, -1
  store i32 %dec, i32* %n.addr, align 4
  %cmp = icmp slt i32 %dec, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %one
  %4 = load i32, i32* %s, align 4
  ret i32 %4

indirectgoto:                                     ; preds = %two, %if.end, %entry
  %indirect.goto.dest = phi i8* [ %1, %entry ], [ %6, %if.end ], [ %10, %two ]
  indirectbr i8* %indirect.goto.dest, [label %one, label %two]

if.end:                                           ; preds = %one
  %5 = load i32, i32* %n.addr, align 4
  %and1 = and i32 %5, 1
  %idxprom2 = sext i32 %and1 to i64
  %arrayidx3 = getelementptr inbounds [2 x i8*], [2 x i8*]* @walk.t, i64 0, i64 %idxprom2
  %6 = load i8*, i8** %arrayidx3, align 8
  br label %indirectgoto

two:                                              ; preds = %indirectgoto
  %7 = load i32, i32* %s, align 4
  %add4 = add nsw i32 %7, 1
  store i32 %add4, i32* %s, align 4
  %8 = load i32, i32* %n.addr, align 4
  %dec5 = add nsw i32 %8, -1
  store i32 %dec5, i32* %n.addr, align 4
  %9 = load i32, i32* %n.addr, align 4
  %and6 = and i32 %9, 1
  %idxprom7 = sext i32 %and6 to i64
  %arrayidx8 = getelementptr inbounds [2 x i8*], [2 x i8*]* @walk.t, i64 0, i64 %idxprom7
  %10 = load i8*, i8** %arrayidx8, align 8
  br label %indirectgoto
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
entry:
  %retval = alloca i32, align 4
  store i32 0, i32* %retval, align 4
  %call = call i32 @choose(i32 noundef 2, i32 noundef 5)
  %cmp = icmp eq i32 %call, 5
  br i1 %cmp, label %land.lhs.true, label %land.end

land.lhs.true:                                    ; preds = %entry
  %call1 = call i32 @choose(i32 noundef 8, i32 noundef 1)
  %cmp2 = icmp eq i32 %call1, -1
  br i1 %cmp2, label %land.lhs.true3, label %land.end

land.lhs.true3:                                   ; preds = %land.lhs.true
  %call4 = call i32 @both(i32 noundef 4, i32 noundef 4)
  %tobool = icmp ne i32 %call4, 0
  br i1 %tobool, label %land.rhs, label %land.end

land.rhs:                                         ; preds = %land.lhs.true3
  %call5 = call i32 @walk(i32 noundef 3)
  %cmp6 = icmp eq i32 %call5, 22
  br label %land.end

land.end:                                         ; preds = %land.rhs, %land.lhs.true3, %land.lhs.true, %entry
  %0 = phi i1 [ false, %land.lhs.true3 ], [ false, %land.lhs.true ], [ false, %entry ], [ %cmp6, %land.rhs ]
  %1 = zext i1 %0 to i64
  %cond = select i1 %0, i32 0, i32 1
  ret i32 %cond
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 14.0.6"}
