rockspec_format = "3.0"
package = "phial-lint"
version = "1.0.0rc1-1"

source = {
  url = "file://phial-1.0.0-rc1.tar.gz",
  dir = "phial-1.0.0-rc1/lint",
}

description = {
  summary = "Finds what is wrong in Lua files, by data flow: a linter and a language server",
  detailed = [[
Unused variables and values, uses of nil with the path that leads there, unreachable code, conditions
that are always true or false, and what comes from outside and is run. Reports have the codes of
luacheck, and follow its comments and .luacheckrc.]],
  license = "MIT",
  labels = { "linter", "lsp" },
}

dependencies = {
  "lua >= 5.4, < 5.6",
  "phial == 1.0.0rc1-1",
  "luacheck >= 1.1",
  "dkjson >= 2.5",
  "luafilesystem >= 1.8",
}

build = {
  type = "builtin",
  modules = {
    ["phial_lint"] = "phial_lint/init.lua",
    ["phial_lint.beliefs"] = "phial_lint/beliefs.lua",
    ["phial_lint.calls"] = "phial_lint/calls.lua",
    ["phial_lint.checks.calls"] = "phial_lint/checks/calls.lua",
    ["phial_lint.checks.conditions"] = "phial_lint/checks/conditions.lua",
    ["phial_lint.checks.loops"] = "phial_lint/checks/loops.lua",
    ["phial_lint.checks.nils"] = "phial_lint/checks/nils.lua",
    ["phial_lint.checks.statements"] = "phial_lint/checks/statements.lua",
    ["phial_lint.checks.taint"] = "phial_lint/checks/taint.lua",
    ["phial_lint.checks.uninitialized"] = "phial_lint/checks/uninitialized.lua",
    ["phial_lint.checks.unreachable"] = "phial_lint/checks/unreachable.lua",
    ["phial_lint.checks.unused"] = "phial_lint/checks/unused.lua",
    ["phial_lint.checks.values"] = "phial_lint/checks/values.lua",
    ["phial_lint.command"] = "phial_lint/command.lua",
    ["phial_lint.document"] = "phial_lint/document.lua",
    ["phial_lint.evidence"] = "phial_lint/evidence.lua",
    ["phial_lint.facts"] = "phial_lint/facts.lua",
    ["phial_lint.fields"] = "phial_lint/fields.lua",
    ["phial_lint.formats"] = "phial_lint/formats.lua",
    ["phial_lint.kinds"] = "phial_lint/kinds.lua",
    ["phial_lint.messages"] = "phial_lint/messages.lua",
    ["phial_lint.modules"] = "phial_lint/modules.lua",
    ["phial_lint.names"] = "phial_lint/names.lua",
    ["phial_lint.parts"] = "phial_lint/parts.lua",
    ["phial_lint.paths"] = "phial_lint/paths.lua",
    ["phial_lint.predicates"] = "phial_lint/predicates.lua",
    ["phial_lint.reports"] = "phial_lint/reports.lua",
    ["phial_lint.returns"] = "phial_lint/returns.lua",
    ["phial_lint.server"] = "phial_lint/server.lua",
    ["phial_lint.settings"] = "phial_lint/settings.lua",
    ["phial_lint.stdlib"] = "phial_lint/stdlib.lua",
    ["phial_lint.texts"] = "phial_lint/texts.lua",
    ["phial_lint.tree"] = "phial_lint/tree.lua",
  },
  install = {
    bin = { ["phial-lint"] = "bin/phial-lint", ["phial-lsp"] = "bin/phial-lsp" },
    conf = { "LICENSE", "README.md" },
  },
}
