#include "CCurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// The same declarations as in curl/curl.h: the interface has been binary compatible since 7.16 (curl.se/libcurl/abi.html), so
// the header is not needed to build.
typedef void CURL;
struct curl_slist;

enum {
  OPTION_WRITEDATA = 10001,
  OPTION_WRITEFUNCTION = 20011,
  OPTION_POSTFIELDS = 10015,
  OPTION_HTTPHEADER = 10023,
  OPTION_POSTFIELDSIZE = 60,
  OPTION_OPENSOCKETFUNCTION = 20163,
  OPTION_OPENSOCKETDATA = 10164,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  INFO_SSL_VERIFYRESULT = 0x200000 + 13,
  INFO_REDIRECT_COUNT = 0x200000 + 20,
  INFO_FILETIME = 0x600000 + 14,
  INFO_CONTENT_LENGTH = 0x600000 + 15,
  INFO_RETRY_AFTER = 0x600000 + 57,
  INFO_ACTIVESOCKET = 0x500000 + 44,
  GLOBAL_DEFAULT = 3,
  OUT_OF_MEMORY = 27,
  WRITE_ERROR = 23,
  AGAIN = 81,
};

static struct {
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_perform)(CURL *);
  int (*easy_getinfo)(CURL *, int, ...);
  int (*easy_recv)(CURL *, void *, size_t, size_t *);
  int (*easy_send)(CURL *, const void *, size_t, size_t *);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
  int is_there;
} curl;

// curl_sockaddr of curl/curl.h; `length` is the size of its last member.
struct socket_address {
  int family, type, protocol;
  unsigned length;
  struct sockaddr address;
};

// Addresses of the requested server, which may be internal.
enum { NAMED_ADDRESSES = 16 };

struct ccurl_transfer {
  CURL *easy;
  struct in6_addr named[NAMED_ADDRESSES];
  int named_count, was_sent_inside;
  struct curl_slist *headers;
  uint8_t *buffer;
  size_t capacity, size;
  int is_full;
};

static void load(void) {
  // Debian has libcurl built with OpenSSL and with GnuTLS.
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
  LOAD(easy_recv);
  LOAD(easy_send);
  LOAD(slist_append);
  LOAD(slist_free_all);
#undef LOAD
  curl.is_there = curl.global_init && curl.easy_init && curl.easy_cleanup && curl.easy_setopt && curl.easy_perform &&
                  curl.easy_getinfo && curl.easy_recv && curl.easy_send && curl.slist_append && curl.slist_free_all && curl.global_init(GLOBAL_DEFAULT) == 0;
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

// A return value other than the number of bytes passed ends the transfer.
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

// An IPv4 address becomes an IPv6 address (::ffff:0:0/96).
static int address_of(const struct socket_address *socket, struct in6_addr *address) {
  if (socket->family == AF_INET6 && socket->length >= sizeof(struct sockaddr_in6)) {
    *address = ((const struct sockaddr_in6 *)(const void *)&socket->address)->sin6_addr;
    return 1;
  }
  if (socket->family != AF_INET || socket->length < sizeof(struct sockaddr_in)) return 0;
  memset(address, 0, sizeof *address);
  address->s6_addr[10] = address->s6_addr[11] = 0xFF;
  memcpy(address->s6_addr + 12, &((const struct sockaddr_in *)(const void *)&socket->address)->sin_addr, 4);
  return 1;
}

int ccurl_is_inside(const uint8_t bytes[16]) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF}, translated[12] = {0, 0x64, 0xFF, 0x9B};
  const uint8_t *four = bytes + 12;
  if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, translated, 12) == 0)
    return four[0] == 0 || four[0] == 10 || four[0] == 127 || four[0] >= 224 || (four[0] == 100 && (four[1] & 0xC0) == 64) ||
           (four[0] == 169 && four[1] == 254) || (four[0] == 172 && (four[1] & 0xF0) == 16) ||
           (four[0] == 192 && four[1] == 168) || (four[0] == 198 && (four[1] & 0xFE) == 18);
  // ::/8 contains loopback, unspecified and IPv4-compatible addresses; fc00::/7, fe80::/10, fec0::/10, ff00::/8.
  return bytes[0] == 0 || (bytes[0] & 0xFE) == 0xFC || (bytes[0] == 0xFE && bytes[1] >= 0x80) || bytes[0] == 0xFF;
}

