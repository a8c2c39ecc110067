-- What the commands of the examples have in common: options, files, failures.
local file = require "phial.command.file"
local options = require "phial.command.options"

local M = {}

local usage

--- Ends the command with a message.
function M.fail(why)
  io.stderr:write(why, "\n")
  os.exit(1, true)
end

--- The same for a command line that is wrong.
function M.refuse(why) M.fail(why .. "\n" .. usage:sub(1, -2)) end

--- The options of the command line. Its other words, of which there must be one, are
--- in the field `files`.
---@param args string[]
---@param known table<string, phial.command.Option>
---@return table
function M.options(args, known)
  local o, why = options.read(args, known)
  if not o then M.refuse(why) end
  table.move(o.rest, 1, #o.rest, #o.files + 1, o.files)
  if #o.files == 0 then M.refuse "no file given" end
  return o
end

--- The only file of those given.
---@param files string[]
---@return string
function M.only(files)
  if files[2] then M.refuse(files[2] .. ": one file at a time") end
  return files[1]
end

--- The text of a file.
---@param path string
---@return string
function M.read(path)
  local text, why = file.read(path)
  return text or M.fail(why)
end

--- Does something with each file. Writes why it cannot, and goes on.
---@param files string[]
---@param process fun(path: string): any, string?  nil and a message: it cannot
---@return boolean done with all
function M.each(files, process)
  local done = true
  for _, path in ipairs(files) do
    local ran, result, why = pcall(process, path)
    if not ran then why = path .. ": " .. tostring(result) end
    if why then
      io.stderr:write(why, "\n")
      done = false
    end
  end
  return done
end

--- The functions above, for the command that has this description of its use.
---@param description string
return function(description)
  usage = description
  return M
end
