/* rule_lex.c: the tokens of rules.
**
** A rule ends with its line, but a line that cannot end a rule continues:
** inside brackets, after an operator, or if the next line starts with what
** cannot start a rule (=> if @ and or).  So the lexer reads one token ahead,
** and the parser sees only line ends that end a rule.
**
** After an error the text appears to end, so that the parser stops soon without
** checking; only the first error is kept.
*/
#include "core/rules/language/rule_lex.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/strbuf.h"

/*
** {== Mistakes =======================================================
*/

void ph_rule_lex_fail(ph_rule_lexer *s, uint32_t at, const char *format, ...) {
  va_list args;
  s->now.kind = PH_RULE_TOK_END;
  if (s->failed) return;
  s->failed = true;
  s->where = at;
  va_start(args, format);
  ph_strbuf_message(s->why, format, args);
  va_end(args);
}

/* True if the outermost open bracket is not closed on its line. */
static bool is_bracket_open(const ph_rule_lexer *s) {
  uint32_t opened, line, col;
  if (s->open == 0) return false;
  ph_ascii_position(s->text, s->opened, &opened, &col);
  ph_ascii_position(s->text, s->now.at, &line, &col);
  return line != opened;
}

void ph_rule_lex_unexpected(ph_rule_lexer *s, const char *what) {
  ph_str missing = ph_ascii_str(what);
  const ph_lexeme *t = &s->now;
  if (s->failed) return;
  if (t->kind == '=')
    ph_rule_lex_fail(s, t->at, "equal is '=='; a rule's arrow is '=>'");
  if (t->kind == '{')
    ph_rule_lex_fail(s, t->at,
                     "brackets are (), [] around alternatives, and {} around "
                     "the data of an op");
  if (is_bracket_open(s))
    ph_rule_lex_fail(s, s->opened, "this bracket is not closed: $ expected",
                     missing);
  else if (t->kind == PH_RULE_TOK_END)
    ph_rule_lex_fail(s, t->at, "$ expected, the text ends", missing);
  else if (t->kind == PH_RULE_TOK_LINE)
    ph_rule_lex_fail(s, t->at, "$ expected, the rule ends", missing);
  else
    ph_rule_lex_fail(s, t->at, "$ expected, got '$'", missing, t->s);
}

/* }== Parts of tokens ================================================ */

/* Returns the character at `at`; '\0' after the end. */
static char peek(const ph_rule_lexer *s, uint32_t at) {
  return at < s->text.n ? s->text.at[at] : '\0';
}

/* Takes everything that may belong to a number; its reader reports errors in
** it. */
static int scan_number(const ph_rule_lexer *s, ph_lexeme *t) {
  bool hex = peek(s, t->at) == '0' && (peek(s, t->at + 1) | 32) == 'x';
  int kind = PH_RULE_TOK_INTEGER;
  for (uint32_t i = t->at;; i++) {
    char c = peek(s, i), last = i > t->at ? (char)(peek(s, i - 1) | 32) : '\0';
    bool exponent = !hex && last == 'e' && (c == '-' || c == '+');
    bool fraction = c == '.' || exponent || (!hex && (c | 32) == 'e');
    t->end = i;
    if (!fraction && !ph_ascii_isletter(c) && !ph_ascii_isdigit(c)) return kind;
    if (fraction) kind = PH_RULE_TOK_FLOAT;
  }
}

static int scan_string(ph_rule_lexer *s, ph_lexeme *t) {
  t->end = t->at + 1;
  while (t->end < s->text.n && peek(s, t->end) != '"' &&
         peek(s, t->end) != '\n')
    t->end++;
  if (peek(s, t->end) == '"') {
    t->end++;
    return PH_RULE_TOK_STRING;
  }
  ph_rule_lex_fail(s, t->at, "this string is not closed on its line");
  return PH_RULE_TOK_END;
}

/* Refuses the operators of other languages, naming those of phial. */
static bool refuse_foreign(ph_rule_lexer *s, uint32_t at) {
  static const struct {
    const char *sign, *instead;
  } foreign[] = {
      {"->", "the arrow of a rule is '=>'"},
      {"==>", "the arrow of a rule is '=>'"},
      {"!=", "not equal is '~='"},
      {"<>", "not equal is '~='"},
      {"&&", "on conditions it is 'and', on bits '&'"},
      {"||", "on conditions it is 'or', on bits '|'"},
      {"//",
       "a comment starts with '--', and division has no operator here: sdiv "
       "or udiv"},
      {"/*", "a comment starts with '--' and ends with its line"},
      {">>>", "'>>' already shifts zeros in; sar(x, y) shifts the sign in"},
      {"/", "division has no operator here: sdiv, udiv, srem or urem"},
      {"%", "division has no operator here: sdiv, udiv, srem or urem"},
      {"^", "exclusive or is '~'"},
      {"?", "a choice between values is select(c, x, y)"},
      {"#", "a comment starts with '--'"},
      {";", "a rule ends at the end of its line; a comment starts with '--'"},
  };
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const char *sign = foreign[i].sign;
    size_t n = sign[0] == s->text.at[at] ? strlen(sign) : 0;
    if (n == 0 || s->text.n - at < n || memcmp(s->text.at + at, sign, n) != 0)
      continue;
    ph_rule_lex_fail(s, at, foreign[i].instead);
    return true;
  }
  return false;
}

