"""The ports of gpsd's protocol are closed when they are switched off, however that is done, and can be opened again."""

SET = "full"
SOCKETS = ("locationd-gpsd.socket", "locationd-gpsd6.socket")
# Only whether the port is open: without the module tcp_diag, which the guest does not have, the daemon cannot identify a client.
CONNECT = "timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/2947' 2>&1"


def run(bench):
    try:
        for off in ("locationctl gpsd off", "locationctl config set gpsd-listen off"):
            # Without a daemon, systemd opens the ports.
            bench.shell("systemctl stop locationd.service; locationctl gpsd on 2>&1")
            bench.check(bench.status(CONNECT) == 0, f"before '{off}': the port is closed")
            bench.shell(f"{off} 2>&1")
            for unit in SOCKETS:
                bench.check(bench.status(f"systemctl is-active --quiet {unit}") != 0, f"after '{off}', {unit} is open")
            bench.check(bench.status(CONNECT) != 0, f"after '{off}', the port is open")
    finally:
        bench.shell("locationctl gpsd off", expect=None)
        bench.shell("locationctl config unset gpsd-listen", expect=None)
        bench.restart_service()
