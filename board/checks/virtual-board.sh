#!/bin/bash
# board/test virtual-board: the virtual board hands back what runs in it, and the short part of its tests passes.
#
# The whole of them is `board/sim test`. Makes no kernel: that takes minutes, and is asked for by `board/sim build`.
set -euo pipefail
cd "$(dirname "$0")/../.."
failed=0
expect() {
    local what=$1 status=0 output
    shift
    output=$(board/sim run -- "${@:3}" 2>&1) || status=$?
    if [ "$status" = 69 ]; then
        echo "$output"
        exit 69
    fi
    if [ "$status" != "$1" ] || [ "$output" != "$2" ]; then
        echo "FAILED: $what: exit code $status and \"$output\", not $1 and \"$2\""
        failed=1
    fi
}
expect "an exit code comes back" 7 "" 'exit 7'
expect "both outputs come back" 0 "$(printf 'out\nerr')" 'echo out; sleep 0.3; echo err >&2'
# shellcheck disable=SC2016  # a dollar that must arrive
expect "words stay as they are" 0 "<a b><it's><\$x>" printf '<%s>' 'a b' "it's" '$x'
expect "nothing is written to this machine" 0 "" "echo gone >README.md"
[ "$(head -c 4 README.md)" != gone ] || failed=1
started=${EPOCHREALTIME/./}
board/sim run -- true
echo "note: \`board/sim run -- true\` took $(((${EPOCHREALTIME/./} - started) / 1000)) ms"
board/sim test --short || failed=1
exit "$failed"
