"""Runs a command until it ends, or until standard input is closed.

Whoever starts it holds the other end of that pipe. The system closes it when they are gone, however they went: so a
server on this leash cannot outlive the tests it was started for.
"""

import signal
import subprocess
import sys
import threading


def main(command: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the holder; the pipe tells us the rest
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def end_when_alone() -> None:
        sys.stdin.buffer.read()
        process.terminate()

    threading.Thread(target=end_when_alone, daemon=True).start()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
