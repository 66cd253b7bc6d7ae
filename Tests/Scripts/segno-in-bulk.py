#!/usr/bin/env python3
"""Draws a code for every line of standard input with segno, for `make bench PARTS=print`.

usage: segno-in-bulk.py FORMAT

Prints the processor seconds of the drawing, without the start of Python. The codes are those that
cliptag draws beside it: level Q, no Micro QR, 8 pixels a module in PNG, four modules of quiet zone.
"""
import io
import sys
import time

import segno

(form,) = sys.argv[1:]
urls = sys.stdin.read().split()
start = time.process_time()
for url in urls:
    code = segno.make(url, error="q", boost_error=False, micro=False)
    code.save(io.BytesIO(), kind=form, scale=8 if form == "png" else 1, border=4)
print(time.process_time() - start)
