#!/bin/bash
# board/test radio: a finished turn stays finished, whatever is to be heard: two minutes of radio played into the
# microphone open nothing, record nothing and send nothing.
#
# A host and a paired device run in a temporary folder. The microphone is a file that plays on: a sentence, a pause,
# then speech over music. One press records the sentence. From the first sound of the radio on, for 120 s, the
# journal must hold that one opening, the device's descriptors must stay what they are when it is idle (no microphone,
# no connection), and the host must see no request. In the end a second press shows that the radio could be heard all
# the time. Takes 150 s.
set -euo pipefail
cd "$(dirname "$0")/../.."

. board/lib/shell.sh
needs opusdec sox jq
bin=$(programs_folder)
alone "$@"

work=$(mktemp -d)
device=
host=
finish() {
    trap - EXIT INT TERM HUP
    for pid in $device $host; do end "$pid"; done
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP

openings() { cat "$work"/device/ledger/*.jsonl | jq -s '[.[] | select(.record == "opening")] | length'; }
descriptors() { find "/proc/$device/fd" -mindepth 1 -printf '%l\n' 2>/dev/null | sort; }
is_idle() { ! descriptors | grep -qE '\.wav$|^/dev/snd' && [ "$(descriptors | grep -c '^socket:')" -le 2 ]; }
stored() { [ "$(jq -s '[.[] | select(.whole == true)] | length' "$work/host.json")" -ge "$1" ]; }
seconds() { awk -v now="$(cut -d ' ' -f 1 /proc/uptime)" -v begin="$began" 'BEGIN { print now - begin }'; }
before() { awk -v now="$(seconds)" -v end="$1" 'BEGIN { exit !(now < end) }'; }

# What the microphone hears: demo.wav (4.95 s), 15 s of nothing, in which also a busy machine ends the turn, then the radio.
opusdec --quiet --rate 16000 board/samples/radio.opus "$work/radio.wav"
sox -D board/samples/demo.wav "$work/sentence.wav" pad 0 15
sox -D "$work/sentence.wav" "$work"/radio.wav "$work"/radio.wav "$work"/radio.wav "$work"/radio.wav \
    "$work"/radio.wav "$work/microphone.wav"
radio_begins=$(sox --info -D "$work/sentence.wav")
radio_watched=$(awk -v t="$radio_begins" 'BEGIN { print t + 120 }')
second_press=$(awk -v t="$radio_watched" 'BEGIN { print int(t) + 4 }')

serve_and_pair "$bin"

began=$(cut -d ' ' -f 1 /proc/uptime)
# The panel keeps it running when its script is over.
"$bin/lapel" run --simulate --mic "$work/microphone.wav" --mic-plays --press "0.5,$second_press+2" \
    --format flac --panel "$work/panel" --outbox-dir "$work/device" 2>"$work/device.log" &
device=$!

until_true 120 "the sentence is on the host" stored 1
until_true 120 "the device has let go of it" grep -q 'let go' "$work/device.log"
until_true 120 "nothing is held open" is_idle
before "$radio_begins" || fail "the turn ended after $(seconds) s, when the radio played already"
[ "$(openings)" = 1 ] || fail "$(openings) openings of the microphone after one press"
echo "the turn was over, sent and let go after $(seconds) s; the radio begins at $radio_begins s"

idle=$(descriptors)
requests=$(wc -l <"$work/host.json")
looks=0
while before "$radio_watched"; do
    now=$(descriptors)
    [ "$now" = "$idle" ] || fail "after $(seconds) s the device holds other things open: $(diff <(echo "$idle") <(echo "$now") || true)"
    looks=$((looks + 1))
    sleep 0.05
done
[ "$(openings)" = 1 ] || fail "$(openings) openings of the microphone after one press"
[ "$(wc -l <"$work/host.json")" = "$requests" ] || fail "the host had a request: $(tail -n 1 "$work/host.json")"
count=$("$bin/lapel-host" list --dir "$work/host" --json | jq length)
[ "$count" = 1 ] || fail "the host has $count utterances after one press"
# spare.tail is the emptied journal that the next recording takes.
for place in rec out parked; do
    left=$(find "$work/device/$place" -mindepth 1 ! -name spare.tail -printf '%f ')
    [ -z "$left" ] || fail "something lies in the outbox's $place/: $left"
done
echo "120 s of radio: 1 opening, $looks looks at $(wc -l <<<"$idle") descriptors without a change, no request at the host"

# The same radio is heard when a press asks for it.
until_true 120 "a second press is recorded" stored 2
id=$("$bin/lapel-host" list --last 1 --dir "$work/host" --json | jq -r '.[0].utterance')
heard=$("$bin/lapel-lab" compare "$id" "$work/microphone.wav" --dir "$work/host" --json) ||
    fail "the second press did not record the radio: $heard"
echo "a press after that recorded $(jq -r '"\(.recording_s * 10 | round / 10) s of the radio (spectrograms correlate at \(.correlation * 1000 | round / 1000))"' <<<"$heard")"

kill -TERM "$device"
wait "$device" || fail "the device ended with exit code $?"
device=
