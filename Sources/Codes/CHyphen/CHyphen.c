#include "CHyphen.h"

#include <COnDemand.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <hyphen.h>
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(hnj_hyphen_load_file)                                                                          \
  X(hnj_hyphen_free)                                                                               \
  X(hnj_hyphen_hyphenate3)

CONDEMAND_TABLE(FUNCTIONS, library)

#ifdef __APPLE__
static const char *const names[] = {"libhyphen.0.dylib", NULL};
#else
static const char *const names[] = {"libhyphen.so.0", NULL};
#endif

CONDEMAND_LOAD(chyphen_load, library, names)

struct chyphen_dictionary {
  char *text;
  size_t length;
  char charset[MAX_NAME];
};

chyphen_dictionary *chyphen_open(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  chyphen_dictionary *dictionary = calloc(1, sizeof *dictionary);
  size_t room = 0;
  while (dictionary && !feof(file)) {
    if (dictionary->length + 1 >= room) {
      room += 1 << 20;
      char *larger = realloc(dictionary->text, room);
      if (!larger) break;
      dictionary->text = larger;
    }
    dictionary->length +=
        fread(dictionary->text + dictionary->length, 1, room - dictionary->length - 1, file);
    if (ferror(file)) break;
  }
  int is_whole = dictionary && dictionary->text && feof(file) &&
                 !memchr(dictionary->text, 0, dictionary->length);
  fclose(file);
  if (!is_whole) {
    chyphen_close(dictionary);
    return NULL;
  }
  dictionary->text[dictionary->length] = 0;
  size_t end = strcspn(dictionary->text, "\r\n");
  if (end < sizeof dictionary->charset) memcpy(dictionary->charset, dictionary->text, end);
  return dictionary;
}

void chyphen_close(chyphen_dictionary *dictionary) {
  if (dictionary) free(dictionary->text);
  free(dictionary);
}

const char *chyphen_charset(const chyphen_dictionary *dictionary) { return dictionary->charset; }

/* A growing text; `text` is null without memory. */
struct part {
  char *text;
  size_t length;
};

static void add(struct part *part, const char *text, size_t length) {
  memcpy(part->text + part->length, text, length);
  part->length += length;
}

/* How many characters of a pattern are in a word; a dot is at each of its joints. */
static size_t common(const char *pattern, size_t count, const char *word) {
  size_t same = 0;
  while (same < count && (pattern[same] == '.' || pattern[same] == *word)) {
    if (pattern[same++] != '.') word++;
  }
  return same;
}

/* Adds the lines of one level that matter for a word: settings, and patterns whose letters it has.
 * libhyphen takes the longest beginning of a pattern that it meets, also if the pattern does not go
 * on as the word does; of each such beginning a line without digits is added before the patterns, of
 * which the last one counts. */
static void add_level(
    struct part *part, const char *level, const char *end, const char *word, size_t length,
    char *is_known) {
  memset(is_known, 0, 2 * length * (length + 3));
  for (int adds_patterns = 0; adds_patterns < 2; adds_patterns++) {
    for (const char *line = level, *next; line < end; line = next) {
      size_t size = strcspn(line, "\r\n");
      next = line + size + strspn(line + size, "\r\n");
      if (*line == '%' || *line == '#') continue;
      char letters[MAX_CHARS];
      size_t count = 0;
      /* Settings begin with a capital letter, patterns do not. */
      int is_setting = size >= sizeof letters || isupper((unsigned char)*line);
      for (size_t i = 0; i < size && line[i] != '/' && !is_setting; i++) {
        if (line[i] < '0' || line[i] > '9') letters[count++] = line[i];
      }
      size_t shared = 0, at = 0;
      for (size_t start = 0; start < length && shared < count; start++) {
        size_t same = common(letters, count, word + start);
        if (same > shared) shared = same, at = start;
      }
      if (adds_patterns && shared == count) {
        add(part, line, size);
        add(part, "\n", 1);
      } else if (!adds_patterns && shared > 0 && shared < count && shared < length + 3) {
        /* A pattern of dots alone is longer than any word. */
        char *known = is_known + (2 * at + (*letters == '.')) * (length + 3) + shared;
        if (*known) continue;
        *known = 1;
        add(part, letters, shared);
        add(part, "\n", 1);
      }
    }
  }
}

/* Reads the part of a dictionary that matters for a word. libhyphen needs seconds for all of the
 * German one. */
static HyphenDict *part_for(const chyphen_dictionary *dictionary, const char *word, int length) {
  static const char next_level[] = "\nNEXTLEVEL";
  /* Every beginning is shorter than its line, but one may have no line end at the end of the file. */
  struct part part = {malloc(dictionary->length + 2), 0};
  char *is_known = malloc(2 * (size_t)length * ((size_t)length + 3));
  HyphenDict *read = NULL;
  if (part.text && is_known) {
    const char *end = dictionary->text + dictionary->length;
    size_t first = strcspn(dictionary->text, "\r\n");
    add(&part, dictionary->text, first);
    add(&part, "\n", 1);
    for (const char *level = dictionary->text + first; level < end;) {
      const char *found = strstr(level, next_level);
      const char *level_end = found ? found + 1 : end;
      level += strspn(level, "\r\n");
      add_level(&part, level, level_end, word, (size_t)length, is_known);
      if (!found) break;
      add(&part, next_level + 1, sizeof next_level - 2);
      add(&part, "\n", 1);
      level = level_end + sizeof next_level - 2;
      level += strcspn(level, "\r\n");
    }
    FILE *file = fmemopen(part.text, part.length, "r");
    if (file) {
      read = library.hnj_hyphen_load_file(file);
      fclose(file);
    }
  }
  free(is_known);
  free(part.text);
  return read;
}

/* Marks the letters after which the word may be divided. */
static int mark(
    HyphenDict *words, const char *word, int length, int least, int least_at_joint, char *breaks) {
  char **replacements = NULL;
  int *positions = NULL, *cuts = NULL;
  memset(breaks, 0, (size_t)length + 5);
  int trouble = library.hnj_hyphen_hyphenate3(
      words, word, length, breaks, NULL, &replacements, &positions, &cuts, least, least,
      least_at_joint, least_at_joint);
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

int chyphen_divide(
    const chyphen_dictionary *dictionary, const char *word, int length, int least, char *breaks) {
  HyphenDict *words = part_for(dictionary, word, length);
  char *joints = malloc((size_t)length + 5);
  int trouble = !words || !joints || mark(words, word, length, least, 2, breaks)
                || mark(words, word, length, least, length, joints);
  /* A word without joints is divided as if no letter had to stay at them. */
  if (!trouble && memcmp(breaks, joints, (size_t)length)) {
    for (int i = 0; i < length; i++) {
      if (joints[i]) breaks[i] = 2;
    }
  }
  if (words) library.hnj_hyphen_free(words);
  free(joints);
  return trouble;
}
