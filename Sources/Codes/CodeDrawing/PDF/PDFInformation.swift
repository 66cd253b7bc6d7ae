extension PDFWriter.Information {
  /// The creation time that the file states: one for a printing condition needs one.
  private var time: Int? { creationTime ?? condition.map { _ in 0 } }

  /// The document information dictionary (ISO 32000-1, 14.3.3).
  var dictionary: String {
    var entries = "/Title \(pdfString(title)) /Creator (cliptag) /Producer (cliptag)"
    if let subject { entries += " /Subject \(pdfString(subject))" }
    if let time {
      entries += " /CreationDate (\(pdfDate(secondsSince1970: time)))"
    }
    if condition != nil {
      entries +=
        " /ModDate (\(pdfDate(secondsSince1970: time ?? 0))) /Trapped /False "
        + "/GTS_PDFXVersion (PDF/X-4)"
    }
    return "<< \(entries) >>"
  }

  /// The same information as XMP (ISO 16684-1), which newer programs read instead.
  ///
  /// - Parameter identifier: 32 hexadecimal digits that no other document has.
  func xmp(identifier: String) -> String {
    var properties =
      "<dc:format>application/pdf</dc:format>"
      + alternative("title", title)
      + "<dc:language><rdf:Bag><rdf:li>\(xmlEscaped(language))</rdf:li></rdf:Bag></dc:language>"
      + "<xmp:CreatorTool>cliptag</xmp:CreatorTool><pdf:Producer>cliptag</pdf:Producer>"
    if let subject { properties += alternative("description", subject) }
    if let time {
      properties += "<xmp:CreateDate>\(isoDate(secondsSince1970: time))</xmp:CreateDate>"
    }
    var namespaces = ""
    if condition != nil {
      // ISO 15930-7, 6.4 and 6.7.
      let date = isoDate(secondsSince1970: time ?? 0)
      properties +=
        "<xmp:ModifyDate>\(date)</xmp:ModifyDate><xmp:MetadataDate>\(date)</xmp:MetadataDate>"
        + "<pdf:Trapped>False</pdf:Trapped><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>"
        + "<xmpMM:DocumentID>uuid:\(uuid(identifier))</xmpMM:DocumentID>"
        + "<xmpMM:VersionID>1</xmpMM:VersionID>"
        + "<xmpMM:RenditionClass>default</xmpMM:RenditionClass>"
      namespaces =
        " xmlns:pdfxid=\"http://www.npes.org/pdfx/ns/id/\" "
        + "xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\""
    }
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      xmlns:pdf="http://ns.adobe.com/pdf/1.3/"\(namespaces)>\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
      <?xpacket end="r"?>
      """
  }

  private func alternative(_ name: String, _ text: String) -> String {
    "<dc:\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(xmlEscaped(text))</rdf:li></rdf:Alt>"
      + "</dc:\(name)>"
  }
}

/// A date string in UTC (ISO 32000-1, 7.9.4).
func pdfDate(secondsSince1970 seconds: Int) -> String {
  let parts = dateParts(secondsSince1970: seconds).map(String.init)
  return "D:" + padded(parts[0], 4) + parts.dropFirst().map { padded($0, 2) }.joined() + "Z"
}

/// A date and time in UTC for XMP (ISO 8601).
private func isoDate(secondsSince1970 seconds: Int) -> String {
  let parts = dateParts(secondsSince1970: seconds).map(String.init)
  let (date, time) = (parts[1...2], parts[3...5])
  return padded(parts[0], 4) + date.map { "-" + padded($0, 2) }.joined() + "T"
    + time.map { padded($0, 2) }.joined(separator: ":") + "Z"
}

private func padded(_ text: String, _ digits: Int) -> String {
  String(repeating: "0", count: max(0, digits - text.count)) + text
}

/// The year, month, day, hour, minute and second in UTC.
private func dateParts(secondsSince1970 seconds: Int) -> [Int] {
  // Four digits represent the years 0 to 9999; other times are moved to the nearest end.
  let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
  let day = (clamped >= 0 ? clamped : clamped - 86_399) / 86_400
  let second = clamped - day * 86_400
  // Years begin on 1 March, so that the leap day is last; an era is 400 years.
  let shifted = day + 719_468
  let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
  let dayOfEra = shifted - era * 146_097
  let yearOfEra =
    (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return [year, month, dayOfMonth, second / 3_600, second / 60 % 60, second % 60]
}

/// Hexadecimal digits in the groups of a UUID.
private func uuid(_ digits: String) -> String {
  var rest = digits[...]
  return [8, 4, 4, 4, 12].map { count in
    defer { rest = rest.dropFirst(count) }
    return String(rest.prefix(count))
  }.joined(separator: "-")
}
