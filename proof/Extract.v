(* Extract.v: the checker as OCaml; and the two semantics, by which mutants are run. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Phial Require Import Program Check Rules.
Extraction Language OCaml.
Set Warnings "-extraction-opaque-accessed".
Extraction "checker.ml" refused refutes goes tgoes run trun started tstarted plain annotated acts shown.
