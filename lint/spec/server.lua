-- A client, run by Neovim without a screen: opens a file, waits for diagnostics, edits it, and
-- prints what it gets. `lua`, `server` and `path` are variables of Neovim.
local function wait(what, condition)
  if not vim.wait(5000, condition, 10) then
    print("no " .. what)
    vim.cmd "cquit"
  end
end

local function shown()
  local list = {}
  for _, it in ipairs(vim.diagnostic.get(0)) do
    list[#list + 1] = ("%d:%d-%d %s"):format(it.lnum + 1, it.col + 1, it.end_col, it.message)
  end
  return table.concat(list, "; ")
end

vim.cmd("edit " .. vim.g.path)
local id = vim.lsp.start_client {
  name = "lint", cmd = { vim.g.lua, vim.g.server }, root_dir = "/",
  flags = { debounce_text_changes = 150 },
}
vim.lsp.buf_attach_client(0, id)
wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
print(shown())

vim.api.nvim_buf_set_lines(0, 0, 1, false, { "local x = (" }) -- is not Lua
vim.wait(400)
print(shown())

vim.api.nvim_buf_set_lines(0, 0, 1, false, { "local x, y = 1" })
local before = shown()
wait("new diagnostics", function() return shown() ~= before end)
print(shown())

local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = 2, character = 6 },
}, 5000)
print(answers[id].result.contents.value)
vim.lsp.stop_client(id)
vim.cmd "qall!"
