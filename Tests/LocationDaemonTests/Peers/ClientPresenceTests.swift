import LinuxIO
import LocationPolicy
import LocationdServer
import Testing

@Suite struct ClientPresenceTests {
  private func presence(_ path: String, _ login: LoginState, terminal: Bool = false) -> ClientPresence {
    ClientPresence(RecordedClient(hasTerminal: terminal, path: path).process, login)
  }

  private func login(_ state: String, _ kind: String = "user") -> LoginState {
    .known(LoginRecord(Array("STATE=\(state)\nCLASS=\(kind)\n".utf8)))
  }

  @Test func aSessionIsInUseWhileItIsOnline() {
    let path = RecordedClient.session
    #expect(presence(path, login("active")) == .inUse)
    // Another session has the screen; a login through ssh.
    #expect(presence(path, login("online")) == .inUse)
    #expect(presence(path, login("closing"), terminal: true) == .background)
    #expect(presence(path, login("opening")) == .background)
    for kind in ["greeter", "lock-screen", "background", "manager"] {
      #expect(presence(path, login("active", kind)) == .background)
    }
    #expect(presence(path, .gone, terminal: true) == .background)
    // Without logind.
    #expect(presence(path, .unavailable) == .inUse)
  }

  @Test func aDesktopsProgramIsInUseWhileItsUserIs() {
    for path in [RecordedClient.terminal, RecordedClient.flatpak, RecordedClient.snap] {
      #expect(presence(path, login("active", "")) == .inUse)
      #expect(presence(path, login("online", "")) == .inUse)
      #expect(presence(path, login("lingering", "")) == .background)
      #expect(presence(path, login("closing", "")) == .background)
      #expect(presence(path, .gone) == .background)
      #expect(presence(path, .unavailable) == .inUse)
    }
  }

  @Test func servicesAreInTheBackground() {
    for path in [
      "/system.slice/cron.service", "/system.slice/snap.weather.sensor.service",
      RecordedClient.manager + "/app.slice/weather.service", RecordedClient.manager + "/init.scope",
      RecordedClient.manager + "/background.slice/app-a.scope",
      RecordedClient.manager + "/app.slice/snap.weather.sensor.service",
    ] {
      for login in [login("active"), .unavailable, .gone] {
        #expect(presence(path, login, terminal: true) == .background, "\(path)")
      }
    }
  }

  @Test func aTerminalIsInUseWhereNothingElseReports() {
    #expect(presence("/", .unavailable, terminal: true) == .inUse)
    #expect(presence("/", .unavailable) == .background)
    #expect(presence("/docker/4f1d", .unavailable, terminal: true) == .background)
  }

  @Test func readsWhatIsThere() throws {
    let folder = try TemporaryFolder()
    let logins = LoginFolder(folder.path)
    let (session, program) = (
      RecordedClient(path: RecordedClient.session).process, RecordedClient(path: RecordedClient.terminal).process
    )
    #expect(ClientPresence(session, logins: logins) == .inUse)
    try folder.write("sessions/3", "STATE=closing\nCLASS=user\n")
    try folder.write("users/1000", "STATE=active\n")
    #expect(ClientPresence(session, logins: logins) == .background)
    #expect(ClientPresence(program, logins: logins) == .inUse)
    try folder.write("users/1000", "STATE=lingering\n")
    #expect(ClientPresence(program, logins: logins) == .background)
  }
}
