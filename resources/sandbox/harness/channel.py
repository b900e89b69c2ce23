"""What runs inside a sandbox: model-written code as the candidate, or a task's own tests as the checker. First of six parts that are
put together to one program: the conversation.

One JSON object a line comes in on standard input and one goes out on standard output. Assay starts one process for the candidate and
another for the checker, and passes calls between them, so a candidate never shares memory with what judges it. All a candidate can
send is a value; it has no message that means "passed".
"""

import os
import sys

if hasattr(sys, 'set_int_max_str_digits'):
    sys.set_int_max_str_digits(0)

try:
    # What `json` is made of, without the regular expressions that take longer to import than most checks take.
    from _json import encode_basestring_ascii, make_scanner
except ImportError:
    import json

    parse, quote = json.loads, json.dumps
else:

    class Scanning:
        strict = True
        object_hook = object_pairs_hook = None
        parse_float, parse_int, parse_constant = float, int, float

    scan, quote = make_scanner(Scanning), encode_basestring_ascii

    def parse(text):
        return scan(text, 0)[0]


def to_text(value):
    """JSON of what `Values.encode` makes: there are no floats in it."""
    if value is None:
        return 'null'
    if value is True:
        return 'true'
    if value is False:
        return 'false'
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, dict):
        return '{' + ','.join([quote(key) + ':' + to_text(item) for key, item in value.items()]) + '}'
    return '[' + ','.join([to_text(item) for item in value]) + ']'


MOST_REPLY = 16 * 1024 * 1024


class Channel:
    """The two ends of the conversation, moved out of the way so that the code sees an empty input and no output."""

    def __init__(self):
        self.source = os.fdopen(os.dup(0), 'r', encoding='utf-8', newline='\n')
        self.sink = os.fdopen(os.dup(1), 'w', encoding='utf-8', newline='\n')
        null_in = os.open(os.devnull, os.O_RDONLY)
        null_out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_in, 0)
        os.dup2(null_out, 1)
        os.dup2(null_out, 2)

    def read(self):
        line = self.source.readline()
        if not line:
            os._exit(0)
        return parse(line)

    def write(self, message):
        text = to_text(message)
        if len(text) > MOST_REPLY:
            text = to_text({'error': {'type': 'TooLarge', 'message': 'The value is larger than 16 MiB as text.'}})
        self.sink.write(text + '\n')
        self.sink.flush()


def serve(role):
    channel = Channel()
    channel.write({'ready': role})
    (Candidate if role == 'candidate' else Checker)(channel).serve()
