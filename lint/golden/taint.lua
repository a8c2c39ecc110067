local function ask(what)
  io.write(what)
  return io.read "l"
end

local name = ask "name: "
local command = ("grep %s /etc/passwd"):format(name)
os.execute(command)
os.execute(string.format("ls %s", os.getenv "HOME"))
os.execute("sleep " .. tonumber(name))
os.execute "ls"
local function run(line) return io.popen("cat " .. line) end
run(name)
