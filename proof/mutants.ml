(* mutants.ml: mutants SEED COUNT TRACE TEXT [TRACE TEXT]...: makes wrong functions of right ones, and checks them.

   A mutant that is accepted must be harmless: it runs like the program as written, on 100 inputs, by the semantics of
   Program.v (ops are hashes).  Of those refused, it counts how many these runs tell apart as well. *)
open Checker
open Reader

let pick l = List.nth l (Random.int (List.length l))
let replace_nth n x l = List.mapi (fun i y -> if i = n then x else y) l

(* ---- Runs *)

let rec nat n = if n = 0 then O else S (nat (n - 1))
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n
let hash x = Hashtbl.hash_param 200 400 x
let inputs = 100 and blocks = nat 64

(* The number of targets that a terminator may choose from. *)
let targets_of (p : program) =
  let t = Hashtbl.create 16 in
  List.iter (fun (_, k) -> let n = List.length k.succs in
    if n > Option.value ~default:0 (Hashtbl.find_opt t k.term) then Hashtbl.replace t k.term n) (PositiveMap.elements p.blocks);
  fun op -> Option.value ~default:0 (Hashtbl.find_opt t op)

let eval op ws m = (hash (op, ws, m), hash (m, op, ws))
let next count op ws m = match count op with 0 -> None | n -> Some (nat (hash (m, ws, op) mod n))

(* True if the text runs like the program, by `filter` and what runs of the text. *)
let alike (p : program) (q : tprogram) keep items =
  let next = next (targets_of p) in
  let one i =
    let cst c = hash (i, c) and any v = hash (v, i) in
    let args = List.mapi (fun k _ -> hash (i, k, "arg")) p.params in
    let s = started cst p args any any i and t = tstarted q args any i in
    List.filter keep (run eval next cst p blocks p.start s) = trun eval next cst q items blocks q.tstart t in
  List.for_all one (List.init inputs Fun.id)

(* ---- Mutants of texts *)

(* In blocks that can be reached: mutants of others are harmless. *)
let instances f t = List.concat (List.mapi (fun b block ->
  if block.unreachable then [] else List.concat (List.mapi (fun k i -> if f i then [ (b, k) ] else []) block.insts)) t.body)
