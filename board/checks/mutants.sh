#!/bin/bash
# board/test mutants [PATCH...]: every deliberate breakage in Tests/Mutants is caught by the tests.
#
# A patch's first words say which tests must notice it: voice-turn-…, record-switch-… and gesture-… those of the turn,
# tus-… those of the wire, outbox-order-… those of the outbox, ring-… and host-… those of the transfer over real TLS, on
# the device's side and on the host's, custody-… the simulation of crashes, device-… those of the device's loop. Each of
# these test targets gets a copy of what it needs, and nothing else, in a temporary folder, which is removed at the end: a
# mutant costs the build of what it changes there. A patch that no longer applies, a mutant that does not build and one
# that no test notices are failures. Prints a table.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
. board/lib/shell.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/lapel-mutants-XXXXXX")
job=
# SwiftPM's compilers and the tests it starts are in process groups of their own and outlive it; all that is started
# here carries the folder's name in its environment.
export LAPEL_MUTANTS=$work
end_what_is_left() {
    local pids pid
    pids=$(grep -lzs "^LAPEL_MUTANTS=$work\$" /proc/[0-9]*/environ | cut -d/ -f3) || true
    for pid in $pids; do
        # This shell exports the name, but was not started with it.
        kill -KILL "$pid" 2>/dev/null || true
    done
}
cleanup() {
    trap '' INT TERM HUP
    if [ -n "$job" ]; then
        kill -KILL -- "-$job" 2>/dev/null || true
        end_what_is_left
        wait "$job" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
limit=900

if [ $# -gt 0 ]; then
    mapfile -t patches < <(realpath "$@")
else
    patches=("$root"/Tests/Mutants/*.patch)
fi

# A test target and the tests in it, for each kind of patch that was asked for.
declare -A target=(
    [voice-turn]=TurnTests [record-switch]=TurnTests [gesture]=TurnTests [tus]=WireTests [outbox-order]=OutboxTests
    [ring]=TransferTests [host]=TransferTests [custody]=CustodyTests [device]=DeviceTests
)
declare -A filter=(
    [voice-turn]=VoiceTurn [record-switch]=RecordSwitch [gesture]=Gesture [tus]='TusS|Header|RetryAfter'
    [outbox-order]=OutboxTests [ring]='Ship|NetworkAnswer|HostLink' [host]='Inbox|Receiver|HTTPServer'
    [custody]=CustodySimulationTests [device]=DeviceLoopTests
)
# Seconds: a test that a mutant hangs is noticed by nothing else.
declare -A limits=(
    [voice-turn]=180 [record-switch]=180 [gesture]=180 [tus]=90 [outbox-order]=180 [ring]=240 [host]=240
    [custody]=600 [device]=120
)
# So many crashes find every fault.
export LAPEL_CUSTODY_CRASHES=${LAPEL_CUSTODY_CRASHES:-1500} LAPEL_CUSTODY_PER_WORLD=100
kind() {
    local kind
    for kind in "${!target[@]}"; do
        case $(basename "$1") in "$kind"-*) echo "$kind" ;; esac
    done
}
kinds=$(for patch in "${patches[@]}"; do kind "$patch"; done | sort -u)

log=$work/log
limited() {
    local status=0
    timeout --kill-after=5 "$limit" "$@" >"$log" 2>&1 </dev/null &
    job=$!
    wait "$job" || status=$?
    job=
    # A mutant's test that never ends has lost the one who started it, and would slow down all that follow.
    [ "$status" = 0 ] || end_what_is_left
    return "$status"
}
build() { limited swift build --build-tests --quiet; }
run_tests() { limit=${limits[$1]} limited swift test --skip-build --disable-xctest --filter "${filter[$1]}"; }

started=$SECONDS
pass() { run_tests "$1" && grep -q 'Test run with [1-9]' "$log"; }

# The package's own manifest, cut down to one test target and what it depends on, with the sources of its own.
package_for() {
    mkdir "$work/$1"
    cp -r "$root/Sources" "$root/Tests" "$work/$1"
    python3 -m lapel.manifest "$1" </dev/null >"$work/$1/Package.swift"
}

# Enters that package; the first time it must build, and its tests must pass without a mutant.
enter() {
    local passed=1 kind began=$SECONDS
    if [ ! -d "$work/$1" ]; then
        package_for "$1"
        cd "$work/$1"
        build || passed=
        for kind in $kinds; do
            [ "${target[$kind]}" != "$1" ] || [ -z "$passed" ] || pass "$kind" || passed=
        done
        if [ -z "$passed" ]; then
            echo "the tests do not pass without a mutant:"
            tail -n 30 "$log"
            exit 1
        fi
        echo "$1 without a mutant: passed ($((SECONDS - began)) s)"
    fi
    cd "$work/$1"
}

caught=0 failed=0
# What the test that noticed says: the broken promise, or its own name.
said() {
    local sentence
    sentence=$(grep -ao 'promise [0-9]: [^;]*' "$log" | head -n 1 || true)
    echo "${sentence:-$(head -n 1 <<<"$tests")}"
}
row() { printf '%-9s %3s s  %-44s %s\n' "$1" "$2" "$3" "$4"; }
for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    kind=$(kind "$patch")
    if [ -z "$kind" ]; then
        failed=$((failed + 1))
        row STRAY 0 "$name" "its first words name no tests"
        continue
    fi
    enter "${target[$kind]}"
    began=$SECONDS
    if ! git apply "$patch" >"$log" 2>&1; then
        failed=$((failed + 1))
        row STALE 0 "$name" "the patch no longer applies"
        continue
    fi
    status=0
    if ! build; then
        failed=$((failed + 1))
        row BROKEN $((SECONDS - began)) "$name" "$(grep -m 1 'error:' "$log" || echo "does not build")"
    else
        run_tests "$kind" || status=$?
        tests=$(grep -oE '✘ Test [^ ]+ (with .* )?(failed after|recorded an issue)' "$log" | awk '{print $3}' | sort -u || true)
        if [ "$status" = 0 ]; then
            failed=$((failed + 1))
            row SURVIVED $((SECONDS - began)) "$name" "no test failed"
        elif [ "$status" = 124 ]; then
            caught=$((caught + 1))
            row caught $((SECONDS - began)) "$name" "by a test that did not end"
        elif [ -z "$tests" ] && ! grep -q '✘\|atal error' "$log"; then
            failed=$((failed + 1))
            row ODD $((SECONDS - began)) "$name" "exit $status, and no test failed"
        else
            caught=$((caught + 1))
            row caught $((SECONDS - began)) "$name" "by $(grep -c . <<<"$tests" || true): $(said)"
        fi
    fi
    git apply -R "$patch"
done
echo "note: ${#patches[@]} mutants: $caught caught, $failed failed, $((SECONDS - started)) s"
[ "$failed" = 0 ] && [ "$caught" -gt 0 ]
