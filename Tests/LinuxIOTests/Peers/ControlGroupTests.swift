import LinuxIO
import Testing
import TestSupport

/// Lines of `/proc/PID/cgroup`: recorded where the comment says so, and otherwise from the documentation of the software that
/// creates the groups.
@Suite struct ControlGroupTests {
  private func group(_ text: String) -> ControlGroup { ControlGroup(Array(text.utf8)) }

  private let manager = "0::/user.slice/user-1000.slice/user@1000.service"

  @Test func services() {
    #expect(group("0::/system.slice/weather.service\n") == ControlGroup(.service("weather.service")))
    // Version 1, and both versions: Debian 10, and Debian 9 with the systemd of Debian 12.
    #expect(
      group("3:pids:/system.slice/cron.service\n1:name=systemd:/system.slice/cron.service\n")
        == ControlGroup(.service("cron.service")))
    #expect(
      group("1:name=systemd:/system.slice/cron.service\n0::/system.slice/cron.service\n")
        == ControlGroup(.service("cron.service")))
    #expect(
      group("0::/system.slice/system-weather.slice/weather@home.service\n")
        == ControlGroup(.service("weather@home.service")))
    // Everything below a service belongs to the service, whatever its name; the same applies to a service in a custom slice.
    #expect(
      group("0::/system.slice/weather.service/app-flatpak-org.gnome.Maps-1.scope\n")
        == ControlGroup(.service("weather.service")))
    #expect(group("0::/sensors.slice/weather.service\n") == ControlGroup(.service("weather.service")))
    // systemd escapes names that the kernel uses itself.
    #expect(group("0::/system.slice/_tasks.service\n") == ControlGroup(.service("tasks.service")))
  }

  @Test func sessions() {
    #expect(group("0::/user.slice/user-1000.slice/session-3.scope\n") == ControlGroup(.session("3")))
    #expect(group("0::/user.slice/user-120.slice/session-c1.scope\n") == ControlGroup(.session("c1")))
    // elogind: a separate hierarchy, or the root of version 2.
    #expect(group("1:name=elogind:/c2\n0::/\n") == ControlGroup(.session("c2")))
    #expect(group("0::/7\n") == ControlGroup(.session("7")))
    // The ID of a session contains only letters and digits: nothing that could lead to another folder.
    for id in ["..", "3.", "", "3\u{301}", "%2e", String(repeating: "1", count: 33)] {
      #expect(group("0::/user.slice/user-1000.slice/session-\(id).scope\n") == ControlGroup())
    }
    // Only logind's sessions are in users' slices.
    #expect(group("0::/system.slice/session-3.scope\n") == ControlGroup())
  }

  @Test func managers() {
    func owner(_ path: String) -> ControlGroup.Owner { group("\(manager)\(path)\n").owner }
    let (application, other) = (
      ControlGroup.Owner.manager(userID: 1000, isApplication: true),
      ControlGroup.Owner.manager(userID: 1000, isApplication: false)
    )
    // GNOME 43 in Debian 12.
    #expect(owner("/app.slice/app-org.gnome.Terminal.slice/vte-spawn-9f1f2c4e-1b5e.scope") == application)
    #expect(owner("/app.slice/app-gnome-firefox\\x2desr-3021.scope") == application)
    #expect(owner("/session.slice/org.gnome.Shell@wayland.service") == other)
    #expect(owner("/app.slice/app-gnome\\x2dsession\\x2dmanager.slice/gnome-session-manager@gnome.service") == other)
    #expect(owner("/app.slice/app-weather@autostart.service") == application)
    // A user's services and timers, the manager itself, and programs that were sent to the background.
    #expect(owner("/app.slice/weather.service") == other)
    #expect(owner("/init.scope") == other)
    #expect(owner("") == other)
    #expect(owner("/background.slice/app-tracker-1.scope") == other)
    // Without slices, as in Debian 10.
    #expect(owner("/gnome-launched-firefox-1.scope") == application)
  }

  @Test func flatpaksAndSnaps() {
    func sandbox(_ path: String) -> ControlGroup.Sandbox? { group("\(manager)\(path)\n").sandbox }
    // Flatpak 1.14: the escaped ID, then the process.
    #expect(sandbox("/app.slice/app-flatpak-org.gnome.Maps-2345.scope") == .flatpak("org.gnome.Maps"))
    #expect(sandbox("/app.slice/app-flatpak-org.a\\x2db.C_d-2345.scope") == .flatpak("org.a-b.C_d"))
    for broken in ["org.gnome.Maps", "org.gnome.Maps-", "-1", "org\\x2", "a\\x2fb-1", "a\\x00b-1", "a\\-1", "a b-1"] {
      #expect(sandbox("/app.slice/app-flatpak-\(broken).scope") == nil)
    }
    // snapd 2.57 and later; hooks, instances and components.
    #expect(sandbox("/app.slice/snap.weather-app.weather-0d2f.scope") == .snap("weather-app"))
    #expect(sandbox("/snap.weather-app.weather.0d2f-11.scope") == .snap("weather-app"))
    #expect(sandbox("/app.slice/snap.weather_two.hook.configure-0d2f.scope") == .snap("weather_two"))
    #expect(sandbox("/app.slice/snap.weather+maps.hook.install-0d2f.scope") == .snap("weather"))
    #expect(
      group("0::/system.slice/snap.weather.sensor.service\n")
        == ControlGroup(.service("snap.weather.sensor.service"), sandbox: .snap("weather")))
    #expect(group("9:freezer:/snap.weather\n0::/\n") == ControlGroup(.noOwner, sandbox: .snap("weather")))
    // A snap whose name is invalid still does not count as one of the user's own programs.
    #expect(sandbox("/app.slice/snap.Weather.x-1.scope") == .container("snap.Weather.x-1"))
    #expect(sandbox("/app.slice/snapshot.scope") == nil)
  }

  @Test func containers() {
    func container(_ path: String) -> ControlGroup { group("0::\(path)\n") }
    for (path, name) in [
      ("/system.slice/docker-4f1d.scope", "docker-4f1d"), ("/docker/4f1d", "4f1d"),
      ("/system.slice/docker-4f1d.scope/system.slice/cron.service", "docker-4f1d"),
      ("/system.slice/containerd.service/kubepods-pod1.slice/cri-containerd-77.scope", "cri-containerd-77"),
      ("/kubepods.slice/kubepods-pod1.slice/crio-77.scope", "crio-77"),
      ("/lxc.payload.home/system.slice/cron.service", "home"), ("/lxc/home", "home"),
      ("/machine.slice/systemd-nspawn@home.service/payload/init.scope", "systemd-nspawn@home"),
      ("/machine.slice/libpod-4f1d.scope/container", "libpod-4f1d"),
      ("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-4f1d.scope/container", "libpod-4f1d"),
      ("/user.slice/user-1000.slice/user@1000.service/user.slice/docker-4f1d.scope", "docker-4f1d"),
    ] { #expect(container(path) == ControlGroup(.noOwner, sandbox: .container(name)), "\(path)") }
    // The program that runs containers is not in a container itself.
    #expect(container("/system.slice/docker.service") == ControlGroup(.service("docker.service")))
  }

  @Test func elsewhere() {
    // Recorded: a virtual machine whose first process is not systemd, Linux 6.18.
    let recorded = """
      9:name=systemd:/
      8:pids:/
      4:memory:/process_api/7b3e73b38c9d85d0fbf9180b83fbe982
      1:cpu:/
      0::/
      """
    for text in [recorded, "", "0::/", "0::/init.scope", "0::/..", "0::/../../system.slice", "0:", "::", "x", "\n\n"] {
      #expect(group(text) == ControlGroup())
    }
    #expect(ControlGroup([0x30, 0x3A, 0x3A, 0x2F, 0xFF, 0x00, 0x80]) == ControlGroup())
    #expect(group("0::" + String(repeating: "/a.slice", count: 100_000)) == ControlGroup())
    // Version 2 has only one line, and a path may contain colons.
    #expect(group("0:cpu:/system.slice/a.service\n") == ControlGroup())
    #expect(group("0::/system.slice/a:b.service\n") == ControlGroup(.service("a:b.service")))
  }

  /// For any content, an identifier that becomes part of a path has only letters and digits, and names are bounded.
  @Test func survivesAnything() {
    var random = SplitMix64(seed: 7)
    let seeds = [
      "1:name=systemd:/user.slice/user-1000.slice/session-3.scope\n0::/system.slice/a@b.service\n",
      manager + "/app.slice/app-flatpak-org.a\\x2db.C_d-2345.scope\n", manager + "/app.slice/snap.a.b-0d2f.scope\n",
      "9:freezer:/snap.weather\n0::/lxc.payload.home/x\n", "0::/docker/4f1d\n1:name=elogind:/c2\n",
    ].map { Array($0.utf8) }
    for _ in 0..<20_000 {
      var bytes = seeds[Int(random.next() % 5)]
      for _ in 0..<1 + random.next() % 4 {
        let index = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.insert(contentsOf: bytes.prefix(index), at: index)
        default: bytes.remove(at: index)
        }
        if bytes.isEmpty { bytes = [0x30] }
      }
      let group = ControlGroup(bytes)
      if case .session(let id) = group.owner {
        #expect((1...33).contains(id.utf8.count) && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
      }
      if case .service(let name) = group.owner { #expect(name.utf8.count <= 255) }
    }
  }

  @Test func takesThisProcessAsItIs() throws {
    // Whatever the file contains, it is read to its end within the limit.
    let bytes = try #require(try StateFile.read("/proc/self/cgroup", maximumSize: 1 << 16))
    #expect(
      bytes.split(separator: 0x0A).allSatisfy { $0.split(separator: 0x3A, omittingEmptySubsequences: false).count >= 3 }
    )
    #expect(ControlGroup(bytes) == ControlGroup(bytes + [0x0A]))
  }
}
