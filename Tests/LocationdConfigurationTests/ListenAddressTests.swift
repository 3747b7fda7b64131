import LocationdService
import Testing

/// Where the service listens for programs of this machine.
@Suite struct ListenAddressTests {
  private func texts(_ text: String) throws -> [String] {
    try ListenAddress.list(parsing: text, port: 2947).map(\.text)
  }

  @Test func onIsBothAddressesOfThisMachine() throws {
    #expect(try texts("off") == [])
    #expect(try texts("on") == ["127.0.0.1:2947", "[::1]:2947"])
    #expect(try texts("2950") == ["127.0.0.1:2950", "[::1]:2950"])
    #expect(try texts("127.0.0.1:2950, [::1]:2951 127.0.0.1:2950") == ["127.0.0.1:2950", "[::1]:2951"])
  }

  /// Only IPv6 that nobody named may be missing.
  @Test func aNamedAddressMustExist() throws {
    #expect(try ListenAddress.list(parsing: "on", port: 1).map(\.isOptional) == [false, true])
    #expect(try ListenAddress.list(parsing: "[::1]:2947", port: 1).map(\.isOptional) == [false])
  }

  /// Which of them other machines can reach.
  @Test func addressesBeyondTheLoopbackInterface() throws {
    let list = try ListenAddress.list(
      parsing: "127.0.0.1:1,[::1]:1,127.1.2.3:1,0.0.0.0:1,[::]:1,192.168.1.2:1,128.0.0.1:1,[fd00::1]:1", port: 1)
    #expect(list.map(\.isLocal) == [true, true, true, false, false, false, false, false])
  }

  @Test(arguments: [
    "localhost:2947", "127.0.0:1", "127.0.0.256:1", "224.0.0.1:1", "[ff02::1]:1", "255.255.255.255:1", "192.168.1.2",
    "", "yes", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "99999", "0", ",",
  ])
  func otherTextsAreNoAddresses(text: String) {
    #expect(throws: ListenAddress.Problem.notAnAddress) { try texts(text) }
  }

  @Test func aListHasABound() {
    let many = (1...9).map { "127.0.0.1:\($0)" }.joined(separator: ",")
    #expect(throws: ListenAddress.Problem.notAnAddress) { try texts(many) }
  }
}
