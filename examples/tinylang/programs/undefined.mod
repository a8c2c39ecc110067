(* Mistakes that depend on the path. *)
MODULE Undefined;

PROCEDURE Largest(n: INTEGER): INTEGER;
VAR d, largest: INTEGER;
BEGIN
  d := 2;
  WHILE d < n DO
    IF n MOD d = 0 THEN largest := d END;
    d := d + 1
  END;
  RETURN largest
END Largest;

PROCEDURE Sign(n: INTEGER): INTEGER;
BEGIN
  IF n > 0 THEN RETURN 1 ELSIF n < 0 THEN RETURN -1 END
END Sign;

END Undefined.
