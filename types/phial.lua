---@meta phial
-- luacheck: ignore 241

-- What an editor has to know about phial. A spec compares it with the
-- metatables of the C module.
--
-- Errors. A call that is wrong raises, positioned at the caller, and changes
-- nothing. What is common to all methods is not repeated at each: the function
-- is closed, or broken (memory ended while it was being changed); a wrong
-- number of arguments; a handle of another function; a block or value that
-- finish dropped. Tables of options are checked for names that there are not, and
-- read as they are: what a metatable would answer does not count. What makes or changes something is refused after finish
-- (see `fn:reopen`) and while an undef or log function runs.

--- phial: SSA construction on the fly.
---@class phial
---@field _VERSION string
---@field emit phial.Emitters
local M = {}

--- What becomes a constant beside a value: an integer or float takes the type
--- of the other operand (alone: i64, f64), a boolean is an i1; strings are
--- operands of type any only.
---@alias phial.Literal integer|number|boolean|string

---@alias phial.Operand phial.Value|phial.Literal

--- A type by name: "i1", "i8", "i16", "i32", "i64", "f32", "f64", "any", or
--- "dialect.type".
---@alias phial.Type string

--- What an instruction carries besides its operands: any Lua value.
---@class phial.Extra
---@field data any

---@class phial.Options
---@field construction? "marker"|"simple" how phis are placed on the way; what comes out is the same
---@field type? phial.Type of variables and parameters that tell none (default "i64")
---@field copies? boolean each write makes a copy of its own
--- What an undefined variable reads as; with "error", finish refuses.
---@field undef? "undef"|"error"|fun(var: phial.Variable): phial.Operand
---@field strict? boolean finish refuses unsealed blocks
--- Record the Lua file and line of blocks, seals and terminators (true, the
--- default), or of all instructions.
---@field where? boolean|"all"
--- Gets each step of the construction, when the call that made it is done;
--- it can look at the function, not change it.
---@field log? fun(event: phial.Event)
---@field dialects? phial.Dialect[] ops and types that can be named
--- Rules are applied, constants folded and equal values merged while the
--- function is constructed (default:
--- those of phial.rules "int"); false: what is emitted stays as it is.
---@field rules? phial.Rules|false

--- A step of the construction, for the option `log`. Handles stand for what is
--- there now; the ids are those of then, for phis that are gone since.
---
--- block, var: made; emit: an instruction was added; write: var is value in
--- block; lookup: var is looked for beyond block, a read follows; read: var was
--- value in block; phi: value was made in block for var; operand: operand
--- `index` of the phi is `operand`, from the block `from`; trivial, redundant:
--- the phi `value` was replaced by `by`; rule: one applies to what is emitted
--- into block; simplified: the instruction `value` was replaced by `by`; filled: value ended block; sealed: the
--- phis of block get operands next; defined: where var has no definition it is
--- value, said the undef function; dropped: nothing reaches block; finished,
--- reopened: the function is; edited: so it was after that, at value or block.
---@alias phial.EventName
---| "block"|"var"|"emit"|"write"|"lookup"|"read"|"phi"|"operand"|"trivial"
---| "redundant"|"rule"|"simplified"|"filled"|"sealed"|"defined"|"dropped"|"finished"|"reopened"
---| "edited"

---@class phial.Event
---@field event phial.EventName
---@field place? string "file:line" of the call that made it
---@field loc? {line: integer, col: integer?, file: string?} the frontend's position
---@field block? phial.Block
---@field var? phial.Variable
---@field value? phial.Value
---@field value_id? integer
---@field args_id? integer[] the operands of what was emitted or ended a block
---@field operand? phial.Value
---@field operand_id? integer
---@field index? integer
---@field from? phial.Block
---@field by? phial.Value
---@field by_id? integer

--- A new function with its entry block.
---@param name string
---@param params? string[] "name:type", or "name" with the default type
---@param result? phial.Type nothing is returned without it
---@param opts? phial.Options
---@return phial.Function
function M.fn(name, params, result, opts) end

--- A function from a structured program: what its body does with the builder.
--- The options may be left out: phial.build(name, params, result, body).
---@param name string
---@param params? string[]
---@param result? phial.Type
---@param opts phial.Options?
---@param body fun(b: phial.Builder, v: phial.Variables)
---@return phial.Function fn finished
---@overload fun(name: string, params: string[]?, result: phial.Type?, body: fun(b: phial.Builder, v: phial.Variables)): phial.Function
function M.build(name, params, result, opts, body) end

--- One op of a dialect.
---@class phial.OpSpec
--- How many operands, of any type (default 0), or any number, or their types;
--- the dialect's own types have no prefix.
---@field args? integer|phial.Type[]|"*"
---@field result? phial.Type
---@field results? integer emit returns that many values of type result
---@field pure? boolean no effect and no trap: may be merged or dropped
---@field effect? boolean (default: what is not pure has an effect)
---@field commutative? boolean
---@field terminator? boolean ends a block
---@field targets? integer|"*" of a terminator (default 0)
---@field cost? integer for rules, which must make things cheaper (default 3, as add; mul has 10)
--- What it computes: from the operands, then the data if there are any, the
--- results; for a terminator the number of the target, or without targets the
--- function's result.
---@field eval? function

