// repair16.cpp: SSA reconstruction by ph_repair_rewrite and by LLVM's SSAUpdaterBulk,
// on the same functions with the same edits.
//
// The functions of a trace are constructed by phial and translated to LLVM IR, phis
// included.  The edits: each value that another block uses gets one to three further
// definitions, at the starts of blocks that a hash chooses.  Timed are the repairs
// alone, including the calls that describe them: uses and LLVM's dominator tree exist
// before.  LLVM repairs all values of a function at once.
//
// usage: repair16 FILE.sst [repeats]
#include "../tools/measure.h"
#include "../tools/trace.h"

#include "phial.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/SSAUpdaterBulk.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace llvm;

namespace {

enum { USE, BR, SW, OPS };

ph_opspec ops[OPS];
ph_dialect dialect;

void define_dialect() {
  ops[USE].name = "use";
  ops[BR].name = "br";
  ops[SW].name = "sw";
  for (ph_opspec &op : ops) op.nargs = 1;
  ops[BR].ntargets = 2;
  ops[SW].ntargets = PH_VARIADIC;
  ops[BR].flags = ops[SW].flags = PH_TERMINATOR;
  dialect.name = "trace";
  dialect.ops = ops;
  dialect.nops = OPS;
}

// Constructs a function of a trace; values are i64.
class Construction {
public:
  Construction(const trace &t, const ph_mem *mem) : t(t), mem(mem) {}

  ph_func *make(const trace_func &tf) {
    const ph_str unnamed = {"", 0};
    f = ph_func_new(mem, unnamed, PH_I64, nullptr);
    op = ph_op_attachdialect(f, &dialect);
    opaque = ph_value_newparam(f, unnamed, PH_I64);
    blocks.assign(1, ph_block_entry(f));
    while (blocks.size() < tf.nblocks)
      blocks.push_back(ph_block_new(f, unnamed, -1));
    vars.clear();
    while (vars.size() < tf.nvars)
      vars.push_back(ph_var_new(f, unnamed, PH_I64));
    events(t.code + tf.start);
    ph_finish_run(f);
    return f;
  }

private:
  const trace &t;
  const ph_mem *mem;
  ph_func *f = nullptr;
  ph_op op = 0;
  ph_value opaque{}, latest{}, before{};
  ph_block block{};
  std::vector<ph_block> blocks, targets;
  std::vector<ph_var> vars;

  void push(ph_value v) {
    before = latest;
    latest = v;
  }

  void write(ph_var var) {
    const ph_value args[] = {before, latest};
    push(ph_build_emit(f, block, PH_ADD, PH_I64, args, 2));
    ph_build_write(f, var, block, latest);
  }

  void fill(int which, const int32_t *to, uint32_t n) {
    targets.clear();
    for (uint32_t i = 0; i < n; i++) targets.push_back(blocks[to[i]]);
    ph_build_fill(f, block, ph_op(op + which), &latest, 1, targets.data(), n);
  }

  void event(const int32_t *c) {
    switch (*c) {
      case TRACE_BLOCK:
        block = blocks[c[1]];
        latest = before = opaque;
        break;
      case TRACE_READ:
        push(ph_build_read(f, vars[c[1]], block));
        break;
      case TRACE_WRITE:
        write(vars[c[1]]);
        break;
      case TRACE_MOVE:
        if (ph_same(latest, opaque))
          write(vars[c[1]]);
        else
          ph_build_write(f, vars[c[1]], block, latest);
        break;
      case TRACE_USE:
        ph_build_emit(f, block, ph_op(op + USE), PH_NOTYPE, &latest, 1);
        break;
      case TRACE_JUMP:
        ph_build_jump(f, block, blocks[c[1]]);
        break;
      case TRACE_COND:
        fill(BR, c + 1, 2);
        break;
      case TRACE_SWITCH:
        fill(SW, c + 2, uint32_t(c[1]));
        break;
      case TRACE_RET:
        ph_build_ret(f, block, latest);
        break;
      case TRACE_SEAL:
        if (c[1] != 0) ph_build_seal(f, blocks[c[1]]);
        break;
      default:
        break;
    }
  }

