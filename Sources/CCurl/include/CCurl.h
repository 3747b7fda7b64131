#ifndef CCURL_H
#define CCURL_H

// libcurl's easy interface without its variadic functions. The library is loaded at its first use, so that a process
// that makes no request does not load it, and everything else works without libcurl. The caller decides what a transfer
// may do.

#include <stddef.h>
#include <stdint.h>

/// Options, with libcurl's own numbers, which never change (curl/curl.h).
enum {
  CCURL_URL = 10002,
  CCURL_PROXY = 10004,
  CCURL_RANGE = 10007,
  CCURL_USERAGENT = 10018,
  CCURL_SSLCERT = 10025,
  CCURL_CAINFO = 10065,
  CCURL_SSLKEY = 10087,
  CCURL_USERNAME = 10173,
  CCURL_PASSWORD = 10174,
  CCURL_SSLVERSION = 32,
  CCURL_NOBODY = 44,
  CCURL_POST = 47,
  CCURL_FOLLOWLOCATION = 52,
  CCURL_MAXREDIRS = 68,
  CCURL_FILETIME = 69,
  CCURL_HTTPGET = 80,
  CCURL_HTTP_VERSION = 84,
  CCURL_NOSIGNAL = 99,
  CCURL_CONNECT_ONLY = 141,
  CCURL_TIMEOUT_MS = 155,
  CCURL_CONNECTTIMEOUT_MS = 156,
  CCURL_PROTOCOLS = 181,
  CCURL_REDIR_PROTOCOLS = 182,
};

/// CURLOPT_PROTOCOLS: one bit per protocol.
enum { CCURL_HTTP = 1, CCURL_HTTPS = 2 };

/// Results of a transfer in addition to libcurl's own (libcurl-errors(3)): the response is larger than the buffer; the server has
/// redirected the request to an address of this machine or its networks.
enum { CCURL_NO_ROOM = 1000, CCURL_SENT_INSIDE = 1001 };

/// Whether an IPv6 address, or the IPv4 address embedded in it, is not part of the public internet: loopback, link-local,
/// private, shared, multicast (RFC 6890).
int ccurl_is_inside(const uint8_t bytes[16]);

/// A transfer. `ccurl_open` returns NULL if there is no memory, or no libcurl.
struct ccurl_transfer;

int ccurl_is_there(void);
struct ccurl_transfer *ccurl_open(void);
void ccurl_close(struct ccurl_transfer *transfer);

/// Each function returns libcurl's result, 0 for success. Texts are NUL-terminated, and are copied.
int ccurl_set_number(struct ccurl_transfer *transfer, int option, long value);
int ccurl_set_text(struct ccurl_transfer *transfer, int option, const char *value);
int ccurl_add_header(struct ccurl_transfer *transfer, const char *line);
/// The body to send, which must stay valid until the transfer has ended.
int ccurl_set_body(struct ccurl_transfer *transfer, const uint8_t *bytes, size_t size);

/// Performs the transfer, and writes `*size` bytes of response to `buffer`.
int ccurl_perform(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity, size_t *size);
/// The HTTP status; 0 if there was none.
long ccurl_status(struct ccurl_transfer *transfer);
/// Retry-After, seconds; 0 if the server sent none.
int64_t ccurl_retry_after(struct ccurl_transfer *transfer);

/// Content-Length, bytes, and Last-Modified, seconds since 1970; -1: the server sent none. The latter needs CCURL_FILETIME.
int64_t ccurl_content_length(struct ccurl_transfer *transfer);
int64_t ccurl_file_time(struct ccurl_transfer *transfer);

/// The TLS library's result of the verification of the server's certificate; 0: it was verified.
int ccurl_verified(struct ccurl_transfer *transfer);

/// With CCURL_CONNECT_ONLY: makes the connection, encrypted if the address says so; blocks until then.
int ccurl_connect(struct ccurl_transfer *transfer);
/// The socket of that connection; -1 if there is none.
int ccurl_socket(struct ccurl_transfer *transfer);
/// The number of bytes that were received or sent; 0: the peer has closed; -1: none now; -2: the connection failed.
long ccurl_receive(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity);
long ccurl_send(struct ccurl_transfer *transfer, const uint8_t *bytes, size_t size);

#endif
