#include "MQTT.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The same declarations as in mosquitto.h and mqtt_protocol.h of libmosquitto 2.0 (soname 1): the headers are not needed to build.
struct mosquitto;
typedef struct mqtt5__property mosquitto_property;

struct mosquitto_message {
  int mid;
  char *topic;
  void *payload;
  int payloadlen, qos;
  bool retain;
};

enum {
  OPTION_PROTOCOL_VERSION = 1,
  OPTION_TCP_NODELAY = 11,
  ERROR_PROTOCOL = 2,
  ERROR_INVAL = 3,
  ERROR_CONN_REFUSED = 5,
  ERROR_CONN_LOST = 7,
  ERROR_TLS = 8,
  ERROR_ERRNO = 14,
  ERROR_EAI = 15,
  ERROR_MALFORMED_PACKET = 21,
  ERROR_TLS_HANDSHAKE = 31,
  ERROR_KEEPALIVE = 19,
  PROPERTY_SESSION_EXPIRY = 17,
  PROPERTY_SERVER_KEEP_ALIVE = 19,
  PROPERTY_RECEIVE_MAXIMUM = 33,
  PROPERTY_MAXIMUM_QOS = 36,
  PROPERTY_RETAIN_AVAILABLE = 37,
  PROPERTY_MAXIMUM_PACKET = 39,
  LOG_ERROR = 8,
  COMMAND_CONNECT = 0x10,
};

static struct {
  int (*lib_init)(void);
  struct mosquitto *(*new)(const char *, bool, void *);
  void (*destroy)(struct mosquitto *);
  int (*int_option)(struct mosquitto *, int, int);
  int (*username_pw_set)(struct mosquitto *, const char *, const char *);
  int (*tls_set)(struct mosquitto *, const char *, const char *, const char *, const char *, int (*)(char *, int, int, void *));
  int (*will_set_v5)(struct mosquitto *, const char *, int, const void *, int, bool, mosquitto_property *);
  int (*connect_bind_v5)(struct mosquitto *, const char *, int, int, const char *, const mosquitto_property *);
  int (*disconnect_v5)(struct mosquitto *, int, const mosquitto_property *);
  int (*publish_v5)(
      struct mosquitto *, int *, const char *, int, const void *, int, bool, const mosquitto_property *);
  int (*subscribe_v5)(struct mosquitto *, int *, const char *, int, int, const mosquitto_property *);
  int (*loop_read)(struct mosquitto *, int);
  int (*loop_write)(struct mosquitto *, int);
  int (*loop_misc)(struct mosquitto *);
  int (*socket)(struct mosquitto *);
  bool (*want_write)(struct mosquitto *);
  void (*connect_v5_callback_set)(
      struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const mosquitto_property *));
  void (*disconnect_v5_callback_set)(
      struct mosquitto *, void (*)(struct mosquitto *, void *, int, const mosquitto_property *));
  void (*publish_v5_callback_set)(
      struct mosquitto *, void (*)(struct mosquitto *, void *, int, int, const mosquitto_property *));
  void (*message_v5_callback_set)(
      struct mosquitto *,
      void (*)(struct mosquitto *, void *, const struct mosquitto_message *, const mosquitto_property *));
  void (*log_callback_set)(struct mosquitto *, void (*)(struct mosquitto *, void *, int, const char *));
  int (*property_add_int16)(mosquitto_property **, int, uint16_t);
  int (*property_add_int32)(mosquitto_property **, int, uint32_t);
  void (*property_free_all)(mosquitto_property **);
  const mosquitto_property *(*property_read_int16)(const mosquitto_property *, int, uint16_t *, bool);
  const mosquitto_property *(*property_read_int32)(const mosquitto_property *, int, uint32_t *, bool);
  const mosquitto_property *(*property_read_byte)(const mosquitto_property *, int, uint8_t *, bool);
  int is_there;
} lib;

