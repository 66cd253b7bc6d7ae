#include "CCurl.h"

#ifdef __linux__
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#endif

#include <COnDemand.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Each function by the name and type that the headers give it. */
#define FUNCTIONS(X)                                                                               \
  X(curl_global_init)                                                                              \
  X(curl_easy_init)                                                                                \
  X(curl_easy_cleanup)                                                                             \
  X(curl_easy_setopt)                                                                              \
  X(curl_easy_getinfo)                                                                             \
  X(curl_easy_strerror)                                                                            \
  X(curl_slist_append)                                                                             \
  X(curl_slist_free_all)                                                                           \
  X(curl_multi_init)                                                                               \
  X(curl_multi_cleanup)                                                                            \
  X(curl_multi_add_handle)                                                                         \
  X(curl_multi_remove_handle)                                                                      \
  X(curl_multi_perform)                                                                            \
  X(curl_multi_poll)                                                                               \
  X(curl_multi_wakeup)                                                                             \
  X(curl_multi_info_read)                                                                          \
  X(curl_url)                                                                                      \
  X(curl_url_cleanup)                                                                              \
  X(curl_url_set)                                                                                  \
  X(curl_url_get)                                                                                  \
  X(curl_url_strerror)                                                                             \
  X(curl_free)

CONDEMAND_TABLE(FUNCTIONS, curl)

#ifdef __APPLE__
static const char *const names[] = {"libcurl.4.dylib", NULL};
#else
static const char *const names[] = {"libcurl.so.4", NULL};
#endif

static char trouble[512];
static bool is_usable;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  if (!condemand_open(names, curl_symbols, &curl, sizeof curl, trouble, sizeof trouble)) return;
  CURLcode code = curl.curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(trouble, sizeof trouble, "%s: %s", names[0], curl.curl_easy_strerror(code));
    return;
  }
  is_usable = true;
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return is_usable ? NULL : trouble;
}

const char *ccurl_try(const char *name) {
  static _Thread_local char text[512];
  const char *const only[] = {name, NULL};
  struct curl_functions found;
  return condemand_open(only, curl_symbols, &found, sizeof found, text, sizeof text) ? NULL : text;
}

CURL *ccurl_easy_init(void) { return curl.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.curl_easy_cleanup(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return curl.curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_large(CURL *easy, CURLoption option, curl_off_t value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl.curl_easy_setopt(easy, option, value);
}

static size_t take_header(char *bytes, size_t size, size_t count, void *listener) {
  const ccurl_listener *to = listener;
  return to->header(to->context, bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *listener) {
  const ccurl_listener *to = listener;
  /* A write of nothing is no refusal. */
  return to->body(to->context, bytes, size * count) ? size * count : CURL_WRITEFUNC_ERROR;
}

static int take_progress(
    void *listener, curl_off_t to_receive, curl_off_t received, curl_off_t to_send,
    curl_off_t sent) {
  const ccurl_listener *to = listener;
  (void)to_receive;
  (void)to_send;
  return to->progress(to->context, received + sent) ? 0 : 1;
}

CURLcode ccurl_set_listener(CURL *easy, ccurl_listener *listener) {
  CURLcode code = curl.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_HEADERDATA, listener);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_WRITEDATA, listener);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, take_progress);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_XFERINFODATA, listener);
  if (!code) code = curl.curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  return code;
}

/* Beginnings of addresses, by their bits: IANA's registries of special-purpose addresses (RFC 6890),
 * without those for documentation, which lead nowhere. */
typedef struct {
  unsigned char start[16];
  unsigned bits;
} block;

static const block blocks4[] = {
    {{0}, 8},         {{10}, 8},        {{100, 64}, 10},   {{127}, 8},      {{169, 254}, 16},
    {{172, 16}, 12},  {{192, 0, 0}, 24}, {{192, 168}, 16}, {{198, 18}, 15}, {{224}, 4},
    {{240}, 4},
};
static const block blocks6[] = {
    {{0}, 127} /* :: and ::1 */, {{0xFC}, 7}, {{0xFE, 0x80}, 10}, {{0xFE, 0xC0}, 10}, {{0xFF}, 8},
};

static bool is_in(const unsigned char *address, const block *in) {
  for (unsigned bit = 0; bit < in->bits; bit++) {
    unsigned char mask = (unsigned char)(0x80u >> (bit & 7));
    if ((address[bit / 8] ^ in->start[bit / 8]) & mask) return false;
  }
  return true;
}

