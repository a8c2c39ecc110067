(* Check.v: the checker.

   It is given both programs and a witness, which nobody needs to trust.  The witness says, for the function, what each value that
   the frontend was given finally stands for in the text (`final`); and for each block that can be reached, at its start, what
   each variable that is live there is in the text, and what each value is that the frontend still holds.  That is one value,
   or several that are equal there, such as a phi and the operand that all its edges have.

   A block is gone through once, instruction by instruction along with the text, and each of its edges once.  No dominators
   are needed: what a block needs, each edge into it must bring.  A value is no longer held where what it stands for is
   computed anew.  In a block, that is excluded beforehand: what is known at its start must not stand for anything that the
   block computes, and the block computes nothing twice. *)
From Coq Require Import List PArith FMapPositive Bool.
From Phial Require Import Program.
Import ListNotations.

Definition known := PM.t (list operand).
Record entry := Entry { vars_in : list (positive * list operand); held_in : list (positive * list operand) }.
Record witness := Witness { final : PM.t operand; entries : PM.t entry }.

(* Why a function is not accepted. *)
Inductive why :=
  | NotHeld (v : positive)             (* v is used where it is not held: such a program is not covered *)
  | WrongAnswer (x : positive)         (* a read of x was answered by something else *)
  | NotBrought (b k : positive)        (* an edge to b does not bring what b needs of the variable or value k *)
  | Twice (b : positive)               (* b computes a value twice, or its entries mention what it computes *)
  | OtherCode | OtherTerminator | OtherEdges | OtherParams
  | NoBlock (b : positive).
Inductive result A := Ok (a : A) | No (w : why).
Arguments Ok {A} a.
Arguments No {A} w.
Definition bnd {A B} (r : result A) (k : A -> result B) : result B := match r with Ok a => k a | No w => No w end.
Notation "'let*' x ':=' r 'in' k" := (bnd r (fun x => k)) (at level 200, x pattern).
Definition need (b : bool) (w : why) : result unit := if b then Ok tt else No w.

Definition same (a b : operand) : bool := match a, b with
  | Id v, Id u => Pos.eqb v u
  | Cst c, Cst d => Pos.eqb c d
  | _, _ => false
  end.

Definition table {A} (l : list (positive * A)) : PM.t A := fold_right (fun '(k, a) m => PM.add k a m) (PM.empty A) l.

(* ---- In a block.  vs: what the variables are; hs: what the values are that are held. *)
Section Block.
Variable f : PM.t operand.

Definition among (u : operand) (l : list operand) : bool := existsb (same u) l.

(* True if u is what o is there: one of the values, if they are several; y says why not. *)
Definition is_operand (hs : known) (y : why) (o u : operand) : result unit := match o with
  | Cst _ => need (same o u) y
  | Id v => match PM.find v hs, PM.find v f with
    | Some us, Some u' => if among u us then Ok tt else No (if among u' us then y else NotHeld v)
    | _, _ => No (NotHeld v)
    end
  end.

Fixpoint are_operands (hs : known) (y : why) (l us : list operand) : result unit := match l, us with
  | [], [] => Ok tt
  | o :: l, u :: us => let* _ := is_operand hs y o u in are_operands hs y l us
  | _, _ => No y
  end.

(* An answer that stands for nothing is one that nothing uses: `is_operand` refuses it everywhere. *)
Definition read (x : positive) (a : operand) (vs hs : known) : result known :=
  match stands f a, PM.find x vs with
  | None, _ => Ok (match a with Id v => PM.remove v hs | Cst _ => hs end)
  | Some _, None => No (WrongAnswer x)
  | Some u, Some us =>
      let* _ := need (among u us) (WrongAnswer x) in Ok (match a with Id v => PM.add v us hs | Cst _ => hs end)
  end.

(* A variable to which such an answer is written is nothing from then on. *)
Definition write (x : positive) (o : operand) (vs hs : known) : result known := match o with
  | Cst _ => Ok (PM.add x [o] vs)
  | Id v => match PM.find v f, PM.find v hs with
    | None, _ => Ok (PM.remove x vs)
    | Some _, None => No (NotHeld v)
    | Some _, Some us => Ok (PM.add x us vs)
    end
  end.

