#include "CArchive.h"

#include <COnDemand.h>
#include <stdlib.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <archive.h>
#include <archive_entry.h>
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(archive_read_new)                                                                              \
  X(archive_read_support_format_zip)                                                               \
  X(archive_read_open_filename)                                                                    \
  X(archive_read_next_header)                                                                      \
  X(archive_entry_filetype)                                                                        \
  X(archive_entry_pathname_utf8)                                                                   \
  X(archive_read_data)                                                                             \
  X(archive_error_string)                                                                          \
  X(archive_read_free)

CONDEMAND_TABLE(FUNCTIONS, library)
#ifdef __APPLE__
static const char *const names[] = {"libarchive.2.dylib", NULL};
#else
static const char *const names[] = {"libarchive.so.13", NULL};
#endif
CONDEMAND_LOAD(carchive_load, library, names)

struct carchive {
  struct archive *reader;
  int opened;
};

carchive *carchive_open(const char *path) {
  carchive *archive = calloc(1, sizeof *archive);
  if (!archive) return NULL;
  archive->reader = library.archive_read_new();
  if (!archive->reader) {
    free(archive);
    return NULL;
  }
  library.archive_read_support_format_zip(archive->reader);
  archive->opened = library.archive_read_open_filename(archive->reader, path, 1 << 16);
  return archive;
}

carchive_status carchive_next(carchive *archive, const char **name) {
  *name = NULL;
  if (archive->opened != ARCHIVE_OK) return CARCHIVE_BROKEN;
  struct archive_entry *entry;
  while (1) {
    int status = library.archive_read_next_header(archive->reader, &entry);
    if (status == ARCHIVE_EOF) return CARCHIVE_END;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return CARCHIVE_BROKEN;
    if (library.archive_entry_filetype(entry) != AE_IFREG) continue;
    *name = library.archive_entry_pathname_utf8(entry);
    return CARCHIVE_ENTRY;
  }
}

long carchive_read(carchive *archive, void *bytes, size_t count) {
  la_ssize_t got = library.archive_read_data(archive->reader, bytes, count);
  return got < 0 ? -1 : (long)got;
}

const char *carchive_trouble(carchive *archive) {
  const char *text = library.archive_error_string(archive->reader);
  return text ? text : "it cannot be read";
}

void carchive_close(carchive *archive) {
  library.archive_read_free(archive->reader);
  free(archive);
}
