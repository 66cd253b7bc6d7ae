// The files of the station's page, kept in the binary: a page that is served from it is there whenever the
// command is, and is always that of its version. C, because only C can embed a file as it is.
#ifndef CSTATIONPAGE_H
#define CSTATIONPAGE_H

#include <stddef.h>

// A file, by its name below the folder `page`.
struct cstationpage_file {
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

// The files; the last has no name.
extern const struct cstationpage_file *const cstationpage_files;

#endif
