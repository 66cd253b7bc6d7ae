#ifndef CEXPAT_H
#define CEXPAT_H

#include <expat.h>
#include <stdint.h>

/* The line of the current event, from 1, and the column, from 0. Expat 2.9 deprecates the functions of
 * fewer bits, and earlier versions have no others. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
static inline uint64_t cexpat_line(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
static inline uint64_t cexpat_column(XML_Parser parser) { return XML_GetCurrentColumnNumber64(parser); }
#else
static inline uint64_t cexpat_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline uint64_t cexpat_column(XML_Parser parser) { return XML_GetCurrentColumnNumber(parser); }
#endif

#endif
