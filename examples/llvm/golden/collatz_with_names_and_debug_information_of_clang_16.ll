; ModuleID = 'collatz.c'
source_filename = "collatz.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @collatz(i32 noundef %n) #0 !dbg !10 {
entry:
  %n.addr = alloca i32, align 4
  %steps = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
  call void @llvm.dbg.declare(metadata ptr %n.addr, metadata !16, metadata !DIExpression()), !dbg !17
  call void @llvm.dbg.declare(metadata ptr %steps, metadata !18, metadata !DIExpression()), !dbg !19
  store i32 0, ptr %steps, align 4, !dbg !19
  br label %while.cond, !dbg !20

while.cond:                                       ; preds = %cond.end, %entry
  %0 = load i32, ptr %n.addr, align 4, !dbg !21
  %cmp = icmp ne i32 %0, 1, !dbg !22
  br i1 %cmp, label %while.body, label %while.end, !dbg !20

while.body:                                       ; preds = %while.cond
  %1 = load i32, ptr %n.addr, align 4, !dbg !23
  %rem = urem i32 %1, 2, !dbg !25
  %tobool = icmp ne i32 %rem, 0, !dbg !25
  br i1 %tobool, label %cond.true, label %cond.false, !dbg !23

cond.true:                                        ; preds = %while.body
  %2 = load i32, ptr %n.addr, align 4, !dbg !26
  %mul = mul i32 3, %2, !dbg !27
  %add = add i32 %mul, 1, !dbg !28
  br label %cond.end, !dbg !23

cond.false:                                       ; preds = %while.body
  %3 = load i32, ptr %n.addr, align 4, !dbg !29
  %div = udiv i32 %3, 2, !dbg !30
  br label %cond.end, !dbg !23

cond.end:                                         ; preds = %cond.false, %cond.true
  %cond = phi i32 [ %add, %cond.true ], [ %div, %cond.false ], !dbg !23
  store i32 %cond, ptr %n.addr, align 4, !dbg !31
  %4 = load i32, ptr %steps, align 4, !dbg !32
  %inc = add nsw i32 %4, 1, !dbg !32
  store i32 %inc, ptr %steps, align 4, !dbg !32
  br label %while.cond, !dbg !20, !llvm.loop !33

while.end:                                        ; preds = %while.cond
  %5 = load i32, ptr %steps, align 4, !dbg !36
  ret i32 %5, !dbg !37
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main() #0 !dbg !38 {
entry:
  %retval = alloca i32, align 4
  store i32 0, ptr %retval, align 4
  %call = call i32 @collatz(i32 noundef 27), !dbg !41
  %cmp = icmp eq i32 %call, 111, !dbg !42
  %0 = zext i1 %cmp to i64, !dbg !41
  %cond = select i1 %cmp, i32 0, i32 1, !dbg !41
  ret i32 %cond, !dbg !43
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Debian clang version 16.0.6 (15~deb12u1)", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "collatz.c", directory: "/", checksumkind: CSK_MD5, checksum: "4c9cc33e0f7e0e214041700fd77f21a4")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{i32 7, !"frame-pointer", i32 2}
!9 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!10 = distinct !DISubprogram(name: "collatz", scope: !1, file: !1, line: 1, type: !11, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !15)
!11 = !DISubroutineType(types: !12)
!12 = !{!13, !14}
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!15 = !{}
!16 = !DILocalVariable(name: "n", arg: 1, scope: !10, file: !1, line: 1, type: !14)
!17 = !DILocation(line: 1, column: 22, scope: !10)
!18 = !DILocalVariable(name: "steps", scope: !10, file: !1, line: 1, type: !13)
!19 = !DILocation(line: 1, column: 31, scope: !10)
!20 = !DILocation(line: 1, column: 42, scope: !10)
!21 = !DILocation(line: 1, column: 49, scope: !10)
!22 = !DILocation(line: 1, column: 51, scope: !10)
!23 = !DILocation(line: 1, column: 63, scope: !24)
!24 = distinct !DILexicalBlock(scope: !10, file: !1, line: 1, column: 57)
!25 = !DILocation(line: 1, column: 65, scope: !24)
!26 = !DILocation(line: 1, column: 75, scope: !24)
!27 = !DILocation(line: 1, column: 73, scope: !24)
!28 = !DILocation(line: 1, column: 77, scope: !24)
!29 = !DILocation(line: 1, column: 83, scope: !24)
!30 = !DILocation(line: 1, column: 85, scope: !24)
!31 = !DILocation(line: 1, column: 61, scope: !24)
!32 = !DILocation(line: 1, column: 95, scope: !24)
!33 = distinct !{!33, !20, !34, !35}
!34 = !DILocation(line: 1, column: 99, scope: !10)
!35 = !{!"llvm.loop.mustprogress"}
!36 = !DILocation(line: 1, column: 108, scope: !10)
!37 = !DILocation(line: 1, column: 101, scope: !10)
!38 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 2, type: !39, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !15)
!39 = !DISubroutineType(types: !40)
!40 = !{!13}
!41 = !DILocation(line: 2, column: 25, scope: !38)
!42 = !DILocation(line: 2, column: 37, scope: !38)
!43 = !DILocation(line: 2, column: 18, scope: !38)
