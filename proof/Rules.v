(* Rules.v: the checker of functions that were made with rules.
   Values of the source, values of the text and ghosts (names of what no program of the two computes) are compared by equations.
   In a block, each variable and each value that the frontend holds is a name of the text or a ghost; of these names facts are
   known, by number.  A fact mentions no source values, and each name is defined once in a block, before which nothing mentions it.
   So a fact remains true to the end of the block; one about memory, until a write.
   A witness, which nobody needs to trust, says for each block what is known where it begins, and goes through it step by step.
   New facts come from instructions, from lemmas and from congruence.  A lemma is an instance of a rule, with constants filled in: the
   theorem supposes that those that are used are valid. *)
From Coq Require Import List PArith FMapPositive Bool.
From Phial Require Import Program Check.
Import ListNotations.

(* ---- What the programs do.  An op is Wrong for operands of other types than it has; it Ends what runs: it traps, or returns. *)
Inductive kind := Total | Partial | Reads | Writes.    (* a terminator that is Total only decides where to go *)
Inductive outcome A := Wrong | Ends | Gives (a : A).
Arguments Wrong {A}. Arguments Ends {A}. Arguments Gives {A} a.

Section Meaning.
Variables W M : Type.
Variable kind_of : positive -> kind.
Variable pure : positive -> list W -> outcome W.
Variable reads : positive -> list W -> M -> outcome W.
Variable writes : positive -> list W -> M -> outcome (W * M).
Variable next : positive -> list W -> M -> outcome nat.
Variable cst : positive -> W.
Notation value := (value W cst). Notation values := (values W cst).
(* What is observed: the blocks that are passed; what writes, and what ends the run, with its operands and the memory. *)
Inductive event := Enters (b : positive) | Does (op : positive) (ws : list W) (m : M)
  | Stops (op : positive) (ws : list W) (m : M) | Bad.
(* Memory is not an operand of what is pure; only what is Partial or Writes traps. *)
Definition eval op ws m : outcome (W * M) := match kind_of op with
  | Writes => writes op ws m | k => match match k with Reads => reads op ws m | _ => pure op ws end with
    | Gives w => Gives (w, m) | Ends => match k with Partial => Ends | _ => Wrong end | Wrong => Wrong end end.
Definition seen {A} op ws m (o : outcome A) : list event := match kind_of op with Writes => [Does op ws m] | _ => [] end ++
  match o with Wrong => [Bad] | Ends => [Stops op ws m] | Gives _ => [] end.
Fixpoint does (c : list item) (s : state W M) : list event * option (state W M) := match c with
  | [] => ([], Some s) | Read x a :: c => does c (State W M (env W M s) (answer W (held W M s) a (env W M s x)) (mem W M s))
  | Write x o :: c => does c (State W M (upd W (env W M s) x (value (held W M s) o)) (held W M s) (mem W M s))
  | Inst d op args :: c => let ws := values (held W M s) args in let o := eval op ws (mem W M s) in let (es, r) := match o with
        | Gives (w, m) => does c (State W M (env W M s) (updo W (held W M s) d w) m)
        | _ => ([], None) end in (seen op ws (mem W M s) o ++ es, r) end.
Fixpoint tdoes (c : list tinst) (t : tstate W M) : list event * option (tstate W M) := match c with
  | [] => ([], Some t)
  | (d, op, args) :: c => let ws := values (reg W M t) args in let o := eval op ws (tmem W M t) in let (es, r) := match o with
        | Gives (w, m) => tdoes c (TState W M (updo W (reg W M t) d w) m)
        | _ => ([], None) end in (seen op ws (tmem W M t) o ++ es, r) end.
(* The first n blocks from block b on. *)
Fixpoint goes (p : program) (n : nat) (b : positive) (s : state W M) : list event := match n with
  | O => [] | S n => match PM.find b (blocks p) with
    | None => [] | Some k => let (es, r) := does (code k) s in Enters b :: es ++ match r with
      | None => [] | Some s => let ws := values (held W M s) (targs k) in let o := next (term k) ws (mem W M s) in
          seen (term k) ws (mem W M s) o ++ match o with
            | Gives i => match nth_error (succs k) i with None => [] | Some b => goes p n b s end | _ => [] end end end end.
Fixpoint tgoes (q : tprogram) (n : nat) (b : positive) (t : tstate W M) : list event := match n with
  | O => [] | S n => match PM.find b (tblocks q) with
    | None => [] | Some k => let (es, r) := tdoes (tcode k) t in Enters b :: es ++ match r with
      | None => [] | Some t => let ws := values (reg W M t) (ttargs k) in let o := next (tterm k) ws (tmem W M t) in
          seen (tterm k) ws (tmem W M t) o ++ match o with
            | Gives i => match nth_error (tedges k) i with None => [] | Some (b, l) => tgoes q n b (cross W M cst l t) end
            | _ => [] end end end end.
