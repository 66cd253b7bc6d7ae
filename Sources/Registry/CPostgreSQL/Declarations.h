#ifndef CPOSTGRESQL_DECLARATIONS_H
#define CPOSTGRESQL_DECLARATIONS_H

/* What is called of libpq, with the names, types and numbers of its header, so that the header need not
 * be found when this is compiled: only pkg-config knows its folder, and its flags would link what is
 * opened on demand. `make lint` compares with the header where it is. */

#include <stddef.h>

typedef unsigned int Oid;
typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef struct pgNotify PGnotify;

typedef struct {
  char *keyword;
  char *envvar;
  char *compiled;
  char *val;
  char *label;
  char *dispchar;
  int dispsize;
} PQconninfoOption;

typedef enum { CONNECTION_OK = 0, CONNECTION_AWAITING_RESPONSE = 4 } ConnStatusType;
typedef enum {
  PGRES_POLLING_READING = 1,
  PGRES_POLLING_WRITING = 2,
  PGRES_POLLING_OK = 3,
} PostgresPollingStatusType;
typedef enum {
  PGRES_COMMAND_OK = 1,
  PGRES_TUPLES_OK = 2,
  PGRES_FATAL_ERROR = 7,
  PGRES_PIPELINE_SYNC = 10,
  PGRES_PIPELINE_ABORTED = 11,
} ExecStatusType;
typedef enum { PQERRORS_DEFAULT = 1, PQERRORS_VERBOSE = 2 } PGVerbosity;

#define PG_DIAG_SQLSTATE 'C'
#define PG_DIAG_MESSAGE_PRIMARY 'M'

typedef void (*PQnoticeProcessor)(void *context, const char *message);

int PQlibVersion(void);
PGconn *PQconnectStartParams(
    const char *const *names, const char *const *values, int expands_dbname);
PostgresPollingStatusType PQconnectPoll(PGconn *connection);
PQconninfoOption *PQconninfo(PGconn *connection);
void PQconninfoFree(PQconninfoOption *options);
void PQfreemem(void *memory);
char *PQpass(const PGconn *connection);
int PQconnectionNeedsPassword(const PGconn *connection);
int PQsslInUse(PGconn *connection);
int PQbackendPID(const PGconn *connection);
PGVerbosity PQsetErrorVerbosity(PGconn *connection, PGVerbosity verbosity);
PQnoticeProcessor PQsetNoticeProcessor(
    PGconn *connection, PQnoticeProcessor processor, void *context);
int PQsetnonblocking(PGconn *connection, int is_nonblocking);
int PQflush(PGconn *connection);
int PQisBusy(PGconn *connection);
void PQfinish(PGconn *connection);
ConnStatusType PQstatus(const PGconn *connection);
char *PQerrorMessage(const PGconn *connection);
int PQsocket(const PGconn *connection);
int PQenterPipelineMode(PGconn *connection);
int PQpipelineSync(PGconn *connection);
int PQsendPrepare(
    PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
int PQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int result_format);
int PQsendQueryParams(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values,
    const int *lengths, const int *formats, int result_format);
PGresult *PQgetResult(PGconn *connection);
int PQconsumeInput(PGconn *connection);
PGnotify *PQnotifies(PGconn *connection);
ExecStatusType PQresultStatus(const PGresult *result);
char *PQresultErrorField(const PGresult *result, int field);
char *PQcmdStatus(PGresult *result);
size_t PQresultMemorySize(const PGresult *result);
int PQntuples(const PGresult *result);
int PQnfields(const PGresult *result);
char *PQfname(const PGresult *result, int column);
Oid PQftype(const PGresult *result, int column);
int PQgetisnull(const PGresult *result, int row, int column);
char *PQgetvalue(const PGresult *result, int row, int column);
int PQgetlength(const PGresult *result, int row, int column);
void PQclear(PGresult *result);

#endif
