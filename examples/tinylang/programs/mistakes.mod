(* Each line of the procedure has a mistake; all are found. *)
MODULE Mistakes;

CONST Limit = 10;

VAR total: INTEGER;
VAR Total, total: INTEGER;

PROCEDURE Add(VAR to: INTEGER; n: INTEGER);
BEGIN
  to := to + n
END Add;

PROCEDURE Sum(n: INTEGER): INTEGER;
VAR i: INTEGER; done: BOOLEAN;
BEGIN
  Add(total);
  Add(Limit, 1);
  Add(done, 1);
  i := Totals + 1;
  IF n THEN i := 0 END;
  done := n > 0 AND done;
  done := i + 1;
  Limit := 11;
  Sum(3);
  i := Add(total, 1);
  RETURN done
END Sum;

END Mistakes.