static int scan_mark(ph_rule_lexer *s, ph_lexeme *t) {
  static const struct {
    char at[2];
    int kind;
  } pairs[] = {{{'=', '>'}, PH_RULE_TOK_ARROW}, {{'=', '='}, PH_RULE_TOK_EQ},
               {{'~', '='}, PH_RULE_TOK_NE},    {{'<', '='}, PH_RULE_TOK_LE},
               {{'>', '='}, PH_RULE_TOK_GE},    {{'<', '<'}, PH_RULE_TOK_SHL},
               {{'>', '>'}, PH_RULE_TOK_SHR}};
  char c = peek(s, t->at);
  char next = peek(s, t->at + 1);
  bool arrow = c == '=' && next == '>';
  bool equal = c == '=' && next == '=' && peek(s, t->at + 2) != '>';
  if (!arrow && !equal && refuse_foreign(s, t->at)) return PH_RULE_TOK_END;
  t->end = t->at + 2;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (c == pairs[i].at[0] && peek(s, t->at + 1) == pairs[i].at[1])
      return pairs[i].kind;
  t->end = ph_ascii_skipchar(s->text, t->at);
  if (c != '\0' && strchr("+-*&|~<>()[]{},:!$@=", c) != NULL)
    return (unsigned char)c;
  ph_rule_lex_fail(s, t->at, "no token starts with '$'",
                   (ph_str){s->text.at + t->at, t->end - t->at});
  return PH_RULE_TOK_END;
}

/* }== Tokens ========================================================= */

static ph_lexeme scan_at(ph_rule_lexer *s, uint32_t at) {
  ph_lexeme t = {PH_RULE_TOK_END, 0, 0, {"", 0}};
  char c;
  t.at = t.end = ph_ascii_skipblanks(s->text, at);
  c = peek(s, t.at);
  if (t.at >= s->text.n) return t;
  if (c == '\n') {
    t.end++;
    t.kind = PH_RULE_TOK_LINE;
  } else if (ph_ascii_isletter(c)) {
    t.end = ph_ascii_skipname(s->text, t.at);
    t.kind = PH_RULE_TOK_NAME;
  } else if (ph_ascii_isdigit(c)) {
    t.kind = scan_number(s, &t);
  } else if (c == '"') {
    t.kind = scan_string(s, &t);
  } else {
    t.kind = scan_mark(s, &t);
  }
  t.s = (ph_str){s->text.at + t.at, t.end - t.at};
  return t;
}

static bool is_word(const ph_lexeme *t, const char *word) {
  return t->kind == PH_RULE_TOK_NAME && ph_ascii_equal(t->s, word);
}

/* True if no rule can start with t. */
static bool continues_rule(const ph_lexeme *t) {
  return t->kind == PH_RULE_TOK_ARROW || t->kind == '@' || is_word(t, "if") ||
         is_word(t, "and") || is_word(t, "or");
}

/* True if no rule can end with t. */
static bool is_unfinished(const ph_lexeme *t) {
  switch (t->kind) {
    case PH_RULE_TOK_END:
    case PH_RULE_TOK_LINE:
    case PH_RULE_TOK_INTEGER:
    case PH_RULE_TOK_FLOAT:
    case PH_RULE_TOK_STRING:
    case ')':
    case ']':
      return false;
    case PH_RULE_TOK_NAME:
      return is_word(t, "if") || is_word(t, "and") || is_word(t, "or") ||
             is_word(t, "not");
    default:
      return true;
  }
}

/* Returns the token after t, without line ends that do not end a rule. */
static ph_lexeme token_after(ph_rule_lexer *s, const ph_lexeme *t) {
  ph_lexeme line = scan_at(s, t->end), next = line;
  if (line.kind != PH_RULE_TOK_LINE) return line;
  while (next.kind == PH_RULE_TOK_LINE) next = scan_at(s, next.end);
  if (s->open > 0 || is_unfinished(t) || continues_rule(&next)) return next;
  return line;
}

void ph_rule_lex_next(ph_rule_lexer *s) {
  if (s->failed) return;
  s->before = s->now.end;
  s->now = s->after;
  bool opens = s->now.kind == '(' || s->now.kind == '[';
  if (opens && s->open == 0) s->opened = s->now.at;
  if (opens) s->open++;
  if ((s->now.kind == ')' || s->now.kind == ']') && s->open > 0) s->open--;
  s->after = token_after(s, &s->now);
  if (s->failed) s->now.kind = PH_RULE_TOK_END;
}

void ph_rule_lex_start(ph_rule_lexer *s, ph_str text, uint32_t at,
                       ph_strbuf *why) {
  memset(s, 0, sizeof *s);
  s->text = text;
  s->why = why;
  s->before = at;
  s->now.kind = PH_RULE_TOK_LINE;
  s->now.end = at;
  s->after = scan_at(s, at);
  ph_rule_lex_next(s);
}

bool ph_rule_lex_is(const ph_rule_lexer *s, const char *word) {
  return is_word(&s->now, word);
}

bool ph_rule_lex_accept(ph_rule_lexer *s, int kind) {
  if (s->now.kind != kind) return false;
  ph_rule_lex_next(s);
  return true;
}

bool ph_rule_lex_expect(ph_rule_lexer *s, int kind, const char *what) {
  if (ph_rule_lex_accept(s, kind)) return true;
  ph_rule_lex_unexpected(s, what);
  return false;
}

/* }=================================================================== */