End Meaning.

(* ---- Facts, lemmas, witnesses *)
Inductive eqn := Same (a b : operand) | Def (a : operand) (op : positive) (l : list operand).
(* A lemma concludes an equation; that an op gives a value; that it does not trap, or always traps; or of two terminators for
   each edge of the second the edges of the first that may be taken then. *)
Inductive claim := Equation (e : eqn) | Defined (op : positive) (l : list operand) | Safe (op : positive) (l : list operand) | Never (op : positive) (l : list operand)
  | Next (op : positive) (l : list operand) (op' : positive) (l' : list operand) (edges : list (list nat)).
Record lemma := Lemma { premises : list eqn; conclusion : claim }.
(* A lemma, what its variables are, and the facts that are its premises. *)
Record use := Use { by_lemma : positive; binding : list (positive * operand); facts_used : list positive }.
(* New facts have the numbers n. *)
Inductive step :=
  | Item (n : positive)                                (* the next read or write; or the next instruction of both *)
  | Name (g n : positive) (u : option use)             (* the source's next instruction; a ghost is its result *)
  | Known (n : positive)                               (* the same; fact n says what its result is *)
  | Text (n n1 n2 : positive)                          (* the text's next instruction; fact n says that it gives a value *)
  | Apply (u : use) (n : positive)                     (* a lemma that is an equation *)
  | Exists (u : use) (g n : positive)                  (* a lemma that an op gives a value: a ghost *)
  | Halt (u : use)                                     (* the next instruction of both always traps *)
  | Turn (i n : positive)                              (* b = a, as a = b *)
  | Hold (v j : positive) | Keep (x j : positive)      (* a value, a variable: is renamed by fact j *)
  | Any (v g : positive) | AnyVar (x g : positive).    (* the same: whatever it is, a ghost is *)
Record start_facts := Start { vars_at : list (positive * operand); held_at : list (positive * operand);
  facts_at : list (positive * eqn); memory_at : list (positive * eqn) }.
(* How a block is left: by the same terminator or by a lemma; for each edge, the facts behind those of its target. *)
Record passage := Passage { at_start : start_facts; steps : list step; leaves : option use; brings_facts : list (list positive * list positive) }.
Record proof := Proof { last : positive; lemmas : PM.t lemma; passages : PM.t passage }.   (* names after `last` are ghosts *)
(* What is known; `bound`: the names that it may mention. *)
Record knowledge := Knows { vs : PM.t operand; hs : PM.t operand; facts : PM.t eqn; memory : PM.t eqn; bound : PM.t unit }.

(* ---- The checker *)
Fixpoint sames (l l' : list operand) : bool := match l, l' with
  | [], [] => true | a :: l, b :: l' => same a b && sames l l' | _, _ => false end.
Definition eqn_same (d e : eqn) : bool := match d, e with
  | Same a b, Same a' b' => same a a' && same b b' | Def a o l, Def a' o' l' => same a a' && Pos.eqb o o' && sames l l'
  | _, _ => false end.
Definition put (s : operand -> operand) (e : eqn) : eqn := match e with
  | Same a b => Same (s a) (s b) | Def a op l => Def (s a) op (map s l) end.
Definition put_claim (s : operand -> operand) (c : claim) : claim := match c with
  | Equation e => Equation (put s e) | Defined op l => Defined op (map s l) | Safe op l => Safe op (map s l) | Never op l => Never op (map s l)
  | Next op l op' l' es => Next op (map s l) op' (map s l') es end.
Definition to (m : PM.t operand) (o : operand) : operand := match o with
  | Id v => match PM.find v m with Some u => u | None => o end | Cst _ => o end.
Definition names (e : eqn) : list operand := match e with Same a b => [a; b] | Def a _ l => a :: l end.
Definition within (b : PM.t unit) (o : operand) : bool := match o with Id v => PM.mem v b | Cst _ => true end.

Section Block.
Variable kind_of : positive -> kind.
Variable w : proof.
Definition real (o : operand) : bool := match o with Id v => Pos.leb v (last w) | Cst _ => true end.
Definition fact (k : knowledge) n := match PM.find n (facts k) with Some e => Ok e | None => No OtherCode end.
Fixpoint are_facts (k : knowledge) (s : operand -> operand) (l : list eqn) (ns : list positive) : bool := match l, ns with
  | [], [] => true
  | e :: l, n :: ns => match PM.find n (facts k) with Some d => eqn_same d (put s e) | None => false end && are_facts k s l ns
  | _, _ => false end.
Definition claimed (k : knowledge) (u : use) : result claim := match PM.find (by_lemma u) (lemmas w) with
  | None => No OtherCode | Some l => let s := to (table (binding u)) in
      let* _ := need (are_facts k s (premises l) (facts_used u)) OtherCode in Ok (put_claim s (conclusion l)) end.
Definition held_as (k : knowledge) (o : operand) : result operand := match o with
  | Cst _ => Ok o | Id v => match PM.find v (hs k) with Some u => Ok u | None => No (NotHeld v) end end.
Fixpoint all_held (k : knowledge) (l : list operand) : result (list operand) := match l with
  | [] => Ok []
  | o :: l => let* u := held_as k o in let* us := all_held k l in Ok (u :: us) end.
Definition with_vs m (k : knowledge) := Knows m (hs k) (facts k) (memory k) (bound k).
Definition with_hs m (k : knowledge) := Knows (vs k) m (facts k) (memory k) (bound k).
Definition know n e (k : knowledge) : result knowledge := let* _ := need (forallb (within (bound k)) (names e)) OtherCode in
  Ok (Knows (vs k) (hs k) (PM.add n e (facts k)) (memory k) (bound k)).
Definition know_read n e (k : knowledge) : result knowledge := let* _ := need (forallb (within (bound k)) (names e)) OtherCode in
  Ok (Knows (vs k) (hs k) (facts k) (PM.add n e (memory k)) (bound k)).
Definition forget (k : knowledge) := Knows (vs k) (hs k) (facts k) (PM.empty eqn) (bound k).
Definition define g (k : knowledge) : result knowledge := let* _ := need (negb (PM.mem g (bound k))) (Twice g) in
  Ok (Knows (vs k) (hs k) (facts k) (memory k) (PM.add g tt (bound k))).
Definition defineo (d : option positive) k := match d with Some g => define g k | None => Ok k end.
Definition hold (d : option positive) u (k : knowledge) := match d with Some v => with_hs (PM.add v u (hs k)) k | None => k end.
Definition ghost g := negb (real (Id g)).
(* What an instruction that does not write says of its result. *)
Definition learn n r op l (k : knowledge) : result knowledge := match kind_of op with
  | Total | Partial => know n (Def (Id r) op l) k | Reads => know_read n (Def (Id r) op l) k | Writes => Ok k end.
Definition recall (k : knowledge) op n : result eqn := match kind_of op with
  | Total | Partial => fact k n | Reads => match PM.find n (memory k) with Some e => Ok e | None => No OtherCode end
  | Writes => No OtherCode end.
Definition rename (m : PM.t operand) (v : positive) (k : knowledge) j : result (PM.t operand) :=
  let* e := fact k j in match e, PM.find v m with
  | Same a b, Some u => let* _ := need (same a u) OtherCode in Ok (PM.add v b m)
  | _, _ => No OtherCode end.
(* Steps at which no program goes on. *)
Definition think (s : step) (k : knowledge) : result knowledge := match s with
  | Apply u n => let* c := claimed k u in match c with Equation e => know n e k | _ => No OtherCode end
  | Exists u g n => let* c := claimed k u in match c with
    | Defined op l => let* _ := need (ghost g && forallb (within (bound k)) l) OtherCode in
        let* k := define g k in know n (Def (Id g) op l) k
    | _ => No OtherCode end
  | Turn i n => let* e := fact k i in match e with Same a b => know n (Same b a) k | _ => No OtherCode end
  | Hold v j => let* m := rename (hs k) v k j in Ok (with_hs m k)
  | Keep x j => let* m := rename (vs k) x k j in Ok (with_vs m k)
  | Any v g => let* _ := need (ghost g) OtherCode in let* k := define g k in Ok (with_hs (PM.add v (Id g) (hs k)) k)
  | AnyVar x g => let* _ := need (ghost g) OtherCode in let* k := define g k in Ok (with_vs (PM.add x (Id g) (vs k)) k)
  | _ => No OtherCode end.
Definition set {A} x (o : option A) m := match o with Some u => PM.add x u m | None => PM.remove x m end.
Definition quiet op := match kind_of op with Total | Partial | Reads => true | Writes => false end.
Definition total op := match kind_of op with Total | Reads => true | _ => false end.
Definition reads_item x a (k : knowledge) := match a with Id v => with_hs (set v (PM.find x (vs k)) (hs k)) k | Cst _ => k end.
Definition writes_item x o (k : knowledge) :=
  with_vs (set x (match o with Id v => PM.find v (hs k) | Cst _ => Some o end) (vs k)) k.
Definition both n d op args (i : tinst) (k : knowledge) : result knowledge := let '(d', op', args') := i in
  let* us := all_held k args in let* _ := need (Pos.eqb op op' && sames us args' && forallb real args') OtherCode in
  let k := if quiet op then k else forget k in match d, d' with
  | Some v, Some r => let* _ := need (real (Id r)) OtherCode in
      let* k := define r k in let* k := learn n r op us k in Ok (hold d (Id r) k)
  | None, None => Ok k | _, _ => No OtherCode end.
Definition name g n (u : option use) d op args (k : knowledge) : result knowledge := let* us := all_held k args in
  let* _ := need (quiet op && ghost g) OtherCode in let* _ := match u with
    | None => need (total op) OtherCode
    | Some u => let* c := claimed k u in match c with
      | Safe op' l => need (Pos.eqb op op' && sames us l) OtherCode | _ => No OtherCode end end in
  let* k := define g k in let* k := learn n g op us k in Ok (hold d (Id g) k).
Definition is_known n d op args (k : knowledge) : result knowledge :=
  let* us := all_held k args in let* e := recall k op n in match e with
  | Def a op' l => let* _ := need (quiet op && Pos.eqb op op' && sames us l) OtherCode in Ok (hold d a k)
  | _ => No OtherCode end.
