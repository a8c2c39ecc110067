MODULE Names;
IMPORT Nowhere, Names;
FROM Other IMPORT known, unknown, known;
FROM Nowhere IMPORT nothing;
CONST limit = 10;
VAR limit, v, v: INTEGER; w: Integer; x: v; y: Other.known;

PROCEDURE P(a, a: INTEGER; VAR b: Other);
VAR a, c: INTEGER;

  PROCEDURE Inner;
  BEGIN
    c := 1; b := c; v := 1
  END Inner;

BEGIN
  undeclared := Undeclared + INTEGER + P + Other.known;
  V := v.w + Other.missing;
  limit := 1; P := 2; INTEGER := 3;
  Inner; c(); Missing(v)
END P;

END Names.

MODULE Other;
CONST known = 1;
END Other.

MODULE Other; END Other.
