import Testing
import WireFormats

@Suite struct NetworkNameTests {
  private func name(_ text: String) throws -> NetworkName {
    let name = NetworkName(Array(text.utf8).span)
    return try #require(name)
  }

  @Test(arguments: ["home_nomap", "Home_NOMAP", "_nomap", "\u{1F3E0}_NoMap"]) func itsEnd(_ text: String) throws {
    #expect(try name(text).ends(with: Array("_nomap".utf8)))
  }

  @Test(arguments: ["home_nomap2", "nomap", "", "home-nomap"]) func anotherEnd(_ text: String) throws {
    #expect(try !name(text).ends(with: Array("_nomap".utf8)))
  }

  @Test(arguments: ["a_optout", "_OptOut_nomap", "_optout"]) func whatIsInIt(_ text: String) throws {
    #expect(try name(text).contains(Array("_optout".utf8)))
  }

  @Test(arguments: ["optout", "_opt_out", ""]) func whatIsNot(_ text: String) throws {
    #expect(try !name(text).contains(Array("_optout".utf8)))
  }

  @Test func hidden() throws {
    #expect(try name("").isHidden && name("\0\0").isHidden && !name("\0a").isHidden)
    let long = NetworkName([UInt8](repeating: 1, count: 33).span)
    #expect(long == nil)
  }

  @Test func equality() throws {
    #expect(
      try name("a") != name("a\0") && name("a") == name("a") && Set([name("a"), name("b"), name("a")]).count == 2)
  }
}
