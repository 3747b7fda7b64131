#include "Messages.h"

#include <stdlib.h>
#include <string.h>

// MARK: Reading

struct reader {
  const uint8_t *next, *end;
  int is_malformed;
};

static uint64_t number(struct reader *reader, int size) {
  if (reader->is_malformed || reader->end - reader->next < size) {
    reader->is_malformed = 1;
    return 0;
  }
  uint64_t value = 0;
  for (int index = 0; index < size; index++) value |= (uint64_t)reader->next[index] << (8 * index);
  reader->next += size;
  return value;
}

static int upto(struct reader *reader, uint64_t most) {
  uint64_t value = number(reader, 1);
  if (value > most) reader->is_malformed = 1;
  return reader->is_malformed ? 0 : (int)value;
}

static struct bytes bytes(struct reader *reader, size_t limit) {
  struct bytes bytes = {0};
  size_t size = number(reader, 4);
  if (reader->is_malformed || size > limit || size > (size_t)(reader->end - reader->next)) {
    reader->is_malformed = 1;
    return bytes;
  }
  bytes.data = reader->next;
  bytes.size = size;
  reader->next += size;
  return bytes;
}

static struct bytes optional_bytes(struct reader *reader, size_t limit) {
  struct bytes none = {0};
  return upto(reader, 1) ? bytes(reader, limit) : none;
}

// One line without control characters.
static char *line(struct reader *reader, size_t limit) {
  struct bytes text = bytes(reader, limit);
  for (size_t index = 0; index < text.size; index++)
    if (text.data[index] < 0x20 || text.data[index] == 0x7F) reader->is_malformed = 1;
  if (reader->is_malformed) return NULL;
  char *copy = malloc(text.size + 1);
  if (!copy) {
    reader->is_malformed = 1;
    return NULL;
  }
  memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  return copy;
}

static char *optional_line(struct reader *reader, size_t limit) { return upto(reader, 1) ? line(reader, limit) : NULL; }

static void read_fields(struct reader *reader, struct message *message) {
  message->id = number(reader, 8);
  message->kind = upto(reader, MESSAGE_LAST_WILL);
  message->method = upto(reader, METHOD_POST);
  message->target = line(reader, LONGEST_TARGET);
  message->body = bytes(reader, LONGEST_BODY);
  message->content_type = optional_line(reader, 128);
  message->is_retained = upto(reader, 1);
  message->qos = upto(reader, 2);
}

int read_message(const uint8_t *content, size_t size, struct message *message) {
  struct reader reader = {content, content + size, 0};
  memset(message, 0, sizeof *message);
  read_fields(&reader, message);
  return !reader.is_malformed && reader.next == reader.end;
}

// Splits `name:port`, `1.2.3.4:port` and `[::1]:port`.
static int split(char *server, struct connection *connection) {
  char *colon = server ? strrchr(server, ':') : NULL;
  if (!colon) return 0;
  *colon = 0;
  connection->port = atoi(colon + 1);
  size_t size = strlen(server);
  if (server[0] == '[') {
    if (size < 2 || server[size - 1] != ']') return 0;
    server[size - 1] = 0;
    memmove(server, server + 1, size - 1);
  }
  return server[0] && connection->port > 0 && connection->port < 65536;
}

int read_connection(const uint8_t *content, size_t size, struct connection *connection) {
  struct reader reader = {content, content + size, 0};
  memset(connection, 0, sizeof *connection);
  connection->kind = upto(&reader, KIND_LAST);
  connection->host = line(&reader, 300);
  connection->is_encrypted = upto(&reader, 1);
  connection->client = line(&reader, 256);
  connection->keep_alive = (int)number(&reader, 2);
  connection->account = optional_line(&reader, 256);
  connection->password = optional_bytes(&reader, LONGEST_SECRET);
  connection->authorities = optional_bytes(&reader, LONGEST_SECRET);
  connection->certificate = optional_bytes(&reader, LONGEST_SECRET);
  connection->key = optional_bytes(&reader, LONGEST_SECRET);
  connection->secret = optional_bytes(&reader, LONGEST_SECRET);
  connection->has_will = upto(&reader, 1);
  if (connection->has_will) read_fields(&reader, &connection->will);
  connection->command_topic = optional_line(&reader, LONGEST_TARGET);
  connection->header_count = upto(&reader, MOST_HEADERS);
  for (int index = 0; index < connection->header_count; index++) connection->headers[index] = line(&reader, 1024);
  connection->window = (int)number(&reader, 2);
  connection->expects_version_5 = upto(&reader, 1);
  return !reader.is_malformed && reader.next == reader.end && connection->window > 0 && split(connection->host, connection);
}

void free_message(struct message *message) {
  free(message->target);
  free(message->content_type);
  memset(message, 0, sizeof *message);
}

void free_connection(struct connection *connection) {
  free(connection->host);
  free(connection->client);
  free(connection->account);
  free_message(&connection->will);
  free(connection->command_topic);
  for (int index = 0; index < MOST_HEADERS; index++) free(connection->headers[index]);
  memset(connection, 0, sizeof *connection);
}

// MARK: Writing

static uint8_t *put(uint8_t *next, uint64_t value, int size) {
  for (int index = 0; index < size; index++) *next++ = (uint8_t)(value >> (8 * index));
  return next;
}

// The kind, and the length of what follows the header.
static size_t finish(uint8_t *bytes, const uint8_t *end, enum message_kind kind, size_t more) {
  size_t size = (size_t)(end - bytes) - 4;
  put(put(bytes, kind, 1), size + more, 3);
  return size + 4;
}

static uint8_t *put_reply(uint8_t *next, const struct reply *reply) {
  next = put(next, reply->is_http ? 2 : 1, 1);
  if (!reply->is_http) return put(next, (uint64_t)reply->code, 1);
  next = put(next, (uint64_t)reply->code, 2);
  if (reply->retry_after <= 0) return put(next, 0, 1);
  return put(put(next, 1, 1), reply->retry_after > UINT32_MAX ? UINT32_MAX : (uint64_t)reply->retry_after, 4);
}

size_t write_connected(uint8_t bytes[LONGEST_ANSWER], const struct session *session) {
  uint8_t *next = put(bytes + 4, (uint64_t)session->version, 1);
  next = put(next, session->receive_maximum > 0, 1);
  if (session->receive_maximum > 0) next = put(next, (uint64_t)session->receive_maximum, 2);
  next = put(next, session->maximum_packet > 0, 1);
  if (session->maximum_packet > 0) next = put(next, session->maximum_packet, 4);
  next = put(put(next, (uint64_t)session->maximum_qos, 1), (uint64_t)session->may_retain, 1);
  return finish(bytes, next, FROM_CONNECTED, 0);
}

size_t write_answered(uint8_t bytes[LONGEST_ANSWER], uint64_t id, const struct reply *reply) {
  return finish(bytes, put_reply(put(bytes + 4, id, 8), reply), FROM_ANSWERED, 0);
}

size_t write_ended(uint8_t bytes[LONGEST_ANSWER], enum problem problem, const struct reply *reply) {
  uint8_t *next = put(bytes + 4, problem, 1);
  return finish(bytes, reply ? put_reply(next, reply) : next, FROM_ENDED, 0);
}

size_t write_command(uint8_t bytes[LONGEST_ANSWER], size_t size) {
  return finish(bytes, put(bytes + 4, size, 4), FROM_COMMAND, size);
}
