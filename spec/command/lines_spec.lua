-- Command lines of phial: what they write, and their exit status, as spec/golden/command/lines
-- has it. {NAME} is that file of spec/golden/command/inputs.
local command = require("spec.support.command") "bin/phial"
local golden = require "spec.support.golden"

local INPUTS <const> = "spec/golden/command/inputs/"

local LINES <const> = {
  { "rules_best", "rules --best 'x + y'" },
  { "rules_help", "rules --help" },
  { "rules_none", "rules" },
  { "check", "check {mixed.rules}" },
  { "check_choice", "check --div zero {add0.rules}" },
  { "check_empty_file", "check {empty}" },
  { "check_mistake", "check {mistake.rules}" },
  { "check_number", "check --cases many {add0.rules}" },
  { "check_number_out_of_range", "check --width 99 {add0.rules}" },
  { "check_script", "check {script.lua}" },
  { "check_strict", "check --strict --quiet {mixed.rules}" },
  { "check_suspicious", "check {suspicious.rules}" },
  { "check_trace", "check {sum.trace}" },
  { "closed_standard_input", "show - <&-" },
  { "emit_blockargs", "emit blockargs {gcd.phial}" },
  { "emit_construction_of_text", "emit --construction scc c {gcd.phial}" },
  { "emit_cps", "emit cps {gcd.phial}" },
  { "emit_detail_of_text", "emit --detail json {gcd.phial}" },
  { "emit_leave_of_text", "emit --leave json {gcd.phial}" },
  { "emit_dot_of_module", "emit dot {module.phial}" },
  { "emit_impossible", "emit c {dialect.phial}" },
  { "emit_invalid", "emit c {invalid.phial}" },
  { "emit_llvm_module", "emit llvm {module.phial}" },
  { "emit_source_of_json", "emit --source json {gcd.phial}" },
  { "emit_trace_mistake_as_html", "emit html {parameter.trace}" },
  { "emit_trace_mistake_as_json", "emit json --function f {letter.trace}" },
  { "emit_trace_mistake_as_text", "emit text {letter.trace}" },
  { "emit_unknown_format", "emit llvn {gcd.phial}" },
  { "emit_which_function", "emit lua {module.phial}" },
  { "emit_without_file", "emit lua" },
  { "explain_empty_file", "explain {empty}" },
  { "explain_function_misspelt", "explain --function sun {sum.trace}" },
  { "explain_script_without_functions", "explain {script.lua}" },
  { "explain_variable", "explain --variable j {two.trace}" },
  { "explain_variable_misspelt", "explain --variable zz {sum.trace}" },
  { "folder", "show spec" },
  { "help", "--help" },
  { "help_of_check", "check --help" },
  { "help_of_emit", "emit --help" },
  { "help_of_explain", "explain --help" },
  { "help_of_reduce", "reduce --help" },
  { "help_of_replay", "replay --help" },
  { "help_of_run", "run --help" },
  { "help_of_show", "show --help" },
  { "hostile_name", "explain {hostile_name.trace}" },
  { "misspelt_subcommand", "shwo {empty}" },
  { "no_such_file", "show no/such" },
  { "option_without_argument", "show {empty} -o" },
  { "reduce_by_no_command", "reduce {empty.trace} -- no-such-command" },
  { "reduce_to_no_folder", "reduce -o /nowhere/x {sum.trace} -- false" },
  { "reduce_what_succeeds", "reduce {sum.trace} -- true" },
  { "reduce_without_command", "reduce {sum.trace}" },
  { "replay", "replay {sum.trace}" },
  { "replay_classical_with_rules", "replay --construction cytron --rules int {sum.trace}" },
  { "replay_cytron", "replay --construction cytron --stats {sum.trace}" },
  { "replay_by_empty_rules", "replay --rules {empty} {sum.trace}" },
  { "replay_mistake", "replay {sealed.trace}" },
  { "replay_rules", "replay --rules int {sum.trace}" },
  { "replay_simple", "replay --construction=simple --stats {sum.trace}" },
  { "replay_text", "replay {gcd.phial}" },
  { "replay_unknown_construction", "replay --construction cytro {sum.trace}" },
  { "run", "run {gcd.phial} -- 48 36" },
  { "run_argument_out_of_range", 'run {arguments.phial} -- "" -1 false inf 256' },
  { "run_arguments", "run {arguments.phial} -- word nil true 1e3 255" },
  { "run_fuel_misfit", "run --fuel x {gcd.phial} -- 48 36" },
  { "run_function_of_module", "run --function g {module.phial}" },
  { "run_invalid", "run {invalid.phial} -- 1" },
  { "run_main", "run {main.phial}" },
  { "run_misfit", "run {gcd.phial} -- 48 3.5" },
  { "run_standard_input", "run - -- 48 -0x24 <{gcd.phial}" },
  { "run_too_few", "run {gcd.phial} -- 48" },
  { "run_trace", "run {main.trace}" },
  { "run_trap", "run {mean.phial} -- 48 0" },
  { "run_unfinished", "run {unfinished.phial}" },
  { "run_unknown_callee", "run {unknown_callee.phial}" },
  { "run_which_function", "run {module.phial}" },
  { "run_without_fuel", "run --fuel 3 {gcd.phial} -- 48 35" },
  { "run_word", "run {gcd.phial} -- 48 x" },
  { "show_dot", "show --dot {gcd.phial}" },
  { "show_empty_file", "show {empty}" },
  { "show_function_misspelt", "show --function=gdc {gcd.phial}" },
  { "show_function_of_module", "show --function f {module.phial}" },
  { "show_invalid", "show --verify {invalid.phial}" },
  { "show_mistake", "show {mistake.phial}" },
  { "show_mistake_behind_umlaut", "show {umlaut.phial}" },
  { "show_module", "show {module.phial}" },
  { "show_quiet", "show --quiet --verify {gcd.phial}" },
  { "show_rules", "show {add0.rules}" },
  { "show_stats", "show --stats {gcd.phial}" },
  { "show_text", "show {gcd.phial}" },
  { "show_trace", "show {sum.trace}" },
  { "show_trace_mistake", "show - <{undeclared.trace}" },
  { "show_trace_stats", "show --stats {sum.trace}" },
  { "show_two_files", "show {empty} {empty}" },
  { "show_two_formats", "show --dot --html {gcd.phial}" },
  { "show_script", "show {script.lua}" },
  { "show_script_from_standard_input", "show - <{script.lua}" },
  { "show_unknown_kind", "show {unknown}" },
  { "show_without_file", "show" },
  { "standard_input_twice", "replay --rules - -" },
  { "unknown_letter", "show -s {return.phial}" },
  { "unknown_option", "show --stat {empty}" },
  { "without_words", "" },
}

local function run(words)
  local out, complaints, status = command((words:gsub("{(.-)}", INPUTS .. "%1")))
  if complaints ~= "" then complaints = "-- standard error\n" .. complaints end
  local told = ("%s%sstatus %d\n"):format(out, complaints, status)
  return (told:gsub(INPUTS, ""))
end

describe("the command line", function()
  for _, line in ipairs(LINES) do
    local name, words = line[1], line[2]
    it(name:gsub("_", " "), function()
      golden.check(("spec/golden/command/lines/%s.out"):format(name), run(words))
    end)
  end
end)
