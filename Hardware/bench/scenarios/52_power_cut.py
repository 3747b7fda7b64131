"""The power goes the moment that a device is trusted: afterwards it is, and its fix comes without a word."""

SET = "ci"


def run(bench):
    with bench.receiver("pl2303") as receiver:
        receiver.plug()
        bench.shell("rm -f /var/lib/locationd/trusted-devices && systemctl restart locationd.service && sync")
        bench.trust(receiver)
        bench.power_cut()
    bench.wait_until("systemctl is-active --quiet locationd.socket", "the socket is not there again")
    bench.shell("[ -s /var/lib/locationd/trusted-devices ]")
    with bench.receiver("pl2303") as receiver:
        receiver.plug()
        bench.check("latitude" in bench.fix("--timeout", "30", "--wait"), "no fix of what was trusted before the power cut")
