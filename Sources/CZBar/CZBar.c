#include "CZBar.h"
