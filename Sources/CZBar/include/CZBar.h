#ifndef CZBAR_H
#define CZBAR_H

#include <zbar.h>

#endif
