# terminal.py COLUMNS COMMAND... - runs it with a terminal of that width for stderr, and prints what that gets to see
import fcntl
import os
import struct
import subprocess
import sys
import termios

ours, theirs = os.openpty()
fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
child = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
seen = b""
while True:
    try:
        more = os.read(ours, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
sys.stdout.buffer.write(seen)
sys.exit(child.wait())
