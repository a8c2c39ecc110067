MODULE Constants;
CONST
  a = b + 1; b = c; c = a;
  zero = 1 DIV 0; rest = 1 MOD (2 - 2);
  least = -7FFFFFFFFFFFFFFFH - 1; fits = least DIV (-1);
  v = n; f = P(); t = 1 + TRUE; u = missing;
VAR n: INTEGER;
PROCEDURE P(): INTEGER; BEGIN RETURN 1 END P;
END Constants.
