---@meta phial
-- luacheck: ignore 241

-- The declarations of phial for editors. A spec compares them with the metatables of
-- the C module.
--
-- Errors. A wrong call raises an error, positioned at the caller, and changes
-- nothing. The errors that all methods have in common are not repeated for each: the
-- function is closed, or broken (memory ran out during a change); the
-- number of arguments is wrong; a handle belongs to another function, or to a value
-- that finish has dropped, or a change is to be made with a block that it has dropped
-- (questions about such a block are answered). Tables of options are checked for unknown names,
-- lists for keys other than 1 to n; both are read without metamethods. Methods that make or change something are
-- refused after finish (see `fn:reopen`) and while an `undef` or `log` callback runs.
-- While a function is under construction, messages end with the position that
-- `fn:set_loc` has set: " @ file:line:col".
--
-- Handles. A block, a variable or a value has one handle: as long as that is held,
-- every method returns the same handle. So handles can be compared with rawequal, and
-- be keys of tables; of a value that may be a phi, use `v:now()` as key.
--
-- Tiers. *core*: what a frontend needs daily. *experimental*: may change in any
-- version. All others are stable (docs/interface.md). `lua5.4 tools/tiers.lua` counts them.

--- phial: SSA construction on the fly.
---@class phial
---@field _VERSION string "phial 1.0.0-rc1"
---@field emit phial.Emitters
local M = {}

--- A Lua value that becomes a constant: an integer or float takes the type of the
--- other operand (without one: i64, f64), a boolean is an i1; strings can only be
--- operands of type any.
---@alias phial.Literal integer|number|boolean|string

--- What an instruction can use. A variable stands for its value in the block where
--- the instruction is made: it is read there. All operands are checked before the first
--- is read.
---@alias phial.Operand phial.Value|phial.Variable|phial.Literal

--- An operand where nothing can be read: in a finished function, for phis.
---@alias phial.ValueOrLiteral phial.Value|phial.Literal

--- A type by name: "i1", "i8", "i16", "i32", "i64", "f32", "f64", "ptr",
--- "any", or "dialect.type".
---@alias phial.Type string

--- Data of an instruction besides its operands: any Lua value.
---@class phial.Extra
---@field data any
---@field results? integer|phial.Type[] the number of results, of an op that has results = "*"; or their types, if it also has result = "*"
---@field align? 1 of `load` and `store`: the address need not be aligned
---@field reads? phial.Classes of what reads: which classes of memory; default: what its op or declaration says, or "all"
---@field writes? phial.Classes the same of what writes

--- What may follow the arguments of a call.
---@class phial.CallOptions
---@field as? string of a call at an address: the function there has the signature of the function or declaration of that name, including how C passes its arguments
---@field variadic? integer of a call at an address: the function there is variadic, and has this many parameters
---@field reads? phial.Classes which classes of memory the call reads; default: what the declaration says, or "all"
---@field writes? phial.Classes the same of what it writes

--- Which classes of memory are read or written (docs/memory.md), names that are identifiers;
--- "all", not in a list, is all memory, with or without a class. A function has at most 32.
---@alias phial.Classes string[]|"all"

--- A variant of the paper's algorithm: sections 3.3 (marker, scc), 2 (simple), 3.1
--- (operand).
---@alias phial.Construction "marker"|"simple"|"scc"|"operand"

--- How C passes a value: a narrow integer extended by zeros, as `uint8_t`, or by its sign, as
--- `int8_t`; an address as the va_list stored there, or as the struct, with the types of its
--- members: "byval {i32, f64, i8[3]}"; "sret {i64, i64}" is the address of a struct that C returns.
---@alias phial.Passing "zeroext"|"signext"|"va_list"|string

--- Whether other parts of a program see a name ("external", the default) or not ("internal").
---@alias phial.Linkage "external"|"internal"

---@class phial.Options
--- How joins are looked up; the finished function is the same. "marker" (default) marks
--- the join and makes a phi only if the values of its predecessors differ, or the look-up
--- comes back to it in a loop. "simple" makes a phi at each join first, and removes it if
--- it is trivial: the algorithm of the paper without its section 3.3. "scc" finds the
--- cycles that a value flows through, and makes necessary phis only, except in unsealed
--- blocks. "operand" is "simple" for IRs without lists of users: it leaves some trivial
--- phis to `finish`. docs/variants.md compares them.
---@field construction? phial.Construction
---@field type? phial.Type of variables and parameters without a type (default "i64")
---@field copies? boolean each write makes a copy of its own
--- Whether reads and writes are recorded: `fn:read_accesses()`, `fn:write_accesses()`. Implies
--- `copies`, which distinguishes writes of the same value.
---@field accesses? boolean
--- Unreachable blocks are kept and analysed (docs/analysis.md): `finish` keeps them unless
--- its own option says otherwise, and the terminators of dead blocks add edges, so that
--- reads in dead code see what was written there.
---@field keep_unreachable? boolean
---@field split? boolean edges that refine variables are split where they must be: see
---phial.EdgeOptions
--- The result of a read that sees no definition: an undef value ("undef", the default), or
--- an error that `finish` raises ("error"), or what a callback returns: a constant (a
--- literal or fn:const) or an argument (fn:arg) of the variable's type. It is called
--- once for a variable, right after the first such read or seal, and what it returns
--- is the variable's value at the entry. It is not called for reads in blocks that are dead by then:
--- they give undef. If it fails, the call that reads is completed before the error is raised.
--- If phial.build is called without this option, a read is an undef value, and an error that
--- `finish` raises if no path to it writes the variable.
---@field undef? "undef"|"error"|fun(var: phial.Variable): phial.ValueOrLiteral
---@field strict? boolean finish refuses unsealed blocks; rules that do not terminate are an error
--- Whether to record the Lua file and line of blocks, seals and terminators (true,
--- the default), or of all instructions ("all").
---@field where? boolean|"all"
--- Called with each step of the construction, after the call that caused it; it
--- can read the function, but not change it. In a table, `detail = true` adds the steps within
--- look-ups. true, or a table without a listener: the function keeps a phial.Log,
--- which phial.emit.json and phial.emit.html find. false: none.
---@field log? fun(event: phial.Event)|boolean|{[1]: fun(event: phial.Event)?, detail: boolean?}
---@field dialects? phial.Dialect[] their ops and types can be used by name
--- Rules to apply while the function is constructed (default: phial.rules "int");
--- constants are folded and equal values merged, too. false: instructions stay as
--- they were emitted.
---@field rules? phial.Rules|false
---@field applications? integer the maximum number of applications of rules: see phial.bisect
--- Further arguments may follow those of its parameters: `va_start`, docs/modules.md.
---@field variadic? boolean
---@field linkage? phial.Linkage "internal": C has it as `static`, LLVM as `internal`, and the library of its module does not have it

--- A step of the construction, for the option `log`: a userdata whose fields can be
--- read at any later time. They are made when they are read, so an unused step costs
--- little. pairs iterates over the fields that it has.
--- Handles stand for the present values; the ids are those at the time of the step,
--- also of phis that have been replaced since.
---
--- - block, var: was made
--- - emit: the instruction `value` was added; `rule`: the last rule that rewrote it
--- - write: var was set to value in block
--- - kill: var has ended in block
--- - lookup: var is looked up beyond block; the read follows
--- - read: a read of var in block returned value
--- - phi: the phi `value` was made in block for var
--- - operand: operand `index` of the phi `value` is `operand`, from the block `from`
--- - trivial, redundant: the phi `value` was replaced by `by`
--- - rule, folded, swapped, merged: `op` with the operands `args` was to be emitted into block, and
---   is rewritten: to `value`, or to `new_op` with `new_args`, which can be rewritten again. By a rule;
---   because the operands are constant (a branch or switch becomes a jump); to put the operands into
---   canonical order; because an equal `value` exists
--- - simplified: the instruction `value` was replaced by `by`
--- - filled: the terminator `value` ended block
--- - sealed: block was sealed; the operands of its phis follow
--- - defined: the undef callback returned value for var
--- - dropped: block was removed, because it is unreachable
--- - finished, reopened: the function was
--- - edited: the finished function was changed, at value or block
---
--- With the option `detail` only:
---
--- - climb: a look-up of var went from the end of the block `from` up to the end of `to`, over
---   `passed` dominators in between, which cannot change the result, and found value there, if any
--- - marked: the look-up of var marks block and goes on in its predecessors (section 3.3)
--- - mark_found: it came back to the mark of block
--- - unmarked: all that reaches block gives var the value `value`: no phi is made
--- - reexamined: the phi `value` is examined again, because one of its operands was replaced
--- (Algorithm 3)
--- - frontier: of a classical algorithm that uses dominance frontiers: block is in that of the block `from`
--- - queued, taken: of such an algorithm: block enters the worklist for var, or leaves it
--- - placed: block will have a phi for var, because it is in the frontier of the block `from`, which
---   writes var, or has a phi for it
--- - entered, left: of a classical algorithm: renaming enters block, whose phis and writes are pushed
---   on the stacks of their variables, or leaves it, and they are popped
---@alias phial.EventName
---| "block"|"var"|"emit"|"write"|"kill"|"lookup"|"read"|"phi"|"operand"|"trivial"
---| "redundant"|"rule"|"folded"|"swapped"|"merged"|"simplified"|"filled"|"sealed"|"defined"|"dropped"|"finished"|"reopened"
---| "edited"|"climb"|"marked"|"mark_found"|"unmarked"|"reexamined"
---| "frontier"|"queued"|"taken"|"placed"|"entered"|"left"

---@class phial.Location
---@field line integer
---@field col? integer
---@field file? string
---@field end_line? integer where it ends, if that was given
---@field end_col? integer

---@class phial.Event
---@field event phial.EventName
---@field place? string "file:line" of the call that made it
---@field loc? phial.Location the frontend's position
---@field block? phial.Block
---@field var? phial.Variable
---@field value? phial.Value
---@field value_id? integer
---@field op? string of what is rewritten, as `v:op()` names it
---@field args? phial.Value[] the operands of the instruction or terminator
---@field args_id? integer[]
---@field new_op? string of the instruction that it becomes
---@field new_args? phial.Value[]
---@field new_args_id? integer[]
---@field operand? phial.Value
---@field operand_id? integer
---@field index? integer
---@field from? phial.Block
---@field to? phial.Block
---@field passed? integer number of blocks
---@field rule? string the name of the rule, or SOURCE:LINE
---@field rule_text? string of a rule that applies: the rule as it was written
---@field by? phial.Value
---@field by_id? integer

--- *core*
--- Makes a function with an entry block.
---@param name string
---@param params? string[] "name:type", or "name" with the default type; "name:i8 zeroext" says how C
---passes it: see `fn:passing`
---@param result? phial.Type|phial.Type[] without it, the function returns nothing
---@param opts? phial.Options
---@return phial.Function
function M.fn(name, params, result, opts) end

--- *core*
--- Makes a function from a structured program: calls the body with the builder and
--- the variables. The options may be left out: phial.build(name, params, result, body).
---@param name string
---@param params? string[]
---@param result? phial.Type|phial.Type[]
---@param opts phial.Options?
---@param body fun(b: phial.Builder, v: phial.Variables)
---@return phial.Function fn finished
---@overload fun(name: string, params: string[]?, result: phial.Type|phial.Type[]?, body: fun(b: phial.Builder, v: phial.Variables)): phial.Function
function M.build(name, params, result, opts, body) end

--- One op of a dialect.
---@class phial.OpSpec
--- The number of operands, of any type (default 0); "*" for any number; or their
--- types. The dialect's own types are named without its prefix, here and in `result`:
--- "table" for what is "lua.table" elsewhere.
---@field args? integer|phial.Type[]|"*"
--- The type of the results; "*": each instruction gives it, as the last operand of emit.
---@field result? phial.Type|"*"
--- emit returns this number of values of type result; a list: values of these types, without
--- `result`; "*": as many as its extras say (default 1), or as there are variables in let. With
--- result = "*", too, the extras can be a list of types, and let takes those of the variables.
---@field results? integer|phial.Type[]|"*"
--- eval is called with the option `env` of the run before the operands.
---@field env? boolean
--- What it does besides computing its results. "none": an equal instruction can
--- replace it, and it is dropped if unused. "read": its results depend on earlier
--- writes: it can be dropped, and an equal one replaces it if nothing is written
--- between them. "new": each has a result of its own, as an allocation has: it can be
--- dropped, but never merged. "write" (default): it stays.
---@field effect? "none"|"read"|"new"|"write"
--- The classes that it reads and writes (docs/memory.md#classes); everything, as its effect
--- allows, if a field is missing. With `reads` alone, the effect is "read" unless it is given;
--- with `writes` it is "write".
---@field reads? string[]
---@field writes? string[] not empty
---@field pure? true short for effect = "none"
---@field traps? boolean it may raise an error: it stays even if unused
---@field commutative? boolean
---@field terminator? boolean ends a block
---@field targets? integer|"*" of a terminator (default 0)
--- The op's weight in rules, whose results must weigh less (default 3, as add; mul: 10), and what it
--- counts where they make several instructions (default 1, as an op of phial).
---@field cost? integer
--- Computes the results from the operands, followed by the data if the instruction
--- has any. For a terminator it returns the number of the target or, without targets,
--- the function's result. Of a pure op it also folds instructions whose operands are constants.
---@field eval? function
--- The instruction in LLVM IR or C, for `phial.emit.llvm` and `phial.emit.c`: a row, as
--- docs/exporters.md describes it, or a function that returns the lines; see docs/dialects.md.
---@field llvm? string|fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
---@field c? string|fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
--- The instruction in Lua, in the same ways, which `phial.emit.lua`, and so `fn(...)`, uses instead
--- of a call of `eval`; but not where it is a terminator without targets.
---@field lua? string|fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]
--- Returns a comment for texts in place of data that they cannot show: a table, a userdata. Texts
--- that it makes of functions are without such comments.
---@field describe? fun(data: any): string?
--- What a pure op computes, for `R:prove`: docs/dialects.md.
---@field smt? string

--- *experimental*
--- Makes an emitter for a language in SSA form, of a table of rows and a frame. It takes the
--- option `traps`, "checked" (the default) or "undefined".
---@param spec phial.ExporterSpec
---@return phial.Emitter
function M.exporter(spec) end

--- Defines ops and types.
---@param name string an identifier, as are the names of ops and types
---@param ops table<string, phial.OpSpec>
---@param types? string[]
---@return phial.Dialect
function M.dialect(name, ops, types) end

