(* Two modules: a generator of numbers that remembers the last one, and dice. *)
MODULE Random;

CONST
  Factor = 48271;
  Modulus = 7FFFFFFFH;          (* 2^31 - 1 (* hexadecimal numbers end in H *) *)

VAR last: INTEGER;

PROCEDURE Next(limit: INTEGER): INTEGER;
BEGIN
  last := last * Factor MOD Modulus;
  RETURN last MOD limit
END Next;

PROCEDURE Seed(n: INTEGER);
BEGIN
  IF n MOD Modulus = 0 THEN n := 1 END;
  last := n MOD Modulus
END Seed;

BEGIN
  Seed(2024)
END Random.

MODULE Dice;

IMPORT Random;
FROM Random IMPORT Next;

CONST Sides = 6; Enough = Sides * 2;

VAR sixes, thrown: INTEGER; lucky: BOOLEAN;

PROCEDURE Throw(): INTEGER;
VAR points: INTEGER;
BEGIN
  points := Next(Sides) + 1;
  thrown := thrown + 1;
  IF points = Sides THEN
    sixes := sixes + 1
  ELSIF points = 1 THEN
    lucky := FALSE
  END;
  RETURN points
END Throw;

(* The sum of n throws. *)
PROCEDURE Sum(n: INTEGER): INTEGER;
VAR sum: INTEGER;
BEGIN
  sum := 0;
  WHILE n > 0 DO sum := sum + Throw(); n := n - 1 END;
  RETURN sum
END Sum;

(* The number of throws until there are that many points. *)
PROCEDURE Until(points: INTEGER): INTEGER;
VAR before: INTEGER;
BEGIN
  before := thrown;
  WHILE points > 0 DO points := points - Throw() END;
  RETURN thrown - before
END Until;

PROCEDURE Lucky(seed: INTEGER): BOOLEAN;
BEGIN
  Random.Seed(seed);
  lucky := TRUE;
  RETURN (Until(Enough) < 5) AND lucky AND NOT (sixes = 0)
END Lucky;

BEGIN
  sixes := 0; thrown := 0; lucky := TRUE
END Dice.
