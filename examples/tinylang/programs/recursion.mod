(* Procedures that call themselves and each other. *)
MODULE Recursion;

PROCEDURE Even(n: INTEGER): BOOLEAN;
BEGIN
  RETURN (n = 0) OR Odd(n - 1)
END Even;

PROCEDURE Odd(n: INTEGER): BOOLEAN;
BEGIN
  RETURN (n # 0) AND Even(n - 1)
END Odd;

PROCEDURE Ackermann(m, n: INTEGER): INTEGER;
BEGIN
  IF m = 0 THEN RETURN n + 1
  ELSIF n = 0 THEN RETURN Ackermann(m - 1, 1)
  ELSE RETURN Ackermann(m - 1, Ackermann(m, n - 1))
  END
END Ackermann;

PROCEDURE Hanoi(n: INTEGER): INTEGER;
VAR moves: INTEGER;

  PROCEDURE Move(n, from, to: INTEGER; VAR moves: INTEGER);
  BEGIN
    IF n = 0 THEN RETURN END;
    Move(n - 1, from, 6 - from - to, moves);
    moves := moves + 1;
    Move(n - 1, 6 - from - to, to, moves)
  END Move;

BEGIN
  moves := 0;
  Move(n, 1, 3, moves);
  RETURN moves
END Hanoi;

PROCEDURE Collatz(n: INTEGER): INTEGER;
BEGIN
  IF n = 1 THEN RETURN 0 END;
  IF n MOD 2 = 0 THEN RETURN 1 + Collatz(n DIV 2) END;
  RETURN 1 + Collatz(3 * n + 1)
END Collatz;

END Recursion.
