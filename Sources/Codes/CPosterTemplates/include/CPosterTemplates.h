// The templates of posters, kept in the binary, so that they are there whenever the command is. C, because only
// C can embed a file as it is.
#ifndef CPOSTERTEMPLATES_H
#define CPOSTERTEMPLATES_H

#include <stddef.h>

// A file, by its name below the folder `templates`.
struct cpostertemplates_file {
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

// The files; the last has no name.
extern const struct cpostertemplates_file *const cpostertemplates_files;

#endif
