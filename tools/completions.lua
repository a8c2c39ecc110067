--- Completions of the command phial for shells, made from what --help is made of.
local command = require "phial.command"

local M = {}

-- Joins what a function makes of each row, and of a second argument.
local function each(rows, make, ...)
  local out = {}
  for i, row in ipairs(rows) do out[i] = make(row, ...) end
  return table.concat(out)
end

-- The option of a row, and a word for its value, "" if it has none.
local function parts(row) return row[1]:match "^(%S+) ?(%S*)$" end

local function first(row) return " " .. parts(row) end

-- What all subcommands have, in rows.
local HELP <const> = { "--help", "lists the options" }

-- {== bash ============================================================

local BASH <const> = [=[
# bash completion of phial, made from lua/phial/command by `make generate`
_phial() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=
  # --option=value is three words
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [[ $cur == -* ]]; then
    case ${COMP_WORDS[1]} in
{options}      *) words='{first}' ;;
    esac
  elif ((COMP_CWORD == 1)); then
    words='{subcommands}'
  else
    case ${COMP_WORDS[1]}:$prev in
{choices}{formats}    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
# what is not completed here is a file
complete -o bashdefault -o default -F _phial phial
]=]

local function bash_options(it)
  return ("      %s) words='--help%s' ;;\n"):format(it[1], each(it[2].options, first))
end

local function bash_choice(row, subcommand)
  return row.choices and ("      %s:%s) words='%s' ;;\n"):format(subcommand, parts(row),
    table.concat(row.choices, " ")) or ""
end

local function bash_choices(it) return each(it[2].options, bash_choice, it[1]) end

-- An option that a value of any kind follows.
local function bash_value(row, subcommand)
  local name, value = parts(row)
  return value ~= "" and not row.choices and ("|%s:%s"):format(subcommand, name) or ""
end

-- Words that only the first one can be.
local function bash_formats(it)
  if not it[2].formats then return "" end
  local formats = it[2].formats()
  return ([[
      %s) ;;
      %s:*)
        case " ${COMP_WORDS[*]:2:COMP_CWORD-2} " in
          %s) ;;
          *) words='%s' ;;
        esac
        ;;
]]):format(each(it[2].options, bash_value, it[1]):sub(2), it[1],
    each(formats, function(row) return ("|*' %s '*"):format(row[1]) end):sub(2),
    each(formats, first):sub(2))
end

--- The text for bash.
---@return string
function M.bash()
  local all = command.subcommands()
  return (BASH:gsub("{(%l+)}", {
    first = each(command.options, first):sub(2), subcommands = each(all, first):sub(2),
    options = each(all, bash_options), choices = each(all, bash_choices),
    formats = each(all, bash_formats),
  }))
end

-- }== zsh =============================================================

local ZSH <const> = [[
#compdef phial
# made from lua/phial/command by `make generate`
local state line
local -a subcommands=(
{subcommands})
_arguments -C{options} '1: :->subcommand' '*:: :->rest'
case $state in
  subcommand) _describe subcommand subcommands ;;
  rest)
    case $line[1] in
{cases}    esac
    ;;
esac
]]

-- In quotes, where brackets and colons have a meaning.
local function zsh_text(text)
  return (text:gsub("[%[%]:\\]", "\\%0"):gsub("'", "'\\''"))
end

local function zsh_subcommand(it)
  return ("  '%s:%s'\n"):format(it[1], zsh_text(it[2].summary))
end

local function zsh_option(row)
  local name, value = parts(row)
  local action = row.choices and "(" .. table.concat(row.choices, " ") .. ")"
    or value == "FILE" and "_files" or ""
  local long = value ~= "" and name:find "^%-%-" and "=" or ""
  return (" \\\n        '%s%s[%s]%s'"):format(name, long, zsh_text(row[2]),
    value ~= "" and (":%s:%s"):format(value, action) or "")
end

local function zsh_format(row)
  return (" %s\\:%s"):format(row[1], (row[2]:gsub("[^%w]", "\\%0")))
end

local function zsh_case(it)
  local its = it[2]
  local formats = its.formats
    and (" \\\n        '1:FORMAT:((%s))'"):format(each(its.formats(), zsh_format):sub(2)) or ""
  return ("      %s) _arguments%s%s%s \\\n        '*:FILE:_files' ;;\n"):format(it[1],
    zsh_option(HELP), each(its.options, zsh_option), formats)
end

--- The text for zsh.
---@return string
function M.zsh()
  local all = command.subcommands()
  return (ZSH:gsub("{(%l+)}", {
    subcommands = each(all, zsh_subcommand), cases = each(all, zsh_case),
    options = each(command.options, zsh_option),
  }))
end

-- }== fish ============================================================

local FISH <const> = [[
# fish completion of phial, made from lua/phial/command by `make generate`
]]

local function quoted(text) return "'" .. text:gsub("[\\']", "\\%0") .. "'" end

-- A line: when it holds, and what.
local function fish_line(when, what, text)
  return ("complete -c phial -n %s %s -d %s\n"):format(quoted(when), what, quoted(text))
end

local function fish_option(row, when)
  local name, value = parts(row)
  local dashes, word = name:match "^(%-+)(.*)$"
  local takes = row.choices and " -x -a " .. quoted(table.concat(row.choices, " "))
    or value == "FILE" and " -r -F" or value ~= "" and " -x" or ""
  return fish_line(when, (dashes == "-" and "-s " or "-l ") .. word .. takes, row[2])
end

local function fish_subcommand(it)
  local name, its = it[1], it[2]
  local when = "__fish_seen_subcommand_from " .. name
  local out = fish_line("__fish_use_subcommand", "-f -a " .. name, its.summary)
    .. fish_option(HELP, when) .. each(its.options, fish_option, when)
  if not its.formats then return out end
  local formats = its.formats()
  local first_word = when .. "; and not __fish_seen_subcommand_from" .. each(formats, first)
  return out .. each(formats, function(row)
    return fish_line(first_word, "-f -a " .. row[1], row[2])
  end)
end

--- The text for fish.
---@return string
function M.fish()
  return FISH .. each(command.options, fish_option, "__fish_use_subcommand")
    .. each(command.subcommands(), fish_subcommand)
end

-- }=====================================================================

return M
