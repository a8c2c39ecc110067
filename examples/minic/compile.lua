-- A program: from a file of C to a module of phial.
local Parser = require "minic.parser"
local lexer = require "minic.lexer"
local phial = require "phial"

require "minic.operands"
require "minic.declarators"
require "minic.definitions"
require "minic.expressions"
require "minic.initializers"
require "minic.statements"

local M = {}

local here = debug.getinfo(1, "S").source:match "^@(.*[/\\])" or "./"

--- A word for the shell.
function M.quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

--- Preprocesses a file by `cc`, or what CPP names; nil if that fails, of which it says why.
---@param path string
---@param headers string? a folder
---@param flags string? further options of the compiler
---@return string?
function M.preprocess(path, headers, flags)
  local pipe = assert(io.popen(("%s -std=c11 -undef -nostdinc -D__LP64__=1 -D__x86_64__=1 "
    .. "-include minic.h -I %s %s %s %s"):format(os.getenv "CPP" or "cc -E",
    M.quoted(here .. "include"), headers and "-I " .. M.quoted(headers) or "", flags or "",
    M.quoted(path))))
  local text = pipe:read "a"
  return pipe:close() and text or nil
end

---@class minic.Options
---@field memory? boolean all locals are in memory
---@field promote? boolean values are made of what can leave memory
---@field run? boolean the runtime is part of the program
---@field phial? phial.Options of all functions

-- Again and again: what has its address in a local stays in memory until that local is a value, or
-- the code that uses it, which is dead then, is gone. Before that, code is found to be the same as
-- what is dead elsewhere.
local function promote(fn)
  repeat
    repeat until fn:promote().allocas == 0
  until fn:clean().dead == 0
end

--- Compiles a preprocessed text. Returns nil and a message if it is wrong.
---@param text string
---@param path string
---@param opts? minic.Options
---@return phial.Module?
---@return string? why
function M.compile(text, path, opts)
  opts = opts or {}
  local module = phial.module(path:match "[^/\\]*$", opts.phial)
  local ok, why = pcall(function()
    local parser = Parser.new(lexer.tokens(text, path), module, opts)
    parser:translation_unit()
    if opts.run then
      local runtime = here .. "runtime.c"
      parser:add_library(lexer.tokens(M.preprocess(runtime), runtime))
    end
    parser:finish()
  end)
  if not ok then return nil, tostring(why) end
  for _, fn in ipairs(module:functions()) do
    if opts.promote then promote(fn) else fn:clean { dead = true } end
  end
  return module
end

--- Writes a module in LLVM's language, to which what may return twice must be known.
---@param module phial.Module
---@param opts phial.emit.llvm.Options?
---@return string
function M.llvm(module, opts)
  local text = phial.emit.llvm(module, opts)
  for name in pairs(Parser.TWICE) do
    text = text:gsub("(\ndeclare [^\n@]*@" .. name .. "%b())", "%1 returns_twice")
  end
  return text
end

return M
