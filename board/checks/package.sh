#!/bin/bash
# board/test package: what the packages consist of, as far as it can be seen without building them: units, manual
# pages, settings, completions, maintainer scripts. Seconds. The packages themselves are proved by cross/build,
# cross/install and cross/machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=board/package
for tool in systemd-analyze man awk; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not installed."
        exit 69
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}

# The most that systemd may say a unit is exposed, in tenths.
declare -A most=([lapel]=25 [lapel-first-start]=25 [lapel-pair]=25 [lapel-host]=20)
for unit in "$here"/lapel/*.service "$here"/lapel-host/*.service; do
    name=$(basename "$unit" .service)
    # An older systemd knows no steps of a restart's delay, and the programs are not installed here.
    said=$(systemd-analyze verify --man=no "$unit" 2>&1 |
        grep -vE "is not executable: No such file|Unknown key '(RestartSteps|RestartMaxDelaySec)'" |
        grep -F "$name" || true)
    [ -z "$said" ] || fail "$said"
    score=$(systemd-analyze security --offline=true --no-pager "$unit" 2>/dev/null |
        sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p')
    echo "$name: exposure ${score%?}.${score: -1}"
    [ "$((10#${score:-99}))" -le "${most[$name]:-0}" ] || fail "$name is exposed more than ${most[$name]:-0} tenths"
    for line in MemorySwapMax=0 LimitCORE=0; do
        grep -qx "$line" "$unit" || fail "$name has no $line"
    done
    if grep -q '^ProcSubset=pid' "$unit"; then fail "$name hides the boot id"; fi
done
for line in Type=notify 'DeviceAllow=char-116 rw' 'DeviceAllow=char-13 rw' 'DeviceAllow=char-gpiochip rw' \
    'ExecStopPost=/usr/bin/lapel outputs-off' 'SupplementaryGroups=audio gpio input'; do
    grep -qx "$line" "$here/lapel/lapel.service" || fail "lapel.service has no $line"
done
if grep -q '^After=.*network' "$here/lapel/lapel.service"; then fail "lapel.service waits for the network"; fi

# The settings' manual is written from a settings file; a few keys stand for the program's own table here.
printf '# The settings.\n\n[button]\n\n# Where the button is.\n# Values: gpio:NAME\n#button = gpio:GPIO17\n' >"$work/lapel.conf"
"$here/settings-manual" "$here/lapel/lapel.conf.5" "$work/lapel.conf" >"$work/lapel.conf.5"
"$here/settings-manual" "$here/lapel-host/host.conf.5" "$here/lapel-host/host.conf" >"$work/host.conf.5"
grep -q '^\.B button$' "$work/lapel.conf.5" || fail "lapel.conf.5 does not list its keys"
while read -r key; do
    grep -qxF ".B $key" "$work/host.conf.5" || fail "host.conf.5 does not list $key"
done
for page in "$here"/*/*.1 "$work"/*.5; do
    said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [ -z "$said" ] || fail "${page##*/}: $said"
done

for script in "$here"/*/completion; do
    bash -n "$script" || fail "$script"
done
for script in "$here"/*/{postinst,prerm,postrm}; do
    sh -n "$script" || fail "$script"
done
# Purging: the device's folder goes when nothing waits in it, and stays, with its keys, when something does; the host's
# stays as long as there is anything in it.
purge() { # PACKAGE FOLDER: its postrm, on this folder instead of the system's
    sed "s|^    folder=/var/lib/$1\$|    folder=$2|" "$here/$1/postrm" >"$work/postrm"
    grep -qF "folder=$2" "$work/postrm" || fail "$1's postrm names no folder"
    env PATH=/usr/bin:/bin sh "$work/postrm" purge 2>/dev/null
}
for place in out rec parked sent; do
    mkdir -p "$work/waits/identity" "$work/waits/$place"
    : >"$work/waits/$place/0000000001-00.opus.age"
    purge lapel "$work/waits"
    [ -e "$work/waits/$place/0000000001-00.opus.age" ] || fail "purging lapel deletes what waits in $place"
    [ -d "$work/waits/identity" ] || fail "purging lapel deletes the keys of what waits in $place"
    rm -rf "$work/waits"
done
mkdir -p "$work/empty/out" "$work/empty/identity" "$work/store/audio" "$work/bare"
purge lapel "$work/empty"
[ ! -e "$work/empty" ] || fail "purging lapel leaves an empty outbox behind"
purge lapel-host "$work/store"
[ -d "$work/store/audio" ] || fail "purging lapel-host deletes recordings"
purge lapel-host "$work/bare"
[ ! -e "$work/bare" ] || fail "purging lapel-host leaves an empty folder behind"

# Each shared library of the table once.
twice=$(awk '!/^#/ { print $1 }' "$here/libraries" | sort | uniq -d)
[ -z "$twice" ] || fail "board/package/libraries names $twice twice"

[ "$failed" = 0 ] && echo "units, manual pages, settings, completions and scripts are as they should be"
exit "$failed"
