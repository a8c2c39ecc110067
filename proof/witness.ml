(* witness.ml: finds a witness.  Nobody needs to trust it: the checker refuses a wrong one.

   At the start of a block, a variable is the phi of that variable in that block, else what it is at the end of the
   predecessors.  A text names the variable of a phi; where several have that name, the phi is one whose operands are
   right.  All values are computed forward, edges back being left out; then all edges are looked at, and where one does not bring
   what was computed, another phi is taken, or none: the variable is nothing there.  Until nothing changes.

   That is enough where phis are minimal.  Where one has the same operand on all edges, the variable is both the phi and that
   operand: a `wide` witness has all values that all edges bring. *)
open Checker

let rec int_of = function XH -> 1 | XO p -> 2 * int_of p | XI p -> 2 * int_of p + 1

type node = {
  block : block;
  text : tblock;
  mutable edges : (int * (int, operand) Hashtbl.t) list;     (* predecessors, with what phis are on each edge *)
  vars : (int, unit) Hashtbl.t;                              (* live at the start; likewise values *)
  values : (int, unit) Hashtbl.t;
  mutable at_start : (int, operand list) Hashtbl.t;          (* what variables are; []: nothing *)
  mutable written : (int, operand list) Hashtbl.t }

let find_int map k = PositiveMap.find (Meaning.positive k) map

(* The blocks that the start reaches, in reverse postorder. *)
let order (p : program) (q : tprogram) =
  let nodes = Hashtbl.create 64 and list = ref [] in
  let node b = match find_int p.blocks b, find_int q.tblocks b with
    | Some block, Some text ->
      Some { block; text; edges = []; vars = Hashtbl.create 8; values = Hashtbl.create 8;
             at_start = Hashtbl.create 1; written = Hashtbl.create 1 }
    | _ -> None in
  let rec visit = function
    | [] -> ()
    | (b, []) :: rest -> list := b :: !list; visit rest
    | (b, s :: ss) :: rest ->
      let s = int_of s and up = (b, ss) :: rest in
      if Hashtbl.mem nodes s then visit up else enter s up
  and enter b up = match node b with
    | None -> visit up
    | Some n -> Hashtbl.add nodes b n; visit ((b, n.block.succs) :: up) in
  enter (int_of p.start) [];
  List.iter (fun b ->
    let n = Hashtbl.find nodes b in
    List.iter (fun (s, l) -> match Hashtbl.find_opt nodes (int_of s) with
      | Some to_ ->
        let t = Hashtbl.create (List.length l) in
        List.iter (fun (u, o) -> Hashtbl.replace t (int_of u) o) l;
        to_.edges <- (b, t) :: to_.edges
      | None -> ()) n.text.tedges) (List.rev !list);
  (nodes, !list)

(* Liveness, from each use backward.  `defs` is what a block defines, `uses` what it uses before. *)
let live nodes order uses_and_defs set =
  let facts = Hashtbl.create 64 in
  List.iter (fun b -> Hashtbl.add facts b (uses_and_defs (Hashtbl.find nodes b).block)) order;
  let rec up b k =
    let n = Hashtbl.find nodes b in
    if not (Hashtbl.mem (set n) k) then begin
      Hashtbl.add (set n) k ();
      List.iter (fun (pred, _) -> if not (Hashtbl.mem (snd (Hashtbl.find facts pred)) k) then up pred k) n.edges
    end in
  List.iter (fun b -> Hashtbl.iter (fun k () -> up b k) (fst (Hashtbl.find facts b))) order

let facts uses defs items last =
  let used = Hashtbl.create 8 and defined = Hashtbl.create 8 in
  let use k = if not (Hashtbl.mem defined k) then Hashtbl.replace used k () in
  List.iter (fun i -> List.iter use (uses i); List.iter (fun k -> Hashtbl.replace defined k ()) (defs i)) items;
  List.iter use last;
  (used, defined)

let ids l = List.filter_map (function Id v -> Some (int_of v) | Cst _ -> None) l
let of_vars b = facts (function Read (x, _) -> [ int_of x ] | _ -> []) (function Write (x, _) -> [ int_of x ] | _ -> []) b.code []
let of_values b =
  facts (function Write (_, o) -> ids [ o ] | Inst (_, _, l) -> ids l | Read _ -> [])
    (function Read (_, a) -> ids [ a ] | Inst (Some d, _, _) -> [ int_of d ] | _ -> []) b.code (ids b.targs)

type choice = Phi of operand | Nothing

