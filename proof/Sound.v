(* Sound.v: what the checker accepts does what the source does. *)
From Coq Require Import List PArith FMapPositive Bool.
From Phial Require Import Program Check.
Import ListNotations.

(* ---- Results, tables, equality *)

Lemma bnd_ok {A B} (r : result A) (k : A -> result B) b : bnd r k = Ok b -> exists a, r = Ok a /\ k a = Ok b.
Proof. destruct r; simpl; [eauto|discriminate]. Qed.
Lemma need_ok b w u : need b w = Ok u -> b = true.
Proof. destruct b; [reflexivity|discriminate]. Qed.

(* Takes apart what a hypothesis says of `let*` and `need`. *)
Ltac steps H := repeat match type of H with
  | bnd (need _ _) _ = Ok _ =>
      let E := fresh "N" in let u := fresh "got" in apply bnd_ok in H; destruct H as (u & E & H); apply need_ok in E
  | bnd _ _ = Ok _ => let E := fresh "E" in let u := fresh "got" in apply bnd_ok in H; destruct H as (u & E & H)
  end.

Lemma same_eq a b : same a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; intros E; apply Pos.eqb_eq in E; congruence. Qed.

Lemma find_add {A} k k' (a : A) m : PM.find k (PM.add k' a m) = if Pos.eqb k' k then Some a else PM.find k m.
Proof. destruct (Pos.eqb_spec k' k) as [->|N]; [apply PM.gss|apply PM.gso; congruence]. Qed.
Lemma find_remove {A} k k' (m : PM.t A) a : PM.find k (PM.remove k' m) = Some a -> k' <> k /\ PM.find k m = Some a.
Proof. destruct (Pos.eqb_spec k' k) as [->|N]; [now rewrite PM.grs|rewrite PM.gro; auto]. Qed.
Lemma table_assoc {A} k (l : list (positive * A)) : PM.find k (table l) = assoc k l.
Proof. induction l as [|[k' a] l IH]; simpl; [apply PM.gempty|]. rewrite find_add. now destruct (Pos.eqb k' k). Qed.
Lemma assoc_in {A} k (a : A) l : assoc k l = Some a -> In (k, a) l.
Proof. induction l as [|[k' a'] l IH]; simpl; [discriminate|]. destruct (Pos.eqb_spec k' k) as [->|]; [intros [= ->]; auto|auto].
  Qed.
Lemma table_in {A} k (a : A) l : PM.find k (table l) = Some a -> In (k, a) l.
Proof. rewrite table_assoc. apply assoc_in. Qed.
Lemma among_in u l : among u l = true -> In u l.
Proof. intros E. apply existsb_exists in E as (a & I & E). now apply same_eq in E as ->. Qed.

Lemma all_ok {A} (g : A -> result unit) l u : all g l = Ok u -> forall a, In a l -> exists u, g a = Ok u.
Proof. induction l as [|a l IH]; simpl; [now intros _ a []|]. intros H. steps H. intros b [<-|I]; eauto. Qed.

(* ---- What a block computes *)

Lemma distinct_ok l : forall ds ds', distinct l ds = Some ds' ->
  NoDup l /\ (forall r, In r l -> PM.mem r ds = false) /\ (forall r, In r l \/ PM.mem r ds = true -> PM.mem r ds' = true).
Proof. induction l as [|r l IH]; simpl; intros ds ds' H.
  - injection H as <-. repeat split; [constructor|now intros r []|now intros r [[]|]].
  - destruct (PM.mem r ds) eqn:E; [discriminate|]. apply IH in H as (N & F & T). assert (A : forall k, PM.mem k (PM.add r tt ds) =
    Pos.eqb r k || PM.mem k ds). { intros k. rewrite !PM.mem_find, find_add. now destruct (Pos.eqb r k). } repeat split. +
    constructor; [|exact N]. intros I. specialize (F _ I). rewrite A, Pos.eqb_refl in F. discriminate. + intros k [<-|I]; [exact
    E|]. specialize (F _ I). rewrite A in F. now apply orb_false_elim in F. + intros k [[<-|I]|I]; apply T; auto; right; rewrite
    A; [now rewrite Pos.eqb_refl|rewrite I; apply orb_true_r]. Qed.

(* u is not among what is still to be computed. *)
Definition off (u : operand) (l : list positive) : Prop := match u with Id r => ~ In r l | Cst _ => True end.
Lemma off_cons u r l : off u (r :: l) -> u <> Id r /\ off u l.
Proof. destruct u; simpl; [|split; [discriminate|auto]]. intros N. split; [intros [= ->]|]; tauto. Qed.
Lemma avoids_off l ds u : distinct l (PM.empty unit) = Some ds -> avoids ds u = true -> off u l.
Proof. intros D. apply distinct_ok in D as (_ & _ & T). destruct u; simpl; [|auto]. intros E I. rewrite T in E;
  [discriminate|auto]. Qed.

Section Sound.
Variables W M : Type.
Variable eval : positive -> list W -> M -> W * M.
Variable next : positive -> list W -> M -> option nat.
Variable cst : positive -> W.
Variable f : PM.t operand.
Notation value := (value W cst). Notation values := (values W cst). Notation state := (state W M).
Notation tstate := (tstate W M).
Notation env := (env W M). Notation held := (held W M). Notation mem := (mem W M).
Notation reg := (reg W M). Notation tmem := (tmem W M).
Notation exec := (exec W M eval cst). Notation texec := (texec W M eval cst). Notation cross := (cross W M cst).

(* ---- The relation: memory is the same; what is known of variables and of held values is true, and remains so, since none of it
   is among `l`, what the block still computes. *)
Definition True_of (m : known) (l : list positive) (g : positive -> W) (t : tstate) : Prop :=
  forall k us u, PM.find k m = Some us -> In u us -> g k = value (reg t) u /\ off u l.
Definition Inv (vs hs : known) (l : list positive) (s : state) (t : tstate) : Prop :=
  mem s = tmem t /\ True_of vs l (env s) t /\ True_of hs l (held s) t.

(* What is written, or read, is true from then on; what is no longer known cannot be wrong. *)
Lemma true_add m l g t k us w : True_of m l g t -> (forall u, In u us -> w = value (reg t) u /\ off u l) ->
  True_of (PM.add k us m) l (upd W g k w) t.
Proof. intros T N j js u. rewrite find_add. unfold upd. destruct (Pos.eqb k j); [intros [= <-]; apply N|apply T]. Qed.
Lemma true_remove m l g t k w : True_of m l g t -> True_of (PM.remove k m) l (upd W g k w) t.
Proof. intros T j js u F. apply find_remove in F as [N F]. unfold upd. destruct (Pos.eqb_spec k j); [congruence|exact (T _ _ _
  F)]. Qed.

Lemma value_upd g r w u : u <> Id r -> value (upd W g r w) u = value g u.
Proof. destruct u as [v|c]; simpl; [|reflexivity]. unfold upd. intros N. destruct (Pos.eqb_spec r v); congruence. Qed.

(* An operand that the checker accepts has the same value on both sides. *)
Lemma is_operand_ok hs y o u n : is_operand f hs y o u = Ok n ->
  (exists c, o = Cst c /\ u = o) \/ exists v us u', o = Id v /\ PM.find v hs = Some us /\ In u us /\ PM.find v f = Some u'.
Proof. destruct o as [v|c]; simpl.
  - destruct (PM.find v hs) as [us|] eqn:H; [|discriminate]. destruct (PM.find v f) as [u'|] eqn:F; [|discriminate]. destruct
    (among u us) eqn:A; [|discriminate]. intros _. apply among_in in A. right. eauto 7.
  - intros E. apply need_ok in E. apply (same_eq (Cst c)) in E as <-. eauto. Qed.
Lemma operand_value vs hs l s t y o u n : Inv vs hs l s t -> is_operand f hs y o u = Ok n ->
  Program.value W cst (held s) o = value (reg t) u.
Proof. intros (_ & _ & H) R. apply is_operand_ok in R as [(c & -> & ->)|(v & us & u' & -> & A & B & _)]; [reflexivity|]. now apply
  (H _ _ _ A B). Qed.
Lemma operands_values vs hs l s t y os : Inv vs hs l s t -> forall us n, are_operands f hs y os us = Ok n ->
  values (held s) os = values (reg t) us.
Proof. intros I. induction os as [|o os IH]; intros [|u us] n R; simpl in *; try discriminate; [reflexivity|]. steps R. f_equal;
  [eapply operand_value; eauto|eapply IH; eauto]. Qed.

(* A read: its answer stands for what the variable holds, or for nothing. *)
Lemma read_ok x a vs hs hs' l s t : Inv vs hs l s t -> read f x a vs hs = Ok hs' ->
  (forall u, stands f a = Some u -> env s x = value (reg t) u) /\
  Inv vs hs' l (State W M (env s) (answer W (held s) a (env s x)) (mem s)) t.
Proof. intros (Im & Iv & Ih) R. unfold read in R. destruct (stands f a) as [u|] eqn:S.
  - destruct (PM.find x vs) as [us|] eqn:F; [|discriminate]. steps R. apply among_in in N. injection R as <-. split; [intros ? [=
    <-]; now apply (Iv _ _ _ F)|]. split; [exact Im|split; [exact Iv|]]. destruct a; [|exact Ih]. apply true_add; [exact Ih|].
    intros k. apply (Iv _ _ _ F).
  - injection R as <-. split; [discriminate|]. split; [exact Im|split; [exact Iv|]]. destruct a; [now apply true_remove|exact Ih].
    Qed.

Lemma write_ok x o vs hs vs' l s t : Inv vs hs l s t -> write f x o vs hs = Ok vs' ->
  Inv vs' hs l (State W M (upd W (env s) x (Program.value W cst (held s) o)) (held s) (mem s)) t.
Proof. intros (Im & Iv & Ih) R. split; [exact Im|split; [|exact Ih]]. destruct o as [v|c]; simpl in R.
  - destruct (PM.find v f); [|injection R as <-; now apply true_remove]. destruct (PM.find v hs) as [us|] eqn:F; [|discriminate].
    injection R as <-. apply true_add; [exact Iv|]. intros u. apply (Ih _ _ _ F).
  - injection R as <-. apply true_add; [exact Iv|]. intros u [<-|[]]. simpl. auto. Qed.

(* One instruction: the word and the memory that it makes are the same on both sides. *)
Lemma define_ok d d' op args vs hs hs' t0 s t w m : Inv vs hs (results ((d', op, args) :: t0)) s t ->
  NoDup (results ((d', op, args) :: t0)) -> define f d d' hs = Ok hs' ->
  Inv vs hs' (results t0) (State W M (env s) (updo W (held s) d w) m) (TState W M (updo W (reg t) d' w) m).
Proof. intros (Im & Iv & Ih) N D. assert (K : forall m g, True_of m (results ((d', op, args) :: t0)) g t -> True_of m (results t0)
  g (TState W M (updo W (reg t) d' w) (tmem t))). { intros k g T j us u F I. destruct (T _ _ _ F I) as [V O]. destruct d' as [r|];
  [|auto]. apply off_cons in O as [O1 O2]. simpl. rewrite value_upd; auto. } split; [reflexivity|split; [exact (K _ _ Iv)|]].
  apply K in Ih. destruct d as [v|], d' as [r|]; simpl in D; try discriminate; [|injection D as <-; exact Ih]. destruct (PM.find v
  f) as [u0|] eqn:F; [|discriminate]. steps D. apply same_eq in N0 as ->. injection D as <-. apply true_add; [exact Ih|]. intros u
  [<-|[]]. simpl. unfold upd. rewrite Pos.eqb_refl. inversion_clear N. auto. Qed.

(* A block.  The events are those of the text and, of reads, those whose answer stands for something. *)
Lemma check_ok c : forall t vs hs vs' hs' s ts, check f c t vs hs = Ok (vs', hs') ->
  NoDup (results t) -> Inv vs hs (results t) s ts ->
  let (s', es) := exec c s in let (ts', es') := texec (merge f c t) ts in
  Inv vs' hs' [] s' ts' /\ filter (shown f) es = es'.
Proof. induction c as [|i c IH]; simpl; intros t vs hs vs' hs' s ts H N I.
  - destruct t; [|discriminate]. injection H as <- <-. simpl. auto.
  - destruct i as [x a|x o|d op args]; simpl in *. + steps H. destruct (read_ok _ _ _ _ _ _ _ _ I E) as [S J]. specialize (IH _ _
    _ _ _ _ _ H N J). destruct (exec c _) as [s' es]. simpl. destruct (stands f a) as [u|] eqn:A; simpl. * rewrite <- (S u
    eq_refl). destruct (texec _ ts) as [ts' es']. destruct IH as [K <-]. simpl. auto. * exact IH. + steps H. pose proof (write_ok
    _ _ _ _ _ _ _ _ I E) as J. specialize (IH _ _ _ _ _ _ _ H N J). now destruct (exec c _) as [s' es]. + destruct t as [|[[d'
    op'] args'] t]; [discriminate|]. steps H. apply Pos.eqb_eq in N0 as ->. simpl. rewrite (operands_values _ _ _ _ _ _ _ I _ _
    E). replace (mem s) with (tmem ts) by (symmetry; apply I). destruct (eval op' (values (reg ts) args') (tmem ts)) as [w m].
    pose proof (define_ok _ _ op' args' _ _ _ t _ _ w m I N E0) as J. assert (N' : NoDup (results t)). { unfold results in N.
    simpl in N. destruct d'; simpl in N; [now inversion_clear N|exact N]. } specialize (IH _ _ _ _ _ _ _ H N' J). destruct (exec c
    _) as [s' es]. destruct (texec _ _) as [ts' es']. destruct IH as [K <-]. auto. Qed.

(* ---- Entries and edges *)

Definition Holds_of (l : list (positive * list operand)) (g : positive -> W) (t : tstate) : Prop :=
  forall k us u, In (k, us) l -> In u us -> g k = value (reg t) u.
Definition Holds (e : entry) (s : state) (t : tstate) : Prop :=
  mem s = tmem t /\ Holds_of (vars_in e) (env s) t /\ Holds_of (held_in e) (held s) t.

(* What holds at the start of a block remains so while the block runs: it is not about what the block computes. *)
Lemma enter e c s t : apart e c = true -> Holds e s t ->
  NoDup (results c) /\ Inv (table (vars_in e)) (table (held_in e)) (results c) s t.
Proof. unfold apart. destruct (distinct _ _) as [ds|] eqn:D; [|discriminate]. intros A (Hm & Hv & Hh). rewrite forallb_forall in
  A. assert (K : forall k us u, In (k, us) (vars_in e ++ held_in e) -> In u us -> off u (results c)). { intros k us u I J.
  specialize (A _ I). simpl in A. rewrite forallb_forall in A. exact (avoids_off _ _ _ D (A _ J)). } split; [now apply distinct_ok
  in D|]. split; [exact Hm|split]; intros k us u F J; apply table_in in F; (split; [eauto|eapply K; [apply in_or_app; eauto|exact
  J]]). Qed.

(* After an edge, a phi is what its operand was before. *)
Lemma brings_ok l a u t : brings (table l) a u = true -> value (reg t) a = value (reg (cross l t)) u.
Proof. destruct u as [p|c]; simpl; [|now intros E; apply same_eq in E as ->]. rewrite table_assoc. destruct (assoc p l); intros E;
  now apply same_eq in E as ->. Qed.

Lemma brought_holds l m y es g t u : True_of m [] g t -> all (brought (table l) m y) es = Ok u -> Holds_of es g (cross l t).
Proof. intros T H k us v I J. apply (all_ok _ _ _ H) in I as [? I]. simpl in I. destruct (PM.find k m) as [before|] eqn:F;
  [|discriminate]. apply need_ok in I. rewrite forallb_forall in I. apply I, existsb_exists in J as (a & X & J). apply brings_ok
  with (t := t) in J as <-. now apply (T _ _ _ F). Qed.
Lemma edge_holds vs hs b e l s t u : Inv vs hs [] s t -> edge_ok vs hs b e l = Ok u -> Holds e s (cross l t).
Proof. intros (Im & Iv & Ih) H. unfold edge_ok in H. steps H. split; [exact Im|split]; eapply brought_holds; eauto. Qed.
End Sound.

Lemma edges_ok_nth w vs hs bs : forall es u, edges_ok w vs hs bs es = Ok u -> forall i, match nth_error bs i with
  | None => nth_error es i = None
  | Some b => exists e l v, nth_error es i = Some (b, l) /\ PM.find b (entries w) = Some e /\ edge_ok vs hs b e l = Ok v
  end.
Proof. induction bs as [|b bs IH]; intros [|[b' l] es] u H i; simpl in H; try discriminate.
  - now destruct i.
  - steps H. apply Pos.eqb_eq in N as <-. destruct (PM.find b (entries w)) as [e|] eqn:F; [|discriminate]. steps H. destruct i as
    [|i]; simpl; [do 3 eexists; eauto|]. eapply IH; eauto. Qed.

Lemma blocks_ok_in p q w l : blocks_ok p q w l = None -> forall b e, In (b, e) l -> exists u, block_ok p q w b e = Ok u.
Proof. induction l as [|[b e] l IH]; simpl; [now intros _ b e []|]. destruct (block_ok p q w b e) eqn:B; [|discriminate]. intros H
  b' e' [[= <- <-]|I]; eauto. Qed.

Section Programs.
Variables W M : Type.
Variable eval : positive -> list W -> M -> W * M.
Variable next : positive -> list W -> M -> option nat.
Variable cst : positive -> W.
Variables (p : program) (q : tprogram) (w : witness).
Notation run := (run W M eval next cst p). Notation trun := (trun W M eval next cst q).
Notation Holds := (Holds W M cst).

(* Block by block: if the entry holds where a block starts, both do the same from there on. *)
Lemma run_from : (forall b e, PM.find b (entries w) = Some e -> exists u, block_ok p q w b e = Ok u) ->
  forall n b e s t, PM.find b (entries w) = Some e -> Holds e s t ->
  filter (shown (final w)) (run n b s) = trun (annotated (final w) p) n b t.
Proof. intros OK n. induction n as [|n IH]; simpl; intros b e s t F H; [reflexivity|]. destruct (OK _ _ F) as [? B]. unfold
  block_ok in B. unfold annotated. destruct (PM.find b (blocks p)) as [k|] eqn:P; [|discriminate]. destruct (PM.find b (tblocks
  q)) as [k'|] eqn:Q; [|discriminate]. steps B. destruct got0 as [vs hs]. steps B. apply Pos.eqb_eq in N0. destruct (enter _ _ _ _
  _ _ _ N H) as [D I]. pose proof (check_ok W M eval cst _ _ _ _ _ _ _ _ _ E D I) as C. destruct (exec W M eval cst (code k) s) as
  [s' es]. destruct (texec _ _ _ _ _ t) as [t' es']. destruct C as [J <-]. rewrite <- N0, (operands_values W M cst _ _ _ _ _ _ _ _
  J _ _ E0). replace (mem W M s') with (tmem W M t') by (symmetry; apply J). simpl. f_equal. rewrite filter_app. simpl. do 2
  f_equal. destruct (next _ _ _) as [i|]; [|reflexivity]. pose proof (edges_ok_nth _ _ _ _ _ _ B i) as G. destruct (nth_error
  (succs k) i) as [b'|].
  - destruct G as (e' & l & v & -> & F' & K). eapply IH; [exact F'|]. eapply edge_holds; eauto.
  - now rewrite G. Qed.

(* ---- The start *)

(* A parameter has the same argument on both sides. *)
Lemma bind_params (f : PM.t operand) h r : forall vs us args, params_ok f vs us = true -> NoDup us -> forall v, In v vs ->
  length args = length vs ->
  exists u, PM.find v f = Some (Id u) /\ In u us /\ bind W vs args h v = bind W us args r u.
Proof. induction vs as [|v vs IH]; intros [|u us] args P N k I L; simpl in P; try discriminate; [now destruct I|]. destruct args
  as [|a args]; [discriminate|]. injection L as L. apply andb_prop in P as [P1 P2]. inversion_clear N as [|? ? N1 N2]. destruct
  (PM.find v f) as [o|] eqn:F; [|discriminate]. apply same_eq in P1 as ->. simpl. unfold upd. destruct (Pos.eqb_spec v k) as
  [<-|V]; [exists u; rewrite Pos.eqb_refl; auto|]. destruct I as [|I]; [contradiction|]. destruct (IH _ _ P2 N2 _ I L) as (u' & G
  & J & B). exists u'. destruct (Pos.eqb_spec u u') as [->|]; [contradiction|auto]. Qed.

Lemma start_holds e u args en h r m : params_ok (final w) (params p) (tparams q) = true -> NoDup (tparams q) ->
  length args = length (params p) -> start_ok p w e = Ok u ->
  Holds e (started W M cst p args en h m) (tstarted W M q args r m).
Proof. intros P N L H. unfold start_ok in H. set (hs := table _) in H. assert (B : forall y o k n, is_operand (final w) hs y o k =
  Ok n -> value W cst (bind W (params p) args h) o = value W cst (bind W (tparams q) args r) k). { intros y o k n R. apply
  is_operand_ok in R as [(c & -> & ->)|(v & us & _ & -> & F & K & _)]; [reflexivity|]. apply table_in, in_map_iff in F as (v' & [=
  -> <-] & I). destruct (bind_params _ h r _ _ args P N _ I L) as (u' & G & _ & E). rewrite G in K. destruct K as [<-|[]]. exact
  E. } steps H. rename E into A. split; [reflexivity|split]; intros y us k I K; simpl.
  - apply (all_ok _ _ _ A) in I as [? I]. simpl in I. destruct (PM.find y (initial p)) as [o|]; [|discriminate]. apply (all_ok _ _
    _ I) in K as [? K]. exact (B _ _ _ _ K).
  - apply (all_ok _ _ _ H) in I as [? I]. apply (all_ok _ _ _ I) in K as [? K]. exact (B _ _ _ _ K). Qed.

(* ---- The text with reads between its instructions is the text *)

Lemma merge_plain f c : forall t s, let (s1, es1) := texec W M eval cst (merge f c t) s in
  let (s2, es2) := texec W M eval cst (map Do t) s in s1 = s2 /\ filter acts es1 = es2.
Proof. induction c as [|i c IH]; intros t s; simpl.
  - revert s. induction t as [|[[d op] args] t IH]; intros s; simpl; [auto|]. destruct (eval _ _ _) as [a m]. specialize (IH
    (TState W M (updo W (reg W M s) d a) m)). destruct (texec _ _ _ _ _ _) as [s1 es1]. destruct IH as [_ IH]. simpl. now rewrite
    IH.
  - destruct i as [x a|x o|d op args]; [|apply IH|]. + destruct (stands f a); [|apply IH]. specialize (IH t s). simpl. now
    destruct (texec _ _ _ _ (merge f c t) s). + destruct t as [|[[d' op'] args'] t]; [apply IH|]. simpl. destruct (eval _ _ _) as
    [b m]. specialize (IH t (TState W M (updo W (reg W M s) d' b) m)). destruct (texec _ _ _ _ (merge f c t) _). destruct (texec _
    _ _ _ (map Do t) _). destruct IH as [<- <-]. auto. Qed.

Lemma annotated_plain f n : forall b t, filter acts (trun (annotated f p) n b t) = trun plain n b t.
Proof. induction n as [|n IH]; intros b t; simpl; [reflexivity|]. destruct (PM.find b (tblocks q)) as [k|]; [|reflexivity]. assert
  (E : exists t' es es', texec W M eval cst (annotated f p b (tcode k)) t = (t', es) /\ texec W M eval cst (plain b (tcode k)) t =
  (t', es') /\ filter acts es = es'). { unfold annotated, plain. pose proof (fun c => merge_plain f c (tcode k) t) as A. pose
  proof (A []) as A0. simpl in A0. destruct (PM.find b (blocks p)) as [k0|]; [specialize (A (code k0))|clear A]; destruct (texec _
  _ _ _ (map Do _) t) as [t2 es2]. - destruct (texec _ _ _ _ (merge _ _ _) t) as [t1 es1]. destruct A as [<- A]. now exists t1,
  es1, es2. - destruct A0 as [_ A0]. now exists t2, es2, es2. } destruct E as (t' & es & es' & -> & -> & E). simpl. rewrite
  filter_app, E. simpl. do 3 f_equal. destruct (next _ _ _); [|reflexivity]. destruct (nth_error _ _) as [[b' l]|]; [apply
  IH|reflexivity]. Qed.

Lemma filter_filter {A} (g h : A -> bool) l : (forall a, g a = true -> h a = true) -> filter g (filter h l) = filter g l.
Proof. intros I. induction l as [|a l IH]; simpl; [reflexivity|]. destruct (h a) eqn:H; simpl; [now rewrite IH|]. destruct (g a)
  eqn:G; [apply I in G; congruence|exact IH]. Qed.

(* ---- The theorems *)

Hypothesis accepted : refused p q w = None.

Lemma accepted_parts : start p = tstart q /\ params_ok (final w) (params p) (tparams q) = true /\ NoDup (tparams q) /\
  (exists e u, PM.find (start p) (entries w) = Some e /\ start_ok p w e = Ok u) /\
  forall b e, PM.find b (entries w) = Some e -> exists u, block_ok p q w b e = Ok u.
Proof. unfold refused in accepted. destruct (PM.find (start p) (entries w)) as [e|]; [|discriminate]. destruct (Pos.eqb_spec
  (start p) (tstart q)) as [S|]; [|discriminate]. destruct (params_ok _ _ _); [|discriminate]. destruct (distinct (tparams q) _)
  eqn:D; [|discriminate]. simpl in accepted. destruct (start_ok p w e) as [u|] eqn:T; [|discriminate]. repeat split; eauto; [now
  apply distinct_ok in D|]. intros b e' F. eapply blocks_ok_in; eauto. now apply PM.elements_correct. Qed.

(* Every read whose answer stands for something is answered by what the variable holds. *)
Theorem answers : forall n args e h r m, length args = length (params p) ->
  filter (shown (final w)) (run n (start p) (started W M cst p args e h m)) =
  trun (annotated (final w) p) n (tstart q) (tstarted W M q args r m).
Proof. intros n args e h r m L. destruct accepted_parts as (S & P & N & (en & u & F & T) & B). rewrite <- S. eapply run_from;
  eauto. eapply start_holds; eauto. Qed.

(* The source and the text pass the same blocks, with the same memory and the same operands of each instruction and terminator. *)
Theorem sound : forall n args e h r m, length args = length (params p) ->
  filter acts (run n (start p) (started W M cst p args e h m)) = trun plain n (tstart q) (tstarted W M q args r m).
Proof. intros n args e h r m L. rewrite <- (annotated_plain (final w)), <- (answers n args e h r m L). symmetry. apply
  filter_filter. intros [| | |]; simpl; congruence. Qed.

(* An answer that stands for nothing is an operand of nothing: in a block that can be reached. *)
Definition stands_all (l : list operand) : Prop := forall o, In o l -> stands (final w) o <> None.
Lemma operands_stand hs y l : forall us n, are_operands (final w) hs y l us = Ok n -> stands_all l.
Proof. induction l as [|o l IH]; intros [|u us] n R k; simpl in *; try discriminate; [intros []|]. steps R. intros [<-|I];
  [|eapply IH; eauto]. apply is_operand_ok in E as [(c & -> & _)|(v & us' & u' & -> & _ & _ & F)]; simpl; congruence. Qed.
Theorem used b e k : PM.find b (entries w) = Some e -> PM.find b (blocks p) = Some k ->
  stands_all (targs k) /\ forall d op args, In (Inst d op args) (code k) -> stands_all args.
Proof. intros F G. destruct accepted_parts as (_ & _ & _ & _ & B). destruct (B _ _ F) as [? H]. unfold block_ok in H. rewrite G in
  H. destruct (PM.find b (tblocks q)) as [k'|]; [|discriminate]. steps H. destruct got0 as [vs hs]. steps H. split; [eapply
  operands_stand; eauto|]. clear - E. revert E. generalize (tcode k') (table (vars_in e)) (table (held_in e)). induction (code k)
  as [|i c IH]; simpl; intros t vs0 hs0 E d op args; [intros []|]. destruct i as [y a|y o|d0 op0 args0]; [| |destruct t as [|[[d'
  op'] args'] t]; [discriminate|]]; steps E. 1, 2: intros [D|I]; [discriminate|eapply IH; eauto]. intros [[= -> -> ->]|I]; [eapply
  operands_stand; eauto|eapply IH; eauto]. Qed.
End Programs.

Print Assumptions sound.
Print Assumptions answers.
Print Assumptions used.
