(* Program.v: the two programs that are compared, and what they do.

   The source is what a frontend said, line by line: it reads and writes variables, and emits instructions.  The SSA program is the
   text of the finished function: it has phis in place of variables.  Both have the same blocks, by number.  Everything is
   named by a number: blocks, variables, values, ops (an op with its data and the type of its result is one number), constants
   (undef of each type is one of them).

   What ops, terminators and constants mean is left open: theorems hold for every meaning. *)
From Coq Require Import List PArith FMapPositive.
Import ListNotations.
Module PM := PositiveMap.

Inductive operand := Id (v : positive) | Cst (c : positive).

(* ---- The source *)

(* Read x a: the frontend asked for x and was answered a, the name of a value or a constant. *)
Inductive item :=
  | Read (x : positive) (a : operand)
  | Write (x : positive) (o : operand)
  | Inst (d : option positive) (op : positive) (args : list operand).

Record block := Block { code : list item; term : positive; targs : list operand; succs : list positive }.

(* What a variable holds before it is written: a constant (undef, for most) or a parameter. *)
Record program := Program {
  start : positive; params : list positive; initial : PM.t operand; blocks : PM.t block }.

(* ---- The SSA program *)

Definition tinst := (option positive * positive * list operand)%type.

(* The phis of a block appear on the edges into it, as pairs (phi, operand), which are assigned at once. *)
Definition moves := list (positive * operand).
Record tblock := TBlock { tcode : list tinst; tterm : positive; ttargs : list operand; tedges : list (positive * moves) }.
Record tprogram := TProgram { tstart : positive; tparams : list positive; tblocks : PM.t tblock }.

(* What runs: the instructions, and between them places at which somebody looks what an operand is. *)
Inductive titem := Do (i : tinst) | See (x : positive) (a u : operand).

Definition assoc {A} (u : positive) : list (positive * A) -> option A :=
  fix go l := match l with
  | [] => None
  | (k, a) :: r => if Pos.eqb k u then Some a else go r
  end.

(* ---- What they do *)

Section Semantics.
Variables W M : Type.                                           (* words, memory and whatever else the machine has *)
Variable eval : positive -> list W -> M -> W * M.               (* an op *)
Variable next : positive -> list W -> M -> option nat.          (* a terminator: the number of an edge, or the end *)
Variable cst : positive -> W.

Definition upd (f : positive -> W) k w := fun k' => if Pos.eqb k k' then w else f k'.
Definition updo f (d : option positive) w := match d with Some k => upd f k w | None => f end.
Definition value (f : positive -> W) o := match o with Id v => f v | Cst c => cst c end.
Definition values f := map (value f).

(* What is observed: the blocks that are passed; at a read, what the variable holds; at an instruction and at a terminator, the
   operands and the memory. *)
Inductive event :=
  | At (b : positive)
  | Saw (x : positive) (a : operand) (w : W)
  | Did (op : positive) (ws : list W) (m : M)
  | Left (op : positive) (ws : list W) (m : M).

(* The source: an environment of variables, and one of the values that the frontend holds, by the names that it got for them. *)
Record state := State { env : positive -> W; held : positive -> W; mem : M }.

Definition answer (h : positive -> W) (a : operand) w := match a with Id v => upd h v w | Cst _ => h end.

Definition step (s : state) (i : item) : state * list event := match i with
  | Read x a => (State (env s) (answer (held s) a (env s x)) (mem s), [Saw x a (env s x)])
  | Write x o => (State (upd (env s) x (value (held s) o)) (held s) (mem s), [])
  | Inst d op args => let ws := values (held s) args in let (w, m) := eval op ws (mem s) in
      (State (env s) (updo (held s) d w) m, [Did op ws (mem s)])
  end.

Fixpoint exec (c : list item) (s : state) : state * list event := match c with
  | [] => (s, [])
  | i :: c => let (s, e) := step s i in let (s, es) := exec c s in (s, e ++ es)
  end.

