import Turn

/// What `lapel help` prints.
enum Usage {
    static let all = """
        lapel: a push-button voice recorder. A press opens the microphone for one turn.

          lapel run [--simulate …]     be the device
          lapel pair URL               pair with a host (`lapel-host pair` prints the URL)
          lapel unpair                 forget the host; what waits stays
          lapel key [export FILE]      what recordings are sealed to
          lapel status                 what a running device does
          lapel end                    end the running turn; what was recorded is kept
          lapel outbox [export DIR]    what waits to be sent; copy everything out
          lapel ledger                 every opening of the microphone
          lapel config                 the settings in force and where each comes from
          lapel doctor [--live]        looks at all that the device needs, and says what to mend
          lapel meter                  what the rule makes of the microphone, live; nothing is recorded
          lapel outputs-off            lamp and motor off, after a program that died
          lapel first-start FOLDER     take over settings and pairing from the boot partition
          lapel --version

        `lapel help COMMAND` tells more; `lapel help faults`, what the lamp blinks. Every key of lapel.conf is an option: --mode memo, --outbox-dir DIR.
        """

    static func of(_ command: String) -> String? {
        switch command {
        case "run":
            """
            lapel run [--config FILE] [--KEY VALUE …]
            lapel run --simulate --mic FILE.wav [--press 0.5,6.0] [--panel PATH] [--json]

              --simulate     no hardware: the microphone is a file, the button a script, a socket or the keyboard
              --mic FILE     what the microphone hears; each opening hears it from its start
              --mic-lead S   seconds of quiet before FILE begins, as of a wearer who presses first and speaks then
              --mic-plays    FILE plays on from the start of the program, whether or not anybody listens
              --press LIST   seconds at which the button is pressed; 2+1.5 holds it for 1.5 s; ends when all is sent.
                             `none`: only sends what waits
              --panel PATH   a datagram socket: `press` and `release` in, `lamp on|off <monotonic ns>` out
              --json         print one object for each press at the end

            Without --press and --panel the space bar is the button, h holds and lets go, q quits.
            """
        case "pair":
            """
            lapel pair URL [--outbox-dir DIR]

            Pairs this device with the host that printed the URL. The URL works once. From then on recordings are sealed
            to that host's key; the key that the device used before is handed to it and removed here.
            """
        case "unpair":
            """
            lapel unpair [--json] [--outbox-dir DIR]

            Forgets the paired host. Nothing is deleted: what waits stays, sealed to that host's key, and goes once a host
            that holds it is paired. From now on recordings are sealed to a key of this device's own.
            """
        case "key":
            """
            lapel key [show] [--json] [--outbox-dir DIR]
            lapel key export FILE

            Shows the key that recordings are sealed to now, the backup and the key that signs. Export is for a device
            without a host: it writes the key that opens what was recorded so far, for `age -d -i FILE`.
            """
        case "status": "lapel status [--json] [--outbox-dir DIR]"
        case "end": "lapel end [--outbox-dir DIR]\n\nEnds the running turn; what was recorded is kept."
        case "outbox":
            """
            lapel outbox [--json] [--outbox-dir DIR]
            lapel outbox export DIR [--json]

            Export copies everything out, also for a dead host or a dead network, beside a running device.
            """
        case "ledger":
            "lapel ledger [--json] [--outbox-dir DIR]\n\nEvery opening of the microphone, and what it led to."
        case "config":
            """
            lapel config [--json] [--config FILE] [--KEY VALUE …]
            lapel config --template

            The settings in force and where each comes from. The template is a whole lapel.conf that documents every key.
            """
        case "first-start":
            """
            lapel first-start FOLDER [--config FILE]
            lapel first-start --pair
            lapel first-start --report FOLDER

            For the services. Takes FOLDER/lapel.conf and FOLDER/lapel-pair.txt over and removes them; what cannot be used
            stays, is blinked, and FOLDER/lapel-problem.txt says why. --pair pairs by what was taken over, once there
            is a network; --report writes beside it why that was refused.
            """
        case "outputs-off":
            """
            lapel outputs-off [--config FILE] [--lamp LINE] [--motor LINE]

            Sets the lines of lamp and motor inactive. The service runs it after the device has ended in any way: some
            kernels keep a line driven after the program that drove it has died.
            """
        case "doctor":
            """
            lapel doctor [--json] [--config FILE] [--KEY VALUE …]
            lapel doctor --live [--config FILE] [--KEY VALUE …]

            Looks at button, lamp, motor, microphone, card, keys, host, clock and battery, one line each: ✓ all is well,
            ! it works and there is something to know, ✗ it does not work; and what to do. Exit code 1 when there is a ✗.
            Beside a running device its hardware is not touched. Else lamp and motor are on for 0.2 s, and the microphone
            is opened for 1 s to measure it: it says so, the lamp is lit, and the opening stands in the journal as doctor.

              --json         an array of {name, state, text, mend}; state is ok, warning or fault
              --live         shows the button and the microphone's level while somebody tries them. q or Ctrl-C ends it
            """
        case "faults":
            "What the lamp says when it blinks a number:\n\n"
                + Fault.allCases.map { "  \($0.code)\t\($0.description)" }.joined(separator: "\n")
        case "meter":
            """
            lapel meter [--mic FILE.wav] [--once] [--config FILE] [--KEY VALUE …]

              --mic FILE     a file instead of the microphone
              --once         ends with the first end of speech

            Shows level, floor, threshold or probability, what counts as speech, and the time to the end. Nothing is
            recorded; the opening stands in the journal. q or Ctrl-C ends it. Not into a terminal, it prints a line
            for each reading: time, level, floor, threshold or probability, judgement, time to the end, end.
            """
        default: nil  // not a command
        }
    }
}
