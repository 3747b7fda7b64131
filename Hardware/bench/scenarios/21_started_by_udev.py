"""A receiver that is plugged in starts the service, with nobody asking."""

SET = "ci"


def run(bench):
    with bench.receiver("ublox7") as receiver:
        bench.shell("systemctl stop locationd.service")
        receiver.plug()
        bench.wait_until("systemctl is-active --quiet locationd.service", "the receiver did not start the service")
        bench.shell("[ -e /dev/gnss/usb-* ] || ls /dev/gnss | grep -q .")
