MODULE Locals;
PROCEDURE Sum(n: INTEGER): INTEGER;
VAR i, sum: INTEGER;
BEGIN
  i := 0; sum := 0;
  WHILE i < n DO
    i := i + 1;
    IF i MOD 3 = 0 THEN sum := sum + i ELSIF i MOD 5 = 0 THEN sum := sum - i ELSE sum := -sum END
  END;
  RETURN sum
END Sum;
END Locals.
