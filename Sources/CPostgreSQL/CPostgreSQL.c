#include "CPostgreSQL.h"

#include <COnDemand.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

/* Each function by the name and type that the headers give it. */
#define FUNCTIONS(X)                                                                               \
  X(PQconninfoParse)                                                                               \
  X(PQconninfoFree)                                                                                \
  X(PQfreemem)                                                                                     \
  X(PQconnectdbParams)                                                                             \
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

long cpostgresql_settings(const char *string, char *settings, size_t size) {
  char *error = NULL;
  PQconninfoOption *options = library.PQconninfoParse(string, &error);
  if (error) library.PQfreemem(error);
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

cpostgresql_connection cpostgresql_connect(const char *const *keywords, const char *const *values) {
  PGconn *connection = library.PQconnectdbParams(keywords, values, 1);
  if (connection && library.PQstatus(connection) == CONNECTION_OK)
    library.PQenterPipelineMode(connection);
  return (cpostgresql_connection)connection;
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

cpostgresql_result cpostgresql_next(cpostgresql_connection connection) {
  return (cpostgresql_result)library.PQgetResult(of(connection));
}

int cpostgresql_notifications(cpostgresql_connection connection) {
  if (!library.PQconsumeInput(of(connection))) return -1;
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
  default: return CPOSTGRESQL_FAILED;
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
