import Glibc

/// An LED of the kernel's class `leds` (Documentation/leds/leds-class.rst).
package enum LEDFile {
  /// - Parameter folder: for example `/sys/class/leds/PWR`.
  package static func set(_ folder: String, isOn: Bool) throws(SystemError) {
    let brightest = try StateFile.read("\(folder)/max_brightness", maximumSize: 4096).flatMap { bytes in
      Int(String(decoding: bytes, as: UTF8.self).filter { $0.isASCII && $0.isNumber })
    }
    let path = "\(folder)/brightness"
    let descriptor = OwnedDescriptor(
      rawValue: try SystemCall.run("open") { unsafe open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK) })
    let bytes = Array("\(isOn ? brightest ?? 1 : 0)".utf8)
    try SystemCall.run("write") { unsafe Glibc.write(descriptor.rawValue, bytes, bytes.count) }
  }
}
