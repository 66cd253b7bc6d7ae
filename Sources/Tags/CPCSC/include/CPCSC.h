#ifndef CPCSC_H
#define CPCSC_H

#include <stddef.h>
#include <stdint.h>

/* PC/SC by pcsc-lite's library, which is opened when a reader of this kind is first needed. Numbers
 * have fixed widths here: those of winscard.h are longer on Linux than anywhere else. Every function
 * returns what the library does, 0 or a code such as 0x80100069. */

/* Opens the library, once. Returns null, or why it cannot be used, valid for ever. Until it has
 * returned null, no other function here may be called. May be called from any thread. */
const char *cpcsc_load(void);

typedef intptr_t cpcsc_context;
typedef intptr_t cpcsc_card;

uint32_t cpcsc_establish(cpcsc_context *context);
uint32_t cpcsc_release(cpcsc_context context);

/* The names of all readers, each ended by a zero, in at most `*size` bytes; `*size` is then how many
 * there are. */
uint32_t cpcsc_list(cpcsc_context context, char *names, size_t *size);

/* Waits until a reader is in another state than `*state`, or `milliseconds` have passed (0 asks and
 * does not wait). `*state` is the new one then, its upper half a count of cards that came and went;
 * `atr` (33 bytes) is what the card answered. */
uint32_t cpcsc_wait(
    cpcsc_context context, const char *reader, uint32_t milliseconds, uint32_t *state, uint8_t *atr,
    size_t *atr_length);

/* Ends what another thread waits for in `cpcsc_wait`. */
uint32_t cpcsc_cancel(cpcsc_context context);

/* How a card is shared with other programs, and what becomes of it. The numbers are winscard.h's. */
enum { CPCSC_EXCLUSIVE = 1, CPCSC_SHARED = 2 };
enum { CPCSC_LEAVE = 0, CPCSC_RESET = 1, CPCSC_UNPOWER = 2 };

uint32_t cpcsc_connect(
    cpcsc_context context, const char *reader, uint32_t sharing, cpcsc_card *card,
    uint32_t *protocol);
uint32_t cpcsc_reconnect(
    cpcsc_card card, uint32_t sharing, uint32_t initialization, uint32_t *protocol);
uint32_t cpcsc_disconnect(cpcsc_card card, uint32_t disposition);

/* Sends a command; `*answer_size` is first the room, then what came. */
uint32_t cpcsc_transmit(
    cpcsc_card card, uint32_t protocol, const uint8_t *command, size_t command_length,
    uint8_t *answer, size_t *answer_size);

#endif
