#include "CStationPage.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "page/app.js"
};
static const unsigned char batch_html[] = {
#embed "page/batch.html"
};
static const unsigned char batch_js[] = {
#embed "page/batch.js"
};
static const unsigned char batches_js[] = {
#embed "page/batches.js"
};
static const unsigned char check_html[] = {
#embed "page/check.html"
};
static const unsigned char check_js[] = {
#embed "page/check.js"
};
static const unsigned char dom_js[] = {
#embed "page/dom.js"
};
static const unsigned char error_html[] = {
#embed "page/error.html"
};
static const unsigned char findings_html[] = {
#embed "page/findings.html"
};
static const unsigned char findings_js[] = {
#embed "page/findings.js"
};
static const unsigned char footer_part[] = {
#embed "page/footer.part"
};
static const unsigned char head_part[] = {
#embed "page/head.part"
};
static const unsigned char header_part[] = {
#embed "page/header.part"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char now_html[] = {
#embed "page/now.html"
};
static const unsigned char now_js[] = {
#embed "page/now.js"
};
static const unsigned char open_html[] = {
#embed "page/open.html"
};
static const unsigned char open_js[] = {
#embed "page/open.js"
};
static const unsigned char openapi_json[] = {
#embed "page/openapi.json"
};
static const unsigned char parcel_html[] = {
#embed "page/parcel.html"
};
static const unsigned char parcel_js[] = {
#embed "page/parcel.js"
};
static const unsigned char phone_html[] = {
#embed "page/phone.html"
};
static const unsigned char phone_js[] = {
#embed "page/phone.js"
};
static const unsigned char poster_js[] = {
#embed "page/poster.js"
};
static const unsigned char print_html[] = {
#embed "page/print.html"
};
static const unsigned char print_js[] = {
#embed "page/print.js"
};
static const unsigned char reader_html[] = {
#embed "page/reader.html"
};
static const unsigned char reader_js[] = {
#embed "page/reader.js"
};
static const unsigned char session_js[] = {
#embed "page/session.js"
};
static const unsigned char shapes_js[] = {
#embed "page/shapes.js"
};
static const unsigned char sheet_js[] = {
#embed "page/sheet.js"
};
static const unsigned char sound_js[] = {
#embed "page/sound.js"
};
static const unsigned char stream_js[] = {
#embed "page/stream.js"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char theme_js[] = {
#embed "page/theme.js"
};
static const unsigned char verdict_js[] = {
#embed "page/verdict.js"
};
static const unsigned char walk_html[] = {
#embed "page/walk.html"
};
static const unsigned char walk_js[] = {
#embed "page/walk.js"
};
static const unsigned char words_de_json[] = {
#embed "page/words/de.json"
};
static const unsigned char words_en_json[] = {
#embed "page/words/en.json"
};
static const unsigned char words_es_json[] = {
#embed "page/words/es.json"
};
static const unsigned char words_fr_json[] = {
#embed "page/words/fr.json"
};
static const unsigned char words_ja_json[] = {
#embed "page/words/ja.json"
};
static const unsigned char worker_js[] = {
#embed "page/worker.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct cstationpage_file files[] = {
    FILE("app.js", app_js),
    FILE("batch.html", batch_html),
    FILE("batch.js", batch_js),
    FILE("batches.js", batches_js),
    FILE("check.html", check_html),
    FILE("check.js", check_js),
    FILE("dom.js", dom_js),
    FILE("error.html", error_html),
    FILE("findings.html", findings_html),
    FILE("findings.js", findings_js),
    FILE("footer.part", footer_part),
    FILE("head.part", head_part),
    FILE("header.part", header_part),
    FILE("icon.svg", icon_svg),
    FILE("now.html", now_html),
    FILE("now.js", now_js),
    FILE("open.html", open_html),
    FILE("open.js", open_js),
    FILE("openapi.json", openapi_json),
    FILE("parcel.html", parcel_html),
    FILE("parcel.js", parcel_js),
    FILE("phone.html", phone_html),
    FILE("phone.js", phone_js),
    FILE("poster.js", poster_js),
    FILE("print.html", print_html),
    FILE("print.js", print_js),
    FILE("reader.html", reader_html),
    FILE("reader.js", reader_js),
    FILE("session.js", session_js),
    FILE("shapes.js", shapes_js),
    FILE("sheet.js", sheet_js),
    FILE("sound.js", sound_js),
    FILE("stream.js", stream_js),
    FILE("style.css", style_css),
    FILE("theme.js", theme_js),
    FILE("verdict.js", verdict_js),
    FILE("walk.html", walk_html),
    FILE("walk.js", walk_js),
    FILE("words/de.json", words_de_json),
    FILE("words/en.json", words_en_json),
    FILE("words/es.json", words_es_json),
    FILE("words/fr.json", words_fr_json),
    FILE("words/ja.json", words_ja_json),
    FILE("worker.js", worker_js),
    {NULL, NULL, 0},
};

const struct cstationpage_file *const cstationpage_files = files;
