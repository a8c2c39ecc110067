(* Right.v: what the checker of Rules.v accepts does what the source does, if the lemmas that are used are valid. *)
From Coq Require Import List PArith Arith FMapPositive Bool.
From Phial Require Import Program Check Sound Rules.
Import ListNotations.

Section Right.
Variables W M : Type.
Variable kind_of : positive -> kind.
Variable pure : positive -> list W -> outcome W.
Variable reads : positive -> list W -> M -> outcome W.
Variable writes : positive -> list W -> M -> outcome (W * M).
Variable next : positive -> list W -> M -> outcome nat.
Variable cst : positive -> W.
Notation value := (value W cst). Notation values := (values W cst). Notation upd := (upd W).
Notation env := (env W M). Notation held := (held W M). Notation mem := (mem W M).
Notation reg := (reg W M). Notation tmem := (tmem W M).
Notation eval := (eval W M kind_of pure reads writes). Notation seen := (seen W M kind_of). Notation Bad := (Bad W M).
Notation does := (does W M kind_of pure reads writes cst). Notation tdoes := (tdoes W M kind_of pure reads writes cst).

(* ---- What facts and lemmas say *)
Definition holds (e : positive -> list W -> outcome W) (f : positive -> W) (q : eqn) : Prop := match q with
  | Same a b => value f a = value f b | Def a op l => e op (values f l) = Gives (value f a) end.
