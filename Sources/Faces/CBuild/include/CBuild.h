#ifndef CLIPTAG_CBUILD_H
#define CLIPTAG_CBUILD_H

/// Returns the commit of the sources, shortened, with `+` behind it if they were changed since; an empty
/// text for a build that names none. `make` sets it.
const char *cliptag_build_commit(void);

#endif
