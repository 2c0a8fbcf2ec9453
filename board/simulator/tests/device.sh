# For the tests that need the whole device: a host and a device that are paired, on the board's own lines and card.
# Sourced by them; leaves nothing running. What is waited for comes, or the test fails: no pause is part of a fact.
set -euo pipefail
. board/lib/shell.sh
if [ ! -x "${LAPEL_BIN:-/nowhere}/lapel" ] || [ ! -x "$LAPEL_BIN/lapel-host" ]; then
    echo "there are no programs; board/build makes them, or LAPEL_BIN names their folder."
    exit 69
fi
work=/tmp/test
mkdir -p "$work"
device='' host='' mouth=''

# On a failing exit all logs are told.
finish() {
    local status=$?
    trap - EXIT
    for pid in $device $host; do
        kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    if [ "$status" != 0 ] && [ "$status" != 69 ]; then
        tell_logs
    fi
    exit "$status"
}
trap finish EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}
fact() { echo "ok      $*"; }

# In virtual time the asking is all that takes long, and on this board a new process most of it: a pause is none, and what
# is asked often starts none.
mkfifo "$work/pause"
exec {pause}<>"$work/pause"
pause() { read -rt 0.1 -u "$pause" || true; }
# count_lines FILE TEXT: puts into `found` how many lines of the file have the text.
count_lines() {
    local all=() line
    found=0
    mapfile -t all <"$1" 2>/dev/null || true
    for line in "${all[@]}"; do
        if [[ $line == *"$2"* ]]; then found=$((found + 1)); fi
    done
}

start_host() { serve_and_pair "$LAPEL_BIN"; }

# Starts the device, with the settings of `options`, and waits until it answers.
options=(--format wav --rate 16000 --highpass off --gain 0)
start_device() {
    "$LAPEL_BIN/lapel" run --outbox-dir "$work/device" --button gpio:GPIO17 --lamp GPIO27 --motor GPIO22 \
        --microphone hw:Loopback,1 "${options[@]}" 2>>"$work/device.log" </dev/null &
    device=$!
    until_true 120 "the device answers" answers
}
answers() { "$LAPEL_BIN/lapel" status --outbox-dir "$work/device" --json >"$work/status.json" 2>/dev/null; }
status() { answers && jq -r "$1" "$work/status.json"; }
# No turn is running: off, or stopped, which is off after a fault. The card is asked first, which costs less.
is_idle() { card_is_free && [[ $(status '"\(.phase) \(.microphone_open)"') =~ ^(off|stopped)\ false$ ]]; }

# speaking FILE LEAD_S: begins to speak, and goes on when the card is held to FILE's form.
speaking() {
    speak "$1" "$2" &
    mouth=$!
    until_true 60 "something is played" grep -q rate /proc/asound/Loopback/pcm0p/sub0/hw_params
}

listed() { "$LAPEL_BIN/lapel-host" list --dir "$work/host" --json | jq "[.[] | select(.state == \"stored\")] | $1"; }
stored() {
    count_lines "$work/host.json" '"whole":true'
    [ "$found" = "$1" ]
}
# newest FIELD: of what the host has stored.
newest() { listed "max_by(.seq).$1" | jq -r .; }
let_go() { [ "$("$LAPEL_BIN/lapel" outbox --outbox-dir "$work/device" --json | jq length)" = 0 ]; }
# The turn is over, and so is the time in which a press still means the end of it.
ready_for_another() {
    until_true 10 "the turn is over" is_idle
    sleep 2
}
card_is_free() {
    if [ ! -e /proc/asound/Loopback ]; then return 0; fi
    count_lines /proc/asound/Loopback/pcm1c/sub0/status owner_pid
    [ "$found" = 0 ]
}

# heard FILE SECONDS: the newest recording holds FILE's first SECONDS, or all of it, sample for sample. Prints how much
# of FILE it holds, in seconds.
heard() {
    "$LAPEL_BIN/lapel-host" play "$(newest utterance)" --to "$work/heard.wav" --dir "$work/host"
    python3 - "$work/heard.wav" "$1" "${2:-all}" <<'PYTHON'
import sys, wave
recording, spoken, wanted = sys.argv[1:]
with wave.open(recording) as file:
    form, samples = file.getparams(), file.readframes(file.getnframes())
with wave.open(spoken) as file:
    assert file.getparams()[:3] == form[:3], f"{form} is not {file.getparams()}"
    said, rate, frame = file.readframes(file.getnframes()), file.getframerate(), file.getsampwidth() * file.getnchannels()
begin = samples.find(said[:frame * rate // 10])
same = 0
if begin >= 0:
    both = min(len(samples) - begin, len(said))
    if samples[begin:begin + both] != said[:both]:
        both = next(at for at, (a, b) in enumerate(zip(samples[begin:], said)) if a != b)
    same = both // frame
print(f"{same / rate:.3f} of {len(said) / frame / rate:.3f} s, {len(samples) / frame / rate:.3f} s recorded")
sys.exit(same * frame < len(said) if wanted == "all" else same < float(wanted) * rate)
PYTHON
}
