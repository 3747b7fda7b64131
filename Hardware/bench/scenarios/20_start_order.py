"""The receiver before the service, and while that starts."""

SET = "full"


def run(bench):
    with bench.receiver("ublox7") as receiver:
        bench.shell("systemctl mask --runtime locationd.service; systemctl stop locationd.service locationd.socket")
        receiver.plug()
        receiver.node()
        bench.shell("systemctl unmask --runtime locationd.service; systemctl start locationd.socket locationd.service")
        bench.check("latitude" in bench.fix("--timeout", "20"), "no fix of a receiver that was there before")
        receiver.unplug()
        bench.shell("systemctl restart --no-block locationd.service")
        receiver.plug()
        bench.check("latitude" in bench.fix("--timeout", "20", "--wait"), "no fix of a receiver that came during the start")
