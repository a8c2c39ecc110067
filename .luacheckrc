std = "lua54"
max_line_length = 100
exclude_files = { "build", "lua_modules", "**/golden" }

files["**/spec"].std = "+busted"
files["lint/spec/server.lua"].globals = { "vim" } -- run by Neovim
-- A message stands in one line, as it is raised.
files["spec/binding/refusals"].max_line_length = false
files["spec/memory/run_spec.lua"].max_line_length = false
files["examples/react/spec/bad_input_spec.lua"].max_line_length = false
files["spec/build/refusals_spec.lua"].max_line_length = false
files["spec/rules/language_errors_spec.lua"].max_line_length = false
files["spec/rulecheck/lint_spec.lua"].max_line_length = false
files["**/*.rockspec"].std = "rockspec"
-- types/ only declares: no parameter is used, an annotation is one line.
files["types"].ignore = { "212" }
files["types"].max_comment_line_length = false
