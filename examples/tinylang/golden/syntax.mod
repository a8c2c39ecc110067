MODULE Syntax
CONST = 3; k 4; h = 1AH + 1A; big = 9223372036854775808;
VAR x INTEGER; y: ;
PROCEDURE P(a, : INTEGER; VAR b INTEGER) INTEGER;
BEGIN
  x = 1;
  x := (1 + ;
  IF x = 1 DO x := 1 ELSE;
  END;
  y := 2
  z := 3; P(1,);
  RETURN END;
  WHILE x DO x := 1; $ "text"
END P;
PROCEDURE Q; BEGIN END P;
END Other
MODULE Next; BEGIN x := 1 < 2 < 3 END Next. more
