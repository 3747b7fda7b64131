"""gpsd has the receiver by its own udev rule: it keeps it, lives on, and the fix comes through it, with clients and without."""

SET = "full"
UNITS = ["gpsd.service", "gpsd.socket", "gpsdctl@.service"]
# Reads on while the command after it runs.
CLIENT = """exec 3<>/dev/tcp/127.0.0.1/2947; echo '?WATCH={"enable":true,"json":true};' >&3; cat <&3 >/dev/null & """


def run(bench):
    bench.shell("sed -i 's/^USBAUTO=.*/USBAUTO=\"true\"/' /etc/default/gpsd")
    bench.awake(UNITS)
    bench.shell("systemctl start gpsd.socket")
    bench.restart_service()
    try:
        with bench.receiver("ublox7") as receiver:
            receiver.plug()
            receiver.node()
            bench.wait_until("systemctl is-active --quiet gpsd.service", "its rule did not start gpsd")
            # For two seconds after a plug it is left to gpsd to take it.
            bench.wait_until("locationctl devices --listen 0 | grep -q ttyACM0", "it is not listed")
            process = bench.shell("pidof gpsd")
            for client in ("", CLIENT):
                fix = bench.shell(
                    f"{client} locationctl fix --timeout 40 --max-age 0 2>&1; s=$?; kill $(jobs -p) 2>/dev/null; exit $s", timeout=90)
                bench.check('"latitude"' in fix, f"no fix through gpsd: {fix}")
                bench.check(bench.shell("pidof gpsd", expect=None) == process, "gpsd did not live on")
    finally:
        bench.asleep(UNITS)
        bench.restart_service()
