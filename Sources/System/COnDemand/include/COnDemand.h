#ifndef CONDEMAND_H
#define CONDEMAND_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens shared libraries when they are first needed instead of when the program starts: most
 * commands need few of them, and those that are linked, with all that they bring, cost every start.
 * A shim lists the functions it calls by a macro and gets one pointer for each, of the type that
 * the library's header declares:
 *
 *   #define FUNCTIONS(X) X(first_function) X(second_function)
 *   CONDEMAND_TABLE(FUNCTIONS, library)
 *   static const char *const names[] = {"liblibrary.so.1", NULL};
 *   CONDEMAND_LOAD(clibrary_load, library, names)
 *
 * A shim that has more to do when its library opens calls `condemand_open` itself.
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

/* Defines `load`, which opens the library once, whoever calls it, and returns null, or for ever the
 * line that says why it cannot be used. */
#define CONDEMAND_LOAD(load, table, names)                                                         \
  static char table##_trouble[512];                                                                \
  static bool table##_is_usable;                                                                   \
  static pthread_once_t table##_once = PTHREAD_ONCE_INIT;                                          \
  static void table##_open(void) {                                                                 \
    table##_is_usable = condemand_open(                                                            \
        names, table##_symbols, &table, sizeof table, table##_trouble, sizeof table##_trouble);    \
  }                                                                                                \
  const char *load(void) {                                                                         \
    pthread_once(&table##_once, table##_open);                                                     \
    return table##_is_usable ? NULL : table##_trouble;                                             \
  }

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
