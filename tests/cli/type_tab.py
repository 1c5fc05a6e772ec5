#!/usr/bin/env python3
"""type_tab.py FOLDER LINE - types LINE and a tab into zsh, with FOLDER/xray.zsh for xray; prints what the line became, word by word"""
import os
import pty
import select
import sys
import time

folder, line = sys.argv[1:]
os.makedirs(folder + "/functions", exist_ok=True)
with open(folder + "/xray.zsh") as script, open(folder + "/functions/_xray", "w") as function:
    function.write(script.read())

START = (
    "PS1='' RPS1=''; unsetopt zle_bracketed_paste prompt_cr prompt_sp; fpath=('%s/functions' $fpath); autoload -U compinit; "
    "compinit -u -d '%s/zcompdump'; "
    "show() { print -r -- \"<<$BUFFER>>\" }; zle -N show; bindkey '^X' show; print -r -- READ''Y\n" % (folder, folder)
)


def read_until(terminal, end, patience):
    seen, last = b"", time.monotonic() + patience
    while end not in seen and time.monotonic() < last:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536)
    return seen


child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="dumb")
    os.execlp("zsh", "zsh", "-f", "-i")
os.write(terminal, START.encode())
read_until(terminal, b"READY", 20)
os.write(terminal, (line + "\t\x18").encode())
seen = read_until(terminal, b">>", 20).decode(errors="replace")
os.close(terminal)
for word in seen.rsplit("<<", 1)[-1].split(">>")[0].replace("=", " ").split():
    print(word)
