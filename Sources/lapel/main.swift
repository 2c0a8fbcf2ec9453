import Device
import Glibc

exit(lapelMain(CommandLine.arguments))
