--- Command lines: options and files.
local errors = require "phial.errors"

local M = {}

-- What an option does: the name of the field that it sets, in a list if the next word
-- is its value; or a function of the options, all words and the place of the option,
-- which returns the place of the last word that it takes.
---@alias phial.command.Option string | string[] | phial.command.Taker
---@alias phial.command.Taker fun(o: table, words: string[], at: integer): integer

-- Takes the word at `at`; returns the place of the last word taken, or nil and a message.
local function take(o, words, at, known)
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
---@param first_ends? boolean the words behind the first file are not read, but are the `rest`
---@return table? o the options; its field `files` lists the words that are not options, and
--- `rest` those behind the word `--`
---@return string? why nil: a word is wrong
function M.read(words, known, first_ends)
  local o, at = { files = {} }, 1
  while words[at] and words[at] ~= "--" and not (first_ends and o.files[1]) do
    local last, why = take(o, words, at, known)
    if not last then return nil, why end
    at = last + 1
  end
  if words[at] == "--" then at = at + 1 end
  o.rest = table.move(words, at, #words, 1, {})
  return o
end

return M
