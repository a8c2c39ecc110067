(* finder.ml: finds what Rules.v checks.  Not trusted.

   It goes through the blocks in reverse postorder, and in each through the source along with the text.  Each name has samples: what
   it is for some arguments.  Names with equal samples are supposed to be equal, and a lemma is looked for which says so: its premises
   are how both are computed, as far down as needed.  So rules are not known here, nor the order in which they were applied. *)
open Checker

type o = N of int | C of int
let pos = Meaning.positive and int_of = Witness.int_of
let out = function N n -> Id (pos n) | C c -> Cst (pos c)
let into = function Id v -> N (int_of v) | Cst c -> C (int_of c)
type equation = ESame of o * o | EDef of o * int * o list

exception Not_covered of string
exception Halted
let give_up format = Printf.ksprintf (fun s -> raise (Not_covered s)) format
let get table k default = Option.value ~default (Hashtbl.find_opt table k)

(* ---- Samples *)

let samples = 16
let random seed = ref (seed * 0x2545F4914F6CDD1D + 1)
let bits state = state := !state * 0x2545F4914F6CDD1D + 0x1405; let x = !state in let x = (x lxor (x lsr 31)) * 0x1B873593CC9E2D51 in x lxor (x lsr 29)
let below state n = (bits state land max_int) mod n
let word state = Int64.(logxor (of_int (bits state)) (shift_left (of_int (bits state)) 32))
let any_int state t =
  Ops.signed t (match below state 9 with
    | 0 -> 0L | 1 -> 1L | 2 -> -1L | 3 -> Int64.(shift_left 1L (Ops.width t - 1)) | 4 -> Int64.(lognot (shift_left (-1L) (Ops.width t - 1)))
    | 5 -> Int64.shift_left 1L (below state 64) | 6 -> Int64.of_int (below state 100) | _ -> word state)
(* Floats where ops do something else: signs of zero, no number, what does not fit f32 or integers, what is lost in sums. *)
let float_corners = [| 0.0; 1.0; 0.5; 1.5; nan; infinity; max_float; 3.4028234663852886e38; Float.min_float; epsilon_float; 5e-324; 1e-45;
  16777216.0; 4503599627370496.0; 9007199254740992.0; 2147483648.0; 4294967296.0; 9223372036854775808.0; 18446744073709551616.0 |]
let any_float state =
  let sign x = if below state 2 = 0 then x else -. x in
  match below state 8 with
  | 0 | 1 | 2 -> sign float_corners.(below state (Array.length float_corners))
  | 3 -> sign (float_of_int (below state 1000)) | 4 -> sign (ldexp 1.0 (below state 260 - 130))
  | 5 -> Int64.float_of_bits (word state)
  | _ -> float_of_int (below state 2000000000) /. 1e3 -. 1e6
let any_value state t = if Ops.is_float t then Ops.of_float t (any_float state) else any_int state t
let seeded s t = let state = random (Hashtbl.hash s) in Array.init samples (fun _ -> any_value state t)
let hashed op args t = any_value (random (Hashtbl.hash (op, args))) t

let info op = match Hashtbl.find_opt Meaning.shared.known (pos op) with Some i -> i | None -> ("?", "", [])
let kind op = Meaning.kind_of (pos op)
let type_of_op op = match info op with _, _, t :: _ -> t | _ -> "any"
let literal_of c = get Meaning.shared.literals (pos c) "nil"
let constant c i = let w = literal_of c in
  match Ops.literal w with Some x -> x | None -> hashed w i (Meaning.type_of_literal w)
let compute op args = let name, _, types = info op in
  try Ops.eval name types args with Ops.Opaque | Ops.Traps | Division_by_zero -> hashed op args (List.hd types)
let computes = Hashtbl.create 64     (* ops that Ops computes *)
let is_computed op = match Hashtbl.find_opt computes op with
  | Some b -> b
  | None ->
    let name, _, types = info op in
    let b = (kind op = Total || kind op = Partial) && List.length types > 1 &&
      (try ignore (Ops.eval name types (Array.make 4 1L)); true with Ops.Opaque -> false | _ -> true) in
    Hashtbl.replace computes op b; b

(* ---- Lemmas, of all functions *)

let numbers : (string, int) Hashtbl.t = Hashtbl.create 256
let all : lemma PositiveMap.t ref = ref PositiveMap.empty
let printed : (int, string) Hashtbl.t = Hashtbl.create 256
let tried : (string, bool) Hashtbl.t = Hashtbl.create 256     (* whether one holds for many samples *)
let written = function Id v -> Printf.sprintf "x%d" (int_of v) | Cst c -> literal_of (int_of c)
let write_op op l = let name, data, types = info (int_of op) in
  Printf.sprintf "%s%s(%s)" (String.concat ":" (name :: types)) data (String.concat ", " (List.map written l))
let write_eqn = function
  | Same (a, b) -> written a ^ " = " ^ written b
  | Def (a, op, l) -> written a ^ " = " ^ write_op op l
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n
let rec nat n = if n = 0 then O else S (nat (n - 1))
let write_claim = function
  | Equation e -> write_eqn e
  | Defined (op, l) -> "defined " ^ write_op op l
  | Safe (op, l) -> "safe " ^ write_op op l | Never (op, l) -> "never " ^ write_op op l
  | Next (op, l, op', l', is) -> Printf.sprintf "next %s as %s [%s]" (write_op op l) (write_op op' l')
      (String.concat "; " (List.map (fun i -> String.concat " " (List.map (fun n -> string_of_int (int_of_nat n)) i)) is))
let write_lemma l = String.concat "; " (List.map write_eqn l.premises) ^ " => " ^ write_claim l.conclusion