--- The ops and types of a user.
---@param name string an identifier, as are the names of ops and types
---@param ops table<string, phial.OpSpec>
---@param types? string[]
---@return phial.Dialect
function M.dialect(name, ops, types) end

--- A set of rules: empty, the rules of a text, or with "int" a new set over the
--- standard rules. Wrong text raises and shows what is wrong; so does R:add.
---@param text? string
---@param functions? table<string, function> behind $name in the text
---@param name? string of the text, in messages
---@return phial.Rules
function M.rules(text, functions, name) end

--- Reads the text form. What `fn:text` says of an unfinished function makes one
--- that can be read and not be continued.
---@param text string
---@param opts? {dialects: phial.Dialect[], file: string} file: named in the message
---@return phial.Function? fn nil when the text is wrong
---@return string? message "line:column: what is wrong"
function M.parse(text, opts) end

--- What a frontend has done with a function, as a trace (docs/trace.md).
---@class phial.Record
local Record = {}

--- The trace so far.
---@return string
function Record:text() end

--- Writes the trace so far to a file; nil and why when that fails.
---@param path string
---@return true?
---@return string? why
function Record:save(path) end

--- Records what is done with a function from now on; refused when there are
--- blocks or instructions in it already.
---@param fn phial.Function
---@param path? string each line is also written to this file, as it comes
---@return phial.Record
function M.record(fn, path) end

---@class phial.ReplayOptions
---@field dialects? phial.Dialect[] others are made up from how their ops are used
---@field construction? "marker"|"simple" instead of the recorded one
--- What `{host 1}` ... stand for; else functions that raise an error.
---@field host? table<integer, any>|fun(k: integer): any
---@field verify? boolean false: finish does not verify
---@field file? string named in messages

--- The functions of a trace.
---@param text string
---@param opts? phial.ReplayOptions
---@return phial.Function? fn one for each, as several results; nil when the text is wrong
---@return string? message "line: what is wrong"
function M.replay(text, opts) end

--- A line of a trace that was replayed.
---@class phial.Step
---@field line integer
---@field text string
---@field fn phial.Function? as it is by then; nil when it could not be made
---@field events phial.Event[] what construction did
---@field problem? string "line: what is wrong"; then it is the last step

--- Replays a trace step by step.
---@param text string
---@param opts? phial.ReplayOptions
---@return (fun(): phial.Step?)? iterator nil when a line cannot be read
---@return string? message "line: what is wrong"
function M.steps(text, opts) end

--- An op as `phial.ops` tells it. The signature is the result, a colon and the
--- operands: `t i` integer types, `f g` float types, `x v` any type, the same
--- at each `t`, `f`, `x`; `b` i1; `-` none; upper case: said by the
--- instruction; a star: any number.
---@class phial.OpRow
---@field name string
---@field signature string
---@field targets integer
---@field pure? boolean
---@field commutative? boolean
---@field terminator? boolean
---@field traps? boolean
---@field leaf? boolean no instruction of a block

--- All ops but those of dialects.
---@return phial.OpRow[]
function M.ops() end

---@class phial.Emitters
---@field text fun(fn: phial.Function, opts?: {ids: "own"|"dense"}): string the text form
---@field dot fun(fn: phial.Function): string Graphviz's language
--- Lua source of a finished function: a chunk that returns it, to be called with
--- the table if it needs anything from outside.
---@field lua fun(fn: phial.Function, opts?: phial.LuaOptions): string, table

---@class phial.LuaOptions
--- One function with gotos, or one for each block (default: by its size).
---@field form? "goto"|"blocks"
---@field fuel? boolean count blocks: table.fuel.left says how many may be entered
---@field locals? integer the most in one Lua function (default 180)

--- Behind the arguments of a function that runs.
---@class phial.RunOptions
---@field env? table<string, function> the functions that it calls by name
---@field fuel? integer how many blocks it, and all that it calls, may enter

--- A function under construction, or done. `tostring` gives its text. It can be
--- a to-be-closed variable; closing frees it at once.
---@class phial.Function
---@overload fun(...): any
local Function = {}

--- A new variable; names need not differ.
---@param name string
---@param type? phial.Type
---@return phial.Variable
function Function:var(name, type) end

--- A new block. With a number of predecessors it seals itself when the last
--- one has come; one more is refused.
---@param name? string
---@param preds? integer
---@return phial.Block
function Function:block(name, preds) end

--- The block where it all begins; it has no predecessors.
---@return phial.Block
function Function:entry() end

--- The parameters' variables.
---@return phial.Variable ...
function Function:params() end

