// Holds umockdev's test bed for the hot-plug tests. This program itself runs with libumockdev-preload, because the library looks
// devices up in /sys before it sends their events.
//
// The program reads one command per line from standard input, and answers each with a line; at the end of the input it removes
// the bed and ends:
//
//     add              devices in umockdev's format follow, up to a line `.`
//     event ACTION FOLDER
//     remove FOLDER
//     write NODE TEXT  the device sends TEXT and a line ending
//
// The first line of output is the bed's folder, or `absent` if umockdev is not installed.

import Glibc

/// Prints the result of a command.
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
