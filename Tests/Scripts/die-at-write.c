/* Preloaded into a command, kills it (SIGKILL) just before its write number $DIE_AT_WRITE that goes
 * to a file of SQLite's, counted over everything that changes such a file or its name. With
 * $DIE_WRITTEN=half, the write that it dies at leaves half of its bytes behind.
 *
 * The index of a write-ahead log is mapped memory and not counted: it is made anew after a crash. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_fatal(void) {
  static long left = -1;
  if (left < 0) {
    const char *text = getenv("DIE_AT_WRITE");
    left = text ? atol(text) : 0;
  }
  return left > 0 && --left == 0;
}

static int leaves_half(void) {
  const char *text = getenv("DIE_WRITTEN");
  return text && !strcmp(text, "half");
}

static void die(void) { kill(getpid(), SIGKILL); }

static ssize_t real_pwrite(int file, const void *bytes, size_t count, off64_t offset) {
  ssize_t (*call)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
  return call(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  if (is_fatal()) {
    if (leaves_half()) real_pwrite(file, bytes, count / 2, offset);
    die();
  }
  return real_pwrite(file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length) {
  if (is_fatal()) die();
  int (*call)(int, off64_t) = dlsym(RTLD_NEXT, "ftruncate64");
  return call(file, length);
}

int fdatasync(int file) {
  if (is_fatal()) die();
  int (*call)(int) = dlsym(RTLD_NEXT, "fdatasync");
  return call(file);
}

int fsync(int file) {
  if (is_fatal()) die();
  int (*call)(int) = dlsym(RTLD_NEXT, "fsync");
  return call(file);
}

int unlink(const char *path) {
  if (is_fatal()) die();
  int (*call)(const char *) = dlsym(RTLD_NEXT, "unlink");
  return call(path);
}
