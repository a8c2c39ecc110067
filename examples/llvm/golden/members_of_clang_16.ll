; ModuleID = 'members.c'
source_filename = "members.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.line = type { %struct.point, %struct.point, ptr }
%struct.point = type { i8, i32, i32 }
%struct.odd = type <{ i8, [3 x i64], %struct.point }>

@first = internal global %struct.line { %struct.point { i8 3, i32 1, i32 2 }, %struct.point { i8 4, i32 5, i32 6 }, ptr @second }, align 8
@odd = internal global %struct.odd <{ i8 1, [3 x i64] [i64 2, i64 3, i64 4], %struct.point { i8 5, i32 6, i32 7 } }>, align 1
@second = internal global %struct.line { %struct.point { i8 1, i32 10, i32 20 }, %struct.point { i8 2, i32 30, i32 40 }, ptr null }, align 8

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @member(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds %struct.line, ptr %3, i32 0, i32 0
  %5 = getelementptr inbounds %struct.point, ptr %4, i32 0, i32 0
  %6 = load i8, ptr %5, align 8
  %7 = sext i8 %6 to i32
  %8 = load ptr, ptr %2, align 8
  %9 = getelementptr inbounds %struct.line, ptr %8, i32 0, i32 1
  %10 = getelementptr inbounds %struct.point, ptr %9, i32 0, i32 2
  %11 = load i32, ptr %10, align 4
  %12 = add nsw i32 %7, %11
  %13 = load ptr, ptr %2, align 8
  %14 = getelementptr inbounds %struct.line, ptr %13, i32 0, i32 2
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds %struct.line, ptr %15, i32 0, i32 0
  %17 = getelementptr inbounds %struct.point, ptr %16, i32 0, i32 1
  %18 = load i32, ptr %17, align 4
  %19 = add nsw i32 %12, %18
  %20 = load ptr, ptr %2, align 8
  %21 = getelementptr inbounds %struct.line, ptr %20, i32 0, i32 1
  %22 = getelementptr inbounds %struct.point, ptr %21, i64 0
  %23 = getelementptr inbounds %struct.point, ptr %22, i32 0, i32 2
  %24 = load i32, ptr %23, align 4
  %25 = add nsw i32 %19, %24
  ret i32 %25
}

; Function Attrs: noinline nounwind uwtable
define dso_local i64 @last(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds %struct.odd, ptr %3, i32 0, i32 1
  %5 = getelementptr inbounds [3 x i64], ptr %4, i64 0, i64 2
  %6 = load i64, ptr %5, align 1
  %7 = load ptr, ptr %2, align 8
  %8 = getelementptr inbounds %struct.odd, ptr %7, i32 0, i32 2
  %9 = getelementptr inbounds %struct.point, ptr %8, i32 0, i32 2
  %10 = load i32, ptr %9, align 1
  %11 = sext i32 %10 to i64
  %12 = add nsw i64 %6, %11
  %13 = load ptr, ptr %2, align 8
  %14 = getelementptr inbounds %struct.odd, ptr %13, i32 0, i32 1
  %15 = getelementptr inbounds [3 x i64], ptr %14, i64 0, i64 1
  %16 = load i64, ptr %15, align 1
  %17 = add nsw i64 %12, %16
  ret i64 %17
}

; Function Attrs: noinline nounwind uwtable
define dso_local ptr @before(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds %struct.line, ptr %3, i64 2
  %5 = getelementptr inbounds %struct.line, ptr %4, i64 -2
  ret ptr %5
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %2 = call i32 @member(ptr noundef @first)
  %3 = icmp ne i32 %2, 25
  br i1 %3, label %10, label %4

4:                                                ; preds = %0
  %5 = call i64 @last(ptr noundef @odd)
  %6 = icmp ne i64 %5, 14
  br i1 %6, label %10, label %7

7:                                                ; preds = %4
  %8 = call ptr @before(ptr noundef @first)
  %9 = icmp ne ptr %8, @first
  br label %10

10:                                               ; preds = %7, %4, %0
  %11 = phi i1 [ true, %4 ], [ true, %0 ], [ %9, %7 ]
  %12 = zext i1 %11 to i32
  ret i32 %12
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
