"""The package again, over itself: what was trusted still is, and the stream of a client goes on."""

SET = "full"


def run(bench):
    with bench.receiver("ft232r") as receiver:
        receiver.plug()
        bench.trust(receiver)
        with bench.watch() as watch:
            watch.fix(after=0)
            bench.shell(f"dpkg --install {bench.package}", timeout=300)
            watch.fix(after=bench.now(), within=40)
            bench.shell("systemctl is-active locationd.socket locationd.service")
