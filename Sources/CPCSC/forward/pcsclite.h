/* The headers of pcsc-lite include each other without the folder they lie in. */
#include <PCSC/pcsclite.h>
