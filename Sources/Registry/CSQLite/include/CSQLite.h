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

/* Copies what the checkpoints of an open write-ahead log have done, from its index: its two salts, the
   frames written back, and the frames that a checkpoint began to write back (sqlite.org/walformat.html,
   2.1). The index is not opened, because closing it would release the process's locks. Returns 0 without
   an index. */
int csqlite_checkpoints(void *connection, unsigned int facts[4]);

#endif
