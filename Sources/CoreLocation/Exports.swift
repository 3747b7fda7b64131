// Programs that import CoreLocation alone use Date, UUID, NSObject, sin and CFRunLoopRun, as they may on Apple's systems; the
// open enumerations and the coordinate come from C.
@_exported public import CCoreLocation
@_exported public import CoreFoundation
@_exported public import Foundation
