"""What /etc/default/locationd says is what the service does; here, to take its fixes from the simulator."""

SET = "full"


def run(bench):
    bench.shell("cp /etc/default/locationd /root/default; echo LOCATIOND_SOURCE=simulator >> /etc/default/locationd")
    try:
        bench.restart_service()
        bench.check(bench.fix("--timeout", "30").get("simulated"), "the fix is none of the simulator's")
    finally:
        bench.shell("cp /root/default /etc/default/locationd")
        bench.restart_service()
