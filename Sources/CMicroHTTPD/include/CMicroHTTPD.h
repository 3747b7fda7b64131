#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

// libmicrohttpd without its variadic functions: a server on 127.0.0.1 and ::1, or for all networks with TLS, that the caller's event loop runs. The library parses HTTP/1.1; the
// caller decides on every request.

#include <stddef.h>
#include <stdint.h>

struct cmicrohttpd_server;
/// A request, valid from the call of `handle` until the call of `finished`.
struct cmicrohttpd_request;

/// What the caller does. `context` is that of `cmicrohttpd_start`.
struct cmicrohttpd_caller {
  void *context;
  /// A complete request. It is answered within this call, or later, or never if the server stops.
  void (*handle)(void *context, struct cmicrohttpd_request *request);
  /// Writes the next bytes of a stream to `buffer`, and returns their number; 0: none now; -1: the stream ends.
  long (*read)(void *context, struct cmicrohttpd_request *request, uint8_t *buffer, size_t capacity);
  /// The request is over: answered, or its connection is closed. Its socket is still open.
  void (*finished)(void *context, struct cmicrohttpd_request *request);
};

/// The bounds of a server.
struct cmicrohttpd_limits {
  unsigned connections;
  /// Seconds without a byte.
  unsigned timeout;
  /// Bytes of the request line and the headers, and bytes of a body; a body that is longer is reported as too long.
  size_t headers, body;
};

/// Listens; port 0: any. NULL and `errno` if that fails.
///
/// - certificate, key: NULL: at 127.0.0.1, and at ::1 if this machine has IPv6. PEM: at all addresses, with TLS 1.2 or 1.3 only.
struct cmicrohttpd_server *cmicrohttpd_start(
  uint16_t port, const char *certificate, const char *key, struct cmicrohttpd_limits limits, struct cmicrohttpd_caller caller);
/// Closes all connections; each request gets its `finished`.
void cmicrohttpd_stop(struct cmicrohttpd_server *server);
uint16_t cmicrohttpd_port(struct cmicrohttpd_server *server);
/// The epoll descriptor: readable if `cmicrohttpd_run` has something to do.
int cmicrohttpd_descriptor(struct cmicrohttpd_server *server);
/// Serves what is ready, without blocking.
void cmicrohttpd_run(struct cmicrohttpd_server *server);
/// Milliseconds until `cmicrohttpd_run` is due even if the descriptor is not readable; -1: never.
int64_t cmicrohttpd_timeout(struct cmicrohttpd_server *server);

/// A number of the caller's own, 0 at first.
uint64_t cmicrohttpd_number(const struct cmicrohttpd_request *request);
void cmicrohttpd_set_number(struct cmicrohttpd_request *request, uint64_t number);
const char *cmicrohttpd_method(const struct cmicrohttpd_request *request);
/// The request target as it was sent, not decoded.
const char *cmicrohttpd_target(const struct cmicrohttpd_request *request);
/// The value of the header of that name and this index among those of the name; NULL if there is none.
const char *cmicrohttpd_header(const struct cmicrohttpd_request *request, const char *name, unsigned index);
/// The body, and whether it was longer than the limit; `*size` is then 0.
const uint8_t *cmicrohttpd_body(const struct cmicrohttpd_request *request, size_t *size, int *is_too_long);
/// The socket of the request's connection.
int cmicrohttpd_socket(const struct cmicrohttpd_request *request);

/// Makes the answer, whose bytes are copied, or a stream that `read` supplies. Returns 0 if there is no memory.
int cmicrohttpd_answer(struct cmicrohttpd_request *request, unsigned status, const uint8_t *bytes, size_t size);
int cmicrohttpd_answer_stream(struct cmicrohttpd_request *request, unsigned status);
/// Adds a header to the answer. Returns 0 if the library refuses it.
int cmicrohttpd_add_header(struct cmicrohttpd_request *request, const char *name, const char *value);
/// Sends an answer that was made after `handle` had returned, or continues a stream that had no bytes. Call `cmicrohttpd_run` afterwards.
void cmicrohttpd_resume(struct cmicrohttpd_request *request);

#endif
