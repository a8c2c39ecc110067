// llvm14.cpp: replays a trace as a frontend of LLVM does: an alloca for each
// variable, loads and stores, then PromoteMemToReg (mem2reg).  IRBuilder folds
// nothing.  Building, the dominator tree, promoting and erasing are timed.
//
// usage: llvm14 FILE.sst [repeats] [--bare]
// --bare makes blocks and instructions only: no allocas, loads and stores.
#include "../tools/measure.h"
#include "../tools/trace.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace llvm;

namespace {

class Replay {
public:
  explicit Replay(const trace &t)
      : t(t), module("trace", context), type(Type::getInt32Ty(context)),
        ftype(FunctionType::get(type, {type, type}, false)),
        use(module.getOrInsertFunction(
            "use",
            FunctionType::get(Type::getVoidTy(context), {type}, false))) {}

  // Constructs and erases every function; returns the phis left in all.
  size_t pass() {
    size_t phis = 0;
    for (size_t i = 0; i < t.nfuncs; i++) {
      Function *f = construct(t.funcs[i]);
      phis += count_phis(*f);
      f->eraseFromParent();
    }
    return phis;
  }

private:
  const trace &t;
  LLVMContext context;
  Module module;
  Type *type;
  FunctionType *ftype;
  FunctionCallee use;
  std::vector<BasicBlock *> blocks;
  std::vector<AllocaInst *> vars;
  Value *opaque = nullptr, *latest = nullptr, *before = nullptr;

  static size_t count_phis(Function &f) {
    size_t n = 0;
    for (BasicBlock &b : f)
      for (auto i = b.begin(); isa<PHINode>(*i); ++i) n++;
    return n;
  }

  void push(Value *v) {
    before = latest;
    latest = v;
  }

  Function *construct(const trace_func &tf) {
    Function *f =
        Function::Create(ftype, GlobalValue::ExternalLinkage, "f", &module);
    opaque = f->getArg(0);
    blocks.resize(tf.nblocks);
    vars.resize(tf.nvars);
    for (BasicBlock *&b : blocks) b = BasicBlock::Create(context, "", f);
    IRBuilder<NoFolder> builder(blocks[0]);
    for (AllocaInst *&v : vars) v = builder.CreateAlloca(type);
    events(builder, t.code + tf.start);
    if (vars.empty()) return f;
    DominatorTree tree(*f);
    PromoteMemToReg(vars, tree);
    return f;
  }

  void emit(IRBuilder<NoFolder> &builder) {
    push(builder.CreateAdd(before, latest));
  }

  void write(IRBuilder<NoFolder> &builder, AllocaInst *var) {
    emit(builder);
    builder.CreateStore(latest, var);
  }

  void switch_on(IRBuilder<NoFolder> &builder, const int32_t *c) {
    unsigned n = unsigned(c[1]);
    SwitchInst *s = builder.CreateSwitch(latest, blocks[c[2]], n - 1);
    for (unsigned i = 1; i < n; i++)
      s->addCase(cast<ConstantInt>(ConstantInt::get(type, i)),
                 blocks[c[2 + i]]);
  }

  void events(IRBuilder<NoFolder> &builder, const int32_t *c) {
    for (;; c += trace_width(c)) {
      switch (*c) {
        case TRACE_BLOCK:
          builder.SetInsertPoint(blocks[c[1]]);
          latest = before = opaque;
          break;
        case TRACE_READ:
          push(builder.CreateLoad(type, vars[c[1]]));
          break;
        case TRACE_WRITE:
          write(builder, vars[c[1]]);
          break;
        case TRACE_MOVE:
          if (latest == opaque)
            write(builder, vars[c[1]]);
          else
            builder.CreateStore(latest, vars[c[1]]);
          break;
        case TRACE_EMIT:
          emit(builder);
          break;
        case TRACE_USE:
          builder.CreateCall(use, {latest});
          break;
        case TRACE_JUMP:
          builder.CreateBr(blocks[c[1]]);
          break;
        case TRACE_COND:
          builder.CreateCondBr(
              builder.CreateICmpNE(latest, ConstantInt::get(type, 0)),
              blocks[c[1]], blocks[c[2]]);
          break;
        case TRACE_SWITCH:
          switch_on(builder, c);
          break;
        case TRACE_RET:
          builder.CreateRet(latest);
          break;
        case TRACE_END:
          return;
        default:
          break;
      }
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  int repeats = argc > 2 ? std::atoi(argv[2]) : 3;
  if (argc < 2 || repeats < 1) {
    std::fputs("usage: llvm14 FILE.sst [repeats] [--bare]\n", stderr);
    return 2;
  }
  trace t = trace_load(argv[1], NULL);
  if (argc > 3 && std::strcmp(argv[3], "--bare") == 0) trace_bare(&t);
  long base = measure_base();
  size_t phis = 0;
  std::vector<double> times;
  {
    Replay replay(t);
    for (int k = 0; k < repeats; k++) {
      double start = measure_time();
      phis = replay.pass();
      times.push_back((measure_time() - start) / double(t.events));
    }
  }
  std::printf("{\"system\":\"LLVM 14\",\"events\":%zu,\"ns_per_event\":%.2f,"
              "\"ns_per_event_median\":%.2f,\"phis\":%zu,"
              "\"peak_rss_kb\":%ld,\"trace_rss_kb\":%ld}\n",
              t.events, measure_best(times.data(), repeats),
              measure_median(times.data(), repeats), phis, measure_peak(), base);
  trace_free(&t);
  return 0;
}
