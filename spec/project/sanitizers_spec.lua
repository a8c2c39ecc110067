-- make asan runs the specs under the sanitizers of both compilers: clang's finds
-- null + 0, gcc's does not.
local function output(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read "a"
  pipe:close()
  return text
end

local function exists(program)
  return output("command -v " .. program .. " 2>/dev/null") ~= ""
end

describe("make asan", function()
  for _, compiler in ipairs { "gcc", "clang" } do
    it("builds with " .. compiler, function()
      if not exists(compiler) then return pending(compiler .. " is not installed") end
      local text = output "make --no-print-directory -n asan 2>/dev/null"
      assert.truthy(text:find("CC=['\"]?" .. compiler), text)
      assert.truthy(text:find("fsanitize=address,undefined", 1, true), text)
      assert.truthy(text:find("fsanitize=undefined", 1, true), text)
    end)
  end
end)
