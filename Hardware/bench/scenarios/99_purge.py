"""The package goes, and nothing of it is left but what users have noted in their homes, which the purge names."""

SET = "ci"
# What dpkg, systemd and the machine itself write whatever is installed.
OTHERS = r"^/(var/lib/dpkg|var/lib/apt|var/log|var/cache|var/lib/systemd|var/tmp|tmp|root|run|etc/(group|passwd|shadow|gshadow|subuid|subgid)-?$|etc/\.pwd\.lock|dev|sys)|\.pyc$|__pycache__"

# What users have noted is theirs, as with any package.
NOTED = "/home/user/.local/state/locationd/commands"


def run(bench):
    bench.shell("locationctl grant user --always")
    bench.shell("su user -s /bin/sh -c 'HOME=/home/user locationctl significant on --on-move true'")
    told = bench.shell("dpkg --purge locationd 2>&1", timeout=300)
    bench.check("/locationd: user\n" in told, f"the purge does not name what stays: {told}")
    bench.shell(f"ls {NOTED} | grep .")
    bench.shell("rm -r /home/user/.local")
    left = bench.shell(f"find / -xdev -not -path '/proc/*' | sort | comm -13 /root/before - | grep -vE '{OTHERS}'; true").split()
    bench.check(not left, f"left behind: {' '.join(left[:20])}")
    bench.shell("getent passwd locationd", expect=2)
    bench.shell("systemctl list-units --all --no-legend 'locationd*' | grep .", expect=1)
    bench.shell("ls /run/locationd /run/lock/locationd* 2>/dev/null | grep .", expect=1)
