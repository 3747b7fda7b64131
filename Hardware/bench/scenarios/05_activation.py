"""Nothing runs until somebody asks; then the socket starts the service. Who is not in the group is kept out."""

import json

SET = "ci"


def run(bench):
    bench.shell("systemctl stop locationd.service && systemctl is-active locationd.socket")
    status = json.loads(bench.shell("locationctl status --json"))
    bench.check(status["daemon"], "no daemon answered")
    bench.shell("systemctl is-active locationd.service")
    bench.shell("usermod --append --groups location user")
    bench.shell("su user -c 'locationctl status --json' | grep -q '\"daemon\":true'")
    # Everybody may ask; whom nobody has allowed it is told nothing.
    bench.shell("su nobody -s /bin/sh -c 'locationctl fix --timeout 5'", expect=77)
