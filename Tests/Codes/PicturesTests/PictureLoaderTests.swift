import CliptagBasics
import Foundation
import Pictures
import Testing

@Suite("Opening files")
struct PictureLoaderTests {
  @Test("the content decides the format, not the name")
  func byContent() throws {
    #expect(PictureFormat.recognise(try sample("grey-8.png")) == .png)
    #expect(PictureFormat.recognise(try sample("cmyk.jpg")) == .jpeg)
    #expect(PictureFormat.recognise(try sample("two-pages.pdf")) == .pdf)
    #expect(PictureFormat.recognise(Array("P4 1 1 \0".utf8)) == .pnm)
    #expect(PictureFormat.recognise(Array("P9 1 1".utf8)) == nil)
    #expect(PictureFormat.recognise(Array("PNG".utf8)) == nil)
  }

  @Test(
    "formats that are not read are refused by name",
    arguments: [
      ("%!PS-Adobe-3.0 EPSF-3.0\n", "EPS"), ("P7\nWIDTH 1\n", "PAM"),
      ("8BPS\0\u{1}", "Photoshop"), ("\0\0\0\u{0C}JXL \r\n", "JPEG XL"),
    ])
  func unsupported(content: String, name: String) async {
    do {
      _ = try await load(Array(content.utf8))
      Issue.record("\(name) was loaded")
    } catch {
      let error = error as? PictureError
      #expect(error?.code == .unsupportedFormat)
      #expect(error?.message.contains(name) == true)
      #expect(error?.hint.contains("PNG") == true)
    }
  }

  @Test(
    "a file that only begins like a picture is malformed, and named",
    arguments: [
      ("GIF89a......", "GIF"), ("RIFF....WEBPVP8 ", "WebP"), ("....ftypheic....", "HEIC"),
      ("....ftypmif1....", "HEIC"), ("....ftypavif....", "AVIF"), ("II*\0........", "TIFF"),
      ("BM....\0\0\0\0....", ""), ("<?xml version='1.0'?>\n<svg xmlns=''>", ""),
    ])
  func onlyTheBeginning(content: String, name: String) async {
    do {
      _ = try await load(Array(content.utf8))
      Issue.record("\(name) was loaded")
    } catch {
      let error = error as? PictureError
      #expect(error?.code == .malformed)
      #expect(name.isEmpty || error?.message.contains(name) == true)
    }
  }

  @Test("what is no picture is not one", arguments: ["hello, world", "", "\0\0\0\0", "BM is text"])
  func notAPicture(content: String) async {
    #expect(await errorCode { _ = try await load(Array(content.utf8)) } == .notAPicture)
  }

  @Test("a directory, a missing file and a file as a directory each say so")
  func paths() async {
    let loader = PictureLoader.patient
    let folder = samplesFolder.path()
    #expect(await errorCode { _ = try await loader.open(path: folder) } == .isDirectory)
    let missing = folder + "missing.png"
    #expect(await errorCode { _ = try await loader.open(path: missing) } == .notFound)
    let inside = samplesFolder.appending(path: "grey-8.png").path() + "/x"
    #expect(await errorCode { _ = try await loader.open(path: inside) } == .notFound)
  }

  @Test("a file is opened by its path, and the path is its name")
  func opensPath() async throws {
    let path = samplesFolder.appending(path: "grey-8.png").path()
    let file = try await PictureLoader.patient.open(path: path)
    #expect(file.format == .png && file.pageCount == 1 && file.source == path)
    #expect(try await file.page(1).width == 13)
    #expect(await errorCode { _ = try await file.page(2) } == .noSuchPage)
    #expect(await errorCode { _ = try await file.page(0) } == .noSuchPage)
  }

  @Test("an endless device is read no further than the limit on bytes")
  func endless() async {
    let loader = PictureLoader(limits: PictureLimits(fileBytes: 1000))
    #expect(await errorCode { _ = try await loader.open(path: "/dev/zero") } == .tooLarge)
    #expect(
      await errorCode {
        _ = try await loader.open([UInt8](repeating: 0, count: 1001), named: "zeros")
      } == .tooLarge)
  }

  @Test("errors are equal by code")
  func equality() {
    let first = PictureError(.malformed, source: "a", message: "b", hint: "c")
    let second = PictureError(.malformed, source: "x", message: "y", hint: "z")
    #expect(first == second)
    #expect(first != PictureError(.notFound, source: "a", message: "b", hint: "c"))
    #expect(first.description == "b c")
  }
}
