(* meaning.ml: makes the programs of Program.v of a trace and of a text.  This file is trusted. *)
open Checker
open Reader

(* ---- Numbers for names *)

let rec positive n =
  if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))

type names = (string, positive) Hashtbl.t
let number (names : names) s = match Hashtbl.find_opt names s with
  | Some p -> p
  | None -> let p = positive (Hashtbl.length names + 1) in Hashtbl.add names s p; p

(* Both programs share ops and constants; each has values of its own.  Where rules are on, all functions share ops and constants,
   too, of which is known what they are: an op's name, data and types (of the result and the operands), a constant's literal. *)
type scope = { ops : names; constants : names; source : names; target : names; rules : bool;
  known : (positive, string * string * string list) Hashtbl.t; literals : (positive, string) Hashtbl.t;
  types : (string, string) Hashtbl.t * (string, string) Hashtbl.t }
let scope () = let names () = Hashtbl.create 64 in
  { ops = names (); constants = names (); source = names (); target = names (); rules = false; known = Hashtbl.create 1;
    literals = Hashtbl.create 64; types = (Hashtbl.create 64, Hashtbl.create 64) }
let shared = scope ()
let scope_with_rules () = { (scope ()) with ops = shared.ops; constants = shared.constants; rules = true; known = shared.known;
  literals = shared.literals }

let type_of_literal w = match String.rindex_opt w ':' with
  | Some i when not (String.contains_from w i '"') -> String.sub w (i + 1) (String.length w - i - 1)
  | _ -> if w = "true" || w = "false" then "i1" else match w.[0] with
    | '0' .. '9' | '-' when String.for_all (function '0' .. '9' | '-' -> true | _ -> false) w -> "i64"
    | '0' .. '9' | '-' -> "f64" | _ when w = "inf" || (w.[0] = 'n' && w <> "nil") -> "f64" | _ -> "any"
