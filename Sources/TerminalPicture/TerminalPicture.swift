internal import CChafa
import Glibc

/// An image on a terminal, by libchafa.
package enum TerminalPicture {
  /// How a terminal shows images.
  package enum Graphics: String, CaseIterable, Sendable {
    /// The graphics protocol of the terminal kitty.
    case kitty
    /// DEC's bitmap graphics.
    case sixel
    /// Characters that are halves and quarters of a cell.
    case symbols
  }

  package enum Colors: Sendable { case all, indexed256, indexed16 }

  /// Whether libchafa is installed.
  package static var isPossible: Bool { cchafa_is_there() != 0 }

  /// The size of a character of a terminal in pixels; `nil` if the terminal does not report it, or no plausible one.
  package static func cell(_ descriptor: Int32) -> (width: Int, height: Int)? {
    let size = cchafa_cell_size(descriptor)
    let (width, height) = (Int(size & 0xFFFF), Int(size >> 16))
    return (4...64).contains(width) && (4...128).contains(height) ? (width, height) : nil
  }

  /// The bytes for a terminal that show an image in `columns` by `rows` characters; `nil` without libchafa, or without memory.
  ///
  /// - Parameters:
  ///   - pixels: `4 * width * height` bytes: blue, green, red and alpha of each pixel, multiplied by alpha.
  ///   - cell: the size of a character, pixels.
  package static func bytes(
    of pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int, cell: (width: Int, height: Int),
    as kind: Graphics, _ colors: Colors = .all
  ) -> [UInt8]? {
    guard width > 0, height > 0, pixels.count == 4 * width * height, (1...1000).contains(columns),
      (1...1000).contains(rows)
    else { return nil }
    let mode =
      switch kind {
      case .kitty: CCHAFA_KITTY
      case .sixel: CCHAFA_SIXELS
      case .symbols: CCHAFA_SYMBOLS
      }
    let palette =
      switch colors {
      case .all: CCHAFA_TRUE_COLOR
      case .indexed256: CCHAFA_256_COLORS
      case .indexed16: CCHAFA_16_COLORS
      }
    var size = 0
    let output = unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe cchafa_output(
        pixels.baseAddress, Int32(clamping: width), Int32(clamping: height), Int32(clamping: columns),
        Int32(clamping: rows), Int32(clamping: cell.width), Int32(clamping: cell.height), Int32(mode),
        Int32(palette), &size)
    }
    guard let output = unsafe output else { return nil }
    defer { unsafe free(output) }
    return unsafe UnsafeBufferPointer(start: output, count: size).map { UInt8(bitPattern: $0) }
  }
}
