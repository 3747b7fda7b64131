/// Called with a geocoder's results, the most likely first, or with the error.
@available(iOS, introduced: 5.0, deprecated: 26.0, message: "Use MapKit.")
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void
