/// The program's version, as `lapel --version` and manifests give it.
package let lapelVersion = "0.1.0"
