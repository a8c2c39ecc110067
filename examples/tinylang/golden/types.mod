MODULE Types;
VAR n: INTEGER; b: BOOLEAN;

PROCEDURE Number(): INTEGER; BEGIN RETURN 1 END Number;
PROCEDURE Nothing; BEGIN RETURN END Nothing;

PROCEDURE P(): INTEGER;
BEGIN
  n := b; b := n; n := TRUE; b := 1;
  b := n AND b; b := b OR 2; b := NOT n;
  n := n + b; n := -b; n := +b; n := b * b; n := b DIV 2; n := 2 MOD b;
  b := b < b; b := n = b; b := b # n; b := b = b; b := n <= n;
  n := n / 2;
  IF n THEN END; IF b THEN ELSIF Number() THEN END; WHILE (n) DO END;
  IF n AND b THEN END;
  n := Nothing(); b := Number();
  RETURN b;
  RETURN
END P;

PROCEDURE Q;
BEGIN
  RETURN n
END Q;

BEGIN
  RETURN 1
END Types.
