#ifndef CQRENCODE_H
#define CQRENCODE_H

#include <qrencode.h>

// libqrencode reports failures through errno, which Swift cannot read reliably after a call.
// Each function here makes one call of the public API and returns 0, or the errno value that
// the call left behind (never 0 on a failure).

/// What the functions return when there is no memory (ENOMEM, which Swift does not import here).
extern const int cqrencode_out_of_memory;

/// QRinput_new2: an empty input for a version (1-40) and level, stored in `*input`.
int cqrencode_new(int version, QRecLevel level, QRinput **input);

/// QRinput_append: copies `size` bytes to the end of the input as one segment.
int cqrencode_append(QRinput *input, QRencodeMode mode, int size, const unsigned char *data);

/// QRcode_encodeInput: the symbol of an input, stored in `*symbol`; free it with QRcode_free.
int cqrencode_encode(QRinput *input, QRcode **symbol);

#endif
