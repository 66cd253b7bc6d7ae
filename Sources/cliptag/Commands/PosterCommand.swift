import ArgumentParser
import CodeDrawing
import Deployment
import Invocation
import QRSymbol
import Registry

/// `cliptag poster URL -o FILE`
struct PosterCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "poster",
    abstract: "Make a poster or sign around a code, as PDF, SVG, PNG or EPS.",
    discussion: """
      What it says comes from the experience's card and the place unless you say otherwise. The \
      URL is checked first, and the code is read back from the pixels of the finished page before \
      the file is written. Words of any script are set in the fonts of this system; a letter that \
      no font has is an error.

      Examples:
        cliptag poster https://fruta.example.com/order/cupertino -o sign.pdf
        cliptag poster https://fruta.example.com/order/cupertino -o sign.pdf \\
          --design bold --accent 0b6e4f --paper A5 --bleed 3 --crop-marks
        cliptag poster https://fruta.example.com/order/cupertino -o sign.svg \\
          --logo Samples/fruta/logo.svg
        cliptag poster https://fruta.example.com/order/cupertino -o theke.pdf \\
          --language de --headline "Smoothie bestellen" --nfc-target
        cliptag poster https://fruta.example.com/order/cupertino -o wall.pdf \\
          --design editorial --paper A3 --landscape --distance 1500
      """)

  @Argument(help: "The invocation URL.")
  var url: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file, its format by its ending (.pdf .svg .png .eps); may be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["pdf", "svg", "png", "eps"]))
  var output: [String]

  @OptionGroup(title: "Words") var words: PosterWordOptions
  @OptionGroup(title: "Design") var look: PosterLookOptions

  @Flag(
    help: """
      Decode the page under blur, spreading ink, dirt, fading and distance too, and say how much of \
      each its code stands; takes some seconds.
      """)
  var prove = false
  @Flag(help: "Issue it although the check does not accept it.")
  var unregistered = false
  @Flag(name: [.long, .customShort("n")], help: "Make and prove the poster, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json, output.contains("-") {
      throw ValidationError("--json and -o - both want standard output: name a file.")
    }
  }

  func execute(_ console: Console) async throws {
    let outputs = try output.map { name in
      (name: name, format: name == "-" ? .pdf : try DrawingFormat(fileName: name))
    }
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    guard let approval = try console.approve(url, check, unregistered: unregistered) else { return }
    let ledger = CodeLedger(registry: registry, who: Operator.name)
    let name = try ledger.printedName(of: approval)
    let content = try await words.content(for: approval.verification, codeName: name)
    let poster = try Poster(
      QRSymbol(approval.verification.payload, minimumErrorCorrection: look.errorCorrection),
      look.request(content), shaper: TextShaper())
    for warning in poster.code.warnings {
      console.say("\(console.error.yellow("warning:")) \(warning.text)")
    }
    let information = PrintedPoster.Information(
      title: content.headline, language: content.language ?? "en", creationTime: SourceDate.seconds,
      outlinesText: look.outlineText)
    for (file, format) in outputs {
      try Task.checkCancellation()
      do {
        let printed = try await PrintedPoster(
          poster, as: format, information: information, named: file)
        let proof = prove ? try await printed.proof(named: file) : nil
        for finding in proof?.findings ?? [] {
          console.say("\(console.error.yellow("warning:")) \(finding.text)")
        }
        let code = dryRun ? nil : name
        if !dryRun { try await write(printed, to: file, approval, name, ledger, console) }
        if file != "-" {
          console.result(
            json(poster, proof, output: file, code: code),
            text: text(poster, output: file, code: code) + (proof?.lines ?? ""))
        }
      } catch {
        console.report(Failure(describing: error, source: file))
      }
    }
  }

  /// The file is complete beside its destination before the code is recorded, and only renamed
  /// after: a full disk or a busy registry leaves neither a file nor a record.
  private func write(
    _ printed: PrintedPoster, to output: String, _ approval: Approval, _ name: CodeID,
    _ ledger: CodeLedger, _ console: Console
  ) async throws {
    let symbol = IssuedCode.Symbol(printed.poster.code)
    let file = output == "-" ? nil : try AtomicFile(path: output, bytes: printed.bytes)
    _ = try await ledger.recordPrinted(approval, output: output, symbol: symbol, name: name)
    if let file { try file.commit() } else { console.write(printed.bytes) }
  }

  private func json(
    _ poster: Poster, _ proof: DesignProof?, output: String, code: CodeID?
  ) -> JSONValue {
    func json(_ box: DrawingBox) -> JSONValue {
      .object([
        ("x", .number(box.x)), ("y", .number(box.y)), ("width", .number(box.width)),
        ("height", .number(box.height)),
      ])
    }
    return poster.code.issueJSON(
      output: output, code: code, dryRun: dryRun, proof: proof,
      [
        (
          "poster",
          .object([
            ("design", .string(look.design.rawValue)), ("width", .number(poster.page.width)),
            ("height", .number(poster.page.height)), ("bleed", .number(poster.page.bleed)),
            ("codeBox", json(poster.codeBox)),
            ("targetBox", poster.targetBox.map(json) ?? .null),
            ("fonts", .array(poster.fonts.map { .string($0.name) })),
          ])
        )
      ])
  }

  private func text(_ poster: Poster, output: String, code: CodeID?) -> String {
    let symbol = poster.code.symbol
    let size = poster.code.size
    var text = """
      \(dryRun ? "would write" : "wrote") \(output)
        code      \(code?.description ?? "none")
        symbol    version \(symbol.version), level \(symbol.errorCorrection.rawValue), read back \
      from the page's own pixels
        size      \(size.width.inThousandths) mm wide with its quiet zone, modules of \
      \(size.moduleSize.inThousandths) mm (\(size.dotsPerModule) dots)
        distance  phones read it from up to \(Int(size.readingDistance)) mm
        page      \(poster.page.width.inThousandths) × \(poster.page.height.inThousandths) mm
        fonts     \(poster.fonts.map(\.name).joined(separator: ", "))
      """
    if let target = poster.targetBox {
      text += """

          target    put the tag behind the ring: its middle is \(Int(target.centre.x.rounded())) mm \
        from the left and \(Int(target.centre.y.rounded())) mm from the top
        """
    }
    return text
  }
}