--- *core*
--- Makes a set of rules: empty, with the rules of a text, or with "int" based on the built-in
--- rules. `require "phial.rules.more"`, in a local variable, is a text of more rules, which were found. A wrong
--- text raises an error that shows the mistake, as in R:add.
---@param text? string
---@param functions? table<string, function> the functions that the text calls as $name
---@param name? string of the text, for messages
---@return phial.Rules
function M.rules(text, functions, name) end

--- *core*
--- Reads the text form: a function, a declaration, or a module, whose text starts with
--- `module`. The text of an unfinished function gives one that can be read, but not
--- continued. With "any" as the option `dialects`, or in its list, dialects that are not
--- given are made up from how the text uses their ops and types (docs/text.md);
--- `fn:dialect(name)` returns them.
---@param text string
---@param opts? phial.ParseOptions
---@return phial.Function|phial.Module|nil it nil if the text is wrong
---@return string? message "line:column: message"
function M.parse(text, opts) end

--- *core*
--- Makes a module: functions, globals and declarations (docs/modules.md).
---@param name string
---@param opts? phial.Options hold for all its functions
---@return phial.Module
function M.module(name, opts) end

---@class phial.ParseOptions
---@field dialects? "any"|(phial.Dialect|"any")[]
---@field file? string named in the message

--- A record of what a frontend does with a function, as a trace (docs/trace.md).
---@class phial.Record
local Record = {}

--- The trace so far.
---@return string
function Record:text() end

--- Writes the trace so far to a file; on failure returns nil and a message that names
--- the file.
---@param path string
---@return true?
---@return string? why
function Record:save(path) end

--- Records what is done with a function from now on; refused if it already has more
--- blocks, or instructions.
---@param fn phial.Function
---@param path? string each line is also written to this file, as it comes
---@return phial.Record? record nil if the file cannot be written
---@return string? why
function M.record(fn, path) end

--- A log of what construction does with a function, for `phial.emit.json` and
--- `phial.emit.html`: of the option `log = true`, or of `fn:log(true)`.
---@class phial.Log

--- The paper's variants and the classical algorithms: docs/classical.md.
---@alias phial.Algorithm phial.Construction|"cytron"|"briggs"|"choi"|"djgraph"|"aycock"|"brandis"

---@class phial.TraceOptions
---@field dialects? phial.Dialect[] others are made up from how their ops are used
---@field construction? phial.Algorithm replaces the recorded one
--- The objects for `{host 1}` ...; default: functions that raise an error.
---@field host? table<integer, any>|fun(k: integer): any
---@field verify? boolean false: finish does not verify
---@field file? string named in messages

---@class phial.ReplayOptions: phial.TraceOptions
---@field rules? phial.Rules|boolean rules that simplify what is replayed, true for the built-in ones (default false); reads are not compared with the trace then

---@class phial.AccessOptions: phial.ReplayOptions
---@field accesses? boolean records accesses (docs/analysis.md), whose nodes are the lines of the trace; without rules

--- Makes the functions of a trace. With a classical algorithm as `construction`, which needs
--- the whole program before it places phis, each function must end, by a line E
--- (docs/classical.md).
---@param text string|phial.Record
---@param opts? phial.AccessOptions
---@return phial.Function? fn all functions, as several results; nil if the text is wrong
---@return string? message "line: message"
function M.replay(text, opts) end

---@class phial.StepOptions: phial.AccessOptions
---@field detail? boolean whether the events include the steps within look-ups

--- A line of a trace that was replayed.
---@class phial.Step
---@field line integer
---@field text string
---@field fn phial.Function? its state after the line; nil if it could not be made
---@field events phial.Event[] what construction did
---@field stands_in? {value: phial.Value, var: phial.Variable} of a line r with a classical algorithm: the undef that replaces the variable until the line E
---@field problem? string "line: message"; then this is the last step

--- Replays a trace step by step.
---@param text string|phial.Record
---@param opts? phial.StepOptions
---@return (fun(): phial.Step?)? iterator nil if a line cannot be read
---@return string? message "line: message"
function M.steps(text, opts) end

--- An op, as listed by `phial.ops`. The signature is the result, a colon and the
--- operands. `t` and `i` are integer types, `f` and `g` float types, `x` and `v` any
--- types; all `t` are the same type, and so are all `f` and all `x`. `b` is i1, `-`
--- none; in upper case, the instruction states the type; a star: any number.
---@class phial.OpRow
---@field name string
---@field signature string
---@field text string what it computes from its operands a, b (select: c, a, b)
---@field class string "arith", "compare" ...: ops of a class are treated alike
---@field weight integer in rules; 0: they cannot have it
---@field swapped? string the op that computes the same of swapped operands
---@field targets integer
---@field effect "none"|"read"|"new"|"write" as in `phial.OpSpec`
---@field pure? boolean neither effect nor trap nor terminator
---@field commutative? boolean
---@field terminator? boolean
---@field traps? boolean
---@field leaf? boolean not an instruction of a block

--- Raises from the eval of a dialect's op; the instruction and its place are added.
---@param message string
function M.trap(message) end

---@class phial.Bisected
---@field rule string the name of the rule, or SOURCE:LINE
---@field count integer its application is the count-th in the function
---@field before phial.Function without that application
---@field after phial.Function with it

--- Finds the one application of a rule that makes a right function wrong, by halving: applies
--- only the first n. `make` is called with options for phial.fn, builds the same function each
--- time and returns it; `is_right` says whether it is right, for example by a run. An error if it
--- is right with all rules, or wrong without.
---@param make fun(opts: phial.Options): phial.Function
---@param is_right fun(fn: phial.Function): boolean
---@return phial.Bisected
function M.bisect(make, is_right) end

--- All ops except those of dialects.
---@return phial.OpRow[]
function M.ops() end

--- What a Lua module phial.emit.NAME returns: an emitter, docs/exporters.md. Its functions return
--- the text, and may return further results.
---@class phial.Emitter
---@field func fun(fn: phial.Function, opts: any): string, ...
---@field module? fun(m: phial.Module, opts: any): string, ...
---@field trace? fun(text: string, opts: any): string, ... gets the texts of records, too
---@field help? string a line of `phial emit --help`; each that comes with phial has one
---@field joined? boolean the texts of functions can follow one another in a file
---@field lenient? boolean also invalid functions can be written

--- A language in SSA form, for `phial.exporter`: docs/exporters.md.
---@class phial.ExporterSpec
---@field name string the language, for messages
--- How each op is written, also those of dialects, by "dialect.op": a text, or a function that
--- returns the lines. `phi`, `jump` and `branch` are needed.
---@field rows table<string, string|fun(v: phial.Value, operands: string[], emit: phial.Site): string|string[]>
---@field types table<phial.Type, table<string, string>> words of a type, by capital letter
--- The text of a constant; integers from 0 to 2^31 - 1 are written without it.
---@field constant fun(type: phial.Type, value: boolean|number): string
---@field value string what precedes the text of a value, as "%$v = ": `$v` is its name
---@field label string the line that begins a block, as "$v:"
---@field incoming string what a phi has for an edge: `$a` is the operand, `$>1` the block
---@field argument? string what `$*a` has for each operand; `params` of a frame, too
---@field trap? string the line, or two, to which traps lead
---@field longest? integer bytes of names, without what makes them different
---@field frame fun(fn: phial.Function, it: phial.Exported): string the whole function
---@field help? string a line of `phial emit --help`

--- A function of an exporter, for its frame.
---@class phial.Exported
---@field name string
---@field params string as `argument` has them
---@field body string the blocks
---@field is_exported boolean it is seen from outside

--- Each calls a phial.Emitter, after a check of the first argument.
---@class phial.Emitters
---@field dot fun(fn: phial.Function): string a graph in Graphviz's language
--- Lua source of a finished function: a chunk that returns it. The chunk must be
--- called with the table if the function calls anything or uses memory, which is in the table,
--- shared with callees, and lasts from call to call (docs/running.md).
---@field lua fun(fn: phial.Function, opts?: phial.LuaOptions): string, table
--- A finished function in continuation-passing style: docs/cps.md. In the notation of the
--- paper's Figure 8, in which objects without a text are {host 1}, ...; the second result is a
--- list of them. Or as Lua, a chunk as that of `phial.emit.lua`, whose function gets one more
--- argument, the continuation `ret`.
---@field cps fun(fn: phial.Function, opts?: phial.CpsOptions): string, table?
--- The text form with parameters of blocks instead of phis, as Cranelift and MLIR have it.
---@field blockargs fun(fn: phial.Function): string
--- C11 source of a module, or of a finished function and of what it refers to:
--- docs/native.md.
---@field c fun(it: phial.Function|phial.Module, opts?: phial.COptions): string
--- LLVM IR of a module, or of a finished function and what it refers to:
--- docs/exporting.md.
---@field llvm fun(it: phial.Function|phial.Module, opts?: phial.LlvmOptions): string
--- A function, or the functions of a trace, as JSON, with the events of their construction:
--- docs/json.md. Raises an error if no function can be made of a trace.
---@field json fun(it: phial.Function|phial.Record|string, opts?: phial.JsonOptions): string
--- A page that shows a function, or those of a trace, and each step of their construction,
--- with the steps of phial.emit.json: docs/explorer.md.
---@field html fun(it: phial.Function|phial.Record|string, opts?: phial.HtmlOptions): string
--- A picture of a function, or of the function of a trace, at some steps of its construction,
--- as that page draws them: docs/explorer.md. Needs the program `node`.
---@field svg fun(it: phial.Function|phial.Record|string, opts?: phial.SvgOptions): string

---@class phial.HtmlOptions: phial.JsonOptions
---@field title? string of the page
--- The source that is shown: a text, for positions that name no file; or texts by the names of
--- files; true: regular files of at most 4 MiB that positions name, which are read; false: none.
--- By default true for a function with a log, else false.
---@field source? string|table<string, string>|boolean
--- Of a trace: next to it, the same functions as these options construct them, step by step.
---@field compare? {construction: string?, rules: phial.Rules|boolean|nil}

---@class phial.SvgOptions: phial.JsonOptions
---@field steps? integer[] a panel for what follows each of these; by default the last one
---@field columns? integer at most so many panels side by side, from 1; by default 3
--- By default "light"; "print" is black on white. What the reader's system prefers changes nothing.
---@field theme? "light"|"dark"|"print"

---@class phial.JsonOptions: phial.ReplayOptions those of a replay are for traces
---@field detail? boolean of a trace: include the steps within look-ups
--- After the events of a finished function that has them: how it leaves SSA form, as events
--- `location` and `move`.
---@field leave? boolean|{coalesce: boolean?}
---@field log? phial.Log|false of the function; by default the latest that it has; false: none
---@field range? integer[] {from, to}: which events are written, and are steps of a page
---@field variable? string only events about the variables of this name
---@field block? string only events about the block of this name, as in the text form

---@class phial.COptions
--- "undefined" leaves out the checks of divisions, conversions and `unreachable`.
---@field traps? "checked"|"undefined"
---@field lines? boolean whether `#line` gives the frontend's positions (default true)
---@field file? string the name of the C file, for lines without such a position

---@class phial.LlvmOptions
--- Pointers as LLVM 15 and later write them ("opaque", the default), or for LLVM 14.
---@field pointers? "opaque"|"typed"
--- A trap calls llvm.trap (the default), or `void phial_trap(const char *why)`, which must
--- not return; or nothing is checked, and what would trap is undefined.
---@field traps? "checked"|"trap"|"call"|"undefined"
---@field file? string the source file of positions that name none
---@field directory? string that of the source files

---@class phial.TextOptions
---@field ids? "own"|"dense"
---@field order? "id"|"rpo"
---@field positions? boolean

---@class phial.LuaOptions
--- One Lua function with gotos, or one for each block (default: depends on its size).
---@field form? "goto"|"blocks"
---@field fuel? boolean counts blocks: table.fuel.left is the number that may be entered
---@field locals? integer the maximum in one Lua function (default 180)

---@class phial.CpsOptions
---@field form? "text"|"lua" the paper's notation (default), or Lua with proper tail calls
--- The deepest nesting of continuations, 0 to 150 (default); deeper functions are flat.
---@field nesting? integer
---@field fuel? boolean Lua counts blocks: table.fuel.left is the number that may be entered

--- Options of a run, after the arguments.
---@class phial.RunOptions
---@field env? table<string, function> the functions that it calls by name
---@field fuel? integer the number of blocks that it and all its callees may enter

--- A function, finished or under construction. `tostring` gives its text. It can be a
--- to-be-closed variable; closing frees it at once.
---
--- Under construction it has the methods of its current block that emit, read, write and
--- end it (`fn:set_current`).
---
--- A finished function runs when it is called, `fn(...)`, with as many arguments as it has
--- parameters, optionally followed by options (phial.RunOptions). Integers are Lua integers,
--- an i1 is a boolean. A trap is an error that names the instruction and its position.
---@class phial.Function: phial.End
---@overload fun(...): any
local Function = {}

--- *core*
--- Makes a variable; names need not be unique.
---@param name? string
---@param type? phial.Type
---@return phial.Variable
function Function:var(name, type) end

--- A group of variables for `block:may_write`, which can be empty at first. Variables of a
--- group are somewhat slower to read and write than others. Errors: an element that is not
--- a variable of the function, or has another type than the others.
---@param vars phial.Variable[]
---@return phial.Group
function Function:group(vars) end

--- *core*
--- Makes a block. In a finished function it has no predecessors and ends with `unreachable`:
--- `block:back()` fills it, and edges are redirected to it. In one under construction it is to
--- be filled and sealed. With a number of predecessors, it seals itself when the last one
--- has been added; more are refused. Edges are counted: a branch whose targets are the
--- same block counts twice. Code after a `return` or `break` goes into a dead block,
--- `fn:block(nil, 0)`: it accepts instructions, adds no edges, and `finish` drops it.
---@param name? string
---@param preds? integer the number of edges; not in a finished function
---@return phial.Block
function Function:block(name, preds) end

--- *core*
--- The entry block, which has no predecessors.
---@return phial.Block
function Function:entry() end

--- The parameters' variables.
---@return phial.Variable[]
function Function:params() end

--- *core*
--- The variable of parameter i, from 1, which can be written; its value at the entry is
--- `fn:arg(i)`.
---@param i integer
---@return phial.Variable
function Function:param(i) end

--- *core*
--- The value of argument i, from 1; what writes change is the variable, `fn:param(i)`.
---@param i integer
---@return phial.Value
function Function:arg(i) end

