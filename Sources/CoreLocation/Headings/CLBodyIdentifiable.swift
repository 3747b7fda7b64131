public import Foundation

/// A body whose heading a location manager can be asked for in place of this device's: see `CLLocationManager.headingBody`.
public protocol CLBodyIdentifiable: NSObjectProtocol {}
