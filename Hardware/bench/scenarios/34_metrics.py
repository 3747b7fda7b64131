"""The port of the metrics is closed until it is enabled; then a process without rights answers each request, without positions."""

SET = "ci"
CONNECT = "timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/29470' 2>&1"
GET = ("timeout 60 bash -c 'exec 3<>/dev/tcp/127.0.0.1/29470;"
       r' printf "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" >&3; cat <&3' "'")


def run(bench):
    bench.check(bench.status(CONNECT) != 0, "the port is open before it is enabled")
    bench.shell("systemctl enable --now locationd-metrics.socket 2>&1")
    try:
        answer = bench.shell(GET)
        bench.check(answer.startswith("HTTP/1.1 200 OK"), f"the endpoint answers {answer!r}")
        bench.check("\nlocationd_up 1\n" in answer, f"the metrics do not say that the service runs: {answer!r}")
        bench.check("latitude" not in answer, f"the metrics contain a position: {answer!r}")
    finally:
        bench.shell("systemctl disable --now locationd-metrics.socket 2>&1", expect=None)
    bench.check(bench.status(CONNECT) != 0, "the port is open after it was disabled")
