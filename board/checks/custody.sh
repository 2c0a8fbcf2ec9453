#!/bin/bash
# board/test custody [--full] [--crashes N] [--seed N] [--trace]: nothing is lost, whatever dies and whenever.
#
#   (nothing)     5,000 simulated crashes, with the tests as they were built for debugging
#   --full        100,000 over at least 1,000 worlds, optimised; every cell of the table must have been met
#   --crashes N   as many as that
#   --seed N      one world again; with --trace each of its steps is told
#
# Device, network and hosts run on simulated disks under one seed per world. Any call on a file, on the database or
# on the network may be the last of its program; the four promises are checked after every event. Prints where the
# programs died: the call they were about to make, and what they were doing.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
. board/lib/shell.sh
crashes=5000 full='' seed='' trace=''
while [ $# -gt 0 ]; do
    case $1 in
    --full) full=1 ;;
    --crashes)
        crashes=$2
        shift
        ;;
    --seed)
        seed=$2
        shift
        ;;
    --trace) trace=1 ;;
    *)
        sed -n '2,/^set /{s/^# \{0,1\}//p}' "$0"
        exit 2
        ;;
    esac
    shift
done
[ -n "$full" ] && [ "$crashes" = 5000 ] && crashes=100000

work=$root/.build/custody
mkdir -p "$work"
flags=(-Xswiftc -warnings-as-errors)
if [ -n "$full" ]; then
    # Only what the simulation needs, optimised, and with the insides open to it.
    rm -rf "$work/package"
    mkdir -p "$work/package"
    ln -s "$root/Sources" "$root/Tests" "$work/package"
    python3 -m lapel.manifest CustodyTests </dev/null >"$work/package/Package.swift"
    build=(--package-path "$work/package" --scratch-path "$work/release" -c release -Xswiftc -enable-testing)
    binary=$work/release/release/lapelPackageTests.xctest
else
    build=()
    binary=$root/.build/debug/lapelPackageTests.xctest
fi
if ! swift build --build-tests ${build[@]+"${build[@]}"} "${flags[@]}" >"$work/build.log" 2>&1; then
    grep -E 'error:' "$work/build.log" | awk '!seen[$0]++' | head -n 20
    exit 1
fi

# The same seed makes the same world.
export SWIFT_DETERMINISTIC_HASHING=1 LAPEL_CUSTODY_PER_WORLD=${LAPEL_CUSTODY_PER_WORLD:-100}
walk() { "$binary" --testing-library swift-testing --filter CustodySimulationTests; }
if [ -n "$seed" ]; then
    if [ -n "$trace" ]; then
        LAPEL_CUSTODY_CRASHES=1 LAPEL_CUSTODY_TRACE=$seed walk
    else
        LAPEL_CUSTODY_CRASHES=1 LAPEL_CUSTODY_FIRST=$seed walk
    fi
    exit
fi

pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM HUP
started=$SECONDS
for part in 0 1; do
    LAPEL_CUSTODY_CRASHES=$(((crashes + 1) / 2)) LAPEL_CUSTODY_FIRST=$((1 + part * 500000)) walk \
        >"$work/walk-$part" 2>&1 </dev/null &
    pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
pids=()
trap - EXIT

cat "$work"/walk-? | awk -F '\t' -v full="$full" -v seconds=$((SECONDS - started)) '
    function table(program, steps, count, calls,    i, j, line, cell, used) {
        printf "\n%-18s", "died before"
        for (i = 1; i <= count; i++) printf "%12s", steps[i]
        print ""
        for (j = 1; j <= calls; j++) {
            line = sprintf("%-18s", order[j]); used = 0
            for (i = 1; i <= count; i++) {
                cell = program SUBSEP steps[i] SUBSEP order[j]
                if (!(cell in made)) line = line sprintf("%12s", ".")
                else { used = 1; line = line sprintf("%12s", died[cell] > 0 ? died[cell] : "(" made[cell] ")"); seen[cell] = 1 }
            }
            if (used) print line
        }
    }
    $1 == "cell" { made[$2, $3, $4] += $5; died[$2, $3, $4] += $6 }
    $1 == "sum" { sum[$2] += $3 }
    END {
        calls = split("open,create,read,write,truncate,reserve,sync,syncData,rename,unlink,makeFolder,syncFolder,list,size,space,lock,db open,db create,db read,db write,db truncate,db sync,db syncFolder,db unlink,db size,network", order, ",")
        n = split("start-up,begin,append,sync,finish,commit,discard,give-up,ship-create,ship-head,ship-patch,let-go,park", device, ",")
        print "device: crashes by what it was doing and the call before which it died"
        table("device", device, n, calls)
        n = split("start-up,create,write,ask,hash,rename,commit,answer,forget,shut-down", host, ",")
        print "\nhost"
        table("host", host, n, calls)
        empty = 0
        for (cell in made) {
            split(cell, part, SUBSEP)
            if (!(cell in seen)) { print "not in the table: " part[1] " " part[2] " x " part[3]; empty++ }
            if (died[cell] == 0 && made[cell] >= 30) { print "never died there: " part[1] " " part[2] " x " part[3]; empty++ }
        }
        print "\n.    the step never makes this call: it did not in any world, so no program can die there"
        print "(n)  reached n times only, and chance let it live"
        printf "%d crashes in %d worlds, %d events, %d power cuts, %d s\n", sum["crashes"], sum["worlds"], sum["events"], sum["power cuts"], seconds
        printf "%d utterances kept (%d sealed), %d recovered at a start, %d stored whole on a host, %d parked, %d hosts replaced\n", sum["kept"], sum["kept sealed"], sum["recovered at start"], sum["stored on a host"], sum["parked"], sum["hosts replaced"]
        printf "%d cells met, %d empty; %d broken promises\n", length(seen), empty, sum["broken promises"]
        if (sum["crashes"] == 0 || sum["broken promises"] > 0 || (full && empty > 0)) exit 1
    }' | sed "${full:+s/^/note: /}" || status=1
grep -h '^↳ seed\|↳ seed' "$work"/walk-? || true
[ "$status" = 0 ] || {
    grep -hE '✘|atal error' "$work"/walk-? | head -n 5
    exit 1
}
echo "note: $(cat "$work"/walk-? | awk -F '\t' '$1 == "sum" { sum[$2] += $3 } END { printf "%d simulated crashes in %d worlds, %d broken promises", sum["crashes"], sum["worlds"], sum["broken promises"] }')"
