#include "CCrypto.h"

#include <openssl/core_names.h>
#include <openssl/decoder.h>
#include <openssl/params.h>

EVP_PKEY *ccrypto_public_key(const char *curve, const uint8_t *point, size_t count) {
  /* Neither text nor point is written to: the parameters are only read by fromdata. */
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
      OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, count),
      OSSL_PARAM_construct_end(),
  };
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (!context || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
    key = NULL;
  EVP_PKEY_CTX_free(context);
  return key;
}

static EVP_PKEY *decoded(const uint8_t *file, size_t count, const char *structure,
                         const char *type, int selection) {
  EVP_PKEY *key = NULL;
  OSSL_DECODER_CTX *context =
      OSSL_DECODER_CTX_new_for_pkey(&key, "PEM", structure, type, selection, NULL, NULL);
  if (!context || OSSL_DECODER_from_data(context, &file, &count) != 1) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  OSSL_DECODER_CTX_free(context);
  return key;
}

EVP_PKEY *ccrypto_private_key(const uint8_t *file, size_t count) {
  return decoded(file, count, "PrivateKeyInfo", "EC", OSSL_KEYMGMT_SELECT_ALL);
}

EVP_PKEY *ccrypto_ed25519_key(const uint8_t *file, size_t count, int is_private) {
  return is_private
             ? decoded(file, count, "PrivateKeyInfo", "ED25519", OSSL_KEYMGMT_SELECT_ALL)
             : decoded(file, count, "SubjectPublicKeyInfo", "ED25519", EVP_PKEY_PUBLIC_KEY);
}
