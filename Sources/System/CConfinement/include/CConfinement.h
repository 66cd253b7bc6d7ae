#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts a program that reads what strangers wrote, with as little as it needs.
 *
 * Between fork and exec only calls that are safe there may be made (POSIX.1, 2.4.3), so no Swift runs
 * there. What has to be found or allocated is found before. */

typedef struct {
  /* The program, and its arguments and environment as for execve. */
  const char *program;
  char *const *arguments;
  char *const *environment;
  /* The folder that is its own; the working folder stays as it is. */
  const char *folder;
  /* Files and folders that it may read besides the system's programs, libraries and fonts; ends with
   * NULL. */
  const char *const *readable;
  /* Whether it may make, change and remove files in its folder. */
  bool writes;
  /* Whether it may start programs of its own. */
  bool starts_others;
  /* Whether its standard error is kept, or dropped. */
  bool keeps_errors;
  /* Bytes of address space and of each file, seconds of processor time. */
  uint64_t memory;
  uint64_t file_bytes;
  uint64_t seconds;
} cconfinement_order;

typedef struct {
  /* The process, which is the leader of a session and of a group of its own, unless it was started by
   * such a one. */
  pid_t process;
  /* Where its standard output and standard error are read; -1 for what is dropped. */
  int output;
  int errors;
} cconfinement_child;

/* Starts it. Returns 0, or the error number of what failed.
 *
 * The program ends when the thread that called this ends: let that thread wait for it. It cannot gain
 * privileges, opens no socket and sends to no address, watches no files, traces and signals nobody (but those that it started), changes no
 * permissions, owners or times of files, and sees no terminal. Where the kernel has Landlock (5.13; and is not told otherwise), it reads and writes only
 * what the order names. */
int cconfinement_start(const cconfinement_order *order, cconfinement_child *child);

/* A descriptor that can be read from when a process has ended; -1 where the kernel has none (5.3). */
int cconfinement_end(pid_t process);

/* Which version of Landlock the kernel has; 0 for none. */
int cconfinement_landlock(void);

#endif
