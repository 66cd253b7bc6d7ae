#include "CHyphen.h"

#include <COnDemand.h>
#include <hyphen.h>
#include <stdlib.h>
#include <string.h>

/* Each function by the name and type that the header gives it. */
#define FUNCTIONS(X)                                                                               \
  X(hnj_hyphen_load)                                                                               \
  X(hnj_hyphen_free)                                                                               \
  X(hnj_hyphen_hyphenate3)

CONDEMAND_TABLE(FUNCTIONS, library)

#ifdef __APPLE__
static const char *const names[] = {"libhyphen.0.dylib", NULL};
#else
static const char *const names[] = {"libhyphen.so.0", NULL};
#endif

CONDEMAND_LOAD(chyphen_load, library, names)

chyphen_dictionary *chyphen_open(const char *path) { return library.hnj_hyphen_load(path); }

void chyphen_close(chyphen_dictionary *dictionary) { library.hnj_hyphen_free(dictionary); }

const char *chyphen_charset(const chyphen_dictionary *dictionary) { return dictionary->cset; }

int chyphen_divide(
    chyphen_dictionary *dictionary, const char *word, int length, int least, char *breaks) {
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  memset(breaks, 0, (size_t)length + 5);
  int trouble = library.hnj_hyphen_hyphenate3(
      dictionary, word, length, breaks, NULL, &replacements, &positions, &cuts, least, least, least,
      least);
  for (int i = 0; i < length; i++) {
    /* A change of the spelling, such as a third letter of three, is not made. */
    int changes = replacements && replacements[i];
    breaks[i] = (breaks[i] & 1) && !changes;
    if (changes) free(replacements[i]);
  }
  free(replacements);
  free(positions);
  free(cuts);
  return trouble;
}
