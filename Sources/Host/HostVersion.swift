/// What `lapel-host --version` prints.
package let hostVersion = "0.1.0"
