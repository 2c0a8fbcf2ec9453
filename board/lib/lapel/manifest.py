"""python3 -m lapel.manifest NAME...: the package's manifest, cut down to some targets and what they depend on.

What stands on its input comes in between: Swift that may add a target."""
import sys

from lapel.programs import ROOT

CUT = """
var needed: Set<String> = [{names}]
for _ in package.targets {{
    for target in package.targets where needed.contains(target.name) {{
        for case .byNameItem(let name, _) in target.dependencies {{ needed.insert(name) }}
    }}
}}
package.targets.removeAll {{ !needed.contains($0.name) }}
package.products.removeAll()
"""


def manifest(*names, more=""):
    """Its text. `more`: Swift before the cut."""
    quoted = ", ".join(f'"{name}"' for name in names)
    return (ROOT / "Package.swift").read_text() + more + CUT.format(names=quoted)


if __name__ == "__main__":
    sys.stdout.write(manifest(*sys.argv[1:], more=sys.stdin.read()))
