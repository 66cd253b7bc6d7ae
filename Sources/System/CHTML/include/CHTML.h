#ifndef CHTML_H
#define CHTML_H

#include <stdbool.h>
#include <stddef.h>

/* libxml2's HTML parser as a stream of tags, without a tree. libxml2 is opened when it is first
 * needed and not linked: it brings the tables of ICU, which would cost every start of a program
 * some milliseconds, and most commands never read a page. */

/* Opens libxml2, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *chtml_load(void);

/* Is told of an opened element: its name in lower case, its attributes as names and values by
 * turns with null at the end (a value is null when there is none; the list is null when there are
 * none), and how many bytes were read before the end of its tag. Returns whether to go on. */
typedef bool (*chtml_opened)(
    void *context, const char *name, const char *const *attributes, size_t offset);
/* Is told of a closed element. */
typedef void (*chtml_closed)(void *context, const char *name);

typedef struct {
  void *context;
  chtml_opened opened;
  chtml_closed closed;
} chtml_listener;

/* Reads a page, UTF-8 with a byte-order mark and without bytes of zero, and tells of its elements. Returns whether there was
 * memory for it. */
bool chtml_read(const char *bytes, size_t count, const chtml_listener *listener);

#endif
