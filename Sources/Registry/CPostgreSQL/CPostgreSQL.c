#include "CPostgreSQL.h"

#include <COnDemand.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <libpq-fe.h>
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(PQconninfoFree)                                                                                \
  X(PQfreemem)                                                                                     \
  X(PQconnectStartParams)                                                                          \
  X(PQconnectPoll)                                                                                 \
  X(PQconninfo)                                                                                    \
  X(PQpass)                                                                                        \
  X(PQconnectionNeedsPassword)                                                                     \
  X(PQsslInUse)                                                                                    \
  X(PQbackendPID)                                                                                  \
  X(PQlibVersion)                                                                                  \
  X(PQsetErrorVerbosity)                                                                           \
  X(PQsetNoticeProcessor)                                                                          \
  X(PQsetnonblocking)                                                                              \
  X(PQflush)                                                                                       \
  X(PQisBusy)                                                                                      \
  X(PQfinish)                                                                                      \
  X(PQstatus)                                                                                      \
  X(PQerrorMessage)                                                                                \
  X(PQsocket)                                                                                      \
  X(PQenterPipelineMode)                                                                           \
  X(PQpipelineSync)                                                                                \
  X(PQsendPrepare)                                                                                 \
  X(PQsendQueryPrepared)                                                                           \
  X(PQsendQueryParams)                                                                             \
  X(PQgetResult)                                                                                   \
  X(PQconsumeInput)                                                                                \
  X(PQnotifies)                                                                                    \
  X(PQresultStatus)                                                                                \
  X(PQresultErrorField)                                                                            \
  X(PQcmdStatus)                                                                                   \
  X(PQresultMemorySize)                                                                            \
  X(PQntuples)                                                                                     \
  X(PQnfields)                                                                                     \
  X(PQfname)                                                                                       \
  X(PQftype)                                                                                       \
  X(PQgetisnull)                                                                                   \
  X(PQgetvalue)                                                                                    \
  X(PQgetlength)                                                                                   \
  X(PQclear)

CONDEMAND_TABLE(FUNCTIONS, library)

#ifdef __APPLE__
static const char *const names[] = {
    "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib", NULL};
#else
static const char *const names[] = {"libpq.so.5", NULL};
#endif
CONDEMAND_LOAD(cpostgresql_load, library, names)

int cpostgresql_version(void) { return library.PQlibVersion(); }

/* Writes the settings that have a value, and frees them. */
static long written(PQconninfoOption *options, char *settings, size_t size) {
  if (!options) return -1;
  size_t used = 0;
  for (PQconninfoOption *option = options; option->keyword; option++) {
    if (!option->val) continue;
    const char *const texts[] = {option->keyword, option->val};
    for (size_t index = 0; index < 2; index++) {
      size_t length = strlen(texts[index]) + 1;
      if (used + length <= size) memcpy(settings + used, texts[index], length);
      used += length;
    }
  }
  library.PQconninfoFree(options);
  return (long)used;
}

static PGconn *of(cpostgresql_connection connection) { return (PGconn *)connection; }
static PGresult *from(cpostgresql_result result) { return (PGresult *)result; }

/* What a server has to say beside its answers is not shown: nobody asked for it. */
static void discard(void *context, const char *message) {
  (void)context;
  (void)message;
}

cpostgresql_connection cpostgresql_start(const char *const *names, const char *const *values) {
  PGconn *connection = library.PQconnectStartParams(names, values, 1);
  if (!connection) return 0;
  library.PQsetNoticeProcessor(connection, discard, NULL);
  /* The SQLSTATE of a refused connection is in its message alone. */
  library.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
  return (cpostgresql_connection)connection;
}

int cpostgresql_go_on(cpostgresql_connection connection) {
  switch (library.PQconnectPoll(of(connection))) {
  case PGRES_POLLING_READING: return CPOSTGRESQL_READING;
  case PGRES_POLLING_WRITING: return CPOSTGRESQL_WRITING;
  case PGRES_POLLING_OK:
    library.PQsetErrorVerbosity(of(connection), PQERRORS_DEFAULT);
    return library.PQsetnonblocking(of(connection), 1) == 0 &&
                   library.PQenterPipelineMode(of(connection))
               ? CPOSTGRESQL_CONNECTED
               : CPOSTGRESQL_REFUSED;
  default: return CPOSTGRESQL_REFUSED;
  }
}

