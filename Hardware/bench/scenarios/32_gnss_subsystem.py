"""A receiver without a serial port: the kernel's own gnss subsystem."""

SET = "full"


def run(bench):
    # Debian 12's kernel has the subsystem and nothing that could be put into it: gnss-usb is not built, and its drivers for serial
    # receivers know their own by device tree alone, which a PC's kernel is built without (README.md, Pitfalls).
    bench.needs(bench.status("modinfo gnss-usb") == 0, "this release's kernel has no gnss-usb, and no other gnss driver for a PC")
    with bench.receiver("xm1210") as receiver:
        plugged = receiver.plug()
        bench.check(receiver.node() == "/dev/gnss0", f"it is {receiver.node()}")
        with bench.watch() as watch:
            fix = watch.fix(after=plugged)
            bench.check(fix["line"]["device"] == "/dev/gnss0", f"the fix came from {fix['line']['device']}")
            bench.unplug_and_plug(receiver, watch, bench.replugs)
