#include "CSQLite.h"

#include <sqlite3.h>
#include <stddef.h>

int csqlite_defend(void *connection) {
    static const struct { int setting, on; } settings[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };
    for (size_t index = 0; index < sizeof settings / sizeof *settings; index++) {
        int result = sqlite3_db_config(connection, settings[index].setting, settings[index].on, NULL);
        if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
}

static int end(void *context) {
    (void)context;
    return 1;
}

void csqlite_limit_steps(void *connection, int steps) {
    sqlite3_progress_handler(connection, steps, steps > 0 ? end : NULL, NULL);
}
