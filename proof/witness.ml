(* witness.ml: finds a witness.  Nobody needs to trust it: the checker refuses a wrong one.

   At the start of a block, a variable is the phi of that variable in that block, else what it is at the end of the
   predecessors.  A text names the variable of a phi; where several have that name, the phi is one whose operands are
   right.  All values are computed forward, edges back being left out; then all edges are looked at, and where one does not bring
   what was computed, another phi is taken, or none: the variable is nothing there.  Until nothing changes.

   That is enough where phis are minimal.  Where one has the same operand on all edges, the variable is both the phi and that
   operand, and so is a value that a read of it gave: a `wide` witness has all values that all edges bring.  What a value
   finally stands for is one that all reads that were answered by it find. *)
open Checker

let rec int_of = function XH -> 1 | XO p -> 2 * int_of p | XI p -> 2 * int_of p + 1

type thing = Var of int | Value of int

type node = {
  block : block;
  text : tblock;
  mutable edges : (int * (int, operand) Hashtbl.t) list;     (* predecessors, with what phis are on each edge *)
  live : (thing, unit) Hashtbl.t;                            (* at the start *)
  mutable at_start : (thing, operand list) Hashtbl.t;        (* what they are; []: nothing *)
  mutable changed : (thing, operand list) Hashtbl.t }        (* what is written, read or computed in the block *)

let find_int map k = PositiveMap.find (Meaning.positive k) map

(* The blocks that the start reaches, in reverse postorder. *)
let order (p : program) (q : tprogram) =
  let nodes = Hashtbl.create 64 and list = ref [] in
  let node b = match find_int p.blocks b, find_int q.tblocks b with
    | Some block, Some text ->
      Some { block; text; edges = []; live = Hashtbl.create 16; at_start = Hashtbl.create 1; changed = Hashtbl.create 1 }
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

let values l = List.filter_map (function Id v -> Some (Value (int_of v)) | Cst _ -> None) l
let uses = function Read (x, _) -> [ Var (int_of x) ] | Write (_, o) -> values [ o ] | Inst (_, _, l) -> values l
let defs = function
  | Read (_, a) -> values [ a ] | Write (x, _) -> [ Var (int_of x) ] | Inst (d, _, _) -> List.map (fun d -> Value (int_of d)) (Option.to_list d)

(* What a block uses before it defines it, and what it defines. *)
let facts b =
  let used = Hashtbl.create 8 and defined = Hashtbl.create 8 in
  let use k = if not (Hashtbl.mem defined k) then Hashtbl.replace used k () in
  List.iter (fun i -> List.iter use (uses i); List.iter (fun k -> Hashtbl.replace defined k ()) (defs i)) b.code;
  List.iter use (values b.targs);
  (used, defined)

(* Liveness, from each use backward. *)
let find_live nodes order =
  let facts_of = Hashtbl.create 64 in
  List.iter (fun b -> Hashtbl.add facts_of b (facts (Hashtbl.find nodes b).block)) order;
  let rec up b k =
    let n = Hashtbl.find nodes b in
    if not (Hashtbl.mem n.live k) then begin
      Hashtbl.add n.live k ();
      List.iter (fun (pred, _) -> if not (Hashtbl.mem (snd (Hashtbl.find facts_of pred)) k) then up pred k) n.edges
    end in
  List.iter (fun b -> Hashtbl.iter (fun k () -> up b k) (fst (Hashtbl.find facts_of b))) order

type choice = Phi of operand | Nothing

