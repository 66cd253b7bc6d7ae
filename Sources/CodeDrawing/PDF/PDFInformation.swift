extension PDFWriter.Information {
  /// The document information dictionary (ISO 32000-1, 14.3.3).
  var dictionary: String {
    var entries = "/Title \(pdfString(title)) /Creator (cliptag) /Producer (cliptag)"
    if let subject { entries += " /Subject \(pdfString(subject))" }
    if let creationTime {
      entries += " /CreationDate (\(pdfDate(secondsSince1970: creationTime)))"
    }
    return "<< \(entries) >>"
  }

  /// The same as XMP (ISO 16684-1), which newer programs read instead.
  var xmp: String {
    var properties =
      "<dc:format>application/pdf</dc:format>"
      + alternative("title", title)
      + "<dc:language><rdf:Bag><rdf:li>\(xmlEscaped(language))</rdf:li></rdf:Bag></dc:language>"
      + "<xmp:CreatorTool>cliptag</xmp:CreatorTool><pdf:Producer>cliptag</pdf:Producer>"
    if let subject { properties += alternative("description", subject) }
    if let creationTime {
      properties += "<xmp:CreateDate>\(isoDate(secondsSince1970: creationTime))</xmp:CreateDate>"
    }
    return """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      xmlns:pdf="http://ns.adobe.com/pdf/1.3/">\(properties)</rdf:Description></rdf:RDF></x:xmpmeta>
      <?xpacket end="r"?>
      """
  }

  private func alternative(_ name: String, _ text: String) -> String {
    "<dc:\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(xmlEscaped(text))</rdf:li></rdf:Alt>"
      + "</dc:\(name)>"
  }
}