long cpostgresql_settings_in_effect(
    cpostgresql_connection connection, char *settings, size_t size) {
  return written(library.PQconninfo(of(connection)), settings, size);
}

bool cpostgresql_has_password(cpostgresql_connection connection) {
  const char *password = library.PQpass(of(connection));
  return password && *password;
}

bool cpostgresql_needs_password(cpostgresql_connection connection) {
  return library.PQconnectionNeedsPassword(of(connection));
}

/* The largest number of rounds of SCRAM that a server may ask for: PostgreSQL's own is 4,096. */
#define MOST_ROUNDS 10000000

/* Whether the text of a SASL challenge asks for too many rounds: `i=` and a number. */
static bool asks_for_too_many_rounds(const char *text, size_t length) {
  for (size_t at = 0; at + 2 < length; at++) {
    if (text[at] != 'i' || text[at + 1] != '=' || (at > 0 && text[at - 1] != ',')) continue;
    unsigned long rounds = 0;
    for (at += 2; at < length && text[at] >= '0' && text[at] <= '9'; at++)
      if ((rounds = rounds * 10 + (unsigned long)(text[at] - '0')) > MOST_ROUNDS) return true;
  }
  return false;
}

int cpostgresql_demand(cpostgresql_connection connection) {
  PGconn *server = of(connection);
  if (library.PQsslInUse(server) || library.PQstatus(server) != CONNECTION_AWAITING_RESPONSE)
    return CPOSTGRESQL_NO_DEMAND;
  char bytes[8192];
  ssize_t length = recv(library.PQsocket(server), bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
  if (length <= 0) return CPOSTGRESQL_NO_DEMAND;
  size_t end = (size_t)length, at = 0;
  while (at < end) {
    const char *message = bytes + at;
    /* A request is a letter, its own length without it, and what it asks for. */
    if (message[0] != 'R') return CPOSTGRESQL_NO_DEMAND;
    if (end - at < 9) return CPOSTGRESQL_HALF_A_DEMAND;
    const unsigned char *numbers = (const unsigned char *)message + 1;
    size_t size = (size_t)numbers[0] << 24 | (size_t)numbers[1] << 16 | (size_t)numbers[2] << 8 |
                  (size_t)numbers[3];
    unsigned long asked = (unsigned long)numbers[4] << 24 | (unsigned long)numbers[5] << 16 |
                          (unsigned long)numbers[6] << 8 | (unsigned long)numbers[7];
    if (asked == 3) return CPOSTGRESQL_CLEAR_PASSWORD;
    if (size < 8 || size > sizeof bytes - 1) return CPOSTGRESQL_NO_DEMAND;
    if (end - at < size + 1) return CPOSTGRESQL_HALF_A_DEMAND;
    if (asked == 11 && asks_for_too_many_rounds(message + 9, size - 8))
      return CPOSTGRESQL_TOO_MANY_ROUNDS;
    at += size + 1;
  }
  return CPOSTGRESQL_NO_DEMAND;
}

int cpostgresql_process(cpostgresql_connection connection) {
  return library.PQbackendPID(of(connection));
}

void cpostgresql_finish(cpostgresql_connection connection) { library.PQfinish(of(connection)); }

bool cpostgresql_is_open(cpostgresql_connection connection) {
  return library.PQstatus(of(connection)) == CONNECTION_OK;
}

const char *cpostgresql_error(cpostgresql_connection connection) {
  return library.PQerrorMessage(of(connection));
}

int cpostgresql_socket(cpostgresql_connection connection) {
  return library.PQsocket(of(connection));
}

bool cpostgresql_prepare(cpostgresql_connection connection, const char *name, const char *sql) {
  return library.PQsendPrepare(of(connection), name, sql, 0, NULL);
}

bool cpostgresql_run(
    cpostgresql_connection connection, const char *name, const char *sql, int count,
    const char *bytes, const intptr_t *offsets, const int *lengths) {
  const char **values = calloc((size_t)count + 1, sizeof *values);
  int *sizes = calloc((size_t)count + 1, sizeof *sizes);
  int *formats = calloc((size_t)count + 1, sizeof *formats);
  bool taken = false;
  if (values && sizes && formats) {
    for (int index = 0; index < count; index++) {
      if (offsets[index] >= 0) values[index] = bytes + offsets[index];
      if (lengths[index] < 0) continue;
      sizes[index] = lengths[index];
      formats[index] = 1;
    }
    taken = name ? library.PQsendQueryPrepared(
                       of(connection), name, count, values, sizes, formats, 1)
                 : library.PQsendQueryParams(
                       of(connection), sql, count, NULL, values, sizes, formats, 1);
  }
  free(values);
  free(sizes);
  free(formats);
  return taken;
}

bool cpostgresql_end_group(cpostgresql_connection connection) {
  return library.PQpipelineSync(of(connection));
}

int cpostgresql_send(cpostgresql_connection connection) {
  return library.PQflush(of(connection));
}

size_t cpostgresql_arrived(cpostgresql_connection connection) {
  int count = 0;
  return ioctl(library.PQsocket(of(connection)), FIONREAD, &count) == 0 && count > 0
             ? (size_t)count
             : 0;
}

bool cpostgresql_take(cpostgresql_connection connection) {
  return library.PQconsumeInput(of(connection));
}

bool cpostgresql_is_busy(cpostgresql_connection connection) {
  return library.PQisBusy(of(connection));
}

cpostgresql_result cpostgresql_next(cpostgresql_connection connection) {
  return (cpostgresql_result)library.PQgetResult(of(connection));
}

int cpostgresql_notifications(cpostgresql_connection connection) {
  int count = 0;
  for (PGnotify *one; (one = library.PQnotifies(of(connection))); count++) library.PQfreemem(one);
  return count;
}

int cpostgresql_kind(cpostgresql_result result) {
  switch (library.PQresultStatus(from(result))) {
  case PGRES_COMMAND_OK: return CPOSTGRESQL_DONE;
  case PGRES_TUPLES_OK: return CPOSTGRESQL_ROWS;
  case PGRES_PIPELINE_ABORTED: return CPOSTGRESQL_SKIPPED;
  case PGRES_PIPELINE_SYNC: return CPOSTGRESQL_END;
  case PGRES_FATAL_ERROR: return CPOSTGRESQL_FAILED;
  default: return CPOSTGRESQL_STRANGE;
  }
}

const char *cpostgresql_command(cpostgresql_result result) {
  return library.PQcmdStatus(from(result));
}

static const char *field(cpostgresql_result result, int which) {
  const char *text = library.PQresultErrorField(from(result), which);
  return text ? text : "";
}

const char *cpostgresql_state(cpostgresql_result result) { return field(result, PG_DIAG_SQLSTATE); }

const char *cpostgresql_message(cpostgresql_result result) {
  return field(result, PG_DIAG_MESSAGE_PRIMARY);
}

size_t cpostgresql_size(cpostgresql_result result) {
  return library.PQresultMemorySize(from(result));
}

int cpostgresql_rows(cpostgresql_result result) { return library.PQntuples(from(result)); }

int cpostgresql_columns(cpostgresql_result result) { return library.PQnfields(from(result)); }

const char *cpostgresql_column(cpostgresql_result result, int column) {
  return library.PQfname(from(result), column);
}

uint32_t cpostgresql_type(cpostgresql_result result, int column) {
  return library.PQftype(from(result), column);
}

const char *cpostgresql_value(cpostgresql_result result, int row, int column, int *length) {
  if (library.PQgetisnull(from(result), row, column)) return NULL;
  *length = library.PQgetlength(from(result), row, column);
  return library.PQgetvalue(from(result), row, column);
}

void cpostgresql_clear(cpostgresql_result result) { library.PQclear(from(result)); }