let change t (b, k) f = { t with body = List.mapi (fun b' block ->
  if b' <> b then block else { block with insts = List.mapi (fun k' i -> if k' = k then f i else i) block.insts }) t.body }
let get t (b, k) = List.nth (List.nth t.body b).insts k
let variable_args i = match i.op, i.args with "switch", a :: _ -> [ a ] | _, l -> l

let swapped t = match instances (fun i -> let l = variable_args i in List.length l > 1 && List.exists (( <> ) (List.hd l)) l) t with
  | [] -> None
  | l ->
    let at = pick l in
    let args = (get t at).args in
    let n = List.length args in
    let a = Random.int n and b = Random.int n in
    if List.nth args a = List.nth args b then None
    else Some (change t at (fun i -> { i with args = replace_nth a (List.nth args b) (replace_nth b (List.nth args a) args) }))

let without_phi t = match instances (fun i -> i.op = "phi") t with
  | [] -> None
  | l ->
    let b, k = pick l in
    let phi = get t (b, k) in
    let name = fst (Option.get phi.result) in
    match List.filter (( <> ) name) phi.args with
    | [] -> None
    | others ->
      let by = pick others in
      Some { t with body = List.mapi (fun b' block -> { block with insts =
        List.filteri (fun k' _ -> b' <> b || k' <> k) block.insts
        |> List.map (fun i -> { i with args = List.map (fun a -> if a = name then by else a) i.args }) }) t.body }

let foreign t = match instances (fun i -> variable_args i <> []) t with
  | [] -> None
  | l ->
    let at = pick l in
    let names = List.map fst t.parameters @ List.concat_map (fun b -> List.filter_map (fun i -> Option.map fst i.result) b.insts) t.body in
    let n = Random.int (List.length (variable_args (get t at))) in
    if names = [] then None
    else let name = pick names in
      if name = List.nth (get t at).args n then None else Some (change t at (fun i -> { i with args = replace_nth n name i.args }))

(* ---- Wrong answers *)

let is_id w = w.[0] = '%'

(* A read in the trace is answered by another value; everything else stays. *)
let wrong_answer reached (trace : trace) =
  let frame = Meaning.frame (without_comments trace) in
  let reads = ref [] and ids = ref [] and here = ref true in
  Array.iteri (fun n l ->
    (match l with
     | [ "b"; b ] -> here := reached (fst (Meaning.find "block" frame.bs b))
     | [ "r"; _; _ ] when !here -> reads := n :: !reads
     | _ -> ());
    List.iter (fun w -> if is_id w && not (List.mem w !ids) then ids := w :: !ids) (List.filter (( <> ) "") l)) trace;
  if !reads = [] || !ids = [] then None
  else let at = pick !reads and by = pick !ids in
    match trace.(at) with
    | [ r; x; a ] when a <> by -> Some (Array.mapi (fun n l -> if n = at then [ r; x; by ] else l) trace)
    | _ -> None

(* The same, and the next instruction uses the wrong answer, in the trace and in the text. *)
let wrong_and_used reached (p : Check.pair) =
  let final = (p.witness false).final in
  let stands = List.filter_map (fun (v, u) -> match u with Id _ -> Some (v, u) | Cst _ -> None) (PositiveMap.elements final) in
  let rec go before k code text = match code, text with
    | Read (x, Id a) :: (Inst (d, op, args) :: rest), (i, targs) :: trest when List.mem (Id a) args && stands <> [] && Random.int 3 = 0 ->
      let v, u = pick stands in
      if v = a || PositiveMap.find a final = Some u then go (Read (x, Id a) :: before) k (Inst (d, op, args) :: rest) text
      else
        let args' = List.map (fun o -> if o = Id a then Id v else o) args in
        let targs' = List.map2 (fun o t -> if o = Id a then u else t) args targs in
        Some (List.rev_append before (Read (x, Id v) :: Inst (d, op, args') :: rest),
              List.rev_append k ((i, targs') :: trest))
    | (Inst _ as i) :: rest, t :: trest -> go (i :: before) (t :: k) rest trest
    | i :: rest, text -> go (i :: before) k rest text
    | [], _ -> None in
  let blocks = List.filter (fun (b, _) -> reached b) (PositiveMap.elements p.program.blocks) in
  let b, k = pick blocks in
  let k' = Option.get (PositiveMap.find b p.text.tblocks) in
  Option.map (fun (code, tcode) ->
    ({ p.program with blocks = PositiveMap.add b { k with code } p.program.blocks },
     { p.text with tblocks = PositiveMap.add b { k' with tcode } p.text.tblocks })) (go [] [] k.code k'.tcode)

(* ---- Counting *)

type tally = { mutable made : int; mutable refused : int; mutable shown : int; mutable equal : int; mutable harmless : int }
let tallies = List.map (fun kind -> (kind, { made = 0; refused = 0; shown = 0; equal = 0; harmless = 0 }))
  [ "operands swapped"; "phi dropped"; "value of another place"; "wrong answer"; "wrong answer, used";
    "wrong binding"; "guard ignored"; "value of another iteration"; "fold off by one";
    "targets swapped"; "branch folded"; "keys swapped" ]
let bad = ref false

let judge kind ~equal ~right ~accepted describe =
  let t = List.assoc kind tallies in
  t.made <- t.made + 1;
  if not accepted then begin t.refused <- t.refused + 1; if not (right ()) then t.shown <- t.shown + 1 end
  else if equal then t.equal <- t.equal + 1
  else if right () then t.harmless <- t.harmless + 1
  else begin bad := true; print_endline ("accepted, and wrong: " ^ kind ^ "\n" ^ describe ()) end

let mutate trace text =
  let original = Check.pair trace text in
  let entries = (original.witness false).entries in
  let reached b = PositiveMap.find b entries <> None in
  let check_text kind t =
    let printed = print_text t in
    match Check.pair trace (List.hd (texts (List.filter (( <> ) "") (String.split_on_char '\n' printed)))) with
    | exception Wrong _ -> judge kind ~equal:false ~right:(fun () -> false) ~accepted:false (fun () -> "")
    | p -> judge kind ~equal:(printed = print_text text) ~accepted:(Check.verdict p = None)
        ~right:(fun () -> alike original.program p.text acts plain) (fun () -> print_trace trace ^ printed) in
  match Random.int 5 with
  | 0 -> Option.iter (check_text "operands swapped") (swapped text)
  | 1 -> Option.iter (check_text "phi dropped") (without_phi text)
  | 2 -> Option.iter (check_text "value of another place") (foreign text)
  | 3 -> Option.iter (fun t -> match Check.pair t text with
      | exception Wrong _ -> judge "wrong answer" ~equal:false ~right:(fun () -> false) ~accepted:false (fun () -> "")
      | p ->
        let { final; _ }, why = Check.judged p in
        judge "wrong answer" ~equal:false ~accepted:(why = None)
          ~right:(fun () -> alike original.program p.text acts plain && alike p.program p.text (shown final) (annotated final p.program))
          (fun () -> print_trace t ^ print_text text)) (wrong_answer reached trace)
  | _ -> Option.iter (fun (program, q) ->
      let p = { original with program; text = q; witness = (fun wide -> original.refind program q wide) } in
      judge "wrong answer, used" ~equal:false ~accepted:(Check.verdict p = None)
        ~right:(fun () -> alike original.program q acts plain) (fun () -> print_trace trace ^ print_text text)) (wrong_and_used reached original)

(* ---- Texts that were made with rules.  What ops compute is ops.ml; what it does not compute, and memory, are hashes. *)

let off_by_one t = match instances (fun i -> i.op <> "switch" && List.exists (fun w -> Ops.literal w <> None) i.args) t with
  | [] -> None
  | l ->
    let at = pick l in
    let n, w = pick (List.filter (fun (_, w) -> w.[0] <> '%' && Ops.literal w <> None) (List.mapi (fun n w -> (n, w)) (get t at).args)) in
    let value = List.hd (String.split_on_char ':' w) in
    let by = match w with "true" -> "false" | "false" -> "true" | _ -> match int_of_string_opt value with
      | Some x -> string_of_int (x + pick [ 1; -1 ]) ^ String.sub w (String.length value) (String.length w - String.length value)
      | None -> w in
    if by = w then None else Some (change t at (fun i -> { i with args = replace_nth n by i.args }))
let other_targets f t = match instances (fun i -> i.op = "branch" && List.hd i.targets <> List.nth i.targets 1) t with
  | [] -> None
  | l -> f t (pick l)
let targets_swapped = other_targets (fun t at -> Some (change t at (fun i -> { i with targets = List.rev i.targets })))
(* A branch becomes a jump: what is in the other block's phis for this edge goes. *)
let branch_folded = other_targets (fun t ((b, _) as at) ->
  let label = (List.nth t.body b).label in
  let keep, cut = match (get t at).targets with [ x; y ] -> if Random.bool () then (x, y) else (y, x) | _ -> assert false in
  let without l = List.filter (fun (p, _) -> p <> label) l in
  let t = change t at (fun i -> { i with op = "jump"; args = []; targets = [ keep ] }) in
  let body = List.map (fun block -> if block.label <> cut then block else
    { block with preds = List.filter (( <> ) label) block.preds; insts = List.map (fun i -> if i.op <> "phi" then i else
        let l = without (List.combine i.targets i.args) in { i with targets = List.map fst l; args = List.map snd l }) block.insts }) t.body in
  if List.exists (fun b -> b.label = cut && b.preds = []) body then None else Some { t with body })

(* An operand is another value of its type. *)
let other_binding t =
  let types = Hashtbl.create 64 in
  List.iter (fun (n, ty) -> Hashtbl.replace types n ty) t.parameters;
  List.iter (fun b -> List.iter (fun i -> Option.iter (fun (n, ty) -> Hashtbl.replace types n ty) i.result) b.insts) t.body;
  match instances (fun i -> List.exists (Hashtbl.mem types) (variable_args i)) t with
  | [] -> None
  | l ->
    let at = pick l in
    let n, w = pick (List.filter (fun (_, w) -> Hashtbl.mem types w) (List.mapi (fun n w -> (n, w)) (variable_args (get t at)))) in
    let others = Hashtbl.fold (fun o ty l -> if o <> w && ty = Hashtbl.find types w then o :: l else l) types [] in
    if others = [] then None else let by = pick (List.sort compare others) in
      Some (change t at (fun i -> { i with args = replace_nth n by i.args }))
(* An op is one that is the same only where a guard of some rule holds. *)
let siblings = [ [ "sdiv"; "udiv"; "sar"; "shr" ]; [ "srem"; "urem"; "band" ]; [ "zext"; "sext" ]; [ "add"; "bor"; "bxor" ]; [ "smin"; "umin" ];
  [ "smax"; "umax" ]; [ "slt"; "ult"; "sle"; "ule" ]; [ "sgt"; "ugt"; "sge"; "uge" ]; [ "rotl"; "shl" ]; [ "fminimum"; "fminnum" ]; [ "fmaximum"; "fmaxnum" ] ]
let guard_ignored t =
  let like i = match List.find_opt (List.mem i.op) siblings with Some l -> List.filter (( <> ) i.op) l | None -> [] in
  match instances (fun i -> like i <> []) t with
  | [] -> None
  | l -> let at = pick l in Some (change t at (fun i -> { i with op = pick (like i) }))
(* What a phi has from a predecessor is used in its place, or the other way round. *)
let other_iteration t =
  let phis = List.concat_map (fun b -> List.filter (fun i -> i.op = "phi") b.insts) t.body in
  let pairs = List.concat_map (fun i -> let n = fst (Option.get i.result) in
    List.concat_map (fun a -> if a = n || a.[0] <> '%' then [] else [ (n, a); (a, n) ]) i.args) phis in
  let uses = List.concat_map (fun (from, by) -> List.map (fun at -> (at, from, by)) (instances (fun i -> i.op <> "phi" && List.mem from (variable_args i)) t)) pairs in
  if uses = [] then None else let at, from, by = pick uses in
    Some (change t at (fun i -> { i with args = List.map (fun a -> if a = from then by else a) i.args }))
let keys_swapped t = match instances (fun i -> i.op = "switch" && List.length i.targets > 2) t with
  | [] -> None
  | l -> Some (change t (pick l) (fun i -> { i with targets = List.rev i.targets }))

let runs_alike (p : program) (q : tprogram) parameters =
  let pure op (ws : int64 list) =
    let name, data, types = Hashtbl.find Meaning.shared.known op in
    match Ops.eval name types (Array.of_list ws) with
    | x -> Gives x
    | exception Ops.Traps -> Ends
    | exception _ -> if name = "trap_if" then (if ws = [ 0L ] then Gives 0L else Ends) else Gives (Finder.hashed (data, name) ws (match types with t :: _ -> t | [] -> "any")) in
  let reads op ws m = Gives (Finder.hashed (op, m) ws (Finder.type_of_op (Witness.int_of op))) in
  let writes op ws m = Gives (Finder.hashed (op, m) ws (Finder.type_of_op (Witness.int_of op)), hash (op, ws, m)) in
  let next op ws (_ : int) =
    let name, _, _ = Hashtbl.find Meaning.shared.known op in
    match name, ws with
    | "jump", _ -> Gives O
    | "branch", [ c ] -> Gives (nat (if c <> 0L then 0 else 1))
    | "switch", x :: keys -> let rec go i = function k :: r -> if k = x then i else go (i + 1) r | [] -> 0 in Gives (nat (go 1 keys))
    | _ -> Ends in
  let one i =
    let cst c = Finder.constant (Witness.int_of c) i and any (_ : positive) = 0L in
    let state = Finder.random i in
    let args = List.map (fun (_, t) -> Finder.any_value state t) parameters in
    let a = goes Meaning.kind_of pure reads writes next cst p blocks p.start (started cst p args any any i)
    and b = tgoes Meaning.kind_of pure reads writes next cst q blocks q.tstart (tstarted q args any i) in
    a = b in
  List.for_all one (List.init inputs Fun.id)

let mutate_ruled trace text =
  let scope () = Meaning.scope_with_rules () in
  let judge_text kind t = if t <> text then begin
    let tally = List.assoc kind tallies in
    let printed = print_text t in
    match Check.pair ~scope:(scope ()) trace (List.hd (texts (List.filter (( <> ) "") (String.split_on_char '\n' printed)))) with
    | exception _ -> tally.made <- tally.made + 1; tally.refused <- tally.refused + 1
    | p ->
      tally.made <- tally.made + 1;
      let used = ref [] in
      let accepted = match p.proof () with
        | exception (Finder.Not_covered _ | Invalid_argument _) -> false   (* as main.ml *)
        | proof -> used := Finder.lemmas_of proof; refutes Meaning.kind_of p.program p.text proof = None in
      let right = try runs_alike p.program p.text text.parameters with Stack_overflow | Not_found | Invalid_argument _ -> false in
      if accepted then (if right then tally.harmless <- tally.harmless + 1
        else print_endline ("doubt: " ^ String.concat " | " !used))   (* lemmas.lua must find one of these wrong *)
      else (tally.refused <- tally.refused + 1; if not right then tally.shown <- tally.shown + 1)
  end in
  match Random.int 10 with
  | 0 -> Option.iter (judge_text "operands swapped") (swapped text)
  | 1 -> Option.iter (judge_text "phi dropped") (without_phi text)
  | 2 -> Option.iter (judge_text "value of another place") (foreign text)
  | 3 -> Option.iter (judge_text "fold off by one") (off_by_one text)
  | 4 -> Option.iter (judge_text "targets swapped") (targets_swapped text)
  | 5 -> Option.iter (judge_text "wrong binding") (other_binding text)
  | 6 -> Option.iter (judge_text "guard ignored") (guard_ignored text)
  | 7 -> Option.iter (judge_text "value of another iteration") (other_iteration text)
  | 8 -> Option.iter (judge_text "keys swapped") (keys_swapped text)
  | _ -> Option.iter (judge_text "branch folded") (branch_folded text)

(* The first mutant: x is %1, i is %2; the read of x is answered %2.  Reads must not be believed. *)
let first () =
  let trace = [ "F first 1 0 i64 a:i64 b:i64"; "V x i64"; "V i i64"; "b entry"; "w x %1"; "w i %2"; "r x %2"; "r i %2";
                "i %5 i64 sub %2 %2"; "x %5"; "E" ]
  and text = [ "fn first(%a: i64, %b: i64) -> i64 {"; "entry:"; "  %5: i64 = sub %b, %b"; "  ret %5"; "}" ] in
  match Check.verdict (Check.pair (List.hd (traces trace)) (List.hd (texts text))) with
  | Some (_, WrongAnswer _) -> print_endline "the first mutant is refused: a read has another answer"
  | _ -> bad := true; print_endline "the first mutant is accepted"

let () =
  let rec files = function
    | trace :: text :: rest -> List.combine (traces (Files.lines (Files.read trace))) (texts (Files.lines (Files.read text))) @ files rest
    | _ -> [] in
  match Array.to_list Sys.argv with
  | _ :: seed :: count :: paths ->
    Random.init (int_of_string seed);
    let rules = List.mem "--rules" paths in
    let functions = Array.of_list (files (List.filter (( <> ) "--rules") paths)) in
    if not rules then first ();
    let mutate = if rules then mutate_ruled else mutate in
    let made () = List.fold_left (fun n (_, t) -> n + t.made) 0 tallies in
    while made () < int_of_string count do
      let trace, text = functions.(Random.int (Array.length functions)) in
      mutate trace text
    done;
    List.iter (fun (kind, t) -> if t.made > 0 then
      Printf.printf "%s: %d, of which refused %d (runs tell %d apart), accepted: %d with the same text, %d that run alike\n"
        kind t.made t.refused t.shown t.equal t.harmless) tallies;
    if !bad then exit 1
  | _ -> prerr_endline "usage: mutants SEED COUNT TRACE TEXT..."; exit 2
