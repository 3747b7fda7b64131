// locationd-fleet-helper: the connection to one destination of `locationctl fleet`. Its standard input is the service's socket; it has the
// network and nothing else, stores nothing, and ends with its connection.
//
// It is a program of its own in C: a process with Swift's runtime or the rest of locationd takes 2.5 to 6 MB more, and locationd does not
// load, or depend on, libraries that only this process needs.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Encryption.h"
#include "HTTP.h"
#include "MQTT.h"
#include "Messages.h"

enum { SERVICE = 0, EXIT_USAGE = 64 };
// Name resolution and the connection of the transport, seconds; the service has asked for nothing else meanwhile.
enum { CONNECT_SECONDS = 25 };
// The service reads at once; what it does not read in this time, it will not.
enum { WRITE_MS = 30000 };
// MQTT 5: the broker keeps the session for this time, seconds, for commands.
enum { SESSION_EXPIRY = 3600 };

#ifndef RELEASE
#define RELEASE "0"
#endif

static struct connection order;
static uint8_t key[ENCRYPTION_KEY];
static int is_connected, is_over, unanswered;
static enum mqtt_problem mqtt_end;
static int mqtt_end_reason, mqtt_has_ended;

// Without a proper end, a broker publishes the will. It may be called inside of libmosquitto, which must not be destroyed there.
static void leave(void) { _exit(0); }

static void write_all(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = send(SERVICE, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
      continue;
    }
    struct pollfd wait = {.fd = SERVICE, .events = POLLOUT};
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN && poll(&wait, 1, WRITE_MS) == 1 && wait.revents & POLLOUT) continue;
    leave();
  }
}

static void ended(enum problem problem, const struct reply *reply) {
  if (is_over) return;
  is_over = 1;
  uint8_t bytes[LONGEST_ANSWER];
  write_all(bytes, write_ended(bytes, problem, reply));
}

static void answered(uint64_t id, const struct reply *reply) {
  uint8_t bytes[LONGEST_ANSWER];
  unanswered--;
  write_all(bytes, write_answered(bytes, id, reply));
}

static void connected(const struct session *session) {
  uint8_t bytes[LONGEST_ANSWER];
  is_connected = 1;
  write_all(bytes, write_connected(bytes, session));
}

// With a secret, only encrypted commands count: everyone who may publish at the broker could send others.
static void command(const uint8_t *content, size_t size) {
  uint8_t *opened = NULL;
  if (order.secret.data) {
    content = opened = encryption_open(key, content, size, &size);
    if (!opened) return;
  }
  if (size > 0 && size <= LONGEST_COMMAND) {
    uint8_t bytes[LONGEST_ANSWER];
    write_all(bytes, write_command(bytes, size));
    write_all(content, size);
  }
  free(opened);
}

// What the libraries read from files: the content of a file that has no name. The descriptor stays open until the process ends.
static char *file_of(struct bytes content) {
  if (!content.data) return NULL;
  int file = memfd_create("fleet", MFD_CLOEXEC);
  char *path = malloc(32);
  if (file < 0 || !path || write(file, content.data, content.size) != (ssize_t)content.size) _exit(1);
  snprintf(path, 32, "/proc/self/fd/%d", file);
  return path;
}

static char *text_of(struct bytes content) {
  if (!content.data) return NULL;
  char *text = malloc(content.size + 1);
  if (!text) _exit(1);
  memcpy(text, content.data, content.size);
  text[content.size] = 0;
  return text;
}

// MARK: The end inside of a library

static uint8_t last_words[2][LONGEST_ANSWER];
static size_t last_size[2];

// SIGALRM: what blocks takes too long. SIGABRT: libmosquitto has an assertion that an answer of a hostile broker makes fail (2.0.11).
static void expired(int signal) {
  int which = signal == SIGABRT;
  if (!is_over) (void)!send(SERVICE, last_words[which], last_size[which], MSG_NOSIGNAL | MSG_DONTWAIT);
  _exit(0);
}

