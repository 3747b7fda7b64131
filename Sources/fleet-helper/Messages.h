#ifndef FLEET_HELPER_MESSAGES_H
#define FLEET_HELPER_MESSAGES_H

// The messages between the service and this process: Sources/Fleet/Helper/FleetHelperMessage.swift defines them.

#include <stddef.h>
#include <stdint.h>

enum message_kind { TO_CONNECT = 1, TO_SEND, TO_CLOSE, FROM_CONNECTED, FROM_ANSWERED, FROM_COMMAND, FROM_ENDED };

/// FleetProblem.
enum problem {
  NO_SUCH_HOST = 1,
  UNREACHABLE,
  SERVER_NOT_TRUSTED,
  CERTIFICATE_REFUSED,
  BAD_CREDENTIALS,
  NOT_AUTHORIZED,
  TAKEN_OVER,
  TOO_LATE,
  CLOSED,
  UNAVAILABLE,
  NOT_UNDERSTOOD,
  LIBRARY_MISSING,
  NOT_FOUND,
  CERTIFICATE_DATE,
  CREDENTIAL_UNREADABLE,
};

/// FleetKind, FleetMessage.Kind and FleetMessage.Method.
enum { KIND_MQTT = 0, KIND_LAST = 4, MESSAGE_LAST_WILL = 3, METHOD_PUBLISH = 0, METHOD_GET, METHOD_POST };

enum {
  LONGEST_MESSAGE = 512 * 1024,
  LONGEST_SECRET = 64 * 1024,
  LONGEST_TARGET = 4096,
  LONGEST_BODY = 64 * 1024,
  LONGEST_COMMAND = 64 * 1024,
  MOST_HEADERS = 8,
};

/// Bytes inside a message; `data` is NULL if the value is absent.
struct bytes {
  const uint8_t *data;
  size_t size;
};

/// FleetMessage. Texts are NUL-terminated.
struct message {
  uint64_t id;
  int kind, method;
  char *target;
  struct bytes body;
  char *content_type;
  int is_retained, qos;
};

/// FleetConnection.
struct connection {
  int kind, is_encrypted, port, keep_alive, window;
  /// MQTT 3.1.1 is used only if the broker refuses MQTT 5.
  int expects_version_5;
  char *host, *client, *account;
  struct bytes password, authorities, certificate, key, secret;
  int has_will;
  struct message will;
  char *command_topic;
  char *headers[MOST_HEADERS];
  int header_count;
};

/// Reads the content of a message; 0: it is malformed. The texts are allocated; the bytes are those of the content.
int read_connection(const uint8_t *content, size_t size, struct connection *connection);
int read_message(const uint8_t *content, size_t size, struct message *message);
void free_connection(struct connection *connection);
void free_message(struct message *message);

/// What the service learns about a session with a server; 0 for a limit: there is none.
struct session {
  int version, receive_maximum;
  uint32_t maximum_packet;
  int maximum_qos, may_retain;
};

/// The answer to a message: an MQTT reason code, or an HTTP status with the seconds to wait.
struct reply {
  int is_http, code;
  int64_t retry_after;
};

/// The longest message but a command, with its header.
enum { LONGEST_ANSWER = 64 };

/// Each writes a whole message, and returns its size.
size_t write_connected(uint8_t bytes[LONGEST_ANSWER], const struct session *session);
size_t write_answered(uint8_t bytes[LONGEST_ANSWER], uint64_t id, const struct reply *reply);
size_t write_ended(uint8_t bytes[LONGEST_ANSWER], enum problem problem, const struct reply *reply);
/// The header of a command, before the command itself.
size_t write_command(uint8_t bytes[LONGEST_ANSWER], size_t size);

#endif
