; ModuleID = 'addresses.c'
source_filename = "addresses.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @kept(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32*, align 8
  %5 = alloca i32**, align 8
  store i32 %0, i32* %2, align 4
  %6 = load i32, i32* %2, align 4
  store i32 %6, i32* %3, align 4
  store i32* %3, i32** %4, align 8
  store i32** %4, i32*** %5, align 8
  %7 = load i32**, i32*** %5, align 8
  %8 = load i32*, i32** %7, align 8
  %9 = load i32, i32* %8, align 4
  %10 = add nsw i32 %9, 1
  store i32 %10, i32* %8, align 4
  %11 = load i32, i32* %3, align 4
  ret i32 %11
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @escapes(i32 noundef %0, i32* noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32*, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  store i32* %1, i32** %4, align 8
  %7 = load i32, i32* %3, align 4
  store i32 %7, i32* %5, align 4
  %8 = load i32, i32* %5, align 4
  %9 = load i32*, i32** %4, align 8
  store i32 %8, i32* %9, align 4
  %10 = load i32, i32* %5, align 4
  store volatile i32 %10, i32* %6, align 4
  %11 = load volatile i32, i32* %6, align 4
  ret i32 %11
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @undefined(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, i32* %3, align 4
  store i32 %1, i32* %4, align 4
  %6 = load i32, i32* %3, align 4
  %7 = icmp ne i32 %6, 0
  br i1 %7, label %8, label %10

8:                                                ; preds = %2
  %9 = load i32, i32* %4, align 4
  store i32 %9, i32* %5, align 4
  br label %10

10:                                               ; preds = %8, %2
  %11 = load i32, i32* %5, align 4
  ret i32 %11
}

; Function Attrs: noinline nounwind uwtable
define dso_local double @wide(i64 noundef %0, i64 noundef %1, x86_fp80 noundef %2, <2 x float> noundef %3) #1 {
  %5 = alloca i128, align 16
  %6 = alloca { float, float }, align 4
  %7 = alloca i128, align 16
  %8 = alloca x86_fp80, align 16
  %9 = alloca i128, align 16
  %10 = bitcast i128* %5 to { i64, i64 }*
  %11 = getelementptr inbounds { i64, i64 }, { i64, i64 }* %10, i32 0, i32 0
  store i64 %0, i64* %11, align 16
  %12 = getelementptr inbounds { i64, i64 }, { i64, i64 }* %10, i32 0, i32 1
  store i64 %1, i64* %12, align 8
  %13 = load i128, i128* %5, align 16
  %14 = bitcast { float, float }* %6 to <2 x float>*
  store <2 x float> %3, <2 x float>* %14, align 4
  store i128 %13, i128* %7, align 16
  store x86_fp80 %2, x86_fp80* %8, align 16
  %15 = load i128, i128* %7, align 16
  store i128 %15, i128* %9, align 16
  %16 = load x86_fp80, x86_fp80* %8, align 16
  %17 = fcmp ogt x86_fp80 %16, 0xK3FFF8000000000000000
  br i1 %17, label %18, label %21

18:                                               ; preds = %4
  %19 = load i128, i128* %9, align 16
  %20 = add nsw i128 %19, 1
  store i128 %20, i128* %9, align 16
  br label %21

21:                                               ; preds = %18, %4
  %22 = load i128, i128* %9, align 16
  %23 = trunc i128 %22 to i64
  %24 = sitofp i64 %23 to double
  %25 = load x86_fp80, x86_fp80* %8, align 16
  %26 = fptrunc x86_fp80 %25 to double
  %27 = fadd double %24, %26
  %28 = getelementptr inbounds { float, float }, { float, float }* %6, i32 0, i32 0
  %29 = load float, float* %28, align 4
  %30 = fpext float %29 to double
  %31 = fadd double %27, %30
  ret double %31
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #1 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i128, align 16
  %4 = alloca { float, float }, align 4
  store i32 0, i32* %1, align 4
  store i32 0, i32* %2, align 4
  %5 = call i32 @escapes(i32 noundef 4, i32* noundef %2)
  %6 = call i32 @kept(i32 noundef 1)
  %7 = icmp eq i32 %6, 2
  br i1 %7, label %8, label %26

8:                                                ; preds = %0
  %9 = load i32, i32* %2, align 4
  %10 = icmp eq i32 %9, 4
  br i1 %10, label %11, label %26

11:                                               ; preds = %8
  %12 = call i32 @undefined(i32 noundef 1, i32 noundef 3)
  %13 = icmp eq i32 %12, 3
  br i1 %13, label %14, label %26

14:                                               ; preds = %11
  store i128 3, i128* %3, align 16
  %15 = bitcast i128* %3 to { i64, i64 }*
  %16 = getelementptr inbounds { i64, i64 }, { i64, i64 }* %15, i32 0, i32 0
  %17 = load i64, i64* %16, align 16
  %18 = getelementptr inbounds { i64, i64 }, { i64, i64 }* %15, i32 0, i32 1
  %19 = load i64, i64* %18, align 8
  %20 = getelementptr inbounds { float, float }, { float, float }* %4, i32 0, i32 0
  %21 = getelementptr inbounds { float, float }, { float, float }* %4, i32 0, i32 1
  store float 1.000000e+00, float* %20, align 4
  store float 0.000000e+00, float* %21, align 4
  %22 = bitcast { float, float }* %4 to <2 x float>*
  %23 = load <2 x float>, <2 x float>* %22, align 4
  %24 = call double @wide(i64 noundef %17, i64 noundef %19, x86_fp80 noundef 0xK40008000000000000000, <2 x float> noundef %23)
  %25 = fcmp oeq double %24, 7.000000e+00
  br label %26

26:                                               ; preds = %14, %11, %8, %0
  %27 = phi i1 [ false, %11 ], [ false, %8 ], [ false, %0 ], [ %25, %14 ]
  %28 = zext i1 %27 to i64
  %29 = select i1 %27, i32 0, i32 1
  ret i32 %29
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 1}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 14.0.6"}
