(* before *) MODULE (* (* nested *) *) Comments; (**) (***) (*(*)*)*)
PROCEDURE P(): INTEGER; (* *) BEGIN RETURN 1 (* 2 *) + 3 END P;
END Comments.
(* after *)