// The one connection of this process.
static struct {
  struct mosquitto *client;
  struct mqtt_observer observer;
  struct mqtt_session session;
  int has_transport, is_connected, is_over, is_encrypted, listens;
  // A message that libmosquitto has: its number in the outbox, by its packet identifier.
  struct {
    int packet;
    uint64_t number;
  } waiting[MQTT_WINDOW];
  int waiting_count;
  // libmosquitto reports it by the return value of the function that detects it, or by its callback.
  int reason;
  // The broker has refused the certificate, or this side has refused the broker's.
  int was_refused, has_refused;
  char subscription[512];
  // CLOCK_MONOTONIC, milliseconds: when the connection must have been accepted, and when something was last sent.
  int64_t deadline, last_sent;
} mqtt;

// Between the connected transport and the broker's answer.
enum { PATIENCE_MS = 20000, PROBE_MS = 4000 };
// The longest command in base64, with its topic.
enum { LONGEST_PACKET = 128 * 1024 };

int mqtt_is_there(void) {
  static int was_tried;
  if (was_tried) return lib.is_there;
  was_tried = 1;
  void *library = dlopen("libmosquitto.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return 0;
  int all = 1;
#define LOAD(name) all &= (lib.name = (__typeof__(lib.name))dlsym(library, "mosquitto_" #name)) != NULL
  LOAD(lib_init);
  LOAD(new);
  LOAD(destroy);
  LOAD(int_option);
  LOAD(username_pw_set);
  LOAD(tls_set);
  LOAD(will_set_v5);
  LOAD(connect_bind_v5);
  LOAD(disconnect_v5);
  LOAD(publish_v5);
  LOAD(subscribe_v5);
  LOAD(loop_read);
  LOAD(loop_write);
  LOAD(loop_misc);
  LOAD(socket);
  LOAD(want_write);
  LOAD(connect_v5_callback_set);
  LOAD(disconnect_v5_callback_set);
  LOAD(publish_v5_callback_set);
  LOAD(message_v5_callback_set);
  LOAD(log_callback_set);
  LOAD(property_add_int16);
  LOAD(property_add_int32);
  LOAD(property_free_all);
  LOAD(property_read_int16);
  LOAD(property_read_int32);
  LOAD(property_read_byte);
#undef LOAD
  lib.is_there = all && lib.lib_init() == 0;
  return lib.is_there;
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void end(enum mqtt_problem problem, int reason) {
  if (mqtt.is_over) return;
  mqtt.is_over = 1;
  mqtt.observer.ended(problem, reason);
}

// libmosquitto passes the messages of OpenSSL on as text only. An alert is the other side's.
static void logged(struct mosquitto *client, void *context, int level, const char *text) {
  (void)client, (void)context;
  if (level != LOG_ERROR) return;
  if (strstr(text, "alert")) mqtt.was_refused = 1;
  if (strstr(text, "certificate verify failed") || strstr(text, "verification failed")) mqtt.has_refused = 1;
}

static void connected(
    struct mosquitto *client, void *context, int reason, int flags, const mosquitto_property *properties) {
  (void)context, (void)flags;
  if (mqtt.is_over) return;
  if (reason != 0) {
    mqtt.reason = reason;
    return end(MQTT_REFUSED, reason);
  }
  if (mqtt.is_connected) return end(MQTT_NOT_MQTT, 0);
  uint16_t number = 0;
  uint8_t byte = 0;
  if (lib.property_read_int16(properties, PROPERTY_RECEIVE_MAXIMUM, &number, false) && number > 0)
    mqtt.session.receive_maximum = number;
  if (lib.property_read_int16(properties, PROPERTY_SERVER_KEEP_ALIVE, &number, false) && number > 0)
    mqtt.session.keep_alive = number;
  if (lib.property_read_byte(properties, PROPERTY_MAXIMUM_QOS, &byte, false))
    mqtt.session.maximum_qos = byte > 2 ? 2 : byte;
  if (lib.property_read_byte(properties, PROPERTY_RETAIN_AVAILABLE, &byte, false)) mqtt.session.may_retain = byte != 0;
  lib.property_read_int32(properties, PROPERTY_MAXIMUM_PACKET, &mqtt.session.maximum_packet, false);
  mqtt.is_connected = 1;
  mqtt.last_sent = now_ms();
  if (mqtt.subscription[0]) {
    int packet = 0;
    if (lib.subscribe_v5(client, &packet, mqtt.subscription, 1, 0, NULL) == 0) mqtt.listens = 1;
  }
  mqtt.observer.connected(&mqtt.session);
}

static void disconnected(struct mosquitto *client, void *context, int reason, const mosquitto_property *properties) {
  (void)client, (void)context, (void)properties;
  // Below 0x80, it is an error of the library, which the return value of the same call reports as well.
  if (reason >= 0x80) mqtt.reason = reason;
}

static void published(
    struct mosquitto *client, void *context, int packet, int reason, const mosquitto_property *properties) {
  (void)client, (void)context, (void)properties;
  for (int index = 0; index < mqtt.waiting_count; index++) {
    if (mqtt.waiting[index].packet != packet) continue;
    uint64_t number = mqtt.waiting[index].number;
    memmove(
        &mqtt.waiting[index], &mqtt.waiting[index + 1],
        (size_t)(mqtt.waiting_count - index - 1) * sizeof mqtt.waiting[0]);
    mqtt.waiting_count--;
    if (!mqtt.is_over) mqtt.observer.acknowledged(number, reason);
    return;
  }
}

static void received(
    struct mosquitto *client, void *context, const struct mosquitto_message *message,
    const mosquitto_property *properties) {
  (void)client, (void)context, (void)properties;
  // A retained command is one that was meant for an earlier moment.
  if (mqtt.is_over || message->retain || message->payloadlen < 0) return;
  // The library acknowledges it.
  mqtt.last_sent = now_ms();
  mqtt.observer.received(message->payload, (size_t)message->payloadlen);
}

// The end of the connection, as libmosquitto's error code (mosquitto.h, mosq_err_t).
static void failed(int code) {
  if (code == 0 || mqtt.is_over) return;
  if (mqtt.has_refused) return end(MQTT_NOT_TRUSTED, 0);
  if (mqtt.is_encrypted && !mqtt.is_connected && mqtt.was_refused) return end(MQTT_CERTIFICATE_REFUSED, 0);
  switch (code) {
    case ERROR_TLS:
    case ERROR_TLS_HANDSHAKE: return end(mqtt.is_connected ? MQTT_CLOSED : MQTT_NOT_TRUSTED, 0);
    case ERROR_PROTOCOL:
    case ERROR_MALFORMED_PACKET: return end(MQTT_NOT_MQTT, 0);
    case ERROR_CONN_REFUSED: return end(MQTT_REFUSED, mqtt.reason);
    case ERROR_EAI: return end(MQTT_NO_SUCH_HOST, 0);
    case ERROR_KEEPALIVE: return end(MQTT_TOO_LATE, 0);
    default: return end(mqtt.has_transport ? MQTT_CLOSED : MQTT_UNREACHABLE, mqtt.reason);
  }
}

// Whether a connection to one of these addresses comes about soon.
static int answers(const struct addrinfo *address) {
  int socket_ = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return 0;
  int is_there = connect(socket_, address->ai_addr, address->ai_addrlen) == 0;
  if (!is_there && errno == EINPROGRESS) {
    struct pollfd wait = {.fd = socket_, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    is_there = poll(&wait, 1, PROBE_MS) == 1 && getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && !error;
  }
  close(socket_);
  return is_there;
}

// libmosquitto waits for the first address as long as the kernel does, two minutes: where a name has addresses of both families, the one
// that answers is chosen before. 0: the name does not exist. `bind` is the local address that selects the family; NULL: any.
static int choose(const struct mqtt_options *options, const char **bind) {
  char service[8];
  snprintf(service, sizeof service, "%d", options->port);
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
  if (getaddrinfo(options->host, service, &hints, &found) != 0) return 0;
  int families = 0;
  for (struct addrinfo *address = found; address; address = address->ai_next)
    families |= address->ai_family == AF_INET6 ? 2 : 1;
  *bind = NULL;
  if (families == 3) {
    for (struct addrinfo *address = found; address && !*bind; address = address->ai_next)
      if (answers(address)) *bind = address->ai_family == AF_INET6 ? "::" : "0.0.0.0";
  }
  freeaddrinfo(found);
  return 1;
}

void mqtt_open(const struct mqtt_options *options, const struct mqtt_observer *observer) {
  mqtt_close(0);
  memset(&mqtt, 0, sizeof mqtt);
  mqtt.observer = *observer;
  mqtt.session = (struct mqtt_session){
      .version = options->version, .keep_alive = options->keep_alive, .maximum_qos = 2,
      .may_retain = 1};
  mqtt.is_encrypted = options->is_encrypted;
  if (options->subscription) snprintf(mqtt.subscription, sizeof mqtt.subscription, "%s", options->subscription);
  if (!mqtt_is_there()) return end(MQTT_NO_LIBRARY, 0);
  const char *bind = NULL;
  if (!choose(options, &bind)) return end(MQTT_NO_SUCH_HOST, 0);
  struct mosquitto *client = lib.new(options->client, options->session_expiry == 0, NULL);
  if (!client) return end(MQTT_UNREACHABLE, 0);
  mqtt.client = client;
  lib.int_option(client, OPTION_PROTOCOL_VERSION, options->version);
  lib.int_option(client, OPTION_TCP_NODELAY, 1);
  lib.connect_v5_callback_set(client, &connected);
  lib.disconnect_v5_callback_set(client, &disconnected);
  lib.publish_v5_callback_set(client, &published);
  lib.message_v5_callback_set(client, &received);
  lib.log_callback_set(client, &logged);
  if (options->user && lib.username_pw_set(client, options->user, options->password)) return end(MQTT_REFUSED, 0);
  // Without a version, libmosquitto accepts TLS 1.2 and later, and it verifies the certificate and the name.
  if (options->is_encrypted &&
      lib.tls_set(
          client, options->authority, options->authority ? NULL : "/etc/ssl/certs", options->certificate,
          options->certificate ? options->key : NULL, NULL))
    return end(MQTT_BAD_CERTIFICATE, 0);
  if (options->will_topic &&
      lib.will_set_v5(client, options->will_topic, (int)options->will_size, options->will, options->will_qos,
          options->will_is_retained, NULL))
    return end(MQTT_NOT_MQTT, 0);
  mosquitto_property *properties = NULL;
  if (options->version == 5) {
    if (options->session_expiry) lib.property_add_int32(&properties, PROPERTY_SESSION_EXPIRY, options->session_expiry);
    // Commands are received one at a time.
    lib.property_add_int16(&properties, PROPERTY_RECEIVE_MAXIMUM, 1);
    // The library reserves as much memory as a packet's header announces; a broker must not announce more.
    lib.property_add_int32(&properties, PROPERTY_MAXIMUM_PACKET, LONGEST_PACKET);
  }
  mqtt.deadline = now_ms() + PATIENCE_MS;
  int code = lib.connect_bind_v5(client, options->host, options->port, options->keep_alive, bind, properties);
  int error = errno;
  lib.property_free_all(&properties);
  // The handshake with the certificates of this machine begins in that call.
  if (code == ERROR_TLS && !mqtt.has_refused && !mqtt.was_refused) return end(MQTT_BAD_CERTIFICATE, 0);
  // A broker that refuses the certificate may close the connection before the library has sent its first packet.
  mqtt.has_transport =
      code == 0 || code == ERROR_CONN_LOST ||
      (code == ERROR_ERRNO && (error == EPIPE || error == ECONNRESET || error == EPROTO));
  // The library's errno for an error of OpenSSL: here, the alert of the broker.
  if (code == ERROR_ERRNO && error == EPROTO) mqtt.was_refused = 1;
  failed(code);
}

int mqtt_is_open(void) { return mqtt.client && !mqtt.is_over; }

int mqtt_publish(uint64_t number, const char *topic, const uint8_t *bytes, size_t size, int qos, int is_retained) {
  if (!mqtt.is_connected || mqtt.is_over || mqtt.waiting_count == MQTT_WINDOW) return -1;
  if (qos > mqtt.session.maximum_qos) qos = mqtt.session.maximum_qos;
  int packet = 0;
  mqtt.last_sent = now_ms();
  int code = lib.publish_v5(
      mqtt.client, &packet, topic, (int)size, bytes, qos, is_retained && mqtt.session.may_retain, NULL);
  if (code == 0 && qos == 0) {
    mqtt.observer.acknowledged(number, 0);
    return 0;
  }
  if (code == 0) {
    mqtt.waiting[mqtt.waiting_count].packet = packet;
    mqtt.waiting[mqtt.waiting_count++].number = number;
    return 0;
  }
  if (code == ERROR_INVAL) return -1;
  failed(code);
  return -1;
}

int mqtt_socket(short *events) {
  int found = mqtt_is_open() ? lib.socket(mqtt.client) : -1;
  if (found < 0) return -1;
  // While nothing is expected but the answer to a sign of life, that answer waits for the next one: one wakeup instead of two. The end of
  // the connection is reported at once.
  int expects = !mqtt.is_connected || mqtt.waiting_count > 0 || mqtt.listens;
  *events = (short)(POLLRDHUP | (expects ? POLLIN : 0) | (lib.want_write(mqtt.client) ? POLLOUT : 0));
  return found;
}

// Signs of life are due one period after the last message that was sent: libmosquitto sends them when `loop_misc` is called then. It counts
// whole seconds of a clock that it reads later: a call at the end of the period might be one second too early for it, and the next one a
// period later.
static int64_t next_step(void) {
  return mqtt.is_connected ? mqtt.last_sent + ((int64_t)mqtt.session.keep_alive + 1) * 1000 : mqtt.deadline;
}

int mqtt_patience(void) {
  if (!mqtt_is_open()) return -1;
  int64_t wait = next_step() - now_ms();
  return wait < 0 ? 0 : wait > 3600000 ? 3600000 : (int)wait;
}

void mqtt_step(short events) {
  if (!mqtt_is_open()) return;
  int64_t now = now_ms();
  int is_due = now >= next_step();
  if (is_due && !mqtt.is_connected) return end(MQTT_TOO_LATE, 0);
  if (events & (POLLIN | POLLHUP | POLLERR | POLLRDHUP) || is_due) {
    // TLS may have decrypted more than one packet, which the socket does not report again.
    for (int reads = 0; reads < MQTT_WINDOW && mqtt_is_open(); reads++) {
      errno = 0;
      failed(lib.loop_read(mqtt.client, 1));
      if (errno == EAGAIN || errno == EWOULDBLOCK) break;
    }
  }
  if (mqtt_is_open() && lib.want_write(mqtt.client)) {
    mqtt.last_sent = now;
    failed(lib.loop_write(mqtt.client, 1));
  }
  if (mqtt_is_open()) failed(lib.loop_misc(mqtt.client));
  if (is_due) mqtt.last_sent = now;
  // After a DISCONNECT of the broker, there is no error, but no socket either.
  if (mqtt_is_open() && lib.socket(mqtt.client) < 0) end(MQTT_CLOSED, mqtt.reason);
}

void mqtt_close(int is_clean) {
  if (!mqtt.client) return;
  struct mosquitto *client = mqtt.client;
  if (is_clean && mqtt.is_connected && !mqtt.is_over) lib.disconnect_v5(client, 0, NULL);
  mqtt.is_over = 1;
  mqtt.client = NULL;
  lib.destroy(client);
}