--- *core*
--- A constant. Without a type, an integer is an i64, another number an f64, a boolean
--- an i1; nil and strings are of type any. `fn:const(true)` is a constant condition.
---@param value phial.Literal? nil must be given
---@param type? phial.Type
---@return phial.Value
function Function:const(value, type) end

--- *core*
--- The undefined value of a type.
---@param type phial.Type
---@return phial.Value
function Function:undef(type) end

--- *core*
--- Sets the current block, nil for none: there the function's own methods, operators and
--- methods of values emit. Each acts on it at the call, after its arguments are evaluated, so
--- `fn:add(expr(l), expr(r))` is right also if `expr` goes on to another block. (A variable as
--- operand is read at the call, too: if a later operand may write it, say `fn:read(x)`.) Refused
--- for a block with a terminator, and after finish.
---@param block phial.Block? nil must be given
---@return phial.Function self
function Function:set_current(block) end

--- *core*
--- The current block; nil if none was set, once it has a terminator, and after finish. Then
--- what would act on it raises an error, except jump_if_open, which does nothing at a
--- terminator.
---@return phial.Block?
function Function:current() end

--- *core*
--- Sets the frontend's source position for what follows; without arguments, none. Operands that
--- are made later and set theirs hide it, so a statement's comes first, an operator's last. Until
--- `finish`, it also ends the messages of errors, without its end.
---@param line? integer
---@param col? integer
---@param file? string
---@param end_line? integer where it ends; the line by default if `end_col` is given
---@param end_col? integer
---@return phial.Function self
function Function:set_loc(line, col, file, end_line, end_col) end

--- The position that `set_loc` has set; parts that were not given are nil.
---@return integer? line
---@return integer? col
---@return string? file
---@return integer? end_line if the end was given
---@return integer? end_col
function Function:loc() end

--- Sets what the following instructions are made for, such as a node of the syntax tree or an instruction of
--- the frontend's own: any Lua value; nil, none. `v:nodes()` and `access:node()` give it back.
--- Operands that are made later and set theirs hide it, so an operator sets its own last.
---@param node? any
---@return phial.Function self
function Function:set_node(node) end

--- The node that `set_node` has set.
---@return any
function Function:node() end

---@return string
function Function:name() end

--- The module that the function is part of, or nil.
---@return phial.Module?
function Function:module() end

--- True if it has no body: it is defined elsewhere (`module:declare`).
---@return boolean
function Function:is_declaration() end

--- True if further arguments may follow those of its parameters.
---@return boolean
function Function:is_variadic() end

--- The classes of memory that calls of a declaration read and write; "all" of other functions.
---@return phial.Classes reads
---@return phial.Classes writes
function Function:classes() end

--- The type of its first result, or nil.
---@return phial.Type?
function Function:result() end

--- The types of its results.
---@return phial.Type[]
function Function:results() end

--- How C passes parameter i, or returns the result (without an argument). Narrow integers are
--- extended where a register is wider: i1 by zeros, i8 and i16 by their sign, unless `phial.fn`
--- or `module:declare` was told otherwise: "x:i8 zeroext". "p:ptr va_list" is the va_list at an
--- address, "p:ptr byval {i32, f64}" a struct, of which the function has a copy, and a first
--- parameter "r:ptr sret {i32, f64}" the struct that C returns. nil: as usual.
---@param i? integer
---@return phial.Passing?
function Function:passing(i) end

--- The option `linkage`.
---@return phial.Linkage
function Function:linkage() end

--- *core*
--- Iterates over all blocks, in the order in which they were made.
---@return fun(fn: phial.Function, block?: phial.Block): phial.Block?
---@return phial.Function
function Function:blocks() end

--- Iterates over all phis and instructions, block by block.
---@return fun(fn: phial.Function, value?: phial.Value): phial.Value?
---@return phial.Function
function Function:values() end

---@class phial.Stats
---@field blocks integer
---@field values integer phis and instructions
---@field phis integer
---@field temporary_phis integer phis whose operands were looked up and that were removed
---@field trivial_phis integer phis replaced as trivial, including those that a read in
---an unsealed block returned and whose operands need not be looked up
---@field redundant_phis integer phis replaced as redundant
---@field folded integer instructions folded to constants when they were emitted
---@field applied integer rules applied when instructions were emitted
---@field merged integer instructions replaced by equal ones when they were emitted
---@field late_folded integer the same three, during finish
---@field late_applied integer
---@field late_merged integer
---@field exhausted integer the number of times that rules did not terminate and were stopped
---@field dropped_refinements integer refinements of edges that were not the only one into
---their target, or were folded away
---@field rules? table<string, integer> the number of applications of each rule of its set, by name

--- Counts about the function and its construction.
---@return phial.Stats
function Function:stats() end

--- The option `construction`.
---@return phial.Construction
function Function:construction() end

--- True if unreachable blocks are kept and analysed: by the option of phial.fn, or that of
--- the last `finish`, until `fn:clean{unreached = true}`.
---@return boolean
function Function:keeps_unreachable() end

--- Logs the construction from now on, as the option `log` of phial.fn does: calls a function
--- with each step; or, with true or without a function, keeps a phial.Log, which is refused if
--- it already has more blocks, or instructions.
---@param it fun(event: phial.Event)|boolean|{[1]: fun(event: phial.Event)?, detail: boolean?}
---@return phial.Log? log if it is kept
function Function:log(it) end

--- *core*
--- The text form. ids = "dense" numbers values in reverse postorder and sorts phis, for
--- comparing functions. order = "rpo" prints the blocks in reverse postorder, those that
--- are not reached last; ids and names stay as they are. positions = false leaves out the
--- frontend's positions.
---@param opts? phial.TextOptions
---@return string
function Function:text(opts) end

--- The value or block that has this name in the text, "%sum" or "head", as
--- `tostring` gives it; nil if there is none. Constants have no names.
---@param name string
---@return phial.Value|phial.Block|nil
function Function:find(name) end

---@class phial.FinishOptions
---@field verify? boolean false: it is not verified
---@field strict? boolean refuses unsealed blocks; default: the option of phial.fn
---@field keep_unreachable? boolean default: the option of phial.fn

--- *core*
--- Ends construction: seals unsealed blocks, drops unreachable blocks, removes
--- redundant phis, simplifies, verifies. Refused, with a list, if a block has no
--- terminator (an empty one that the entry does not reach is given `unreachable`); if
--- strict and a block is not sealed; with `undef = "error"`, if a read may see no
--- definition, and in phial.build by default, if it can see none. If verify finds
--- problems, the function remains unfinished, with all blocks sealed. With keep_unreachable (default: the option of phial.fn),
--- unreachable blocks stay and are analysed as if a virtual root led to them
--- (docs/analysis.md); the rest is as it would be without them, and what runs or exports
--- the function ignores them. Not with a classical algorithm.
---@param opts? phial.FinishOptions
---@return phial.Function self
function Function:finish(opts) end

--- Continues after finish: blocks and instructions can be made again. Variables have
--- only the definitions that are written from now on. An edit (docs/editing.md) needs none of this.
---@return phial.Function self
function Function:reopen() end

--- *core*
--- Checks every invariant.
---@return true?
---@return string[]? problems
function Function:verify() end

--- *core*
--- Compiles a finished function, and all functions that it calls, to native code:
--- docs/native.md. Raises an error if there is no C compiler or it fails, if the
--- functions use what C does not have, and where the system does not load shared
--- objects; no files are left behind.
---@param opts? phial.NativeOptions
---@return phial.Library library which has the function by its name
function Function:compile(opts) end

---@return boolean
function Function:is_finished() end

--- The modification counter: every change increases it. docs/editing.md says which changes an
--- analysis depends on.
---@return integer
function Function:version() end

--- The dialect of that name, if its ops were used or the options named it.
---@param name string
---@return phial.Dialect?
function Function:dialect(name) end

--- The set of rules that it uses; nil with the option `rules = false`.
---@return phial.Rules?
function Function:rules() end

--- Frees it; a second call does nothing. After that, its handles raise errors.
function Function:close() end

---@class phial.UndefinedRead
---@field var phial.Variable
---@field block phial.Block where it is read
--- "file:line" of the read, recorded with `where = "all"` or `undef = "error"`, and by phial.build
--- unless it is given another `undef`.
---@field place? string
---@field loc? phial.Location the frontend's position
---@field path phial.Block[] a path without a definition, from the entry to the block

--- *core*
--- The reads that see no definition of their variable on some path. Of several reads
--- of a variable in one block, without a write between them, only the first. With an
--- undef function they are those that get what it returns, on some path. Reads in dead
--- blocks are not among them.
---@return phial.UndefinedRead[]
function Function:undefined_reads() end

--- All reads, in the order of the program. Like `write_accesses` and `defs_and_uses`, refused
--- without the option `accesses`.
---@return phial.Access[]
function Function:read_accesses() end

--- All writes, in the order of the program. Those of the parameters are the first: one
--- each, in the entry, without a node.
---@return phial.Access[]
function Function:write_accesses() end

--- For a list of reads: the writes that reach any of them, and whether one of them may
--- see no write. For a list of writes: the reads that any of them reaches. In the order
--- of the program, each once. Each value on the way is visited once, however long the
--- list is.
---@param list phial.Access[] reads, or writes
---@return phial.Access[]
---@return boolean? undefined
function Function:defs_and_uses(list) end

--- What `fn:clean` is to do.
---@class phial.Chores
---@field unreached? boolean drops the blocks that the entry does not reach
---@field phis? boolean removes redundant phis, which edits can leave
--- Simplifies all instructions once more: after edits, or with new rules; before that, drops
--- blocks and redundant phis, as finish does. A set: with its rules in place of the function's.
---@field rules? boolean|phial.Rules
---@field dead? boolean removes instructions without effect, and phis, that no instruction uses

---@class phial.Cleaned
---@field unreached? integer blocks that were dropped
---@field phis? integer phis that were removed
---@field rules? integer instructions that were changed
---@field dead? integer instructions and phis that were removed

--- Cleans a finished function up: what is true in the table is done, in the order of
--- phial.Chores; without a table, everything.
---@param what? phial.Chores
---@return phial.Cleaned counts of what was done
function Function:clean(what) end

---@class phial.Forwarded
---@field loads integer that are gone
---@field stores integer that are gone
---@field phis integer that were made

--- Makes values of loads of a finished function, where earlier loads and stores tell on every path
--- what memory holds (docs/memory.md), by construction on the fly; removes stores that are stored
--- over before anything may read them; then simplifies, as `fn:clean { rules = true }` does. No
--- load is added. Drops unreached blocks first, unless the function keeps them. Takes near-linear
--- time.
---@return phial.Forwarded counts of what was done
function Function:forward() end

---@class phial.Promoted
---@field allocas integer that are gone
---@field fields integer of allocas that are variables now
---@field loads integer that are gone
---@field writes integer that are gone: stores, copies and fills of memory
---@field phis integer that were made

--- Makes values of what allocas of a finished function hold, as far as their addresses are
--- used for nothing but loads, stores, and copies and fills of a constant number of bytes, at
--- constant offsets (docs/memory.md), by construction on the fly; then simplifies, as
--- `fn:clean { rules = true }` does. An alloca of at most 128 bytes is split into fields. A field
--- is undef until it is written. Drops unreached blocks first, unless the function keeps them.
--- Takes near-linear time.
---@return phial.Promoted counts of what was done
function Function:promote() end

--- Copies this finished function into another one, or into itself: the copy does what a call at the
--- cursor would do. The block of the cursor is split: control runs through the copy before it
--- comes to what follows the cursor, in a new block. `ret` becomes a jump, `tail_call` a call and a
--- jump; other terminators stay what they are, also those of dialects that return. Allocas move to
--- the start of the entry, so each round of a loop finds the bytes that the last one left. What the
--- entry does not reach is not copied. Names, variables, locations, nodes and data of instructions
--- are kept, dialects attached; data of blocks and variables are not. Phis of the copy to which the
--- arguments bring one value only are redundant: `fn:verify()` names them until
--- `fn:clean { phis = true }`. Takes time for the size of the copy and the instructions that follow
--- the cursor in its block: of a block's calls, replace the last one first.
---@param cursor phial.Cursor
---@param args? phial.ValueOrLiteral[] one for each parameter, of its type
---@return phial.Block entry the copy of this function's entry
---@return phial.Block rest begins with what followed the cursor
--- What is returned: a phi of `rest`, unless it is always the same value; undef if nothing
--- returns; nil if this function has no result.
---@return phial.Value? result
--- By block, parameter, constant, phi and instruction of this function, except `ret`: what it has
--- become.
---@return table<phial.Block|phial.Value, phial.Block|phial.Value> map
---@return phial.Value ... results from the second on
function Function:copy_into(cursor, args) end

--- Begins a repair of a finished function: SSA reconstruction (section 5.1 of the paper;
--- docs/editing.md). The values become one variable, of which each is a definition where it
--- is; `r:define` adds others, and `r:rewrite` gives each use the definition that reaches it.
--- They have one type; constants and undefs are refused, since they are the same everywhere.
---@param value phial.Value
---@param ... phial.Value
---@return phial.Repair
function Function:repair(value, ...) end

--- A repair of a function, made by fn:repair. It is done once.
---@class phial.Repair
local Repair = {}

--- From a place on, the variable is `value`, or the constant for a literal: from the start of
--- a block, after its phis, or right after an instruction. After a terminator means the end of
--- its block, after a phi the start. Later definitions at a place hide earlier ones. It is
--- left to `fn:verify` whether values dominate the places where they are definitions.
---@param place phial.Block|phial.Value
---@param value phial.ValueOrLiteral
---@return phial.Repair self
function Repair:define(place, value) end

---@class phial.RepairCounts
--- Blocks with a definition or a use of the variable, and between them.
---@field visited integer
---@field uses integer operands that were given another value
---@field phis integer made
---@field removed integer repaired values that were phis, and are redundant or dead now

--- Gives each use of the repaired values (a phi uses its operands at the ends of the
--- predecessors) the definition that reaches it, undef if none does. Makes phis only where they
--- are needed; repaired values that are phis are replaced if they have become redundant, and
--- erased if nothing needs them any more. Other values stay, with or without uses, and other
--- phis can become redundant: see `fn:clean`. Raises an error if one of the values, or a
--- place or value of a definition, is gone.
---@return phial.RepairCounts
function Repair:rewrite() end

--- True if each loop is entered at one block only.
---@return boolean
function Function:is_reducible() end

