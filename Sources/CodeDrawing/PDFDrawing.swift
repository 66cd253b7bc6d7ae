extension CodeDrawing {
  /// A PDF 1.6 file of one page, as large as the code.
  ///
  /// Black and greys are DeviceGray, so that they print with black ink alone, other colours
  /// DeviceRGB; all modules are one path of whole
  /// numbers under one matrix, so that no edge is rounded. The page is tagged as one figure whose
  /// alternative text is the code's text, and viewers are asked to print it unscaled.
  func pdf() -> [UInt8] {
    let points = decimal(size.points)
    let box = "[0 0 \(points) \(points)]"
    var file = PDFFile()
    file.add(
      "<< /Type /Catalog /Pages 2 0 R /Lang (en) /MarkInfo << /Marked true >> "
        + "/StructTreeRoot 5 0 R "
        + "/ViewerPreferences << /DisplayDocTitle true /PrintScaling /None >> >>")
    file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    file.add(
      "<< /Type /Page /Parent 2 0 R /MediaBox \(box) /TrimBox \(box) /Resources << >> "
        + "/Contents 4 0 R /StructParents 0 /Tabs /S >>")
    file.add(stream: pageContent())
    file.add("<< /Type /StructTreeRoot /K 6 0 R /ParentTree 8 0 R /ParentTreeNextKey 1 >>")
    file.add("<< /Type /StructElem /S /Document /P 5 0 R /K 7 0 R >>")
    file.add(
      "<< /Type /StructElem /S /Figure /P 6 0 R /Pg 3 0 R /K 0 /Alt \(pdfString(sentence)) "
        + "/A << /O /Layout /Placement /Block /BBox \(box) >> >>")
    file.add("<< /Nums [0 [7 0 R]] >>")
    var information = "/Title \(pdfString(text)) /Creator (cliptag) /Producer (cliptag)"
    if let creationTime {
      information += " /CreationDate (\(pdfDate(secondsSince1970: creationTime)))"
    }
    file.add("<< \(information) >>")
    return file.finished(root: 1, information: 9)
  }

  /// The operators of the page: light ground, then one dark path.
  private func pageContent() -> [UInt8] {
    let side = size.modulesAcross
    let points = decimal(size.points)
    let scale = decimal(size.points / Double(side), places: 9)
    var content = ByteText()
    content.append("/Figure << /MCID 0 >> BDC\nq\n")
    // Rows count downwards from the top edge.
    content.append("\(scale) 0 0 -\(scale) 0 \(points) cm\n")
    let (light, dark) = (colours.background.pdf, colours.foreground.pdf)
    content.append("\(light)\n0 0 \(side) \(side) re\nf\n\(dark)\n")
    for loop in outline.loops {
      if loop.sides.count == 4 {
        // A rectangle runs right first, as an outline does; a hole's height is negative.
        content.append(loop.x, loop.y)
        content.append(loop.sides[0], loop.sides[1])
        content.append("re\n")
        continue
      }
      var (x, y) = (loop.x, loop.y)
      content.append(x, y)
      content.append("m\n")
      for (index, length) in loop.sides.dropLast().enumerated() {
        if index.isMultiple(of: 2) { x += length } else { y += length }
        content.append(x, y)
        content.append("l\n")
      }
      content.append("h\n")
    }
    content.append("f\nQ\nEMC\n")
    return content.bytes
  }
}

extension Colour {
  /// The channels from 0 to 1, a grey as one number.
  var fractions: String {
    (isGrey ? [red] : channels).map { decimal(Double($0) / 255, places: 4) }
      .joined(separator: " ")
  }

  /// The operator that sets the colour for filling.
  fileprivate var pdf: String { fractions + (isGrey ? " g" : " rg") }
}
