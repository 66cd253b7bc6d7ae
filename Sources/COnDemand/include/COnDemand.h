#ifndef CONDEMAND_H
#define CONDEMAND_H

#include <stdbool.h>
#include <stddef.h>

/* Opens shared libraries when they are first needed instead of when the program starts: most
 * commands need few of them, and those that are linked, with all that they bring, cost every start.
 * A shim lists the functions it calls by a macro and gets one pointer for each, of the type that
 * the library's header declares:
 *
 *   #define FUNCTIONS(X) X(first_function) X(second_function)
 *   CONDEMAND_TABLE(FUNCTIONS, library)
 *   …
 *   condemand_open(names, library_symbols, &library, sizeof library, trouble, sizeof trouble)
 */

#define CONDEMAND_MEMBER(name) __typeof__(name) *name;
#define CONDEMAND_TEXT(name) #name
/* By way of another macro, so that a name may itself be one. */
#define CONDEMAND_SYMBOL(name) CONDEMAND_TEXT(name),

/* Declares a table of functions, and the names of its members in the same order. */
#define CONDEMAND_TABLE(FUNCTIONS, table)                                                          \
  struct table##_functions { FUNCTIONS(CONDEMAND_MEMBER) };                                        \
  static const char *const table##_symbols[] = {FUNCTIONS(CONDEMAND_SYMBOL) NULL};                 \
  static struct table##_functions table;

/* Opens the first of `names` (ended by null) that is there, and fills `table` with the addresses of
 * `symbols` (ended by null), which it must have as many of as `size` bytes hold. The library stays
 * open. Returns whether all were found; else `trouble` says why not in one line, and the table
 * holds nothing of use. */
bool condemand_open(
    const char *const *names, const char *const *symbols, void *table, size_t size, char *trouble,
    size_t trouble_size);

/* The address of one more function of a library that is open, or null: for what only some versions
 * of it have. */
void *condemand_find(const char *name, const char *symbol);

#endif
