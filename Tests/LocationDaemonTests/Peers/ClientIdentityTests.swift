import LinuxIO
import LocationPolicy
import LocationdServer
import Testing

@Suite struct ClientIdentityTests {
  private func realm(_ path: String, user: UInt32 = 1000, namespaces: Bool = false) -> ClientIdentity.Realm {
    let identity = ClientIdentity(RecordedClient(user: user, isInNamespaces: namespaces, path: path).process)
    #expect(identity.userID == user)
    return identity.realm
  }

  @Test func aPersonsProgramsAreOne() {
    for path in [RecordedClient.session, RecordedClient.terminal, "/system.slice/cron.service", "/", "/init.scope"] {
      #expect(realm(path) == .own)
    }
    // Services and timers of a user, run by the system's manager and by the user's own.
    #expect(realm("/system.slice/weather.service") == .own)
    #expect(realm(RecordedClient.manager + "/app.slice/weather.service") == .own)
  }

  @Test func systemAccountsServicesAreTheirOwn() {
    let path = "/system.slice/weather.service"
    // The limits in Debian Policy §9.2.2 and in systemd's UIDS-GIDS.
    for user in [1, 33, 999, 61_184, 65_519, 65_534] as [UInt32] {
      #expect(realm(path, user: user) == .service("weather.service"))
    }
    for user in [0, 1000, 59_999, 60_001, 60_513, 61_183, 65_535, 65_536, 1_667_200_500] as [UInt32] {
      #expect(realm(path, user: user) == .own)
    }
    #expect(
      realm("/system.slice/system-weather.slice/weather@home.service", user: 999) == .service("weather@home.service"))
    // The same account in a login session.
    #expect(realm(RecordedClient.session, user: 999) == .own)
  }

  @Test func theConfinedAreTheirOwn() {
    #expect(realm(RecordedClient.flatpak, namespaces: true) == .flatpak("org.gnome.Maps"))
    #expect(realm(RecordedClient.snap) == .snap("weather"))
    #expect(realm("/system.slice/snap.weather.sensor.service", user: 0) == .snap("weather"))
    #expect(realm("/system.slice/docker-4f1d.scope", user: 0, namespaces: true) == .container("docker-4f1d"))
    // The container's manager may let it share the host's namespaces.
    #expect(realm("/docker/4f1d", user: 0) == .container("4f1d"))
  }

  @Test func namespacesOfItsOwnAreAContainer() {
    for user in [0, 999, 1000] as [UInt32] {
      #expect(realm(RecordedClient.session, user: user, namespaces: true) == .container(""))
      #expect(realm("/", user: user, namespaces: true) == .container(""))
      #expect(realm("/system.slice/weather.service", user: user, namespaces: true) == .container("weather.service"))
      // Paths that only look like those of a Flatpak.
      #expect(
        realm(RecordedClient.manager + "/app.slice/app-flatpak-org/-1.scope", user: user, namespaces: true)
          == .container(""))
    }
  }
}
