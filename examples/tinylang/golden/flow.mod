MODULE Flow;
PROCEDURE Take(n: INTEGER); BEGIN END Take;
PROCEDURE Set(VAR n: INTEGER); BEGIN n := 1 END Set;

PROCEDURE Reads(n: INTEGER): INTEGER;
VAR never, one, both, later, lent: INTEGER; b: BOOLEAN;
BEGIN
  Take(never);
  IF (n > 3) (* really *) AND b THEN one := 1; both := 1 ELSE both := 2 END;
  WHILE n > 0 DO n := n - later; later := 1 END;
  Take(lent); Set(lent);
  IF n = 5 THEN RETURN one + both + lent + one END;
  RETURN later
END Reads;

PROCEDURE Ends(n: INTEGER): INTEGER;
BEGIN
  IF n > 0 THEN RETURN 1 ELSIF n < 0 THEN RETURN 2 END
END Ends;

PROCEDURE Empty(): BOOLEAN;
END Empty;

PROCEDURE NeverEnds(n: INTEGER): INTEGER;
BEGIN
  WHILE TRUE DO IF n > 1 THEN RETURN n END; n := n + 1 END
END NeverEnds;

PROCEDURE Decides(n: INTEGER): INTEGER;
VAR dead: INTEGER;
BEGIN
  IF n > 1 THEN RETURN 1 ELSE RETURN 2 END;
  RETURN dead
END Decides;

PROCEDURE SameOnBothSides(n: INTEGER): INTEGER;
BEGIN
  IF n = n THEN RETURN 1 END
END SameOnBothSides;

END Flow.
