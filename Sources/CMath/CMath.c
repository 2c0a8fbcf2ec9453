/* SwiftPM wants one source file in a C target; the module is its header. */
