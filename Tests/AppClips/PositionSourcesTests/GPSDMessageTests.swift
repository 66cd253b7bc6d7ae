import Foundation
import Invocation
import Testing

@testable import PositionSources

/// The examples of gpsd's own manual, gpsd_json(5), and what gpsd 3.22 sends.
@Suite("A line of gpsd's protocol")
struct GPSDMessageTests {
  private func read(_ line: String) -> GPSDMessage? {
    GPSDMessage(line: line.utf8, source: "test")
  }

  @Test("each class of message is read as the manual shows it")
  func classes() {
    let table: [(String, GPSDMessage)] = [
      (
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        .version(release: "3.22", major: 3, minor: 14)
      ),
      (
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1","flags":1}]}"#,
        .devices(["/dev/pts/1"])
      ),
      (
        #"{"class":"DEVICE","path":"/dev/x","activated":0}"#,
        .device(path: "/dev/x", isActive: false)
      ),
      (
        #"{"class":"DEVICE","path":"/dev/x","activated":"2026-11-22T09:00:00.000Z"}"#,
        .device(path: "/dev/x", isActive: true)
      ),
      (#"{"class":"WATCH","enable":true,"json":true}"#, .watch(isEnabled: true)),
      (
        #"{"class":"SKY","satellites":[{"PRN":23,"used":false},{"PRN":28,"used":true}]}"#,
        .satellites(used: 1, seen: 2)
      ),
      (#"{"class":"SKY","nSat":11,"uSat":7}"#, .satellites(used: 7, seen: 11)),
      (
        #"{"class":"ERROR","message":"Unrecognized request '?FOO'"}"#,
        .error("Unrecognized request '?FOO'")
      ),
      (#"{"class":"PPS","real_sec":1}"#, .other("PPS")),
    ]
    for (line, message) in table { #expect(read(line) == message) }
  }

  @Test("a position is read with its keys in any order")
  func position() throws {
    let report = PositionReport(
      time: Date(timeIntervalSince1970: 1_118_226_888.283),
      coordinate: Coordinate(latitude: 46.498293369, longitude: 7.567411672),
      mode: .threeDimensional, horizontalError: 36, status: .differential, source: "/dev/pts/1")
    let members = [
      #""class":"TPV""#, #""device":"/dev/pts/1""#, #""time":"2005-06-08T10:34:48.283Z""#,
      #""lat":46.498293369"#, #""lon":7.567411672"#, #""eph":36.000"#, #""mode":3"#, #""status":2"#,
      #""track":10.3788"#,
    ]
    for turn in members.indices {
      let line = "{" + (members[turn...] + members[..<turn]).joined(separator: ",") + "}"
      #expect(read(line) == .position(report))
    }
  }

  @Test("what gpsd leaves out is unknown, not zero")
  func missing() {
    #expect(
      read(#"{"class":"TPV","device":"/dev/pts/1","mode":1}"#)
        == .position(PositionReport(mode: .noFix, source: "/dev/pts/1")))
    #expect(read(#"{"class":"TPV"}"#) == .position(PositionReport(source: "test")))
    #expect(
      read(#"{"class":"TPV","mode":2,"lat":48.1,"time":"today","eph":0}"#)
        == .position(PositionReport(mode: .twoDimensional, source: "test")))
    #expect(
      read(#"{"class":"TPV","mode":2,"lat":91,"lon":0}"#)
        == .position(PositionReport(mode: .twoDimensional, source: "test")))
  }

  @Test("without eph, the errors of east and north together are the error")
  func axes() {
    #expect(
      read(#"{"class":"TPV","mode":3,"epx":3,"epy":4}"#)
        == .position(
          PositionReport(mode: .threeDimensional, horizontalError: 5, source: "test")))
  }

  @Test("a poll's answer holds what was cached of each receiver")
  func poll() {
    let line = """
      {"class":"POLL","time":"2010-06-04T10:31:00.289Z","active":1,"tpv":[{"class":"TPV",\
      "device":"/dev/ttyUSB0","time":"2010-09-08T13:33:06.095Z","ept":0.005,"lat":40.035093060,\
      "lon":-75.519748733,"track":99.4319,"speed":0.123,"mode":2}],"sky":[]}
      """
    #expect(
      read(line)
        == .poll([
          PositionReport(
            time: Date(timeIntervalSince1970: 1_283_952_786.095),
            coordinate: Coordinate(latitude: 40.035093060, longitude: -75.519748733),
            mode: .twoDimensional, source: "/dev/ttyUSB0")
        ]))
  }

  @Test("a line cut short anywhere is no message")
  func cutShort() {
    let line = #"{"class":"TPV","device":"/dev/pts/1","lat":46.498293369,"mode":3}"#
    for length in 0..<line.utf8.count {
      #expect(GPSDMessage(line: line.utf8.prefix(length), source: "test") == nil)
    }
    for other in ["[]", "3", "{}", #"{"class":3}"#, "SSH-2.0", "\u{0}"] {
      #expect(read(other) == nil)
    }
  }

  @Test("a host, a port or both name a gpsd")
  func addresses() {
    let table = [
      "": nil, "gps.local": "gps.local:2947", "gps.local:3000": "gps.local:3000",
      ":3000": "127.0.0.1:3000", "[::1]:3000": "[::1]:3000", "::1": "[::1]:2947",
      "[::1]": "[::1]:2947", "a:b": nil, "a:": nil, "a:0": nil, "a:65536": nil, "a b": nil,
      "[::1]x": nil,
    ]
    for (text, address) in table { #expect(GPSDAddress(text)?.description == address, "\(text)") }
  }

  @Test("only moments that the calendar has are moments")
  func moments() {
    #expect(UTCTime.date("1970-01-01T00:00:00Z")?.timeIntervalSince1970 == 0)
    #expect(UTCTime.date("2000-02-29T12:00:00.5Z")?.timeIntervalSince1970 == 951_825_600.5)
    #expect(UTCTime.date("2026-11-22T09:26:50Z")?.timeIntervalSince1970 == 1_795_339_610)
    for text in [
      "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T00:00:00",
      "2026-11-22T00:00:0xZ", "2026-11-22T00:00:00.Z.", "2026-11-22", "",
    ] { #expect(UTCTime.date(text) == nil, "\(text)") }
  }
}
