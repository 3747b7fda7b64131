#ifndef FLEET_HELPER_HTTP_H
#define FLEET_HELPER_HTTP_H

// HTTP requests to one server, by libcurl, on a connection that is kept.

#include <stddef.h>
#include <stdint.h>

/// Texts are NUL-terminated; NULL: none.
struct http_options {
  /// The program's name and version.
  const char *agent;
  const char *user, *password;
  /// PEM files; without `authority`, the system's authorities are trusted.
  const char *authority, *certificate, *key;
  /// Whether requests may be sent unencrypted.
  int may_be_plain;
};

struct http_answer {
  /// The HTTP status; 0: there was no answer, and `code` is libcurl's error (libcurl-errors(3)), or -1 without libcurl.
  int status, code;
  /// OpenSSL's result of the verification of the certificate (openssl-verification-options(1)).
  int verified;
  /// Seconds that the server asks to wait; 0: it does not.
  int64_t retry_after;
  /// The size of the answer's beginning in the buffer.
  size_t size;
};

/// The longest beginning of an answer that is kept, bytes.
enum { HTTP_LONGEST_ANSWER = 16384 };

/// Prepares for requests to a server; nothing is connected yet. 0: done; otherwise the `code` of an answer.
int http_open(const struct http_options *options);
/// One more header of all requests. 0: done.
int http_header(const char *line);
/// Performs a request, and blocks until it is complete. Without a body, it is a GET. Redirects are not followed: the position is sent only
/// to the server that was configured.
struct http_answer http_request(
    const char *url, const uint8_t *body, size_t size, uint8_t answer[HTTP_LONGEST_ANSWER]);
void http_close(void);

#endif
