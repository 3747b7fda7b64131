#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>

// The C library's headers may be older than the kernel: INET_DIAG_CGROUP_ID is an enumerator since Linux 5.9.
enum { attribute_control_group = 21 };

int clinux_diagnosis_socket(void) {
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
}

int clinux_end_sending(int socket) { return shutdown(socket, SHUT_WR); }

int clinux_send_at_once(int socket) {
  int on = 1;
  return setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int clinux_raise_descriptors(int wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
  if (limit.rlim_cur < (rlim_t)wanted) {
    struct rlimit raised = limit;
    raised.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return limit.rlim_cur > 1 << 30 ? 1 << 30 : (int)limit.rlim_cur;
}

/// Puts an address into the form of a query. An IPv4 address in IPv6 form becomes IPv4: so the kernel finds a socket of either family.
static int fill(const struct sockaddr_storage *address, __be32 *bytes, __be16 *port) {
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)address;
    if (ntohl(ipv4->sin_addr.s_addr) >> 24 != 127) return -1;
    *port = ipv4->sin_port;
    memcpy(bytes, &ipv4->sin_addr, 4);
    return AF_INET;
  }
  if (address->ss_family != AF_INET6) return -1;
  const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)address;
  *port = ipv6->sin6_port;
  if (IN6_IS_ADDR_V4MAPPED(&ipv6->sin6_addr)) {
    if (ipv6->sin6_addr.s6_addr[12] != 127) return -1;
    memcpy(bytes, &ipv6->sin6_addr.s6_addr[12], 4);
    return AF_INET;
  }
  if (!IN6_IS_ADDR_LOOPBACK(&ipv6->sin6_addr)) return -1;
  memcpy(bytes, &ipv6->sin6_addr, 16);
  return AF_INET6;
}

/// Reads the answer to the query with that number.
static int receive(int diagnosis, uint32_t number, struct clinux_socket_owner *owner) {
  union {
    struct nlmsghdr header;
    char bytes[4096];
  } answer;
  ssize_t size;
  do {
    do size = recv(diagnosis, answer.bytes, sizeof answer, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) return -1;
    // An answer that an earlier call left unread.
  } while (NLMSG_OK(&answer.header, (size_t)size) && answer.header.nlmsg_seq != number);
  if (!NLMSG_OK(&answer.header, (size_t)size)) return errno = EBADMSG, -1;
  if (answer.header.nlmsg_type == NLMSG_ERROR) {
    const struct nlmsgerr *error = NLMSG_DATA(&answer.header);
    if (answer.header.nlmsg_len < NLMSG_LENGTH(sizeof error->error) || error->error == 0) return errno = EBADMSG, -1;
    return errno = -error->error, -1;
  }
  const struct inet_diag_msg *found = NLMSG_DATA(&answer.header);
  if (answer.header.nlmsg_type != SOCK_DIAG_BY_FAMILY || answer.header.nlmsg_len < NLMSG_LENGTH(sizeof *found))
    return errno = EBADMSG, -1;
  owner->user = found->idiag_uid;
  owner->inode = found->idiag_inode;
  owner->state = found->idiag_state;
  owner->control_group = 0;
  const struct nlattr *attribute = (const void *)((const char *)found + NLMSG_ALIGN(sizeof *found));
  size_t left = answer.header.nlmsg_len - NLMSG_LENGTH(sizeof *found);
  while (left >= sizeof *attribute && attribute->nla_len >= sizeof *attribute && attribute->nla_len <= left) {
    if ((attribute->nla_type & NLA_TYPE_MASK) == attribute_control_group && attribute->nla_len >= NLA_HDRLEN + 8)
      memcpy(&owner->control_group, (const char *)attribute + NLA_HDRLEN, 8);
    size_t step = NLA_ALIGN(attribute->nla_len);
    if (step > left) break;
    left -= step;
    attribute = (const void *)((const char *)attribute + step);
  }
  return 0;
}

/// Asks for one socket; the addresses of the request are filled in already.
static int ask(int diagnosis, int family, struct inet_diag_req_v2 *request, struct clinux_socket_owner *owner) {
  static uint32_t last_number;
  struct {
    struct nlmsghdr header;
    struct inet_diag_req_v2 request;
  } query = {
      .header = {.nlmsg_len = sizeof query, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
      .request = *request,
  };
  query.request.idiag_states = ~0u;
  query.request.id.idiag_cookie[0] = query.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  query.request.sdiag_family = (uint8_t)family;
  query.header.nlmsg_seq = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
  struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
  ssize_t sent;
  do sent = sendto(diagnosis, &query, sizeof query, 0, (struct sockaddr *)&kernel, sizeof kernel);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return -1;
  // The kernel has answered before it returns from the call above.
  return receive(diagnosis, query.header.nlmsg_seq, owner);
}

int clinux_socket_owner(int diagnosis, int accepted, int protocol, struct clinux_socket_owner *owner) {
  struct sockaddr_storage own = {0}, other = {0};
  socklen_t own_size = sizeof own, other_size = sizeof other;
  if (getsockname(accepted, (struct sockaddr *)&own, &own_size) < 0) return -1;
  if (getpeername(accepted, (struct sockaddr *)&other, &other_size) < 0) return -1;
  // The other end: what is our peer's address is its own.
  struct inet_diag_req_v2 request = {.sdiag_protocol = (uint8_t)protocol};
  int family = fill(&other, request.id.idiag_src, &request.id.idiag_sport);
  if (family < 0 || fill(&own, request.id.idiag_dst, &request.id.idiag_dport) != family)
    return errno = EADDRNOTAVAIL, -1;
  return ask(diagnosis, family, &request, owner);
}

int clinux_check_diagnosis(int diagnosis, int listening, int protocol) {
  struct sockaddr_storage own = {0};
  socklen_t size = sizeof own;
  if (getsockname(listening, (struct sockaddr *)&own, &size) < 0) return -1;
  // A listening socket has no other end.
  struct inet_diag_req_v2 request = {.sdiag_protocol = (uint8_t)protocol};
  int family = fill(&own, request.id.idiag_src, &request.id.idiag_sport);
  if (family < 0) return errno = EADDRNOTAVAIL, -1;
  struct clinux_socket_owner owner;
  return ask(diagnosis, family, &request, &owner);
}

ssize_t clinux_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  control.header.cmsg_level = SOL_SOCKET;
  control.header.cmsg_type = SCM_RIGHTS;
  control.header.cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t clinux_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
  union {
    struct cmsghdr header;
    // Of more descriptors, the kernel opens none here.
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor = -1;
  ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (size < 0) return size;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len >= CMSG_LEN(sizeof(int)))
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  return size;
}

int clinux_is_tcp(int descriptor) {
  int protocol = 0;
  socklen_t size = sizeof protocol;
  return getsockopt(descriptor, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 && protocol == IPPROTO_TCP;
}
