#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <unistd.h>

struct cmicrohttpd_server {
  /// One for each address; the second one may be NULL.
  struct MHD_Daemon *daemons[2];
  /// Readable if the descriptor of a daemon is.
  int epoll;
  /// PEM, which the library does not copy.
  char *certificate, *key;
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

static struct MHD_Daemon *listen_at(struct cmicrohttpd_server *server, const struct sockaddr *address, uint16_t port) {
  const struct cmicrohttpd_limits limits = server->limits;
  unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  if (address->sa_family == AF_INET6) flags |= server->key ? MHD_USE_DUAL_STACK : MHD_USE_IPv6;
  struct MHD_OptionItem security[] = {
    { MHD_OPTION_HTTPS_MEM_CERT, 0, server->certificate }, { MHD_OPTION_HTTPS_MEM_KEY, 0, server->key },
    { MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2" }, { MHD_OPTION_END, 0, NULL } };
  if (server->key) flags |= MHD_USE_TLS;
  else security[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
    flags, port, NULL, NULL, receive, server, MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_URI_LOG_CALLBACK, begin, server,
    MHD_OPTION_NOTIFY_COMPLETED, complete, server, MHD_OPTION_CONNECTION_LIMIT, limits.connections, MHD_OPTION_CONNECTION_TIMEOUT,
    limits.timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.headers, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, security,
    MHD_OPTION_END);
}

static uint16_t port_of(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return information ? information->port : 0;
}

static int join(struct cmicrohttpd_server *server, struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  struct epoll_event event = { .events = EPOLLIN };
  return information ? epoll_ctl(server->epoll, EPOLL_CTL_ADD, information->epoll_fd, &event) : -1;
}

static void release(struct cmicrohttpd_server *server) {
  for (int i = 0; i < 2; i++) {
    if (server->daemons[i]) MHD_stop_daemon(server->daemons[i]);
  }
  if (server->epoll >= 0) close(server->epoll);
  if (server->key) explicit_bzero(server->key, strlen(server->key));
  free(server->certificate);
  free(server->key);
  free(server);
}

struct cmicrohttpd_server *cmicrohttpd_start(
  uint16_t port, const char *certificate, const char *key, struct cmicrohttpd_limits limits, struct cmicrohttpd_caller caller) {
  struct cmicrohttpd_server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->caller = caller;
  server->limits = limits;
  server->epoll = epoll_create1(EPOLL_CLOEXEC);
  const int is_secure = certificate && key;
  if (is_secure) {
    server->certificate = strdup(certificate);
    server->key = strdup(key);
  }
  struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = { htonl(is_secure ? INADDR_ANY : INADDR_LOOPBACK) } };
  struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = is_secure ? in6addr_any : in6addr_loopback };
  errno = 0;
  int reason = ENOMEM;
  if (server->epoll >= 0 && (!is_secure || (server->certificate && server->key))) {
    // With TLS one socket serves both versions of IP, or that of IPv4 if there is no other.
    if (is_secure) server->daemons[0] = listen_at(server, (struct sockaddr *)&six, port);
    if (!server->daemons[0]) server->daemons[0] = listen_at(server, (struct sockaddr *)&four, port);
    reason = errno ? errno : EADDRNOTAVAIL;
    if (server->daemons[0] && !is_secure) {
      const uint16_t own = port_of(server->daemons[0]);
      six.sin6_port = htons(own);
      // Without IPv6, or if another program has the port there, 127.0.0.1 is enough.
      server->daemons[1] = listen_at(server, (struct sockaddr *)&six, own);
    }
  }
  if (server->daemons[0] && join(server, server->daemons[0]) == 0 && (!server->daemons[1] || join(server, server->daemons[1]) == 0)) return server;
  release(server);
  errno = reason;
  return NULL;
}

void cmicrohttpd_stop(struct cmicrohttpd_server *server) {
  server->is_stopping = 1;
  while (server->suspended) cmicrohttpd_resume(server->suspended);
  release(server);
}

uint16_t cmicrohttpd_port(struct cmicrohttpd_server *server) { return port_of(server->daemons[0]); }

int cmicrohttpd_descriptor(struct cmicrohttpd_server *server) { return server->epoll; }

void cmicrohttpd_run(struct cmicrohttpd_server *server) {
  for (int i = 0; i < 2; i++) {
    if (server->daemons[i]) MHD_run(server->daemons[i]);
  }
}

int64_t cmicrohttpd_timeout(struct cmicrohttpd_server *server) {
  int64_t least = -1;
  for (int i = 0; i < 2; i++) {
    MHD_UNSIGNED_LONG_LONG milliseconds;
    if (!server->daemons[i] || MHD_get_timeout(server->daemons[i], &milliseconds) != MHD_YES) continue;
    const int64_t found = milliseconds > INT32_MAX ? INT32_MAX : (int64_t)milliseconds;
    if (least < 0 || found < least) least = found;
  }
  return least;
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
