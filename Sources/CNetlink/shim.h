// libnl's headers stand in a folder of their own, which only this package's own build is told of. Programs that import its modules
// are not: what is used is declared here, and checked against the headers where they are found.
#if __has_include(<netlink/socket.h>)
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <netlink/genl/genl.h>
#endif

#include <linux/netlink.h>
#include <stddef.h>

struct nl_sock;

struct nl_sock *nl_socket_alloc(void);
void nl_socket_free(struct nl_sock *);
int nl_socket_get_fd(const struct nl_sock *);
int nl_socket_set_nonblocking(const struct nl_sock *);
int nl_socket_add_membership(struct nl_sock *, int);
int nl_sendto(struct nl_sock *, void *, size_t);
int genl_connect(struct nl_sock *);
