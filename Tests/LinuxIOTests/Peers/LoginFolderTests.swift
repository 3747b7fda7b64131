import Glibc
import LinuxIO
import Testing

@Suite struct LoginFolderTests {
  private func record(_ text: String) -> LoginRecord { LoginRecord(Array(text.utf8)) }

  @Test func readsASession() {
    // As written by systemd 252 (session_save) for an ssh login.
    let session = record(
      """
      # This is private data. Do not parse.
      UID=1000
      USER=pi
      ACTIVE=1
      IS_DISPLAY=0
      STATE=active
      REMOTE=1
      TYPE=tty
      ORIGINAL_TYPE=tty
      CLASS=user
      SCOPE=session-3.scope
      FIFO=/run/systemd/sessions/3.ref
      SERVICE=sshd

      """)
    #expect(session.isOnline)
    #expect(session.isOfPerson)
    #expect(!record("STATE=closing\nCLASS=user\n").isOnline)
    #expect(record("STATE=online\n").isOnline)
    #expect(!record("XSTATE=online\nstate=online\n#STATE=online\n").isOnline)
    // The first line counts: the name of a service or desktop cannot contain a line ending, but if it did, this would protect
    // from it.
    #expect(!record("STATE=closing\nSTATE=active\n").isOnline)
  }

  @Test func reportsPersonsFromOthers() {
    for kind in ["user", "user-early", "user-light", "user-early-light"] {
      #expect(record("CLASS=\(kind)\n").isOfPerson)
    }
    for kind in ["greeter", "lock-screen", "background", "background-light", "manager", "user-incomplete", "none", ""] {
      #expect(!record("CLASS=\(kind)\n").isOfPerson)
    }
    #expect(!record("").isOfPerson)
  }

  @Test func reportsWhatIsThereAndWhatIsNot() throws {
    let folder = try TemporaryFolder()
    let logins = LoginFolder(folder.path)
    #expect(logins.session("3") == .unavailable)
    #expect(logins.user(1000) == .unavailable)
    try StateFile.write(logins.sessions + "/3", Array("STATE=online\nCLASS=user\n".utf8))
    try StateFile.write(logins.users + "/1000", Array("STATE=lingering\n".utf8))
    #expect(logins.session("3") == .known(record("STATE=online\nCLASS=user\n")))
    #expect(logins.session("4") == .gone)
    #expect(logins.user(1000) == .known(record("STATE=lingering\n")))
    #expect(logins.user(0) == .gone)
    // Neither an endless file nor one that blocks is read: logind's own FIFOs are in the same folder.
    #expect(unsafe mkfifo(logins.sessions + "/5", 0o600) == 0)
    #expect(logins.session("5") == .gone)
    try StateFile.write(logins.sessions + "/6", [UInt8](repeating: 0x0A, count: 100_000))
    #expect(logins.session("6") == .gone)
  }
}