Definition define (d d' : option positive) (hs : known) : result known := match d, d' with
  | None, None => Ok hs
  | Some v, Some r => match PM.find v f with
    | Some u => let* _ := need (same u (Id r)) OtherCode in Ok (PM.add v [u] hs)
    | None => No OtherCode
    end
  | _, _ => No OtherCode
  end.

Fixpoint check (c : list item) (t : list tinst) (vs hs : known) : result (known * known) :=
  match c with
  | [] => match t with [] => Ok (vs, hs) | _ => No OtherCode end
  | Read x a :: c => let* hs := read x a vs hs in check c t vs hs
  | Write x o :: c => let* vs := write x o vs hs in check c t vs hs
  | Inst d op args :: c => match t with
    | [] => No OtherCode
    | (d', op', args') :: t =>
        let* _ := need (Pos.eqb op op') OtherCode in
        let* _ := are_operands hs OtherCode args args' in
        let* hs := define d d' hs in check c t vs hs
    end
  end.
End Block.

(* ---- What a block computes *)

Definition result_of (i : tinst) : list positive := match i with (Some r, _, _) => [r] | _ => [] end.
Definition results (t : list tinst) : list positive := flat_map result_of t.

Fixpoint distinct (l : list positive) (ds : PM.t unit) : option (PM.t unit) := match l with
  | [] => Some ds
  | r :: l => if PM.mem r ds then None else distinct l (PM.add r tt ds)
  end.

Definition avoids (ds : PM.t unit) (u : operand) : bool := match u with Id r => negb (PM.mem r ds) | Cst _ => true end.

Definition apart (e : entry) (t : list tinst) : bool := match distinct (results t) (PM.empty unit) with
  | None => false
  | Some ds => forallb (fun '(_, us) => forallb (avoids ds) us) (vars_in e ++ held_in e)
  end.

(* ---- Edges *)

(* True if u is, after an edge, what a is before it. *)
Definition brings (l : PM.t operand) (a u : operand) : bool := match u with
  | Cst _ => same a u
  | Id p => match PM.find p l with Some o => same a o | None => same a u end
  end.

Fixpoint all {A} (g : A -> result unit) (l : list A) : result unit := match l with
  | [] => Ok tt
  | a :: l => let* _ := g a in all g l
  end.

Definition brought (l : PM.t operand) (m : known) (w : positive -> why) : positive * list operand -> result unit :=
  fun '(k, us) => match PM.find k m with
  | Some before => need (forallb (fun u => existsb (fun a => brings l a u) before) us) (w k)
  | None => No (w k)
  end.

Definition edge_ok (vs hs : known) (b : positive) (e : entry) (l : moves) : result unit :=
  let l := table l in
  let* _ := all (brought l vs (NotBrought b)) (vars_in e) in all (brought l hs NotHeld) (held_in e).

Fixpoint edges_ok (w : witness) vs hs (bs : list positive) (es : list (positive * moves)) : result unit := match bs, es with
  | [], [] => Ok tt
  | b :: bs, (b', l) :: es =>
      let* _ := need (Pos.eqb b b') OtherEdges in
      match PM.find b (entries w) with
      | None => No (NoBlock b)
      | Some e => let* _ := edge_ok vs hs b e l in edges_ok w vs hs bs es
      end
  | _, _ => No OtherEdges
  end.

(* ---- Functions *)

Definition block_ok (p : program) (q : tprogram) (w : witness) (b : positive) (e : entry) : result unit :=
  match PM.find b (blocks p), PM.find b (tblocks q) with
  | Some k, Some k' =>
      let* _ := need (apart e (tcode k')) (Twice b) in
      let* (vs, hs) := check (final w) (code k) (tcode k') (table (vars_in e)) (table (held_in e)) in
      let* _ := need (Pos.eqb (term k) (tterm k')) OtherTerminator in
      let* _ := are_operands (final w) hs OtherTerminator (targs k) (ttargs k') in
      edges_ok w vs hs (succs k) (tedges k')
  | _, _ => No (NoBlock b)
  end.

Fixpoint params_ok (f : PM.t operand) (vs us : list positive) : bool := match vs, us with
  | [], [] => true
  | v :: vs, u :: us => match PM.find v f with Some o => same o (Id u) | None => false end && params_ok f vs us
  | _, _ => false
  end.

Definition start_ok (p : program) (w : witness) (e : entry) : result unit :=
  let hs := table (map (fun v => (v, match PM.find v (final w) with Some u => [u] | None => [] end)) (params p)) in
  let* _ := all (fun '(x, us) => match PM.find x (initial p) with
    | Some o => all (is_operand (final w) hs (NotBrought (start p) x) o) us
    | None => No (NotBrought (start p) x) end) (vars_in e) in
  all (fun '(v, us) => all (is_operand (final w) hs (NotHeld v) (Id v)) us) (held_in e).

Fixpoint blocks_ok (p : program) (q : tprogram) (w : witness) (l : list (positive * entry)) : option (positive * why) :=
  match l with
  | [] => None
  | (b, e) :: l => match block_ok p q w b e with Ok _ => blocks_ok p q w l | No y => Some (b, y) end
  end.

(* None: accepted. *)
Definition refused (p : program) (q : tprogram) (w : witness) : option (positive * why) :=
  let b := start p in
  match PM.find b (entries w) with
  | None => Some (b, NoBlock b)
  | Some e =>
      if Pos.eqb b (tstart q) && params_ok (final w) (params p) (tparams q) &&
         match distinct (tparams q) (PM.empty unit) with Some _ => true | None => false end
      then match start_ok p w e with Ok _ => blocks_ok p q w (PM.elements (entries w)) | No y => Some (b, y) end
      else Some (b, OtherParams)
  end.
