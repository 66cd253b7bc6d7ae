#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PostgreSQL by its library libpq, which is opened when a registry on a server is first needed.
 * Handles are pointers of the library as numbers; 0 is none. A connection is used by one thread at a
 * time. Texts that are returned belong to their handle. */

/* Opens the library, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *cpostgresql_load(void);

typedef intptr_t cpostgresql_connection;
typedef intptr_t cpostgresql_result;

/* The settings that a connection string names, one after another as name and value, each ended by a
 * zero. Returns how many bytes that takes, of which at most `size` are written, or -1 for a string
 * that is none. Defaults, services and the environment are not asked. */
long cpostgresql_settings(const char *string, char *settings, size_t size);

/* Connects, waiting for it; `names` and `values` are ended by null, and a `dbname` may be a
 * connection string. The connection is in pipeline mode. Returns 0 without memory, else a connection,
 * which may have failed. */
cpostgresql_connection cpostgresql_connect(const char *const *names, const char *const *values);
void cpostgresql_finish(cpostgresql_connection connection);
bool cpostgresql_is_open(cpostgresql_connection connection);
const char *cpostgresql_error(cpostgresql_connection connection);
int cpostgresql_socket(cpostgresql_connection connection);

/* Statements, sent without waiting for what they give. Each returns whether it was taken. */
bool cpostgresql_prepare(cpostgresql_connection connection, const char *name, const char *sql);
/* Runs a prepared statement (`name`), or a text (`sql`; `name` is null). Argument i is the bytes at
 * `offsets[i]` of `bytes`, ended by a zero, or nothing for an offset of -1; `lengths[i]` is not
 * negative for bytes as they are, -1 for a text. Columns come in binary form. */
bool cpostgresql_run(
    cpostgresql_connection connection, const char *name, const char *sql, int count,
    const char *bytes, const intptr_t *offsets, const int *lengths);
/* Ends a group of statements: what fails in it skips the rest of it. Sends all. */
bool cpostgresql_end_group(cpostgresql_connection connection);

/* The next result, waiting for it; 0 behind the last one of a statement. */
cpostgresql_result cpostgresql_next(cpostgresql_connection connection);

/* Takes what has arrived, and counts the notifications in it; -1 when the connection is lost. */
int cpostgresql_notifications(cpostgresql_connection connection);

enum {
  CPOSTGRESQL_DONE,    /* a statement without rows */
  CPOSTGRESQL_ROWS,    /* a statement with rows */
  CPOSTGRESQL_SKIPPED, /* an earlier statement of the group failed */
  CPOSTGRESQL_END,     /* the end of a group */
  CPOSTGRESQL_FAILED
};
int cpostgresql_kind(cpostgresql_result result);
/* What the server says was done, such as COMMIT. */
const char *cpostgresql_command(cpostgresql_result result);
/* The SQLSTATE of a failure, empty without one, and its message. */
const char *cpostgresql_state(cpostgresql_result result);
const char *cpostgresql_message(cpostgresql_result result);
int cpostgresql_rows(cpostgresql_result result);
int cpostgresql_columns(cpostgresql_result result);
const char *cpostgresql_column(cpostgresql_result result, int column);
/* The type's number in the server's catalog. */
uint32_t cpostgresql_type(cpostgresql_result result, int column);
/* A value's bytes; null for nothing. */
const char *cpostgresql_value(cpostgresql_result result, int row, int column, int *length);
void cpostgresql_clear(cpostgresql_result result);

#endif
