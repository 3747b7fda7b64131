"""The package goes, and nothing of it is left."""

SET = "ci"
# What dpkg, systemd and the machine itself write whatever is installed.
OTHERS = r"^/(var/lib/dpkg|var/log|var/cache|var/lib/systemd|var/tmp|tmp|root|run|etc/(group|passwd|shadow|gshadow|subuid|subgid)-?$|etc/\.pwd\.lock|dev|sys)|\.pyc$|__pycache__"


def run(bench):
    bench.shell("dpkg --purge locationd", timeout=300)
    left = bench.shell(f"find / -xdev -not -path '/proc/*' | sort | comm -13 /root/before - | grep -vE '{OTHERS}'; true").split()
    bench.check(not left, f"left behind: {' '.join(left[:20])}")
    bench.shell("getent passwd locationd", expect=2)
    bench.shell("systemctl list-units --all --no-legend 'locationd*' | grep .", expect=1)
    bench.shell("ls /run/locationd /run/lock/locationd* 2>/dev/null | grep .", expect=1)
