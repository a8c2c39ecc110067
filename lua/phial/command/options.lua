--- Command lines: options and files.
local errors = require "phial.errors"
local failure = require "phial.command.failure"

local M = {}

-- What an option does: the name of the field that it sets, in a list if the next word
-- is its value; or a function of the options, all words and the place of the option,
-- which returns the place of the last word that it takes.
---@alias phial.command.Option string | string[] | phial.command.Taker
---@alias phial.command.Taker fun(o: table, words: string[], at: integer): integer

-- Takes the word at `at`; returns the place of the last word taken, or nil and a message.
local function take_word(o, words, at, known)
  local word = words[at]
  local option = known[word]
  local long, value = word:match "^(%-%-[^=]+)=(.*)$"
  if type(option) == "function" then return option(o, words, at) end
  if type(option) == "table" then
    o[option[1]] = words[at + 1]
    return words[at + 1] and at + 1, word .. ": an argument is missing"
  elseif option then
    o[option] = true
  elseif long and type(known[long]) == "table" then
    o[known[long][1]] = value
  elseif word:find "^%-." then
    local near = #word > 2 and errors.near(word, known) or "" -- one letter is near any other
    return nil, ("%s: no such option%s"):format(word, near)
  else
    o.files[#o.files + 1] = word
  end
  return at
end

--- Reads a command line.
---@param words string[]
---@param known table<string, phial.command.Option>
---@param first_ends? boolean the words after the first file are not read, but are the `rest`
---@return table? o the options; its field `files` lists the words that are not options, and
--- `rest` those after the word `--`
---@return string? why nil: a word is wrong
function M.read(words, known, first_ends)
  local o, at = { files = {} }, 1
  while words[at] and words[at] ~= "--" and not (first_ends and o.files[1]) do
    local last, why = take_word(o, words, at, known)
    if not last then return nil, why end
    at = last + 1
  end
  if words[at] == "--" then at = at + 1 end
  o.rest = table.move(words, at, #words, 1, {})
  return o
end

--- A row of what --help lists: the option, with a word for its value if it has one; and text.
---@class phial.command.Row
---@field [1] string
---@field [2] string
---@field field? string that it sets; default: its name
---@field choices? string[] what its value can be; `expected` replaces the list in messages

-- The name of a row's option, the field that it sets, and whether it has a value.
local function parts(row)
  local name, value = row[1]:match "^(%S+)(.*)$"
  return name, row.field or name:match "^%-+(.*)$", value ~= ""
end

--- What `read` knows of the options of rows.
---@param rows phial.command.Row[]
---@return table<string, phial.command.Option>
function M.known(rows)
  local known = {}
  for _, row in ipairs(rows) do
    local name, field, has_value = parts(row)
    known[name] = has_value and { field } or field
  end
  return known
end

--- Ends the subcommand if the value of an option is not one of its choices.
---@param o table the options
---@param rows phial.command.Row[]
function M.check_choices(o, rows)
  for _, row in ipairs(rows) do
    local name, field = parts(row)
    local word, choices = o[field], row.choices
    local is_right = not choices or not word
    for _, choice in ipairs(choices or {}) do is_right = is_right or word == choice end
    if not is_right then
      failure.refuse(("%s: %s expected, got '%s'"):format(name,
        choices.expected or table.concat(choices, " or "), word))
    end
  end
end

--- The option that is set of those of which only one can be, or nil.
---@param o table the options
---@param ... string their names
---@return string?
function M.one(o, ...)
  local chosen
  for _, name in ipairs { ... } do
    if o[name] and chosen then
      failure.refuse(("--%s and --%s: one at a time"):format(chosen, name))
    end
    chosen = o[name] and name or chosen
  end
  return chosen
end

--- Ends the subcommand if options are set that are only for something else than what it does.
---@param o table the options
---@param does_that any
---@param that string
---@param ... string their names
function M.only(o, does_that, that, ...)
  for _, name in ipairs { ... } do
    if o[name] and not does_that then failure.refuse(("--%s: only for %s"):format(name, that)) end
  end
end

--- The integer that an option is, or nil; ends the subcommand if it is another word.
---@param o table the options
---@param name string
---@return integer?
function M.integer(o, name)
  local word = o[name]
  return word and (math.tointeger(tonumber(word)) or failure.refuse(
    ("--%s: an integer expected, got '%s'"):format(name, word)))
end

return M
