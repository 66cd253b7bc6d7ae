/* Expat's functions are called from Swift as they are; the target needs a source file. */
#include "CExpat.h"
