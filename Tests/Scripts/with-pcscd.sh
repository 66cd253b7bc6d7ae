#!/bin/sh
# usage: with-pcscd.sh SOCKET COMMAND [ARGUMENT…]
#
# Runs a command with the real pcscd between it and the simulated reader that serves SOCKET: pcscd with the
# driver of vsmartcard-vpcd, behind which vpcd-bridge.py passes every APDU on. Everything happens in a mount
# namespace with a /run of its own, so that nothing outside is touched; needs root, or a kernel that gives
# ordinary users namespaces. Exit status 75 when that cannot be had, else the command's; --check alone tells
# whether it can.
if [ "$1" != --inside ]; then
  map=; [ "$(id -u)" = 0 ] || map=-r
  unshare $map -m true 2>/dev/null || { echo "no mount namespace can be made here" >&2; exit 75; }
  [ "$1" != --check ] || exec unshare $map -m mount -t tmpfs none /run
  exec unshare $map -m "$0" --inside "$@"
fi
shift
socket=$1
shift
mount -t tmpfs none /run || exit 75
mkdir -p /run/pcscd
work=$(mktemp -d)
mkdir "$work/conf"
driver=$(ls /usr/lib/pcsc/drivers/serial/libifdvpcd.so* | head -1)
pcscd=$(command -v pcscd || echo /usr/sbin/pcscd)
trap 'kill $daemon $bridge 2>/dev/null; wait; rm -rf "$work"' EXIT

# Starts the daemon and the bridge at a free port, which the driver takes for its card's, and waits until
# the bridge says that the daemon has powered its card up. Fails if another program took the port meanwhile.
start() {
  port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat > "$work/conf/vpcd" <<CONFIGURATION
FRIENDLYNAME "Virtual PCD"
DEVICENAME   /dev/null:$(printf '0x%X' "$port")
LIBPATH      $driver
CHANNELID    $(printf '0x%X' "$port")
CONFIGURATION
  "$pcscd" -f -c "$work/conf" > "$work/log" 2>&1 &
  daemon=$!
  : > "$work/ready"
  PCSCLITE_CSOCK_NAME=$socket /usr/bin/python3 "$(dirname "$0")/vpcd-bridge.py" "$port" \
    > "$work/ready" 2> "$work/bridge" &
  bridge=$!
  for _ in $(seq 200); do
    grep -q ready "$work/ready" && return 0
    kill -0 $bridge 2>/dev/null || break
    sleep 0.05
  done
  kill $daemon $bridge 2>/dev/null
  wait
  return 1
}

start || start || start || { cat "$work/bridge" "$work/log" >&2; exit 70; }
"$@"
