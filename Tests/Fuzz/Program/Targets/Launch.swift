import LocationIPC
import LocationPolicy

/// Any bytes between the service and a user's agent: rejected, or within their bounds and read as the same after they are written
/// again; and the same orders however the bytes were cut.
func checkLaunch(_ bytes: [UInt8]) {
  if let order = try? LaunchRequest(bytes.span) {
    let again = order.frame
    precondition(again.count - 4 <= LaunchRequest.limit, "wrote more than may be read")
    precondition((try? LaunchRequest(again.span.extracting(4..<again.count))) == order, "another order")
    if case .command(let command) = order.content {
      precondition(command.variables.allSatisfy { $0.name.hasPrefix(LaunchVariable.prefix) }, "a foreign variable")
    }
  }
  if let answer = try? LaunchResponse(bytes.span) {
    let again = answer.frame
    precondition((try? LaunchResponse(again.span.extracting(4..<again.count))) == answer, "another answer")
  }
  precondition(
    orders(bytes, by: max(1, bytes.count)) == orders(bytes, by: 1 + Int(bytes.first ?? 0) % 7), "depends on chunking")
}

/// The orders before the first invalid one.
private func orders(_ bytes: [UInt8], by size: Int) -> [LaunchRequest] {
  var reader = FrameReader(limit: LaunchRequest.limit)
  var orders: [LaunchRequest] = []
  for start in stride(from: 0, to: bytes.count, by: size) {
    reader.push(bytes[start..<min(start + size, bytes.count)])
    do {
      while let payload = try reader.next() { orders.append(try LaunchRequest(Array(payload).span)) }
    } catch {
      return orders
    }
  }
  return orders
}