--- True if no redundant set of phis exists; otherwise false and a phi of such a set. A
--- refinement that a read has made counts as what it refines. Searches
--- as the paper's Algorithm 5 does, independently of `fn:finish` and `fn:clean`; where that
--- takes long, as for hundreds of nested loops, the dominators of the phis decide, as they do
--- there. Takes near-linear time.
---@return boolean
---@return phial.Value? phi
function Function:is_minimal() end

--- True if each phi is needed by a read or an instruction; otherwise false and a phi
--- that is not.
---@return boolean
---@return phial.Value? phi
function Function:is_pruned() end

--- The blocks that the entry reaches, in reverse postorder. If the function keeps
--- unreachable blocks, these follow, in reverse postorder, too.
---@return phial.Block[]
function Function:rpo() end

--- A loop: blocks that lead to each other (a strongly connected component). The loops
--- in it are the components that remain without its header.
---@class phial.LoopOfBlocks
---@field header phial.Block the first of its blocks in reverse postorder
---@field blocks phial.Block[] the header first; includes the blocks of inner loops. The list is
---made when it is first asked for, and is that of the time of `fn:loops()`.
---@field parent? phial.LoopOfBlocks the loop around it
---@field depth integer 1 for an outermost loop
---@field reducible boolean true if it can be entered at its header only

--- The loops, outer ones before inner ones. A block is in the list of each loop around
--- it; `block:loop_depth` and `block:loop_header` cost less.
---@return phial.LoopOfBlocks[]
function Function:loops() end

--- A data-flow problem. Facts are any Lua values except nil.
---@class phial.Problem
--- The fact of a value that is never computed. All facts start from it.
---@field bottom any
--- The least fact above both: what is known if it is either of them. Associative, commutative,
--- and `join(a, a)` is a. Not called with the bottom.
---@field join fun(a: any, b: any): any
--- The functions that evaluate instructions, by op ("add", "lua.call", an op of a dialect, and
--- "const", "param", "undef"); `default` is called for all other ops except phis, whose fact
--- is the join of their operands' facts, over taken edges. Forward: returns the fact of v.
--- Backward: returns what v contributes to the facts of its operands, in their order; the last
--- result is for all further ones.
---@field transfer table<string|phial.Op, fun(v: phial.Value, fact: phial.Fact): any, ...>
--- True if the edge can be taken; it is asked again when a fact that it depends on changes, until
--- it returns true. n: which edge of `from` it is; `fact(1)` is the fact of the condition. Default: all
--- edges are.
---@field edge? fun(from: phial.Block, to: phial.Block, fact: phial.Fact, n: integer): boolean?
--- "forward" (default): from operands to users. "backward": from users to operands.
---@field direction? "forward"|"backward"
--- True if two facts are equal; default: `==`.
---@field equal? fun(a: any, b: any): boolean
--- Called in place of small steps once a phi has changed `limit` times: returns a fact above
--- `new`, so that the fact stops changing soon.
---@field widen? fun(old: any, new: any): any
--- How often the fact of a value may change, default 1,000. With `widen`, any value may change a
--- thousand times more.
---@field limit? integer
--- Forward: only the facts of these values are computed, and those that they, and the functions that
--- are called, need; `solution:fact` refuses others. Default: all.
---@field values? phial.Value[]

--- The fact of a value, or of operand i of the instruction that is evaluated; the bottom if it has
--- none yet. The function that asks is called again when that fact changes.
---@alias phial.Fact fun(v: phial.Value|integer): any

--- Solves a data-flow problem of a finished function, sparsely: an instruction is evaluated once
--- its block is reached, and again when a fact that it depends on has changed (conditional
--- constant propagation, Wegman and Zadeck 1991, for any facts). Callbacks may only read the
--- function. Raises an error if a fact changes more often than `limit` allows, or to one that is not
--- above it. More in docs/analysis.md.
---@param problem phial.Problem
---@return phial.Solution
function Function:solve(problem) end

--- The facts that fn:solve has found. It is obsolete once the function has changed: its methods
--- then raise an error.
---@class phial.Solution
local Solution = {}

--- The fact of a value; the bottom if it is never computed.
---@param value phial.Value
---@return any
function Solution:fact(value) end

--- True if the block is reached: a taken edge leads to it, or it is the entry. With a second
--- block, true if the edge from the first to the second is taken; if there are several, the nth,
--- or any of them.
---@param from phial.Block
---@param to? phial.Block
---@param nth? integer
---@return boolean
function Solution:is_taken(from, to, nth) end

--- Leaves SSA form (docs/exporters.md): assigns locations to the values of a finished
--- function, and moves to its edges. coalesce (default true): values share locations
--- where they do not interfere. split: blocks are put on the critical edges that have
--- moves. The answer describes the function as it is now: once it has changed, the
--- methods of the phial.Leaving raise an error.
---@param opts? {coalesce: boolean?, split: boolean?}
---@return phial.Leaving
function Function:leave(opts) end

--- Where the values of a function are after it has left SSA form, made by fn:leave. It is
--- obsolete once the function has changed: its methods then raise an error.
---@class phial.Leaving
local Leaving = {}

---@class phial.Move
---@field to integer a location
---@field from integer|phial.Value a location, or a constant or undef

---@class phial.CriticalEdge
---@field from phial.Block
---@field to phial.Block
---@field nth integer which of the edges between the two, from 1

--- The location of a value, from 1; nil for a constant, an undef, an instruction without
--- a result, and a phi that no other instruction needs.
---@param value phial.Value
---@return integer?
function Leaving:location(value) end

--- The values that have a location, in the order of parameters, blocks and instructions; a
--- temporary has none.
---@param location integer
---@return phial.Value[]
function Leaving:values(location) end

--- The number of locations, temporaries included.
---@return integer
function Leaving:count() end

--- The type of a location.
---@param location integer
---@return phial.Type
function Leaving:type(location) end

--- The moves of an edge, in the order in which they are to be done, after the terminator
--- has read its operands.
---@param from phial.Block
---@param to phial.Block
---@param nth? integer which edge, from 1, if there are several
---@return phial.Move[]
function Leaving:moves(from, to, nth) end

--- The critical edges that have moves: from a block with further targets to a block with
--- further predecessors.
---@return phial.CriticalEdge[]
function Leaving:critical_edges() end

--- Things that emit instructions have a method for each op.
---@class phial.Ops
local Ops = {}

--- A position where instructions are made: the end of a block, or a cursor.
---@class phial.Point: phial.Ops
local Point = {}

--- The end of a block that is filled: a block, or a function, which stands for its current
--- block (`fn:set_current`).
---@class phial.End: phial.Point
local End = {}

--- A block. `tostring` gives its name as in the text form.
---@class phial.Block: phial.End
local Block = {}

--- *core*
--- The value of a variable here (readVariable); of a block with a terminator, its value at
--- the end. For several variables, returns a value for each:
--- `b:slt(b:read(i, n))`; all arguments are checked before the first is read.
---@param var phial.Variable
---@param ... phial.Variable
---@return phial.Value
---@return phial.Value ...
function End:read(var, ...) end

--- *core*
--- Sets a variable to a value (writeVariable). Refused after the terminator, and if
--- the types differ. Several variables can be set at once, `b:write(x, y, y, x)`: as in
--- Lua's assignment, all that is on the right is read before anything is written; the
--- writes go from left to right. nil is not a value: to write it to a variable of type any,
--- use `fn:const(nil, "any")`.
---@param var phial.Variable
---@param value phial.Operand a variable stands for its value
---@param ... phial.Variable|phial.Operand further variables, each with its value
---@return phial.Value? copy with the option copies: one for each variable
---@return phial.Value? ...
function End:write(var, value, ...) end

--- Ends a variable, as the end of a scope does: from here on, until the next write, it has
--- no definition, and the option `undef` decides what a read returns. Refused after the
--- terminator.
---@param var phial.Variable
function End:kill(var) end

--- *core*
--- Appends an instruction and writes its result to a variable: `b:let(i, "add", i, 1)`
--- means `b:write(i, b:add(i, 1))`, but makes no handle, which saves time and memory.
--- Before the op there is a variable for each result. The result of a conversion has
--- the variable's type; a type can be given as with `emit`, and must be the same. A call
--- is `b:let(x, "call", callee, ...)`. Refused as `emit` and `write` are.
---@param var phial.Variable
---@param op phial.Variable|phial.Op|string after the variables: an op of a dialect, or the name of an op
---@param ... phial.Op|phial.Operand|phial.Type|phial.Extra
function End:let(var, op, ...) end

--- States that `value` may be written here to each of the variables, or not: by a call, or
--- through an alias. A later read returns a value of op `may`, whose operands are the old value
--- and `value` (docs/analysis.md); it is made only if such a read exists. Takes one step for a
--- group, and as many as there are variables for a list. Errors: a block with a terminator;
--- variables that do not have one type, or not that of `value`.
---@param vars phial.Group|phial.Variable[]
---@param value phial.Value|phial.Literal
---@return phial.Value? copy of the value with the option `accesses`: one for the call
function End:may_write(vars, value) end

--- *core*
--- Declares that no more predecessors will come (sealBlock). Refused the second time.
function Block:seal() end

--- *core*
--- Appends an instruction. The arguments are the operands, the result's type for ops
--- that need it, and optionally extras. The targets of a terminator follow its
--- operands, as blocks (and optionally extras) or as a list, {block, ..., data =}. At a
--- cursor, the extra `phis =` holds the operands of phis for new edges.
---@param op phial.Op|string an op of a dialect, or the name of an op
---@param ... phial.Operand|phial.Type|phial.Extra|phial.Block|phial.Block[]
---@return phial.Value ... as many as the op has results
function Point:emit(op, ...) end

--- *core*
--- Emits a call: of a phial function, a Lua function, a function by name, or of what is at an
--- address, a value or variable of type ptr. (A function of a running module is called by
--- `instance:call`.)
---@param callee any not nil
---@param type? phial.Type|phial.Type[]|false of the results; nil: those of its signature, if known
---@param ... phial.Operand|phial.CallOptions
---@return phial.Value? ... its results
function Point:call(callee, type, ...) end

--- *core*
--- A trap with a message if a condition is true, as `block:trap`. Equal checks become one, as
--- divisions do, and loads on both sides of one. If the condition is constant, finish removes the
--- check, or ends its block there.
---@param condition phial.Operand an i1, not a Lua boolean
---@param message string
function Point:trap_if(condition, message) end

--- *core*
--- New memory, which is freed when the function returns; in the entry only, which may have
--- its terminator already. The function's own method puts it there, from any current block.
---@param size phial.Type|integer the type that it holds, or bytes, up to 2^30
---@param align? integer a power of two up to 4096 (default: the size of the type, or 8)
---@return phial.Value # its address, a ptr
function Point:alloca(size, align) end

--- *core*
--- The address of a global or function.
---@param x phial.Global|phial.Function|string a name is looked up when it runs
---@return phial.Value # a ptr
function Point:address(x) end

--- A result of an instruction other than the first.
---@param value phial.Value
---@param index integer from 2
---@param type phial.Type the same wherever this result is taken: `fn:verify()` checks it
---@return phial.Value
function Point:proj(value, index, type) end

--- *core*
--- Makes a phi by hand, in a sealed block: a value for each predecessor, all of one
--- type. Refused if a predecessor is missing, or a block is not a predecessor.
---@param values table<phial.Block, phial.ValueOrLiteral>
---@return phial.Value
function Point:phi(values) end

--- *core*
--- Ends the block with a jump. Like all terminators, refused if the block has one, or
--- if a target is the entry, is sealed, or has all its announced predecessors.
---@param target phial.Block
function End:jump(target) end

--- *core*
--- Jumps unless the block has a terminator.
---@param target phial.Block
---@return boolean jumped
function End:jump_if_open(target) end

--- *core*
--- Ends the block with a branch: to `yes` if the condition is true, else to `no`. A Lua
--- boolean is refused: it is mostly the result of `==`, which compares handles. Write
--- `v:eq(w)`, or `fn:const(true)` for a constant.
---@param cond phial.Operand an i1
---@param yes phial.Block
---@param no phial.Block
---@param opts? phial.EdgeOptions
function End:branch(cond, yes, no, opts) end

---@class phial.EdgeOptions
---@field refine? phial.Variable[] variables about which the edges say something: a read of one
---after an edge returns a value of op `refine`, with the variable's value, the condition as
---it was given, and its constant value on this edge (docs/analysis.md). It needs a
---target with one predecessor when that is sealed; `fn:stats().dropped_refinements` counts
---the others.
---@field split? boolean gives an edge that is not the only one into its target a block of
---its own, so that refinements hold there; finish removes it if none was read. The default
---is the option of phial.fn.

--- *core*
--- Ends the block with a switch. Its edges are ordered by key.
---@param value phial.Operand an integer, not a Lua boolean
---@param default phial.Block
---@param cases table<integer, phial.Block> keys that fit the value's type
---@param opts? phial.EdgeOptions the edge to the default refines nothing
function End:switch(value, default, cases, opts) end

--- *core*
--- Returns from the function, with a value for each of its results.
---@param ... phial.Operand
function End:ret(...) end

--- Leaves the function and calls another one in its place, whose result is that of the function:
--- however many tail calls follow one another, the stack does not grow. The result must have the
--- type of the function's. The memory of allocas is freed before the call: their addresses mean
--- nothing to the callee. docs/modules.md says which exporters guarantee this.
---@param callee phial.Function|string|phial.Operand a function, a name, or an address, a ptr
---@param ... phial.Operand arguments
function End:tail_call(callee, ...) end

--- *core*
--- Ends the block: control never gets here.
function End:unreachable() end

--- *core*
--- Ends the block by a trap, an error with a message of the program's own, on all routes: also with
--- `traps = "undefined"`, which leaves out the checks of phial's ops only. docs/running.md.
---@param message string it can be changed by `v:set_data`
function End:trap(message) end

--- Its name, or nil.
---@return string?
function Block:name() end

--- Its number, which is never reused.
---@return integer
function Block:id() end

--- What `set_data` was given last, or nil.
---@return any
function Block:data() end

--- Gives the block any Lua value, nil for none: the node of a syntax tree, a list. It is
--- kept as long as the function, and appears neither in texts nor in traces. Possible at
--- any time: after finish, in callbacks, if the block was dropped.
---@param data any
---@return phial.Block self
function Block:set_data(data) end

--- True if control can get to the block. In a finished function this is exact: a path
--- leads from the entry to it. While the function is built, it is false as soon as no
--- edge can lead to the block any more: it is sealed, has no predecessors and is not the
--- entry. False for a block that was dropped.
---@return boolean
function Block:is_reachable() end

