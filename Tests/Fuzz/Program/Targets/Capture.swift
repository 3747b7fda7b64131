import LocationReplay

/// Any bytes as a capture: reading it whole and in small pieces gives the same records and the same error, and the records,
/// written again, are read as the same.
func checkCapture(_ bytes: [UInt8]) {
  let whole = read(bytes, by: max(1, bytes.count))
  precondition(whole == read(bytes, by: 1 + Int(bytes.first ?? 0) % 7), "depends on chunking")

  var writer = CaptureWriter()
  let again = whole.records.flatMap { writer.encode($0) }
  if !whole.records.isEmpty {
    let repeated = read(again, by: again.count)
    precondition(repeated.error == nil, "wrote what cannot be read")
    precondition(merged(repeated.records) == merged(whole.records), "wrote something else than was read")
  }
}

private struct Reading: Equatable {
  var records: [CaptureRecord] = []
  var error: CaptureError?
}

private func read(_ bytes: [UInt8], by size: Int) -> Reading {
  var reader = CaptureReader()
  var reading = Reading()
  do throws(CaptureError) {
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.push(bytes.span.extracting(start..<min(start + size, bytes.count)))
      while let record = try reader.next() { reading.records.append(record) }
    }
    try reader.finish()
  } catch {
    reading.error = error
  }
  return reading
}

/// The records, with each long payload in the pieces that the writer makes of it, and a device's strings as far as the writer
/// keeps them.
private func merged(_ records: [CaptureRecord]) -> [CaptureRecord] {
  records.flatMap { record -> [CaptureRecord] in
    func pieces(_ payload: [UInt8], _ event: ([UInt8]) -> CaptureEvent) -> [CaptureRecord] {
      guard payload.count > CaptureFormat.maximumPayload else { return [record] }
      return stride(from: 0, to: payload.count, by: CaptureFormat.maximumPayload).map { start in
        var piece = record
        piece.event = event(Array(payload[start...].prefix(CaptureFormat.maximumPayload)))
        return piece
      }
    }
    switch record.event {
    case .bytes(let payload): return pieces(payload) { .bytes($0) }
    case .scan(let payload): return pieces(payload) { .scan($0) }
    case .device(let device):
      var piece = record
      piece.event = .device(CapturedDevice(path: String(device.path.prefix(100))))
      return [piece]
    case .start, .speed, .gone: return [record]
    }
  }
}
