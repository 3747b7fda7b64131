"""What a drop-in of locationd.conf and /etc/default/locationd say is what the service does; here, to take its fixes from the simulator."""

SET = "full"


def run(bench):
    for write, remove in [
        ("locationctl config set source simulator", "locationctl config unset source"),
        ("echo LOCATIOND_SOURCE=simulator > /etc/default/locationd", "rm -f /etc/default/locationd"),
    ]:
        bench.shell(write)
        try:
            bench.restart_service()
            bench.check(bench.fix("--timeout", "30").get("simulated"), "the fix is none of the simulator's")
        finally:
            bench.shell(remove)
            bench.restart_service()
