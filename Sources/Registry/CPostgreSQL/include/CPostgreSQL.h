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

/* The library's version, such as 150020. */
int cpostgresql_version(void);

/* Begins to connect. It waits for the look-up of a host's name, without a deadline, and with a `hostaddr` for
 * nothing; `names` and `values` are ended by null, and a `dbname` may be a connection string. Returns 0 without memory, else a connection, which
 * may have failed. */
cpostgresql_connection cpostgresql_start(const char *const *names, const char *const *values);

/* Goes on with connecting as far as it goes without waiting, and says what has to be waited for at the
 * socket. A connection that is made is in pipeline mode and never blocks. */
enum { CPOSTGRESQL_READING, CPOSTGRESQL_WRITING, CPOSTGRESQL_CONNECTED, CPOSTGRESQL_REFUSED };
int cpostgresql_go_on(cpostgresql_connection connection);

/* What a server demands that has answered without TLS and was not read yet. */
enum {
  CPOSTGRESQL_NO_DEMAND,
  CPOSTGRESQL_HALF_A_DEMAND,  /* more of it has to come first */
  CPOSTGRESQL_CLEAR_PASSWORD, /* the password itself */
  CPOSTGRESQL_TOO_MANY_ROUNDS /* SCRAM that takes this computer minutes */
};
int cpostgresql_demand(cpostgresql_connection connection);

/* The settings that a connection uses, from whatever source: one after another name and value, each
 * ended by a zero. Returns how many bytes that takes, of which at most `size` are written, or -1
 * without memory. */
long cpostgresql_settings_in_effect(
    cpostgresql_connection connection, char *settings, size_t size);
/* Whether there is a password for a connection, from whatever source. */
bool cpostgresql_has_password(cpostgresql_connection connection);
/* Whether a connection was refused for want of a password. */
bool cpostgresql_needs_password(cpostgresql_connection connection);
/* The number of the server's process, as the server told it at the beginning. */
int cpostgresql_process(cpostgresql_connection connection);
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
/* Ends a group of statements: what fails in it skips the rest of it. */
bool cpostgresql_end_group(cpostgresql_connection connection);

/* Sends what can be sent without waiting. Returns 0 when that was all, 1 when more is left, -1 when the
 * connection is lost. */
int cpostgresql_send(cpostgresql_connection connection);
/* How many bytes wait at the socket. */
size_t cpostgresql_arrived(cpostgresql_connection connection);
/* Takes what has arrived. Returns false when the connection is lost. */
bool cpostgresql_take(cpostgresql_connection connection);
/* Whether `cpostgresql_next` would have to wait. */
bool cpostgresql_is_busy(cpostgresql_connection connection);

/* The next result; 0 behind the last one of a statement. */
cpostgresql_result cpostgresql_next(cpostgresql_connection connection);

/* The number of notifications in what was taken. */
int cpostgresql_notifications(cpostgresql_connection connection);

enum {
  CPOSTGRESQL_DONE,    /* a statement without rows */
  CPOSTGRESQL_ROWS,    /* a statement with rows */
  CPOSTGRESQL_SKIPPED, /* an earlier statement of the group failed */
  CPOSTGRESQL_END,     /* the end of a group */
  CPOSTGRESQL_FAILED,
  CPOSTGRESQL_STRANGE /* an answer to what was not asked, such as a copy of a table */
};
int cpostgresql_kind(cpostgresql_result result);
/* What the server says was done, such as COMMIT. */
const char *cpostgresql_command(cpostgresql_result result);
/* The SQLSTATE of a failure, empty without one, and its message. */
const char *cpostgresql_state(cpostgresql_result result);
const char *cpostgresql_message(cpostgresql_result result);
/* How many bytes of memory it takes. */
size_t cpostgresql_size(cpostgresql_result result);
int cpostgresql_rows(cpostgresql_result result);
int cpostgresql_columns(cpostgresql_result result);
const char *cpostgresql_column(cpostgresql_result result, int column);
/* The type's number in the server's catalog. */
uint32_t cpostgresql_type(cpostgresql_result result, int column);
/* A value's bytes; null for nothing. */
const char *cpostgresql_value(cpostgresql_result result, int row, int column, int *length);
void cpostgresql_clear(cpostgresql_result result);

#endif
