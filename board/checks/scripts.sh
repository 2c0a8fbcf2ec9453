#!/bin/bash
# board/test scripts: shellcheck finds nothing in any script of this repository, and every Python file compiles.
set -euo pipefail
cd "$(dirname "$0")/../.."
. board/lib/shell.sh
needs shellcheck
scripts=() pythons=()
while IFS= read -r -d '' file; do
    case $(head -c 64 "$file" | tr -d '\0' | head -n 1) in
    '#!/bin/bash'* | '#!/bin/sh'* | '#!/usr/bin/env bash'*) scripts+=("$file") ;;
    '#!/usr/bin/python3'* | '#!/usr/bin/env python3'*) pythons+=("$file") ;;
    *) if [ "${file##*.}" = py ]; then pythons+=("$file"); fi ;;
    esac
done < <(find .ci board cross -type f -print0)
echo "${#scripts[@]} scripts of the shell, ${#pythons[@]} of Python"
shellcheck "${scripts[@]}"
python3 - "${pythons[@]}" <<'PYTHON'
import sys

for name in sys.argv[1:]:
    with open(name) as file:
        compile(file.read(), name, "exec", dont_inherit=True)
PYTHON
