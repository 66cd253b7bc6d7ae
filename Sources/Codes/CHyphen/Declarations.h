#ifndef CHYPHEN_DECLARATIONS_H
#define CHYPHEN_DECLARATIONS_H

/* What is called of libhyphen, with the names, types and numbers of its header, so that the header need
 * not be found when this is compiled: not every system has it. `make lint` compares with the header where
 * it is. */

#include <stdio.h>

typedef struct _HyphenDict HyphenDict;

#define MAX_CHARS 100
#define MAX_NAME 20

HyphenDict *hnj_hyphen_load_file(FILE *file);
void hnj_hyphen_free(HyphenDict *dictionary);
int hnj_hyphen_hyphenate3(
    HyphenDict *dictionary, const char *word, int length, char *breaks, char *divided_word,
    char ***replacements, int **positions, int **cuts, int least_at_start, int least_at_end,
    int least_before_joint, int least_after_joint);

#endif