static void limit(void) {
  last_size[0] = write_ended(last_words[0], TOO_LATE, NULL);
  last_size[1] = write_ended(last_words[1], NOT_UNDERSTOOD, NULL);
  signal(SIGALRM, &expired);
  signal(SIGABRT, &expired);
}

// MARK: MQTT

static void mqtt_connected(const struct mqtt_session *found) {
  const struct session session = {
      .version = found->version, .receive_maximum = found->receive_maximum, .maximum_packet = found->maximum_packet,
      .maximum_qos = found->maximum_qos, .may_retain = found->may_retain};
  connected(&session);
}

static void mqtt_acknowledged(uint64_t number, int reason) {
  const struct reply reply = {.code = reason};
  answered(number, &reply);
}

static void mqtt_ended(enum mqtt_problem problem, int reason) {
  mqtt_has_ended = 1;
  mqtt_end = problem;
  mqtt_end_reason = reason;
}

static void open_mqtt(int version) {
  static char *files[3], *password;
  if (!files[0] && !files[1]) {
    files[0] = file_of(order.authorities);
    files[1] = file_of(order.certificate);
    files[2] = file_of(order.key);
    password = text_of(order.password);
  }
  const struct mqtt_options options = {
      .host = order.host,
      .port = order.port,
      .is_encrypted = order.is_encrypted,
      .version = version,
      .client = order.client,
      .user = order.account,
      .password = password,
      .authority = files[0],
      .certificate = files[1],
      .key = files[2],
      .keep_alive = order.keep_alive,
      .session_expiry = order.command_topic ? SESSION_EXPIRY : 0,
      .will_topic = order.has_will ? order.will.target : NULL,
      .will = order.will.body.data,
      .will_size = order.will.body.size,
      .will_qos = order.will.qos,
      .will_is_retained = order.will.is_retained,
      .subscription = order.command_topic,
  };
  static const struct mqtt_observer observer = {&mqtt_connected, &mqtt_acknowledged, &command, &mqtt_ended};
  mqtt_has_ended = 0;
  alarm(CONNECT_SECONDS);
  mqtt_open(&options, &observer);
  alarm(0);
}

// The reason codes of CONNACK and DISCONNECT (MQTT 5, 3.2.2.2 and 3.14.2.1), and the return codes of MQTT 3.1.1 (3.2.2.3).
static enum problem refusal(int reason) {
  switch (reason) {
    case 4:
    case 0x86:
    case 0x8C: return BAD_CREDENTIALS;
    case 5:
    case 0x87:
    case 0x8A: return NOT_AUTHORIZED;
    case 0x8E: return TAKEN_OVER;
    case 3:
    case 0x88:
    case 0x89:
    case 0x8B:
    case 0x97:
    case 0x9C:
    case 0x9D:
    case 0x9F: return UNAVAILABLE;
    default: return NOT_UNDERSTOOD;
  }
}

// After the end of a connection: the next version of the protocol, or the report to the service.
static void finish_mqtt(void) {
  static int was_older;
  int is_other_version =
      (!order.expects_version_5 && (mqtt_end == MQTT_NOT_MQTT || mqtt_end == MQTT_CLOSED)) ||
      (mqtt_end == MQTT_REFUSED && (mqtt_end_reason == 1 || mqtt_end_reason == 0x84));
  mqtt_close(0);
  // A broker without MQTT 5 refuses the version, or just closes the connection; so does one that is starting.
  if (!is_connected && !was_older && is_other_version) {
    was_older = 1;
    open_mqtt(4);
    return;
  }
  static const enum problem problems[] = {
      [MQTT_NO_LIBRARY] = LIBRARY_MISSING, [MQTT_NO_SUCH_HOST] = NO_SUCH_HOST, [MQTT_UNREACHABLE] = UNREACHABLE,
      [MQTT_TOO_LATE] = TOO_LATE, [MQTT_NOT_TRUSTED] = SERVER_NOT_TRUSTED,
      [MQTT_CERTIFICATE_REFUSED] = CERTIFICATE_REFUSED, [MQTT_BAD_CERTIFICATE] = CREDENTIAL_UNREADABLE,
      [MQTT_REFUSED] = NOT_AUTHORIZED, [MQTT_CLOSED] = CLOSED, [MQTT_NOT_MQTT] = NOT_UNDERSTOOD};
  enum problem problem = problems[mqtt_end];
  if (mqtt_end_reason && (mqtt_end == MQTT_REFUSED || mqtt_end == MQTT_CLOSED)) problem = refusal(mqtt_end_reason);
  const struct reply reply = {.code = mqtt_end_reason};
  ended(problem, mqtt_end_reason ? &reply : NULL);
}

