#!/bin/bash
# board/test questions: report what is sometimes right, so that a reader asks; never fails.
#
#   default:     over an enum of our own it hides a new case, over an open set it belongs
#   300 lines    a longer file usually holds two ideas (500 fails in LayeringTests)
set -euo pipefail
cd "$(dirname "$0")/../.."

defaults=$(grep -rnE '^\s*default:' --include='*.swift' Sources || true)
if [ -n "$defaults" ]; then
    echo "$defaults"
    echo "note: 'default:' stands $(wc -l <<<"$defaults") times in Sources; board/checks/questions.sh lists them"
fi

while read -r lines file; do
    echo "note: $lines lines: $file"
done < <(find Sources Tests -name '*.swift' -exec wc -l {} + | awk '$2 != "total" && $1 > 300' | sort -rn)
