#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

/* libarchive's reader of ZIP files, one entry after another. It is opened when it is first needed and
 * not linked: only who takes in App Clip Codes from a ZIP file needs it. */

/* Opens libarchive, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *carchive_load(void);

typedef struct carchive carchive;

/* Opens a ZIP file for reading. Returns null when there is no memory. Whether it is one is told by the
 * first entry. */
carchive *carchive_open(const char *path);

/* What an archive gave. */
typedef enum { CARCHIVE_ENTRY, CARCHIVE_END, CARCHIVE_BROKEN } carchive_status;

/* Goes to the next entry that is a regular file, folders and links left out. `name` is valid until
 * the next call; null when it is not UTF-8. */
carchive_status carchive_next(carchive *archive, const char **name);

/* Reads from the entry that carchive_next gave. Returns how many bytes; 0 at its end; negative when
 * the archive is broken there. */
long carchive_read(carchive *archive, void *bytes, size_t count);

/* What libarchive says is wrong; never null, valid until the next call. */
const char *carchive_trouble(carchive *archive);

void carchive_close(carchive *archive);

#endif
