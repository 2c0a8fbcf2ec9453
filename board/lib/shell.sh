# shellcheck shell=bash
# What the scripts of this folder share; sourced by them.
#
#   scripts_of FOLDER           names of its checks or benches: NAME.sh, NAME.py or NAME/run
#   script_of FOLDER NAME       its file
#   programs_folder             of the built programs; exits 69 where there are none
#   alone "$@"                  starts the script again, on a loopback of its own
#   until_true SECONDS WHAT COMMAND...   asks ten times a second
#   serve_and_pair FOLDER       a host, its number in $host, and a device, of the programs there; all of it in $work
#   fail WORDS...               tells the ends of the logs in $work, and exits
#   end PID                     by SIGTERM, and if that is not enough by SIGKILL
#   needs TOOL...               exits 69 when one is missing

# Python finds board/lib/lapel by it, and leaves nothing behind.
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1

scripts_of() {
    find "$1" -mindepth 1 -maxdepth 2 -type f -perm -u+x \( -path "$1/*.sh" -o -path "$1/*.py" -o -path "$1/*/run" \) -printf '%P\n' |
        sed 's/\.[a-z]*$//; s,/run$,,' | sort
}
script_of() {
    local file
    for file in "$1/$2.sh" "$1/$2.py" "$1/$2/run"; do
        if [ -f "$file" ] && [ -x "$file" ]; then echo "$file"; fi
    done
}

# The caller again, with its arguments, on a loopback of its own (board/lib/lapel/alone.py).
alone() {
    if [ -z "${LAPEL_IS_ALONE:-}" ]; then LAPEL_IS_ALONE=1 exec python3 -m lapel.alone "$0" "$@"; fi
    unset LAPEL_IS_ALONE
}

programs_folder() { python3 -m lapel.programs; }

needs() {
    local tool
    for tool in "$@"; do
        if ! command -v "$tool" >/dev/null; then
            echo "$tool is not installed; board/deps --for test installs what there is for tests."
            exit 69
        fi
    done
}

tell_logs() {
    local log
    for log in "${work:-/nowhere}"/*.log; do
        if [ -s "$log" ]; then tail -n 8 "$log" | sed "s/^/  ${log##*/}: /"; fi
    done
}
fail() {
    echo "FAILED: $*"
    tell_logs
    exit 1
}

pause() { sleep 0.1; }
until_true() {
    local left=$(($1 * 10)) what=$2
    shift 2
    until "$@"; do
        left=$((left - 1))
        [ "$left" -gt 0 ] || fail "not seen in time: $what"
        pause
    done
}

# shellcheck disable=SC2154  # $work is the caller's
serve_and_pair() {
    "$1/lapel-host" serve --dir "$work/host" --listen 127.0.0.1:0 --json >"$work/host.json" 2>"$work/host.log" </dev/null &
    host=$!
    until_true 60 "the host listens" grep -q '"listening"' "$work/host.json"
    "$1/lapel" pair "$("$1/lapel-host" pair --dir "$work/host" --json | jq -r .url)" --outbox-dir "$work/device" >/dev/null
}

end() {
    kill -TERM "$1" 2>/dev/null || true
    timeout 30 tail --pid="$1" -f /dev/null || kill -KILL "$1" 2>/dev/null || true
}