--- The variable of parameter i, from 1.
---@param i integer
---@return phial.Variable
function Function:param(i) end

--- The value of argument i, from 1.
---@param i integer
---@return phial.Value
function Function:arg(i) end

--- A constant; of nil and strings the type is any.
---@param value phial.Literal?
---@param type? phial.Type
---@return phial.Value
function Function:const(value, type) end

--- The undefined value of a type.
---@param type phial.Type
---@return phial.Value
function Function:undef(type) end

--- Sets the block into which operators and methods of values emit; without an
--- argument tells it.
---@param block? phial.Block
---@return phial.Block?
function Function:at(block) end

--- The frontend's own source position of the instructions that follow; without
--- arguments there is none.
---@param line? integer
---@param col? integer
---@param file? string
function Function:loc(line, col, file) end

---@return string
function Function:name() end

--- The type of what it returns, or nil.
---@return phial.Type?
function Function:result() end

--- All blocks, in the order in which they were made.
---@return fun(fn: phial.Function, block?: phial.Block): phial.Block?
---@return phial.Function
function Function:blocks() end

--- All phis and instructions, block by block.
---@return fun(fn: phial.Function, value?: phial.Value): phial.Value?
---@return phial.Function
function Function:values() end

---@class phial.Stats
---@field blocks integer
---@field values integer phis and instructions
---@field phis integer
---@field temporary_phis integer got operands and are gone again
---@field trivial_phis integer replaced as trivial; also those that a read in
---an unsealed block was given and that never needed operands
---@field redundant_phis integer and as redundant
---@field folded integer instructions that were constants when they were emitted
---@field applied integer rules that applied then
---@field merged integer instructions that were there already
---@field late_folded integer the same when finish looked at them again
---@field late_applied integer
---@field late_merged integer
---@field exhausted integer how often rules were stopped that went round in circles
---@field rules? table<string, integer> how often each rule applied, by its name

---@return phial.Stats
function Function:stats() end

--- Simplifies all instructions of a finished function once more: after edits,
--- or with new rules. How many it has changed.
---@return integer
function Function:resimplify() end

--- The option of that name.
---@return "marker"|"simple"
function Function:construction() end

--- One more function gets each step of the construction from now on, as with
--- the option `log`.
---@param f fun(event: phial.Event)
function Function:log(f) end

--- The text form; "dense" numbers in reverse postorder and sorts phis, to
--- compare functions.
---@param opts? {ids: "own"|"dense"}
---@return string
function Function:text(opts) end

--- Ends construction: seals what is not sealed, drops what the entry does not
--- reach, removes redundant phis, verifies. Refused, with a list, when a block
--- has no terminator; when strict and a block is not sealed; with
--- `undef = "error"` when a read may see no definition. What verify finds
--- leaves
--- the function open, and sealed.
---@param opts? {verify: boolean, strict: boolean}
---@return phial.Function self
function Function:finish(opts) end

--- Goes on after finish: blocks and instructions can be made again; variables
--- have the definitions only that are written from now on.
---@return phial.Function self
function Function:reopen() end

--- Checks every invariant.
---@return true?
---@return string[]? problems
function Function:verify() end

--- Runs it, once it is finished, as fn(...) does: with as many arguments as it
--- has parameters, and then maybe options (phial.RunOptions). Integers are Lua
--- integers, an i1 is a boolean. What traps is an error that names the
--- instruction and its place.
---@param ... any
---@return any
function Function:run(...) end

---@return boolean
function Function:is_finished() end

--- A number that every change makes larger.
---@return integer
function Function:version() end

--- The dialect of that name, if its ops were used or it was told in the options.
---@param name string
---@return phial.Dialect?
function Function:dialect(name) end

--- Frees it; again is nothing. Its handles raise from then on.
function Function:close() end

---@class phial.UndefinedRead
---@field var phial.Variable
---@field block phial.Block where it is read
---@field place? string "file:line" of the read, recorded with `where = "all"` or `undef = "error"`
---@field loc? {line: integer, col: integer?, file: string?} the frontend's position
---@field path phial.Block[] from the entry to the block, without a definition

--- The reads that see no definition of their variable on some path. Of
--- several reads of a variable in one block, without a write between them, the
--- first one.
---@return phial.UndefinedRead[]
function Function:undefined() end

--- The values, no phis, that reach a value through phis.
---@param value phial.Value
---@return phial.Value[]
function Function:definitions(value) end

--- Removes pure instructions and phis that no instruction uses; after finish.
---@return integer count
function Function:sweep() end

--- Removes redundant phis: edits can leave some; after finish.
---@return integer count
function Function:minimize() end

--- Drops blocks that the entry does not reach any more; after finish.
---@return integer count
function Function:drop_unreached() end

--- A new block in a finished function: nothing leads to it, and it ends with
--- `unreachable`. `block:back()` fills it and ends it anew.
---@param name? string
---@return phial.Block
function Function:add_block(name) end