bool ccurl_is_private(const unsigned char *address, size_t count) {
  if (count == 4) {
    for (size_t i = 0; i < sizeof blocks4 / sizeof *blocks4; i++)
      if (is_in(address, &blocks4[i])) return true;
    return false;
  }
  if (count != 16) return true;
  for (size_t i = 0; i < sizeof blocks6 / sizeof *blocks6; i++)
    if (is_in(address, &blocks6[i])) return true;
  /* Addresses of IPv4 in those of IPv6: mapped, compatible, NAT64, 6to4. */
  static const block mapped = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, 96};
  static const block compatible = {{0}, 96};
  static const block nat64 = {{0, 0x64, 0xFF, 0x9B}, 96};
  static const block local_nat64 = {{0, 0x64, 0xFF, 0x9B, 0, 1}, 48};
  static const block six_to_four = {{0x20, 0x02}, 16};
  if (is_in(address, &local_nat64)) return true;
  if (is_in(address, &mapped) || is_in(address, &compatible) || is_in(address, &nat64))
    return ccurl_is_private(address + 12, 4);
  return is_in(address, &six_to_four) && ccurl_is_private(address + 2, 4);
}

/* Writes the address where it is one that may not be connected to. */
static bool refuses(const struct curl_sockaddr *to, char *refused) {
  const void *address = NULL;
  bool is_private = true;
  if (to->family == AF_INET && to->addrlen >= sizeof(struct sockaddr_in)) {
    address = &((const struct sockaddr_in *)(const void *)&to->addr)->sin_addr;
    is_private = ccurl_is_private(address, 4);
  } else if (to->family == AF_INET6 && to->addrlen >= sizeof(struct sockaddr_in6)) {
    address = &((const struct sockaddr_in6 *)(const void *)&to->addr)->sin6_addr;
    is_private = ccurl_is_private(address, 16);
  }
  if (!is_private) return false;
  if (!address || !inet_ntop(to->family, address, refused, CCURL_ADDRESS_SIZE))
    snprintf(refused, CCURL_ADDRESS_SIZE, "of another kind");
  return true;
}

/* libcurl's own sockets (7.88) are inherited by every program that is started meanwhile. */
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *to) {
  (void)purpose;
  if (context && refuses(to, context)) return CURL_SOCKET_BAD;
#ifdef SOCK_CLOEXEC
  return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
#else
  int descriptor = socket(to->family, to->socktype, to->protocol);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
#endif
}

CURLcode ccurl_open_sockets(CURL *easy, char refused[CCURL_ADDRESS_SIZE]) {
  CURLcode code = curl.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  return code ? code : curl.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, refused);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t ccurl_get_large(CURL *easy, CURLINFO info) {
  curl_off_t value = 0;
  return curl.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  const char *value = NULL;
  return curl.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}

const struct curl_certinfo *ccurl_get_certificates(CURL *easy) {
  struct curl_certinfo *value = NULL;
  CURLcode code = curl.curl_easy_getinfo(easy, CURLINFO_CERTINFO, &value);
  return code == CURLE_OK ? value : NULL;
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return curl.curl_slist_append(list, text);
}

void ccurl_slist_free_all(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return curl.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { curl.curl_multi_cleanup(multi); }

CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) {
  return curl.curl_multi_add_handle(multi, easy);
}

CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) {
  return curl.curl_multi_remove_handle(multi, easy);
}

CURLMcode ccurl_multi_perform(CURLM *multi, int *running) {
  return curl.curl_multi_perform(multi, running);
}

CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
  return curl.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.curl_multi_wakeup(multi); }

bool ccurl_multi_result(CURLM *multi, CURL *easy, CURLcode *result) {
  int left = 0;
  for (CURLMsg *message; (message = curl.curl_multi_info_read(multi, &left));)
    if (message->msg == CURLMSG_DONE && message->easy_handle == easy) {
      *result = message->data.result;
      return true;
    }
  return false;
}

CURLUcode ccurl_url_parse(const char *text, ccurl_url *url) {
  memset(url, 0, sizeof *url);
  CURLU *parts = curl.curl_url();
  if (!parts) return CURLUE_OUT_OF_MEMORY;
  /* Any scheme, so that a refusal can name it. */
  CURLUcode code = curl.curl_url_set(parts, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME);
  if (!code) code = curl.curl_url_get(parts, CURLUPART_URL, &url->whole, 0);
  if (!code) code = curl.curl_url_get(parts, CURLUPART_SCHEME, &url->scheme, 0);
  if (!code && curl.curl_url_get(parts, CURLUPART_HOST, &url->host, 0) != CURLUE_OK)
    url->host = NULL; /* a file, which has none */
  if (!code &&
      curl.curl_url_get(parts, CURLUPART_PORT, &url->port, CURLU_DEFAULT_PORT) != CURLUE_OK)
    url->port = NULL; /* a scheme without a port of its own */
  char *user = NULL;
  if (!code && curl.curl_url_get(parts, CURLUPART_USER, &user, 0) == CURLUE_OK)
    url->has_user = true;
  curl.curl_free(user);
  curl.curl_url_cleanup(parts);
  if (code) ccurl_url_free(url);
  return code;
}

void ccurl_url_free(ccurl_url *url) {
  curl.curl_free(url->scheme);
  curl.curl_free(url->host);
  curl.curl_free(url->port);
  curl.curl_free(url->whole);
  memset(url, 0, sizeof *url);
}

const char *ccurl_url_strerror(CURLUcode code) { return curl.curl_url_strerror(code); }
