import Geodesy
import Positioning

/// Any bytes as a provider's answer: rejected, or a position on Earth with a possible radius; and as a message between the
/// service and its fetcher: rejected, incomplete, or read as the same after it is written again.
func checkGeolocate(_ bytes: [UInt8]) {
  for status in [200, 404] {
    guard let answer = try? GeolocateResponse(WebResponse(status: status, body: bytes)) else { continue }
    guard case .place(let place, let radius68) = answer else { continue }
    precondition(status == 200, "a place that was not found")
    precondition((-90...90).contains(place.latitude.degrees), "no latitude")
    precondition((-180...180).contains(place.longitude.degrees), "no longitude")
    precondition((50...10_000).contains(radius68.value), "no radius")
  }
  if case .order(let order) = FetchRequest.read(bytes.span) { precondition(order.bytes == bytes, "another order") }
  for purpose in FetchRequest.Purpose.allCases {
    guard case .reply(let reply) = FetchResponse.read(bytes.span, to: purpose) else { continue }
    precondition(FetchResponse.read(reply.bytes.span, to: purpose) == .reply(reply), "another reply")
  }
}