--- Puts a new block on an edge of a finished function. Phis keep their
--- operands.
---@param from phial.Block
---@param to phial.Block
---@param nth? integer which edge, from 1, when there are several
---@param name? string
---@return phial.Block
function Function:split_edge(from, to, nth, name) end

--- Is each loop entered at one block only?
---@return boolean
function Function:reducible() end

--- Is there no redundant set of phis? Else a phi of one.
---@return boolean
---@return phial.Value? phi
function Function:minimal() end

--- Is each phi needed by a read or an instruction? Else one that is not.
---@return boolean
---@return phial.Value? phi
function Function:pruned() end

--- Does every path from the entry to b lead through a?
---@param a phial.Block
---@param b phial.Block
---@return boolean
function Function:dominates(a, b) end

--- The blocks that the entry reaches, in reverse postorder.
---@return phial.Block[]
function Function:rpo() end

--- A loop: blocks that lead to each other. Without the header, what still
--- leads to each other are the loops in it.
---@class phial.LoopOfBlocks
---@field header phial.Block the first of them in reverse postorder
---@field blocks phial.Block[] the header first; those of the loops in it too
---@field parent? phial.LoopOfBlocks the loop around it
---@field depth integer 1: no loop is around it
---@field reducible boolean can it be entered at its header only?

--- The loops, outer ones before inner ones. The lists of blocks are as long as
--- loops are deep: `block:loop_depth` costs less.
---@return phial.LoopOfBlocks[]
function Function:loops() end

--- The values that are live at the start of a block; its phis are not.
---@param block phial.Block
---@return phial.Value[]
function Function:live_in(block) end

--- What emits instructions: a method for each op.
---@class phial.Ops
local Ops = {}

--- Where instructions are made: at the end of a block, or at a cursor.
---@class phial.Point: phial.Ops
local Point = {}

--- A block. `tostring` gives its name as it stands in the text.
---@class phial.Block: phial.Point
local Block = {}

--- The value of a variable here (readVariable); after the terminator, at the
--- end. Of several variables, one value each: `b:slt(b:read(i, n))`; all are
--- checked before the first is read.
---@param var phial.Variable
---@param ... phial.Variable
---@return phial.Value
---@return phial.Value ...
function Block:read(var, ...) end

--- Makes a value the variable's (writeVariable). Refused after the terminator,
--- and when the types differ.
---@param var phial.Variable
---@param value phial.Operand
---@return phial.Value? copy with the option copies
function Block:write(var, value) end

--- No more predecessors will come (sealBlock). Refused the second time.
function Block:seal() end

--- Appends an instruction: operands, for ops that need it the result's type,
--- extras; of a terminator the targets follow the operands, as blocks (then
--- maybe extras) or as a list, {block, ..., data =}; at a cursor extras can be
--- `phis =`, what phis are along new edges.
---@param op phial.Op|string an op of a dialect, or the name of an op
---@param ... phial.Operand|phial.Type|phial.Extra|phial.Block|phial.Block[]
---@return phial.Value ... as many as the op has results
function Point:emit(op, ...) end

--- Calls a phial function, a Lua function, or what has that name.
---@param callee any not nil
---@param type? phial.Type|false of the result; none without
---@param ... phial.Operand
---@return phial.Value?
function Point:call(callee, type, ...) end

--- A further result of an instruction.
---@param value phial.Value
---@param index integer from 2
---@param type phial.Type
---@return phial.Value
function Point:proj(value, index, type) end

--- A phi by hand, in a sealed block: a value for each predecessor, all of one
--- type. Refused when one is missing or is no predecessor.
---@param values table<phial.Block, phial.Operand>
---@return phial.Value
function Point:phi(values) end

--- Ends the block. Refused, as all terminators are, when there is one, when a
--- target is the entry, sealed, or has all the predecessors it was made for.
---@param target phial.Block
function Block:jump(target) end

--- Jumps unless the block has a terminator.
---@param target phial.Block
---@return boolean jumped
function Block:jump_if_open(target) end

---@param cond phial.Operand an i1
---@param yes phial.Block
---@param no phial.Block
function Block:branch(cond, yes, no) end

--- Edges are ordered by key.
---@param value phial.Operand an integer
---@param default phial.Block
---@param cases table<integer, phial.Block> keys that fit the value's type
function Block:switch(value, default, cases) end

--- Returns a value of the function's result type, or nothing if it has none.
---@param value? phial.Operand
function Block:ret(value) end

--- Control never comes here.
function Block:unreachable() end

--- Its name, or nil.
---@return string?
function Block:name() end

--- Its number, never used again.
---@return integer
function Block:id() end

---@return boolean
function Block:is_sealed() end

--- Has it a terminator?
---@return boolean
function Block:is_filled() end

--- Has it none?
---@return boolean
function Block:is_open() end

--- The predecessors so far, one for each edge, in the order of a phi's
--- operands.
---@return phial.Block[]
function Block:preds() end

