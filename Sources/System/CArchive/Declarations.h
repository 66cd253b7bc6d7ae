#ifndef CARCHIVE_DECLARATIONS_H
#define CARCHIVE_DECLARATIONS_H

/* What is called of libarchive, with the names, types and numbers of its headers, so that the headers need
 * not be found when this is compiled: not every system keeps them where others do. `make lint` compares
 * with the headers where they are. */

#include <stddef.h>
#include <sys/types.h>

struct archive;
struct archive_entry;
typedef ssize_t la_ssize_t;

#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_WARN (-20)
#define AE_IFREG ((mode_t)0100000)

struct archive *archive_read_new(void);
int archive_read_support_format_zip(struct archive *archive);
int archive_read_open_filename(struct archive *archive, const char *path, size_t block_size);
int archive_read_next_header(struct archive *archive, struct archive_entry **entry);
mode_t archive_entry_filetype(struct archive_entry *entry);
const char *archive_entry_pathname_utf8(struct archive_entry *entry);
la_ssize_t archive_read_data(struct archive *archive, void *bytes, size_t count);
const char *archive_error_string(struct archive *archive);
int archive_read_free(struct archive *archive);

#endif
