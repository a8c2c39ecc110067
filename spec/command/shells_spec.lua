-- The man page, and the completions, each in its shell.
local shell = require "spec.support.shell"
local quoted = require("bench.lib.corpus").quoted
local under = require "spec.support.under"

-- Words before the cursor, and what the last of them can be.
local CASES <const> = {
  { "phial ", "check emit explain flow reduce replay rules run show" },
  { "phial r", "reduce replay rules run" },
  { "phial show --s", "--source --stats" },
  { "phial show --source --st", "--stats" },
  { "phial check --shift ", "mod undef zero" },
  { "phial replay --construction c", "choi cytron" },
  { "phial replay --construction=c", "choi cytron" },
  { "phial emit --detail c", "c cps" },
  { "phial emit --construction cy", "cytron" },
  { "phial emit --host src/la", "src/layers" },
  { "phial emit c src/la", "src/layers" },
  { "phial explain src/la", "src/layers" },
}

-- By shell: a script that prints the completions of $1; zsh shows them on a terminal.
local SCRIPTS <const> = {
  bash = [=[
    . share/bash-completion/completions/phial
    read -ra COMP_WORDS <<<"${1//=/ = }"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _phial
    # as readline does
    ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
    printf '%s\n' "${COMPREPLY[@]}"]=],
  fish = [[
    set fish_complete_path share/fish/vendor_completions.d
    complete -C "$argv[1]"]],
  zsh = [[
    zmodload zsh/zpty
    zpty z zsh -f
    zpty -w z "PS1=; stty cols 200 rows 200; fpath=($PWD/share/zsh/site-functions \$fpath)
      autoload -Uz compinit; compinit -u -D; setopt zle
      zle -C list list-choices _generic; bindkey '^I' list; print REA''DY"
    zpty -r -m z out '*READY*'
    zpty -w -n z "$1"$'\t'
    zpty -r -m z out "*$2*"]],
}
local FLAGS <const> = { bash = "--norc -c", fish = "-N -c", zsh = "-f -c" }

local function is_missing(program)
  if under.slow then return true, pending "what is not Lua is not to be checked" end
  if shell.run("command -v " .. program) ~= "" then return false end
  return true, pending(program .. " is not installed")
end

-- What a shell says of a line; `wanted` is what zsh waits for on its terminal.
local function completed(name, line, wanted)
  return shell.run(("PATH=$PWD/bin:$PATH timeout 20 %s %s %s %s %s %s"):format(name, FLAGS[name],
    quoted(SCRIPTS[name]), name == "fish" and "" or name, quoted(line), quoted(wanted)))
end

local function sorted_words(text)
  local words = {}
  for line in text:gmatch "[^\n]+" do
    words[#words + 1] = line:match "^[^\t]*":gsub("^%-%-construction=", "")
  end
  table.sort(words)
  return table.concat(words, " ")
end

-- By `make test`, each shell completes some.
local STEP <const> = under.brief and 4 or 1

for name in pairs(SCRIPTS) do
  describe("completion by " .. name, function()
    for i = #name % STEP + 1, #CASES, STEP do
      local case = CASES[i]
      it("of " .. case[1], function()
        if is_missing(name) then return end
        local text, good = completed(name, case[1], case[2]:gsub(" ", "*"):gsub("src/", ""))
        assert.is_true(good, text)
        if name ~= "zsh" then assert.equal(case[2], sorted_words(text)) end
      end)
    end
  end)
end

for program, command in pairs {
  groff = "groff -ww -man -Tutf8 %s >/dev/null", mandoc = "mandoc -Tlint -W warning %s",
  man = "man --warnings -l %s >/dev/null",
} do
  it(program .. " has nothing to say against the man page", function()
    if is_missing(program) then return end
    assert.same({ "", true }, { shell.run(command:format "share/man/man1/phial.1") })
  end)
end