// An external server must not make this machine send requests to internal addresses: a redirect may only lead to a public
// address, or back to the requested server.
static int open_socket(void *context, int purpose, struct socket_address *socket_address) {
  (void)purpose;
  struct ccurl_transfer *transfer = context;
  struct in6_addr address;
  if (!address_of(socket_address, &address)) return -1;
  long redirects = 0;
  if (curl.easy_getinfo(transfer->easy, INFO_REDIRECT_COUNT, &redirects) != 0) return -1;
  if (redirects == 0) {
    if (transfer->named_count < NAMED_ADDRESSES) transfer->named[transfer->named_count++] = address;
  } else if (ccurl_is_inside(address.s6_addr)) {
    int is_named = 0;
    for (int index = 0; index < transfer->named_count; index++)
      is_named |= memcmp(&transfer->named[index], &address, sizeof address) == 0;
    if (!is_named) {
      transfer->was_sent_inside = 1;
      return -1;
    }
  }
  return socket(socket_address->family, socket_address->type | SOCK_CLOEXEC, socket_address->protocol);
}

int ccurl_perform(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity, size_t *size) {
  transfer->buffer = buffer;
  transfer->capacity = capacity;
  transfer->size = 0;
  transfer->is_full = 0;
  *size = 0;
  int code = curl.easy_setopt(transfer->easy, OPTION_WRITEFUNCTION, &take);
  if (!code) code = curl.easy_setopt(transfer->easy, OPTION_WRITEDATA, transfer);
  if (!code) code = curl.easy_setopt(transfer->easy, OPTION_OPENSOCKETFUNCTION, &open_socket);
  if (!code) code = curl.easy_setopt(transfer->easy, OPTION_OPENSOCKETDATA, transfer);
  if (!code) code = curl.easy_perform(transfer->easy);
  transfer->buffer = NULL;
  *size = transfer->size;
  if (code && transfer->was_sent_inside) return CCURL_SENT_INSIDE;
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

int64_t ccurl_content_length(struct ccurl_transfer *transfer) {
  int64_t size = -1;
  return curl.easy_getinfo(transfer->easy, INFO_CONTENT_LENGTH, &size) == 0 ? size : -1;
}

int64_t ccurl_file_time(struct ccurl_transfer *transfer) {
  int64_t time = -1;
  return curl.easy_getinfo(transfer->easy, INFO_FILETIME, &time) == 0 ? time : -1;
}

int ccurl_verified(struct ccurl_transfer *transfer) {
  long result = 0;
  return curl.easy_getinfo(transfer->easy, INFO_SSL_VERIFYRESULT, &result) == 0 ? (int)result : 0;
}

int ccurl_connect(struct ccurl_transfer *transfer) {
  int code = curl.easy_setopt(transfer->easy, OPTION_OPENSOCKETFUNCTION, &open_socket);
  if (!code) code = curl.easy_setopt(transfer->easy, OPTION_OPENSOCKETDATA, transfer);
  return code ? code : curl.easy_perform(transfer->easy);
}

int ccurl_socket(struct ccurl_transfer *transfer) {
  int found = -1;
  return curl.easy_getinfo(transfer->easy, INFO_ACTIVESOCKET, &found) == 0 ? found : -1;
}

long ccurl_receive(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity) {
  size_t count = 0;
  int code = curl.easy_recv(transfer->easy, buffer, capacity, &count);
  if (code) return code == AGAIN ? -1 : -2;
  return (long)count;
}

long ccurl_send(struct ccurl_transfer *transfer, const uint8_t *bytes, size_t size) {
  size_t count = 0;
  int code = curl.easy_send(transfer->easy, bytes, size, &count);
  if (code) return code == AGAIN ? -1 : -2;
  return count ? (long)count : -1;
}
