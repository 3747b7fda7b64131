"""From inside the unit only what it needs can be reached: tried by a script in its place, with its rights."""

SET = "full"
# An address of this machine's own that is not the loopback's. A server is at both.
ELSEWHERE = "10.9.8.7"
FORBIDDEN = [
    "touch /etc/x", "touch /usr/x", "touch /home/x", "ls /home/user", "cat /root/before", "cat /etc/shadow", "head -c 1 /dev/vda",
    "head -n 1 /dev/kmsg", "mount -t tmpfs t /tmp", "unshare --user true", "date --set=2030-01-01", "hostname x",
    # What is denied gets no answer, and would be asked again for two minutes.
    f"timeout 3 bash -c '</dev/tcp/{ELSEWHERE}/80'", "kill -0 1", "ls /proc/1/fd/", "chmod u+s /tmp/x", "sysctl -w kernel.sysrq=1",
]
# The unit has two state directories, so that systemd's own variable is a list of them.
NEEDED = [
    "touch $LOCATIOND_STATE/x && rm $LOCATIOND_STATE/x", "touch $LOCATIOND_STATE/agents/x && rm $LOCATIOND_STATE/agents/x",
    "touch /run/lock/x && rm /run/lock/x", "timeout 3 head -c 0 /dev/ttyS0",
    "timeout 3 head -c 0 /dev/ttyACM0", "timeout 3 bash -c '</dev/tcp/127.0.0.1/80'", "cat /sys/class/tty/ttyS0/dev",
    "cat /proc/sys/kernel/random/boot_id", "cat /etc/group",
    # Clients are told apart by it.
    "cat /proc/1/cgroup",
]
PROBE = "/usr/local/bin/probe"


def run(bench):
    tries = [tried(command, "&&", "allowed") for command in FORBIDDEN] + [tried(command, "||", "refused") for command in NEEDED]
    script = "#!/bin/bash\ncd /\ntouch /tmp/x\n{\n" + "\n".join(tries) + "\necho tried\n} > $LOCATIOND_STATE/probe\n"
    bench.shell(f"cat > {PROBE} <<'END'\n{script}END\nchmod 755 {PROBE}")
    bench.shell(f"ip address add {ELSEWHERE}/32 dev lo; python3 -m http.server 80 >/dev/null 2>&1 & echo $! > /run/server")
    try:
        told = probe(bench)
    finally:
        bench.shell(f"kill $(cat /run/server); ip address del {ELSEWHERE}/32 dev lo; rm -f {PROBE} /var/lib/locationd/probe")
    bench.check(told.strip() == "tried", told)


def probe(bench):
    # With all rights they can be done: so what is refused is refused by the unit.
    bench.shell("command -v " + " ".join({command.split()[0] for command in FORBIDDEN + NEEDED}))
    for command in FORBIDDEN:
        if command.split()[0] in ("head", "cat", "ls", "kill", "timeout"):
            bench.wait_until(f"{command} >/dev/null 2>&1", f"root cannot: {command}", within=10)
    with bench.receiver("ublox7") as receiver:
        receiver.plug()
        receiver.node()
        with bench.drop_in(f"ExecStartPre={PROBE}"):
            return bench.shell("cat /var/lib/locationd/probe")


def tried(command, then, word):
    return f"{command} >/dev/null 2>&1 {then} echo '{word}: {command.replace(chr(39), '')}'"
