#ifdef __linux__
#define _GNU_SOURCE /* syncfs */
#endif

#include "CFileSystem.h"

#ifdef __APPLE__
#include <fcntl.h>
/* Here fsync(2) leaves what the disk itself still holds. */
int cfilesystem_synchronize(int descriptor) { return fcntl(descriptor, F_FULLFSYNC) < 0 ? -1 : 0; }
#else
#include <unistd.h>
int cfilesystem_synchronize(int descriptor) { return syncfs(descriptor); }
#endif