  void events(const int32_t *c) {
    for (; *c != TRACE_END; c += trace_width(c)) event(c);
  }
};

template <class T>
std::vector<ph_value> values_of(ph_func *f, ph_block b, T next) {
  std::vector<ph_value> list;
  for (ph_value v = next(f, b, ph_value{0}); ph_some(v); v = next(f, b, v))
    list.push_back(v);
  return list;
}

std::vector<ph_block> blocks_of(ph_func *f) {
  std::vector<ph_block> list;
  for (ph_block b = ph_block_next(f, ph_block{0}); ph_some(b);
       b = ph_block_next(f, b))
    list.push_back(b);
  return list;
}

// A value that is repaired, and its further definitions: constants at blocks.
struct Edit {
  ph_value value;
  std::vector<ph_block> at;
};

uint32_t hash(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// The block in which a use happens: for phis the predecessor.
ph_block block_of_use(ph_func *f, uint32_t use) {
  ph_value user = ph_uses_user(f, use);
  ph_block b = ph_value_block(f, user);
  uint32_t edge;
  if (ph_value_op(f, user) != PH_PHI) return b;
  edge = ph_block_firstpred(f, b);
  for (uint32_t i = ph_uses_index(f, use); i > 0; i--)
    edge = ph_block_nextpred(f, edge);
  return ph_block_edgefrom(f, edge);
}

bool is_used_elsewhere(ph_func *f, ph_value v) {
  for (uint32_t u = ph_uses_first(f, v); u != 0; u = ph_uses_next(f, v, u))
    if (!ph_same(block_of_use(f, u), ph_value_block(f, v))) return true;
  return false;
}

std::vector<Edit> choose_edits(ph_func *f) {
  std::vector<ph_block> blocks = blocks_of(f);
  std::vector<Edit> edits;
  uint32_t k = 1;
  for (ph_block b : blocks)
    for (ph_value v : values_of(f, b, ph_block_nextinst)) {
      Edit e{v, {}};
      if (ph_value_type(f, v) != PH_I64 || !is_used_elsewhere(f, v)) continue;
      for (uint32_t i = hash(k) % 3 + 1; i > 0; i--) {
        ph_block at = blocks[hash(k++) % blocks.size()];
        if (!ph_same(at, b) &&
            std::none_of(e.at.begin(), e.at.end(),
                         [&](ph_block x) { return ph_same(x, at); }))
          e.at.push_back(at);
      }
      if (!e.at.empty()) edits.push_back(e);
    }
  return edits;
}

// A translation of a function to LLVM IR.
class Translation {
public:
  Translation(ph_func *f, Module &module, FunctionCallee use)
      : f(f), context(module.getContext()), type(Type::getInt64Ty(context)),
        use(use), values(ph_value_count(f) + 1), blocks(ph_block_count(f) + 1) {
    function = Function::Create(FunctionType::get(type, {type}, false),
                                GlobalValue::ExternalLinkage, "f", &module);
    values[ph_value_param(f, 0).id] = function->getArg(0);
    for (ph_block b : blocks_of(f))
      blocks[b.id] = BasicBlock::Create(context, "", function);
    for (ph_block b : blocks_of(f)) make_phis(b);
    fill_all();
    for (ph_block b : blocks_of(f)) give_operands(b);
  }

  Function *function;
  Value *value(ph_value v) { return values[ph_value_resolve(f, v).id]; }
  BasicBlock *block(ph_block b) { return blocks[b.id]; }

private:
  ph_func *f;
  LLVMContext &context;
  Type *type;
  FunctionCallee use;
  std::vector<Value *> values;
  std::vector<BasicBlock *> blocks;

  void make_phis(ph_block b) {
    for (ph_value v : values_of(f, b, ph_block_nextphi))
      values[v.id] =
          PHINode::Create(type, ph_value_nargs(f, v), "", blocks[b.id]);
  }

  void fill_all() {
    const ph_rpo *order = ph_rpo_new(f);
    for (uint32_t i = 0; i < ph_rpo_count(order); i++)
      fill(ph_rpo_at(order, i));
    ph_func_freeanalyses(f);
  }

  Value *operand(ph_value v) {
    Value *&it = values[v.id];
    if (it == nullptr) it = UndefValue::get(type);
    return it;
  }

  void fill(ph_block b) {
    IRBuilder<NoFolder> builder(blocks[b.id]);
    for (ph_value v : values_of(f, b, ph_block_nextinst)) {
      Value *arg =
          ph_value_nargs(f, v) > 0 ? operand(ph_value_arg(f, v, 0)) : nullptr;
      if (ph_value_op(f, v) == PH_ADD)
        values[v.id] = builder.CreateAdd(arg, operand(ph_value_arg(f, v, 1)));
      else if (ph_value_op(f, v) == PH_RET)
        builder.CreateRet(arg);
      else if (ph_value_op(f, v) == PH_JUMP)
        builder.CreateBr(blocks[ph_block_succ(f, b, 0).id]);
      else if (ph_block_nsuccs(f, b) == 0 ||
               !ph_same(v, ph_block_terminator(f, b)))
        builder.CreateCall(use, {arg});
      else
        end(builder, b, arg);
    }
  }

  void end(IRBuilder<NoFolder> &builder, ph_block b, Value *arg) {
    uint32_t n = ph_block_nsuccs(f, b);
    SwitchInst *s =
        builder.CreateSwitch(arg, blocks[ph_block_succ(f, b, 0).id], n - 1);
    for (uint32_t i = 1; i < n; i++)
      s->addCase(cast<ConstantInt>(ConstantInt::get(type, i)),
                 blocks[ph_block_succ(f, b, i).id]);
  }

  void give_operands(ph_block b) {
    for (ph_value v : values_of(f, b, ph_block_nextphi)) {
      uint32_t i = 0;
      for (uint32_t e = ph_block_firstpred(f, b); e != 0;
           e = ph_block_nextpred(f, e))
        cast<PHINode>(values[v.id])
            ->addIncoming(operand(ph_value_arg(f, v, i++)),
                          blocks[ph_block_edgefrom(f, e).id]);
    }
  }
};

struct Result {
  double time = 0, tree = 0;
  size_t phis = 0, unused = 0;
};

// The constants that a value is at its further definitions.
int64_t constant(size_t edit, size_t i) { return int64_t(4 * edit + i + 1); }

void repair_by_phial(ph_func *f, const std::vector<Edit> &edits, Result &r) {
  std::vector<ph_definition> defs;
  double start = measure_time();
  for (size_t k = 0; k < edits.size(); k++) {
    defs.clear();
    for (size_t i = 0; i < edits[k].at.size(); i++)
      defs.push_back(
          {edits[k].at[i], {0}, ph_const_int(f, PH_I64, constant(k, i))});
    r.phis += ph_repair_rewrite(f, &edits[k].value, 1, defs.data(),
                                uint32_t(defs.size()))
                  .phis;
  }
  r.time += measure_time() - start;
}

// Uses in the block of the value come before or after all other definitions: they
// stay.
void add_uses(SSAUpdaterBulk &bulk, unsigned var, Instruction *v) {
  for (Use &u : v->uses()) {
    auto *user = cast<Instruction>(u.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *b = phi ? phi->getIncomingBlock(u) : user->getParent();
    if (b != v->getParent()) bulk.AddUse(var, &u);
  }
}

void repair_by_llvm(Translation &t, const std::vector<Edit> &edits, Result &r) {
  SmallVector<PHINode *, 64> phis;
  Type *type = Type::getInt64Ty(t.function->getContext());
  double start = measure_time();
  DominatorTree tree(*t.function);
  double made = measure_time();
  SSAUpdaterBulk bulk;
  for (size_t k = 0; k < edits.size(); k++) {
    auto *v = cast<Instruction>(t.value(edits[k].value));
    unsigned var = bulk.AddVariable("", type);
    bulk.AddAvailableValue(var, v->getParent(), v);
    for (size_t i = 0; i < edits[k].at.size(); i++)
      bulk.AddAvailableValue(var, t.block(edits[k].at[i]),
                             ConstantInt::get(type, uint64_t(constant(k, i))));
    add_uses(bulk, var, v);
  }
  bulk.RewriteAllUses(&tree, &phis);
  r.time += measure_time() - made;
  r.tree += made - start;
  r.phis += phis.size();
  for (PHINode *phi : phis) r.unused += phi->use_empty();
}

void complain(void *, ph_str problem) {
  std::fprintf(stderr, "%.*s\n", int(problem.n), problem.at);
  std::exit(1);
}

// Repairs all functions of a trace by both; `check`: verifies them.
size_t pass(const trace &t, bool check, Result &ours, Result &theirs) {
  ph_pool *pool = ph_pool_new(&ph_mem_libc, SIZE_MAX);
  Construction construction(t, ph_pool_mem(pool));
  size_t count = 0;
  for (size_t i = 0; i < t.nfuncs; i++) {
    LLVMContext context;
    Module module("trace", context);
    FunctionCallee use = module.getOrInsertFunction(
        "use", FunctionType::get(Type::getVoidTy(context),
                                 {Type::getInt64Ty(context)}, false));
    ph_func *f = construction.make(t.funcs[i]);
    std::vector<Edit> edits = choose_edits(f);
    Translation translation(f, module, use);
    count += edits.size();
    repair_by_llvm(translation, edits, theirs);
    repair_by_phial(f, edits, ours);
    if (check) {
      ph_redundant_phi_remove(f);
      ph_verify_func(f, complain, nullptr);
      if (verifyFunction(*translation.function, &errs())) std::exit(1);
    }
    ph_func_free(f);
  }
  ph_pool_free(pool);
  return count;
}

} // namespace

int main(int argc, char **argv) {
  int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
  if (argc < 2 || repeats < 1) {
    std::fputs("usage: repair16 FILE.sst [repeats]\n", stderr);
    return 2;
  }
  define_dialect();
  trace t = trace_load(argv[1], NULL);
  std::vector<double> ours, theirs, trees;
  size_t count = 0;
  Result a, b;
  pass(t, true, a, b);
  for (int k = 0; k < repeats; k++) {
    a = b = Result();
    count = pass(t, false, a, b);
    ours.push_back(a.time);
    theirs.push_back(b.time);
    trees.push_back(b.tree);
  }
  std::printf("{\"edits\":%zu,\"phial_ns_per_edit\":%.1f,\"phial_phis\":%zu,"
              "\"llvm_ns_per_edit\":%.1f,\"llvm_tree_ns_per_edit\":%.1f,"
              "\"llvm_phis\":%zu,\"llvm_unused_phis\":%zu}\n",
              count, measure_best(ours.data(), repeats) / double(count), a.phis,
              measure_best(theirs.data(), repeats) / double(count),
              measure_best(trees.data(), repeats) / double(count), b.phis,
              b.unused);
  trace_free(&t);
  return 0;
}
