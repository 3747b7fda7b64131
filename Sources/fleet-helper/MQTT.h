#ifndef FLEET_HELPER_MQTT_H
#define FLEET_HELPER_MQTT_H

// One MQTT connection by libmosquitto, which is loaded at its first use. A connection that has ended is destroyed; nothing of it is
// used again, so that what is sent again comes from the outbox in its order.

#include <stddef.h>
#include <stdint.h>

/// The most messages that libmosquitto has at a time: the outbox's window is never larger.
enum { MQTT_WINDOW = 64 };

/// Why a connection was not made, or ended.
enum mqtt_problem {
  /// There is no libmosquitto.
  MQTT_NO_LIBRARY = 1,
  /// The name of the broker does not exist.
  MQTT_NO_SUCH_HOST,
  /// No answer of the machine, or no broker at that port.
  MQTT_UNREACHABLE,
  MQTT_TOO_LATE,
  /// The broker's certificate is not trusted, or is for another name.
  MQTT_NOT_TRUSTED,
  /// The broker refused the certificate of this machine, or wants one.
  MQTT_CERTIFICATE_REFUSED,
  /// The certificate or the key of this machine, or the certificate of the authority, cannot be read.
  MQTT_BAD_CERTIFICATE,
  /// The broker refused the connection; the reason code says why.
  MQTT_REFUSED,
  /// The connection broke off, or the broker ended it; the reason code of the broker, or 0.
  MQTT_CLOSED,
  /// What the broker sent is not MQTT.
  MQTT_NOT_MQTT,
};

/// Texts are NUL-terminated; NULL: none.
struct mqtt_options {
  const char *host;
  int port, is_encrypted;
  /// 5, or 4 for MQTT 3.1.1.
  int version;
  const char *client, *user, *password;
  /// PEM files; without `authority`, the system's authorities are trusted.
  const char *authority, *certificate, *key;
  /// Seconds.
  int keep_alive;
  /// Seconds that the broker keeps the session; 0: none is kept.
  uint32_t session_expiry;
  const char *will_topic;
  const uint8_t *will;
  size_t will_size;
  int will_qos, will_is_retained;
  /// Messages of this topic are received; NULL: of none.
  const char *subscription;
};

/// What the broker said when it accepted the connection.
struct mqtt_session {
  int version;
  /// Unacknowledged messages that the broker accepts at a time, and the longest packet, bytes; 0: it has not named a limit.
  int receive_maximum;
  uint32_t maximum_packet;
  /// Seconds between signs of life.
  int keep_alive;
  /// The highest quality of service, and whether retained messages are accepted.
  int maximum_qos, may_retain;
};

/// Called during `mqtt_open` and `mqtt_step`. After `ended`, nothing else is called.
struct mqtt_observer {
  void (*connected)(const struct mqtt_session *session);
  /// The broker's reason code: 0 success, 16 no matching subscribers, 135 not authorized (MQTT 5, 2.4).
  void (*acknowledged)(uint64_t number, int reason);
  void (*received)(const uint8_t *bytes, size_t size);
  void (*ended)(enum mqtt_problem problem, int reason);
};

int mqtt_is_there(void);

/// Connects; blocks until the transport is connected.
void mqtt_open(const struct mqtt_options *options, const struct mqtt_observer *observer);
int mqtt_is_open(void);

/// Hands a message to the library. 0: done; -1: there are MQTT_WINDOW messages already, or the message cannot be sent.
int mqtt_publish(
    uint64_t number, const char *topic, const uint8_t *bytes, size_t size, int qos, int is_retained);

/// The socket to poll and the events to wait for (poll(2)); -1: there is no connection.
int mqtt_socket(short *events);
/// Milliseconds until `mqtt_step` is due; -1: never.
int mqtt_patience(void);
/// Reads, writes, and sends signs of life.
void mqtt_step(short events);

/// Ends the connection, and destroys the client. A broker does not send the will after a `clean` end.
void mqtt_close(int is_clean);

#endif
