#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <netlink/genl/genl.h>
