/// Called with a geocoder's results, the most likely first, or with the error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void
