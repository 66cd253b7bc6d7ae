#ifndef CQRENCODE_H
#define CQRENCODE_H

#include <qrencode.h>

/* libqrencode is opened when the first symbol is drawn and not linked, as most commands draw none.
 * It reports failures through errno, which Swift cannot read reliably after a call: each function
 * here makes one call of its interface and returns 0, or the errno that the call left behind (never
 * 0 on a failure). */

/* Opens libqrencode, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *cqrencode_load(void);

/* The status of a call that found no memory: ENOMEM. */
extern const int cqrencode_out_of_memory;

/* QRinput_new2: an empty input for a version (1-40) and level, stored in `*input`. */
int cqrencode_new(int version, QRecLevel level, QRinput **input);

/* QRinput_append: copies `size` bytes to the end of the input as one segment. */
int cqrencode_append(QRinput *input, QRencodeMode mode, int size, const unsigned char *data);

/* QRinput_free. */
void cqrencode_free(QRinput *input);

/* QRcode_encodeInput: the symbol of an input, stored in `*symbol`. */
int cqrencode_encode(QRinput *input, QRcode **symbol);

/* QRcode_free. */
void cqrencode_symbol_free(QRcode *symbol);

#endif
