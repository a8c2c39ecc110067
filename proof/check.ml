(* check.ml: one function, from its trace and its text to a verdict. *)
open Checker

type pair = {
  program : program;
  text : tprogram;
  refind : program -> tprogram -> bool -> witness;   (* of programs that are shaped alike *)
  witness : bool -> witness;
  proof : unit -> proof;                             (* of a text that was made with rules *)
  scope : Meaning.scope }

(* Block k of the trace is block k of both programs. *)
let pair ?(scope = Meaning.scope ()) trace text =
  let trace = Reader.without_comments trace in
  let frame = Meaning.frame trace in
  let program = Meaning.lower scope frame trace in
  let reached = Hashtbl.create 64 in
  let rec visit = function
    | [] -> ()
    | b :: rest when Hashtbl.mem reached b -> visit rest
    | b :: rest ->
      Hashtbl.add reached b ();
      visit (match PositiveMap.find b program.blocks with Some k -> List.rev_append k.succs rest | None -> rest) in
  visit [ program.start ];
  let target = Meaning.lower_text scope frame (Hashtbl.mem reached) text in
  let base v = match v with
    | Some v -> (match String.rindex_opt v '/' with
      | Some i when not (String.contains_from v i '"') -> String.sub v 0 i
      | _ -> v)
    | None -> "" in
  let phis = Hashtbl.create 64 in
  List.iter (fun (b : Reader.text_block) ->
    let l = List.filter_map (fun (i : Reader.inst) -> match i.op, i.result with
      | "phi", Some (n, _) -> Some (Meaning.number scope.target n, base i.var)
      | _ -> None) b.insts in
    if l <> [] then Hashtbl.replace phis (Witness.int_of (Meaning.block_of frame (Hashtbl.mem reached) b.label)) l) text.body;
  let names = Array.of_list (List.rev_map fst frame.vs.all) in
  let called x = if x <= Array.length names then names.(x - 1) else "" in
  let refind p q wide = Witness.find wide p q called (fun b -> Option.value ~default:[] (Hashtbl.find_opt phis b)) in
  let called_phis b = Option.value ~default:[] (Hashtbl.find_opt phis b) in
  let proof () =
    let types = Hashtbl.create 64 in
    Hashtbl.iter (fun w n -> Hashtbl.replace types (Witness.int_of n) (Meaning.type_of (snd scope.types) w)) scope.target;
    Finder.find program target (Hashtbl.length scope.target) (fun n -> Option.value ~default:"" (Hashtbl.find_opt types n)) called called_phis in
  { program; text = target; refind; witness = refind program target; proof; scope }

(* The last witness that was tried, and why it was refused.  A wide one costs more, and is rarely needed. *)
let judged p =
  let by wide = let w = p.witness wide in (w, refused p.program p.text w) in
  match by false with
  | _, None as it -> it
  | _ -> by true

(* None: accepted. *)
let verdict p = snd (judged p)

let name_of (names : Meaning.names) k =
  Hashtbl.fold (fun s p found -> if p = k then s else found) names ("?" ^ string_of_int (Witness.int_of k))

let show p (b, why) =
  let value v = name_of p.scope.source v and at b = "block " ^ string_of_int (Witness.int_of b - 1) in
  at b ^ ": " ^ match why with
  | NotHeld v when PositiveMap.find v (p.witness true).final = None -> "the text has no value for " ^ value v
  | NotHeld v -> "not covered: " ^ value v ^ " is used where it is not known to be held"
  | WrongAnswer x -> Printf.sprintf "a read of variable %d has another answer" (Witness.int_of x - 1)
  | NotBrought (b, k) -> Printf.sprintf "variable %d is something else in %s" (Witness.int_of k - 1) (at b)
  | Twice _ -> "a value is computed twice"
  | OtherCode -> "other instructions"
  | OtherTerminator -> "another terminator"
  | OtherEdges -> "other edges"
  | OtherParams -> "other parameters"
  | NoBlock _ -> "a block is missing"

(* With rules: a reason, if it is not accepted; `use` is given the lemmas, if it is. *)
let with_rules use trace text =
  let p = pair ~scope:(Meaning.scope_with_rules ()) trace text in
  match p.proof () with
  | exception Finder.Not_covered why -> Some ("not covered: " ^ why)
  | proof -> match refutes Meaning.kind_of p.program p.text proof with
    | None -> List.iter use (Finder.lemmas_of proof); None
    | Some (b, why) -> Some (Printf.sprintf "block %d is refused: %s" (Witness.int_of b - 1) (show p (b, why)))