(* called x: the name of a variable;  phis b: those of a block, with the names of their variables. *)
let find wide (p : program) (q : tprogram) called phis =
  let nodes, order = order p q in
  find_live nodes order;
  let answers = Hashtbl.create 64 and choices = Hashtbl.create 64 and sharing = Hashtbl.create 16 in
  List.iter (fun (x, _) -> let n = called (int_of x) in
    Hashtbl.replace sharing n (1 + Option.value ~default:0 (Hashtbl.find_opt sharing n))) (PositiveMap.elements p.initial);
  let candidates b x = List.filter_map (fun (u, name) -> if name = called x then Some u else None) (phis b) in
  let choose b = function
    | Var x when not (Hashtbl.mem choices (b, x)) -> (match candidates b x with
      | [ u ] when Hashtbl.find_opt sharing (called x) = Some 1 -> Hashtbl.replace choices (b, x) (Phi (Id u))
      | _ -> ())
    | _ -> () in
  let choose_all () = List.iter (fun b -> Hashtbl.iter (fun k () -> choose b k) (Hashtbl.find nodes b).live) order in
  choose_all ();
  let at_end n k = match Hashtbl.find_opt n.changed k with
    | Some u -> u
    | None -> Option.value ~default:[] (Hashtbl.find_opt n.at_start k) in
  (* answers: what all reads that were answered by a value have found; the first is what it stands for *)
  let final v = match Hashtbl.find_opt answers v with Some (u :: _) -> Some u | _ -> None in
  let stands = function Id v -> Option.to_list (final (int_of v)) | Cst _ as o -> [ o ] in
  let dropped = Hashtbl.create 16 and fewer = ref false in
  let answer v us = match Hashtbl.find_opt answers v with
    | None -> if us <> [] then Hashtbl.add answers v us
    | Some l ->
      let common = List.filter (fun u -> List.mem u us) l in
      if common <> [] && common <> l then (Hashtbl.replace answers v common; fewer := true) in
  let forward wide =
    let met = Hashtbl.create 64 in
    fewer := false;
    if not wide then Hashtbl.reset answers;
    if List.length p.params = List.length q.tparams then
      List.iter2 (fun v u -> Hashtbl.replace answers (int_of v) [ Id u ]) p.params q.tparams;
    List.iter (fun b ->
      let n = Hashtbl.find nodes b in
      n.at_start <- Hashtbl.create 16; n.changed <- Hashtbl.create 16;
      let from = List.find_opt (fun (pred, _) -> Hashtbl.mem met pred) n.edges in
      let before k = match from, k with
        | _, Value v when not wide -> stands (Id (Meaning.positive v))
        | Some (pred, _), _ -> at_end (Hashtbl.find nodes pred) k
        | None, Var x -> Option.fold ~none:[] ~some:stands (find_int p.initial x)
        | None, Value v -> stands (Id (Meaning.positive v)) in
      let kept k = List.filter (fun u -> not (Hashtbl.mem dropped (b, k, u))) in
      Hashtbl.iter (fun k () ->
        let choice = match k with Var x -> Hashtbl.find_opt choices (b, x) | Value _ -> None in
        Hashtbl.replace n.at_start k (match choice with
          | Some (Phi u) when wide -> kept k (u :: List.filteri (fun i a -> i < 8 && a <> u) (before k))
          | Some (Phi u) -> [ u ]
          | Some Nothing -> []
          | None -> kept k (before k))) n.live;
      let text = ref n.text.tcode and here k us = Hashtbl.replace n.changed k us in
      List.iter (function
        | Read (x, Id v) ->
          let us = at_end n (Var (int_of x)) and v = int_of v in
          here (Value v) us;
          answer v us
        | Read _ -> ()
        | Write (x, Id v) -> here (Var (int_of x)) (at_end n (Value (int_of v)))
        | Write (x, o) -> here (Var (int_of x)) [ o ]
        | Inst (d, _, _) -> match !text with
          | ((r, _), _) :: rest ->
            (match d, r with
             | Some d, Some r -> here (Value (int_of d)) [ Id r ]; Hashtbl.replace answers (int_of d) [ Id r ]
             | _ -> ());
            text := rest
          | [] -> ()) n.block.code;
      Hashtbl.add met b ()) order in
  let brings n k u = List.for_all (fun (pred, l) ->
    let a = at_end (Hashtbl.find nodes pred) k in
    match u with
    | Id v -> List.mem (Option.value ~default:u (Hashtbl.find_opt l (int_of v))) a
    | Cst _ -> List.mem u a) n.edges in
  let wrong () = List.concat_map (fun b ->
    let n = Hashtbl.find nodes b in
    Hashtbl.fold (fun k us l ->
      List.fold_left (fun l u -> if brings n k u then l else (b, k, u) :: l) l us) n.at_start []) order in
  let rec settle rounds =
    forward false;
    let vars = List.filter_map (function (b, Var x, u) -> Some (b, x, u) | _ -> None) in
    let l = if rounds = 0 then [] else vars (wrong ()) in
    let better = List.filter_map (fun (b, x, u) ->
      let fits v = Id v <> u && brings (Hashtbl.find nodes b) (Var x) (Id v) in
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
    if l <> [] || !fewer then narrow () in
  settle 1000;
  if wide then begin   (* what is nothing as one value may be one of several *)
    Hashtbl.filter_map_inplace (fun _ c -> if c = Nothing then None else Some c) choices;
    choose_all ();
    Hashtbl.reset answers;
    narrow ()
  end;
  let positive = Meaning.positive in
  let entry b =
    let known key = Hashtbl.fold (fun k us l -> match key k with
      | Some k when us <> [] -> (positive k, us) :: l
      | _ -> l) (Hashtbl.find nodes b).at_start [] in
    { vars_in = known (function Var x -> Some x | Value _ -> None);
      held_in = known (function Value v -> Some v | Var _ -> None) } in
  let add k a m = PositiveMap.add (positive k) a m in
  { final = Hashtbl.fold (fun v _ m -> match final v with Some u -> add v u m | None -> m) answers PositiveMap.empty;
    entries = List.fold_left (fun m b -> add b (entry b) m) PositiveMap.empty order }
