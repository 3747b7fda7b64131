/// The receiver's own port that this line ends at: u-blox `portID`, and what is added to a key for the port I2C.
enum ReceiverPort: UInt8, Hashable, Sendable {
  case i2c = 0
  case uart1 = 1
  case uart2 = 2
  case usb = 3
  case spi = 4
}
