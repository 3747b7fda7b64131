internal import CLinux
import Glibc

/// TCP connections that one process accepts and another one serves.
extension UnixStream {
  /// Writes a short message and passes a connection with it; the peer's copy stays open when this one is closed.
  package func write(_ bytes: [UInt8], passing connection: borrowing TCPConnection) -> WriteResult {
    let (own, passed) = (descriptor, connection.descriptor)
    do throws(SystemError) {
      return .written(
        try SystemCall.run("sendmsg") {
          unsafe bytes.withUnsafeBytes { unsafe clinux_send_descriptor(own, $0.baseAddress, $0.count, passed) }
        })
    } catch {
      return error.errno == EAGAIN ? .wouldBlock : .failed(error)
    }
  }

  /// Reads, and takes a connection that came with the bytes; another kind of descriptor is closed.
  package func read(into buffer: inout [UInt8], taking passed: inout TCPConnection?) -> ReadResult {
    let own = descriptor
    var number: Int32 = -1
    do throws(SystemError) {
      let count = try SystemCall.run("recvmsg") {
        unsafe buffer.withUnsafeMutableBytes {
          unsafe clinux_receive_descriptor(own, $0.baseAddress, $0.count, &number)
        }
      }
      if number >= 0 {
        let received = OwnedDescriptor(rawValue: number)
        if clinux_is_tcp(number) == 1 {
          _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
          passed = TCPConnection(accepted: received)
        }
      }
      return count == 0 ? .endOfFile : .bytes(count)
    } catch {
      return error.errno == EAGAIN ? .wouldBlock : .failed(error)
    }
  }
}

extension NetworkAddress {
  /// Whether it is an address of this machine, beside those of other machines: only at those can a socket be bound. With
  /// `net.ipv4.ip_nonlocal_bind`, every address seems to be one.
  package var isOfThisMachine: Bool {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let number = socket(family, type, 0)
    guard number >= 0 else { return true }
    let probe = OwnedDescriptor(rawValue: number)
    guard let address = withoutPort else { return true }
    do throws(SystemError) {
      try address.bind(probe.rawValue)
      return true
    } catch {
      return error.errno != EADDRNOTAVAIL
    }
  }

  /// The same address with port 0, for which the kernel chooses one.
  private var withoutPort: NetworkAddress? {
    var copy = storage
    unsafe withUnsafeMutableBytes(of: &copy) { bytes in
      // The port follows the family in both forms (ip(7), ipv6(7)).
      unsafe (bytes[2], bytes[3]) = (0, 0)
    }
    return NetworkAddress(storage: copy, length: length)
  }
}
