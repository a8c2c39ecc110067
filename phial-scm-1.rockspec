rockspec_format = "3.0"
package = "phial"
version = "scm-1"

source = {
  url = "git+file://.",
}

description = {
  summary = "Constructs SSA form while a program is being translated",
  detailed = [[
A frontend opens blocks, reads and writes variables, seals blocks and emits
instructions; what comes out is minimal, pruned, verified SSA form, printed as
text or drawn by Graphviz.  The algorithm is that of Braun, Buchwald, Hack, Leißa, Mallon and
Zwinkau (CC 2013); the core is C and needs no Lua.]],
  license = "MIT",
  labels = { "compiler", "ssa", "ir" },
}

dependencies = {
  "lua >= 5.4, < 5.6",
}

test_dependencies = {
  "busted",
}

test = {
  type = "busted",
}

build = {
  type = "builtin",
  modules = {
    ["phial"] = "lua/phial/init.lua",
    ["phial.build"] = "lua/phial/build/init.lua",
    ["phial.build.builder"] = "lua/phial/build/builder.lua",
    ["phial.build.fail"] = "lua/phial/build/fail.lua",
    ["phial.build.flow"] = "lua/phial/build/flow.lua",
    ["phial.build.label"] = "lua/phial/build/label.lua",
    ["phial.build.loop"] = "lua/phial/build/loop.lua",
    ["phial.build.scope"] = "lua/phial/build/scope.lua",
    ["phial.emit"] = "lua/phial/emit/init.lua",
    ["phial.emit.dot"] = "lua/phial/emit/dot.lua",
    ["phial.emit.lua"] = "lua/phial/emit/lua.lua",
    ["phial.emit.lua.calls"] = "lua/phial/emit/lua/calls.lua",
    ["phial.emit.lua.code"] = "lua/phial/emit/lua/code.lua",
    ["phial.emit.lua.flow"] = "lua/phial/emit/lua/flow.lua",
    ["phial.emit.lua.moves"] = "lua/phial/emit/lua/moves.lua",
    ["phial.emit.lua.numbers"] = "lua/phial/emit/lua/numbers.lua",
    ["phial.emit.lua.ops"] = "lua/phial/emit/lua/ops.lua",
    ["phial.emit.lua.place"] = "lua/phial/emit/lua/place.lua",
    ["phial.emit.lua.read"] = "lua/phial/emit/lua/read.lua",
    ["phial.emit.lua.support"] = "lua/phial/emit/lua/support.lua",
    ["phial.emit.text"] = "lua/phial/emit/text.lua",
    ["phial.record"] = "lua/phial/record.lua",
    ["phial.replay"] = "lua/phial/replay.lua",
    ["phial.run"] = "lua/phial/run.lua",
    ["phial.trace.dialects"] = "lua/phial/trace/dialects.lua",
    ["phial.trace.lines"] = "lua/phial/trace/lines.lua",
    ["phial.trace.player"] = "lua/phial/trace/player.lua",
    ["phial.trace.words"] = "lua/phial/trace/words.lua",
    ["phial.trace.words"] = "lua/phial/trace/words.lua",
    ["phial.core"] = {
      sources = {
        "src/core/mem.c",
        "src/core/set.c",
        "src/core/buf.c",
        "src/core/number.c",
        "src/core/func.c",
        "src/core/event.c",
        "src/core/name.c",
        "src/core/place.c",
        "src/core/op.c",
        "src/core/use.c",
        "src/core/ir.c",
        "src/core/const.c",
        "src/core/graph.c",
        "src/core/cfg.c",
        "src/core/scc.c",
        "src/core/dom.c",
        "src/core/live.c",
        "src/core/path.c",
        "src/core/ask.c",
        "src/core/reach.c",
        "src/core/sweep.c",
        "src/core/label.c",
        "src/core/dense.c",
        "src/core/print.c",
        "src/core/lex.c",
        "src/core/declare.c",
        "src/core/link.c",
        "src/core/explain.c",
        "src/core/atom.c",
        "src/core/inst.c",
        "src/core/parse.c",
        "src/core/defs.c",
        "src/core/phi.c",
        "src/core/lookup.c",
        "src/core/build.c",
        "src/core/redundant.c",
        "src/core/minimal.c",
        "src/core/pruned.c",
        "src/core/undefined.c",
        "src/core/problem.c",
        "src/core/lists.c",
        "src/core/verify.c",
        "src/core/finish.c",
        "src/binding/arg.c",
        "src/binding/attach.c",
        "src/binding/block.c",
        "src/binding/data.c",
        "src/binding/dialect.c",
        "src/binding/emit.c",
        "src/binding/ending.c",
        "src/binding/fail.c",
        "src/binding/function.c",
        "src/binding/handle.c",
        "src/binding/handphi.c",
        "src/binding/host.c",
        "src/binding/literal.c",
        "src/binding/log.c",
        "src/binding/maker.c",
        "src/binding/module.c",
        "src/binding/operand.c",
        "src/binding/operator.c",
        "src/binding/query.c",
        "src/binding/switch.c",
        "src/binding/terminator.c",
        "src/binding/text.c",
        "src/binding/value.c",
        "src/binding/variable.c",
      },
      incdirs = { "src" },
    },
  },
  copy_directories = { "types" },
}
