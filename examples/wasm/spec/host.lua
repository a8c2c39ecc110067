-- The host of hello.wat.
local host = ...

local function place(at) return host.program:address "wasm_memory" + at end

return {
  host = {
    number = 43,
    print = function(at, n) print(host.program:bytes(place(at), n)) end,
    digits = function(at, n)
      local text = ("%d"):format(n)
      host.program:set_bytes(place(at), text)
      return #text
    end,
  },
}
