/// The domain of every `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"
/// Where an error's user info has its `alternateRegion`.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"
/// The domain of every `CLLocationPushServiceError`.
public let CLLocationPushServiceErrorDomain = "CLLocationPushServiceErrorDomain"
