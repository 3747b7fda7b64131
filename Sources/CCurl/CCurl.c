#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// As curl/curl.h declares them: the interface has been binary compatible since 7.16 (curl.se/libcurl/abi.html), so that its
// header is not needed to build.
typedef void CURL;
struct curl_slist;

enum {
  OPTION_WRITEDATA = 10001,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_POSTFIELDS = 10015,
  OPTION_HTTPHEADER = 10023,
  OPTION_POSTFIELDSIZE = 60,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  INFO_RETRY_AFTER = 0x600000 + 57,
  GLOBAL_DEFAULT = 3,
  OUT_OF_MEMORY = 27,
  WRITE_ERROR = 23,
};

static struct {
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_perform)(CURL *);
  int (*easy_getinfo)(CURL *, int, ...);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  int is_there;
} curl;

struct ccurl_transfer {
  CURL *easy;
  struct curl_slist *headers;
  uint8_t *buffer;
  size_t capacity, size;
  int is_full;
};

static void load(void) {
  // With OpenSSL and with GnuTLS, as Debian has both.
  static const char *const libraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
  void *library = NULL;
  for (size_t index = 0; !library && index < sizeof libraries / sizeof *libraries; index++)
    library = dlopen(libraries[index], RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define LOAD(name) curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name)
  LOAD(global_init);
  LOAD(easy_init);
  LOAD(easy_cleanup);
  LOAD(easy_setopt);
  LOAD(easy_perform);
  LOAD(easy_getinfo);
  LOAD(slist_append);
  LOAD(slist_free_all);
#undef LOAD
  curl.is_there = curl.global_init && curl.easy_init && curl.easy_cleanup && curl.easy_setopt && curl.easy_perform &&
                  curl.easy_getinfo && curl.slist_append && curl.slist_free_all && curl.global_init(GLOBAL_DEFAULT) == 0;
}

int ccurl_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return curl.is_there;
}

struct ccurl_transfer *ccurl_open(void) {
  if (!ccurl_is_there()) return NULL;
  struct ccurl_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->easy = curl.easy_init();
  if (!transfer->easy) {
    free(transfer);
    return NULL;
  }
  return transfer;
}

void ccurl_close(struct ccurl_transfer *transfer) {
  if (!transfer) return;
  curl.easy_cleanup(transfer->easy);
  curl.slist_free_all(transfer->headers);
  free(transfer);
}

int ccurl_set_number(struct ccurl_transfer *transfer, int option, long value) {
  return curl.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_text(struct ccurl_transfer *transfer, int option, const char *value) {
  return curl.easy_setopt(transfer->easy, option, value);
}

int ccurl_add_header(struct ccurl_transfer *transfer, const char *line) {
  struct curl_slist *headers = curl.slist_append(transfer->headers, line);
  if (!headers) return OUT_OF_MEMORY;
  transfer->headers = headers;
  return curl.easy_setopt(transfer->easy, OPTION_HTTPHEADER, headers);
}

int ccurl_set_body(struct ccurl_transfer *transfer, const uint8_t *bytes, size_t size) {
  int code = curl.easy_setopt(transfer->easy, OPTION_POSTFIELDSIZE, (long)size);
  return code ? code : curl.easy_setopt(transfer->easy, OPTION_POSTFIELDS, (const char *)bytes);
}

// A number other than what it was given ends the transfer.
static size_t take(char *bytes, size_t one, size_t count, void *context) {
  struct ccurl_transfer *transfer = context;
  size_t size = one * count;
  if (size > transfer->capacity - transfer->size) {
    transfer->is_full = 1;
    return size ? 0 : 1;
  }
  memcpy(transfer->buffer + transfer->size, bytes, size);
  transfer->size += size;
  return size;
}

int ccurl_perform(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity, size_t *size) {
  transfer->buffer = buffer;
  transfer->capacity = capacity;
  transfer->size = 0;
  transfer->is_full = 0;
  *size = 0;
  int code = curl.easy_setopt(transfer->easy, OPTION_WRITEFUNCTION, &take);
  if (!code) code = curl.easy_setopt(transfer->easy, OPTION_WRITEDATA, transfer);
  if (!code) code = curl.easy_perform(transfer->easy);
  transfer->buffer = NULL;
  *size = transfer->size;
  return code == WRITE_ERROR && transfer->is_full ? CCURL_NO_ROOM : code;
}

long ccurl_status(struct ccurl_transfer *transfer) {
  long status = 0;
  return curl.easy_getinfo(transfer->easy, INFO_RESPONSE_CODE, &status) == 0 ? status : 0;
}

int64_t ccurl_retry_after(struct ccurl_transfer *transfer) {
  int64_t seconds = 0;
  return curl.easy_getinfo(transfer->easy, INFO_RETRY_AFTER, &seconds) == 0 ? seconds : 0;
}
