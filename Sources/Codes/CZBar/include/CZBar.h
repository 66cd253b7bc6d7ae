#ifndef CZBAR_H
#define CZBAR_H

#include <zbar.h>

/* zbar is opened when it is first needed and not linked: Debian's brings fifteen libraries for
 * cameras, windows and D-Bus, which would cost every start of a program. The types and constants
 * are those of its header; every function Swift calls is a trampoline below. */

/* Opens zbar, once. Returns null, or why it cannot be used, valid for ever. Until it has returned
 * null, no other function here may be called. May be called from any thread. */
const char *czbar_load(void);

zbar_image_scanner_t *czbar_scanner_create(void);
void czbar_scanner_destroy(zbar_image_scanner_t *scanner);
int czbar_scanner_set_config(
    zbar_image_scanner_t *scanner, zbar_symbol_type_t symbology, zbar_config_t config, int value);
void czbar_scanner_enable_cache(zbar_image_scanner_t *scanner, int enable);
int czbar_scanner_request_dbus(zbar_image_scanner_t *scanner, int wanted);
int czbar_scan_image(zbar_image_scanner_t *scanner, zbar_image_t *image);

zbar_image_t *czbar_image_create(void);
void czbar_image_destroy(zbar_image_t *image);
void czbar_image_set_format(zbar_image_t *image, unsigned long format);
void czbar_image_set_size(zbar_image_t *image, unsigned width, unsigned height);
/* zbar only reads the bytes, and does not free them. */
void czbar_image_set_data(zbar_image_t *image, const void *data, unsigned long length);
const zbar_symbol_t *czbar_image_first_symbol(const zbar_image_t *image);

const zbar_symbol_t *czbar_symbol_next(const zbar_symbol_t *symbol);
zbar_symbol_type_t czbar_symbol_get_type(const zbar_symbol_t *symbol);
const char *czbar_symbol_get_data(const zbar_symbol_t *symbol);
unsigned czbar_symbol_get_data_length(const zbar_symbol_t *symbol);
unsigned czbar_symbol_get_loc_size(const zbar_symbol_t *symbol);
int czbar_symbol_get_loc_x(const zbar_symbol_t *symbol, unsigned index);
int czbar_symbol_get_loc_y(const zbar_symbol_t *symbol, unsigned index);

#endif
