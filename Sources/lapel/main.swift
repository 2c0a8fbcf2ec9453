import DeviceTools
import Glibc

exit(lapelMain(CommandLine.arguments))
