#!/bin/bash
# board/test discovery: a host that has moved is found, by the real Avahi, between two network namespaces.
#
#   moved      the host has another address and another port: the device asks its network, finds it and remembers it
#   later      an Avahi that starts after the host, and again, is told of it
#   strangers  a second Lapel host in the same network, announced likewise, hears nothing of the device
#   named      `host = desk.local` is found without a resolver for such names, and without an announcement
#   link       a device that waits in vain tries as soon as its link is up, whatever its back-off says
#
# Needs root, ip, dbus-daemon and jq; says which is missing and exits 69. Starts its own bus and its own Avahi, which is
# unpacked where it is not installed; the machine's are left alone.
set -euo pipefail
cd "$(dirname "$0")/../.."

. board/lib/shell.sh
needs ip dbus-daemon jq
bin=$(programs_folder)
avahi_daemon=$(command -v avahi-daemon || true) avahi_libraries=
if [ -z "$avahi_daemon" ]; then
    unpacked=$(board/unpack avahi-daemon libavahi-core7 libavahi-common3 libdaemon0)
    avahi_daemon=$unpacked/usr/sbin/avahi-daemon
    avahi_libraries=$(echo "$unpacked"/usr/lib/*-linux-gnu)
fi

work=$(mktemp -d)
home=lapel-home-$$ away=lapel-away-$$
pids=()
finish() {
    trap - EXIT INT TERM HUP
    for pid in "${pids[@]}"; do end "$pid"; done
    for name in "$home" "$away"; do ip netns del "$name" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

if ! ip netns add "$home" 2>/dev/null || ! ip netns add "$away" 2>/dev/null; then
    echo "Network namespaces cannot be made here; that needs root."
    exit 69
fi
# A program of the background is started by ip itself: this way its number is the program's, which can be ended.
at_home() { ip netns exec "$home" "$@"; }
abroad() { ip netns exec "$away" "$@"; }

# One cable between them; the host's end has the address that is given.
ip -n "$home" link add dev cable type veth peer name cable netns "$away"
for name in "$home" "$away"; do
    ip -n "$name" link set lo up
    ip -n "$name" link set cable up
done
ip -n "$away" address add 10.99.0.2/24 dev cable
address=
live_at() {
    if [ -n "$address" ]; then ip -n "$home" address del "$address/24" dev cable; fi
    address=$1
    ip -n "$home" address add "$address/24" dev cable
}

# A bus and an Avahi of our own.
cat >"$work/bus.conf" <<CONFIGURATION
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=$work/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
CONFIGURATION
dbus-daemon --config-file="$work/bus.conf" --nofork --nopidfile 2>"$work/bus.log" &
pids+=($!)
until_true 120 "the bus" test -S "$work/bus"
cat >"$work/avahi.conf" <<CONFIGURATION
[server]
host-name=desk
use-ipv6=no
enable-dbus=yes
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
CONFIGURATION
# It wants its user to be there, also where it keeps root.
for table in passwd group; do
    cp "/etc/$table" "$work/$table"
    grep -q "^avahi:" "$work/$table" || tail -n 1 "/etc/$table" | sed 's/^[^:]*:/avahi:/' >>"$work/$table"
done
avahi=
announce() {
    : >"$work/avahi.log"
    # Its socket and its number lie in /run, which is its own here, and so are the tables of users.
    # shellcheck disable=SC2016
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$work/bus LD_LIBRARY_PATH=$avahi_libraries ip netns exec "$home" unshare --mount bash -c \
        'mount -t tmpfs none /run && mount --bind "$2/passwd" /etc/passwd && mount --bind "$2/group" /etc/group &&
            exec "$1" -f "$2/avahi.conf" --no-chroot --no-rlimits --no-drop-root --no-proc-title' \
        - "$avahi_daemon" "$work" 2>"$work/avahi.log" &
    avahi=$!
    pids+=("$avahi")
    until_true 120 "Avahi is up" grep -q 'Server startup complete' "$work/avahi.log"
}

# serve NAME LISTEN BUS: a host in the folder NAME; its number in $host.
host=
serve() {
    : >"$work/$1.out"
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$3 ip netns exec "$home" "$bin/lapel-host" serve --dir "$work/$1" --listen "$2" >"$work/$1.out" 2>>"$work/$1.log" &
    host=$!
    pids+=("$host")
    until_true 120 "the host $1 listens" grep -q listening "$work/$1.out"
}
announced() { [ "$(grep -c '^announced as' "$work/$1.log")" -ge "$2" ]; }
# speak OPTION...: one recording; the program ends when the host has it, or cannot be found.
speak() {
    abroad "$bin/lapel" run --simulate --mic board/samples/demo.wav --mode hold --press 0.2+1 --outbox-dir "$work/device" "$@" \
        2>>"$work/device.log"
}
stored() { at_home "$bin/lapel-host" list --dir "$work/desk" --json | jq length; }

live_at 10.99.0.1
announce
serve desk 10.99.0.1:8500 "$work/bus"
until_true 120 "the host is announced" announced desk 1
url=$(at_home "$bin/lapel-host" pair --dir "$work/desk" --json | jq -r .url)
abroad "$bin/lapel" pair "$url" --outbox-dir "$work/device" >/dev/null
end "$host"

live_at 10.99.0.77
serve other 10.99.0.77:8600 "$work/bus"
other=$host
serve desk 0.0.0.0:8777 "$work/bus"
until_true 120 "both hosts are announced" announced desk 2
began=$SECONDS
speak || fail "moved: the recording is not on the host"
[ "$(jq -r .address "$work/device/host-address.json")" = 10.99.0.77:8777 ] || fail "moved: another address is remembered"
echo "moved: from 10.99.0.1:8500 to 10.99.0.77:8777, found after at most $((SECONDS - began)) s, recording included, and remembered"

end "$avahi"
announce
until_true 120 "an Avahi that starts later is told" announced desk 3
echo "later: an Avahi that started after the host announces it"

[ "$(grep -c 'refused\|stored\|rang' "$work/other.log")" = 0 ] || fail "strangers: the other host heard of the device"
end "$other"
echo "strangers: a second host, announced in the same network, was not asked"

# Without an announcement and under a name; the addresses of the pairing and the last one lead nowhere.
end "$host"
live_at 10.99.0.78
serve desk 10.99.0.78:8999 "$work/no-bus"
speak --host desk.local:8999 || fail "named: desk.local was not found"
[ "$(stored)" = 2 ] || fail "named: the host has $(stored) recordings"
echo "named: desk.local:8999 was found by multicast DNS"

# A device that runs on while its link is down.
ip netns exec "$away" "$bin/lapel" run --simulate --mic board/samples/demo.wav --mode hold --press 0.5+1 --panel "$work/panel" \
    --outbox-dir "$work/device" 2>"$work/link.log" &
device=$!
pids+=("$device")
ip -n "$away" link set cable down
until_true 120 "the recording is kept" grep -q ' kept ' "$work/link.log"
until_true 180 "the host is missed" grep -qE 'Next try in (1[5-9]|[2-9][0-9]) s' "$work/link.log"
ip -n "$away" link set cable up
began=$(cut -d ' ' -f 1 /proc/uptime)
until_true 120 "the recording is sent" grep -q 'let go' "$work/link.log"
took=$(awk -v now="$(cut -d ' ' -f 1 /proc/uptime)" -v began="$began" 'BEGIN { printf "%.1f", now - began }')
awk -v took="$took" 'BEGIN { exit !(took < 10) }' || fail "link: sent $took s after the link was up"
end "$device"
echo "link: sent $took s after the link was up, where the back-off had 15 s to go"