(* The first n blocks from block b on. *)
Fixpoint run (p : program) (n : nat) (b : positive) (s : state) : list event := match n with
  | O => []
  | S n => match PM.find b (blocks p) with
    | None => []
    | Some k => let (s, es) := exec (code k) s in let ws := values (held s) (targs k) in
        At b :: es ++ Left (term k) ws (mem s) :: match next (term k) ws (mem s) with
          | None => []
          | Some i => match nth_error (succs k) i with None => [] | Some b => run p n b s end
          end
    end
  end.

(* The SSA program: registers. *)
Record tstate := TState { reg : positive -> W; tmem : M }.

Definition tstep (t : tstate) (i : titem) : tstate * list event := match i with
  | Do (d, op, args) => let ws := values (reg t) args in let (w, m) := eval op ws (tmem t) in
      (TState (updo (reg t) d w) m, [Did op ws (tmem t)])
  | See x a u => (t, [Saw x a (value (reg t) u)])
  end.

Fixpoint texec (c : list titem) (t : tstate) : tstate * list event := match c with
  | [] => (t, [])
  | i :: c => let (t, e) := tstep t i in let (t, es) := texec c t in (t, e ++ es)
  end.

Definition cross (l : moves) (t : tstate) : tstate :=
  TState (fun u => match assoc u l with Some o => value (reg t) o | None => reg t u end) (tmem t).

(* `items` is what runs in a block. *)
Fixpoint trun (q : tprogram) (items : positive -> list tinst -> list titem) (n : nat) (b : positive) (t : tstate) : list event :=
  match n with
  | O => []
  | S n => match PM.find b (tblocks q) with
    | None => []
    | Some k => let (t, es) := texec (items b (tcode k)) t in let ws := values (reg t) (ttargs k) in
        At b :: es ++ Left (tterm k) ws (tmem t) :: match next (tterm k) ws (tmem t) with
          | None => []
          | Some i => match nth_error (tedges k) i with None => [] | Some (b, l) => trun q items n b (cross l t) end
          end
    end
  end.

(* ---- The start: parameters are bound to arguments; all else is whatever it is. *)

Fixpoint bind (l : list positive) (args : list W) (f : positive -> W) : positive -> W := match l, args with
  | v :: l, w :: args => upd (bind l args f) v w
  | _, _ => f
  end.

Definition started (p : program) (args : list W) (e h : positive -> W) (m : M) : state :=
  let h := bind (params p) args h in
  State (fun x => match PM.find x (initial p) with Some o => value h o | None => e x end) h m.

Definition tstarted (q : tprogram) (args : list W) (r : positive -> W) (m : M) : tstate := TState (bind (tparams q) args r) m.
End Semantics.

(* The text alone runs. *)
Definition plain (b : positive) (c : list tinst) : list titem := map Do c.

(* The text with the reads of the source between its instructions: each shows what its answer finally stands for, by the map f; an
   answer that stands for nothing is not shown. *)
Definition stands (f : PM.t operand) (a : operand) : option operand := match a with Id v => PM.find v f | Cst _ => Some a end.

Fixpoint merge (f : PM.t operand) (c : list item) (t : list tinst) : list titem := match c with
  | [] => map Do t
  | Read x a :: c => match stands f a with Some u => See x a u :: merge f c t | None => merge f c t end
  | Write _ _ :: c => merge f c t
  | Inst _ _ _ :: c => match t with [] => merge f c [] | i :: t => Do i :: merge f c t end
  end.

Definition annotated (f : PM.t operand) (p : program) (b : positive) (t : list tinst) : list titem :=
  match PM.find b (blocks p) with Some k => merge f (code k) t | None => map Do t end.

(* Events other than reads; events other than reads whose answer stands for nothing. *)
Definition acts {W M} (e : event W M) : bool := match e with Saw _ _ _ _ _ => false | _ => true end.
Definition shown {W M} (f : PM.t operand) (e : event W M) : bool :=
  match e with Saw _ _ _ a _ => match stands f a with Some _ => true | None => false end | _ => true end.
