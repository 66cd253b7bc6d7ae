#ifndef CCURL_H
#define CCURL_H

/* The checks of types are macros for callers in C; here every option has a typed trampoline. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include <stdbool.h>

/* libcurl is opened when it is first needed and not linked: it brings some thirty libraries, which
 * cost every start of a program 5 to 8 ms, and most commands never open a connection. The types
 * and constants are those of its headers; every function Swift calls is a trampoline below. */

/* Opens libcurl and initialises it, once; later calls return what the first one returned.
 *
 * Returns null, or one line of the dynamic loader or of libcurl that says why it cannot be used,
 * valid for ever. Until it has returned null, no other function here may be called. May be called
 * from any thread. */
const char *ccurl_load(void);

/* Does the same with a library of another name, which is not kept: for tests of its absence. */
const char *ccurl_try(const char *name);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);

/* curl_easy_setopt, which is variadic, once for each kind of value. */
CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_large(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
/* libcurl copies the text. */
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);

/* Takes bytes of a header line or of the body; returns whether to go on. */
typedef bool (*ccurl_receiver)(void *context, const char *bytes, size_t count);
/* Is told how many bytes of bodies went either way; returns whether to go on. */
typedef bool (*ccurl_observer)(void *context, curl_off_t moved);

/* Has header lines, the body, and progress told to functions of the caller. */
typedef struct {
  void *context;
  ccurl_receiver header;
  ccurl_receiver body;
  ccurl_observer progress;
} ccurl_listener;
/* `listener` must outlive the transfer. */
CURLcode ccurl_set_listener(CURL *easy, ccurl_listener *listener);

#define CCURL_ADDRESS_SIZE 64

/* Has connections kept from the programs that this one starts. With `refused`, which must outlive the
 * transfer, addresses of this computer, of its links and of private networks are not connected to:
 * the last one of them is written there. */
CURLcode ccurl_open_sockets(CURL *easy, char refused[CCURL_ADDRESS_SIZE]);

/* Whether an address, in network order, is one that only this computer or its network knows: 4 or 16
 * bytes. */
bool ccurl_is_private(const unsigned char *address, size_t count);

/* curl_easy_getinfo, the same way. What a text points to belongs to the handle. */
long ccurl_get_long(CURL *easy, CURLINFO info);
curl_off_t ccurl_get_large(CURL *easy, CURLINFO info);
const char *ccurl_get_string(CURL *easy, CURLINFO info);
/* CURLINFO_CERTINFO: null when there is none. It belongs to the handle. */
const struct curl_certinfo *ccurl_get_certificates(CURL *easy);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
/* Waits for something to do, for a wake-up, or for the time. */
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
/* May be called from any thread. */
CURLMcode ccurl_multi_wakeup(CURLM *multi);
/* Whether the handle's transfer has ended, and how: asked after a perform. */
bool ccurl_multi_result(CURLM *multi, CURL *easy, CURLcode *result);

/* Takes a URL apart as libcurl will when it connects. Returns 0, or libcurl's code for what is
 * wrong. The texts are freed by ccurl_url_free; host and port are null where there is none, and the
 * port is that of the scheme when none is given. */
typedef struct {
  char *scheme;
  char *host;
  char *port;
  char *whole;
  bool has_user;
} ccurl_url;
CURLUcode ccurl_url_parse(const char *text, ccurl_url *url);
void ccurl_url_free(ccurl_url *url);
const char *ccurl_url_strerror(CURLUcode code);

#endif
