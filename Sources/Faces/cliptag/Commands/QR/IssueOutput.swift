import AppClipCodes
import CliptagBasics
import CodeDrawing
import CodeScanning
import Invocation
import Issuing
import Jobs
import QRSymbol
import Registry

extension Console {
  /// Returns the destination of a file: `-` is standard output.
  func destination(_ output: String) -> FileDestination {
    output == "-" ? .stream(named: output) { self.write($0) } : .file(output)
  }

  /// The outputs of a print job, each in the format of its name's ending.
  func outputs(_ names: [String], standardOutput format: DrawingFormat) throws -> [PrintOutput] {
    try names.map { name in
      PrintOutput(
        destination(name), as: name == "-" ? format : try DrawingFormat(fileName: name))
    }
  }

  /// Shows a step of a print job.
  func show(_ event: PrintEvent, isRehearsal: Bool) {
    switch event {
    case .approved(let approval): warn(of: approval)
    case .note(let note): show(note)
    case .designed(let design):
      for warning in design.content.drawing?.warnings ?? [] { warn(warning.text) }
    case .printed(let file):
      let issued = file.issued
      for finding in (issued.proof?.findings ?? []) + (issued.appClipCodeProof?.findings ?? []) {
        warn(finding.text)
      }
      // Standard output holds the file itself.
      guard file.output != "-" else { return }
      result(
        of: file.result,
        text: file.text(isRehearsal: isRehearsal) + (issued.proof?.lines ?? "")
          + (issued.appClipCodeProof?.lines ?? ""))
    case .handedOver(let handover): show(handover)
    case .failed(let output, let error): report(Failure(describing: error, source: output))
    }
  }

  /// Shows a choice of a print job.
  ///
  /// - Parameter place: The row that it is about, with a colon and a space.
  func show(_ note: PrintNote, _ place: String = "") {
    switch note {
    case .capitals(let message): say("\(error.bold("compact:")) \(message)")
    case .cardWithoutLanguage(let language):
      say(
        "note: \(place)the card has no words in the language \(language); its default ones are printed. "
          + "Give \(name(.headline)) and \(name(.brand)).")
    case .fewPixels(let source, let dotsPerInch, let least):
      say(
        "note: \(place)\(source.printable) has \(dotsPerInch) pixels to the printed inch, which looks blurred. "
          + "Give one with \(least) or more, better 300, or print it smaller.")
    case .leftOut(let kinds, let source):
      say(
        "note: \(place)\(source.printable) has \(kinds.joined(separator: ", ")), which the poster has not: "
          + "only what the artwork shows in print is taken over.")
    }
  }

  /// Prints a warning about work that is done all the same.
  func warn(_ text: String) { say("\(error.yellow("warning:")) \(text)") }

  /// Prints a result of the contract: its JSON line, or the text for people.
  func result<Value: Encodable>(
    of value: @autoclosure () throws -> Value, text: @autoclosure () -> ConsoleText
  ) {
    guard json else { return result(.null, text: text()) }
    do {
      print(of: try value())
    } catch {
      report(Failure(describing: error))
    }
  }

  /// Prints a result of the contract whose text has one line.
  @_disfavoredOverload
  func result<Value: Encodable, Words: StringProtocol>(
    of value: @autoclosure () throws -> Value, text: @autoclosure () -> Words
  ) {
    result(of: try value(), text: ConsoleText(text()))
  }

  /// Prints the JSON line of a result of the contract.
  func print(of value: some Encodable) {
    do {
      if isRecorded {
        print(try JSONValue(encoding: value))
      } else {
        write(try JSONLine(value).bytes)
      }
    } catch {
      report(Failure(describing: error))
    }
  }
}

extension PrintedFile {
  /// The lines that people read.
  fileprivate func text(isRehearsal: Bool) -> ConsoleText {
    let content = issued.printed.content
    var text: ConsoleText = """
      \(isRehearsal ? "would write" : "wrote") \(output)
        code      \(issued.id?.description ?? "none")
      """
    if let item = issued.item { text += "\n  item      \(item)" }
    let pixels = content.poster == nil ? "its pixels" : "the page's pixels"
    if let drawing = content.drawing {
      let (symbol, size) = (drawing.symbol, drawing.size)
      text += """

          symbol    version \(symbol.version), level \(symbol.errorCorrection.rawValue), read back \
        from \(pixels)
          size      \(size.width.inThousandths) mm wide with its quiet zone, modules of \
        \(size.moduleSize.inThousandths) mm (\(size.dotsPerModule) dots)
          distance  phones read it from up to \(Int(bounded: size.readingDistance)) mm\(drawing.logoLine)
        """
    }
    if let appClipCode = content.appClipCode { text += appClipCode.lines }
    if let poster = content.poster { text += poster.lines }
    return text
  }
}

extension Poster {
  /// Lines of the report.
  fileprivate var lines: ConsoleText {
    var text: ConsoleText = """

        page      \(page.width.inThousandths) × \(page.height.inThousandths) mm
        fonts     \(fonts.map(\.name).joined(separator: ", "))
      """
    if let target = targetBox {
      let isInCode = appClipCode?.code.kind == .nfc
      text += """

          target    put the tag behind \(isInCode ? "the App Clip Code" : "the ring"): its middle is \
        \(Int(bounded: target.centre.x.rounded())) mm from the left and \(Int(bounded: target.centre.y.rounded())) mm \
        from the top
        """
    }
    return text
  }
}

extension AppClipCodeDrawing {
  /// Lines of the report.
  fileprivate var lines: ConsoleText {
    """

      app clip  \(code.kind == .nfc ? "around a tag" : "to scan"), \(diameter.inThousandths) mm \
    across, \(width.inThousandths) mm with its clear space; all 128 positions read back
                phones read it from up to \(Int(bounded: readingDistance)) mm
    """
  }
}

extension DesignProof {
  /// Lines of the report.
  fileprivate var lines: ConsoleText {
    let rows = margins.map { margin -> ConsoleText in
      func amount(_ value: Double?) -> String {
        value.map { self.amount($0, margin.trouble) } ?? "nothing"
      }
      let reads: ConsoleText =
        symbol == .qrCode
        ? "up to \(amount(margin.plain)) by zbar, \(amount(margin.scanner)) by cliptag"
        : "up to \(amount(margin.scanner))"
      return """
        \n            \(margin.trouble.words): \(reads); needed \(amount(margin.needed))\
        \(margin.isEnough ? "" : " (too little)")
        """
    }
    let title: ConsoleText =
      symbol == .qrCode ? "proof     read" : "app clip  read without bit errors"
    return "\n  \(title) from the file's pixels under\(rows.joined())\(gradeLine)"
  }

  private var gradeLine: ConsoleText {
    guard let grade else { return "" }
    let lowest = grade.parameters.filter { $0.grade == grade.overall && grade.overall < 4 }
    let reason =
      lowest.isEmpty ? "" : " for its " + lowest.map(\.words).joined(separator: ", ")
    return
      "\n  grade     \(grade.letter) (\(grade.decimal))\(reason), for a print with 10 % dot "
      + "gain and blur of half a module"
      + "\n            estimated grade (\(PrintGrade.caveat))"
  }
}
