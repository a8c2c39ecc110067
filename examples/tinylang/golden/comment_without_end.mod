MODULE Open;
(* (* closed *)
END Open.