--- The targets of the terminator.
---@return phial.Block[]
function Block:succs() end

---@return phial.Value[]
function Block:phis() end

--- The instructions, the terminator last.
---@return phial.Value[]
function Block:insts() end

--- The terminator, or nil.
---@return phial.Value?
function Block:terminator() end

--- How many loops it is in.
---@return integer
function Block:loop_depth() end

--- Where instructions can be put in behind the phis; after finish.
---@return phial.Cursor
function Block:front() end

--- Where instructions can be put in before the terminator, and where the block
--- can be ended anew; after finish.
---@return phial.Cursor
function Block:back() end

--- What phis are when control comes along new edges: a value for each phi of the
--- blocks that they lead to.
---@alias phial.Incoming table<phial.Value, phial.Operand>

--- Leads all edges to a block elsewhere; after finish. Phis there lose an
--- operand, and those of the new target, where the edges come last, get one.
---@param from phial.Block
---@param to phial.Block
---@param phis? phial.Incoming
function Block:retarget(from, to, phis) end

--- Adds an edge; after finish. A jump becomes a branch that takes it when `when`,
--- an i1, is true; a switch gets a case with the key `when`; a terminator of a
--- dialect that takes any number of targets gets a last one. Refused for others:
--- they are ended anew (`block:back`).
---@param to phial.Block
---@param when? phial.Operand
---@param phis? phial.Incoming
function Block:add_edge(to, when, phis) end

--- Removes an edge: control never goes that way; after finish. A branch becomes
--- a jump, a jump becomes unreachable; the last case of a switch becomes the
--- default when that goes. Refused for terminators of dialects with a fixed
--- number of targets.
---@param to phial.Block
---@param nth? integer which edge, from 1, when there are several
function Block:remove_edge(to, nth) end

--- The immediate dominator; nil for the entry and what it does not reach.
---@return phial.Block?
function Block:idom() end

-- The ops as methods.

--- a + b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:add(a, b, extra) end

--- a - b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sub(a, b, extra) end

--- a * b, wrapping around. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:mul(a, b, extra) end

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

--- Bitwise and. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:band(a, b, extra) end

--- Bitwise or. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:bor(a, b, extra) end

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

--- a shifted left by b modulo the width. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:shl(a, b, extra) end

--- a shifted right by b modulo the width, zeros come in. Both are integers of
--- one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:shr(a, b, extra) end

--- a shifted right by b modulo the width, its sign comes in. Both are integers
--- of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sar(a, b, extra) end

--- a == b, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:eq(a, b, extra) end

--- a ~= b, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ne(a, b, extra) end

--- a < b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:slt(a, b, extra) end

--- a <= b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sle(a, b, extra) end

--- a > b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sgt(a, b, extra) end

--- a >= b, signed, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:sge(a, b, extra) end

--- a < b, unsigned, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ult(a, b, extra) end

--- a <= b, unsigned, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ule(a, b, extra) end

--- a > b, unsigned, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:ugt(a, b, extra) end

--- a >= b, unsigned, an i1. Both are integers of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:uge(a, b, extra) end

--- a + b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fadd(a, b, extra) end

--- a - b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fsub(a, b, extra) end

--- a * b. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fmul(a, b, extra) end

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

--- a == b, an i1; false beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:feq(a, b, extra) end

--- a ~= b, an i1; true beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fne(a, b, extra) end

--- a < b, an i1; false beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:flt(a, b, extra) end

--- a <= b, an i1; false beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fle(a, b, extra) end

--- a > b, an i1; false beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fgt(a, b, extra) end

--- a >= b, an i1; false beside a nan. Both are floats of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:fge(a, b, extra) end

--- a when c, an i1, is true, else b. Both are of one type.
---@param c phial.Operand
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:select(c, a, b, extra) end

--- The low bits of a as a narrower integer type. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:trunc(a, type, extra) end

--- a as a wider integer type, zeros in front. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:zext(a, type, extra) end

--- a as a wider integer type, its sign in front. a is an integer.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:sext(a, type, extra) end

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

--- The bits of a as a type of the same width.
---@param a phial.Operand
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Ops:bitcast(a, type, extra) end

--- A value of its own that equals a.
---@param a phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Ops:copy(a, extra) end

--- A mutable name of the source program. `tostring` gives the name.
---@class phial.Variable
local Variable = {}

---@return string
function Variable:name() end

---@return phial.Type
function Variable:type() end

--- Its number, never used again.
---@return integer
function Variable:id() end

--- The result of an instruction, a constant, an argument or undef; `tostring`
--- gives it as it stands in the text. A phi that was replaced answers for what
--- stands in its place, and `==` compares what handles stand for now.
--- Operators, and the methods with the names of ops, emit into the block of
--- `fn:at`, which must be set. What depends on the sign of integers has no
--- operator: `v:slt(w)`, `v:sdiv(w)`, `v:srem(w)`, or `ult`, `udiv`, `urem`.
---@class phial.Value
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
local Value = {}

