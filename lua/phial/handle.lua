--- Classes of handles: scripts see their methods, and phial what is behind them.
local errors = require "phial.errors"

---@class phial.handle.Class
---@field methods table
---@field meta table
---@field new fun(behind: table): table makes a handle
---@field behind fun(it: any): table? what is behind a handle; nil of anything else
---@field of fun(self: any, method: string): table the same for a method, which needs a handle

--- Makes a class.
---@param name string "phial.Global"
---@return phial.handle.Class
return function(name)
  local behinds, methods = setmetatable({}, { __mode = "k" }), {}
  setmetatable(methods, { __index = function(_, key)
    if type(key) ~= "string" then return nil end
    errors.raise("a %s has no method '%s'%s", name, key,
      errors.now(name, key) or errors.near(key, methods))
  end })
  local class = { methods = methods, meta = { __index = methods, __name = name } }
  function class.new(behind)
    local handle = setmetatable({}, class.meta)
    behinds[handle] = behind
    return handle
  end
  function class.behind(it) return behinds[it] end
  function class.of(self, method)
    return behinds[self] or errors.self(method, name, self)
  end
  return class
end