--- True if a path of edges leads from the block to `other`: a search, linear in the
--- edges. Each block reaches itself. While the function is built, the edges that exist so
--- far count. False if one of the blocks was dropped.
---@param other phial.Block of the same function
---@return boolean
function Block:can_reach(other) end

---@return boolean
function Block:is_sealed() end

--- True if it has a terminator.
---@return boolean
function Block:is_filled() end

--- *core*
--- The predecessors so far, one for each edge, in the order of a phi's operands: a
--- block whose terminator leads here by two edges appears twice.
---@return phial.Block[]
function Block:preds() end

--- *core*
--- The targets of the terminator.
---@return phial.Block[]
function Block:succs() end

--- *core*
---@return phial.Value[]
function Block:phis() end

--- *core*
--- The instructions, the terminator last.
---@return phial.Value[]
function Block:insts() end

--- *core*
--- The terminator, or nil.
---@return phial.Value?
function Block:terminator() end

--- How many loops it is in.
---@return integer
function Block:loop_depth() end

--- The header of the innermost loop that it is in, or nil. Loops have different headers.
---@return phial.Block?
function Block:loop_header() end

--- A cursor after the phis; after finish.
---@return phial.Cursor
function Block:front() end

--- A cursor before the terminator, which can also replace the terminator; after
--- finish.
---@return phial.Cursor
function Block:back() end

--- The operands of phis for new edges: a value for each phi of the blocks that the
--- edges lead to.
---@alias phial.Incoming table<phial.Value, phial.ValueOrLiteral>

--- Redirects all edges from this block to `from`; they lead to `to` instead; after
--- finish. The phis of `from` lose these operands, those of `to`, where the edges come
--- last, get new ones, for each edge the same. To redirect one of several, split it first.
---@param from phial.Block
---@param to phial.Block
---@param phis? phial.Incoming
function Block:retarget(from, to, phis) end

--- Adds an edge; after finish. A jump becomes a branch that takes the edge if `when`,
--- an i1, is true; a switch gets a case with the key `when`; a terminator of a dialect
--- with any number of targets gets a further one. Refused for other terminators:
--- replace them (`block:back`).
---@param to phial.Block
---@param when? phial.ValueOrLiteral
---@param phis? phial.Incoming
function Block:add_edge(to, when, phis) end

--- Inserts a new block into an edge from this block; after finish. Phis keep their operands.
---@param to phial.Block
---@param nth? integer which edge, from 1, if there are several
---@param name? string
---@return phial.Block
function Block:split_edge(to, nth, name) end

--- True if the block jumps to another one that has no other predecessors; after finish.
---@return boolean
function Block:can_merge() end

--- Makes the block that this one jumps to part of it; after finish. Its instructions follow, in
--- place of the jump, and its phis are replaced by their operands. It is gone then, except that an
--- empty one is left if the function keeps unreachable blocks. Refused unless `can_merge()`.
function Block:merge() end

--- Removes an edge that control never takes; after finish. A branch becomes a jump, a
--- jump becomes `unreachable`; if the default of a switch is removed, its last case
--- becomes the default. Refused for terminators of dialects with a fixed number of
--- targets. Among unreachable blocks, dominance can be lost: docs/editing.md.
---@param to phial.Block
---@param nth? integer which edge, from 1, if there are several
function Block:remove_edge(to, nth) end

--- The immediate dominator; nil for the entry and for blocks that the entry does not
--- reach. If the function keeps unreachable blocks, nil for those to which the virtual root
--- leads.
---@return phial.Block?
function Block:idom() end

--- *core*
--- True if every path from the entry to `other` leads through this block: always, if no path
--- reaches it. If the function keeps unreachable blocks, paths from the virtual root to these
--- count.
---@param other phial.Block
---@return boolean
function Block:dominates(other) end

--- The values that are live at the start of the block, without its phis.
---@return phial.Value[]
function Block:live_in() end

--- The values that are live at the end of the block, with the operands that its edges give
--- to phis.
---@return phial.Value[]
function Block:live_out() end

-- The ops as methods.
-- generated from op.def by `make generate`: methods of blocks

--- *core*
--- a + b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:add(a, b, extra) end

--- *core*
--- a - b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sub(a, b, extra) end

--- *core*
--- a * b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:mul(a, b, extra) end

--- *core*
--- a / b, signed, rounded towards zero; traps when b is 0 or the quotient does
--- not fit. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sdiv(a, b, extra) end

--- a / b, unsigned; traps when b is 0. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:udiv(a, b, extra) end

--- *core*
--- The remainder of `sdiv`, with the sign of a; traps when b is 0. Both are
--- integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:srem(a, b, extra) end

--- The remainder of `udiv`; traps when b is 0. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:urem(a, b, extra) end

--- -a, wrapping around. a is an integer.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:neg(a, extra) end

--- *core*
--- Bitwise and. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:band(a, b, extra) end

--- *core*
--- Bitwise or. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:bor(a, b, extra) end

--- *core*
--- Bitwise exclusive or. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:bxor(a, b, extra) end

--- Bitwise not. a is an integer.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:bnot(a, extra) end

--- *core*
--- a shifted left by b modulo the width. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:shl(a, b, extra) end

--- *core*
--- a shifted right by b modulo the width, filled with zeros. Both are integers
--- of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:shr(a, b, extra) end

--- *core*
--- a shifted right by b modulo the width, filled with its sign. Both are
--- integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sar(a, b, extra) end

--- a rotated left by b modulo the width. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:rotl(a, b, extra) end

--- a rotated right by b modulo the width. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:rotr(a, b, extra) end

--- The bytes of a in reverse order. a is an integer of 16 bits or more.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:bswap(a, extra) end

--- The number of leading zeros of a; of 0 the width. a is an integer.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:clz(a, extra) end

--- The number of trailing zeros of a; of 0 the width. a is an integer.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ctz(a, extra) end

--- The number of ones of a. a is an integer.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:popcnt(a, extra) end

--- The lesser of a and b, signed. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:smin(a, b, extra) end

--- The greater of a and b, signed. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:smax(a, b, extra) end

--- The lesser of a and b, unsigned. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:umin(a, b, extra) end

--- The greater of a and b, unsigned. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:umax(a, b, extra) end

--- The high half of the product of a and b, unsigned. Both are integers of one
--- type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:umulh(a, b, extra) end

--- The high half of the product of a and b, signed. Both are integers of one
--- type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:smulh(a, b, extra) end

--- *core*
--- a == b, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:eq(a, b, extra) end

--- *core*
--- a ~= b, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ne(a, b, extra) end

--- *core*
--- a < b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:slt(a, b, extra) end

--- *core*
--- a <= b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sle(a, b, extra) end

--- *core*
--- a > b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sgt(a, b, extra) end

--- *core*
--- a >= b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sge(a, b, extra) end

--- *core*
--- a < b, unsigned, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ult(a, b, extra) end

--- *core*
--- a <= b, unsigned, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ule(a, b, extra) end

--- a > b, unsigned, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ugt(a, b, extra) end

--- a >= b, unsigned, an i1. Both are integers of one type, or ptr.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:uge(a, b, extra) end

--- *core*
--- a + b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fadd(a, b, extra) end

--- *core*
--- a - b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fsub(a, b, extra) end

--- *core*
--- a * b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fmul(a, b, extra) end

--- *core*
--- a / b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fdiv(a, b, extra) end

--- -a. a is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fneg(a, extra) end

--- a without its sign, also of a nan. a is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fabs(a, extra) end

--- The square root of a, rounded; a nan if a is negative, except -0.0. a is a
--- float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fsqrt(a, extra) end

--- a rounded down to an integer, with the sign of a. a is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ffloor(a, extra) end

--- a rounded up to an integer, with the sign of a. a is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fceil(a, extra) end

--- a rounded towards zero to an integer, with the sign of a. a is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ftrunc(a, extra) end

--- a rounded to the nearest integer, of two the even one, with the sign of a. a
--- is a float.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fnearest(a, extra) end

--- The lesser of a and b; a nan if one is a nan; -0.0 is less than 0.0. Both
--- are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fminimum(a, b, extra) end

--- The greater of a and b; a nan if one is a nan; -0.0 is less than 0.0. Both
--- are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fmaximum(a, b, extra) end

--- The lesser of a and b; if one is a nan, also a signalling one, the other;
--- -0.0 is less than 0.0. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fminnum(a, b, extra) end

--- The greater of a and b; if one is a nan, also a signalling one, the other;
--- -0.0 is less than 0.0. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fmaxnum(a, b, extra) end

--- a with the sign of b, also of nans. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:copysign(a, b, extra) end

--- *core*
--- a == b, an i1; false if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:feq(a, b, extra) end

--- a ~= b, an i1; true if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fne(a, b, extra) end

--- *core*
--- a < b, an i1; false if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:flt(a, b, extra) end

--- *core*
--- a <= b, an i1; false if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fle(a, b, extra) end

--- a > b, an i1; false if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fgt(a, b, extra) end

--- a >= b, an i1; false if one is a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fge(a, b, extra) end

--- *core*
--- a if c, an i1, is true, else b. Both are of one type.
---@param c phial.Operand
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:select(c, a, b, extra) end

--- *core*
--- The low bits of a as a narrower integer type. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:trunc(a, type, extra) end

--- *core*
--- a as a wider integer type, zero-extended. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:zext(a, type, extra) end

--- *core*
--- a as a wider integer type, sign-extended. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:sext(a, type, extra) end

--- *core*
--- The signed integer a as a float type. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:itof(a, type, extra) end

--- The unsigned integer a as a float type. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:utof(a, type, extra) end

--- *core*
--- The float a as a signed integer type; traps on nan and out of range. a is a
--- float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:ftoi(a, type, extra) end

--- The float a as an unsigned integer type; traps on nan and out of range. a is
--- a float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:ftou(a, type, extra) end

--- The float a as a signed integer type: 0 for a nan, out of range its least or
--- greatest integer. a is a float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:ftoi_sat(a, type, extra) end

--- The float a as an unsigned integer type: 0 for a nan, out of range 0 or its
--- greatest integer. a is a float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:ftou_sat(a, type, extra) end

--- The f32 a as an f64. a is a float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:fpromote(a, type, extra) end

--- The f64 a as an f32, rounded. a is a float.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:fdemote(a, type, extra) end

--- The bits of a as a type of the same width.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:bitcast(a, type, extra) end

--- A new value equal to a.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:copy(a, extra) end

--- *core*
--- What memory holds at the address a. a is a ptr.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:load(a, type, extra) end

--- *core*
--- Stores b at the address a. a is a ptr, b of a type that memory holds.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
function Ops:store(a, b, extra) end

--- What is at the address a, loaded once each time. a is a ptr.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:load_volatile(a, type, extra) end

--- Stores b at the address a, once each time. a is a ptr, b of a type that
--- memory holds.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
function Ops:store_volatile(a, b, extra) end

--- The address a plus b bytes. a is a ptr, b an i64.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ptradd(a, b, extra) end

--- Copies c bytes from the address b to the address a; both are equal, or the
--- bytes do not overlap. a and b are ptrs, c is an i64.
---@param a phial.Operand
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Ops:memcpy(a, b, c, extra) end

--- Copies c bytes from the address b to the address a; they may overlap. a and
--- b are ptrs, c is an i64.
---@param a phial.Operand
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Ops:memmove(a, b, c, extra) end

--- Sets c bytes from the address a on to b. a is a ptr, b an i8, c an i64.
---@param a phial.Operand
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Ops:memset(a, b, c, extra) end

--- Makes the va_list at the address a begin with the arguments that follow
--- those of the parameters.
---@param a phial.Operand
---@param extra? phial.Extra
function Ops:va_start(a, extra) end

--- The next argument of the va_list at the address a. a is a ptr.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:va_arg(a, type, extra) end

--- Makes the va_list at the address a a copy of the one at the address b.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
function Ops:va_copy(a, b, extra) end

--- Ends the use of the va_list at the address a.
---@param a phial.Operand
---@param extra? phial.Extra
function Ops:va_end(a, extra) end

-- end of what is generated

--- What operators work on: a value, or a variable, which is read. Operators, and the
--- methods with the names of ops, emit into the current block (`fn:set_current`).
--- Operations that depend on the sign of integers have no operator: write `v:slt(w)`,
--- `v:sdiv(w)`, `v:srem(w)`, or `ult`, `udiv`, `urem`.
---@class phial.Term
---@operator add(phial.Operand): phial.Value
---@operator sub(phial.Operand): phial.Value
---@operator mul(phial.Operand): phial.Value
---@operator div(phial.Operand): phial.Value on floats
---@operator band(phial.Operand): phial.Value
---@operator bor(phial.Operand): phial.Value
---@operator bxor(phial.Operand): phial.Value
---@operator shl(phial.Operand): phial.Value
---@operator shr(phial.Operand): phial.Value
---@operator unm: phial.Value
---@operator bnot: phial.Value
local Term = {}

-- The ops as methods: a (of select: c) is the term itself.
-- generated from op.def by `make generate`: methods of terms

--- a + b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:add(b, extra) end

--- a - b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sub(b, extra) end

--- a * b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:mul(b, extra) end

--- a / b, signed, rounded towards zero; traps when b is 0 or the quotient does
--- not fit. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sdiv(b, extra) end

--- a / b, unsigned; traps when b is 0. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:udiv(b, extra) end

--- The remainder of `sdiv`, with the sign of a; traps when b is 0. Both are
--- integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:srem(b, extra) end

--- The remainder of `udiv`; traps when b is 0. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:urem(b, extra) end

--- -a, wrapping around. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Term:neg(extra) end

--- Bitwise and. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:band(b, extra) end

--- Bitwise or. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:bor(b, extra) end

--- Bitwise exclusive or. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:bxor(b, extra) end

--- Bitwise not. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Term:bnot(extra) end

--- a shifted left by b modulo the width. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:shl(b, extra) end

--- a shifted right by b modulo the width, filled with zeros. Both are integers
--- of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:shr(b, extra) end

--- a shifted right by b modulo the width, filled with its sign. Both are
--- integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sar(b, extra) end

--- a rotated left by b modulo the width. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:rotl(b, extra) end

--- a rotated right by b modulo the width. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:rotr(b, extra) end

--- The bytes of a in reverse order. a is an integer of 16 bits or more.
---@param extra? phial.Extra
---@return phial.Value
function Term:bswap(extra) end

--- The number of leading zeros of a; of 0 the width. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Term:clz(extra) end

