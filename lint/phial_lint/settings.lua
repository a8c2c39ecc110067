-- What authors of programs have told luacheck: a file .luacheckrc, and comments such as
-- `-- luacheck: ignore 311`. Luacheck's own modules find, read and apply them, so they mean what
-- they mean there.
local luacheck = require("phial.source.luacheck").require

---@class lint.Settings
---@field private stack table luacheck's
---@field private excluded string[] patterns of paths
---@field private included string[]
local Settings = {}
Settings.__index = Settings

-- {== Files ===========================================================

local function matches(patterns, path)
  for _, pattern in ipairs(patterns) do
    if luacheck "luacheck.globbing".match(pattern, path) then return true end
  end
  return false
end

--- True if the settings leave out a file.
---@param path string
function Settings:excludes(path)
  if not self.excluded[1] and not self.included[1] then return false end
  local fs = luacheck "luacheck.fs"
  path = fs.normalize(fs.join(fs.get_current_dir(), path))
  return matches(self.excluded, path) or #self.included > 0 and not matches(self.included, path)
end

--- The files that a path means: itself, or those of a folder whose names end in ".lua". Those that
--- settings leave out are not among them.
---@param path string
---@return string[]
function Settings:files(path)
  local fs, list = luacheck "luacheck.fs", {}
  local all = fs.is_dir(path) and fs.extract_files(path, "%.lua$") or { path }
  for _, each in ipairs(all) do
    each = each:gsub("^%./+", "")
    if not self:excludes(each) then list[#list + 1] = each end
  end
  return list
end

-- }== Reports =========================================================

local function has_settings(comments)
  for _, comment in ipairs(comments) do
    if comment.contents:find("luacheck:", 1, true) then return true end
  end
  return false
end

-- The comments of a source, as luacheck's filter has them; and warnings of those that are wrong.
local function comments_of(found, program)
  if not has_settings(found.comments) then return {}, {} end
  local new_state, functions = luacheck "luacheck.check_state".new, {}
  local state = setmetatable(found, getmetatable(new_state()))
  for i, f in ipairs(program:functions()) do functions[i - 1] = { node = f.node } end
  state.top_line, state.warnings = { lines = functions }, {}
  luacheck "luacheck.stages.parse_inline_options".run(state)
  return state.inline_options, state.warnings
end

-- Lines for luacheck's filter, which looks how long they are, too.
local function lines_until(last)
  local lengths = {}
  for i = 1, last do lengths[i] = 0 end
  return lengths
end

-- Adds a report on the comment whose pattern luacheck complains about; a file's is an error.
local function refuse_pattern(reports, found, failure)
  local pattern = type(failure) == "table" and failure.pattern or error(failure, 0)
  pattern = pattern:gsub("^%^", ""):gsub("%$$", "")
  for _, comment in ipairs(found.comments) do
    local line, start = comment.line, found.line_offsets[comment.line] - 1
    if comment.contents:find(pattern, 1, true) then
      reports:add_at(line, comment.offset - start, line, comment.end_offset - start, "021",
        ("invalid pattern '%s'"):format(pattern))
      return reports:sort()
    end
  end
  error(("invalid pattern '%s' in the settings"):format(pattern), 0)
end

local NO_GLOBALS <const> = { std = {} } -- reports are not about globals, whose list is long

--- Removes the reports that the settings of a file, or comments in it, do not want; adds those on
--- comments that are wrong.
---@param reports lint.Reports
---@param found table what luacheck's parser has found
---@param name? string of the file
function Settings:filter(reports, found, name)
  local comments, warnings = comments_of(found, reports.program)
  if not reports[1] and not comments[1] and not warnings[1] then return end
  local last, own = 0, {}
  for _, report in ipairs(reports) do
    local warning = { code = report.code, line = report.line, column = report.col,
      name = report.name, self = report.is_self, secondary = report.is_secondary }
    warnings[#warnings + 1], own[warning] = warning, report
  end
  luacheck "luacheck.core_utils".sort_by_location(warnings)
  for _, list in ipairs { warnings, comments } do
    last = math.max(last, list[1] and list[#list].line or 0)
  end
  local options = self.stack:get_options(name)
  options[#options + 1] = NO_GLOBALS
  local ok, left = pcall(luacheck "luacheck.filter".filter, { {
    warnings = warnings, inline_options = comments, line_lengths = lines_until(last),
    line_endings = {},
  } }, { options }, self.stack:get_stds())
  if not ok then return refuse_pattern(reports, found, left) end
  left = left[1]
  for i = #reports, 1, -1 do reports[i] = nil end
  for i, it in ipairs(left) do
    if own[it] then
      reports[i] = own[it]
    else
      local message = luacheck "luacheck.format".get_message(it)
      reports:add_at(it.line, it.column, it.line, it.end_column, it.code, message)
    end
  end
  reports:sort()
end

-- }=====================================================================

--- The settings of a file, or of the next .luacheckrc around the current folder; `false`: none.
---@param path? string|false
---@return lint.Settings? settings nil if they are wrong
---@return string? why
return function(path)
  local config = luacheck "luacheck.config"
  if not config then return nil, "luacheck, or what it needs, was not found" end
  local one, why = config.load_config(path, path)
  local stack, problem
  if one then stack, problem = config.stack_configs { one } end
  if not stack then return nil, why or problem end
  local all = stack:get_top_options()
  return setmetatable({
    stack = stack, excluded = all.exclude_files, included = all.include_files,
  }, Settings)
end
