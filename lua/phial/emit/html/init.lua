--- phial.emit.html: a page that shows a function, and how it was constructed, step by step.
-- docs/explorer.md describes the page.
--
-- The page is one file that needs no other. Its policy permits the viewer's script and
-- style, by their hashes, and nothing else. The data are those of phial.emit.json, in an
-- element that no browser runs; the viewer makes all that it shows of text.
local errors = require "phial.errors"
local input = require "phial.emit.json.input"
local json = require "phial.emit.json"
local options = require "phial.options"
local source = require "phial.emit.html.source"
local viewer = require "phial.emit.html.viewer"
local write = require "phial.emit.json.write"

local M = {
  help = "a page; of a trace, with the steps of construction", lenient = true,
}

local NAME <const> = "phial.emit.html"

local OWN <const> = { title = "string", source = true }

-- What the other side of a trace can be constructed with.
local OTHER <const> = { construction = json.TRACE.construction, rules = json.TRACE.rules }

local PAGE <const> = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="]] .. [[
default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; ]] .. [[
base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>%s</style>
</head>
<body>
%s<script type="application/json" id="data">
%s</script>
<script>%s</script>
</body>
</html>
]]

local ESCAPED <const> = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

-- A title that fits into the head of a page.
local function title_of(text)
  local shown = utf8.len(text) and text or text:gsub("[\x80-\xff]", "?")
  return (shown:gsub("[\0-\31\127]", " "):gsub("[&<>]", ESCAPED))
end

-- The first characters of a name.
local function short(name)
  local at = #name > 80 and utf8.len(name) and utf8.offset(name, 81)
  return at and name:sub(1, at - 1) .. "..." or #name > 400 and name:sub(1, 80) or name
end

local function check_source(it)
  local kind = type(it)
  if kind ~= "nil" and kind ~= "string" and kind ~= "table" and kind ~= "boolean" then
    errors.raise("'%s': option 'source': a text, a table of texts by file, or a boolean expected, "
      .. "got %s", NAME, errors.got(it))
  end
  for name, text in next, kind == "table" and it or {} do
    if type(name) ~= "string" or type(text) ~= "string" then
      errors.raise("'%s': option 'source': texts by the names of files expected, got %s for %s",
        NAME, errors.got(text), errors.got(name))
    end
  end
end

local function name_of(func, opts)
  return func.construction .. (opts.rules and " with rules" or "")
end

-- Adds the documents about a trace as the option `compare` says; returns the names of both sides.
local function add_other(it, opts, funcs)
  local other = options.union(opts, options.argument(NAME, 2, opts.compare, OTHER))
  local count = #funcs
  local more = json.documents(NAME, input.trace(NAME, it, other), other)
  if #more ~= count then
    errors.raise("'%s': option 'compare': it makes %d of %d functions", NAME, #more, count)
  end
  table.move(more, 1, count, count + 1, funcs)
  return { name_of(funcs[1], opts), name_of(more[1], other) }
end

-- A page about what `read`, a function of json/input.lua, makes of `it`.
local function page(read, it, opts, known)
  opts = options.argument(NAME, 2, opts, options.union(known, OWN))
  check_source(opts.source)
  local inputs = read(NAME, it, opts)
  local funcs = json.documents(NAME, inputs, opts)
  local from = opts.source
  -- Files are read if this program has constructed what names them. Another's text could put any
  -- file of this machine into a page that is meant to be passed on.
  if from == nil then from = inputs[1].is_watched or false end
  local sources = source.files(inputs, from)
  local sides = opts.compare and add_other(it, opts, funcs)
  local data = write.document(funcs, { sources = sources, sides = sides })
  return PAGE:format(viewer.script_hash, viewer.style_hash,
    title_of(opts.title or short(funcs[1].name) .. " - phial"), viewer.style, viewer.page, data,
    viewer.script)
end

--- A page about a function, with the steps of its log.
function M.func(fn, opts) return page(input.func, fn, opts, json.FUNC) end

--- A page about several functions, with the steps of their logs.
---@param fns phial.Function[]
---@param opts phial.HtmlOptions
---@return string
function M.funcs(fns, opts)
  local function read(emitter, _, taken)
    local inputs = {}
    for i, fn in ipairs(fns) do inputs[i] = input.func(emitter, fn, taken)[1] end
    return inputs
  end
  return page(read, fns, opts, json.FUNC)
end

--- A page about the functions of a trace, with the steps of its replay.
function M.trace(text, opts)
  return page(input.trace, text, opts, options.union(json.TRACE, { compare = "table" }))
end

return M
