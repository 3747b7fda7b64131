// libnl's headers are in a folder that no compiler searches by default, and a package cannot name a folder outside its own. The
// functions in use are declared here; a test compares them with the headers. Linking needs libnl-genl-3-dev.
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