(* A constant's name is what phial prints: `5` for `5:i64`. *)
let operand scope values w = if w.[0] = '%' then Id (number values w)
  else let w = match String.rindex_opt w ':' with
    | Some i when w.[0] = '-' || w.[0] = 'i' || w.[0] = 'n' || (w.[0] >= '0' && w.[0] <= '9') ->
      let body = String.sub w 0 i in if w = body ^ ":" ^ type_of_literal body then body else w
    | _ -> w in
    let c = number scope.constants w in Hashtbl.replace scope.literals c w; Cst c
let type_of types w = if w.[0] = '%' then get types w "" else type_of_literal w
(* An op with its data and the type of its result; where rules are on, also with the types of its operands. *)
let key ?(types = []) scope op data ty =
  let types = if scope.rules then types else [] in
  let k = number scope.ops (String.concat " " (op :: data :: ty :: types)) in
  Hashtbl.replace scope.known k (op, data, ty :: types); k

(* What is pure, and what of that may trap, by op.def; what reads.  All else is taken to write.  Of terminators, Total is what only
   decides where to go. *)
let totals = "add sub mul neg band bor bxor bnot shl shr sar rotl rotr bswap clz ctz popcnt smin smax umin umax umulh smulh eq ne slt \
  sle sgt sge ult ule ugt uge fadd fsub fmul fdiv fneg fabs fsqrt ffloor fceil ftrunc fnearest fminimum fmaximum fminnum fmaxnum \
  copysign feq fne flt fle fgt fge select trunc zext sext itof utof ftoi_sat ftou_sat fpromote fdemote bitcast copy proj ptradd \
  address trace.pure trace.op2 jump branch switch"
let kinds = Hashtbl.create 128
let () = List.iter (fun (kind, l) -> List.iter (fun op -> if op <> "" then Hashtbl.replace kinds op kind) (String.split_on_char ' ' l))
  [ (Total, totals); (Partial, "sdiv udiv srem urem ftoi ftou trap_if"); (Reads, "load load_unaligned trace.read") ]
let kind_of op = match Hashtbl.find_opt shared.known op with
  | Some (name, _, _) -> Option.value ~default:Writes (Hashtbl.find_opt kinds name)
  | None -> Writes
let unquote w = if w <> "" && w.[0] = '"' then String.sub w 1 (String.length w - 2) else w

(* ---- From a trace to a program *)

(* A block while its lines are collected, which may come in pieces; lists are reversed. *)
type filling = {
  mutable first : item list; mutable items : item list; mutable last : item list;
  mutable stop : (positive * operand list * string list) option }

(* Blocks and variables have numbers, and names, of which there may be several: `x`, `x/2`. *)
type 'a named = {
  by_label : (string, 'a) Hashtbl.t; by_name : (string, 'a list) Hashtbl.t; mutable all : (string * 'a) list; mutable n : int }
let declare t name it =
  let others = get t.by_name (unquote name) [] in
  let label = if others = [] then name else Printf.sprintf "%s/%d" name (List.length others + 1) in
  List.iter (fun l -> Hashtbl.replace t.by_label l it) (string_of_int t.n :: if name = "" then [] else [ label ]);
  Hashtbl.replace t.by_name (unquote name) (it :: others);
  t.all <- (name, it) :: t.all; t.n <- t.n + 1

let find what t w = match Hashtbl.find_opt t.by_label w with Some x -> x | None -> wrong "there is no %s %s" what w

(* The blocks and variables that a function has. *)
type frame = { bs : (positive * filling) named; vs : (positive * string) named; nparams : int }
let frame (t : trace) =
  let named () = { by_label = Hashtbl.create 64; by_name = Hashtbl.create 64; all = []; n = 0 } in
  let bs = named () and vs = named () in
  let block name = declare bs name (positive (bs.n + 1), { first = []; items = []; last = []; stop = None }) in
  let var name ty = declare vs name (positive (vs.n + 1), ty) in
  let param w = let e = String.rindex w ':' in var (String.sub w 0 e) (String.sub w (e + 1) (String.length w - e - 1)) in
  let head = function
    | "F" :: _ :: n :: m :: rest ->
      block "entry";
      for _ = 2 to int_of_string n do block "" done;
      List.iter param (match rest with [] -> [] | _ :: ps -> ps);
      for i = 0 to int_of_string m - 1 do var ("v" ^ string_of_int i) "any" done;
      max 0 (List.length rest - 1)
    | _ -> wrong "F expected" in
  let nparams = match List.find_opt is_head (Array.to_list t) with Some l -> head l | None -> wrong "F expected" in
  Array.iter (function [ "B" ] -> block "" | [ "B"; name ] -> block name | [ "V"; name; ty ] -> var name ty | _ -> ()) t;
  { bs; vs; nparams }

(* Expressed by other letters:
   - a line of a plain trace: with the ops of the dialect trace, and values whose names are those of nothing else;
   - K: a write of undef;  k: a read at the start of its block;  a write with a copy: the copy, then the write of it;
   - p: a variable of its own, written at the end of each predecessor and read at the start of the block;
   - with rules, trap: trap_if of true, and unreachable;  further results: `proj` of the first;  reads and allocas after the terminator: at the end of the block,
     which is the same.
   F, B and V are in the frame; S, E, R, @, N, O say nothing about what the program does. *)
let lower scope frame (t : trace) =
  let nameless = ref 0 and hand = ref frame.vs.n in
  let fresh () = incr nameless; "%~" ^ string_of_int !nameless in
  let value = operand scope scope.source in
  let var w = find "variable" frame.vs w and block w = snd (find "block" frame.bs w) in
  let undefs = Hashtbl.create 4 and datas = Hashtbl.create 4 in
  let undef (x, ty) = match Hashtbl.find_opt undefs x with Some o -> o | None -> value ("undef:" ^ ty) in
  Array.iter (function
    | [ "U"; x; o ] -> Hashtbl.replace undefs (fst (var x)) (value o)
    | [ "D"; id; d ] -> Hashtbl.replace datas id d
    | _ -> ()) t;
  let copies = Array.exists (function "O" :: "copies" :: _ | [ "w"; _; _; _ ] -> true | _ -> false) t in
  let here = ref (block "0") and latest = ref [] in
  let newest () = match !latest with o :: _ -> o | [] -> value "nil" in
  let push o = latest := o :: !latest in
  let is_alloca k = match Hashtbl.find_opt scope.known k with Some ("alloca", _, _) -> true | _ -> false in
  let add i = match i, !here.stop with
    | Inst (_, k, _), Some _ when is_alloca k -> !here.items <- i :: !here.items
    | (Write _ | Inst _), Some _ -> wrong "an instruction after the terminator"
    | _ -> !here.items <- i :: !here.items in
  let has_type w ty = Hashtbl.replace (fst scope.types) w ty in
  let emit result op data ty args types =
    let data = match result with Some r -> get datas r data | None -> data in
    Option.iter (fun r -> has_type r ty) result;
    add (Inst (Option.map (number scope.source) result, key ~types scope op data ty, args)) in
  let op2 () =
    let r = fresh () and before = match !latest with _ :: o :: _ -> o | _ -> value "nil" in
    emit (Some r) "trace.op2" "" "any" [ before; newest () ] [];
    push (value r) in
  let write (x, ty) o id =
    if not copies then add (Write (x, o))
    else let c = Option.value ~default:(fresh ()) id in emit (Some c) "copy" "" ty [ o ] [ ty ]; add (Write (x, value c)) in
  let stop op data args targets =
    if !here.stop <> None then wrong "a block is filled twice";
    !here.stop <- Some (key scope op data "", args, targets) in
  let is_data w = w.[0] = '{' in
  let data_of l = Option.value ~default:"" (List.find_opt is_data l) in
  let args_of l = List.map value (List.filter (fun w -> not (is_data w)) l) in
  let rec hand_phi z = function
    | b :: o :: r -> let b = block b in b.last <- Write (z, value o) :: b.last; hand_phi z r
    | _ -> () in
  let instruction rs ty op rest =
    if scope.rules && List.exists (fun w -> w <> "" && w.[String.length w - 1] = ')' && w.[0] <> '{' && w.[0] <> '"') rest then
      wrong "not covered: classes of memory";
    emit (List.nth_opt rs 0) op (data_of rest) ty (args_of rest)
      (List.filter_map (fun w -> if is_data w then None else Some (type_of (fst scope.types) w)) rest);
    List.iteri (fun i r ->
      if i > 0 then emit (Some r) "proj" (Printf.sprintf "{%d}" (i + 1)) ty [ value (List.hd rs) ] [ ty ];
      push (value r)) rs in
  let line = function
    | [] | ("F" | "V" | "B" | "S" | "E" | "R" | "@" | "N" | "O" | "D" | "U") :: _ -> ()
    | [ "b"; b ] -> here := block b; latest := []
    | "r" :: x :: a -> let w = match a with [ a ] -> a | _ -> fresh () in has_type w (snd (var x)); let a = value w in add (Read (fst (var x), a)); push a
    | [ "w"; x ] -> op2 (); write (var x) (newest ()) None
    | [ "w"; x; o ] -> write (var x) (value o) None
    | [ "w"; x; o; id ] -> write (var x) (value o) (Some id)
    | [ "m"; x ] -> if !latest = [] then op2 (); write (var x) (newest ()) None
    | [ "u" ] -> emit None "trace.use" "" "" [ newest () ] []
    | [ "K"; x ] -> add (Write (fst (var x), undef (var x)))
    | [ "k"; id; b; x ] -> has_type id (snd (var x)); let b = block b in b.first <- Read (fst (var x), value id) :: b.first
    | "i" :: rest -> (match until (fun w -> w.[0] <> '%') rest with
      | [], op :: rest -> instruction [] "" op rest
      | rs, ty :: op :: rest -> instruction rs ty op rest
      | _ -> wrong "op expected")
    | "p" :: id :: rest ->
      (match rest with _ :: o :: _ -> has_type id (type_of (fst scope.types) o) | _ -> ());
      incr hand; hand_phi (positive !hand) rest; !here.first <- Read (positive !hand, value id) :: !here.first
    | [ "j"; b ] -> stop "jump" "" [] [ b ]
    | [ "c"; a; b ] -> stop "trace.br" "" [ newest () ] [ a; b ]
    | [ "c"; a; b; o ] -> stop "branch" "" [ value o ] [ a; b ]
    | "s" :: n :: rest -> (match split_at (int_of_string n) rest with
      | targets, [] -> stop "trace.sw" "" [ newest () ] targets
      | targets, args -> stop "switch" "" (List.map value args) targets)
    | [ "x" ] -> stop "ret" "" [ newest () ] []
    | [ "x"; "-" ] -> stop "ret" "" [] []
    | [ "x"; o ] -> stop "ret" "" [ value o ] []
    | "t" :: "trap" :: rest when scope.rules -> emit None "trap_if" (data_of rest) "" [ value "true" ] [ "i1" ]; stop "unreachable" "" [] []
    | "t" :: op :: rest ->
      let rest, targets = until (( = ) ">") rest in
      stop op (data_of rest) (args_of rest) (if targets = [] then [] else List.tl targets)
    | l -> wrong "not covered: %s" (String.concat " " l) in
  let param i = Printf.sprintf "%%%d" (if copies then 2 * i + 1 else i + 1) in
  if copies then for i = 0 to frame.nparams - 1 do write (var (string_of_int i)) (value (param i)) None done;
  List.iteri (fun i (_, (_, ty)) -> if i < frame.nparams then has_type (param i) ty) (List.rev frame.vs.all);
  Array.iter line t;
  let finished (_, (b, f)) = Option.map (fun (term, targs, targets) ->
    (b, { code = List.rev_append f.first (List.rev_append f.items (List.rev f.last)); term; targs;
          succs = List.map (fun w -> fst (find "block" frame.bs w)) targets })) f.stop in
  let table l = List.fold_left (fun m (k, a) -> PositiveMap.add k a m) PositiveMap.empty l in
  { start = XH; params = List.init frame.nparams (fun i -> number scope.source (param i));
    initial = table (List.mapi (fun i (_, (x, ty)) -> (x, if i < frame.nparams then value (param i) else undef (x, ty)))
      (List.rev frame.vs.all));
    blocks = table (List.filter_map finished frame.bs.all) }

(* ---- From a text to a program *)

(* The block of the trace that a label names: by its id, which is one more than its number, or its name.  If several have that
   name, the others are not reached, and are not in the text. *)
let block_of frame reached label =
  let by_id s = Option.bind (int_of_string_opt s) (fun id ->
    Option.map fst (Hashtbl.find_opt frame.bs.by_label (string_of_int (id - 1)))) in
  let after i = String.sub label i (String.length label - i) in
  let id = match String.rindex_opt label '.' with
    | Some i when not (String.contains (after i) '"') -> by_id (after (i + 1))
    | _ -> if label.[0] = 'b' then by_id (after 1) else None in
  match id, get frame.bs.by_name (unquote label) [] with
  | Some b, _ | None, [ (b, _) ] -> b
  | None, l -> match List.filter (fun (b, _) -> reached b) l with [ (b, _) ] -> b | _ -> wrong "which block is %s?" label

(* The callee of `call @f` as it is in a trace. *)
let data_of i = match i.data with
  | Some d when d.[0] = '@' -> Printf.sprintf "{\"%s\"}" (unquote (String.sub d 1 (String.length d - 1)))
  | d -> Option.value ~default:"" d

let lower_text scope frame reached (t : text) =
  let value = operand scope scope.target in
  let blocks = Hashtbl.create 64 and moves = Hashtbl.create 64 in
  let types = snd scope.types in
  List.iter (fun (n, ty) -> Hashtbl.replace types n ty) t.parameters;
  List.iter (fun b -> List.iter (fun i -> Option.iter (fun (n, ty) -> Hashtbl.replace types n ty) i.result) b.insts) t.body;
  let result i = Option.map (fun (n, _) -> number scope.target n) i.result in
  let counted l = let seen = Hashtbl.create 4 in
    List.map (fun p -> let n = get seen p 0 in Hashtbl.replace seen p (n + 1); (p, n)) l in
  (* what is on the n-th edge between two blocks *)
  let edges_into b =
    let is_phi i = i.op = "phi" in
    let phis, rest = until (fun i -> not (is_phi i)) b.insts in
    if List.exists is_phi rest then wrong "%s: a phi after an instruction" b.label;
    if List.exists (fun i -> i.targets <> b.preds) phis then wrong "%s: predecessors of a phi" b.label;
    Hashtbl.replace blocks b.label (block_of frame reached b.label);
    let columns = List.map (fun i -> (Option.get (result i), Array.of_list (List.map value i.args))) phis in
    List.iteri (fun k (p, n) -> Hashtbl.replace moves (p, b.label, n) (List.map (fun (u, l) -> (u, l.(k))) columns))
      (counted b.preds) in
  List.iter edges_into t.body;
  let block m b =
    let ty i = match i.result with Some (_, ty) -> ty | None -> "" in
    let inst i = ((result i, key ~types:(List.map (type_of types) i.args) scope i.op (data_of i) (ty i)), List.map value i.args) in
    let edge (target, n) = match Hashtbl.find_opt blocks target, Hashtbl.find_opt moves (b.label, target, n) with
      | Some id, Some l -> (id, l)
      | Some id, None when b.unreachable -> (id, [])            (* an edge that was cut *)
      | _ -> wrong "%s is not a predecessor of %s" b.label target in
    let id = Hashtbl.find blocks b.label in
    match List.rev (List.filter (fun i -> i.op <> "phi") b.insts), PositiveMap.find id m with
    | last :: code, None ->
      let trap = { last with op = "trap_if"; args = [ "true" ] } in
      let last, code = if scope.rules && last.op = "trap" then ({ last with op = "unreachable"; data = None }, trap :: code) else (last, code) in
      PositiveMap.add id { tcode = List.rev_map inst code; tterm = key scope last.op (data_of last) (ty last);
        ttargs = List.map value last.args; tedges = List.map edge (counted last.targets) } m
    | _, Some _ -> wrong "%s is there twice" b.label
    | [], _ -> wrong "%s has no terminator" b.label in
  { tstart = Hashtbl.find blocks (List.hd t.body).label; tparams = List.map (fun (n, _) -> number scope.target n) t.parameters;
    tblocks = List.fold_left block PositiveMap.empty t.body }
