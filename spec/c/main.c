/* main.c: runs the specs of one topic of the core: `core TOPIC`,
** `core damage [RUNS [SEED]]`, or `core programs FILE ...`.  Exits with 0 when all is as it should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

typedef struct {
  const char *name;
  int (*run)(void);
} topic;

static const topic topics[] = {
    {"lists", spec_lists},
    {"verify", spec_verify},
    {"construction", spec_construction},
    {"questions", spec_questions},
    {"reports", spec_reports},
    {"texts", spec_texts},
    {"sets", spec_sets},
    {"assume", spec_assume},
    {"pool", spec_pool},
    {"interface", spec_interface},
    {"misuse", spec_misuse},
    {"calls", spec_calls},
    {"freeze", spec_freeze},
};

static uint32_t number(const char *word, uint32_t otherwise) {
  return word != NULL ? (uint32_t)strtoul(word, NULL, 10) : otherwise;
}

static int damage(char **words) {
  const char *runs = words[0], *seed = runs != NULL ? words[1] : NULL;
  return spec_damage(number(runs, 3000), number(seed, 1));
}

static int run(const char *name, char **words) {
  if (strcmp(name, "damage") == 0) return damage(words);
  if (strcmp(name, "programs") == 0) return spec_programs(words);
  for (size_t i = 0; i < SPEC_COUNT(topics); i++)
    if (strcmp(name, topics[i].name) == 0) return topics[i].run();
  fprintf(stderr, "core: no topic '%s'\n", name);
  return 1;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* nothing is lost in a crash */
  if (argc < 2) {
    fputs("usage: core TOPIC\n", stderr);
    return EXIT_FAILURE;
  }
  return run(argv[1], argv + 2) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