--- The name of its op: "add", "phi", "const", "param", "undef", "dialect.op".
---@return string
function Value:op() end

--- The type, nil of an instruction without a result.
---@return phial.Type?
function Value:type() end

--- The block; nil of constants, arguments and undef.
---@return phial.Block?
function Value:block() end

--- Its number, never used again.
---@return integer
function Value:id() end

--- Its name, or nil; with an argument, names it. Constants have none.
---@param new? string
---@return string?
function Value:name(new) end

--- The variable of a phi, or of the copy that a write made.
---@return phial.Variable?
function Value:var() end

--- What a constant is; an i1 is a boolean. The type tells a nil from none.
---@return phial.Literal?
---@return phial.Type? type
function Value:const() end

--- The operands.
---@return phial.Value[]
function Value:args() end

--- The instructions and phis that use it, each once.
---@return phial.Value[]
function Value:users() end

--- The number of its uses.
---@return integer
function Value:uses() end

--- The frontend's source position, as far as it was said.
---@return integer? line
---@return integer? col
---@return string? file
function Value:loc() end

--- What it carries; with an argument, makes it carry that. Phis, copies, and
--- what is no instruction carry nothing.
---@param new? any
---@return any
function Value:data(new) end

--- The handle of what it stands for now.
---@return phial.Value
function Value:now() end

-- Editing, after finish. What is local is checked at the call; whether
-- definitions still dominate their uses tells `fn:verify`.

--- All uses become uses of another value of the same type, but those by that
--- value itself: it can be made from this one, which stays until it is erased.
---@param by phial.Operand
function Value:replace(by) end

--- Changes one operand. Refused when the types do not fit.
---@param i integer from 1; a phi's operand belongs to that predecessor
---@param value phial.Operand
function Value:set_arg(i, value) end

--- Takes a phi or an instruction away. Refused for terminators and what is used.
function Value:erase() end

--- Where instructions can be put in before this one. Refused for phis.
---@return phial.Cursor
function Value:before() end

--- Where instructions can be put in behind this one; of a phi, behind all phis.
---@return phial.Cursor
function Value:after() end

--- Moves an instruction before another one, of any block.
---@param value phial.Value no phi
function Value:move_before(value) end

--- Moves an instruction behind another one, of any block.
---@param value phial.Value no terminator; of a phi, behind all phis
function Value:move_after(value) end

-- The ops as methods: a (of select: c) is the value itself.

--- a + b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:add(b, extra) end

--- a - b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sub(b, extra) end

--- a * b, wrapping around. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:mul(b, extra) end

--- a / b, signed, rounded towards zero; traps when b is 0 or the quotient does
--- not fit. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sdiv(b, extra) end

--- a / b, unsigned; traps when b is 0. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:udiv(b, extra) end

--- The remainder of `sdiv`, with the sign of a; traps when b is 0. Both are
--- integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:srem(b, extra) end

--- The remainder of `udiv`; traps when b is 0. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:urem(b, extra) end

--- -a, wrapping around. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Value:neg(extra) end

--- Bitwise and. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:band(b, extra) end

--- Bitwise or. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:bor(b, extra) end

--- Bitwise exclusive or. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:bxor(b, extra) end

--- Bitwise not. a is an integer.
---@param extra? phial.Extra
---@return phial.Value
function Value:bnot(extra) end

--- a shifted left by b modulo the width. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:shl(b, extra) end

--- a shifted right by b modulo the width, zeros come in. Both are integers of
--- one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:shr(b, extra) end

--- a shifted right by b modulo the width, its sign comes in. Both are integers
--- of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sar(b, extra) end

--- a == b, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:eq(b, extra) end

--- a ~= b, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:ne(b, extra) end

--- a < b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:slt(b, extra) end

--- a <= b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sle(b, extra) end

--- a > b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sgt(b, extra) end

--- a >= b, signed, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:sge(b, extra) end

--- a < b, unsigned, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:ult(b, extra) end

--- a <= b, unsigned, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:ule(b, extra) end

--- a > b, unsigned, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:ugt(b, extra) end

--- a >= b, unsigned, an i1. Both are integers of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:uge(b, extra) end

--- a + b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fadd(b, extra) end

--- a - b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fsub(b, extra) end

--- a * b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fmul(b, extra) end

--- a / b. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fdiv(b, extra) end

--- -a. a is a float.
---@param extra? phial.Extra
---@return phial.Value
function Value:fneg(extra) end

--- a == b, an i1; false beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:feq(b, extra) end

--- a ~= b, an i1; true beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fne(b, extra) end

--- a < b, an i1; false beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:flt(b, extra) end

--- a <= b, an i1; false beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fle(b, extra) end

--- a > b, an i1; false beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fgt(b, extra) end

--- a >= b, an i1; false beside a nan. Both are floats of one type.
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:fge(b, extra) end

