-- The example wasm: that it computes what node does, its command, what it refuses, its README.
local assert = require "spec.support.assert"
local command_of = require "spec.support.command"
local document = require "spec.support.document"
local file = require "spec.support.file"
local its = require "examples.spec.command"
local node = require "spec.support.node"
local shell = require "spec.support.shell"
local under = require "spec.support.under"

package.path = "examples/?.lua;" .. package.path
local beside_node = require "wasm.spec.beside_node"
local modules = require "wasm.spec.modules"
local wasm = require "wasm.module"

local SPEC <const> = "examples/wasm/spec/"

-- The calls of a file, one a line.
local function calls_of(path)
  local list = {}
  for line in file.read(path):gmatch "[^\n]+" do
    local call = {}
    for word in line:gmatch "%S+" do call[#call + 1] = math.tointeger(word) or word end
    list[#list + 1] = call
  end
  return list
end

local KERNELS <const> = { { "sieve", 1 }, { "product", 1 }, { "checksum", 1 }, { "sorted", 1000 },
  { "sorted", 999 }, { "fibonacci", 15 }, { "mandelbrot", 20 }, { "mixed", 1000 } }

describe("WebAssembly", function()
  local made = {}

  -- The file is removed afterwards.
  local function kept(path)
    made[#made + 1] = path
    return path
  end
  teardown(function() for _, path in ipairs(made) do os.remove(path) end end)

  -- Both ways of running it say what node says.
  local function agrees(path, calls)
    assert.is_nil((beside_node.differs(path, nil, calls)))
    assert.is_nil((beside_node.differs(path, "-O1", calls)))
  end

  it("is what its README shows", function() document.check "examples/wasm/README.md" end)

  it("computes what node does: every kind of instruction", function()
    if not (node.exists() and modules.has "wat2wasm") then return pending "needs node and wabt" end
    agrees(kept(modules.of_text(SPEC .. "parts.wat")), calls_of(SPEC .. "parts.txt"))
  end)

  it("computes what node does: kernels of C", function()
    if under.brief or not (node.exists() and modules.has("clang", "wasm-ld")) then
      return pending "needs node, clang and lld, and make check"
    end
    agrees(kept(modules.of_c(SPEC .. "kernels.c")), KERNELS)
  end)

  it("computes what node does: random modules", function()
    if not (node.exists() and modules.has "wasm-opt") then
      return pending "needs node and binaryen"
    end
    for seed = 1, os.getenv "LONG" and 500 or under.brief and 2 or 8 do
      local path = modules.random(seed)
      local why = beside_node.differs(path, seed % 6 == 0 and "-O1" or nil)
      assert.is_nil(why, "seed " .. seed)
      os.remove(path)
    end
  end)

  -- The module of the README: factorials, and a load.
  local hex = file.read "examples/wasm/README.md":match "%[%[\n(.-)%]%]":gsub("%s", "")
  local text = hex:gsub("..", function(digits) return string.char(tonumber(digits, 16)) end)

  local function refuse(message, bytes)
    local ok, why = pcall(wasm.translate, bytes, "x.wasm", {})
    assert.is_false(ok)
    assert.matches(message, why)
  end

  it("refuses what is not a module, at an offset", function()
    for n = 0, #text - 1 do
      local ok, why = pcall(wasm.translate, text:sub(1, n), "x.wasm", {})
      if not ok then assert.matches("^x.wasm: ", why) end
    end
    refuse("^x.wasm: not a binary module of WebAssembly 1.0$", "\0asm\2\0\0\0")
    refuse("^x.wasm: offset 0x15: a section ends elsewhere than it says$",
      (text:gsub("\1\x0b\2", "\1\x0c\2", 1)))
    refuse("^x.wasm: offset 0x%x+: values of type 0x7b are not supported$",
      (text:gsub("\x7f\1\x7e", "\x7f\1\x7b", 1)))
  end)

  it("refuses what cannot be read, also by chance, with its place", function()
    for at = 9, #text do
      for _, byte in ipairs { 0, 0x0b, 0x41, 0x7f, 0x80, 0xff } do
        local changed = text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1)
        local ok, why = pcall(wasm.translate, changed, "x.wasm", {})
        if not ok then
          assert.matches("^x.wasm: ", why)
          assert.not_matches("attempt to", why)
        end
      end
    end
  end)

  it("refuses what is wrong in a function, with its name and an offset", function()
    local function replaced(by) return (text:gsub("\x20\0\x41\2", by, 1)) end
    refuse("^x.wasm: function 'fac', offset 0x%x+: .*opcode 0xfd is not supported$",
      replaced "\xfd\0\x41\2")
    refuse("^x.wasm: function 'fac', offset 0x%x+: .*stack", replaced "\1\1\x41\2")
    refuse("^x.wasm: function 'fac', offset 0x%x+: .*label", replaced "\x0c\5\x41\2")
    refuse("^x.wasm: function 'fac', offset 0x%x+: .*'slt' %(.*i64.*%)",
      replaced "\x42\0\x41\2")
  end)

  describe("the command", function()
    local run = command_of "examples/wasm/main.lua"

    local function module(bytes)
      local path = kept(os.tmpname())
      file.write(path, bytes)
      return path
    end
    local path = module(text)

    it("prints, and runs exports", function()
      its.prints(run, {
        [path .. " --run fac 20"] = "2432902008176640000\n",
        [path .. " --native --run fac 20"] = "2432902008176640000\n",
        [path .. " --run get 65528"] = "0\n",
      })
      assert.matches("fn fac(%p0: i32) -> i64 {", (run(path)), 1, true)
      assert.matches("uint64_t fac(uint32_t", (run(path .. " --c")), 1, true)
    end)

    it("says what is wrong", function()
      its.explains(run, { [""] = "no file given", [path .. " --what"] = "--what: no such option" })
      for arguments, message in pairs {
        [" --run get 65529"] = "get: 'trap_if {\"memory access out of bounds\"}",
        [" --native --run get -1"] = "memory access out of bounds",
        [" --run fac"] = "1 arguments are needed",
        [" --run fac x"] = "x: a number was expected",
        [" --run other"] = "other: no function is exported by this name",
        [" -o /dev/null"] = "no function _start is exported",
        [" --imports /no/file.lua --run fac 1"] = "/no/file.lua",
      } do
        local _, err, status = run(path .. arguments)
        assert.matches(message, err, 1, true)
        assert.equal(1, status)
      end
    end)

    it("lets a file of Lua be the host", function()
      if not modules.has "wat2wasm" then return pending "needs wabt" end
      local wasm_file = kept(modules.of_text(SPEC .. "hello.wat"))
      for _, way in ipairs { "", " --native" } do
        local out, err, status = run(("%s --imports %shost.lua%s --run _start"):format(wasm_file,
          SPEC, way))
        assert.equal("", err)
        assert.equal("hello, 43\n\n", out)
        assert.equal(0, status)
      end
    end)

    it("links programs of WASI", function()
      if not modules.has("clang", "wasm-ld") then return pending "needs clang and lld" end
      local program = kept(os.tmpname())
      local _, err, status = run(("%s -o %s"):format(kept(modules.of_c(SPEC .. "echo.c")), program))
      assert.equal("", err)
      assert.equal(0, status)
      assert.equal("one\ntwo words\n6\n", shell.output(program .. " one 'two words'; echo $?"))
    end)
  end)
end)