--- The number of trailing zeros of a; of 0 the width. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Term:ctz(extra) end

--- The number of ones of a. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Term:popcnt(extra) end

--- The lesser of a and b, signed. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:smin(b, extra) end

--- The greater of a and b, signed. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:smax(b, extra) end

--- The lesser of a and b, unsigned. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:umin(b, extra) end

--- The greater of a and b, unsigned. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:umax(b, extra) end

--- The high half of the product of a and b, unsigned. Both are integers of one
--- type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:umulh(b, extra) end

--- The high half of the product of a and b, signed. Both are integers of one
--- type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:smulh(b, extra) end

--- *core*
--- a == b, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:eq(b, extra) end

--- *core*
--- a ~= b, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:ne(b, extra) end

--- *core*
--- a < b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:slt(b, extra) end

--- *core*
--- a <= b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sle(b, extra) end

--- *core*
--- a > b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sgt(b, extra) end

--- *core*
--- a >= b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:sge(b, extra) end

--- a < b, unsigned, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:ult(b, extra) end

--- a <= b, unsigned, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:ule(b, extra) end

--- a > b, unsigned, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:ugt(b, extra) end

--- a >= b, unsigned, an i1. Both are integers of one type, or ptr.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:uge(b, extra) end

--- a + b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fadd(b, extra) end

--- a - b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fsub(b, extra) end

--- a * b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fmul(b, extra) end

--- a / b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fdiv(b, extra) end

--- -a. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:fneg(extra) end

--- a without its sign, also of a nan. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:fabs(extra) end

--- The square root of a, rounded; a nan if a is negative, except -0.0. a is a
--- float.
---@param extra? phial.Extra
---@return phial.Value
function Term:fsqrt(extra) end

--- a rounded down to an integer, with the sign of a. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:ffloor(extra) end

--- a rounded up to an integer, with the sign of a. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:fceil(extra) end

--- a rounded towards zero to an integer, with the sign of a. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:ftrunc(extra) end

--- a rounded to the nearest integer, of two the even one, with the sign of a. a
--- is a float.
---@param extra? phial.Extra
---@return phial.Value
function Term:fnearest(extra) end

--- The lesser of a and b; a nan if one is a nan; -0.0 is less than 0.0. Both
--- are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fminimum(b, extra) end

--- The greater of a and b; a nan if one is a nan; -0.0 is less than 0.0. Both
--- are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fmaximum(b, extra) end

--- The lesser of a and b; if one is a nan, also a signalling one, the other;
--- -0.0 is less than 0.0. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fminnum(b, extra) end

--- The greater of a and b; if one is a nan, also a signalling one, the other;
--- -0.0 is less than 0.0. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fmaxnum(b, extra) end

--- a with the sign of b, also of nans. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:copysign(b, extra) end

--- *core*
--- a == b, an i1; false if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:feq(b, extra) end

--- a ~= b, an i1; true if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fne(b, extra) end

--- *core*
--- a < b, an i1; false if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:flt(b, extra) end

--- a <= b, an i1; false if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fle(b, extra) end

--- a > b, an i1; false if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fgt(b, extra) end

--- a >= b, an i1; false if one is a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:fge(b, extra) end

--- a if c, an i1, is true, else b. Both are of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:select(a, b, extra) end

--- The low bits of a as a narrower integer type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:trunc(type, extra) end

--- a as a wider integer type, zero-extended. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:zext(type, extra) end

--- a as a wider integer type, sign-extended. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:sext(type, extra) end

--- The signed integer a as a float type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:itof(type, extra) end

--- The unsigned integer a as a float type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:utof(type, extra) end

--- The float a as a signed integer type; traps on nan and out of range. a is a
--- float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:ftoi(type, extra) end

--- The float a as an unsigned integer type; traps on nan and out of range. a is
--- a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:ftou(type, extra) end

--- The float a as a signed integer type: 0 for a nan, out of range its least or
--- greatest integer. a is a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:ftoi_sat(type, extra) end

--- The float a as an unsigned integer type: 0 for a nan, out of range 0 or its
--- greatest integer. a is a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:ftou_sat(type, extra) end

--- The f32 a as an f64. a is a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:fpromote(type, extra) end

--- The f64 a as an f32, rounded. a is a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:fdemote(type, extra) end

--- The bits of a as a type of the same width.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:bitcast(type, extra) end

--- A new value equal to a.
---@param extra? phial.Extra
---@return phial.Value
function Term:copy(extra) end

--- What memory holds at the address a. a is a ptr.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:load(type, extra) end

--- Stores b at the address a. a is a ptr, b of a type that memory holds.
---@param b phial.Operand
---@param extra? phial.Extra
function Term:store(b, extra) end

--- What is at the address a, loaded once each time. a is a ptr.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:load_volatile(type, extra) end

--- Stores b at the address a, once each time. a is a ptr, b of a type that
--- memory holds.
---@param b phial.Operand
---@param extra? phial.Extra
function Term:store_volatile(b, extra) end

--- The address a plus b bytes. a is a ptr, b an i64.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Term:ptradd(b, extra) end

--- Copies c bytes from the address b to the address a; both are equal, or the
--- bytes do not overlap. a and b are ptrs, c is an i64.
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Term:memcpy(b, c, extra) end

--- Copies c bytes from the address b to the address a; they may overlap. a and
--- b are ptrs, c is an i64.
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Term:memmove(b, c, extra) end

--- Sets c bytes from the address a on to b. a is a ptr, b an i8, c an i64.
---@param b phial.Operand
---@param c phial.Operand
---@param extra? phial.Extra
function Term:memset(b, c, extra) end

--- Makes the va_list at the address a begin with the arguments that follow
--- those of the parameters.
---@param extra? phial.Extra
function Term:va_start(extra) end

--- The next argument of the va_list at the address a. a is a ptr.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Term:va_arg(type, extra) end

--- Makes the va_list at the address a a copy of the one at the address b.
---@param b phial.Operand
---@param extra? phial.Extra
function Term:va_copy(b, extra) end

--- Ends the use of the va_list at the address a.
---@param extra? phial.Extra
function Term:va_end(extra) end

-- end of what is generated

--- A list of variables of one type that may-writes write together (`fn:group`).
---@class phial.Group
local Group = {}

--- Adds variables, for the may-writes that follow; those in the group stay in it. Errors: a
--- variable of another function or type, a finished function.
---@param var phial.Variable
---@param ... phial.Variable
---@return phial.Group self
function Group:add(var, ...) end

--- A mutable name of the source program. `tostring` gives the name. Where an
--- instruction is made it can be an operand, and stands for its value there.
---@class phial.Variable: phial.Term
local Variable = {}

--- Its name, "" if it has none.
---@return string
function Variable:name() end

---@return phial.Type
function Variable:type() end

--- Its number, which is never reused.
---@return integer
function Variable:id() end

--- What `set_data` was given last, or nil.
---@return any
function Variable:data() end

--- Gives the variable any Lua value, nil for none: its declaration, a type. It is kept as
--- long as the function, and appears neither in texts nor in traces. Possible at any
--- time.
---@param data any
---@return phial.Variable self
function Variable:set_data(data) end

--- The result of an instruction, a constant, an argument or undef. `tostring` gives its
--- name as in the text form. Methods return the same handle for the same value, as long
--- as it is held. The handle of a phi that was replaced stands for the replacement, and
--- `==` compares what handles stand for now.
---@class phial.Value: phial.Term
local Value = {}

--- *core*
--- The name of its op: "add", "phi", "const", "param", "undef", "dialect.op".
---@return string
function Value:op() end

--- *core*
--- The type; nil for an instruction without a result.
---@return phial.Type?
function Value:type() end

--- *core*
--- The block; nil for constants, arguments and undef.
---@return phial.Block?
function Value:block() end

--- Its number, which is never reused.
---@return integer
function Value:id() end

--- "file:line" of the call that made it; nil unless it was recorded: by the option
--- `where = "all"`, or since it calls a name that its module did not know yet.
---@return string?
function Value:place() end

--- Its name, or nil. Constants have none.
---@return string?
function Value:name() end

--- *core*
--- Names it. Refused for constants.
---@param name string
---@return phial.Value self
function Value:set_name(name) end

--- The variable of a phi, or of the copy that a write made.
---@return phial.Variable?
function Value:var() end

--- *core*
--- The Lua value of a constant (a boolean for an i1) and its type; nil for other
--- values. The type distinguishes the constant nil from other values.
---@return phial.Literal?
---@return phial.Type? type
function Value:const() end

--- What its op does besides giving results: see `phial.OpSpec`.
---@return "none"|"read"|"new"|"write"
function Value:effect() end

--- True if its op may trap, as a division. (A load from an address without memory is undefined.)
---@return boolean
function Value:can_trap() end

--- *core*
--- The operands.
---@return phial.Value[]
function Value:args() end

--- Operand i, from 1 on, without a list of all; nil if it has fewer.
---@param i integer
---@return phial.Value?
function Value:arg(i) end

--- Its accesses, in the order of the program: the reads that gave it, and of a copy the write that
--- made it. Needs the option `accesses`.
---@return phial.Access[]
function Value:accesses() end

--- *core*
--- The instructions and phis that use it, each once.
---@return phial.Value[]
function Value:users() end

--- Its results that exist: itself, then the further ones, in order.
---@return phial.Value[]
function Value:results() end

--- The number of its uses.
---@return integer
function Value:use_count() end

--- The values that are live right after the instruction, sorted by id: its results and operands
--- are among them only if they are needed later. After a phi means after all phis of the block.
--- All results of an instruction are defined there, wherever their projections are. Each value
--- of the answer costs O(log n), for any instruction, in any order.
---@return phial.Value[]
function Value:live_out() end

--- Those that are also live before it. For a call: what it must preserve, and what a collector
--- must know.
---@return phial.Value[]
function Value:live_across() end