Definition true_claim (f : positive -> W) (c : claim) : Prop := match c with
  | Equation e => holds pure f e | Defined op l => exists w, pure op (values f l) = Gives w
  | Safe op l => pure op (values f l) <> Ends | Never op l => forall w, pure op (values f l) <> Gives w
  | Next op l op' l' is => forall m, next op (values f l) m = Wrong \/ exists i j is', next op (values f l) m = Gives i /\
      next op' (values f l') m = Gives j /\ nth_error is j = Some is' /\ In i is' end.
Definition valid (l : lemma) : Prop := forall f, Forall (holds pure f) (premises l) -> true_claim f (conclusion l).
Lemma sames_eq l : forall l', sames l l' = true -> l = l'.
Proof. induction l as [|a l IH]; intros [|b l']; simpl; try discriminate; [auto|]. intros H. apply andb_prop in H as [A B]. apply
  same_eq in A. f_equal; auto. Qed.
(* Splits `&&`, and makes equations of comparisons. *)
Ltac eqs := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H as [? ?]
  | H : same _ _ = true |- _ => apply same_eq in H; subst | H : sames _ _ = true |- _ => apply sames_eq in H; subst
  | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H; subst | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : Ok _ = Ok _ |- _ => injection H as <- end.
Lemma eqn_same_eq d e : eqn_same d e = true -> d = e.
Proof. destruct d, e; simpl; try discriminate; intros; eqs; reflexivity. Qed.
(* For bindings of lemmas, for edges, for rewriting. *)
Lemma put_values s f g : (forall o, value g o = value f (s o)) -> forall l, values f (map s l) = values g l.
Proof. intros H l. unfold Program.values. rewrite map_map. symmetry. apply map_ext, H. Qed.
Lemma put_holds e s f g q : (forall o, value g o = value f (s o)) -> holds e f (put s q) <-> holds e g q.
Proof. intros H. destruct q; simpl; rewrite <- ?H, ?(put_values s f g H); tauto. Qed.
Lemma put_true s f g c : (forall o, value g o = value f (s o)) -> true_claim g c -> true_claim f (put_claim s c).
Proof. intros H. destruct c; simpl; rewrite ?(put_holds _ s f g), ?(put_values s f g H); auto. Qed.
Lemma to_value f m o : value (fun v => value f (to m (Id v))) o = value f (to m o).
Proof. now destruct o. Qed.

(* ---- What is known is true *)
Section Block.
Variable w : proof.
Hypothesis lemmas_valid : forall n l, PM.find n (lemmas w) = Some l -> valid l.
Notation real := (real w).
Definition True_in (b : PM.t unit) (m : PM.t operand) (g f : positive -> W) : Prop :=
  forall k u, PM.find k m = Some u -> g k = value f u /\ within b u = true.
Definition Facts_in (b : PM.t unit) e f (m : PM.t eqn) : Prop :=
  forall n q, PM.find n m = Some q -> holds e f q /\ forallb (within b) (names q) = true.
Definition Inv (k : knowledge) (s : Program.state W M) (f : positive -> W) (t : tstate W M) : Prop :=
  mem s = tmem t /\ (forall v, real (Id v) = true -> f v = reg t v) /\
  True_in (bound k) (vs k) (env s) f /\ True_in (bound k) (hs k) (held s) f /\
  Facts_in (bound k) pure f (facts k) /\ Facts_in (bound k) (fun op ws => reads op ws (mem s)) f (memory k).
Lemma off_value b f g x o : within b o = true -> PM.mem g b = false -> value (upd f g x) o = value f o.
Proof. destruct o as [v|]; simpl; [|reflexivity]. unfold Program.upd. destruct (Pos.eqb_spec g v); congruence. Qed.
Lemma off_values b f g x l : forallb (within b) l = true -> PM.mem g b = false -> values (upd f g x) l = values f l.
Proof. intros L G. induction l as [|o l IH]; simpl in *; [reflexivity|]. eqs. erewrite off_value, IH; eauto. Qed.
Lemma off_holds b e f g x q : forallb (within b) (names q) = true -> PM.mem g b = false -> holds e f q -> holds e (upd f g x) q.
Proof. intros L G. destruct q; simpl in L; eqs; simpl; erewrite !off_value; eauto. erewrite off_values; eauto. Qed.
Lemma within_add b g o : within b o = true -> within (PM.add g tt b) o = true.
Proof. destruct o as [v|]; simpl; [|auto]. rewrite !PM.mem_find, find_add. now destruct (Pos.eqb g v). Qed.
Lemma within_new g b : within (PM.add g tt b) (Id g) = true.
Proof. simpl. now rewrite PM.mem_find, PM.gss. Qed.
Lemma within_all b g l : forallb (within b) l = true -> forallb (within (PM.add g tt b)) l = true.
Proof. rewrite !forallb_forall. intros H o I. now apply within_add, H. Qed.
Ltac inv := split; [|split; [|split; [|split; [|split]]]]; simpl; auto.
(* A new name does not change what is known. *)
Lemma define_ok g k k' s f t x t' : define g k = Ok k' -> Inv k s f t -> tmem t' = tmem t ->
  (forall v, real (Id v) = true -> upd f g x v = reg t' v) -> Inv k' s (upd f g x) t' /\ PM.mem g (bound k) = false /\
    k' = Knows (vs k) (hs k) (facts k) (memory k) (PM.add g tt (bound k)).
Proof. intros D (Im & Ir & Iv & Ih & If & Ie) T R. unfold define in D. steps D. eqs. assert (A : forall m h, True_in (bound k) m h
  f -> True_in (PM.add g tt (bound k)) m h (upd f g x)). { intros m h I v u F. apply I in F as [F L]. erewrite off_value; eauto
  using within_add. } assert (B : forall e m, Facts_in (bound k) e f m -> Facts_in (PM.add g tt (bound k)) e (upd f g x) m). {
  intros e m I n q F. apply I in F as [F L]. split; [eapply off_holds; eauto|now apply within_all]. } split; [inv;
  congruence|auto]. Qed.
Lemma ghost_ok g k k' s f t x : ghost w g = true -> define g k = Ok k' -> Inv k s f t -> Inv k' s (upd f g x) t /\
  PM.mem g (bound k) = false /\ k' = Knows (vs k) (hs k) (facts k) (memory k) (PM.add g tt (bound k)).
Proof. intros G D I. eapply define_ok; eauto. intros v R. unfold Program.upd. destruct (Pos.eqb_spec g v) as [->|].
  - unfold ghost in G. now rewrite R in G.
  - now apply I. Qed.
Lemma facts_add b e f n q m : Facts_in b e f m -> holds e f q -> forallb (within b) (names q) = true -> Facts_in b e f (PM.add n q m).
Proof. intros F H L i p. rewrite find_add. destruct (Pos.eqb n i); [intros [= <-]; auto|apply F]. Qed.
Lemma know_ok n q k k' s f t : know n q k = Ok k' -> Inv k s f t -> holds pure f q -> Inv k' s f t.
Proof. intros K (Im & Ir & Iv & Ih & If & Ie) H. unfold know in K. steps K. eqs. inv. now apply facts_add. Qed.
(* What ops say that do not write. *)
Definition says op ws m := match kind_of op with Reads => reads op ws m | _ => pure op ws end.
Lemma eval_says op ws m : quiet kind_of op = true -> eval op ws m = match says op ws m with
  | Gives x => Gives (x, m) | Ends => match kind_of op with Partial => Ends | _ => Wrong end | Wrong => Wrong end.
Proof. unfold quiet, says, Rules.eval. now destruct (kind_of op). Qed.
Lemma learn_ok n r op l k k' s f t : learn kind_of n r op l k = Ok k' -> Inv k s f t -> 
  (quiet kind_of op = true -> says op (values f l) (mem s) = Gives (f r)) -> Inv k' s f t.
Proof. unfold learn, quiet, says. intros L I H. destruct (kind_of op). 1, 2: eapply know_ok; eauto; simpl; auto.
  - destruct I as (Im & Ir & Iv & Ih & If & Ie). unfold know_read in L. steps L. eqs. inv. apply facts_add; simpl; auto.
  - now injection L as <-. Qed.
Lemma learn_within n r op l k k' g : learn kind_of n r op l k = Ok k' -> within (bound k) g = true -> within (bound k') g = true.
Proof. unfold learn, know, know_read. intros L H. destruct (kind_of op); [steps L..|]; now injection L as <-. Qed.
Lemma recall_ok k s f t op n a op' l : recall kind_of k op n = Ok (Def a op' l) -> Inv k s f t -> op = op' ->
  quiet kind_of op = true /\ says op (values f l) (mem s) = Gives (value f a) /\ forallb (within (bound k)) (a :: l) = true.
Proof. intros R (_ & _ & _ & _ & If & Ie) <-. unfold recall, fact, says, quiet in *. destruct (kind_of op); [| | |discriminate];
  (destruct (PM.find n _) as [e|] eqn:F; [|discriminate]); injection R as ->; apply If in F || apply Ie in F; destruct F; simpl in
  *; auto. Qed.
Lemma fact_ok k s f t n q : fact k n = Ok q -> Inv k s f t -> holds pure f q /\ forallb (within (bound k)) (names q) = true.
Proof. intros F (_ & _ & _ & _ & If & _). unfold fact in F. destruct (PM.find n _) eqn:E; [|discriminate]. injection F as ->.
  eapply If, E. Qed.
Lemma are_facts_ok k s f t g l : Inv k s f t -> forall ns, are_facts k g l ns = true -> Forall (holds pure f) (map (put g) l).
Proof. intros (_ & _ & _ & _ & If & _). induction l as [|e l IH]; intros [|n ns] H; simpl in *; try discriminate; [constructor|].
  eqs. destruct (PM.find n _) as [d|] eqn:F; [|discriminate]. apply eqn_same_eq in H as ->. constructor; [now apply If in
  F|eauto]. Qed.
Lemma claimed_ok k s f t u c : claimed w k u = Ok c -> Inv k s f t -> true_claim f c.
Proof. intros C I. unfold claimed in C. destruct (PM.find _ _) as [l|] eqn:F; [|discriminate]. steps C. eqs. apply (put_true _ f _
  _ (fun o => to_value f _ o)). apply (lemmas_valid _ _ F). pose proof (are_facts_ok _ _ _ _ _ _ I _ N) as H. rewrite Forall_map
  in H. revert H. apply Forall_impl. intros e. apply put_holds. intros o. apply to_value. Qed.
Lemma held_ok k s f t o u : held_as k o = Ok u -> Inv k s f t -> value (held s) o = value f u /\ within (bound k) u = true.
Proof. intros H (_ & _ & _ & Ih & _). destruct o as [v|c]; simpl in *; [|injection H as <-; auto]. destruct (PM.find v (hs k))
  eqn:E; [|discriminate]. injection H as <-. now apply Ih. Qed.
Lemma all_held_ok k s f t l : forall us, all_held k l = Ok us -> Inv k s f t ->
  values (held s) l = values f us /\ forallb (within (bound k)) us = true.
Proof. induction l as [|o l IH]; simpl; intros us H I; [injection H as <-; auto|]. steps H. injection H as <-. eapply held_ok in E
  as [A B]; eauto. destruct (IH _ E0 I) as [C D]. simpl. now rewrite A, B, C, D. Qed.
Lemma reals k s f t l : Inv k s f t -> forallb real l = true -> values f l = values (reg t) l.
Proof. intros (_ & Ir & _). induction l as [|[v|c] l IH]; simpl; intros H; [auto| |]; eqs; f_equal; auto. Qed.
Lemma true_add b m g f v u x : True_in b m g f -> value f u = x -> within b u = true -> True_in b (PM.add v u m) (upd g v x) f.
Proof. intros T E L i o. rewrite find_add. unfold Program.upd. destruct (Pos.eqb v i); [intros [= <-]; auto|apply T]. Qed.
Lemma true_same b m g f v u : True_in b m g f -> value f u = g v -> within b u = true -> True_in b (PM.add v u m) g f.
Proof. intros T E L i o. rewrite find_add. destruct (Pos.eqb_spec v i) as [<-|]; [intros [= <-]; auto|apply T]. Qed.
Lemma true_set b m g f v o x : True_in b m g f -> (forall u, o = Some u -> value f u = x /\ within b u = true) ->
  True_in b (set v o m) (upd g v x) f.
Proof. intros T H. destruct o as [u|]; simpl; [destruct (H u); auto using true_add|]. intros i o F. apply find_remove in F as [N
  F]. unfold Program.upd. destruct (Pos.eqb_spec v i); [congruence|now apply T]. Qed.
Lemma rename_ok k s f t m g v j m' : rename m v k j = Ok m' -> Inv k s f t -> True_in (bound k) m g f -> True_in (bound k) m' g f.
Proof. intros R I T. unfold rename in R. steps R. destruct got as [a b|]; [|discriminate]. destruct (PM.find v m) as [u|] eqn:F;
  [|discriminate]. steps R. eqs. eapply fact_ok in E as [E L]; eauto. simpl in *. eqs. apply true_same; auto. apply T in F as [->
  _]. auto. Qed.
Lemma think_ok st k k' s f t : think w st k = Ok k' -> Inv k s f t -> exists f', Inv k' s f' t.
Proof. intros H I. destruct st; simpl in H; try discriminate.
  - steps H. destruct got; try discriminate. exists f. eapply know_ok; eauto. exact (claimed_ok _ _ _ _ _ _ E I).
  - steps H. destruct got as [|op l| | |]; try discriminate. steps H. eqs. destruct (claimed_ok _ _ _ _ _ _ E I) as [x X].
    destruct (ghost_ok _ _ _ _ _ _ x H0 E0 I) as (J & G & ->). eexists. eapply know_ok; eauto. simpl. erewrite off_values; eauto.
    unfold Program.upd. now rewrite Pos.eqb_refl.
  - steps H. destruct got as [a b|]; try discriminate. eapply fact_ok in E as [E _]; eauto. exists f. eapply know_ok; eauto. simpl
    in *. auto.
  - steps H. eqs. exists f. pose proof I as (Im & Ir & Iv & Ih & If & Ie). inv. eapply rename_ok; eauto.
  - steps H. eqs. exists f. pose proof I as (Im & Ir & Iv & Ih & If & Ie). inv. eapply rename_ok; eauto.
  - steps H. eqs. destruct (ghost_ok _ _ _ _ _ _ (held s v) N E I) as ((Im & Ir & Iv & Ih & If & Ie) & _ & ->). eexists. simpl in
    *. inv; eauto. simpl. apply true_same; simpl; auto; [unfold Program.upd; now rewrite Pos.eqb_refl|]. rewrite PM.mem_find,
    find_add. now rewrite Pos.eqb_refl.
  - steps H. eqs. destruct (ghost_ok _ _ _ _ _ _ (env s x) N E I) as ((Im & Ir & Iv & Ih & If & Ie) & _ & ->). eexists. simpl in
    *. inv; eauto. simpl. apply true_same; simpl; auto; [unfold Program.upd; now rewrite Pos.eqb_refl|]. rewrite PM.mem_find,
    find_add. now rewrite Pos.eqb_refl. Qed.

(* ---- A block: both do the same, unless the source goes wrong *)
Definition alike {A B} (x : list (event W M) * option A) (y : list (event W M) * option B) (Q : A -> B -> Prop) : Prop :=
  In Bad (fst x) \/ fst x = fst y /\ match snd x, snd y with Some s, Some t => Q s t | None, None => True | _, _ => False end.
Lemma alike_after {A B} es (x : list (event W M) * option A) (y : list (event W M) * option B) Q : alike x y Q ->
  alike (let (e, r) := x in (es ++ e, r)) (let (e, r) := y in (es ++ e, r)) Q.
Proof. destruct x as [e r], y as [e' r']. intros [H|[H R]]; [left; apply in_or_app; auto|right]. simpl in *. now subst. Qed.
Lemma quiet_seen {A} op ws m (x : A) : quiet kind_of op = true -> seen op ws m (Gives x) = [].
Proof. unfold quiet, Rules.seen. destruct (kind_of op); auto; discriminate. Qed.
Lemma total_seen {A} op ws m (x : A) : total kind_of op = true -> seen op ws m (Gives x) = [].
Proof. unfold total, Rules.seen. destruct (kind_of op); auto; discriminate. Qed.
Lemma bad_seen {A} op ws m : In Bad (seen op ws m (@Wrong A)).
Proof. unfold Rules.seen. apply in_or_app. simpl. auto. Qed.
Notation State := (State W M). Notation TState := (TState W M).
Lemma hold_ok k e h m f t d u x : Inv k (State e h m) f t -> value f u = x -> within (bound k) u = true ->
  Inv (hold d u k) (State e (updo W h d x) m) f t.
Proof. intros (Im & Ir & Iv & Ih & If & Ie) E L. destruct d; inv. now apply true_add. Qed.
Lemma upd_new f r x : upd f r x r = x.
Proof. unfold Program.upd. now rewrite Pos.eqb_refl. Qed.
(* A result, whose name is new. *)
Lemma result_ok g n d op l k k1 k2 e h m f t t' x : define g k = Ok k1 -> learn kind_of n g op l k1 = Ok k2 -> Inv k (State e h m) f t ->
  tmem t' = tmem t -> (forall v, real (Id v) = true -> upd f g x v = reg t' v) -> forallb (within (bound k)) l = true ->
  (quiet kind_of op = true -> says op (values f l) m = Gives x) -> Inv (hold d (Id g) k2) (State e (updo W h d x) m) (upd f g x) t'.
Proof. intros D L I T R B S. destruct (define_ok _ _ _ _ _ _ x t' D I T R) as (J & G & ->). apply hold_ok; [|apply upd_new|eapply
  learn_within; eauto; apply within_new]. eapply learn_ok; eauto. intros K. rewrite upd_new. erewrite off_values; eauto. Qed.
Lemma advance_ok st c t k c' t' k' s f ts Q : advance kind_of w st c t k = Ok (c', t', k') -> Inv k s f ts ->
  (forall s' f' ts', Inv k' s' f' ts' -> alike (does c' s') (tdoes t' ts') Q) -> alike (does c s) (tdoes t ts) Q.
Proof. intros A I H. destruct s as [en he me]. assert (T : (let* k := think w st k in Ok (c, t, k)) = Ok (c', t', k') -> alike
  (does c (State en he me)) (tdoes t ts) Q). { intros E. steps E. injection E as <- <- <-. destruct (think_ok _ _ _ _ _ _ E0 I) as
  [f' J]. eauto. } pose proof I as (Im & Ir & Iv & Ih & If & Ie). destruct st; try (destruct c as [|[]]; destruct t; exact (T A)).
  - destruct c as [|[x a|x o|d op args] c]; try exact (T A); simpl in A. + injection A as <- <- <-. apply (H _ f). destruct a as
    [v|]; inv. apply true_set; [auto|]. intros u F. apply Iv in F. intuition. + injection A as <- <- <-. apply (H _ f). inv. apply
    true_set; [auto|]. intros u F. destruct o as [v|]; [|injection F as <-; auto]. apply Ih in F. intuition. + destruct t as
    [|[[d' op'] args'] t]; [exact (T A)|]. steps A. injection A as <- <- <-. unfold both in E. steps E. eqs. eapply all_held_ok in
    E0 as [V L]; eauto. simpl in *. rewrite V, (reals _ _ _ _ _ I H1), <- Im. apply alike_after. destruct (eval op' (values (reg
    ts) args') me) as [| |[x m]] eqn:X; [right; simpl; auto..|]. assert (K : quiet kind_of op' = true -> m = me /\ says op'
    (values f args') me = Gives x). { intros K. rewrite <- (reals _ _ _ _ _ I H1), (eval_says _ _ _ K) in X. destruct (says _ _
    _); try discriminate; [destruct (kind_of op'); discriminate|]. injection X as <- <-. auto. } set (k1 := if quiet kind_of op'
    then k else forget k) in *. assert (J : Inv k1 (State en he m) f (TState (reg ts) m)). { subst k1. destruct (quiet kind_of
    op'); [destruct (K eq_refl) as [-> _]|]; inv. intros i q. now rewrite PM.gempty. } destruct d as [v|], d' as [r|]; try
    discriminate; [|injection E as <-; eapply H, J]. steps E. injection E as <-. apply (H _ (upd f r x)). eapply (result_ok r n
    (Some v)); eauto. * intros u R. simpl. unfold Program.upd. destruct (Pos.eqb r u); auto. * unfold k1. now destruct (quiet _
    _). * intros Q'. now destruct (K Q') as [-> ?].
  - destruct c as [|[x a|x o|d op args] c]; try exact (T A). simpl in A. steps A. injection A as <- <- <-. unfold name in E. steps
    E. eqs. eapply all_held_ok in E0 as [V L]; eauto. simpl in *. rewrite V, (eval_says _ _ _ H0). assert (S : says op (values f
    got0) me = Ends -> kind_of op <> Partial). { intros S P. destruct u as [u|]; [|apply need_ok in E1; unfold total in E1; now
    rewrite P in E1]. unfold bnd in E1. destruct (claimed w k u) as [[| |op' l| |]|] eqn:C; try discriminate. apply need_ok in E1.
    eqs. apply (claimed_ok _ _ _ _ _ _ C I). unfold says in S. now rewrite P in S. } destruct (says op _ _) as [| |x] eqn:X. +
    left. apply in_or_app. left. apply bad_seen. + left. specialize (S eq_refl). destruct (kind_of op); try congruence; apply
    in_or_app; left; apply bad_seen. + rewrite quiet_seen by auto. simpl. assert (Al : alike (does c (State en (updo W he d x)
    me)) (tdoes t ts) Q); [|destruct (does c _); exact Al]. apply (H _ (upd f g x)). eapply result_ok; eauto. intros v R. unfold
    Program.upd. destruct (Pos.eqb_spec g v) as [->|]; auto. unfold ghost in H1. now rewrite R in H1.
  - destruct c as [|[x a|x o|d op args] c]; try exact (T A). simpl in A. steps A. injection A as <- <- <-. unfold is_known in E.
    steps E. destruct got1 as [|a op' l]; [discriminate|]. steps E. eqs. eapply all_held_ok in E0 as [V L]; eauto. destruct
    (recall_ok _ _ _ _ _ _ _ _ _ E1 I eq_refl) as (K & S & B). simpl in *. rewrite V, (eval_says _ _ _ K), S, quiet_seen by auto.
    simpl. assert (Al : alike (does c (State en (updo W he d (value f a)) me)) (tdoes t ts) Q); [|destruct (does c _); exact Al].
    eqs. eapply H. apply hold_ok; eauto.
  - assert (R : (let* k := text kind_of w n n1 n2 (hd (None, 1%positive, []) t) k in Ok (c, tl t, k)) = Ok (c', t', k') /\ t <>
    []). { destruct c as [|[x a|x o|d op args] c], t as [|i t]; simpl in *; try discriminate; split; auto; discriminate. }
    destruct R as [R N]. destruct t as [|[[d op] args] t]; [congruence|]. clear A N. simpl in R. steps R. injection R as <- <- <-.
    unfold text in E. steps E. destruct got0 as [|a op' l], d as [r|]; try discriminate. steps E. simpl in N. eqs. destruct
    (recall_ok _ _ _ _ _ _ _ _ _ E0 I eq_refl) as (K & S & B). simpl in *. eqs. rewrite <- (reals _ _ _ _ _ I H2), <- Im,
    (eval_says _ _ _ K), S, quiet_seen by auto. simpl. assert (Al : alike (does c (State en he me)) (tdoes t (TState (upd (reg ts)
    r (value f a)) me)) Q); [|destruct (tdoes t _); exact Al]. assert (G : PM.mem r (bound k) = false) by (unfold define in E1;
    steps E1; now eqs). apply (H _ (upd f r (value f a))). eapply know_ok; eauto. + eapply (result_ok r n1 None); eauto. intros u
    R. simpl. unfold Program.upd. destruct (Pos.eqb r u); auto. + simpl. rewrite upd_new. eapply off_value; eauto. Qed.
Lemma check_ok ss : forall c t k k' s f ts, check kind_of w ss c t k = Ok k' -> Inv k s f ts ->
  alike (does c s) (tdoes t ts) (fun s t => match k' with Some k' => exists f, Inv k' s f t | None => False end).
Proof. induction ss as [|st ss IH]; intros c t k k' s f ts H I; [destruct c, t; try discriminate; injection H as <-; right; simpl;
  eauto|]. assert (G : forall o, (let* (c, t, k) := advance kind_of w st c t k in check kind_of w ss c t k) = Ok o -> alike (does
  c s) (tdoes t ts) (fun s t => match o with Some k' => exists f, Inv k' s f t | None => False end)). { intros o E. apply bnd_ok
  in E as ([[c' t'] k1] & E & D). eapply advance_ok; eauto. } destruct st; try exact (G _ H). clear G. apply bnd_ok in H as (x & E
  & [= <-]). unfold halts in E. destruct c as [|[| |d op args] c], t as [|[[d' op'] args'] t]; try discriminate. apply bnd_ok in E
  as (us & V & E). apply bnd_ok in E as (cl & C & E). destruct cl; try discriminate. destruct (kind_of op) eqn:K; try
  discriminate. apply need_ok in E. eqs. eapply all_held_ok in V as [V _]; eauto. apply (claimed_ok _ _ _ _ _ _ C) in I as N.
  simpl in *. rewrite V, <- (reals _ _ _ _ _ I H0). destruct I as (<- & _). right. unfold Rules.eval. rewrite K. destruct (pure _
  _) eqn:P; simpl; auto. destruct (N a eq_refl). Qed.

(* ---- Edges *)
Notation cross := (cross W M cst).
Lemma within_ns ns : forall o, In o ns -> within (fold_right (fun o b => match o with Id v => PM.add v tt b | Cst _ => b end) (PM.empty unit) ns) o = true.
Proof. induction ns as [|a ns IH]; intros o; [intros []|]. intros [<-|I]; [destruct a; [apply within_new|reflexivity]|]. simpl.
  destruct a; [apply within_add|]; auto. Qed.
Lemma enter_ok e s f t : mem s = tmem t -> (forall v, real (Id v) = true -> f v = reg t v) ->
  (forall v u, In (v, u) (vars_at e) -> env s v = value f u) -> (forall v u, In (v, u) (held_at e) -> held s v = value f u) ->
  (forall n q, In (n, q) (facts_at e) -> holds pure f q) ->
  (forall n q, In (n, q) (memory_at e) -> holds (fun op ws => reads op ws (mem s)) f q) -> Inv (enter e) s f t.
Proof. intros Im Ir Iv Ih If Ie. unfold enter. set (ns := _ ++ _). assert (A : forall v u, In (v, u) (vars_at e ++ held_at e) ->
  In u ns). { intros v u I. apply in_or_app. left. apply (in_map snd) in I. exact I. } assert (B : forall n q, In (n, q) (facts_at
  e ++ memory_at e) -> forallb (within (bound (enter e))) (names q) = true). { intros n q I. apply forallb_forall. intros o O.
  apply within_ns. apply in_or_app. right. apply in_flat_map. exists (n, q). auto. } inv; intros k x F; apply table_in in F;
  (split; [eauto|]); try (apply within_ns; eapply A, in_or_app; eauto); eapply B, in_or_app; eauto. Qed.
Lemma facts_brought_ok b e f m l es : Facts_in b e f m -> forall ns, facts_brought (table l) m es ns = true ->
  forall n q, In (n, q) es -> holds e (fun v => value f (to (table l) (Id v))) q.
Proof. intros F. induction es as [|[n0 q0] es IH]; intros [|i ns] H n q; simpl in *; try discriminate; [intros []|]. eqs. intros
  [[= <- <-]|I]; [|eauto]. apply (put_holds e (to (table l)) f _ _ (to_value f _)). destruct (PM.find i m) as [d|] eqn:D; [apply
  eqn_same_eq in H as <-; eapply F, D|]. destruct (put _ q0); [|discriminate]. eqs. reflexivity. Qed.
Lemma edge_right k s f t b l ns u : edge_ok w k b l ns = Ok u -> Inv k s f t ->
  exists g f', PM.find b (passages w) = Some g /\ Inv (enter (at_start g)) s f' (cross l t).
Proof. intros H (Im & Ir & Iv & Ih & If & Ie). unfold edge_ok in H. destruct (PM.find b (passages w)) as [g|]; [|discriminate].
  steps H. apply need_ok in H. exists g, (fun v => value f (to (table l) (Id v))). split; [auto|]. assert (R : forall v, value f
  (to (table l) (Id v)) = match assoc v l with Some o => value f o | None => f v end). { intros v. simpl. rewrite table_assoc. now
  destruct (assoc v l). } assert (B : forall m h y es, True_in (bound k) m h f -> (forall v, In v es -> exists u, brought (table
  l) m (y v) v = Ok u) -> forall v u, In (v, u) es -> h v = value (fun v => value f (to (table l) (Id v))) u). { intros m h y es T
  A v u0 I. apply A in I as [? I]. simpl in I. destruct (PM.find v m) as [a|] eqn:F; [|discriminate]. apply need_ok in I. apply T
  in F as [-> _]. destruct u0 as [p|c]; simpl in *; [|eqs; reflexivity]. destruct (PM.find p (table l)); eqs; reflexivity. } apply
  enter_ok.
  - exact Im.
  - intros v V. cbv beta. rewrite R. simpl. destruct (assoc v l) as [o|] eqn:A; [|auto]. apply assoc_in in A. rewrite
    forallb_forall in N. apply N in A. destruct o; simpl; auto.
  - exact (B _ _ _ _ Iv (all_ok _ _ _ E)).
  - exact (B _ _ _ _ Ih (all_ok _ _ _ E0)).
  - eapply facts_brought_ok; eauto.
  - eapply facts_brought_ok; eauto. Qed.
Lemma edges_right k s f t bs es : forall is ns u, edges_ok w k bs es is ns = Ok u -> Inv k s f t -> forall j,
  match nth_error is j with
  | None => nth_error es j = None
  | Some is' => exists b l g f', nth_error es j = Some (b, l) /\ (forall i, In i is' -> nth_error bs i = Some b) /\
      PM.find b (passages w) = Some g /\ Inv (enter (at_start g)) s f' (cross l t) end.
Proof. induction es as [|[b l] es IH]; intros [|i is] [|n ns] u H I j; simpl in H; try discriminate; [now destruct j|]. steps H.
  destruct j as [|j]; simpl; [|exact (IH _ _ _ H I j)]. destruct (edge_right _ _ _ _ _ _ _ _ E I) as (g & f' & F & J). exists b,
  l, g, f'. split; [reflexivity|split; [|split; assumption]]. intros x X. rewrite forallb_forall in N. apply N in X. destruct
  (nth_error bs x); [now eqs|discriminate]. Qed.
Lemma each_nth n : forall i j, nth_error (each n i) j = if Nat.ltb j n then Some [i + j] else None.
Proof. induction n as [|n IH]; intros i [|j]; simpl; auto; [now rewrite Nat.add_0_r|]. rewrite IH. simpl. unfold Nat.ltb. simpl.
  destruct n; auto. now rewrite Nat.add_succ_r. Qed.
End Block.

(* ---- Programs *)
Variables (p : program) (q : tprogram) (w : proof).
Hypothesis lemmas_valid : forall n l, PM.find n (lemmas w) = Some l -> valid l.
Notation goes := (goes W M kind_of pure reads writes next cst). Notation tgoes := (tgoes W M kind_of pure reads writes next cst).
Lemma goes_from : (forall b g, PM.find b (passages w) = Some g -> exists u, passage_ok kind_of p q w b g = Ok u) ->
  forall n b g s f t, PM.find b (passages w) = Some g -> Inv w (enter (at_start g)) s f t ->
  ~ In Bad (goes p n b s) -> goes p n b s = tgoes q n b t.
Proof. intros OK n. induction n as [|n IH]; simpl; intros b g s f t F I N; [reflexivity|]. destruct (OK _ _ F) as [? H]. unfold
  passage_ok in H. destruct (PM.find b (blocks p)) as [c|]; [|discriminate]. destruct (PM.find b (tblocks q)) as [k|];
  [|discriminate]. steps H. pose proof (check_ok w lemmas_valid _ _ _ _ _ _ _ _ E I) as A. destruct (does (code c) s) as [es r],
  (tdoes (tcode k) t) as [es' r']. destruct A as [A|[A B]]; simpl in A; [elim N; simpl; right; apply in_or_app; auto|]. subst es'.
  simpl in B. do 2 f_equal. destruct r as [s'|], r' as [t'|]; try contradiction; [|reflexivity]. destruct got as [k1|];
  [|contradiction]. destruct B as [f' J]. unfold leave_ok in H. steps H. eapply all_held_ok in E0 as [V _]; eauto. pose proof J as
  (Im & _). rewrite V in *. rewrite <- Im. rewrite <- (reals _ _ _ _ _ _ J N0). assert (N' : ~ In Bad (match next (term c) (values
  f' got) (mem s') with Wrong => [Bad] | Gives i => match nth_error (succs c) i with None => [] | Some b => goes p n b s' end | _
  => [] end)). { intros X. apply N. simpl. right. apply in_or_app. right. unfold Rules.seen. destruct (next _ _ _); simpl in *;
  auto; apply in_or_app; auto. left. apply in_or_app. auto. } destruct (leaves g) as [u|].
  - unfold bnd at 1 in H. destruct (claimed _ _ u) as [[| | | |op l op' l' is]|] eqn:C; try discriminate. steps H. eqs. destruct
    (claimed_ok _ lemmas_valid _ _ _ _ _ _ C J (mem s')) as [X|(i & j & is' & X & Y & Z & U)]; rewrite X in *. { elim N. simpl.
    right. apply in_or_app. right. apply in_or_app. left. apply bad_seen. } rewrite Y, !total_seen by auto. simpl. pose proof
    (edges_right _ _ _ _ _ _ _ _ _ _ H J j) as K. rewrite Z in K. destruct K as (b' & l1 & g' & f1 & -> & K & G & I'). rewrite (K
    _ U) in *. eapply IH; eauto.
  - steps H. eqs. rewrite H0 in *. f_equal. destruct (next (tterm k) (values f' (ttargs k)) (mem s')) as [| |i]; try reflexivity.
    pose proof (edges_right _ _ _ _ _ _ _ _ _ _ H J i) as X. rewrite each_nth in X. destruct (Nat.ltb_spec i (length (tedges k)))
    as [L|L]. + destruct X as (b' & l & g' & f1 & -> & X & G & K). specialize (X _ (or_introl eq_refl)). simpl in X. rewrite X in
    *. eapply IH; eauto. + rewrite X. rewrite (proj2 (nth_error_None (succs c) i)); [reflexivity|]. apply Nat.eqb_eq in H1. now
    rewrite H1. Qed.

(* ---- The start: a parameter has the same argument on both sides *)
Lemma bound_params h r : forall vs us args, length vs = length us -> length args = length vs -> NoDup us -> forall v u,
  assoc v (combine vs (map Id us)) = Some u -> bind W vs args h v = value (bind W us args r) u.
Proof. induction vs as [|v vs IH]; intros [|u us] [|a args] L L' N k o F; simpl in *; try discriminate. unfold Program.upd.
  inversion_clear N as [|? ? N1 N2]. injection L as L. injection L' as L'. destruct (Pos.eqb v k); [injection F as <-; simpl; now
  rewrite Pos.eqb_refl|]. rewrite (IH _ _ L L' N2 _ _ F). apply assoc_in, in_combine_r, in_map_iff in F as (u' & <- & F). simpl.
  destruct (Pos.eqb_spec u u') as [->|]; [contradiction|reflexivity]. Qed.
Hypothesis accepted : refutes kind_of p q w = None.
Theorem same_effects : forall n args e h r m, length args = length (params p) ->
  ~ In Bad (goes p n (start p) (started W M cst p args e h m)) ->
  goes p n (start p) (started W M cst p args e h m) = tgoes q n (tstart q) (tstarted W M q args r m).
Proof. intros n args e h r m L N. unfold refutes in accepted. destruct (PM.find (start p) (passages w)) as [g|] eqn:G;
  [|discriminate]. destruct (_ && _) eqn:C; [|discriminate]. destruct (begin_ok p q (at_start g)) as [u|] eqn:B; [|discriminate].
  eqs. apply Nat.eqb_eq in H2. destruct (distinct (tparams q) _) as [ds|] eqn:D; [|discriminate]. apply distinct_ok in D as [D _].
  rewrite <- H. eapply goes_from; eauto.
  - intros b g' F. apply PM.elements_correct in F. revert accepted F. clear. induction (PM.elements (passages w)) as [|[b0 g0] l
    IH]; [intros _ []|]. simpl. destruct (passage_ok _ _ _ _ b0 g0) eqn:E; [|discriminate]. intros A [[= <- <-]|I]; eauto.
  - unfold begin_ok in B. steps B. set (hs := table _) in *. assert (A : forall o u, match o with Cst _ => same o u | Id v =>
    match PM.find v hs with Some a => same a u | None => false end end = true -> value (bind W (params p) args h) o = value (bind
    W (tparams q) args r) u). { intros [v|c] o R; [|now eqs]. destruct (PM.find v hs) as [a|] eqn:F; [|discriminate]. eqs. unfold
    hs in F. rewrite table_assoc in F. eapply bound_params; eauto. } apply enter_ok; auto. + intros v o I. apply (all_ok _ _ _ E)
    in I as [? I]. simpl in *. destruct (PM.find v (initial p)) as [i|]; [|discriminate]. apply need_ok in I. now apply A. +
    intros v o I. apply (all_ok _ _ _ E0) in I as [? I]. apply need_ok in I. exact (A (Id v) o I). + destruct (facts_at (at_start
    g)); [intros ? ? []|discriminate]. + destruct (facts_at (at_start g)), (memory_at (at_start g)); try discriminate. intros ? ?
    []. Qed.
End Right.
Print Assumptions same_effects.
