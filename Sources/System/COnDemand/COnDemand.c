#include "COnDemand.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool condemand_open(
    const char *const *names, const char *const *symbols, void *table, size_t size, char *trouble,
    size_t trouble_size) {
  void *handle = NULL;
  const char *name = *names;
  for (const char *const *next = names; !handle && *next; next++) {
    handle = dlopen(*next, RTLD_NOW | RTLD_LOCAL);
    if (handle) name = *next;
    /* What is told is why the usual one does not open. */
    else if (next == names) snprintf(trouble, trouble_size, "%s", dlerror());
  }
  if (!handle) return false;
  char *place = table;
  for (; *symbols; symbols++) {
    void *function = dlsym(handle, *symbols);
    if (!function || (size_t)(place - (char *)table) + sizeof function > size) {
      snprintf(trouble, trouble_size, "%s has no %s: it is too old", name, *symbols);
      dlclose(handle);
      return false;
    }
    memcpy(place, &function, sizeof function);
    place += sizeof function;
  }
  return true;
}

void *condemand_find(const char *name, const char *symbol) {
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  return handle ? dlsym(handle, symbol) : NULL;
}
