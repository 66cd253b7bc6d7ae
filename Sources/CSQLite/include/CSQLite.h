#ifndef CSQLITE_H
#define CSQLITE_H

/* What Swift cannot call of SQLite: functions with a variable number of arguments. The rest of SQLite
   is GRDB's. A connection is an sqlite3 pointer. */

/* Puts a connection on its guard against the file that it opened: the schema cannot be written to but
   by statements that define it (defensive mode), functions and virtual tables that could do harm do not
   run from a schema, and there are no views. Returns SQLite's result code. */
int csqlite_defend(void *connection);

/* Ends every statement of a connection after so many steps of SQLite's machine, with
   SQLITE_INTERRUPT; 0 takes the limit away. */
void csqlite_limit_steps(void *connection, int steps);

#endif
