#ifndef CFILESYSTEM_H
#define CFILESYSTEM_H

/* Hands everything of the file system that holds an open file to the disk (syncfs(2), which the C
 * library declares only for its own extensions). Answers 0, or -1 with errno. */
int cfilesystem_synchronize(int descriptor);

#endif
