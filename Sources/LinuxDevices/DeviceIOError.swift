package import LinuxIO

/// A call of the system that failed while devices were watched, or their trust kept.
package typealias DeviceIOError = SystemError
