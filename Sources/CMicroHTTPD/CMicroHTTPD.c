#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct cmicrohttpd_server {
  struct MHD_Daemon *daemon;
  struct cmicrohttpd_caller caller;
  struct cmicrohttpd_limits limits;
  /// Requests whose connections are suspended, which the library wants resumed before it stops.
  struct cmicrohttpd_request *suspended;
  int is_stopping;
};

struct cmicrohttpd_request {
  struct cmicrohttpd_server *server;
  struct MHD_Connection *connection;
  struct MHD_Response *response;
  struct cmicrohttpd_request *next, *previous;
  char *target;
  const char *method;
  uint8_t *body;
  size_t size;
  uint64_t number;
  unsigned status;
  int has_begun, is_too_long, is_handled, is_suspended;
};

static void suspend(struct cmicrohttpd_request *request) {
  struct cmicrohttpd_server *server = request->server;
  MHD_suspend_connection(request->connection);
  request->is_suspended = 1;
  request->previous = NULL;
  request->next = server->suspended;
  if (server->suspended) server->suspended->previous = request;
  server->suspended = request;
}

void cmicrohttpd_resume(struct cmicrohttpd_request *request) {
  if (!request->is_suspended) return;
  request->is_suspended = 0;
  if (request->previous) request->previous->next = request->next;
  else request->server->suspended = request->next;
  if (request->next) request->next->previous = request->previous;
  MHD_resume_connection(request->connection);
}

// The library calls this first, with the target before it is decoded.
static void *begin(void *context, const char *target, struct MHD_Connection *connection) {
  struct cmicrohttpd_request *request = calloc(1, sizeof *request);
  if (!request) return NULL;
  request->server = context;
  request->connection = connection;
  request->target = strdup(target);
  if (request->target) return request;
  free(request);
  return NULL;
}

static enum MHD_Result receive(
  void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version, const char *data,
  size_t *size, void **state) {
  struct cmicrohttpd_server *server = context;
  struct cmicrohttpd_request *request = *state;
  (void)connection, (void)url, (void)version;
  if (!request) return MHD_NO;
  if (!request->has_begun) {
    request->has_begun = 1;
    request->method = method;
    return MHD_YES;
  }
  if (*size) {
    if (request->is_too_long || *size > server->limits.body - request->size) {
      request->is_too_long = 1;
      request->size = 0;
    } else {
      uint8_t *body = realloc(request->body, request->size + *size);
      if (!body) return MHD_NO;
      memcpy(body + request->size, data, *size);
      request->body = body;
      request->size += *size;
    }
    *size = 0;
    return MHD_YES;
  }
  if (!request->is_handled) {
    request->is_handled = 1;
    server->caller.handle(server->caller.context, request);
  }
  if (request->response) {
    enum MHD_Result result = MHD_queue_response(request->connection, request->status, request->response);
    MHD_destroy_response(request->response);
    request->response = NULL;
    return result;
  }
  if (server->is_stopping) return MHD_NO;
  suspend(request);
  return MHD_YES;
}

static void complete(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
  struct cmicrohttpd_server *server = context;
  struct cmicrohttpd_request *request = *state;
  (void)connection, (void)code;
  if (!request) return;
  *state = NULL;
  if (request->is_handled) server->caller.finished(server->caller.context, request);
  if (request->response) MHD_destroy_response(request->response);
  free(request->target);
  free(request->body);
  free(request);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t capacity) {
  struct cmicrohttpd_request *request = context;
  struct cmicrohttpd_server *server = request->server;
  (void)position;
  if (server->is_stopping) return MHD_CONTENT_READER_END_OF_STREAM;
  long count = server->caller.read(server->caller.context, request, (uint8_t *)buffer, capacity);
  if (count < 0) return MHD_CONTENT_READER_END_OF_STREAM;
  if (count == 0) suspend(request);
  return count;
}

struct cmicrohttpd_server *cmicrohttpd_start(uint16_t port, struct cmicrohttpd_limits limits, struct cmicrohttpd_caller caller) {
  struct cmicrohttpd_server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->caller = caller;
  server->limits = limits;
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
  errno = 0;
  server->daemon = MHD_start_daemon(
    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, receive, server, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
    MHD_OPTION_URI_LOG_CALLBACK, begin, server, MHD_OPTION_NOTIFY_COMPLETED, complete, server, MHD_OPTION_CONNECTION_LIMIT,
    limits.connections, MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.headers,
    MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (server->daemon) return server;
  int reason = errno;
  free(server);
  errno = reason ? reason : EADDRNOTAVAIL;
  return NULL;
}

void cmicrohttpd_stop(struct cmicrohttpd_server *server) {
  server->is_stopping = 1;
  while (server->suspended) cmicrohttpd_resume(server->suspended);
  MHD_stop_daemon(server->daemon);
  free(server);
}

uint16_t cmicrohttpd_port(struct cmicrohttpd_server *server) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
  return information ? information->port : 0;
}

int cmicrohttpd_descriptor(struct cmicrohttpd_server *server) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return information ? information->epoll_fd : -1;
}

void cmicrohttpd_run(struct cmicrohttpd_server *server) { MHD_run(server->daemon); }

int64_t cmicrohttpd_timeout(struct cmicrohttpd_server *server) {
  MHD_UNSIGNED_LONG_LONG milliseconds;
  if (MHD_get_timeout(server->daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > INT32_MAX ? INT32_MAX : (int64_t)milliseconds;
}

uint64_t cmicrohttpd_number(const struct cmicrohttpd_request *request) { return request->number; }
void cmicrohttpd_set_number(struct cmicrohttpd_request *request, uint64_t number) { request->number = number; }
const char *cmicrohttpd_method(const struct cmicrohttpd_request *request) { return request->method; }
const char *cmicrohttpd_target(const struct cmicrohttpd_request *request) { return request->target; }

struct search {
  const char *name, *value;
  unsigned index;
};

static enum MHD_Result compare(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct search *search = context;
  (void)kind;
  if (strcasecmp(name, search->name) != 0) return MHD_YES;
  if (search->index-- > 0) return MHD_YES;
  search->value = value ? value : "";
  return MHD_NO;
}

const char *cmicrohttpd_header(const struct cmicrohttpd_request *request, const char *name, unsigned index) {
  struct search search = { name, NULL, index };
  MHD_get_connection_values(request->connection, MHD_HEADER_KIND, compare, &search);
  return search.value;
}

const uint8_t *cmicrohttpd_body(const struct cmicrohttpd_request *request, size_t *size, int *is_too_long) {
  *size = request->size;
  *is_too_long = request->is_too_long;
  return request->body;
}

int cmicrohttpd_socket(const struct cmicrohttpd_request *request) {
  const union MHD_ConnectionInfo *information = MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return information ? information->connect_fd : -1;
}

int cmicrohttpd_answer(struct cmicrohttpd_request *request, unsigned status, const uint8_t *bytes, size_t size) {
  if (request->response) return 0;
  request->status = status;
  request->response = MHD_create_response_from_buffer(size, (void *)(size ? bytes : (const uint8_t *)""), MHD_RESPMEM_MUST_COPY);
  return request->response != NULL;
}

int cmicrohttpd_answer_stream(struct cmicrohttpd_request *request, unsigned status) {
  if (request->response) return 0;
  request->status = status;
  request->response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, read_stream, request, NULL);
  return request->response != NULL;
}

int cmicrohttpd_add_header(struct cmicrohttpd_request *request, const char *name, const char *value) {
  return request->response && MHD_add_response_header(request->response, name, value) == MHD_YES;
}
