#include "HTTP.h"

#include "CCurl.h"

static struct ccurl_transfer *transfer;

enum { CONNECT_TIMEOUT_MS = 10000, TIMEOUT_MS = 30000, TLS_1_2 = 6 };

int http_open(const struct http_options *options) {
  http_close();
  transfer = ccurl_open();
  if (!transfer) return -1;
  long protocols = options->may_be_plain ? CCURL_HTTP | CCURL_HTTPS : CCURL_HTTPS;
  const struct {
    int option;
    long value;
  } numbers[] = {
      {CCURL_NOSIGNAL, 1},
      {CCURL_PROTOCOLS, protocols},
      {CCURL_REDIR_PROTOCOLS, protocols},
      {CCURL_FOLLOWLOCATION, 0},
      {CCURL_CONNECTTIMEOUT_MS, CONNECT_TIMEOUT_MS},
      {CCURL_TIMEOUT_MS, TIMEOUT_MS},
      // libcurl verifies the certificate and the name unless it is told otherwise.
      {CCURL_SSLVERSION, TLS_1_2},
  };
  int code = 0;
  for (size_t index = 0; !code && index < sizeof numbers / sizeof *numbers; index++)
    code = ccurl_set_number(transfer, numbers[index].option, numbers[index].value);
  const struct {
    int option;
    const char *value;
  } texts[] = {
      {CCURL_USERAGENT, options->agent},
      // The environment of the service names no proxy.
      {CCURL_PROXY, ""},
      {CCURL_USERNAME, options->user},
      {CCURL_PASSWORD, options->password},
      {CCURL_CAINFO, options->authority},
      {CCURL_SSLCERT, options->certificate},
      {CCURL_SSLKEY, options->key},
  };
  for (size_t index = 0; !code && index < sizeof texts / sizeof *texts; index++)
    if (texts[index].value) code = ccurl_set_text(transfer, texts[index].option, texts[index].value);
  if (code) http_close();
  return code;
}

int http_header(const char *line) { return transfer ? ccurl_add_header(transfer, line) : -1; }

struct http_answer http_request(
    const char *url, const uint8_t *body, size_t size, uint8_t answer[HTTP_LONGEST_ANSWER]) {
  struct http_answer result = {0};
  if (!transfer) {
    result.code = -1;
    return result;
  }
  result.code = ccurl_set_text(transfer, CCURL_URL, url);
  if (!result.code) result.code = ccurl_set_number(transfer, body ? CCURL_POST : CCURL_HTTPGET, 1);
  if (!result.code && body) result.code = ccurl_set_body(transfer, body, size);
  if (result.code) return result;
  result.code = ccurl_perform(transfer, answer, HTTP_LONGEST_ANSWER, &result.size);
  // The rest of a long answer is not needed: its status counts.
  if (result.code == CCURL_NO_ROOM) result.code = 0;
  result.verified = ccurl_verified(transfer);
  if (result.code) return result;
  result.status = (int)ccurl_status(transfer);
  result.retry_after = ccurl_retry_after(transfer);
  return result;
}

void http_close(void) {
  ccurl_close(transfer);
  transfer = NULL;
}
