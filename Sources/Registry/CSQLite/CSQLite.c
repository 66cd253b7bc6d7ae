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

int csqlite_checkpoints(void *connection, unsigned int facts[4]) {
    sqlite3_file *file = NULL;
    void volatile *index = NULL;
    if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || !index) return 0;
    static const int places[] = {32, 36, 96, 128};
    for (int place = 0; place < 4; place++)
        facts[place] = *(unsigned int volatile *)((char volatile *)index + places[place]);
    return 1;
}

static int end(void *context) {
    (void)context;
    return 1;
}

void csqlite_limit_steps(void *connection, int steps) {
    sqlite3_progress_handler(connection, steps, steps > 0 ? end : NULL, NULL);
}
