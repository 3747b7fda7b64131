import Foundation
import LinuxIO
import Synchronization
import Testing

/// Messages from other threads.
@Suite struct LoopMailboxTests {
  @Test func messagesOfManyThreadsComeInTheOrderOfEach() throws {
    let loop = try EventLoop()
    let mailbox = try LoopMailbox<(thread: Int, number: Int)>()
    let threads = 4
    let each = 5000
    var received = [[Int]](repeating: [], count: threads)
    var count = 0
    try loop.receive(from: mailbox) { message in
      received[message.thread].append(message.number)
      count += 1
      if count == threads * each { loop.stop() }
    }
    for thread in 0..<threads {
      Thread { for number in 0..<each { mailbox.post((thread, number)) } }.start()
    }
    try loop.run()
    for numbers in received { #expect(numbers == Array(0..<each)) }
  }

  /// Messages that were posted before the loop runs are received, at the cost of one wake-up.
  @Test func whatWaitsIsTakenImmediately() throws {
    let loop = try EventLoop()
    let mailbox = try LoopMailbox<Int>()
    for number in 0..<100 { mailbox.post(number) }
    var received: [Int] = []
    try loop.receive(from: mailbox) { number in
      received.append(number)
      if number == 99 { loop.stop() }
    }
    try loop.run()
    #expect(received == Array(0..<100))
    #expect(loop.wakeups == 1)
  }
}
