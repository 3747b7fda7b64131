import HeadingSources
import Testing

@Suite struct HeadingFilterTests {
  @Test func theFirstHeadingIsDelivered() {
    var filter = HeadingFilter(minimumDegrees: 5)
    #expect(filter.handle(deviceDegrees: 358) == 358)
    #expect(filter.handle(deviceDegrees: 2.9) == nil)
    #expect(filter.handle(deviceDegrees: 3) == 3)
    // From the last one delivered, not from the last one received.
    #expect(filter.handle(deviceDegrees: 359) == nil)
    #expect(filter.handle(deviceDegrees: 357.9) == 357.9)
  }

  @Test func withoutAFilterEveryHeadingIsDelivered() {
    var filter = HeadingFilter(minimumDegrees: nil)
    #expect(filter.handle(deviceDegrees: 10) == 10)
    #expect(filter.handle(deviceDegrees: 10) == 10)
  }

  @Test(arguments: [
    (HeadingOrientation.portrait, 10.0, 10.0), (.landscapeLeft, 300, 30), (.landscapeRight, 10, 280),
    (.portraitUpsideDown, 200, 20),
  ]) func orientations(orientation: HeadingOrientation, device: Double, delivered: Double) {
    var filter = HeadingFilter(minimumDegrees: 1, orientation: orientation)
    #expect(filter.handle(deviceDegrees: device) == delivered)
  }

  /// A heading just below zero does not become 360.
  @Test func theHeadingIsBelow360() throws {
    var filter = HeadingFilter(minimumDegrees: nil)
    let delivered = filter.handle(deviceDegrees: -1e-300)
    #expect(try #require(delivered) < 360)
  }
}
