#include "CHTML.h"

#include <COnDemand.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#ifdef SHIM_OF_SYSTEM_HEADERS
#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#else
#include "Declarations.h"
#endif

/* Each function by the name and type that it is declared with. */
#define FUNCTIONS(X)                                                                               \
  X(xmlInitParser)                                                                                 \
  X(htmlCreateMemoryParserCtxt)                                                                    \
  X(htmlCtxtUseOptions)                                                                            \
  X(htmlParseDocument)                                                                             \
  X(htmlFreeParserCtxt)                                                                            \
  X(xmlStopParser)                                                                                 \
  X(xmlByteConsumed)                                                                               \
  X(xmlFreeDoc)

CONDEMAND_TABLE(FUNCTIONS, xml)

/* The fields of the parser that are used here stand at its beginning, and have not moved between
 * these two. */
#ifdef __APPLE__
static const char *const names[] = {"libxml2.2.dylib", NULL};
#else
static const char *const names[] = {"libxml2.so.2", "libxml2.so.16", NULL};
#endif

static char trouble[512];
static bool is_usable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  if (!condemand_open(names, xml_symbols, &xml, sizeof xml, trouble, sizeof trouble)) return;
  xml.xmlInitParser();
  is_usable = true;
}

const char *chtml_load(void) {
  pthread_once(&once, load);
  return is_usable ? NULL : trouble;
}

typedef struct {
  const chtml_listener *to;
  htmlParserCtxtPtr parser;
  bool has_ended;
} reading;

static void opened(void *context, const xmlChar *name, const xmlChar **attributes) {
  reading *reading = context;
  if (reading->has_ended) return;
  long offset = xml.xmlByteConsumed(reading->parser);
  bool goes_on = reading->to->opened(
      reading->to->context, (const char *)name, (const char *const *)attributes,
      offset > 0 ? (size_t)offset : 0);
  if (goes_on) return;
  reading->has_ended = true;
  xml.xmlStopParser(reading->parser);
}

static void closed(void *context, const xmlChar *name) {
  reading *reading = context;
  if (!reading->has_ended) reading->to->closed(reading->to->context, (const char *)name);
}

bool chtml_read(const char *bytes, size_t count, const chtml_listener *listener) {
  if (!count) return true; /* which libxml2 takes for a mistake of the caller */
  if (count > INT_MAX) return false;
  htmlParserCtxtPtr parser = xml.htmlCreateMemoryParserCtxt(bytes, (int)count);
  if (!parser) return false;
  reading reading = {.to = listener, .parser = parser};
  /* IGNORE_ENC: what a page says of its encoding was true before it was made UTF-8. */
  xml.htmlCtxtUseOptions(
      parser, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                  HTML_PARSE_IGNORE_ENC);
  /* With no other callbacks, no tree is built, nothing is printed and nothing else is read. */
  xmlSAXHandler *sax = parser->sax;
  memset(sax, 0, sizeof *sax);
  sax->startElement = opened;
  sax->endElement = closed;
  parser->userData = &reading;
  xml.htmlParseDocument(parser);
  if (parser->myDoc) xml.xmlFreeDoc(parser->myDoc);
  parser->myDoc = NULL;
  xml.htmlFreeParserCtxt(parser);
  return true;
}
