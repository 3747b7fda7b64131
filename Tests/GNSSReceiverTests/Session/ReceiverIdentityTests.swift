import GNSSReceiver
import Testing

@Suite struct ReceiverIdentityTests {
  /// A hardware version says nothing to a person; the name that a receiver reports is kept.
  @Test(arguments: [
    ("00080000", "u-blox 8"), ("00190000", "u-blox 9"), ("000A0000", "u-blox 10"), ("00070000", "u-blox 7"),
    ("00040007", "u-blox 6"), ("NEO-M9N", "NEO-M9N"), ("00990000", "00990000"),
  ]) func aHardwareVersionIsNamed(model: String, name: String) {
    var identity = ReceiverIdentity()
    #expect(identity.modelName == nil)
    identity.model = model
    #expect(identity.modelName == name)
    // The stored identity of a receiver does not change.
    #expect(identity.model == model)
  }
}
