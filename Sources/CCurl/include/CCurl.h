#ifndef CCURL_H
#define CCURL_H

// libcurl's easy interface without its variadic functions, loaded when it is first used: whoever fetches nothing pays nothing,
// and a machine without libcurl runs everything else. What a transfer may do is the caller's affair.

#include <stddef.h>
#include <stdint.h>

/// Options, by libcurl's own numbers, which never change (curl/curl.h).
enum {
  CCURL_URL = 10002,
  CCURL_USERAGENT = 10018,
  CCURL_POST = 47,
  CCURL_FOLLOWLOCATION = 52,
  CCURL_MAXREDIRS = 68,
  CCURL_NOSIGNAL = 99,
  CCURL_TIMEOUT_MS = 155,
  CCURL_CONNECTTIMEOUT_MS = 156,
  CCURL_PROTOCOLS = 181,
  CCURL_REDIR_PROTOCOLS = 182,
};

/// CURLOPT_PROTOCOLS: a bit each.
enum { CCURL_HTTP = 1, CCURL_HTTPS = 2 };

/// What came of a transfer beside libcurl's own numbers (libcurl-errors(3)): more bytes than there was room for; the server has sent
/// it on to an address of this machine or its networks.
enum { CCURL_NO_ROOM = 1000, CCURL_SENT_INSIDE = 1001 };

/// Whether an IPv6 address, or one of IPv4 within it, is none of the public internet: loopback, link-local, private, shared, multicast
/// (RFC 6890).
int ccurl_is_inside(const uint8_t bytes[16]);

/// One transfer. NULL without memory, or without libcurl.
struct ccurl_transfer;

int ccurl_is_there(void);
struct ccurl_transfer *ccurl_open(void);
void ccurl_close(struct ccurl_transfer *transfer);

/// Each answers libcurl's number, 0 for done. Texts end with NUL; they are copied.
int ccurl_set_number(struct ccurl_transfer *transfer, int option, long value);
int ccurl_set_text(struct ccurl_transfer *transfer, int option, const char *value);
int ccurl_add_header(struct ccurl_transfer *transfer, const char *line);
/// What is sent; it has to stay until the transfer is over.
int ccurl_set_body(struct ccurl_transfer *transfer, const uint8_t *bytes, size_t size);

/// Runs it: what comes stands in `buffer`, `*size` bytes of it.
int ccurl_perform(struct ccurl_transfer *transfer, uint8_t *buffer, size_t capacity, size_t *size);
/// HTTP's status; 0 where there was none.
long ccurl_status(struct ccurl_transfer *transfer);
/// Seconds of Retry-After; 0 where it does not say.
int64_t ccurl_retry_after(struct ccurl_transfer *transfer);

#endif
