"""A service that hangs is ended by its watchdog and started again; the stream of a client goes on."""

SET = "full"
PROCESS = "systemctl show --value --property=MainPID locationd.service"


def run(bench):
    with bench.drop_in("WatchdogSec=4"), bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        with bench.watch() as watch:
            watch.fix(after=0)
            process = bench.shell(PROCESS).strip()
            bench.shell(f"kill -STOP {process}")
            hung = bench.now()
            bench.wait_until(
                f"[ $({PROCESS}) != {process} ] && systemctl is-active --quiet locationd.service", "it was not started again", within=60)
            fix = watch.fix(after=hung + 4, within=60)
            bench.note(f"fixes again {fix['time'] - hung:.1f} s after it hung, of which 4 are the watchdog's")
