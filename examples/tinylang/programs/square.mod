(* Integer square roots. *)
MODULE Square;

CONST Bits = 31;

VAR calls: INTEGER;

(* The largest r with r * r <= n; 0 if n is negative. *)
PROCEDURE Root(n: INTEGER): INTEGER;
VAR r, step, k: INTEGER;
BEGIN
  calls := calls + 1;
  r := 0;
  k := Bits;
  WHILE k >= 0 DO
    step := Power(2, k);
    IF (r + step) * (r + step) <= n THEN r := r + step END;
    k := k - 1
  END;
  RETURN r
END Root;

PROCEDURE Power(base, exponent: INTEGER): INTEGER;
VAR result: INTEGER;
BEGIN
  result := 1;
  WHILE exponent > 0 DO
    IF exponent MOD 2 = 1 THEN result := result * base END;
    base := base * base;
    exponent := exponent DIV 2
  END;
  RETURN result
END Power;

PROCEDURE Is(n: INTEGER): BOOLEAN;
VAR r: INTEGER;
BEGIN
  r := Root(n);
  RETURN (n >= 0) AND (r * r = n)
END Is;

PROCEDURE Calls(): INTEGER;
BEGIN
  RETURN calls
END Calls;

BEGIN
  calls := 0
END Square.
