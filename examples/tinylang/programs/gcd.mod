(* Euclid's greatest common divisor. *)
MODULE Gcd;

PROCEDURE Gcd(a, b: INTEGER): INTEGER;
VAR rest: INTEGER;
BEGIN
  WHILE b # 0 DO
    rest := a MOD b;
    a := b;
    b := rest
  END;
  RETURN a
END Gcd;

(* Of three, by a forward reference. *)
PROCEDURE Gcd3(a, b, c: INTEGER): INTEGER;
BEGIN
  RETURN Gcd(Abs(a), Gcd(Abs(b), Abs(c)))
END Gcd3;

PROCEDURE Abs(n: INTEGER): INTEGER;
BEGIN
  IF n < 0 THEN RETURN -n ELSE RETURN n END
END Abs;

END Gcd.
