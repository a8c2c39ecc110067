MODULE Calls;
CONST one = 1;
VAR n: INTEGER; b: BOOLEAN;

PROCEDURE Take(a: INTEGER; VAR v: INTEGER; c: BOOLEAN);
BEGIN
  v := a; IF c THEN v := 0 END
END Take;

PROCEDURE Give(): INTEGER; BEGIN RETURN n END Give;

BEGIN
  Take; Take(); Take(1, n); Take(1, n, b, n);
  Take(b, n, 1);
  Take(1, 2, b); Take(1, one, b); Take(1, n + 1, b); Take(1, (n), b); Take(1, Give(), b);
  Take(1, b, b);
  Give(); Give;
  n := Give; n := Give(1) + Take(1, n, b);
  Calls(); n(1)
END Calls.
