#include "CNFC.h"
