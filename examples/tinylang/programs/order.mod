(* VAR parameters: locals that are passed as VAR are in memory, others never. *)
MODULE Order;

PROCEDURE Swap(VAR a, b: INTEGER);
VAR t: INTEGER;
BEGIN
  t := a; a := b; b := t
END Swap;

PROCEDURE Sort(VAR a, b: INTEGER);
BEGIN
  IF a > b THEN Swap(a, b) END
END Sort;

PROCEDURE Median(a, b, c: INTEGER): INTEGER;
BEGIN
  Sort(a, b); Sort(b, c); Sort(a, b);
  RETURN b
END Median;

(* Quotient and rest, by subtraction; FALSE if there are none. *)
PROCEDURE Divide(n, by: INTEGER; VAR quotient, rest: INTEGER): BOOLEAN;
BEGIN
  IF (n < 0) OR (by <= 0) THEN RETURN FALSE END;
  quotient := 0;
  rest := n;
  WHILE rest >= by DO
    quotient := quotient + 1;
    rest := rest - by
  END;
  RETURN TRUE
END Divide;

PROCEDURE Digits(n: INTEGER): INTEGER;
VAR sum, digit: INTEGER;
BEGIN
  sum := 0;
  WHILE (n > 0) AND Divide(n, 10, n, digit) DO sum := sum + digit END;
  RETURN sum
END Digits;

END Order.
