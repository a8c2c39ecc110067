; ModuleID = 'choices.c'
source_filename = "choices.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@walk.t = internal global [2 x ptr] [ptr blockaddress(@walk, %9), ptr blockaddress(@walk, %25)], align 16

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @choose(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %7 = load i32, ptr %4, align 4
  switch i32 %7, label %16 [
    i32 3, label %8
    i32 1, label %8
    i32 2, label %8
    i32 7, label %10
    i32 9, label %13
  ]

8:                                                ; preds = %2, %2, %2
  %9 = load i32, ptr %5, align 4
  store i32 %9, ptr %6, align 4
  br label %17

10:                                               ; preds = %2
  %11 = load i32, ptr %5, align 4
  %12 = add nsw i32 %11, 1
  store i32 %12, ptr %6, align 4
  br label %13

13:                                               ; preds = %2, %10
  %14 = load i32, ptr %6, align 4
  %15 = mul nsw i32 %14, 2
  store i32 %15, ptr %6, align 4
  br label %17

16:                                               ; preds = %2
  store i32 -1, ptr %3, align 4
  br label %19

17:                                               ; preds = %13, %8
  %18 = load i32, ptr %6, align 4
  store i32 %18, ptr %3, align 4
  br label %19

19:                                               ; preds = %17, %16
  %20 = load i32, ptr %3, align 4
  ret i32 %20
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @both(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = icmp sgt i32 %5, 3
  br i1 %6, label %7, label %10

7:                                                ; preds = %2
  %8 = load i32, ptr %4, align 4
  %9 = icmp sgt i32 %8, 3
  br i1 %9, label %14, label %10

10:                                               ; preds = %7, %2
  %11 = load i32, ptr %3, align 4
  %12 = load i32, ptr %4, align 4
  %13 = icmp eq i32 %11, %12
  br label %14

14:                                               ; preds = %10, %7
  %15 = phi i1 [ true, %7 ], [ %13, %10 ]
  %16 = zext i1 %15 to i32
  ret i32 %16
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @walk(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  %4 = load i32, ptr %2, align 4
  %5 = and i32 %4, 1
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds [2 x ptr], ptr @walk.t, i64 0, i64 %6
  %8 = load ptr, ptr %7, align 8
  br label %17

9:                                                ; preds = %17
  %10 = load i32, ptr %3, align 4
  %11 = add nsw i32 %10, 10
  store i32 %11, ptr %3, align 4
  %12 = load i32, ptr %2, align 4
  %13 = add nsw i32 %12, -1
  store i32 %13, ptr %2, align 4
  %14 = icmp slt i32 %13, 0
  br i1 %14, label %15, label %19

15:                                               ; preds = %9
  %16 = load i32, ptr %3, align 4
  ret i32 %16

17:                                               ; preds = %25, %19, %1
  %18 = phi ptr [ %8, %1 ], [ %24, %19 ], [ %34, %25 ]
  indirectbr ptr %18, [label %9, label %25]

19:                                               ; preds = %9
  %20 = load i32, ptr %2, align 4
  %21 = and i32 %20, 1
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [2 x ptr], ptr @walk.t, i64 0, i64 %22
  %24 = load ptr, ptr %23, align 8
  br label %17

25:                                               ; preds = %17
  %26 = load i32, ptr %3, align 4
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %3, align 4
  %28 = load i32, ptr %2, align 4
  %29 = add nsw i32 %28, -1
  store i32 %29, ptr %2, align 4
  %30 = load i32, ptr %2, align 4
  %31 = and i32 %30, 1
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [2 x ptr], ptr @walk.t, i64 0, i64 %32
  %34 = load ptr, ptr %33, align 8
  br label %17
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %2 = call i32 @choose(i32 noundef 2, i32 noundef 5)
  %3 = icmp eq i32 %2, 5
  br i1 %3, label %4, label %13

4:                                                ; preds = %0
  %5 = call i32 @choose(i32 noundef 8, i32 noundef 1)
  %6 = icmp eq i32 %5, -1
  br i1 %6, label %7, label %13

7:                                                ; preds = %4
  %8 = call i32 @both(i32 noundef 4, i32 noundef 4)
  %9 = icmp ne i32 %8, 0
  br i1 %9, label %10, label %13

10:                                               ; preds = %7
  %11 = call i32 @walk(i32 noundef 3)
  %12 = icmp eq i32 %11, 22
  br label %13

13:                                               ; preds = %10, %7, %4, %0
  %14 = phi i1 [ false, %7 ], [ false, %4 ], [ false, %0 ], [ %12, %10 ]
  %15 = zext i1 %14 to i64
  %16 = select i1 %14, i32 0, i32 1
  ret i32 %16
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
