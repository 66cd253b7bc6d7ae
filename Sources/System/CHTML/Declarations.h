#ifndef CHTML_DECLARATIONS_H
#define CHTML_DECLARATIONS_H

/* What is called of libxml2, with the names, types and numbers of its headers, so that the headers need
 * not be found when this is compiled: only pkg-config knows their folder, and its flags would link what is
 * opened on demand. `make lint` compares with the headers where they are. */

typedef unsigned char xmlChar;
typedef struct _xmlDoc *xmlDocPtr;

typedef struct {
  void (*of_documents[14])(void);
  void (*startElement)(void *context, const xmlChar *name, const xmlChar **attributes);
  void (*endElement)(void *context, const xmlChar *name);
  void (*of_contents[11])(void);
  unsigned int initialized;
  void *of_the_library;
  void (*of_version_2[3])(void);
} xmlSAXHandler;

/* The beginning of the parser. */
typedef struct {
  xmlSAXHandler *sax;
  void *userData;
  xmlDocPtr myDoc;
} *htmlParserCtxtPtr;

enum {
  HTML_PARSE_RECOVER = 1 << 0,
  HTML_PARSE_NOERROR = 1 << 5,
  HTML_PARSE_NOWARNING = 1 << 6,
  HTML_PARSE_NONET = 1 << 11,
  HTML_PARSE_IGNORE_ENC = 1 << 21,
};

void xmlInitParser(void);
htmlParserCtxtPtr htmlCreateMemoryParserCtxt(const char *bytes, int count);
int htmlCtxtUseOptions(htmlParserCtxtPtr parser, int options);
int htmlParseDocument(htmlParserCtxtPtr parser);
void htmlFreeParserCtxt(htmlParserCtxtPtr parser);
void xmlStopParser(htmlParserCtxtPtr parser);
long xmlByteConsumed(htmlParserCtxtPtr parser);
void xmlFreeDoc(xmlDocPtr document);

#endif
