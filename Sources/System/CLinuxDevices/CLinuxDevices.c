/* The header is all there is; the target needs a source file. */
#include "CLinuxDevices.h"