--- a when c, an i1, is true, else b. Both are of one type.
---@param a phial.Operand
---@param b phial.Operand
---@param extra? phial.Extra
---@return phial.Value
function Value:select(a, b, extra) end

--- The low bits of a as a narrower integer type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:trunc(type, extra) end

--- a as a wider integer type, zeros in front. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:zext(type, extra) end

--- a as a wider integer type, its sign in front. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:sext(type, extra) end

--- The signed integer a as a float type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:itof(type, extra) end

--- The unsigned integer a as a float type. a is an integer.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:utof(type, extra) end

--- The float a as a signed integer type; traps on nan and out of range. a is a
--- float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:ftoi(type, extra) end

--- The float a as an unsigned integer type; traps on nan and out of range. a is
--- a float.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:ftou(type, extra) end

--- The bits of a as a type of the same width.
---@param type string name of the result's type
---@param extra? phial.Extra
---@return phial.Value
function Value:bitcast(type, extra) end

--- A value of its own that equals a.
---@param extra? phial.Extra
---@return phial.Value
function Value:copy(extra) end

--- A place before an instruction of a finished function. What is made there
--- comes in that order. The terminators end the block anew, at its end only: of
--- the edges to a block as many stay as there were, with their phi operands.
--- `tostring` tells where it is.
---@class phial.Cursor: phial.Point
local Cursor = {}

---@see phial.Block.jump
---@param target phial.Block
---@param phis? phial.Incoming
function Cursor:jump(target, phis) end

---@see phial.Block.branch
---@param cond phial.Operand an i1
---@param yes phial.Block
---@param no phial.Block
---@param phis? phial.Incoming
function Cursor:branch(cond, yes, no, phis) end

---@see phial.Block.switch
---@param value phial.Operand an integer
---@param default phial.Block
---@param cases table<integer, phial.Block> keys that fit the value's type
---@param phis? phial.Incoming
function Cursor:switch(value, default, cases, phis) end

---@see phial.Block.ret
---@param value? phial.Operand
function Cursor:ret(value) end

---@see phial.Block.unreachable
function Cursor:unreachable() end

--- The block it is in.
---@return phial.Block
function Cursor:block() end

--- The ops and types of a user, made by `phial.dialect`; its fields are its
--- ops.
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

--- What `eval` was in its description.
---@return function?
function Op:eval() end

--- The variables of a function being built. Reading a field reads the variable
--- in the current block, assigning to it writes; assigning to a new name makes
--- a variable of the whole function, with the type of the value.
---@class phial.Variables
---@field [string] phial.Operand|any

--- What the body of a loop is given, for `break_` and `continue_`.
---@class phial.Loop

--- What the body of `phial.build` is given. The methods of a block work on the
--- current block; those here are structures, and seal what they make. A body
--- is a scope for the variables that `var` declares; a condition that is
--- computed again, or not always, is a function that returns it.
---@class phial.Builder: phial.Block
---@field fn phial.Function
local Builder = {}

--- Declares a variable that ends with the innermost body, and hides what has
--- its name outside. The type may be left out: that of the value, or i64.
---@param name string
---@param type? phial.Type
---@param value? phial.Operand
---@return phial.Variable
---@overload fun(self: phial.Builder, name: string, value: phial.Operand): phial.Variable
function Builder:var(name, type, value) end

--- Does a name stand for a variable here? Reading one that does not is an error.
---@param name string
---@return boolean
function Builder:has(name) end

--- The variable that a name stands for here.
---@param name string
---@return phial.Variable
function Builder:find(name) end

--- Runs a body that has variables and labels of its own; returns what it
--- returns.
---@generic T
---@param body fun(): T
---@return T
function Builder:scope(body) end

--- One arm or another. More pairs of a condition's function and a body may
--- follow the first body; last comes what is done else. Arms that all return a
--- value, or never get to their end, make it the structure's value.
---@param condition phial.Value
---@param body fun(): phial.Operand?
---@param ... fun(): phial.Operand?
---@return phial.Value?
function Builder:if_(condition, body, ...) end

--- An arm for each key, or `default`; no arm falls through into another, and
--- the same function under several keys is one arm. A value as with `if_`.
---@param value phial.Value an integer
---@param arms table<integer|"default", fun(): phial.Operand?>
---@return phial.Value?
function Builder:switch_(value, arms) end

--- An i1: are all true? What stands behind a false one is not computed.
---@param first phial.Value
---@param ... fun(): phial.Value
---@return phial.Value
function Builder:and_(first, ...) end

--- An i1: is one true? What stands behind a true one is not computed.
---@param first phial.Value
---@param ... fun(): phial.Value
---@return phial.Value
function Builder:or_(first, ...) end

--- The other i1.
---@param condition phial.Value
---@return phial.Value
function Builder:not_(condition) end

--- A loop that goes on while its condition is true.
---@param condition fun(): phial.Value
---@param body fun(loop: phial.Loop)
function Builder:while_(condition, body) end