// MARK: HTTP

static void open_http(void) {
  const struct http_options options = {
      .agent = "swift-corelocation/" RELEASE,
      .user = order.account,
      .password = order.account ? text_of(order.password) : NULL,
      .authority = file_of(order.authorities),
      .certificate = file_of(order.certificate),
      .key = file_of(order.key),
      .may_be_plain = !order.is_encrypted,
  };
  int code = http_open(&options);
  for (int index = 0; !code && index < order.header_count; index++) code = http_header(order.headers[index]);
  // Without it, libcurl waits for `100 Continue` before larger bodies.
  if (!code) code = http_header("Expect:");
  if (!code && order.password.data && !order.account) {
    char line[1024];
    char *token = text_of(order.password);
    if (snprintf(line, sizeof line, "Authorization: Bearer %s", token) >= (int)sizeof line || strpbrk(token, "\r\n"))
      return ended(CREDENTIAL_UNREADABLE, NULL);
    code = http_header(line);
    free(token);
  }
  if (code) return ended(code == -1 ? LIBRARY_MISSING : NOT_UNDERSTOOD, NULL);
  const struct session session = {.maximum_qos = 2, .may_retain = 1};
  connected(&session);
}

// libcurl-errors(3).
static enum problem transfer_problem(int code, int verified) {
  switch (code) {
    case -1: return LIBRARY_MISSING;
    case 5:
    case 6: return NO_SUCH_HOST;
    case 7: return UNREACHABLE;
    case 28: return TOO_LATE;
    case 58: return CREDENTIAL_UNREADABLE;
    case 77: return CREDENTIAL_UNREADABLE;
    case 35:
    case 51:
    // X509_V_ERR_CERT_NOT_YET_VALID and X509_V_ERR_CERT_HAS_EXPIRED.
    case 60: return verified == 9 || verified == 10 ? CERTIFICATE_DATE : SERVER_NOT_TRUSTED;
    case 52:
    case 55:
    case 56: return CLOSED;
    default: return NOT_UNDERSTOOD;
  }
}

static void request(const struct message *message, struct bytes body) {
  static uint8_t answer[HTTP_LONGEST_ANSWER];
  static char url[LONGEST_TARGET + 400];
  int is_six = strchr(order.host, ':') != NULL;
  snprintf(
      url, sizeof url, "%s://%s%s%s:%d%s", order.is_encrypted ? "https" : "http", is_six ? "[" : "", order.host,
      is_six ? "]" : "", order.port, message->target);
  static int has_type;
  if (message->content_type && !has_type) {
    char line[160];
    snprintf(line, sizeof line, "Content-Type: %s", message->content_type);
    has_type = http_header(line) == 0;
  }
  struct http_answer result =
      http_request(url, message->method == METHOD_GET ? NULL : body.data ? body.data : answer, body.size, answer);
  if (result.status < 100 || result.status > 999) {
    if (result.code == 35 && order.certificate.data) return ended(CERTIFICATE_REFUSED, NULL);
    return ended(transfer_problem(result.code, result.verified), NULL);
  }
  const struct reply reply = {.is_http = 1, .code = result.status, .retry_after = result.retry_after};
  answered(message->id, &reply);
  int is_empty = result.size == 0 || (result.size == 2 && answer[0] == '[' && answer[1] == ']');
  if (order.command_topic && result.status < 300 && !is_empty) command(answer, result.size);
}

// MARK: The service

