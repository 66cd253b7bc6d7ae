import AppClipCodeFixtures
import AppClipCodeFiles
import AppClipCodes
import CliptagBasics
import CliptagPlatform
import CodeScanning
import Foundation
import Pictures

/// Imports App Clip Codes, identifies them among many, and finds them in pictures.
///
/// `APP_CLIP_CODES` names a folder of files made by Apple's tools, whose bits are photographed
/// instead of random ones. `CLIPTAG_PICTURES` names folders of pictures without codes.
struct ClipCodes {
  let cliptag: String
  let folder: String

  func print() async throws {
    let made = try codes()
    try importing()
    try identity()
    try await photographs(of: made)
    try siblings(of: made)
    try moved(made)
    try await smallest(made)
    try small(made)
    try others()
    try cost()
    try renderings()
  }

  /// The codes that are photographed.
  private func codes() throws -> [DrawnAppClipCode] {
    guard let path = ProcessInfo.processInfo.environment["APP_CLIP_CODES"] else {
      return (0..<60).map { DrawnAppClipCode("https://fruta.example.com/order/c/\($0)") }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    return try names.filter { $0.hasSuffix(".svg") }.map { name in
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
      let code = try AppClipCode(svg: bytes)
      var drawn = DrawnAppClipCode(code.payload)
      drawn.pattern = code.pattern
      (drawn.background, drawn.foreground, drawn.third) = (
        code.colours.background, code.colours.foreground, code.colours.third
      )
      return drawn
    }
  }

  // MARK: The record

  private func importing() throws {
    let codes = folder + "/codes"
    try FileManager.default.createDirectory(atPath: codes, withIntermediateDirectories: true)
    for number in 0..<10_000 {
      let code = DrawnAppClipCode("https://fruta.example.com/order/cupertino/\(number)")
      try Data(code.bytes).write(to: URL(filePath: "\(codes)/\(number).svg"))
    }
    let registry = folder + "/many.sqlite"
    _ = try ProcessRun([
      cliptag, "registry", "import", "Samples/fruta/registry.yaml", "--registry", registry,
    ])
    let run = try ProcessRun([cliptag, "clipcode", "import", codes, "-q", "--registry", registry])
    Swift.print(
      "\nImport of 10,000 App Clip Codes: \(run.wall.rounded(1)) s,"
        + " \(run.processor.rounded(1)) s of processor, \(Int(run.peak)) MiB, status \(run.status)")
  }

  private func identity() throws {
    var generator = SeededGenerator(seed: 2026)
    let patterns = (0..<10_000).map { _ in DrawnAppClipCode.randomPattern(using: &generator) }
    let index = AppClipCodeIndex(patterns)
    var (right, wrong, open, taken) = (0, 0, 0, 0)
    let rounds = 100_000
    let start = ContinuousClock.now
    for round in 0..<rounds {
      // Every fourth reading is of a code that is not on record.
      let isForeign = round % 4 == 3
      let pattern =
        isForeign
        ? DrawnAppClipCode.randomPattern(using: &generator) : patterns[round % patterns.count]
      let clean = AppClipCodeReading(pattern)
      var (continues, third) = (clean.continues, clean.third)
      let order = (0..<128).shuffled(using: &generator)
      let errors = Int.random(in: 0...16, using: &generator)
      let covered = Int.random(in: 0...64, using: &generator)
      for place in order.prefix(errors) { continues[place] = -continues[place] }
      for place in order.dropFirst(errors).prefix(covered) {
        (continues[place], third[place]) = (0, 0)
      }
      guard let reading = AppClipCodeReading(continues: continues, third: third) else { continue }
      switch index.match(reading).answer {
      case .code(let found):
        if isForeign { taken += 1 } else if found == pattern { right += 1 } else { wrong += 1 }
      case .oneOf, .unknown, .unclear: open += 1
      }
    }
    let time = (ContinuousClock.now - start).inSeconds / Double(rounds) * 1000
    Swift.print(
      """

      Identity among 10,000 codes on record, of 100,000 readings with up to 16 wrong bits and half of
      the code covered, every fourth of a code that is not on record
        \(right) known, \(open) left open or said to be none, \(wrong) taken for another code,
        \(taken) of nobody's taken for one of ours; \(time.rounded(2)) ms each, with making it
      """)
  }

  // MARK: Photographs

  private struct Axis: Sendable {
    let name: String
    let severities: [Double]
    let apply: @Sendable (inout AppClipCodePhotograph, Double) -> Void
  }

  private static let axes = [
    Axis(name: "tilt in degrees", severities: [15, 30, 45, 55]) { $0.tilt = $1 },
    Axis(name: "blur in pixels", severities: [1, 2, 3, 4]) { $0.blur = $1 },
    Axis(name: "noise of 255", severities: [8, 16, 30, 45]) { $0.noise = $1 },
    Axis(name: "contrast", severities: [0.6, 0.4, 0.2, 0.12]) { $0.contrast = $1 },
    Axis(name: "shade", severities: [0.4, 0.6, 0.8, 0.9]) { $0.shade = $1 },
    Axis(name: "covered part of the diameter", severities: [0.2, 0.3, 0.4, 0.5]) { $0.cover = $1 },
    Axis(name: "diameter in pixels", severities: [150, 100, 70, 50]) { $0.diameter = $1 },
  ]

  private func answers(
    _ photograph: AppClipCodePhotograph, _ index: AppClipCodeIndex, _ scanner: CodeScanner
  ) throws -> [AppClipCodeIndex.Match.Answer] {
    let picture = photograph.picture(width: 480, height: 400)
    return try scanner.examine(picture).appClipCodes.map { index.match($0.reading).answer }
  }

  /// A photograph of a code on a wall, turned at random.
  private func photograph(
    of code: DrawnAppClipCode, using generator: inout SeededGenerator
  ) -> AppClipCodePhotograph {
    var photograph = AppClipCodePhotograph(code)
    photograph.diameter = 280
    photograph.rotation = Double.random(in: 0..<360, using: &generator)
    photograph.tiltAxis = Double.random(in: 0..<360, using: &generator)
    photograph.tilt = Double.random(in: 0...10, using: &generator)
    photograph.noise = 3
    photograph.ground = Double.random(in: 90...250, using: &generator)
    photograph.seed = generator.next()
    return photograph
  }

  private func photographs(of codes: [DrawnAppClipCode]) async throws {
    let index = AppClipCodeIndex(codes.map(\.pattern))
    let scanner = CodeScanner(budget: nil, symbologies: [.appClipCode])
    let rounds = 25
    var generator = SeededGenerator(seed: 77_001)
    var wrong = 0
    Swift.print("\nPhotographs, \(rounds) for each number, turned at random: share identified")
    func share(_ apply: (inout AppClipCodePhotograph) -> Void) throws -> Int {
      var right = 0
      for _ in 0..<rounds {
        let code = codes[Int.random(in: 0..<codes.count, using: &generator)]
        var photograph = photograph(of: code, using: &generator)
        apply(&photograph)
        for answer in try answers(photograph, index, scanner) {
          guard case .code(let pattern) = answer else { continue }
          if pattern == code.pattern { right += 1 } else { wrong += 1 }
        }
      }
      return right * 100 / rounds
    }
    for axis in Self.axes {
      let shares = try axis.severities.map { severity in
        "\(severity.rounded(2)): \(try share { axis.apply(&$0, severity) }) %"
      }
      Swift.print("  \(axis.name.padded(to: 30)) \(shares.joined(separator: "   "))")
    }
    var templates: [Int] = []
    for template in 0..<18 {
      templates.append(
        try share {
          ($0.code.background, $0.code.foreground, $0.code.third) = DrawnAppClipCode.colours(
            template)
        })
    }
    Swift.print(
      "  templates 0 to 17              \(templates.map { "\($0)" }.joined(separator: " ")) %")
    let qualities = try [80, 50, 30, 15].map { quality in
      "\(quality): \(try compressed(codes, index, quality, &generator)) %"
    }
    Swift.print("  JPEG of quality                \(qualities.joined(separator: "   "))")
    Swift.print("  wrong answers: \(wrong)")
  }

  // MARK: Siblings

  /// Photographs codes under a card, with the code itself on record, and with a sibling of it alone:
  /// the nearest that Apple's coding permits and farther ones.
  private func siblings(of codes: [DrawnAppClipCode]) throws {
    var generator = SeededGenerator(seed: 38_006)
    let index = AppClipCodeIndex(codes.map(\.pattern))
    Swift.print("\nA card from 36 sides over a part of the code")
    for percent in stride(from: 5, through: 50, by: 5) {
      var own = Tally()
      var sibling = Tally()
      for side in 0..<36 {
        let code = codes[Int.random(in: 0..<codes.count, using: &generator)]
        var photograph = photograph(of: code, using: &generator)
        photograph.diameter = [280, 200, 140][side % 3]
        photograph.card = Double(percent) / 100
        photograph.cardAngle = Double(side) * 10
        photograph.cardBrightness = [150, 235, 40, 128, 90][side % 5]
        let found = try readings(in: photograph)
        own.add(found.map { index.match($0).answer }, of: code.pattern)
        for distance in [11, 11, 11, 12, 12, 13, 14, 16] {
          for _ in 0..<5 {
            let places = (0..<128).shuffled(using: &generator).prefix(distance)
            guard let other = code.sibling(differingIn: places) else { continue }
            let index = AppClipCodeIndex([other.pattern])
            sibling.add(found.map { index.match($0).answer }, of: code.pattern)
          }
        }
      }
      Swift.print("  \(percent) %: on record: \(own); a sibling of it on record: \(sibling)")
    }
  }

  /// Photographs codes on record while the camera moves.
  private func moved(_ codes: [DrawnAppClipCode]) throws {
    var generator = SeededGenerator(seed: 38_007)
    let index = AppClipCodeIndex(codes.map(\.pattern))
    Swift.print("\nThe camera moves while it takes a code on record")
    for pixels in stride(from: 2.0, through: 20, by: 2) {
      var tally = Tally()
      for place in 0..<27 {
        let code = codes[Int.random(in: 0..<codes.count, using: &generator)]
        var photograph = photograph(of: code, using: &generator)
        photograph.diameter = [280, 200, 160][place % 3]
        photograph.motion = pixels
        photograph.motionAngle = Double.random(in: 0..<180, using: &generator)
        tally.add(try readings(in: photograph).map { index.match($0).answer }, of: code.pattern)
      }
      Swift.print("  \(pixels.rounded(0)) pixels: \(tally)")
    }
  }

  /// The answers to photographs.
  private struct Tally: CustomStringConvertible {
    private var (right, open, foreign, wrong, unseen) = (0, 0, 0, 0, 0)

    mutating func add(
      _ answers: [AppClipCodeIndex.Match.Answer], of pattern: AppClipCodePattern
    ) {
      if answers.isEmpty { unseen += 1 }
      for answer in answers {
        switch answer {
        case .code(let found): if found == pattern { right += 1 } else { wrong += 1 }
        case .oneOf, .unclear: open += 1
        case .unknown: foreign += 1
        }
      }
    }

    var description: String {
      "\(right) right, \(open) left open, \(foreign) called foreign, \(wrong) wrong, \(unseen) unseen"
    }
  }

  private func readings(in photograph: AppClipCodePhotograph) throws -> [AppClipCodeReading] {
    let scanner = CodeScanner(budget: nil, symbologies: [.appClipCode])
    return try scanner.examine(photograph.picture(width: 480, height: 400)).appClipCodes
      .map(\.reading)
  }

  /// The share identified after another program has compressed the picture.
  private func compressed(
    _ codes: [DrawnAppClipCode], _ index: AppClipCodeIndex, _ quality: Int,
    _ generator: inout SeededGenerator
  ) throws -> Int {
    let registry = "\(folder)/photographed.sqlite"
    if !FileManager.default.fileExists(atPath: registry) {
      let path = "\(folder)/photographed"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (number, code) in codes.enumerated() {
        try Data(code.bytes).write(to: URL(filePath: "\(path)/\(number).svg"))
      }
      _ = try ProcessRun([
        cliptag, "clipcode", "import", path, "-q", "--unregistered", "--registry", registry,
      ])
    }
    var right = 0
    let rounds = 25
    for _ in 0..<rounds {
      let code = codes[Int.random(in: 0..<codes.count, using: &generator)]
      var photograph = AppClipCodePhotograph(code)
      photograph.diameter = 200
      photograph.rotation = Double.random(in: 0..<360, using: &generator)
      let picture = photograph.picture(width: 320, height: 280)
      let (png, jpeg) = ("\(folder)/photograph.png", "\(folder)/photograph.jpg")
      try Data(PNGWriter.colour(ColourPicture(picture))).write(to: URL(filePath: png))
      guard try ProcessRun(["vips", "jpegsave", png, jpeg, "--Q", "\(quality)"]).status == 0 else {
        throw BenchmarkError("vips did not write \(jpeg)")
      }
      if try payloads(in: jpeg, registry: registry).contains(code.payload) { right += 1 }
    }
    return right * 100 / rounds
  }

  private func smallest(_ codes: [DrawnAppClipCode]) async throws {
    let index = AppClipCodeIndex(codes.map(\.pattern))
    let scanner = CodeScanner(budget: nil, symbologies: [.appClipCode])
    var least = 0
    for diameter in stride(from: 90, through: 36, by: -3) {
      var right = 0
      for number in 0..<20 {
        var photograph = AppClipCodePhotograph(codes[number % codes.count])
        photograph.diameter = Double(diameter)
        photograph.rotation = Double(number) * 17
        photograph.noise = 2
        if try answers(photograph, index, scanner) == [.code(photograph.code.pattern)] {
          right += 1
        }
      }
      guard right >= 18 else { break }
      least = diameter
    }
    // A camera of 12 megapixels and 65 degrees has about 55 pixels per degree.
    let distance = 4032 / (2 * tan(32.5 * .pi / 180)) / Double(least)
    Swift.print(
      "\nSmallest diameter of which 18 of 20 are identified: \(least) pixels; with a camera of 4,032"
        + " pixels across 65 degrees that is \(distance.rounded(0)) diameters away")
  }

  /// Photographs small codes in a picture as large as the first look at one of 12 megapixels.
  private func small(_ codes: [DrawnAppClipCode]) throws {
    let index = AppClipCodeIndex(codes.map(\.pattern))
    let scanner = CodeScanner(budget: nil, symbologies: [.appClipCode])
    var generator = SeededGenerator(seed: 38_010)
    let (width, height) = (2016, 1512)
    let shares = try [80.0, 60, 50, 45].map { diameter in
      var right = 0
      for _ in 0..<6 {
        var values = [Float](repeating: 0, count: width * height)
        for place in values.indices {
          let tile = (place % width / 190 + place / width / 140) % 2 == 0 ? 190.0 : 150
          values[place] = Float(tile + Double.random(in: -6...6, using: &generator))
        }
        var shown: Set<AppClipCodePattern> = []
        for place in 0..<4 {
          var photograph = photograph(of: codes[place * 7 % codes.count], using: &generator)
          photograph.diameter = diameter
          photograph.draw(
            into: &values, width: width, height: height,
            centre: (
              Double.random(in: 100...350, using: &generator) + Double(place) * 450,
              Double.random(in: 100...1400, using: &generator)
            ))
          shown.insert(photograph.code.pattern)
        }
        let picture = GreyPicture(
          width: width, height: height, pixels: values.map { UInt8(max(0, min(255, $0))) })
        for code in try scanner.examine(picture).appClipCodes {
          if case .code(let pattern) = index.match(code.reading).answer, shown.contains(pattern) {
            right += 1
          }
        }
      }
      return "\(Int(diameter)): \(right) of 24"
    }
    Swift.print("\nCodes of some pixels in 2,016 × 1,512: \(shares.joined(separator: "   "))")
  }

  private func others() throws {
    let variable = ProcessInfo.processInfo.environment["CLIPTAG_PICTURES"] ?? ""
    guard !variable.isEmpty else {
      Swift.print("\nPictures without App Clip Codes: not measured, CLIPTAG_PICTURES names none")
      return
    }
    var pictures = 0
    var found = 0
    for path in variable.split(separator: ":").map(String.init) {
      let output = folder + "/others.txt"
      let child = try ProcessRun.spawn(
        [cliptag, "scan", path, "--json", "--symbologies", "app-clip-code", "--no-location"],
        input: "/dev/null", output: output)
      var status: Int32 = 0
      waitpid(child, &status, 0)
      let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
      pictures += try FileManager.default.subpathsOfDirectory(atPath: path).count { name in
        [".png", ".jpg", ".jpeg"].contains { name.lowercased().hasSuffix($0) }
      }
      found += lines.count { $0.contains("\"type\":\"verification\"") }
    }
    Swift.print("\nPictures without App Clip Codes: \(pictures), found in them: \(found)")
  }

  private func cost() throws {
    // A wall with plaster, edges and light, without a code.
    var generator = SeededGenerator(seed: 12)
    let (width, height) = (4000, 3000)
    var pixels = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let tile = (x / 190 + y / 140) % 2 == 0 ? 170 : 130
        let edge = x % 190 < 6 || y % 140 < 6 ? 60 : 0
        let noise = Int(generator.next() & 15)
        pixels[y * width + x] = UInt8(max(0, min(255, tile - edge + noise - x / 60)))
      }
    }
    let picture = GreyPicture(width: width, height: height, pixels: pixels)
    let (png, jpeg) = ("\(folder)/wall.png", "\(folder)/wall.jpg")
    try Data(PNGWriter.colour(ColourPicture(picture))).write(to: URL(filePath: png))
    guard try ProcessRun(["vips", "jpegsave", png, jpeg, "--Q", "88"]).status == 0 else {
      throw BenchmarkError("vips did not write \(jpeg)")
    }
    try Comparison(
      title: "A picture of 12 megapixels without a code",
      commands: [
        ("scan --symbologies qr", [cliptag, "scan", "--symbologies", "qr", jpeg], "/dev/null"),
        (
          "scan --symbologies qr,app-clip-code",
          [cliptag, "scan", "--symbologies", "qr,app-clip-code", jpeg], "/dev/null"
        ),
      ], rounds: 9, statuses: [0, 1, 2]
    ).print()
  }

  // MARK: Print

  /// Reads posters and sheets of labels that two programs render from PDF.
  private func renderings() throws {
    let registry = "\(folder)/prints.sqlite"
    _ = try ProcessRun([
      cliptag, "registry", "import", "Samples/fruta/registry.yaml", "--registry", registry,
    ])
    let path = "\(folder)/prints"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    var codes: [DrawnAppClipCode] = []
    for number in 0..<18 {
      let kind: AppClipCode.Kind = number % 3 == 2 ? .nfc : .camera
      let code = DrawnAppClipCode(
        "https://fruta.example.com/order/cupertino/\(number)", badge: kind, template: number)
      codes.append(code)
      try Data(code.bytes).write(to: URL(filePath: "\(path)/\(number).svg"))
    }
    _ = try ProcessRun([cliptag, "clipcode", "import", path, "-q", "--registry", registry])
    var (wanted, right) = (0, 0)
    func read(_ pdf: String, _ payloads: Set<String>) throws {
      for renderer in [
        ["pdftoppm", "-r", "120", "-png", "-singlefile", pdf, "\(folder)/page"],
        [
          "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4", "-r120",
          "-sDEVICE=png16m", "-sOutputFile=\(folder)/page.png", pdf,
        ],
      ] {
        guard try ProcessRun(renderer).status == 0 else {
          throw BenchmarkError("\(renderer[0]) did not draw \(pdf)")
        }
        wanted += payloads.count
        right += try self.payloads(in: "\(folder)/page.png", registry: registry)
          .intersection(payloads).count
      }
    }
    let designs: [[String]] =
      ["classic", "bold", "editorial"].flatMap { design in
        [["--app-clip-code-only"], []].map { ["--design", design, "--paper", "A6"] + $0 }
      } + [
        ["--paper", "A5"], ["--paper", "A5", "--app-clip-code-only"],
        ["--paper", "A6", "--nfc-target"],
        ["--paper", "A5", "--landscape"],
        ["--paper", "A4"], ["--paper", "A4", "--app-clip-code-only"],
      ]
    for code in codes {
      // A code around a tag is at least 34.8 mm wide, which is more than A6 has beside a QR code.
      for design in designs.map({ $0.map { code.badge == .nfc && $0 == "A6" ? "A5" : $0 } }) {
        let pdf = "\(folder)/poster.pdf"
        guard
          try ProcessRun(
            [
              cliptag, "poster", code.payload, "-o", pdf, "--app-clip-code", "auto", "--registry",
              registry,
            ]
              + design
          ).status == 0
        else { throw BenchmarkError("no poster \(design) for \(code.payload)") }
        try read(pdf, [code.payload])
      }
    }
    let posters = (wanted, right)
    // Codes for a camera fit the labels; those around a tag need more.
    let small = codes.filter { $0.badge == .camera }
    let csv = "\(folder)/labels.csv"
    try Data(("url\n" + small.map(\.payload).joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: csv))
    for option in [["--app-clip-code-only"], []] {
      for (template, count) in [("L7163", 12), ("L7165", 8), ("L7169", 4)] {
        for start in 1...4 {
          let pdf = "\(folder)/labels.pdf"
          guard
            try ProcessRun(
              [
                cliptag, "sheet", csv, "-o", pdf, "--template", template, "--start", "\(start)",
                "--app-clip-code", "auto", "--registry", registry,
              ] + option
            ).status == 0
          else { throw BenchmarkError("no sheet \(template) \(option)") }
          try read(pdf, Set(small.prefix(count - start + 1).map(\.payload)))
        }
      }
    }
    Swift.print(
      "\nRenderings by poppler and Ghostscript at 120 dots an inch: \(posters.1) of \(posters.0) posters"
        + " and \(right - posters.1) of \(wanted - posters.0) labels identified")
  }

  /// The payloads of the App Clip Codes in a picture.
  private func payloads(in picture: String, registry: String) throws -> Set<String> {
    let output = folder + "/payloads.txt"
    let child = try ProcessRun.spawn(
      [
        cliptag, "scan", picture, "--json", "--no-location", "--symbologies", "app-clip-code",
        "--registry", registry,
      ], input: "/dev/null", output: output)
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    return Set(
      lines.compactMap { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["payload"] as? String
      })
  }
}

extension Double {
  fileprivate func rounded(_ places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
