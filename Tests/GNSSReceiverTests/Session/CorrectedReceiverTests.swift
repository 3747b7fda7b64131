import GNSSReceiver
import Testing

/// Which receivers get corrections without being named by the user.
@Suite struct CorrectedReceiverTests {
  @Test(arguments: [
    ("ZED-F9P", "HPG 1.32", true), ("NEO-M8P-2", "HPG 1.40ROV", true), ("NEO-M8P-0", nil, true),
    ("ZED-X20P", "HPG 2.00", true), (nil, "HPG 1.12", true), ("LC29HEA", nil, true), ("UM980", "R4.10Build11833", true),
    ("NEO-M8N", "SPG 3.01", false), ("NEO-M9N", "SPG 4.04", false), ("ZED-F9T", "TIM 2.20", false), (nil, nil, false),
  ])
  func receiversForRTKAreRecognized(model: String?, firmware: String?, isOne: Bool) {
    var identity = ReceiverIdentity()
    (identity.model, identity.firmware) = (model, firmware)
    #expect(identity.takesCorrections == isOne)
  }
}
