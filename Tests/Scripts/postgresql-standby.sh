#!/bin/sh
# usage: postgresql-standby.sh FOLDER SERVER_FOLDER
#
# A hot standby of the throwaway server whose socket is in SERVER_FOLDER. Its own socket and all that it has are
# in FOLDER. Prints "ready" when it can be read, and becomes the server; SELECT pg_promote() promotes it.
set -u
bin=${CLIPTAG_TEST_POSTGRESQL_BIN:-$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)}
[ -n "$bin" ] || bin=$(dirname "$(command -v postgres)")
as=
if [ "$(id -u)" = 0 ]; then
  # The server does not run as root.
  user=$(id -u postgres >/dev/null 2>&1 && echo postgres || echo nobody)
  chown "$user" "$1"
  as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi
cd "$1" || exit 1
$as "$bin/pg_basebackup" -D "$1/data" -d "host=$2 user=cliptag" -c fast -X stream -R --no-sync >&2 || exit 70
(
  until "$bin/pg_isready" -q -h "$1" -U cliptag; do sleep 0.1; done
  echo ready
) &
exec $as "$bin/postgres" -D "$1/data" -c listen_addresses= -c fsync=off -c unix_socket_directories="$1" \
  -c max_connections=200 -c shared_buffers=32MB -c max_standby_streaming_delay=-1 -c port=5432 >"$1/log" 2>&1
