#include "CZBar.h"

#include <COnDemand.h>

/* Each function by the name and type that the header gives it. */
#define FUNCTIONS(X)                                                                               \
  X(zbar_image_scanner_create)                                                                     \
  X(zbar_image_scanner_destroy)                                                                    \
  X(zbar_image_scanner_set_config)                                                                 \
  X(zbar_image_scanner_enable_cache)                                                               \
  X(zbar_image_scanner_request_dbus)                                                               \
  X(zbar_scan_image)                                                                               \
  X(zbar_image_create)                                                                             \
  X(zbar_image_destroy)                                                                            \
  X(zbar_image_set_format)                                                                         \
  X(zbar_image_set_size)                                                                           \
  X(zbar_image_set_data)                                                                           \
  X(zbar_image_first_symbol)                                                                       \
  X(zbar_symbol_next)                                                                              \
  X(zbar_symbol_get_type)                                                                          \
  X(zbar_symbol_get_data)                                                                          \
  X(zbar_symbol_get_data_length)                                                                   \
  X(zbar_symbol_get_loc_size)                                                                      \
  X(zbar_symbol_get_loc_x)                                                                         \
  X(zbar_symbol_get_loc_y)

CONDEMAND_TABLE(FUNCTIONS, zbar)

#ifdef __APPLE__
static const char *const names[] = {"libzbar.0.dylib", NULL};
#else
static const char *const names[] = {"libzbar.so.0", NULL};
#endif

CONDEMAND_LOAD(czbar_load, zbar, names)

zbar_image_scanner_t *czbar_scanner_create(void) { return zbar.zbar_image_scanner_create(); }

void czbar_scanner_destroy(zbar_image_scanner_t *scanner) {
  zbar.zbar_image_scanner_destroy(scanner);
}

int czbar_scanner_set_config(
    zbar_image_scanner_t *scanner, zbar_symbol_type_t symbology, zbar_config_t config, int value) {
  return zbar.zbar_image_scanner_set_config(scanner, symbology, config, value);
}

void czbar_scanner_enable_cache(zbar_image_scanner_t *scanner, int enable) {
  zbar.zbar_image_scanner_enable_cache(scanner, enable);
}

int czbar_scanner_request_dbus(zbar_image_scanner_t *scanner, int wanted) {
  return zbar.zbar_image_scanner_request_dbus(scanner, wanted);
}

int czbar_scan_image(zbar_image_scanner_t *scanner, zbar_image_t *image) {
  return zbar.zbar_scan_image(scanner, image);
}

zbar_image_t *czbar_image_create(void) { return zbar.zbar_image_create(); }
void czbar_image_destroy(zbar_image_t *image) { zbar.zbar_image_destroy(image); }

void czbar_image_set_format(zbar_image_t *image, unsigned long format) {
  zbar.zbar_image_set_format(image, format);
}

void czbar_image_set_size(zbar_image_t *image, unsigned width, unsigned height) {
  zbar.zbar_image_set_size(image, width, height);
}

void czbar_image_set_data(zbar_image_t *image, const void *data, unsigned long length) {
  zbar.zbar_image_set_data(image, data, length, NULL);
}

const zbar_symbol_t *czbar_image_first_symbol(const zbar_image_t *image) {
  return zbar.zbar_image_first_symbol(image);
}

const zbar_symbol_t *czbar_symbol_next(const zbar_symbol_t *symbol) {
  return zbar.zbar_symbol_next(symbol);
}

zbar_symbol_type_t czbar_symbol_get_type(const zbar_symbol_t *symbol) {
  return zbar.zbar_symbol_get_type(symbol);
}

const char *czbar_symbol_get_data(const zbar_symbol_t *symbol) {
  return zbar.zbar_symbol_get_data(symbol);
}

unsigned czbar_symbol_get_data_length(const zbar_symbol_t *symbol) {
  return zbar.zbar_symbol_get_data_length(symbol);
}

unsigned czbar_symbol_get_loc_size(const zbar_symbol_t *symbol) {
  return zbar.zbar_symbol_get_loc_size(symbol);
}

int czbar_symbol_get_loc_x(const zbar_symbol_t *symbol, unsigned index) {
  return zbar.zbar_symbol_get_loc_x(symbol, index);
}

int czbar_symbol_get_loc_y(const zbar_symbol_t *symbol, unsigned index) {
  return zbar.zbar_symbol_get_loc_y(symbol, index);
}
