#ifndef CHYPHEN_H
#define CHYPHEN_H

/* libhyphen divides words by the dictionaries of LibreOffice and TeX. It is opened when a word is
 * first divided, not linked: few commands set text, and without it words are not divided. */

/* Opens libhyphen, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *chyphen_load(void);

/* The text of a dictionary. */
typedef struct chyphen_dictionary chyphen_dictionary;

/* Reads a dictionary; null if there is none. It is freed by `chyphen_close`. */
chyphen_dictionary *chyphen_open(const char *path);
void chyphen_close(chyphen_dictionary *dictionary);

/* The name of the dictionary's character set, such as `UTF-8` or `ISO8859-1`. */
const char *chyphen_charset(const chyphen_dictionary *dictionary);

/* Divides a word of lower-case letters in the dictionary's character set.
 *
 * `breaks` holds `length` + 5 bytes; afterwards that of a letter, counted in characters, is 1 if
 * the word may be divided after it without a change of its spelling, 2 if two words of a compound
 * are joined there as far as the dictionary has them, and 0 if not. At least `least` letters stay on
 * each side. Returns 0, or another number without memory. */
int chyphen_divide(
    const chyphen_dictionary *dictionary, const char *word, int length, int least, char *breaks);

#endif
