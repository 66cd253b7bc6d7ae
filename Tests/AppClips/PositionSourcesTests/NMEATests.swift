import Foundation
import Invocation
import SimulatedReceivers
import Testing

@testable import PositionSources

@Suite("A sentence of NMEA 0183")
struct NMEASentenceTests {
  /// Sentences that manuals print, with the checksums they print.
  static let published = [
    "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47",
    "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A",
    "$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39",
    "$GPGST,172814.0,0.006,0.023,0.020,273.6,0.023,0.020,0.031*6A",
    "$GNGNS,014035.00,4332.69262,S,17235.48549,E,RR,13,0.9,25.63,11.24,,*70",
    "$GPGLL,4916.45,N,12311.12,W,225444,A,*1D",
  ]

  @Test("published sentences are read, with their checksums", arguments: published)
  func read(line: String) throws {
    let sentence = try NMEASentence(line.utf8)
    #expect(sentence.talker == line.dropFirst().prefix(2))
    #expect(sentence.formatter == line.dropFirst(3).prefix(3))
    #expect(sentence.fields.count == line.count { $0 == "," })
  }

  @Test("a sentence of which any one bit is wrong is none", arguments: published)
  func flippedBits(line: String) {
    for index in line.utf8.indices {
      for bit in 0..<7 {
        var bytes = Array(line.utf8)
        let place = line.utf8.distance(from: line.startIndex, to: index)
        bytes[place] ^= 1 << bit
        // Upper and lower case of a figure of the checksum mean the same.
        if place >= bytes.count - 2, bit == 5, bytes[place] >= 0x61 { continue }
        #expect(throws: NMEASentence.Problem.self) { try NMEASentence(bytes) }
      }
    }
  }

  @Test("why a line is no sentence is told")
  func problems() {
    let table: [(String, NMEASentence.Problem)] = [
      ("", .notASentence), ("!AIVDM,1,1,,A,14eG;o@034o8sd<L9i:a;WF>062D,0*7D", .notASentence),
      ("$GPGGA,123519,4807.038,N", .noChecksum), ("$GPGGA,123519*4", .noChecksum),
      ("$GPGGA,123519*+4", .noChecksum),
      ("$GPGGA,123519*-0", .noChecksum),
      ("$GPRMC,123519*00", .wrongChecksum(carried: 0, computed: 0x7E)), ("$*00", .notASentence),
    ]
    for (line, problem) in table {
      let found = #expect(throws: NMEASentence.Problem.self) { try NMEASentence(line.utf8) }
      if case .wrongChecksum = problem {
        guard case .wrongChecksum = found else {
          Issue.record("\(line): \(found as Any)"); continue
        }
      } else {
        #expect(found == problem, "\(line)")
      }
    }
  }
}

@Suite("Sentences of one moment make one report")
struct NMEAReaderTests {
  private let now = Date(timeIntervalSince1970: 1_795_339_610)  // 2026-11-22 09:26:50

  /// All reports of these sentences.
  private func reports(_ bodies: [String]) throws -> [PositionReport] {
    var reader = NMEAReader(source: "test")
    var reports: [PositionReport] = []
    for body in bodies {
      let line = body.hasPrefix("$") ? body : sentence(body)
      if let report = reader.take(try NMEASentence(line.utf8), now: now) { reports.append(report) }
    }
    if let last = reader.finish(now: now) { reports.append(last) }
    return reports
  }

