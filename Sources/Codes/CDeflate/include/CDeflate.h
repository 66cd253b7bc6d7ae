#ifndef CDEFLATE_H
#define CDEFLATE_H

/* Swift imports all of it as it is. */
#include <libdeflate.h>

#endif
