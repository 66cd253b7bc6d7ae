#include "CBuild.h"

#define QUOTED(text) #text
#define EXPANDED(macro) QUOTED(macro)

const char *cliptag_build_commit(void) {
#ifdef CLIPTAG_COMMIT
  return EXPANDED(CLIPTAG_COMMIT);
#else
  return "";
#endif
}