  @Test("GGA, GSA and RMC of the standard example: HDOP 0.9 times 15 m without GST")
  func example() throws {
    let reports = try reports(Array(NMEASentenceTests.published[...2]))
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.time == Date(timeIntervalSince1970: 764_426_119))
    #expect(report.coordinate?.latitude == 48 + 7.038 / 60)
    #expect(report.coordinate?.longitude == 11 + 31.0 / 60)
    #expect(report.mode == .threeDimensional)
    #expect(report.status == .normal)
    #expect(report.horizontalError == 13.5)
  }

  @Test("GST's deviations count twice, and before HDOP")
  func deviations() throws {
    let reports = try reports([
      "GNGGA,092650.00,3719.38,N,12201.932,W,1,12,0.6,60,M,,M,,",
      "GNGST,092650.00,12,5,4,30,3.0,4.0,6.0",
    ])
    #expect(reports.map(\.horizontalError) == [10])
    #expect(
      reports[0].coordinate == Coordinate(latitude: 37 + 19.38 / 60, longitude: -(122 + 1.932 / 60))
    )
  }

  @Test("every order of a receiver's sentences gives the same reports, a second after another")
  func order() throws {
    func second(_ figure: Int) -> [String] {
      [
        "GPRMC,09265\(figure).00,A,3719.38\(figure),N,12201.932,W,0,0,221126,,,D",
        "GPGGA,09265\(figure).00,3719.38\(figure),N,12201.932,W,2,12,1.2,60,M,,M,,",
        "GPGST,09265\(figure).00,1,1,1,30,1.5,2.0,6.0",
      ]
    }
    for turn in 0..<3 {
      let bodies = (0..<3).flatMap { figure in
        let all = second(figure)
        return Array(all[turn...] + all[..<turn])
      }
      let reports = try reports(bodies)
      #expect(reports.map(\.time) == (0..<3).map { now.addingTimeInterval(Double($0)) })
      #expect(reports.map(\.horizontalError) == [5, 5, 5])
      #expect(reports.allSatisfy { $0.status == .differential })
      #expect(Set(reports.compactMap(\.coordinate?.latitude)).count == 3)
    }
  }

  @Test("a void RMC, quality 0, a GSA without a fix and GNS of N are no fix")
  func voids() throws {
    let position = "3719.38,N,12201.932,W"
    for bodies in [
      ["GPRMC,092650,V,\(position),0,0,221126,,,N"],
      ["GPGGA,092650,\(position),0,00,99.9,,M,,M,,"],
      ["GPGGA,,,,,,0,00,99.99,,,,,,"],
      ["GPGGA,092650,\(position),1,04,9.9,,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,,,"],
      ["GNGNS,092650,\(position),NN,0,,,,,"],
      ["GPGGA,092650,\(position),1,04,9.9,,M,,M,,", "GPRMC,092650,V,\(position),0,0,221126,,"],
    ] {
      #expect(try reports(bodies).map(\.mode) == [.noFix], "\(bodies)")
    }
  }

  @Test("a simulator is known by quality 8 and by the indicator S")
  func simulated() throws {
    let position = "3719.38,N,12201.932,W"
    for bodies in [
      ["GPGGA,092650,\(position),8,09,0.9,,M,,M,,"],
      ["GPGGA,092650,\(position),1,09,0.9,,M,,M,,", "GPRMC,092650,A,\(position),0,0,221126,,,S"],
      ["GNGNS,092650,\(position),AS,9,0.9,,,,"],
    ] { #expect(try reports(bodies).map(\.status) == [.simulated]) }
  }

  @Test("HDOP says nothing of a position that was carried on or typed in")
  func reckoned() throws {
    for quality in [6, 7] {
      let reports = try reports(["GPGGA,092650,3719.38,N,12201.932,W,\(quality),09,0.9,,M,,M,,"])
      #expect(reports.map(\.horizontalError) == [nil])
    }
    let corrected = try reports(["GPGGA,092650,3719.38,N,12201.932,W,2,09,2,,M,,M,,"])
    #expect(corrected.map(\.horizontalError) == [7.5])
  }

  @Test("a receiver that sends GGA alone gets the day that is nearest, over midnight, too")
  func day() throws {
    let reports = try reports(["GPGGA,235959,3719.38,N,12201.932,W,1,09,0.9,,M,,M,,"])
    // 09:26:50 is nearer to the midnight before than to the one after.
    #expect(reports.map(\.time) == [Date(timeIntervalSince1970: 1_795_305_599)])
  }

  @Test("fields of nonsense are unknown")
  func nonsense() throws {
    for position in [
      "9119.38,N,12201.9,W", "3799.38,N,12201.9,W", "3719.38,X,12201.9,W", "-719.38,N,12201.9,W",
      "3719.38,N,,", "nan,N,12201.9,W", "3719.38,N,18201.9,W",
    ] {
      let reports = try reports(["GPGGA,092650,\(position),1,09,0.9,,M,,M,,"])
      #expect(reports.map(\.coordinate) == [nil], "\(position)")
    }
    for time in ["246000", "9265", "-92650", "abcdef", String(repeating: "9", count: 30)] {
      let reports = try reports(["GPGGA,\(time),3719.38,N,12201.932,W,1,09,0.9,,M,,M,,"])
      #expect(reports.map(\.time) == [nil], "\(time)")
    }
    #expect(try reports(["GPGSA,A,3,,,,,,,,,,,,,2.5,1.3,2.1", "PUBX,00,1"]).isEmpty)
  }
}
