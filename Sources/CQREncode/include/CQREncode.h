#ifndef CQRENCODE_H
#define CQRENCODE_H

/* Only tests use it: an encoder to compare symbols with. */
#include <qrencode.h>

#endif