(* called x: the name of a variable;  phis b: those of a block, with the names of their variables. *)
let find wide (p : program) (q : tprogram) called phis =
  let nodes, order = order p q in
  live nodes order of_vars (fun n -> n.vars);
  live nodes order of_values (fun n -> n.values);
  let final = Hashtbl.create 64 and choices = Hashtbl.create 64 and sharing = Hashtbl.create 16 in
  List.iter (fun (x, _) -> let n = called (int_of x) in
    Hashtbl.replace sharing n (1 + Option.value ~default:0 (Hashtbl.find_opt sharing n))) (PositiveMap.elements p.initial);
  let candidates b x = List.filter_map (fun (u, name) -> if name = called x then Some u else None) (phis b) in
  List.iter (fun b ->
    Hashtbl.iter (fun x () -> match candidates b x with
      | [ u ] when Hashtbl.find_opt sharing (called x) = Some 1 -> Hashtbl.replace choices (b, x) (Phi (Id u))
      | _ -> ()) (Hashtbl.find nodes b).vars) order;
  let at_end n x = match Hashtbl.find_opt n.written x with
    | Some u -> u
    | None -> Option.value ~default:[] (Hashtbl.find_opt n.at_start x) in
  let params () = List.iter2 (fun v u -> Hashtbl.replace final (int_of v) (Id u)) p.params q.tparams in
  let stands = function Id v -> Option.to_list (Hashtbl.find_opt final (int_of v)) | Cst _ as o -> [ o ] in
  let dropped = Hashtbl.create 16 in
  let forward wide =
    let met = Hashtbl.create 64 in
    Hashtbl.reset final;
    if List.length p.params = List.length q.tparams then params ();
    List.iter (fun b ->
      let n = Hashtbl.find nodes b in
      n.at_start <- Hashtbl.create 16; n.written <- Hashtbl.create 16;
      let from = List.find_opt (fun (pred, _) -> Hashtbl.mem met pred) n.edges in
      Hashtbl.iter (fun x () ->
        let before () = match from, find_int p.initial x with
          | Some (pred, _), _ -> at_end (Hashtbl.find nodes pred) x
          | None, Some o -> stands o
          | None, None -> [] in
        Hashtbl.replace n.at_start x (match Hashtbl.find_opt choices (b, x) with
          | Some (Phi u) when wide -> List.filter (fun u -> not (Hashtbl.mem dropped (b, x, u)))
              (u :: List.filteri (fun i a -> i < 8 && a <> u) (before ()))
          | Some (Phi u) -> [ u ]
          | Some Nothing -> []
          | None -> List.filter (fun u -> not (Hashtbl.mem dropped (b, x, u))) (before ()))) n.vars;
      let text = ref n.text.tcode and here = Hashtbl.create 8 in      (* here: all that values are *)
      List.iter (function
        | Read (x, Id v) ->
          let us = at_end n (int_of x) and v = int_of v in
          Hashtbl.replace here v us;
          if us <> [] && not (Hashtbl.mem final v) then Hashtbl.replace final v (List.hd us)
        | Read _ -> ()
        | Write (x, o) ->
          let us = match o with Id v -> Hashtbl.find_opt here (int_of v) | Cst _ -> None in
          Hashtbl.replace n.written (int_of x) (Option.value ~default:(stands o) us)
        | Inst (d, _, _) -> match !text with
          | ((r, _), _) :: rest ->
            (match d, r with Some d, Some r -> Hashtbl.replace final (int_of d) (Id r) | _ -> ()); text := rest
          | [] -> ()) n.block.code;
      Hashtbl.add met b ()) order in
  let brings n x u = List.for_all (fun (pred, l) ->
    let a = at_end (Hashtbl.find nodes pred) x in
    match u with
    | Id v -> List.mem (Option.value ~default:u (Hashtbl.find_opt l (int_of v))) a
    | Cst _ -> List.mem u a) n.edges in
  let wrong () = List.concat_map (fun b ->
    let n = Hashtbl.find nodes b in
    Hashtbl.fold (fun x us l ->
      List.fold_left (fun l u -> if brings n x u then l else (b, x, u) :: l) l us) n.at_start []) order in
  let rec settle rounds =
    forward false;
    let l = if rounds = 0 then [] else wrong () in
    let better = List.filter_map (fun (b, x, u) ->
      let fits v = Id v <> u && brings (Hashtbl.find nodes b) x (Id v) in
      Option.map (fun v -> ((b, x), Phi (Id v))) (List.find_opt fits (candidates b x))) l in
    let first = Hashtbl.create 8 in
    if better = [] then List.iter (fun (b, x, _) -> if not (Hashtbl.mem first x) then Hashtbl.add first x b) l;
    List.iter (fun (k, c) -> Hashtbl.replace choices k c) better;
    Hashtbl.iter (fun x b -> Hashtbl.replace choices (b, x) Nothing) first;
    if l <> [] then settle (rounds - 1) in
  let rec narrow () =
    forward true;
    let l = wrong () in
    List.iter (fun k -> Hashtbl.replace dropped k ()) l;
    if l <> [] then narrow () in
  settle 1000;
  if wide then narrow ();
  let positive = Meaning.positive in
  let entry b =
    let n = Hashtbl.find nodes b in
    { vars_in = Hashtbl.fold (fun x us l -> if us = [] then l else (positive x, us) :: l) n.at_start [];
      held_in = Hashtbl.fold (fun v () l ->
        match Hashtbl.find_opt final v with Some u -> (positive v, [ u ]) :: l | None -> l) n.values [] } in
  let add k a m = PositiveMap.add (positive k) a m in
  { final = Hashtbl.fold add final PositiveMap.empty;
    entries = List.fold_left (fun m b -> add b (entry b) m) PositiveMap.empty order }
