MODULE Var;
VAR global: INTEGER;

PROCEDURE Inc(VAR n: INTEGER; by: INTEGER);
BEGIN
  n := n + by
END Inc;

PROCEDURE P(given: INTEGER; VAR flag: BOOLEAN): INTEGER;
VAR local, value: INTEGER; done: BOOLEAN;
BEGIN
  value := 3;
  local := value;
  Inc(local, value); Inc(given, local); Inc(global, given);
  Q(flag); Q(done);
  IF done THEN RETURN local END;
  RETURN given + global
END P;

PROCEDURE Q(VAR flag: BOOLEAN); BEGIN flag := NOT flag END Q;

END Var.