--- A loop that goes on for ever, or until `break_`.
---@param body fun(loop: phial.Loop)
function Builder:loop(body) end

--- A loop that ends when its condition, which sees the body's variables, is
--- true.
---@param body fun(loop: phial.Loop)
---@param condition fun(): phial.Value
function Builder:repeat_(body, condition) end

--- Counts as Lua does: the limit is included and computed once, nothing
--- overflows, and what the body assigns to the variable does not count.
---@param name string a variable of the body's own
---@param from phial.Operand
---@param to phial.Operand
---@param step number not 0
---@param body fun(loop: phial.Loop)
---@overload fun(self: phial.Builder, name: string, from: phial.Operand, to: phial.Operand, body: fun(loop: phial.Loop))
function Builder:for_(name, from, to, step, body) end

--- Leaves the innermost loop, the n-th from inside, or a certain one. What
--- follows is dead, as it is behind `continue_`, `goto_`, `ret` and
--- `unreachable`.
---@param which? integer|phial.Loop
function Builder:break_(which) end

--- Goes to the next iteration.
---@param which? integer|phial.Loop
function Builder:continue_(which) end

--- A place to go to; its block is sealed at the end of the scope.
---@param name string
---@return phial.Block
function Builder:label(name) end

--- Goes to the nearest label of that name which stands around this place, or
--- else will.
---@param name string
function Builder:goto_(name) end

--- Returns from the function.
---@param value? phial.Operand
function Builder:ret(value) end

--- Control never comes here.
function Builder:unreachable() end

--- The current block.
---@return phial.Block
function Builder:block() end

--- Goes on in another block; without an argument tells the current one.
---@param block? phial.Block
---@return phial.Block?
function Builder:at(block) end

--- As `fn:loc`.
---@param line? integer
---@param col? integer
---@param file? string
function Builder:loc(line, col, file) end

--- As `fn:const`.
---@param value phial.Literal?
---@param type? phial.Type
---@return phial.Value
function Builder:const(value, type) end

--- As `fn:undef`.
---@param type phial.Type
---@return phial.Value
function Builder:undef(type) end

--- As `fn:arg`.
---@param i integer
---@return phial.Value
function Builder:arg(i) end

--- A set of rules (docs/rules.md), made by phial.rules. Functions share it; what
--- is changed counts from the next instruction on.
---@class phial.Rules
local Rules = {}

--- Adds the rules of a text: all, or it raises and none.
---@param text string
---@param functions? table<string, function> behind $name in the text: a guard gets what stands in its brackets, constants as numbers, and tells whether the rule applies; an action gets a phial.Actor first and returns a value, a number or boolean for a constant, or nil: then the next rule has its turn
---@param name? string of the text, in messages
---@return phial.Rules self
function Rules:add(text, functions, name) end

--- Makes the ops and types of a dialect known, for rules that are added later.
---@param dialect phial.Dialect
---@return phial.Rules self
function Rules:attach(dialect) end

--- Adds the rules of another set that are on now.
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

--- The names of the rules that are on, each once, in their order.
---@return string[]
function Rules:names() end

--- The rules that are on, or those of that name, as they were written.
---@param name? string
---@return string
function Rules:text(name) end

--- Is anything odd: rules that are there twice, that an earlier one leaves
--- nothing to do, that can be applied for ever or never?
---@return true|nil ok
---@return string[]? problems
function Rules:lint() end

--- Are the rules right? Each is tried with all values of narrow integers and
--- with many of wide ones.
---@param opts? phial.CheckOptions
---@return true|nil ok
---@return string[] problems of ok rules: remarks, on what could not be tried in full
function Rules:check(opts) end

---@class phial.CheckOptions
---@field div? "trap"|"ub" what a division by zero is (default "trap")
---@field shift? "mod"|"zero"|"undef" what a shift by the width or more is (default "mod")
---@field width? integer up to this width all values are tried (default 4)
---@field limit? integer as long as they are not more than 2^limit (default 12)
---@field cases? integer how many are tried of wider integers (default 500)

--- What keeps each rule from applying to such an instruction, or that it
--- applies; operands of another order stand as an instruction would have them.
---@param fn phial.Function
---@param op string|phial.Op
---@param ... phial.Operand|phial.Type|phial.Block operands, the type if the op needs it, targets
---@return string
function Rules:explain(fn, op, ...) end

--- The builder that an action gets. It emits pure instructions where the one
--- would be that the rule stands for, as long as the action runs.
---@class phial.Actor: phial.Ops
local Actor = {}

--- As `block:emit`, of an op that is pure.
---@param op phial.Op|string
---@param ... phial.Operand|phial.Type
---@return phial.Value
function Actor:emit(op, ...) end

--- As `fn:const`.
---@param value phial.Literal
---@param type? phial.Type
---@return phial.Value
function Actor:const(value, type) end

return M
