// Tells ThreadSanitizer what Swift's Mutex does when two threads want it at once.
//
// The uncontended way of Synchronization.Mutex is compiled into whoever uses it, where the sanitizer
// sees it. The contended way is in the standard library, which is not compiled with the sanitizer; it
// then takes every use of what a mutex guards for a race. Loaded first (LD_PRELOAD), these functions
// stand for the library's own, call them, and say what they have done.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *self
#define SWIFT __attribute__((swiftcall))

// Not there in processes without the sanitizer, such as `swift test` itself.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void *library(const char *name) { return dlsym(RTLD_NEXT, name); }

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool tryLockSlow(SELF) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK);

SWIFT void lockSlow(uint32_t thread, SELF) {
  static SWIFT void (*original)(uint32_t, SELF) = NULL;
  if (!original) original = library(LOCK);
  original(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool tryLockSlow(SELF) {
  static SWIFT bool (*original)(SELF) = NULL;
  if (!original) original = library(TRY_LOCK);
  bool isLocked = original(self);
  if (isLocked && __tsan_acquire) __tsan_acquire(self);
  return isLocked;
}

SWIFT void unlockSlow(SELF) {
  static SWIFT void (*original)(SELF) = NULL;
  if (!original) original = library(UNLOCK);
  if (__tsan_release) __tsan_release(self);
  original(self);
}
