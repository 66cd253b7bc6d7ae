#include "CPosterTemplates.h"

// #embed is of C23; clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char business_card_json[] = {
#embed "templates/business-card.json"
};
static const unsigned char door_sticker_json[] = {
#embed "templates/door-sticker.json"
};
static const unsigned char menu_json[] = {
#embed "templates/menu.json"
};
static const unsigned char opening_hours_json[] = {
#embed "templates/opening-hours.json"
};
static const unsigned char poster_template_schema_json[] = {
#embed "templates/poster-template.schema.json"
};
static const unsigned char round_sticker_json[] = {
#embed "templates/round-sticker.json"
};
static const unsigned char scooter_plate_json[] = {
#embed "templates/scooter-plate.json"
};
static const unsigned char shelf_strip_json[] = {
#embed "templates/shelf-strip.json"
};
static const unsigned char steps_json[] = {
#embed "templates/steps.json"
};
static const unsigned char table_number_json[] = {
#embed "templates/table-number.json"
};
static const unsigned char table_tent_json[] = {
#embed "templates/table-tent.json"
};
static const unsigned char window_json[] = {
#embed "templates/window.json"
};
static const unsigned char wristband_json[] = {
#embed "templates/wristband.json"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct cpostertemplates_file files[] = {
    FILE("business-card.json", business_card_json),
    FILE("door-sticker.json", door_sticker_json),
    FILE("menu.json", menu_json),
    FILE("opening-hours.json", opening_hours_json),
    FILE("poster-template.schema.json", poster_template_schema_json),
    FILE("round-sticker.json", round_sticker_json),
    FILE("scooter-plate.json", scooter_plate_json),
    FILE("shelf-strip.json", shelf_strip_json),
    FILE("steps.json", steps_json),
    FILE("table-number.json", table_number_json),
    FILE("table-tent.json", table_tent_json),
    FILE("window.json", window_json),
    FILE("wristband.json", wristband_json),
    {NULL, NULL, 0},
};

const struct cpostertemplates_file *const cpostertemplates_files = files;