--- The classes of memory that it reads and writes (docs/memory.md#classes): as declared for it, or
--- for its op. Both are {} if it does neither.
---@return phial.Classes reads
---@return phial.Classes writes
function Value:classes() end

--- The values other than phis that reach it through phis; undef is one of them.
--- A value that is not a phi is its own definition. With a limit, at most this many: the
--- search ends when they are found, so a limit of 2 tells "one" from "several".
---@param limit? integer
---@return phial.Value[]
function Value:definitions(limit) end

--- The frontend's source position; parts that were not set are nil.
---@return integer? line
---@return integer? col
---@return string? file
---@return integer? end_line if the end was given
---@return integer? end_col
function Value:loc() end

--- Sets its position, like `fn:set_loc`. Constants have none.
---@param line? integer
---@param col? integer
---@param file? string
---@param end_line? integer
---@param end_col? integer
---@return phial.Value self
function Value:set_loc(line, col, file, end_line, end_col) end

--- The nodes that it was made for, without duplicates, in the order in which it got them: that
--- of `fn:set_node`, and those of all that it has replaced or was merged with. Constants and
--- parameters have none, nor have the phis that reads make (docs/dialects.md).
---@return any[]
function Value:nodes() end

--- Its data. Only instructions other than phis, copies and projections have data.
---@return any
function Value:data() end

--- Sets its data: any Lua value, nil for none.
---@param data any
---@return phial.Value self
function Value:set_data(data) end

--- Which result of its operand a projection is, from 2 on; nil of any other value.
---@return integer?
function Value:index() end

--- The canonical handle of the value for which this one stands now: another one if the
--- value was a phi and has been replaced. Use it as the key of a table, since tables
--- compare handles, not what they stand for.
---@return phial.Value
function Value:now() end

-- Editing, after finish. Local properties are checked at the call; `fn:verify` checks
-- whether definitions still dominate their uses.

--- *core*
--- Replaces all uses by uses of another value of the same type, except uses in that
--- value itself, which may therefore use this one. This value remains until it is
--- erased.
---@param by phial.Operand
function Value:replace(by) end

--- Changes one operand. Refused if the types do not fit.
---@param i integer from 1; a phi's operand belongs to that predecessor
---@param value phial.Operand
---@return phial.Value self
function Value:set_arg(i, value) end

--- Removes a phi or an instruction. Refused for terminators and for values in use.
function Value:erase() end

--- A cursor before this instruction. Refused for phis.
---@return phial.Cursor
function Value:before() end

--- A cursor after this instruction; for a phi, after all phis.
---@return phial.Cursor
function Value:after() end

--- Moves an instruction before another one, in any block.
---@param value phial.Value not a phi
function Value:move_before(value) end

--- Moves an instruction after another one, in any block.
---@param value phial.Value not a terminator; for a phi, after all phis
function Value:move_after(value) end

--- A read or write of a variable, of a function with the option `accesses`. Which writes reach
--- which reads is answered for the function as it is now: before finish, for the edges that
--- exist so far; after edits, for what is left.
---@class phial.Access
local Access = {}

--- True for a write or a may-write.
---@return boolean
function Access:is_write() end

---@return boolean
function Access:is_may_write() end

--- Its variable; nil for a may-write to a group, or to a list unless it has one variable.
---@return phial.Variable?
function Access:var() end

--- Its block, which may have been dropped.
---@return phial.Block
function Access:block() end

--- What was read, or the copy that was written; nil if its block was dropped, or the value
--- was erased.
---@return phial.Value?
function Access:value() end

--- Its number: accesses count from 1 in the order in which they were made.
---@return integer
function Access:id() end

--- The node that `fn:set_node` had set.
---@return any
function Access:node() end

--- "file:line" of the call that made it, with `where = "all"`.
---@return string?
function Access:place() end

--- The frontend's source position, as `fn:set_loc` had set it, or `set_loc`.
---@return integer? line
---@return integer? col
---@return string? file
---@return integer? end_line if the end was given
---@return integer? end_col
function Access:loc() end

--- Sets its position, like `fn:set_loc`; that of its value stays.
---@param line? integer
---@param col? integer
---@param file? string
---@param end_line? integer
---@param end_col? integer
---@return phial.Access self
function Access:set_loc(line, col, file, end_line, end_col) end

--- The reads that a write reaches, in the order of the program. With a limit, at most this many: the
--- search ends when they are found. Refused for a read.
---@param limit? integer
---@return phial.Access[]
function Access:reads(limit) end

--- The writes that reach a read, in the order of the program, and whether it may see no
--- write: on some path its variable has no definition. With a limit, at most this many writes: the
--- search ends when they are found, and false then means that it has not met such a path so far.
--- Refused for a write.
---@param limit? integer
---@return phial.Access[]
---@return boolean undefined
function Access:writes(limit) end

--- A place before an instruction of a finished function. Instructions
--- made there follow one another. At the end of a block, a terminator replaces the
--- old one; edges to the same blocks as before keep their phi operands.
--- `tostring` says where it is.
---@class phial.Cursor: phial.Point
local Cursor = {}

---@see phial.End.jump
---@param target phial.Block
---@param phis? phial.Incoming
function Cursor:jump(target, phis) end

---@see phial.End.branch
---@param cond phial.ValueOrLiteral an i1
---@param yes phial.Block
---@param no phial.Block
---@param phis? phial.Incoming
function Cursor:branch(cond, yes, no, phis) end

---@see phial.End.switch
---@param value phial.ValueOrLiteral an integer
---@param default phial.Block
---@param cases table<integer, phial.Block> keys that fit the value's type
---@param phis? phial.Incoming
function Cursor:switch(value, default, cases, phis) end

---@see phial.End.ret
---@param value? phial.ValueOrLiteral
function Cursor:ret(value) end

---@see phial.End.tail_call
---@param callee phial.Function|string|phial.ValueOrLiteral
---@param ... phial.ValueOrLiteral
function Cursor:tail_call(callee, ...) end

---@see phial.End.unreachable
function Cursor:unreachable() end

---@see phial.End.trap
---@param message string
function Cursor:trap(message) end

--- The block it is in.
---@return phial.Block
function Cursor:block() end

--- Ops and types defined by `phial.dialect`; its fields are its ops.
---@class phial.Dialect
---@field [string] phial.Op

--- An op of a dialect. `tostring` gives its name.
---@class phial.Op
local Op = {}

--- "dialect.op"
---@return string
function Op:name() end

--- The dialect's name.
---@return string
function Op:dialect() end

--- The number of its results; "*": each instruction says it.
---@return integer|"*"
function Op:results() end

--- True if each instruction says the type of its results.
---@return boolean
function Op:says_type() end

--- True if its eval is called with the env of the run.
---@return boolean
function Op:takes_env() end

--- What it weighs in rules: the `cost` of its description, or 3.
---@return integer
function Op:cost() end

--- The `eval` of its description.
---@return function?
function Op:eval() end

--- *experimental*
--- The `llvm` of its description.
---@return function|string|nil
function Op:llvm() end

--- *experimental*
--- The `c` of its description.
---@return function|string|nil
function Op:c() end

--- The `lua` of its description.
---@return function|string|nil
function Op:lua() end

--- Its field `describe`.
---@return function?
function Op:describe() end

--- The `smt` of its description.
---@return string?
function Op:smt() end

--- What the `llvm`, `c` or `lua` of an op, or a row of an exporter, gets as its third argument: the
--- place where the instruction is written, in the language of the emitter.
---@class phial.Site
local Site = {}

--- *experimental*
--- A type of phial in that language, but Lua: "i32" is `i32` or `int32_t`.
---@param type string
---@return string
function Site:type(type) end

--- *experimental*
--- The name of the i-th result, which the lines define or assign.
---@param i? integer default: 1
---@return string
function Site:result(i) end

--- *experimental*
--- A target of a terminator: "label %head", in C and Lua the statement that goes there, for an
--- exporter the label.
---@param i integer from 1
---@return string
function Site:target(i) end

--- *experimental*
--- A new name; in C it is declared with the type, in Lua as a local.
---@param type? string of phial
---@return string
function Site:temp(type) end

--- *experimental*
--- LLVM IR and exporters: the name of a new block, which a line such as `name:` begins.
---@param hint? string
---@return string
function Site:label(hint) end

--- *experimental*
--- Adds a line once to the whole: a declaration, an #include.
---@param line string
function Site:declare(line) end

--- *experimental*
--- What traps, in any case, as a line, or two: a statement of C or Lua; elsewhere the end of a block,
--- behind which a label follows. The message tells function, instruction, block and position, as those of
--- `fn(...)` do: a trap of the `eval`, by phial.trap, is the same.
---@param message string
---@return string
function Site:trap(message) end

--- The variables of a function being built. Reading a field reads the variable
--- in the current block, assigning to it writes; assigning to a new name makes
--- a variable of the whole function, with the type of the value.
---@class phial.Variables
---@field [string] phial.Operand|any

--- A loop, as passed to its body, for `break_` and `continue_`.
---@class phial.Loop

--- The builder, as passed to the body of `phial.build`. The methods of a block work on
--- the current block; those declared here are structures, which seal the blocks that
--- they make. A body is a scope for the variables that `var` declares. A condition that
--- is evaluated repeatedly, or not always, is a function that returns it.
---@class phial.Builder: phial.Block
---@field fn phial.Function
local Builder = {}

--- *core*
--- Declares a variable of the innermost body, which hides an outer variable of the
--- same name. The type may be left out (default: the value's, or i64).
---@param name string
---@param type? phial.Type
---@param value? phial.Operand
---@return phial.Variable
---@overload fun(self: phial.Builder, name: string, value: phial.Operand): phial.Variable
function Builder:var(name, type, value) end

--- True if the name stands for a variable here. If it does not, reading it is an
--- error.
---@param name string
---@return boolean
function Builder:has(name) end

--- The variable for which the name stands here.
---@param name string
---@return phial.Variable
function Builder:find(name) end

--- Calls a body that has its own scope of variables and labels; returns what it
--- returns.
---@generic T
---@param body fun(): T
---@return T
function Builder:scope(body) end

--- *core*
--- Conditional. The first body may be followed by more pairs of a condition (a
--- function) and a body; the last body is the `else` arm. If all arms return a value,
--- or never reach their ends, the structure has that value.
---@param condition phial.Value
---@param body fun(): phial.Operand?
---@param ... fun(): phial.Operand?
---@return phial.Value?
function Builder:if_(condition, body, ...) end

--- *core*
--- Selects the arm of a key, or `default`. Arms do not fall through; the same function
--- under several keys is one arm. It has a value as `if_` does.
---@param value phial.Value an integer
---@param arms table<integer|"default", fun(): phial.Operand?>
---@return phial.Value?
function Builder:switch_(value, arms) end

--- *core*
--- An i1: true if all conditions are. Those after a false one are not evaluated.
---@param first phial.Value
---@param ... fun(): phial.Value
---@return phial.Value
function Builder:and_(first, ...) end

--- *core*
--- An i1: true if one condition is. Those after a true one are not evaluated.
---@param first phial.Value
---@param ... fun(): phial.Value
---@return phial.Value
function Builder:or_(first, ...) end

--- *core*
--- The negated condition, an i1.
---@param condition phial.Value
---@return phial.Value
function Builder:not_(condition) end

--- *core*
--- A loop that continues while its condition is true.
---@param condition fun(): phial.Value
---@param body fun(loop: phial.Loop)
function Builder:while_(condition, body) end

--- *core*
--- A loop without a condition, which `break_`, `goto_` or `ret` leave.
---@param body fun(loop: phial.Loop)
function Builder:loop(body) end

--- *core*
--- A loop that ends when its condition, which sees the body's variables, is
--- true.
---@param body fun(loop: phial.Loop)
---@param condition fun(): phial.Value
function Builder:repeat_(body, condition) end

--- *core*
--- Counts as Lua does: the limit is inclusive and is computed once, nothing overflows,
--- and assignments to the variable in the body do not affect the loop.
---@param name string a variable of the body's own
---@param from phial.Operand
---@param to phial.Operand
---@param step number not 0
---@param body fun(loop: phial.Loop)
---@overload fun(self: phial.Builder, name: string, from: phial.Operand, to: phial.Operand, body: fun(loop: phial.Loop))
function Builder:for_(name, from, to, step, body) end

--- *core*
--- Leaves the innermost loop, the n-th loop from inside, or a given one. What follows
--- is dead code, as after `continue_`, `goto_`, `ret` and `unreachable`.
---@param which? integer|phial.Loop
function Builder:break_(which) end

--- *core*
--- Goes to the next iteration.
---@param which? integer|phial.Loop
function Builder:continue_(which) end

--- Defines a label; its block is sealed at the end of the scope.
---@param name string
---@return phial.Block
function Builder:label(name) end

--- Goes to the nearest label of that name in an enclosing scope; if none exists yet, to
--- the next one to be defined there.
---@param name string
function Builder:goto_(name) end

--- *core*
--- Returns from the function.
---@param value? phial.Operand
function Builder:ret(value) end

--- Leaves the function by a tail call.
---@see phial.End.tail_call
---@param callee phial.Function|string|phial.Operand
---@param ... phial.Operand
function Builder:tail_call(callee, ...) end

--- Ends the current block: control never gets here.
function Builder:unreachable() end

--- Ends the current block by a trap.
---@see phial.End.trap
---@param message string
function Builder:trap(message) end

--- The current block.
---@return phial.Block?
function Builder:current() end

--- Continues in another block.
---@param block phial.Block?
---@return phial.Builder self
function Builder:set_current(block) end

--- Like `fn:set_loc`.
---@param line? integer
---@param col? integer
---@param file? string
---@param end_line? integer
---@param end_col? integer
---@return phial.Builder self
function Builder:set_loc(line, col, file, end_line, end_col) end

--- Like `fn:set_node`.
---@param node? any
---@return phial.Builder self
function Builder:set_node(node) end

--- Like `fn:loc`.
---@return integer? line
---@return integer? col
---@return string? file
---@return integer? end_line
---@return integer? end_col
function Builder:loc() end

--- Like `fn:node`.
---@return any
function Builder:node() end

--- Like `fn:const`.
---@param value phial.Literal?
---@param type? phial.Type
---@return phial.Value
function Builder:const(value, type) end

--- Like `fn:undef`.
---@param type phial.Type
---@return phial.Value
function Builder:undef(type) end

--- Like `fn:arg`.
---@param i integer
---@return phial.Value
function Builder:arg(i) end

---@class phial.NativeOptions
--- The C compiler, a name or path, or a list of it and its first arguments (default: what
--- the environment variable CC says, or "cc").
---@field cc? string|string[]
--- Further arguments, separated by blanks, or a list (default: "-O2").
---@field flags? string|string[]
--- "undefined" leaves out the checks of divisions, conversions and `unreachable`.
---@field traps? "checked"|"undefined"
---@field lines? boolean whether `#line` gives the frontend's positions (default true)
--- What lies elsewhere, by name: functions of Lua and of phial; globals and addresses. What it
--- lacks is a symbol of C.
---@field env? table<string, any>
--- The bytes of the stack that recursions and allocas may take, at most three quarters of
--- the limit of the process (default: half of it, at most 4 MiB).
---@field stack? integer

--- Native code, made by `compile`. It can be a to-be-closed variable.
---@class phial.Library: phial.Memory
local Library = {}

--- A function by its name. It takes and returns what the phial function does, raises the
--- same errors, and keeps the library. It cannot be interrupted.
---@param name string
---@return function
function Library:get(name) end

--- Calls a function by its name.
---@param name string
---@param ... any
---@return any
function Library:call(name, ...) end

--- Unloads the code. Calls of its functions raise errors then.
function Library:close() end

--- A set of rules (docs/rules.md), made by phial.rules. Functions share it; a change
--- takes effect with the next instruction.
---@class phial.Rules
local Rules = {}

--- Adds the rules of a text: all of them or, if it raises an error, none.
---@param text string
---@param functions? table<string, function> the functions that the text calls as $name. A guard is passed the arguments in its brackets, constants as numbers, and returns whether the rule applies. An action is also passed a phial.Actor, as first argument, and returns a value, a number or boolean for a constant, or nil: then the next rule is tried
---@param name? string of the text, for messages
---@return phial.Rules self
function Rules:add(text, functions, name) end

--- Makes the ops and types of a dialect known to rules that are added later.
---@param dialect phial.Dialect
---@return phial.Rules self
function Rules:attach(dialect) end

--- Adds the rules of another set that are on and that this one does not have, from
--- phial.rules "int" or from an earlier call; attaches its dialects. If one is refused, none is added.
---@param other phial.Rules
---@return phial.Rules self
function Rules:include(other) end

--- Removes all rules of that name.
---@param name string
---@return phial.Rules self
function Rules:remove(name) end

--- Switches rules on or off.
---@param name string
---@param on? boolean (default true)
---@return phial.Rules self
function Rules:enable(name, on) end

--- The names of the rules that are on, without duplicates, in order.
---@return string[]
function Rules:names() end

--- The rules that are on, or those of that name, as they were written.
---@param name? string
---@return string
function Rules:text(name) end

--- Reports valid but suspicious rules: duplicates, rules that another rule leaves nothing
--- to do, rules that go round in circles, or never apply.
---@return true|nil ok
---@return string[]? problems
function Rules:lint() end

--- *core*
--- Evaluates the pattern and the result of each rule with many values, and gives a verdict
--- on each, "name: verdict". A rule is proved (every combination of types and every value
--- was tried), checked (all values at small widths, at some of which it applied, by each side
--- of an `or` in its guard, and samples at the others), tested (samples only), wrong (with
--- values that show it), or never applies (and why); or it is not checked (and why).
---@param opts? phial.CheckOptions
---@return true|nil ok nil if a rule is wrong or never applies
---@return string[] verdicts one for each rule, in order
---@return string[] unchecked those of rules that were not checked and are not marked `@ unsafe`
function Rules:check(opts) end

---@class phial.CheckOptions
---@field div? "trap"|"ub" the meaning of a division by zero (default "trap")
---@field shift? "mod"|"zero"|"undef" the meaning of a shift by the width or more (default "mod")
---@field width? integer all widths up to this one are tested (default 4)
---@field limit? integer for each combination of types, all values are tested if there are at most 2^limit (default 12)
---@field cases? integer otherwise, the number of samples, which the combinations of types share (default 5000)
---@field strict? boolean rules that are only tested must be marked `@ tested`, those not checked `@ unsafe`
---@field samples? table<phial.Type|string|integer, table> lists of values of a dialect's types, and of "any", and of data by the name of an op; and a list of cases, values by variable, that are tried, too
---@field facts? table<function, fun(...): boolean> by a function of guards, of which values it may be true

--- The rules that are on, or those of that name, as trees, in order; each of the alternatives
--- `[a|b]` is a rule.
---@param name? string
---@return phial.RuleTree[]
function Rules:rules(name) end

--- A rule as trees.
---@class phial.RuleTree
---@field name? string
---@field text string as it was written, all its alternatives, after what `let` defines for it
---@field source string the name of the text in which it was written
---@field line integer there
---@field alternative? integer which of `[a|b]`, and of the forms of `let`, from 1
---@field types phial.Type[][] for each type of the rule the names of those that it can be; `type` of a node is the number of one
---@field pattern phial.RuleNode
---@field result phial.RuleNode
---@field guard? phial.RuleNode
---@field prio integer
---@field late? true its attributes: docs/rules.md
---@field always? true
---@field unoriented? true
---@field tested? true
---@field unsafe? string

--- A node of a rule. Its children, operands and then labels, are in the list.
---@class phial.RuleNode
--- op: an instruction. expression: a computation with constants, in guards also `and`, `or`, `not`.
--- callback: `$name`, a condition or an action; helper: a constant. type: the argument of width().
--- any: `_`. only: `!`.
---@field kind "value"|"constant"|"literal"|"int_min"|"int_max"|"any"|"type"|"op"|"expression"|"label"|"callback"|"helper"|"data"|"only"
---@field type? integer nil: no result, or in an expression a plain integer of 64 bits
---@field name? string of a value, constant, label, of data: "_" if it has none
---@field op? string of an op or expression; the name of an op or of a function of rules
---@field value? integer|number|boolean|string of a literal; nil too
---@field data? phial.RuleNode of an op: data, a literal or a helper
---@field callback? function
---@field once? true written once(...)
---@field as? string of an op of the pattern: the name that `@` gives it
---@field [integer] phial.RuleNode

--- The rules that are on, or those of that name, in SMT-LIB 2, a question for each and each combination of types at which
--- it can apply: satisfiable if the rule is wrong.
---@param name? string
---@param opts? { widths: integer[] } of integers (default { 1, 8, 16, 32, 64 })
---@return string
function Rules:smt(name, opts) end

--- Asks a solver about each rule, at each combination of types, and gives a verdict, "name: proved",
--- "name: wrong at ..." with values that show it, also when phial runs them, or "name: open", and why.
---@param opts? phial.ProveOptions
---@return true|nil ok true if all are proved
---@return string[] verdicts one for each rule, in order
---@return table<string, boolean|number>[] samples for `R:check`: values by variable for which a rule is wrong
function Rules:prove(opts) end

---@class phial.ProveOptions
---@field solver? string a name or path that ends with "z3" (default) or "cvc5"
---@field seconds? number what one question may take (default 5)
---@field steps? integer what one question may take, in steps of z3, which are the same on each machine; all questions about one rule may take twenty times as many, and are split into powers of two only where it asks for these
---@field limit? number seconds that all questions about one rule may take, after which it is open
---@field widths? integer[] of integers (default { 1, 8, 16, 32, 64 })
---@field rule? string only the rules of that name

--- Finds the cheapest form of a term of integers, or of pure ops with `eval` of dialects of the set,
--- written as a pattern, and makes of both a rule, as general as holds. It is proved; where the solver
--- is not installed, or an op has no `smt`, it is only checked, and `verdict` is that of `R:check`. The
--- rules of the set play no part.
---@param text string
---@param opts? phial.BestOptions
---@return phial.Best? best nil: no cheaper form was found
function Rules:best(text, opts) end

--- Makes a rule of integers without a guard as general as holds, and proves or checks it, as `R:best`
--- does: parts become variables, literals constants under guards.
---@param text string
---@param opts? phial.BestOptions
---@return phial.Best? best nil: the rule does not hold
function Rules:generalise(text, opts) end

--- What functions have often and the set leaves as it is: terms of two to four integer ops of
--- one width, or of dialects, of which only the outermost has other users; first what has most to save.
---@param opts phial.ShapesOptions
---@return phial.Shape[]
function Rules:shapes(opts) end

--- Finds a rule, as `R:best` does, for each of `R:shapes`, or of the terms that are enumerated, that
--- the rules found so far leave as it is.
---@param opts phial.FindOptions
---@return phial.Found[]
---@return integer? from the number of the shape to go on with, where `limit` ended the search
function Rules:find(opts) end

---@class phial.ShapesOptions
---@field functions phial.Function[] finished ones
---@field least? integer the least count of a shape (default 2)
---@field samples? table as for `R:check`: the types of dialects that shapes may have

---@class phial.FindOptions: phial.BestOptions
---@field functions? phial.Function[] finished ones
---@field enumerate? phial.Enumerate searches these terms instead
---@field least? integer the least count of a shape (default 2)
---@field limit? number seconds of processor after which no further shape is begun
---@field from? integer the number of the first shape (default 1)

--- All terms of so many ops and variables that are heavier than another one with the same values.
---@class phial.Enumerate
---@field size? integer the most ops, 1 to 4 (default 2)
---@field vars? integer of each type, 1 to 3 (default 2)
---@field ops? string their names, "add sub select" (default: those of the option `ops`, else all)
---@field literals? string integers, INT_MIN, INT_MAX (default: "0 1 -1 3 8 INT_MIN INT_MAX")

---@class phial.Found: phial.Best
---@field shape phial.Shape

---@class phial.Shape
---@field text string the term, a pattern
---@field count integer
---@field ops integer
---@field form? string of one that was enumerated: the lightest term that is known to have its values
---@field at { fn: phial.Function, value: phial.Value }[] its first places, at most three

---@class phial.BestOptions
---@field solver? string as for `R:prove`
---@field seconds? number what one question may take (default 5)
---@field steps? integer as for `R:prove` (default 4,000,000, about a second): what is found does not depend on time then
---@field size? integer the most ops of the form: 1, 2 or 3 (default 3)
---@field samples? table lists of values of a dialect's types, by type, as for `R:check`
---@field ops? string ops of dialects that forms may have besides those of the term: a term of each, as `fp.neg(x)`, a line each

---@class phial.Best
---@field form string of the term
---@field rule string
---@field verdict string on the rule
---@field saves integer by how much the form weighs less

--- Says for each rule why it does not apply to such an instruction, or that it
--- applies. Operands are shown in the order that an instruction would have.
---@param fn phial.Function
---@param op string|phial.Op
---@param ... phial.Operand|phial.Type|phial.Block operands, the type if the op needs it, targets
---@return string
---@overload fun(self: phial.Rules, v: phial.Value, name?: string): string of an instruction or terminator that exists, as if it were reconsidered; the rules of that name alone
function Rules:explain(fn, op, ...) end

--- The builder that is passed to an action. While the action runs, it emits pure
--- instructions in place of the instruction that the rule matched.
---@class phial.Actor: phial.Ops
local Actor = {}

--- Like `block:emit`, for pure ops.
---@param op phial.Op|string
---@param ... phial.ValueOrLiteral|phial.Type
---@return phial.Value
function Actor:emit(op, ...) end

--- Like `fn:const`.
---@param value phial.Literal
---@param type? phial.Type
---@return phial.Value
function Actor:const(value, type) end

--- Initial bytes: an offset, a type of phial or "bytes", and a value of that type.
---@alias phial.Run {[1]: integer, [2]: phial.Type|"bytes", [3]: any}

--- Functions, globals and declarations, by name. `tostring` gives its text.
---@class phial.Module
local Module = {}

---@class phial.GlobalOptions
---@field constant? boolean the program never writes to it
---@field align? integer a power of two up to 4096; default: that of the type, for a size 8
---@field linkage? phial.Linkage
--- The bytes to which it can grow, at most 2^32: then it has a size, which can be 0, is not
--- constant, and its address is a multiple of 4096 (p:grow).
---@field reserve? integer

---@return string
function Module:name() end

--- *core*
--- Makes a function of the module. A declaration of that name becomes its definition, with
--- the same signature.
---@param name string
---@param params? string[] "name:type"
---@param result? phial.Type|phial.Type[]
---@param opts? phial.Options those of the module hold unless given here
---@return phial.Function
function Module:fn(name, params, result, opts) end

--- *core*
--- Builds a function of the module from a body (docs/builder.md).
---@param name string
---@param params? string[] "name:type"
---@param result? phial.Type|phial.Type[]
---@param opts? phial.Options
---@param body fun(b: phial.Builder, v: table)
---@return phial.Function fn finished
function Module:build(name, params, result, opts, body) end

---@class phial.DeclareOptions
---@field variadic? boolean further arguments may follow those of the parameters
---@field reads? phial.Classes what a call reads; default: "all"
---@field writes? phial.Classes what it writes; with {}, equal calls become one as reads do

--- *core*
--- Declares a function that is defined elsewhere. Calls that are emitted then read and write the
--- classes that it says.
---@param name string
---@param params? string[] "name:type"
---@param result? phial.Type|phial.Type[]
---@param opts? phial.DeclareOptions
---@return phial.Function
function Module:declare(name, params, result, opts) end

--- *core*
--- Makes a global: memory that exists as long as the program runs.
---@param name string
---@param type phial.Type|integer the type of its value, or its size in bytes
---@param initial? number|boolean|string|phial.Global|phial.Function|phial.Ref|phial.Run[] for a
--- size, its bytes, or runs of them, in any order; for a ptr, what it points to, the name of
--- that, or a ref; default: zeros. Errors: runs that overlap or lie outside, values that do not
--- have their types
---@param opts? phial.GlobalOptions
---@return phial.Global
function Module:global(name, type, initial, opts) end

--- Declares a global that is defined elsewhere: by C when the module is compiled, by the
--- option `env` when it is run, which has an address, or a global, under its name; or later in
--- the module, with the same type.
---@param name string
---@param type phial.Type|integer the type of its value, or its size in bytes
---@param opts? phial.GlobalOptions without linkage and reserve
---@return phial.Global
function Module:declare_global(name, type, opts) end

--- What an initial value points to: bytes of a global, or a function.
---@param symbol string|phial.Global|phial.Function a name is resolved by `finish`
---@param offset? integer bytes added to the address (0)
---@return phial.Ref
function Module:ref(symbol, offset) end

--- *core*
--- The function, declaration or global of that name.
---@param name string
---@return phial.Function|phial.Global|nil
function Module:get(name) end

--- The functions with a body, in order of creation.
---@return phial.Function[]
function Module:functions() end

--- The declarations, in order of creation.
---@return phial.Function[]
function Module:declarations() end

--- The globals, in order of creation.
---@return phial.Global[]
function Module:globals() end

--- *core*
--- Finishes the functions that are not finished, and resolves calls by name. One error lists all
--- calls that name nothing, or do not fit, each with its place. Blocks without a
--- terminator are reported before anything has changed; after other errors, the functions that are
--- finished by then stay so, and a further call continues.
---@param opts? phial.FinishOptions of each function
---@return phial.Module
function Module:finish(opts) end

--- Checks each function, and the calls between them.
---@return true|nil ok
---@return string[]? problems
function Module:verify() end

--- The text of the module, which `phial.parse` reads.
---@param opts? phial.TextOptions of each function
---@return string
function Module:text(opts) end

--- Who calls whom, as the functions are now.
---@return phial.CallGraph
function Module:callgraph() end

--- *core*
--- Compiles all functions of the module to native code: see `fn:compile`. Globals are data
--- of the library, declarations what the dynamic linker finds.
---@param opts? phial.NativeOptions
---@return phial.Library library which has the functions of external linkage by their names
function Module:compile(opts) end

--- *core*
--- Makes an instance: the running module, with memory of its own that lasts from call to
--- call. A module can have many.
---@param opts? {env: table} env: the declared functions, by name
---@return phial.Instance
function Module:instance(opts) end

--- The memory of an instance or of a library. Where methods take the address `at`, that is an
--- integer or the name of a global; the name of a function is refused, since functions have no
--- bytes.
---@class phial.Memory
local Memory = {}

--- The address of a global or function.
---@param name string
---@return integer
function Memory:address(name) end

--- Reads a value from memory.
---@param at integer|string
---@param type phial.Type
---@return any
function Memory:load(at, type) end

--- Writes a value to memory.
---@param at integer|string
---@param type phial.Type
---@param value any
function Memory:store(at, type, value) end

--- Reads bytes; without a number, all of a global.
---@param at integer|string
---@param n? integer
---@return string
function Memory:bytes(at, n) end

--- Adds bytes, which are zero, to a global made with the option `reserve`; returns how many it had,
--- or nil if so many are not reserved. Its address stays.
---@param name string
---@param n integer 0: only asks
---@return integer?
function Memory:grow(name, n) end

--- Writes bytes.
---@param at integer|string
---@param bytes string
---@return phial.Memory self
function Memory:set_bytes(at, bytes) end

--- A running module.
---@class phial.Instance: phial.Memory
local Instance = {}

--- *core*
--- Runs a function of the module; memory is as the last call left it. (`fn:call` emits a call.)
---@param name string
---@param ... any its arguments, then options if any: {fuel: integer}, as in phial.RunOptions
---@return any
function Instance:call(name, ...) end

---@return phial.Module
function Instance:module() end

--- Memory of a module. `tostring` gives "@name".
---@class phial.Global
local Global = {}

---@return string
function Global:name() end

---@return phial.Module
function Global:module() end

--- The type of its value; nil if it was made by its size.
---@return phial.Type?
function Global:type() end

--- Its size in bytes.
---@return integer
function Global:size() end

--- The bytes to which it can grow; nil if it cannot.
---@return integer?
function Global:reserve() end

--- Its alignment in bytes, a power of two.
---@return integer
function Global:align() end

--- Its initial value; nil: zeros. Runs come by offset.
---@return any
function Global:initial() end

--- Its initial bytes, as many as its size; those of a ptr are zeros, since addresses are not
--- known before it runs.
---@return string
function Global:bytes() end

---@return boolean
function Global:is_constant() end

--- True if it is defined elsewhere.
---@return boolean
function Global:is_declaration() end

---@return phial.Linkage
function Global:linkage() end

--- What an initial value points to. `tostring` gives "@name + 8".
---@class phial.Ref
local Ref = {}

--- The name of the global or function.
---@return string
function Ref:name() end

--- The bytes added to its address.
---@return integer
function Ref:offset() end

--- The call graph of a module.
---@class phial.CallGraph
local CallGraph = {}

--- The functions that a function calls, each once, in order of the first calls.
---@param fn phial.Function
---@return phial.Function[]
function CallGraph:callees(fn) end

--- The functions of the module that call a function, each once.
---@param fn phial.Function
---@return phial.Function[]
function CallGraph:callers(fn) end

--- The strongly connected components, callees before callers.
---@return phial.Function[][]
function CallGraph:sccs() end

--- True if a function calls what the graph does not know: Lua functions, or through a pointer.
---@param fn phial.Function
---@return boolean
function CallGraph:calls_unknown(fn) end

--- True if the address of a function is taken, so that calls through a pointer may reach it.
---@param fn phial.Function
---@return boolean
function CallGraph:is_address_taken(fn) end

return M