static void deliver(const uint8_t *content, size_t size) {
  struct message message;
  if (!is_connected || !read_message(content, size, &message) || ++unanswered > order.window) leave();
  struct bytes body = message.body;
  uint8_t *sealed = NULL;
  if (order.secret.data && message.kind != MESSAGE_LAST_WILL) {
    body.data = sealed = encryption_seal(key, body.data, body.size, &body.size);
    if (!sealed) _exit(1);
  }
  if (order.kind != KIND_MQTT) {
    // Anything else before the path would belong to the name of the server.
    if (message.method == METHOD_PUBLISH || message.target[0] != '/') leave();
    request(&message, body);
  } else if (mqtt_publish(message.id, message.target, body.data, body.size, message.qos, message.is_retained)) {
    if (!mqtt_has_ended) {
      // The library refuses a topic that is none.
      const struct reply reply = {.code = 0x90};
      answered(message.id, &reply);
    }
  }
  free(sealed);
  free_message(&message);
}

static void begin(const uint8_t *content, size_t size) {
  // The content lives as long as this process: the order refers to it.
  uint8_t *copy = malloc(size + 1);
  if (!copy) _exit(1);
  memcpy(copy, content, size);
  if (!read_connection(copy, size, &order) || order.window > MQTT_WINDOW) leave();
  if (order.secret.data) {
    if (!encryption_is_there()) return ended(LIBRARY_MISSING, NULL);
    encryption_key(key, order.secret.data, order.secret.size);
  }
  if (order.kind == KIND_MQTT) open_mqtt(5);
  else open_http();
}

// Bytes that the service has sent, and that are not a whole message yet.
static struct {
  uint8_t *bytes;
  size_t size, capacity;
} input;

// Whether the service wants the connection to be closed.
static int is_closing;

static void receive(void) {
  if (input.capacity - input.size < 4096) {
    size_t capacity = input.capacity + 16384;
    uint8_t *grown = realloc(input.bytes, capacity);
    if (!grown) _exit(1);
    input.bytes = grown;
    input.capacity = capacity;
  }
  ssize_t count = recv(SERVICE, input.bytes + input.size, input.capacity - input.size, MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  // Without `close`, the connection breaks off, and the broker publishes the will.
  if (count <= 0) leave();
  input.size += (size_t)count;
  size_t start = 0;
  while (input.size - start >= 4 && !is_over) {
    const uint8_t *header = input.bytes + start;
    size_t length = header[1] | (size_t)header[2] << 8 | (size_t)header[3] << 16;
    if (length > LONGEST_MESSAGE) leave();
    if (input.size - start - 4 < length) break;
    static int has_begun;
    switch (header[0]) {
      case TO_CONNECT:
        if (has_begun) leave();
        has_begun = 1;
        begin(header + 4, length);
        break;
      case TO_SEND: deliver(header + 4, length); break;
      case TO_CLOSE:
        if (length > 0) leave();
        is_closing = 1;
        break;
      default: leave();
    }
    start += 4 + length;
  }
  memmove(input.bytes, input.bytes + start, input.size - start);
  input.size -= start;
}

int main(void) {
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(SERVICE, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_STREAM) {
    static const char text[] = "locationd-fleet-helper: its standard input is no socket: locationd starts it, see location-fleet.socket\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    return EXIT_USAGE;
  }
  // Other processes of its user cannot read the secrets, and no dump of its memory is written.
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  limit();
  while (!is_over) {
    if (is_closing && unanswered == 0) {
      mqtt_close(1);
      break;
    }
    struct pollfd ready[2] = {{.fd = SERVICE, .events = POLLIN}, {.fd = -1}};
    ready[1].fd = mqtt_socket(&ready[1].events);
    int count = poll(ready, 2, mqtt_patience());
    if (count < 0 && errno != EINTR) break;
    mqtt_step(count > 0 ? ready[1].revents : 0);
    while (mqtt_has_ended && !is_over) finish_mqtt();
    if (count > 0 && ready[0].revents && !is_over) receive();
    while (mqtt_has_ended && !is_over) finish_mqtt();
  }
  leave();
}
