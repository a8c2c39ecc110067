/* options.c: the command line of a replay. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: replay FILE.sst [repeats] [options]\n"
    "  --construction NAME            marker (default), simple, scc or "
    "operand;\n"
    "                                 or cytron, briggs, choi, djgraph, "
    "aycock, brandis\n"
    "  --structured                   only functions that brandis takes, as "
    "brandis implies\n"
    "  --rules                        construct with the default rules, "
    "folding and CSE\n"
    "  --at-once                      with --rules: finish does not simplify "
    "once more\n"
    "  --seal traced|end|random       when blocks are sealed, default traced\n"
    "  --seed N                       of --seal random, default 1\n"
    "  --fresh-moves                  replay each m as w\n"
    "  --bare                         make blocks and instructions only, no "
    "variables\n"
    "  --verified                     verify each function once it is "
    "finished\n"
    "  --left                         leave SSA form, coalescing, once it is "
    "finished;\n"
    "                                 count moves\n"
    "  --verify                       check each function, minimal and pruned\n"
    "                                 too (not timed)\n"
    "  --phis FILE                    a line `index phis` for each function\n";

static _Noreturn void refuse(const char *what, const char *word) {
  fprintf(stderr, "replay: %s '%s'\n%s", what, word, usage);
  exit(2);
}

/* What --construction can be: a variant of the paper's algorithm, or one of the
** classical ones. */
static const struct {
  const char *name;
  ph_construction construction;
  bool is_classic;
  ph_classic classic;
} constructions[] = {
    {"marker", PH_MARKER, false, PH_CYTRON},
    {"simple", PH_SIMPLE, false, PH_CYTRON},
    {"scc", PH_SCC, false, PH_CYTRON},
    {"operand", PH_OPERAND, false, PH_CYTRON},
    {"cytron", PH_MARKER, true, PH_CYTRON},
    {"briggs", PH_MARKER, true, PH_BRIGGS},
    {"choi", PH_MARKER, true, PH_CHOI},
    {"djgraph", PH_MARKER, true, PH_DJGRAPH},
    {"aycock", PH_MARKER, true, PH_AYCOCK},
    {"brandis", PH_MARKER, true, PH_BRANDIS},
};

static void construction(options *o, const char *name) {
  size_t n = sizeof constructions / sizeof *constructions, i = 0;
  while (i < n && strcmp(name, constructions[i].name) != 0) i++;
  if (i == n) refuse("unknown construction", name);
  o->construction = constructions[i].construction;
  o->is_classic = constructions[i].is_classic;
  o->classic = constructions[i].classic;
  o->construction_name = name;
  if (o->is_classic && o->classic == PH_BRANDIS) o->structured = true;
}

static void seal(options *o, const char *name) {
  if (strcmp(name, "traced") == 0)
    o->seal = SEAL_TRACED;
  else if (strcmp(name, "end") == 0)
    o->seal = SEAL_END;
  else if (strcmp(name, "random") == 0)
    o->seal = SEAL_RANDOM;
  else
    refuse("unknown order of sealing", name);
  o->seal_name = name;
}

/* A number from 1 on; 0 if the word is not one. */
static uint32_t number(const char *word) {
  char *end;
  long n = strtol(word, &end, 10);
  return *end == '\0' && n > 0 && n < INT32_MAX ? (uint32_t)n : 0;
}

static void seed(options *o, const char *word) {
  o->seed = number(word);
  if (o->seed == 0) refuse("bad seed", word);
}

/* Reads an option with a value; false if `name` is not one. */
static bool valued(options *o, const char *name, const char *word) {
  if (strcmp(name, "--construction") == 0)
    construction(o, word);
  else if (strcmp(name, "--seal") == 0)
    seal(o, word);
  else if (strcmp(name, "--seed") == 0)
    seed(o, word);
  else if (strcmp(name, "--phis") == 0)
    o->phis = word;
  else
    return false;
  return true;
}

static void plain(options *o, const char *word) {
  if (strcmp(word, "--fresh-moves") == 0)
    o->fresh_moves = true;
  else if (strcmp(word, "--verified") == 0)
    o->verified = true;
  else if (strcmp(word, "--left") == 0)
    o->left = true;
  else if (strcmp(word, "--verify") == 0)
    o->verify = true;
  else if (strcmp(word, "--bare") == 0)
    o->bare = true;
  else if (strcmp(word, "--structured") == 0)
    o->structured = true;
  else if (strcmp(word, "--rules") == 0)
    o->rules = true;
  else if (strcmp(word, "--at-once") == 0)
    o->at_once = true;
  else if (word[0] == '-')
    refuse("unknown option, or nothing follows:", word);
  else if (o->file == NULL)
    o->file = word;
  else if ((o->repeats = (int)number(word)) == 0)
    refuse("bad number of repeats", word);
}

options options_read(int argc, char **argv) {
  options o = {.repeats = 3, .seed = 1};
  construction(&o, "marker");
  seal(&o, "traced");
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && valued(&o, argv[i], argv[i + 1]))
      i++;
    else
      plain(&o, argv[i]);
  }
  if (o.file == NULL) {
    fputs(usage, stderr);
    exit(2);
  }
  if (o.rules && o.is_classic)
    refuse("--rules is for construction on the fly, not for",
           o.construction_name);
  return o;
}
