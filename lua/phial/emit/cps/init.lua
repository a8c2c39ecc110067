--- phial.emit.cps: continuation-passing style, as in Braun et al., section 5.2.
-- Each block is a continuation: a function that does not return, whose parameters are
-- the block's phis and which ends by calling others. Continuations are nested by
-- dominance, so each sees the values that it uses; if that gets too deep, they are
-- flat. The text is in the notation of the paper's Figure 8, or Lua.
local errors = require "phial.errors"
local later = require "phial.later"
local options = require "phial.options"

local M = {
  help = "continuation-passing style", joined = true,
}

-- The deepest nesting: Lua's parser allows 200 levels, some of which its caller needs.
local NESTING = 150

local FORMS = {
  text = later("phial.emit.cps.notation", "func"), lua = later("phial.emit.cps.tail_calls", "func"),
}

local KNOWN = { form = { "text", "lua" }, nesting = { 0, NESTING }, fuel = "boolean" }

---@class phial.emit.cps.Options
--- The paper's notation (default), or Lua with proper tail calls.
---@field form? "text"|"lua"
---@field nesting? integer the deepest nesting; deeper functions are flat (default 150)
--- Lua: counts blocks; `host.fuel.left` says how many may be entered.
---@field fuel? boolean

--- A finished function in continuation-passing style.
function M.func(fn, opts)
  errors.check_finished(fn, "be written")
  opts = options.argument("phial.emit.cps", 2, opts, KNOWN)
  opts.form, opts.nesting = opts.form or "text", opts.nesting or NESTING
  if opts.fuel ~= nil and opts.form ~= "lua" then
    errors.raise "'phial.emit.cps': option 'fuel' needs form = \"lua\""
  end
  return FORMS[opts.form](fn, opts)
end

return M
