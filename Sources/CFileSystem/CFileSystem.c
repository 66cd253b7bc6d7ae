#define _GNU_SOURCE /* syncfs */
#include "CFileSystem.h"

#include <unistd.h>

int cfilesystem_synchronize(int descriptor) { return syncfs(descriptor); }
