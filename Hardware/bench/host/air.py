"""The kernel's simulated radio (mac80211_hwsim) in the guest, and what is on its air."""

import json

WORK = "/run/bench/air.json"
INTERFACE = "wlan0"
RADIO = "42:00:00:00:00:00"
FREQUENCIES = [2412, 2437, 2462]
UNIT = "bench-air"


def point(number: int, **changes) -> dict:
    """An access point that only sends beacons."""
    return {
        "bssid": f"00:01:e3:00:{number >> 8:02x}:{number & 255:02x}", "name": f"bench {number}",
        "frequency": FREQUENCIES[number % 3], "signal": -40 - number % 50, **changes,
    }


def needs(bench) -> None:
    bench.needs(bench.status("modprobe --dry-run mac80211_hwsim") == 0, "the kernel has no mac80211_hwsim")


def plug(bench) -> None:
    needs(bench)
    bench.shell("modprobe mac80211_hwsim radios=1")
    bench.wait_until(f"ip link show {INTERFACE} >/dev/null 2>&1", "no interface")


def unplug(bench) -> None:
    bench.status(f"systemctl stop {UNIT}; modprobe -r mac80211_hwsim")


def fill(bench, points: list[dict]) -> None:
    """From now on, and nothing of before is left in the kernel."""
    bench.shell(f"systemctl stop {UNIT} 2>/dev/null; rm -f {WORK}.sent; cat > {WORK} <<'END'\n{json.dumps(points)}\nEND\n"
                f"ip link set {INTERFACE} up && iw dev {INTERFACE} scan freq {FREQUENCIES[0]} flush passive >/dev/null && "
                f"systemd-run --quiet --unit={UNIT} --collect python3 /bench/guest/air.py {WORK} {RADIO}")
    bench.wait_until(f"[ -e {WORK}.sent ]", "the air stands still")