(* The lemma that such premises, which are facts by number, give such a conclusion; and its binding. *)
let stated premises conclusion =
  let names = Hashtbl.create 8 and binding = ref [] in
  let o = function
    | C c -> Cst (pos c)
    | N n -> match Hashtbl.find_opt names n with
      | Some v -> Id v
      | None -> let v = pos (Hashtbl.length names + 1) in Hashtbl.replace names n v; binding := (v, Id (pos n)) :: !binding; Id v in
  let eqn = function ESame (a, b) -> let a = o a in Same (a, o b) | EDef (a, op, l) -> let l = List.map o l in Def (o a, pos op, l) in
  let premises' = List.map (fun (_, e) -> eqn e) premises in
  let conclusion = conclusion eqn (fun l -> List.map o l) in
  ({ premises = premises'; conclusion }, !binding)
let lemma premises conclusion =
  let l, binding = stated premises conclusion in
  let text = write_lemma l in
  let n = match Hashtbl.find_opt numbers text with
    | Some n -> n
    | None -> let n = Hashtbl.length numbers + 1 in
      Hashtbl.replace numbers text n; Hashtbl.replace printed n text; all := PositiveMap.add (pos n) l !all; n in
  { by_lemma = pos n; binding; facts_used = List.map (fun (n, _) -> pos n) premises }

(* ---- A function *)

type key = Witness.thing = Var of int | Value of int
type site = { block : int; mutable script : step0 list; used : (int, unit) Hashtbl.t; mem_used : (int, unit) Hashtbl.t;
  at_start : (key, o) Hashtbl.t; at_end : (key, o) Hashtbl.t; mutable leave : use option; mutable edges : int list list;
  mutable mem_end : (int, unit) Hashtbl.t; mutable writes : bool; mutable reached_end : bool; mutable from : (int * (int, o) Hashtbl.t) list }

let find (p : program) (q : tprogram) limit type_of_name called phis =
  let pm k m = PositiveMap.find (pos k) m in
  (* the source with the edges that the text has *)
  let p' = { p with blocks = PositiveMap.mapi (fun b (k : block) -> match PositiveMap.find b q.tblocks with
    | Some t -> { k with succs = List.map fst t.tedges } | None -> k) p.blocks } in
  let nodes, order = Witness.order p' q in
  Witness.find_live nodes order;
  let node b : Witness.node = Hashtbl.find nodes b in
  (* dominators *)
  let index = Hashtbl.create 64 in
  List.iteri (fun i b -> Hashtbl.replace index b i) order;
  let idom = Hashtbl.create 64 in
  let start = int_of p.start in
  let rec meet a b = if a = b then a else if Hashtbl.find index a > Hashtbl.find index b then meet (Hashtbl.find idom a) b else meet a (Hashtbl.find idom b) in
  Hashtbl.replace idom start start;
  let changed = ref true in
  while !changed do
    changed := false;
    List.iter (fun b -> if b <> start then begin
      let ps = List.filter (fun (a, _) -> Hashtbl.mem idom a) (node b).edges in
      match ps with
      | [] -> ()
      | (a, _) :: r ->
        let d = List.fold_left (fun d (a, _) -> meet d a) a r in
        if Hashtbl.find_opt idom b <> Some d then (Hashtbl.replace idom b d; changed := true) end) order
  done;
  let enter = Hashtbl.create 64 and leave_at = Hashtbl.create 64 and clock = ref 0 and children = Hashtbl.create 64 in
  List.iter (fun b -> if b <> start then match Hashtbl.find_opt idom b with Some d -> Hashtbl.add children d b | None -> ()) order;
  let rec number = function
    | [] -> ()
    | `In b :: rest -> incr clock; Hashtbl.replace enter b !clock;
      number (List.map (fun c -> `In c) (Hashtbl.find_all children b) @ (`Out b :: rest))
    | `Out b :: rest -> incr clock; Hashtbl.replace leave_at b !clock; number rest in
  number [ `In start ];
  let dominates a b = get enter a 0 <= get enter b 0 && get leave_at b 0 <= get leave_at a 0 in
  (* variables and phis *)
  let sharing = Hashtbl.create 16 in
  List.iter (fun (x, _) -> let n = called (int_of x) in Hashtbl.replace sharing n (1 + get sharing n 0)) (PositiveMap.elements p.initial);
  let candidates b x = List.filter_map (fun (u, name) -> if name = called x then Some (int_of u) else None) (phis b) in
  let choices : (int * key, o option) Hashtbl.t = Hashtbl.create 64 in
  List.iter (fun b -> Hashtbl.iter (fun k () -> match k with
    | Var x -> (match candidates b x with
      | [ u ] when get sharing (called x) 0 = 1 -> Hashtbl.replace choices (b, k) (Some (N u))
      | _ -> ())
    | Value _ -> ()) (node b).live) order;
  let sites : (int, site) Hashtbl.t = Hashtbl.create 64 in
  let failure = ref "" in
  (* goes on, since it may be that a variable is something else *)
  let fail format = Printf.ksprintf (fun why -> if !failure = "" then failure := why) format in
  let attempt () =
    failure := "";
    Hashtbl.reset sites;
    let next_name = ref limit and next_fact = ref 0 in
    let fresh () = incr next_name; !next_name and new_fact () = incr next_fact; !next_fact in
    let vec = Hashtbl.create 256 and site_of = Hashtbl.create 256 and def = Hashtbl.create 256 in
    let by_def = Hashtbl.create 256 and by_vec = Hashtbl.create 256 and mention = Hashtbl.create 256 in
    let fact_of = Hashtbl.create 256 and fact_site = Hashtbl.create 256 in
    let vector = function N n -> get vec n [||] | C c -> Array.init samples (constant c) in
    let type_of = function C c -> Meaning.type_of_literal (literal_of c) | N n -> if n <= limit then type_of_name n else match Hashtbl.find_opt def n with
      | Some (op, _, _) -> type_of_op op | None -> "any" in
    let born b n v = Hashtbl.replace site_of n b; Hashtbl.replace vec n v; Hashtbl.add by_vec v n in
    List.iter (fun u -> let u = int_of u in born start u (seeded ("p", u) (type_of_name u))) q.tparams;
    List.iter (fun b -> List.iter (fun (u, _) -> let u = int_of u in born b u (seeded ("p", u) (type_of_name u))) (phis b)) order;
    let visible b n = match Hashtbl.find_opt site_of n with Some a -> dominates a b | None -> false in
    let write_blocks = Hashtbl.create 16 in
    List.iter (fun b -> if List.exists (function Inst (_, op, _) -> Meaning.kind_of op = Writes | _ -> false) (node b).block.code then
      Hashtbl.replace write_blocks b ()) order;
    let sames = Hashtbl.create 64 in           (* name -> what it is equal to, fact *)
    let mem_defs = Hashtbl.create 64 in        (* (op, args) -> name, fact, block *)
    List.iter (fun b ->
      let n = node b in
      let s = { block = b; script = []; used = Hashtbl.create 8; mem_used = Hashtbl.create 4; at_start = Hashtbl.create 16; at_end = Hashtbl.create 16;
        leave = None; edges = []; mem_end = Hashtbl.create 4; writes = Hashtbl.mem write_blocks b; reached_end = false;
        from = List.map (fun (a, t) -> let m = Hashtbl.create 8 in Hashtbl.iter (fun u o -> Hashtbl.replace m u (into o)) t; (a, m)) n.edges } in
      Hashtbl.replace sites b s;
      let now = s.at_end and back = Hashtbl.create 16 in
      let say st = s.script <- st :: s.script in
      let assign k o = Hashtbl.replace now k o; Hashtbl.add back o k in
      let is_here u = match u with C _ -> true | N u -> visible b u && (Hashtbl.find site_of u <> b || b = start || List.exists (fun (v, _) -> int_of v = u) (phis b)) in
      let from = List.find_opt (fun (a, _) -> Hashtbl.mem sites a && a <> b) s.from in
      Hashtbl.iter (fun k () ->
        let before = match from, k with
          | Some (a, _), _ -> Hashtbl.find_opt (Hashtbl.find sites a).at_end k
          | None, Var x -> (match PositiveMap.find (pos x) p.initial with
            | Some (Id v) -> List.assoc_opt v (List.combine p.params (List.map (fun u -> N (int_of u)) q.tparams))
            | Some (Cst c) -> Some (C (int_of c)) | None -> None)
          | None, Value v -> List.assoc_opt (pos v) (List.combine p.params (List.map (fun u -> N (int_of u)) q.tparams)) in
        (* a phi that has what all predecessors seen have, where they do not all have the same *)
        let seen = List.filter_map (fun (a, m) -> if a = b then None else Option.map (fun s -> (Hashtbl.find_opt s.at_end k, m)) (Hashtbl.find_opt sites a)) s.from in
        let joined () = match k, before with
          | Var x, Some o when not (is_here o && List.for_all (fun (a, _) -> a = before) seen) ->
            Option.map (fun v -> N v) (List.find_opt (fun v -> List.for_all (fun (a, m) -> a <> None && a = Hashtbl.find_opt m v) seen)
              (candidates b x @ List.map (fun (u, _) -> int_of u) (phis b)))
          | _ -> None in
        let u = match Hashtbl.find_opt choices (b, k) with Some u -> u
          | None -> match joined () with Some _ as u -> u | None -> before in
        match u with Some u when is_here u -> Hashtbl.replace s.at_start k u; assign k u | _ -> ()) n.live;
      (* facts *)
      let new_eqn ?(own = false) e = let f = new_fact () in Hashtbl.replace fact_of f e; Hashtbl.replace fact_site f b;
        (match e with
         | EDef (a, op, l) ->
           Hashtbl.add by_def (op, l) (a, f);
           List.iter (function N m -> Hashtbl.add mention m f | C _ -> ()) (a :: l);
           (match a with N a when own -> Hashtbl.replace def a (op, l, f) | _ -> ())
         | _ -> ()); f in
      let premise f = if Hashtbl.find fact_site f <> b then Hashtbl.replace s.used f (); (f, Hashtbl.find fact_of f) in
      let fact_visible f = dominates (Hashtbl.find fact_site f) b in
      let name_visible = function C _ -> true | N n -> visible b n in
      let find_def op l = List.find_opt (fun (a, f) -> fact_visible f && name_visible a) (Hashtbl.find_all by_def (op, l)) in
      let mem : (int * o list, o * int) Hashtbl.t = Hashtbl.create 8 in
      let killed = ref false in
      (* a read of an earlier block, if no block between writes *)
      let find_read op l = match Hashtbl.find_opt mem (op, l) with
        | Some r -> Some r
        | None -> if !killed then None else
          List.find_map (fun (a, f, d) ->
            let seen = Hashtbl.create 8 in
            let rec at_end c = if c = d then Hashtbl.mem (Hashtbl.find sites d).mem_end f else not (Hashtbl.mem write_blocks c) && at_entry c
            and at_entry c = Hashtbl.mem seen c || (Hashtbl.replace seen c (); c <> start && List.for_all (fun (a, _) -> at_end a) (node c).edges) in
            if d <> b && name_visible a && dominates d b && at_entry b then (Hashtbl.replace s.mem_used f (); Some (a, f)) else None)
            (Hashtbl.find_all mem_defs (op, l)) in
      let rename a u f = Hashtbl.add sames a (u, f); List.iter (fun k -> if Hashtbl.find_opt now k = Some a then begin
        say (match k with Var x -> Keep (pos x, pos f) | Value v -> Hold (pos v, pos f)); assign k u end) (Hashtbl.find_all back a) in
      (* how names are computed, down to some depth *)
      let closure depth roots =
        let found = Hashtbl.create 16 and order = ref [] in
        let rec go d = function
          | N n when d > 0 && not (Hashtbl.mem found n) -> (match Hashtbl.find_opt def n with
            | Some (op, l, f) when is_computed op && fact_visible f && List.for_all name_visible l ->
              Hashtbl.replace found n (op, l, f); List.iter (go (d - 1)) l; order := n :: !order
            | _ -> ())
          | _ -> () in
        List.iter (go depth) roots; (found, !order) in
      let rec test ?(most = 300) found conclusion =
        let state = random most in
        (* constants, and what is next to them, are tried often *)
        let near = ref [] and near_floats = ref [] in
        let constants l = List.iter (function C c -> (match Ops.literal (literal_of c) with
          | Some x -> if Ops.is_float (Meaning.type_of_literal (literal_of c)) then near_floats := x :: !near_floats
            else near := Int64.(x :: add x 1L :: sub x 1L :: !near)
          | None -> ()) | N _ -> ()) l in
        Hashtbl.iter (fun _ (_, l, _) -> constants l) found;
        (match conclusion with ESame (a, b) -> constants [ a; b ] | EDef (a, _, l) -> constants (a :: l));
        let ints = Array.of_list !near and floats = Array.of_list !near_floats in
        let any_value state t = match if Ops.is_float t then floats else ints with
          | [||] -> any_value state t
          | l when below state 3 = 0 -> let x = l.(below state (Array.length l)) in
            if Ops.is_float t then Ops.of_float t (let x = Ops.to_float x in match below state 7 with
              | 0 -> Float.succ x | 1 -> Float.pred x | 2 -> -. x | 3 -> x +. x | 4 -> sqrt x | _ -> x) else Ops.signed t x
          | _ -> any_value state t in
        (* operands are often given the values at which an op starts to do something else, by what they are computed of *)
        let aims = ref [] in
        let aimed op l = match info op, l with
          | ((("eq" | "ne" | "slt" | "sle" | "sgt" | "sge" | "ult" | "ule" | "ugt" | "uge" | "feq" | "fne" | "flt" | "fle" | "fgt" | "fge"), _, _),
            [ a; b ]) -> aims := (a, `Near b) :: (b, `Near a) :: !aims
          | (("umin" | "umax" | "smin" | "smax" | "sdiv" | "srem" | "udiv" | "urem" | "umulh" | "smulh"), _, _), [ a; b ] ->
            aims := (a, `Near b) :: (b, `Near a) :: (a, `End) :: (b, `End) :: !aims
          | (("shl" | "shr" | "sar" | "rotl" | "rotr"), _, t :: _), [ a; b ] -> aims := (a, `End) :: (b, `Amount (Ops.width t)) :: !aims
          | _, l -> if not (List.exists (fun o -> Ops.is_float (type_of o)) l) then List.iter (fun o -> aims := (o, `End) :: !aims) l in
        Hashtbl.iter (fun _ (op, l, _) -> aimed op l) found;
        (match conclusion with EDef (_, op, l) -> aimed op l | ESame _ -> ());
        let aims = Array.of_list (List.filter (function N _, _ -> true | C _, _ -> false) !aims) in
        (* all values of the names that the rest is computed of, if these are few *)
        let leaves = Hashtbl.create 8 and seen = Hashtbl.create 16 in
        let rec reach = function N n when not (Hashtbl.mem seen n) -> Hashtbl.replace seen n (); (match Hashtbl.find_opt found n with
            | Some (_, l, _) -> List.iter reach l | None -> Hashtbl.replace leaves n (Ops.width (type_of (N n)))) | _ -> () in
        List.iter reach (match conclusion with ESame (a, b) -> [ a; b ] | EDef (a, _, l) -> a :: l);
        let leaf_bits = Hashtbl.fold (fun _ w sum -> w + sum) leaves 0 in
        let tries = if leaf_bits <= 8 then 1 lsl leaf_bits else most in
        let ok = ref true and i = ref 0 and runs = ref 0 in
        while !ok && !i < tries do
          incr i;
          let memo = Hashtbl.create 16 in
          if leaf_bits <= 8 then ignore (Hashtbl.fold (fun n w x ->
            Hashtbl.replace memo n Int64.(shift_right (shift_left (of_int x) (Stdlib.( - ) 64 w)) (Stdlib.( - ) 64 w)); x lsr w) leaves !i)
          else if !i <= 66 || !i > 300 && !i <= 900 then begin      (* and small values, of one, or those beside powers of two *)
            let l = Hashtbl.fold (fun n _ l -> if Ops.is_float (type_of (N n)) then l else n :: l) leaves [] in
            if l <> [] then let n = List.nth l (below state (List.length l)) in
              Hashtbl.replace memo n (Ops.signed (type_of (N n)) (if !i <= 66 then Int64.of_int (!i - 2)
                else let k = (!i - 300) / 3 in Int64.(add (shift_left (if k mod 2 = 0 then 1L else -1L) (k / 2 mod 64)) (of_int (!i mod 3 - 1)))))
          end;
          let rec value = function
            | C c -> constant c 0
            | N n -> match Hashtbl.find_opt memo n with
              | Some x -> x
              | None ->
                let x = match Hashtbl.find_opt found n with
                  | Some (op, l, _) -> run op (List.map value l)
                  | None -> any_value state (type_of (N n)) in
                Hashtbl.replace memo n x; x
          and run op l = let name, _, types = info op in Ops.eval name types (Array.of_list l) in
          let rec solve o v = match o with
            | N n when not (Hashtbl.mem memo n) -> (match Hashtbl.find_opt found n with
              | None -> let t = type_of o in Hashtbl.replace memo n (if Ops.is_float t then Ops.of_float t (Ops.to_float v) else Ops.signed t v)
              | Some (op, l, _) -> let open Int64 in
                let r () = word state and amount b = Stdlib.(to_int (value b) land (Ops.width (type_of o) - 1)) in
                match info op, l with
                | ("add", _, _), [ a; b ] ->
                  (match b with N _ when Stdlib.(below state 2 = 0) -> solve a v | _ -> solve a (sub v (value b)));
                  solve b (sub v (value a))
                | ("umulh", _, t :: _), [ a; b ] ->
                  let middle = ldexp (to_float (Ops.unsigned t v) +. 0.5) (Ops.width t) in
                  let x = if a = b then sqrt middle else middle /. to_float (Ops.unsigned t (value b)) in
                  if x < 0x1p63 then solve a (of_float x)
                | ("bswap", _, ([ t; _ ] as types)), [ a ] -> solve a (Ops.eval "bswap" types [| Ops.signed t v |])
                | ("sub", _, _), [ a; b ] -> if Stdlib.(below state 2 = 0) then solve b (sub (value a) v); solve a (add v (value b))
                | ("bxor", _, _), [ a; b ] -> solve a (logxor v (value b))
                | ("mul", _, _), [ a; C _ as b ] when value b <> 0L -> Option.iter (solve a) (Ops.quotient v (value b))
                | (("sdiv" | "udiv"), _, _), [ a; b ] ->
                  if Stdlib.(below state 2 = 0) then solve b (shift_right_logical (r ()) (below state 64)); solve a (mul v (value b))
                | (("rotl" | "rotr" as name), _, t :: _), [ a; b ] ->
                  let back n = Ops.eval (if name = "rotl" then "rotr" else "rotl") [ t; t; t ] [| v; of_int n |] in
                  if a <> b then solve a (back Stdlib.(to_int (value b) land (Ops.width t - 1)))
                  else for n = 0 to Stdlib.(Ops.width t - 1) do
                    if Stdlib.(to_int (back n) land (Ops.width t - 1) = n) then solve a (back n)
                  done
                | (("zext" | "sext" | "copy" | "srem" | "urem"), _, _), a :: _ -> solve a v
                | ("trunc", _, t :: _), [ a ] -> solve a (logxor (Ops.unsigned t v) (if Stdlib.(Ops.width t < 64) then shift_left (r ()) (Ops.width t) else 0L))
                | (("shr" | "sar"), _, _), [ a; b ] when a = b -> let n = below state (Ops.width (type_of o)) in solve a (logor (shift_left v n) (of_int n))
                | ("shl", _, _), [ a; C _ as b ] -> solve a (shift_right_logical v (amount b))
                | (("shr" | "sar"), _, _), [ a; C _ as b ] -> solve a (shift_left v (amount b))
                | ("band", _, _), [ a; C _ as b ] -> solve a (logor (logand v (value b)) (logand (r ()) (lognot (value b))))
                | (("band" | "bor" | "umin" | "umax" | "smin" | "smax"), _, _), [ a; b ] -> solve a v; solve b v
                | ("select", _, _), [ _; a; b ] -> solve a v; solve b v
                | (("ctz" | "clz" | "popcnt" as name), _, t :: _), [ a ] ->
                  let n = Stdlib.(to_int v land (Ops.width t - 1)) in
                  let one = shift_left 1L Stdlib.(if name = "clz" then Ops.width t - 1 - n else n) in
                  solve a (match name with "popcnt" -> pred one | "clz" -> logor one (logand (r ()) (pred one)) | _ -> logor one (logand (r ()) (neg one)))
                | ("neg", _, _), [ a ] -> solve a (neg v) | ("bnot", _, _), [ a ] -> solve a (lognot v)
                | (("itof" | "utof"), _, _), [ a ] -> solve a (of_float (Ops.to_float v))
                | (("ftoi" | "ftoi_sat"), _, _), [ a ] -> solve a (Ops.of_float "f64" (to_float v))
                | (("ftou" | "ftou_sat"), _, t :: _), [ a ] -> solve a (Ops.of_float "f64" (to_float (Ops.unsigned t v)))
                | (("eq" | "feq"), _, _), [ a; b ] when v <> 0L -> solve a (value b)
                | (("ne" | "fne"), _, _), [ a; b ] when v = 0L -> solve a (value b)
                | _ -> ())
            | _ -> () in
          (* where the difference of both is a multiple of one name, and something *)
          let solve o goal =
            if !i <= 300 || below state 3 > 0 || Ops.is_float (type_of o) then solve o (goal ())
            else begin
              ignore (value o, goal ());
              let l = Hashtbl.fold (fun n x l -> if Hashtbl.mem found n then l else (n, x) :: l) memo [] in
              let put more = Hashtbl.reset memo; List.iter (fun (n, x) -> Hashtbl.replace memo n x) (l @ more) in
              match List.filter (fun (n, _) -> not (Ops.is_float (type_of (N n)))) l with
              | [] -> ()
              | ints ->
                let n, x = List.nth ints (below state (List.length ints)) in
                let at x = put [ (n, x) ]; Ops.signed (type_of o) (Int64.sub (value o) (goal ())) in
                let b = at 0L and k = below state 17 in    (* low bits may be cut off *)
                let slope = Int64.(shift_right (sub (at (shift_left 1L k)) b) k) in
                let x = Option.value ~default:x (Ops.quotient (Int64.neg b) slope) in
                put [ (n, Ops.signed (type_of (N n)) x) ]
            end in
          (try
            if aims <> [||] then for _ = 1 to below state 3 do
              let a, aim = aims.(below state (Array.length aims)) in
              let t = type_of a and beside = match below state 4 with 0 -> 1L | 1 -> -1L | _ -> 0L in
              let goal = let open Int64 in match aim with
                | `Near b -> fun () -> value b
                | `Amount w -> let x = mul (of_int w) (match below state 4 with 0 -> 0L | 1 -> 1L | 2 -> -1L | _ -> word state) in fun () -> x
                | `End -> let x = match below state 3 with
                  | 0 -> 0L | 1 -> shift_left 1L (Stdlib.( - ) (Ops.width t) 1) | _ -> shift_left 1L (below state (Ops.width t)) in fun () -> x in
              solve a (fun () -> Ops.signed t (Int64.add beside (goal ())))
            done;
            ok := (match conclusion with
            | ESame (a, b) -> let x = value a in x = value b
            | EDef (a, op, l) -> let x = value a in x = (try run op (List.map value l) with Ops.Traps -> Int64.lognot x));
            incr runs
          with Ops.Traps -> ())
        done; !ok && !runs > 0
      (* Before a lemma is proposed it is tried more often, once for all functions. *)
      and holds premises conclusion found =
        let text = write_lemma (fst (stated premises (fun eqn _ -> Equation (eqn conclusion)))) in
        match Hashtbl.find_opt tried text with
        | Some ok -> ok
        | None -> let ok = test ~most:3000 found conclusion in Hashtbl.replace tried text ok; ok
      and prove conclusion =
        let roots = match conclusion with ESame (a, b) -> [ a; b ] | EDef (a, _, l) -> a :: l in
        (* without what it does not need *)
        let least (found, order) =
          let reached () = let keep = Hashtbl.create 8 in
            let rec go = function N n when not (Hashtbl.mem keep n) -> (match Hashtbl.find_opt found n with
                | Some (_, l, _) -> Hashtbl.replace keep n (); List.iter go l | None -> ()) | _ -> () in
            List.iter go roots; keep in
          List.iter (fun n -> match Hashtbl.find_opt found n with
            | Some d -> Hashtbl.remove found n; if not (test found conclusion) then Hashtbl.replace found n d
            | None -> ()) (List.rev order);
          let keep = reached () in
          List.filter_map (fun n -> if Hashtbl.mem keep n then Option.map (fun (_, _, f) -> f) (Hashtbl.find_opt found n) else None) order in
        let rec deeper depth last =
          if depth > 8 then None else
          let found, order = closure depth roots in
          let n = Hashtbl.length found in
          if n > 40 || (depth > 1 && n = last) then None
          else if not (test found conclusion) then deeper (depth + 1) n
          else
            let used = least (found, order) in
            if holds (List.map (fun f -> (f, Hashtbl.find fact_of f)) used) conclusion found then Some used else deeper (depth + 1) n in
        match (try deeper 1 (-1) with Ops.Opaque -> None) with
        | None -> None
        | Some used ->
          let premises = List.map premise used in
          let u = lemma premises (fun eqn _ -> Equation (eqn conclusion)) in
          let f = new_eqn conclusion in
          say (Apply (u, pos f)); Some f in
      let equal ?only a u =
        let rename a u f = match only with
          | None -> rename a u f
          | Some k -> say (match k with Var x -> Keep (pos x, pos f) | Value v -> Hold (pos v, pos f)); assign k u in
        a = u || (vector a <> [||] && vector a = vector u && type_of a = type_of u &&
        match a, u with
        | C _, C _ -> false
        | C _, N _ -> (match prove (ESame (u, a)) with
          | Some f -> let f' = new_eqn (ESame (a, u)) in say (Turn (pos f, pos f')); rename a u f'; true | None -> false)
        | N _, _ -> match prove (ESame (a, u)) with Some f -> rename a u f; true | None -> false) in
      (* the text's next instructions *)
      let queue = Array.of_list n.text.tcode and at = ref 0 in
      let decoded i = let (d, op), l = queue.(i) in (Option.map int_of d, int_of op, List.map into l) in
      let text_step r op l u f =
        born b r (vector u);
        incr at;
        if kind op = Reads then begin
          let f1 = new_fact () and f2 = new_eqn (ESame (u, N r)) in
          Hashtbl.replace mem (op, l) (N r, f1); Hashtbl.add mem_defs (op, l) (N r, f1, b);
          say (Text (pos f, pos f1, pos f2)); rename u (N r) f2
        end else begin
          let f1 = new_eqn ~own:true (EDef (N r, op, l)) in
          let f2 = new_eqn (ESame (u, N r)) in
          say (Text (pos f, pos f1, pos f2)); rename u (N r) f2
        end in
      let vector_of op l =
        if List.exists (fun o -> vector o = [||]) l then give_up "a name of the text is not known where it is used";
        Array.init samples (fun i -> compute op (Array.of_list (List.map (fun o -> (vector o).(i)) l))) in
      let exists r op l =
        ignore r;
        if kind op <> Total then None else
        let fact_for = function
          | C _ -> Some []
          | N n -> match Hashtbl.find_opt def n with
            | Some (_, l, f) when fact_visible f && List.for_all name_visible l -> Some [ f ]
            | _ -> Option.map (fun f -> [ f ]) (List.find_opt (fun f -> fact_visible f && match Hashtbl.find fact_of f with
                | EDef (a, _, l) -> name_visible a && List.for_all name_visible l | _ -> false) (Hashtbl.find_all mention n)) in
        let l' = List.map fact_for l in
        if List.mem None l' then None else
        let premises = List.map premise (List.sort_uniq compare (List.concat_map Option.get l')) in
        let u = lemma premises (fun _ os -> Defined (pos op, os l)) in
        let g = fresh () in
        let v = vector_of op l in
        born b g v;
        let f = new_eqn ~own:true (EDef (N g, op, l)) in
        say (Exists (u, pos g, pos f)); Some (N g, f) in
      let head force = if !at >= Array.length queue then false else
        match decoded !at with
        | Some r, op, l when kind op = Reads -> (match find_read op l with Some (u, f) -> text_step r op l u f; true | None -> false)
        | Some r, op, l when kind op <> Writes ->
          if List.exists (fun o -> vector o = [||]) l then false else
          (match find_def op l with
           | Some (u, f) -> ignore (premise f); text_step r op l u f; true
           | None ->
             let v = vector_of op l in
             let ghosts = List.filter (fun g -> visible b g && g > limit && type_of (N g) = type_of_op op) (Hashtbl.find_all by_vec v) in
             let others = List.filter (fun g -> visible b g && g <= limit && type_of (N g) = type_of_op op) (Hashtbl.find_all by_vec v) in
             match (if is_computed op then List.find_map (fun g -> Option.map (fun f -> (N g, f)) (prove (EDef (N g, op, l))))
               (List.filteri (fun i _ -> i < 3) (ghosts @ others)) else None) with
             | Some (u, f) -> text_step r op l u f; true
             | None ->
               let soon = force || (
                 (* a later instruction, computed with this one, is a ghost *)
                 let known = Hashtbl.create 4 in
                 Hashtbl.replace known r v;
                 let vector' = function N n when Hashtbl.mem known n -> Hashtbl.find known n | o -> vector o in
                 let rec look i = i < Array.length queue && i < !at + 5 && match decoded i with
                   | Some r', op', l' when kind op' = Total && is_computed op' ->
                     let vs = List.map vector' l' in
                     if List.mem [||] vs then look (i + 1) else begin
                       let v' = Array.init samples (fun i -> compute op' (Array.of_list (List.map (fun v -> v.(i)) vs))) in
                       Hashtbl.replace known r' v';
                       List.exists (fun g -> g > limit && visible b g && Hashtbl.mem back (N g)) (Hashtbl.find_all by_vec v') || look (i + 1) end
                   | _ -> false in
                 look (!at + 1)) in
               if not soon then false else match exists r op l with
                 | Some (u, f) -> text_step r op l u f; true
                 | None -> false)
        | _ -> false in
      let rec eager () = if head false then eager () in
      let flush stop =
        let rec go () = if !at < Array.length queue && not (stop (decoded !at)) then
          if head true then go ()
          else begin
            let d, op, l = decoded !at in let name, _, _ = info op in fail "the text has %s, which does not follow" name;
            Option.iter (fun r -> born b r (vector_of op l)) d;
            incr at; go () end in
        go () in
      let any k = let g = fresh () in
        born b g (seeded ("any", g, b) "any");
        say (match k with Var x -> AnyVar (pos x, pos g) | Value v -> Any (pos v, pos g)); assign k (N g); N g in
      let held = function Cst c -> C (int_of c) | Id v -> let k = Value (int_of v) in
        match Hashtbl.find_opt now k with Some o -> o | None -> any k in
      let settle g =
        let t = type_of (N g) in
        let v = vector (N g) in
        let constant = if Array.for_all (( = ) v.(0)) v && not (Ops.is_float t) && t <> "any" then
          let w = if t = "i1" then (if v.(0) = 0L then "false" else "true") else if t = "i64" then Int64.to_string v.(0)
            else Printf.sprintf "%Ld:%s" v.(0) t in
          let c = Meaning.number Meaning.shared.constants w in Hashtbl.replace Meaning.shared.literals c w; [ C (int_of c) ]
          else if Ops.is_float t && Array.for_all (( = ) v.(0)) v then
            Hashtbl.fold (fun c w l -> if Meaning.type_of_literal w = t && Ops.literal w = Some v.(0) then C (int_of c) :: l else l) Meaning.shared.literals []
          else [] in
        let names = List.filter (fun n -> n <> g && visible b n) (Hashtbl.find_all by_vec v) in
        let real, ghosts = List.partition (fun n -> n <= limit) names in
        let pick l = List.filteri (fun i _ -> i < 4) l in
        if not (List.exists (fun u -> equal (N g) u) (constant @ List.map (fun n -> N n) (pick real @ pick ghosts))) then eager () in
      (* a name that an earlier instruction has given a value: what that has been renamed to *)
      let kind_of_name g = Option.map (fun (op, _, _) -> kind op) (Hashtbl.find_opt def g) in
      let again u = match u with
        | N g when g > limit -> (match List.find_opt (fun (o, f) -> o <> u && fact_visible f && name_visible o) (Hashtbl.find_all sames u) with
          | Some (o, f) -> ignore (premise f); rename u o f
          | None -> if kind_of_name g <> Some Reads then settle g)
        | _ -> () in
      let instruction d op args =
        let op = int_of op in
        let us = List.map held args in
        let key = Option.map (fun d -> Value (int_of d)) d in
        let put o = Option.iter (fun k -> assign k o) key in
        let item r op' us' =
          let f = new_fact () in
          say (Item (pos f)); incr at;
          Option.iter (fun r ->
            let v = if kind op = Total || kind op = Partial then vector_of op us' else seeded ("w", r) (type_of_op op') in
            born b r v; put (N r);
            match kind op with
            | Reads -> Hashtbl.replace mem (op, us') (N r, f); Hashtbl.add mem_defs (op, us') (N r, f, b)
            | Writes -> ()
            | _ -> Hashtbl.replace fact_of f (EDef (N r, op, us')); Hashtbl.replace fact_site f b;
              Hashtbl.add by_def (op, us') (N r, f);
              List.iter (function N m -> Hashtbl.add mention m f | C _ -> ()) (N r :: us');
              Hashtbl.replace def r (op, us', f)) r in
        let name use =
          let g = fresh () in
          let f = new_fact () in
          born b g (if kind op = Reads then seeded ("g", g) (type_of_op op) else vector_of op us);
          say (Name (pos g, pos f, use)); put (N g);
          if kind op = Reads then (Hashtbl.replace mem (op, us) (N g, f); Hashtbl.add mem_defs (op, us) (N g, f, b); eager ())
          else begin
            Hashtbl.replace fact_of f (EDef (N g, op, us)); Hashtbl.replace fact_site f b;
            Hashtbl.add by_def (op, us) (N g, f); List.iter (function N m -> Hashtbl.add mention m f | C _ -> ()) (N g :: us);
            Hashtbl.replace def g (op, us, f); settle g
          end in
        let next_is () = !at < Array.length queue && (let _, op', l' = decoded !at in op' = op && l' = us) in
        let paired () =
          let d', op', l' = decoded !at in
          let nm, _, _ = info op in
          if op' <> op || List.length l' <> List.length us then
            (let nm', _, _ = info op' in fail "%s in the source is %s in the text" nm nm')
          else List.iteri (fun i o -> let u = List.nth l' i in let a, only = match o with Cst c -> C (int_of c), None | Id v -> let k = Value (int_of v) in Hashtbl.find now k, Some k in
            if not (equal ?only a u) then fail "operand %d of %s is not known to be what the text has" (i + 1) nm) args;
          item d' op' l' in
        let never = kind op = Partial && (let nm, _, types = info op in List.for_all (function C _ -> true | N _ -> false) us && (if nm = "trap_if" then us <> [] && vector (List.hd us) = Array.make samples (-1L)
          else try ignore (Ops.eval nm types (Array.of_list (List.map (function C c -> constant c 0 | N _ -> 0L) us))); false with Ops.Traps -> true | _ -> false)) in
        if never then begin
          flush (fun (_, op', l') -> kind op' = Writes || (op' = op && l' = us));
          if !at < Array.length queue && next_is () then (say (Halt (lemma [] (fun _ os -> Never (pos op, os us)))); raise Halted)
        end;
        match kind op with
        | Writes ->
          flush (fun (_, op, _) -> kind op = Writes);
          Hashtbl.reset mem; killed := true;
          if !at >= Array.length queue then (let nm, _, _ = info op in fail "the text lacks %s" nm) else paired ()
        | Partial when not (next_is ()) ->
          (match find_def op us with
           | Some (u, f) -> ignore (premise f); say (Known (pos f)); put u; again u
           | None ->
             let nm, _, types = info op in
             let safe = match List.rev us with
               | C c :: _ when nm <> "ftoi" && nm <> "ftou" && nm <> "trap_if" -> let x = constant c 0 in x <> 0L && (nm = "udiv" || nm = "urem" || nm = "srem" || x <> -1L || List.for_all (function C _ -> true | _ -> false) us)
               | [ C _ ] -> true | _ -> false in
             let safe = safe && (not (List.for_all (function C _ -> true | _ -> false) us) ||
               (nm <> "trap_if" && try ignore (Ops.eval nm types (Array.of_list (List.map (function C c -> constant c 0 | _ -> 0L) us))); true with _ -> false) ||
               (nm = "trap_if" && (match us with [ C c ] -> literal_of c = "false" | _ -> false))) in
             (* where the text has it too, it is that one *)
             let rec later i = i < Array.length queue && (let _, op', _ = decoded i in kind op' <> Writes && (op' = op || later (i + 1))) in
             if safe && not (later !at) then name (Some (lemma [] (fun _ os -> Safe (pos op, os us))))
             else begin
               flush (fun (_, op', _) -> kind op' = Writes || kind op' = Partial);
               if !at >= Array.length queue then fail "the text lacks %s" nm else paired ()
             end)
        | _ when next_is () && kind op <> Reads -> let d', op', l' = decoded !at in item d' op' l'; eager ()
        | Reads -> (match find_read op us with
          | Some (u, f) -> say (Known (pos f)); put u; again u
          | None -> if next_is () then (let d', op', l' = decoded !at in item d' op' l') else name None)
        | Partial -> let d', op', l' = decoded !at in item d' op' l'; eager ()
        | Total -> (match find_def op us with
          | Some (u, f) -> ignore (premise f); say (Known (pos f)); put u; again u
          | None -> name None) in
      try List.iter (function
        | Read (x, Id v) ->
          let u = match Hashtbl.find_opt now (Var (int_of x)) with Some u -> u | None -> any (Var (int_of x)) in
          say (Item XH); assign (Value (int_of v)) u
        | Read _ -> say (Item XH)
        | Write (x, o) -> let u = held o in say (Item XH); assign (Var (int_of x)) u
        | Inst (d, op, args) -> instruction d op args) n.block.code;
      flush (fun _ -> false);
      s.reached_end <- true;
      Hashtbl.iter (fun _ (_, f) -> Hashtbl.replace s.mem_end f ()) mem;
      Hashtbl.iter (fun f () -> if not !killed then Hashtbl.replace s.mem_end f ()) s.mem_used;
      (* what phis of successors need *)
      List.iter (fun (c, l) -> let c = int_of c in
        if Hashtbl.mem nodes c then
        let moved u = match u with N n -> (match List.find_opt (fun (p, _) -> int_of p = n) l with Some (_, o) -> into o | None -> u) | C _ -> u in
        Hashtbl.iter (fun k () ->
          let wanted = match Hashtbl.find_opt choices (c, k) with Some u -> u
            | None -> Option.bind (Hashtbl.find_opt sites c) (fun s -> Hashtbl.find_opt s.at_start k) in
          match wanted, Hashtbl.find_opt now k with
          | Some u, Some a -> if a <> moved u then ignore (equal ~only:k a (moved u))
          | _ -> ()) (node c).live) n.text.tedges;
      (* the terminator *)
      let term = int_of n.block.term and term' = int_of n.text.tterm in
      let source = (match pm b p.blocks with Some k -> k | None -> n.block) in
      let us = List.map held source.targs and us' = List.map into n.text.ttargs in
      let targets = List.map fst n.text.tedges in
      let fold premises is l' =
        let us = List.map held source.targs in
        s.leave <- Some (lemma premises (fun _ os -> let l = os us in
          Next (n.block.term, l, n.text.tterm, os l', List.map (List.map nat) is)));
        s.edges <- is in
      let indexes f = List.filter f (List.init (List.length source.succs) Fun.id) in
      let nm, _, _ = info term and nm', _, _ = info term' in
      if term = term' && List.length us = List.length us' && source.succs = targets && List.for_all2 (fun (o, a) u -> match o with Id v -> equal ~only:(Value (int_of v)) a u | Cst _ -> a = u) (List.combine source.targs us) us' then
        s.edges <- List.mapi (fun i _ -> [ i ]) targets
      else (match nm, nm', us, us', targets with
        | "branch", "jump", [ C c ], [], [ _ ] -> fold [] [ [ (if literal_of c = "true" then 0 else 1) ] ] []
        | "branch", "jump", [ _ ], [], [ t ] when List.for_all (( = ) t) source.succs -> fold [] [ [ 0; 1 ] ] []
        | "branch", "branch", [ (N _ as c) ], [ d ], [ t; e ] when source.succs = [ e; t ] ->
          let not_op = int_of (Meaning.key ~types:[ "i1" ] (Meaning.scope_with_rules ()) "bnot" "" "i1") in
          (match prove (EDef (c, not_op, [ d ])) with
           | Some f -> fold [ (f, EDef (c, not_op, [ d ])) ] [ [ 1 ]; [ 0 ] ] us'
           | None -> fail "a branch is another one")
        | "switch", "switch", x :: keys, x' :: keys', _ when List.for_all (function C _ -> true | N _ -> false) (keys @ keys')
            && (match source.targs with Id v :: _ -> equal ~only:(Value (int_of v)) x x' | _ -> x = x') ->
          let value = function C k -> Ops.literal (literal_of k) | N _ -> None in
          let rec edge v i = function k :: r -> if value k = value v then i else edge v (i + 1) r | [] -> 0 in
          let goes = List.sort_uniq compare ((0, 0) :: List.map (fun k -> (edge k 1 keys', edge k 1 keys)) (keys @ keys')) in
          fold [] (List.mapi (fun j _ -> List.filter_map (fun (j', i) -> if j = j' then Some i else None) goes) targets) us'
        | "switch", "jump", C c :: keys, [], [ _ ] ->
          let x = Ops.literal (literal_of c) in
          let rec which i = function C k :: r -> if Ops.literal (literal_of k) = x then i else which (i + 1) r | _ -> 0 in
          fold [] [ [ which 1 keys ] ] []
        | "switch", "jump", _, [], [ t ] when List.for_all (( = ) t) source.succs -> fold [] [ indexes (fun _ -> true) ] []
        | _ -> fail "%s in the source is %s in the text" nm nm')
      with Halted -> ()) order;
    (* all edges *)
    let brings a u l = match u with N n -> a = get l n u | C _ -> a = u in
    let wrong = List.concat_map (fun b ->
      let s = Hashtbl.find sites b in
      Hashtbl.fold (fun k u l -> if List.for_all (fun (a, m) -> match Hashtbl.find_opt (Hashtbl.find sites a).at_end k with
        | Some o -> brings o u m | None -> false) s.from then l else (b, k, u) :: l) s.at_start []) order in
    (wrong, fact_of, fact_site, next_fact, mem_defs) in
  let rec settle rounds =
    let (wrong, _, _, _, _) as it = attempt () in
    if wrong = [] then (if !failure <> "" then raise (Not_covered !failure) else it)
    else if rounds = 0 then give_up "what variables are does not become known"
    else begin
      let better = List.filter_map (fun (b, k, u) -> match k with
        | Value _ -> None
        | Var x ->
          let s = Hashtbl.find sites b in
          let fits v = N v <> u && List.for_all (fun (a, m) -> Hashtbl.find_opt (Hashtbl.find sites a).at_end k = Hashtbl.find_opt m v) s.from in
          Option.map (fun v -> ((b, k), Some (N v))) (List.find_opt fits (candidates b x @ List.map (fun (u, _) -> int_of u) (phis b)))) wrong in
      let first = Hashtbl.create 8 in
      if better = [] then List.iter (fun (b, k, _) -> if not (Hashtbl.mem first k) then Hashtbl.add first k b) wrong;
      List.iter (fun (k, c) -> Hashtbl.replace choices k c) better;
      Hashtbl.iter (fun k b -> Hashtbl.replace choices (b, k) None) first;
      settle (rounds - 1)
    end in
  let _, fact_of, fact_site, next_fact, mem_defs = settle 60 in
  (* what must be known where blocks begin *)
  let need select is_there =
    let wanted = Hashtbl.create 64 in
    let rec go = function
      | [] -> ()
      | (b, f) :: rest ->
        if Hashtbl.mem wanted (b, f) then go rest
        else begin
          Hashtbl.replace wanted (b, f) ();
          if b = start then give_up "a fact is not known where it is used";
          go (List.filter_map (fun (a, _) -> if is_there a f then None else Some (a, f)) (Hashtbl.find sites b).from @ rest)
        end in
    List.iter (fun b -> go (Hashtbl.fold (fun f () l -> (b, f) :: l) (select (Hashtbl.find sites b)) [])) order;
    let by_block = Hashtbl.create 64 in
    Hashtbl.iter (fun (b, f) () -> Hashtbl.add by_block b f) wanted;
    fun b -> List.sort compare (Hashtbl.find_all by_block b) in
  let facts = need (fun s -> s.used) (fun a f -> Hashtbl.find fact_site f = a) in
  let mem_site = Hashtbl.create 64 in
  Hashtbl.iter (fun (op, l) (a, f, b) -> Hashtbl.replace mem_site f (b, EDef (a, op, l))) mem_defs;
  let reads = need (fun s -> s.mem_used) (fun a f -> fst (Hashtbl.find mem_site f) = a) in
  ignore next_fact;
  let eqn = function ESame (a, b) -> Same (out a, out b) | EDef (a, op, l) -> Def (out a, pos op, List.map out l) in
  let passage b =
    let s = Hashtbl.find sites b in
    let known key = Hashtbl.fold (fun k u l -> match key k with Some k -> (pos k, out u) :: l | None -> l) s.at_start [] in
    { at_start = { vars_at = known (function Var x -> Some x | _ -> None); held_at = known (function Value v -> Some v | _ -> None);
        facts_at = List.map (fun f -> (pos f, eqn (Hashtbl.find fact_of f))) (facts b);
        memory_at = List.map (fun f -> (pos f, eqn (snd (Hashtbl.find mem_site f)))) (reads b) };
      steps = List.rev s.script; leaves = s.leave;
      brings_facts = List.map (fun (c, _) -> let c = int_of c in (List.map pos (facts c), List.map pos (reads c))) (node b).text.tedges } , s.edges in
  let passages = List.map (fun b -> (b, fst (passage b))) order in
  let uses (_, g) = Option.to_list g.leaves @ List.filter_map (function
    | Name (_, _, u) -> u | Apply (u, _) | Exists (u, _, _) | Halt u -> Some u | _ -> None) g.steps in
  { last = pos (max 1 limit);
    lemmas = List.fold_left (fun m (u : use) -> match PositiveMap.find u.by_lemma !all with
      | Some l -> PositiveMap.add u.by_lemma l m | None -> m) PositiveMap.empty (List.concat_map uses passages);
    passages = List.fold_left (fun m (b, g) -> PositiveMap.add (pos b) g m) PositiveMap.empty passages }

(* The lemmas that a proof uses, as text: it has no others. *)
let lemmas_of (w : proof) = List.map (fun (n, _) -> Hashtbl.find printed (int_of n)) (PositiveMap.elements w.lemmas)
