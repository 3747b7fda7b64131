import NetworkSources

/// Any bytes as a body in chunks: however they are cut, the same data or failure comes out.
func checkChunks(_ bytes: [UInt8]) {
  let whole = ChunkReading(bytes, pieces: [bytes.count])
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == ChunkReading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == ChunkReading(bytes, pieces: [1]), "depends on chunking byte by byte")
  precondition(whole.data.count <= bytes.count, "more data than bytes")
}

private struct ChunkReading: Equatable {
  var data: [UInt8] = []
  var failure: ChunkReader.Failure?
  var isEnded = false

  init(_ bytes: [UInt8], pieces: [Int]) {
    var reader = ChunkReader()
    forEachPiece(of: bytes, pieces: pieces) { range in
      guard failure == nil else { return }
      do throws(ChunkReader.Failure) {
        try reader.push(bytes.span.extracting(range)) { part in
          data += bytes[range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound]
        }
      } catch {
        failure = error
      }
    }
    isEnded = reader.isEnded
  }
}
