-- calls: writes the C of `core calls`, in which each function of the public headers gets, argument
-- by argument, what the headers forbid: NULL, a thing that f does not have, a type 77.
--
-- usage: lua5.4 spec/c/calls.lua > calls.c

-- Pointers that may be NULL, as their comments say; "*": of all functions.
local NULLABLE <const> = {
  ["*"] = { ud = true },
  ph_func_free = { f = true },
  ph_type_name = { f = true },
  ph_type_dialect = { f = true },
  ph_pool_free = { pool = true },
  ph_ruleset_free = { set = true },
  ph_func_new = { options = true },
  ph_func_init = { options = true },
  ph_peephole_enable = { rules = true },
  ph_print_sethost = { describe = true },
  ph_parse_part = { at = true },
  ph_ruleset_new = { base = true },
  ph_ruleset_init = { base = true },
  ph_ruleset_load = { names = true },
  ph_ruleset_include = { callbacks = true },
  ph_ruleset_explain = { callbacks = true },
  ph_value_explain = { callbacks = true },
  ph_violation_sethandler = { handle = true },
}

-- What no function f has, by the type of an argument.
local STRANGE <const> = {
  ph_value = "(ph_value){NO_SUCH}", ph_block = "(ph_block){NO_SUCH}", ph_var = "(ph_var){NO_SUCH}",
  ph_group = "(ph_group){NO_SUCH}", ph_access = "(ph_access){NO_SUCH}",
  ph_type = "77", ph_op = "(PH_OPS + 77)",
}

-- Arguments that can be anything: questions about a type or op without a function; what was made
-- after an analysis, which knows nothing of it; what is refused for another reason (misuse.c).
local ANY <const> = {
  ph_type_width = "type", ph_type_isint = "type", ph_type_isfloat = "type",
  ph_type_isstored = "type", ph_type_passing = "type", ph_type_canpass = "type",
  ph_const_fits = "type", ph_op_class = "op", ph_op_namesvar = "op", ph_effects_canbenone = "op",
  ph_type_ofdialect = "type", ph_ruleset_allows = "one",
  ph_rpo_isreached = "b", ph_dom_idom = "b", ph_dom_dominates = "a b",
  ph_liveness_count = "b", ph_liveness_outcount = "b", ph_liveness_at = "b",
  ph_liveness_outat = "b",
  ph_loops_of = "b", ph_loops_contains = "b", ph_solver_isreached = "b",
  ph_match_emit = "op type args", ph_match_isavailable = "v", ph_build_define = "var v",
  ph_func_init = "result",
}

-- Good arguments other than samples.
local END <const> = {
  op = "PH_BRANCH", args = "&condition", targets = "blocks + 1", m = "2", type = "PH_NOTYPE",
}
local EDGE <const> = { to = "blocks[1]", from = "blocks[1]", nth = "0" }
local GOOD <const> = {
  ph_build_fill = END, ph_build_refine = END, ph_ruleset_explain = END,
  ph_build_branch = { cond = "condition", ["then"] = "blocks[1]", otherwise = "blocks[1]" },
  ph_edit_setarg = { v = "inst", i = "0" }, ph_edit_insert = { at = "inst" },
  ph_edit_move = { v = "inst", at = "last" },
  ph_edit_copyinto = { at = "inst", callee = "finished" },
  ph_edge_retarget = { from = "blocks[1]", to = "blocks[0]" },
  ph_edge_add = { when = "condition" },
  ph_edge_remove = EDGE, ph_edge_split = EDGE, ph_func_setstruct = { passing = "PH_BYVAL" },
  ph_opcheck_wants = { i = "0" }, ph_const_float = { type = "PH_F64" },
}
local ARRAYS <const> = {
  ph_value = true, ph_block = true, ph_var = true, ph_type = true, ph_incoming = true,
  ph_definition = true, ph_access = true, uint32_t = true,
}

local function read(path)
  local file <close> = assert(io.open(path))
  return file:read "a"
end

local function output(command)
  local pipe <close> = assert(io.popen(command))
  return pipe:read "a"
end

--- The functions of a header: {name, params = {{type, name}, ...}}.
local function prototypes(text)
  local list = {}
  text = text:gsub("/%*.-%*/", " "):gsub("\\\n", " "):gsub("\n#[^\n]*", "\n"):gsub("%b{}", " ")
  for result, name, params in text:gmatch "([%w_ *]+[ *])(ph_[%w_]+)(%b())%s*;" do
    if not result:find "typedef" then
      local it = { name = name, params = {} }
      for param in params:sub(2, -2):gsub("%w+ %(%*(%w+)%)%b()", "callback *%1"):gmatch "[^,]+" do
        local type, as = param:gsub("%s+", " "):match "^ ?(.-)([%w_]+)%[?[%w_]*%]? ?$"
        if param:find "%[" then type = type .. "*" end
        if as ~= "void" then table.insert(it.params, { type = type:gsub(" $", ""), name = as }) end
      end
      table.insert(list, it)
    end
  end
  return list
end

local function is_pointer(param) return param.type:find "%*$" end

-- The expression of a good argument.
local function sample(param)
  local type = param.type:gsub("^const ", ""):gsub(" ?%*$", "_at")
  return "sample_" .. type:gsub("[ *]", "_")
end

-- Writes a function that makes a call in which argument i is bad; returns its name.
local function write_call(it, i, bad)
  local args, name = {}, ("%s_%d"):format(it.name:sub(4), i)
  for k, param in ipairs(it.params) do
    args[k] = k == i and bad or (GOOD[it.name] or {})[param.name] or sample(param)
  end
  print(("static void %s(void) { (void)%s(%s); }"):format(name, it.name, table.concat(args, ", ")))
  return name
end

-- The bad calls of a function: rows of the table.
local function rows_of(it)
  local rows, nullable, good = {}, NULLABLE[it.name] or {}, nil
  local function add(i, what, bad, pointer)
    good = good or write_call(it, 0)
    table.insert(rows, ("    {%s, \"%s %s\", %s, %s, %s},"):format("name_" .. it.name,
      it.params[i].name, what, pointer, write_call(it, i, bad), good))
  end
  for i, param in ipairs(it.params) do
    local any = (ANY[it.name] or ""):find("%f[%w]" .. param.name .. "%f[%W]")
    local may = any or nullable[param.name] or NULLABLE["*"][param.name]
    local array = ARRAYS[param.type:match "^const ([%w_]+)"]
    if is_pointer(param) and not may then
      add(i, "NULL", "NULL", array and "NULL" or '"' .. param.name .. '"')
    elseif STRANGE[param.type] and not any then
      add(i, "strange", STRANGE[param.type], "NULL")
    end
  end
  if rows[1] then print(("static const char name_%s[] = \"%s\";"):format(it.name, it.name)) end
  return table.concat(rows, "\n")
end

local all = {}
for path in output "ls src/phial/*.h":gmatch "%S+" do
  for _, it in ipairs(prototypes(read(path))) do table.insert(all, rows_of(it)) end
end
print("\nstatic const bad_call bad_calls[] = {\n" .. table.concat(all, "\n") .. "\n    {0}};")
