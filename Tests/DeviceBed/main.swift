// Holds umockdev's test bed for the hot-plug tests. It runs with libumockdev-preload itself: the library looks devices up
// in /sys before it sends their events.
//
// Reads commands on standard input, a line each, and answers each with a line; ends, and removes the bed, with the input:
//
//     add              devices in umockdev's format follow, up to a line `.`
//     event ACTION FOLDER
//     remove FOLDER
//     write NODE TEXT  the device says TEXT and a line end
//
// The first line out is the bed's folder, or `absent` where umockdev is not installed.

import Glibc

/// What came of a command.
func answer(_ text: String) {
  print(text)
  fflush(nil)
}

func execute(_ line: String, on bed: UmockdevTestbed) -> Bool {
  let words = line.split(separator: " ", maxSplits: 2).map(String.init)
  switch (words.first, words.count) {
  case ("add", 1):
    var description = ""
    while let next = readLine(), next != "." { description += next + "\n" }
    return bed.add(description)
  case ("event", 3):
    bed.send(words[1], words[2])
    return true
  case ("remove", 2):
    bed.remove(words[1])
    return true
  case ("write", 3):
    let bytes = Array((words[2] + "\r\n").utf8)
    return unsafe write(bed.deviceSide(words[1]), bytes, bytes.count) == bytes.count
  case _:
    return false
  }
}

if let bed = UmockdevTestbed() {
  answer(bed.root)
  while let line = readLine() { answer(execute(line, on: bed) ? "done" : "failed") }
} else {
  answer("absent")
}