Definition text n n1 n2 (i : tinst) (k : knowledge) : result knowledge := let '(d, op, args) := i in
  let* e := recall k op n in match e, d with
  | Def a op' l, Some r => let* _ := need (quiet op && Pos.eqb op op' && sames l args && forallb real (Id r :: args)) OtherCode in
      let* k := define r k in let* k := learn n1 r op l k in know n2 (Same a (Id r)) k
  | _, _ => No OtherCode end.
Definition advance (st : step) (c : list item) (t : list tinst) (k : knowledge) : result (list item * list tinst * knowledge) := match st, c, t with
  | Item _, Read x a :: c, t => Ok (c, t, reads_item x a k) | Item _, Write x o :: c, t => Ok (c, t, writes_item x o k)
  | Item n, Inst d op args :: c, i :: t => let* k := both n d op args i k in Ok (c, t, k)
  | Name g n u, Inst d op args :: c, t => let* k := name g n u d op args k in Ok (c, t, k)
  | Known n, Inst d op args :: c, t => let* k := is_known n d op args k in Ok (c, t, k)
  | Text n n1 n2, c, i :: t => let* k := text n n1 n2 i k in Ok (c, t, k)
  | st, c, t => let* k := think st k in Ok (c, t, k) end.
Definition halts (u : use) (c : list item) (t : list tinst) (k : knowledge) : result unit := match c, t with
  | Inst d op args :: _, (d', op', args') :: _ => let* us := all_held k args in let* c := claimed k u in match c, kind_of op with
    | Never o l, Partial => need (Pos.eqb op op' && Pos.eqb op o && sames us args' && sames args' l && forallb real args') OtherCode
    | _, _ => No OtherCode end
  | _, _ => No OtherCode end.
(* None: the block's end is not reached. *)
Fixpoint check (ss : list step) (c : list item) (t : list tinst) (k : knowledge) : result (option knowledge) := match ss with
  | [] => match c, t with [], [] => Ok (Some k) | _, _ => No OtherCode end
  | Halt u :: _ => let* _ := halts u c t k in Ok None
  | st :: ss => let* (c, t, k) := advance st c t k in check ss c t k end.

(* ---- Edges *)
Definition enter (e : start_facts) : knowledge :=
  let ns := map snd (vars_at e ++ held_at e) ++ flat_map (fun '(_, e) => names e) (facts_at e ++ memory_at e) in
  Knows (table (vars_at e)) (table (held_at e)) (table (facts_at e)) (table (memory_at e))
    (fold_right (fun o b => match o with Id v => PM.add v tt b | Cst _ => b end) (PM.empty unit) ns).
Definition brought (l : PM.t operand) (m : PM.t operand) (y : why) : positive * operand -> result unit :=
  fun '(v, u) => match PM.find v m with Some a => need (brings l a u) y | None => No y end.
Fixpoint facts_brought (l : PM.t operand) (m : PM.t eqn) (es : list (positive * eqn)) (ns : list positive) : bool := match es, ns with
  | [], [] => true | (_, e) :: es, n :: ns =>
      match PM.find n m with Some d => eqn_same d (put (to l) e) | None => match put (to l) e with Same a b => same a b | _ => false end end
      && facts_brought l m es ns
  | _, _ => false end.
Definition edge_ok (k : knowledge) (b : positive) (l : moves) (ns : list positive * list positive) : result unit :=
  match PM.find b (passages w) with
  | None => No (NoBlock b)
  | Some g => let e := at_start g in let l' := table l in let* _ := need (forallb (fun '(_, o) => real o) l) OtherEdges in
      let* _ := all (fun v => brought l' (vs k) (NotBrought b (fst v)) v) (vars_at e) in
      let* _ := all (fun v => brought l' (hs k) (NotHeld (fst v)) v) (held_at e) in
      let* _ := need (facts_brought l' (facts k) (facts_at e) (fst ns)) OtherEdges in
      need (facts_brought l' (memory k) (memory_at e) (snd ns)) OtherEdges end.
(* is: for each edge of the text, the source's edges, which have the same target. *)
Fixpoint edges_ok (k : knowledge) (bs : list positive) (es : list (positive * moves)) (is : list (list nat)) ns : result unit :=
  match es, is, ns with
  | [], [], [] => Ok tt | (b, l) :: es, i :: is, n :: ns =>
      let* _ := need (forallb (fun i => match nth_error bs i with Some b' => Pos.eqb b' b | None => false end) i) OtherEdges in
      let* _ := edge_ok k b l n in edges_ok k bs es is ns
  | _, _, _ => No OtherEdges end.
Fixpoint each (n i : nat) : list (list nat) := match n with O => [] | S n => [i] :: each n (S i) end.
Definition leave_ok (k : knowledge) (b : block) (t : tblock) (g : passage) : result unit := let* us := all_held k (targs b) in
  let* _ := need (forallb real (ttargs t)) OtherTerminator in match leaves g with
  | None =>
      let* _ := need (Pos.eqb (term b) (tterm t) && sames us (ttargs t) && Nat.eqb (length (succs b)) (length (tedges t))) OtherTerminator in
      edges_ok k (succs b) (tedges t) (each (length (tedges t)) 0) (brings_facts g)
  | Some u => let* c := claimed k u in match c with
    | Next op l op' l' is =>
        let* _ := need (total op && total op' && Pos.eqb (term b) op && Pos.eqb (tterm t) op' && sames us l && sames (ttargs t) l')
          OtherTerminator in edges_ok k (succs b) (tedges t) is (brings_facts g)
    | _ => No OtherTerminator end end.
End Block.

(* ---- Functions *)

Section Function.
Variable kind_of : positive -> kind.
Definition passage_ok (p : program) (q : tprogram) (w : proof) (b : positive) (g : passage) : result unit :=
  match PM.find b (blocks p), PM.find b (tblocks q) with
  | Some c, Some t => let* k := check kind_of w (steps g) (code c) (tcode t) (enter (at_start g)) in
      match k with Some k => leave_ok kind_of w k c t g | None => Ok tt end
  | _, _ => No (NoBlock b) end.
Fixpoint passages_ok p q w (l : list (positive * passage)) : option (positive * why) := match l with
  | [] => None | (b, g) :: l => match passage_ok p q w b g with Ok _ => passages_ok p q w l | No y => Some (b, y) end end.
Definition begin_ok (p : program) (q : tprogram) (e : start_facts) : result unit :=
  let hs := table (combine (params p) (map Id (tparams q))) in
  let is o u := match o with Cst _ => same o u | Id v => match PM.find v hs with Some a => same a u | None => false end end in
  let* _ := all (fun '(x, u) => match PM.find x (initial p) with
    | Some o => need (is o u) (NotBrought (start p) x) | None => No (NotBrought (start p) x) end) (vars_at e) in
  let* _ := all (fun '(v, u) => need (is (Id v) u) (NotHeld v)) (held_at e) in
  match facts_at e, memory_at e with [], [] => Ok tt | _, _ => No OtherParams end.
(* None: accepted. *)
Definition refutes (p : program) (q : tprogram) (w : proof) : option (positive * why) := let b := start p in
  match PM.find b (passages w) with
  | None => Some (b, NoBlock b) | Some g =>
      if Pos.eqb b (tstart q) && Nat.eqb (length (params p)) (length (tparams q)) && forallb (fun u => real w (Id u)) (tparams q) &&
         match distinct (tparams q) (PM.empty unit) with Some _ => true | None => false end
      then match begin_ok p q (at_start g) with Ok _ => passages_ok p q w (PM.elements (passages w)) | No y => Some (b, y) end
      else Some (b, OtherParams) end.
End Function.
