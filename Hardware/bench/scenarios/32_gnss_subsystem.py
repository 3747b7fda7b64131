"""A receiver without a serial port: the kernel's own gnss subsystem."""

SET = "full"


def run(bench):
    # Why Debian 12's has none stands in README.md, among the pitfalls.
    bench.needs(bench.status("modinfo gnss-usb") == 0, "this release's kernel has no gnss driver that a PC could use")
    with bench.receiver("xm1210") as receiver:
        plugged = receiver.plug()
        bench.check(receiver.node() == "/dev/gnss0", f"it is {receiver.node()}")
        with bench.watch() as watch:
            fix = watch.fix(after=plugged)
            bench.check(fix["line"]["device"] == "/dev/gnss0", f"the fix came from {fix['line']['device']}")
            bench.unplug_and_plug(receiver, watch, bench.replugs)
