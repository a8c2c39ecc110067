MODULE Main;
IMPORT Counter;
FROM Counter IMPORT next, Step;
CONST Twice = Step * 2;
VAR first: INTEGER;

PROCEDURE Next(): INTEGER;
  PROCEDURE Advance(VAR n: INTEGER); BEGIN n := n + Twice END Advance;
BEGIN
  Advance(Counter.next);
  RETURN next - first
END Next;

BEGIN
  Counter.Reset;
  first := next
END Main.

MODULE Counter;
CONST Step = 0AH DIV 2;
VAR next: INTEGER;
PROCEDURE Reset; BEGIN next := Step END Reset;
END Counter.
