"""What runs inside a sandbox: model-written code as the candidate, or a task's own tests as the checker.

One JSON object a line comes in on standard input and one goes out on standard output. Assay starts one process for the candidate and
another for the checker, and passes calls between them, so a candidate never shares memory with what judges it. All a candidate can
send is a value; it has no message that means "passed".
"""

import builtins
import io
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
MOST_OUTPUT = 8 * 1024 * 1024


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


class Values:
    """Values as JSON. What has no plain form stays where it is and travels as a number that stands for it."""

    def __init__(self, remote=None):
        self.kept = []
        self.remote = remote

    def encode(self, value):
        if value is None or value is True or value is False:
            return value
        if isinstance(value, int):
            number = int(value)
            return number if abs(number) < 2**53 else {'t': 'int', 'v': str(number)}
        if isinstance(value, float):
            return {'t': 'float', 'v': repr(float(value))}
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, complex):
            return {'t': 'complex', 'v': [repr(value.real), repr(value.imag)]}
        if isinstance(value, (bytes, bytearray)):
            return {'t': 'bytes', 'v': bytes(value).hex()}
        for kind in (list, tuple, set, frozenset):
            if isinstance(value, kind):
                return {'t': kind.__name__, 'v': [self.encode(item) for item in kind.__iter__(value)]}
        if isinstance(value, dict):
            return {'t': 'dict', 'v': [[self.encode(key), self.encode(item)] for key, item in dict.items(value)]}
        if isinstance(value, Remote):
            return {'t': 'ref', 'v': object.__getattribute__(value, '_place')}
        encoded = self.encode_library(value)
        if encoded is not None:
            return encoded
        self.kept.append(value)
        return {'t': 'object', 'v': len(self.kept) - 1, 'type': type(value).__name__, 'callable': callable(value)}

    def encode_library(self, value):
        kind = type(value)
        if kind.__module__ == 'datetime' and kind.__name__ in ('datetime', 'date', 'time'):
            return {'t': kind.__name__, 'v': value.isoformat()}
        if kind.__module__ == 'decimal' and kind.__name__ == 'Decimal':
            return {'t': 'decimal', 'v': str(value)}
        if kind.__module__ == 'fractions' and kind.__name__ == 'Fraction':
            return {'t': 'fraction', 'v': str(value)}
        if kind is range:
            return {'t': 'range', 'v': [value.start, value.stop, value.step]}
        return None

    def decode(self, value):
        if not isinstance(value, dict):
            return value
        kind, inner = value['t'], value['v']
        if kind == 'int':
            return int(inner)
        if kind == 'float':
            return float(inner)
        if kind == 'complex':
            return complex(float(inner[0]), float(inner[1]))
        if kind == 'bytes':
            return bytes.fromhex(inner)
        if kind in ('list', 'tuple', 'set', 'frozenset'):
            return {'list': list, 'tuple': tuple, 'set': set, 'frozenset': frozenset}[kind](self.decode(item) for item in inner)
        if kind == 'dict':
            return {self.decode(key): self.decode(item) for key, item in inner}
        if kind == 'ref':
            return self.kept[inner]
        if kind == 'object':
            return Remote(self.remote, inner, value.get('type', 'object'))
        return self.decode_library(kind, inner)

    def decode_library(self, kind, inner):
        if kind in ('datetime', 'date', 'time'):
            import datetime

            return getattr(datetime, kind).fromisoformat(inner)
        if kind == 'decimal':
            import decimal

            return decimal.Decimal(inner)
        if kind == 'fraction':
            import fractions

            return fractions.Fraction(inner)
        if kind == 'range':
            return range(*inner)
        raise ValueError('unknown kind of value: ' + str(kind))


class RemoteError(Exception):
    """The candidate raised something; `kind` is its type's name."""


class Remote:
    """An object that stays with the candidate. It is equal to itself and to nothing else, whatever its own `__eq__` says."""

    def __init__(self, ask, place, kind):
        object.__setattr__(self, '_ask', ask)
        object.__setattr__(self, '_place', place)
        object.__setattr__(self, '_kind', kind)

    def __call__(self, *args, **kwargs):
        return _ask_of(self, 'call', args=args, kwargs=kwargs)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return _ask_of(self, 'get', name=name)

    def __setattr__(self, name, value):
        _ask_of(self, 'set', name=name, args=(value,))

    def __iter__(self):
        return iter(_ask_of(self, 'iterate'))

    def __bool__(self):
        return _ask_of(self, 'truth')

    def __len__(self):
        return len(_ask_of(self, 'iterate'))

    def __getitem__(self, key):
        return _ask_of(self, 'item', args=(key,))

    def __eq__(self, other):
        return isinstance(other, Remote) and object.__getattribute__(self, '_place') == object.__getattribute__(other, '_place')

    def __hash__(self):
        return hash(object.__getattribute__(self, '_place'))

    def __repr__(self):
        return '<' + str(object.__getattribute__(self, '_kind')) + ' of the candidate>'


def _ask_of(remote, op, **more):
    return object.__getattribute__(remote, '_ask')(op, {'t': 'ref', 'v': object.__getattribute__(remote, '_place')}, **more)


def describe(error):
    try:
        message = str(error)[:500]
    except BaseException:
        message = ''
    return {'type': type(error).__name__, 'message': message}


class Candidate:
    """Runs model-written code and answers with values."""

    def __init__(self, channel):
        self.channel = channel
        self.values = Values()
        self.module = None

    def serve(self):
        while True:
            command = self.channel.read()
            try:
                reply = getattr(self, 'do_' + command['op'])(command)
            except BaseException as error:
                reply = {'error': describe(error)}
            self.channel.write(reply)

    def do_load(self, command):
        self.module = type(sys)('candidate')
        sys.modules['candidate'] = self.module
        exec(compile(command['source'], '<candidate>', 'exec'), self.module.__dict__)
        return {'value': None}

    def do_lookup(self, command):
        """Which of the names the code has defined or imported."""
        return {'value': [name for name in command['names'] if name in self.module.__dict__]}

    def do_call(self, command):
        target = self.target(command)
        args = [self.values.decode(value) for value in command.get('args', [])]
        kwargs = {name: self.values.decode(value) for name, value in command.get('kwargs', {}).items()}
        return {'value': self.values.encode(target(*args, **kwargs))}

    def do_get(self, command):
        return {'value': self.values.encode(getattr(self.target(command), command['name']))}

    def do_set(self, command):
        setattr(self.target(command), command['name'], self.values.decode(command['args'][0]))
        return {'value': None}

    def do_item(self, command):
        return {'value': self.values.encode(self.target(command)[self.values.decode(command['args'][0])])}

    def do_truth(self, command):
        return {'value': bool(self.target(command))}

    def do_iterate(self, command):
        return {'value': self.values.encode(list(self.target(command)))}

    def target(self, command):
        target = command['target']
        if isinstance(target, dict):
            return self.values.decode(target)
        found = self.module
        for part in target.split('.'):
            found = found() if part == '' else getattr(found, part)
        return found

    def do_run(self, command):
        """A whole program: reads standard input to the end, writes standard output."""
        with open('stdin.txt', 'w', encoding='utf-8', newline='') as file:
            file.write(command['stdin'])
        source = os.open('stdin.txt', os.O_RDONLY)
        sink = os.open('stdout.txt', os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(source, 0)
        os.dup2(sink, 1)
        os.close(source)
        sys.stdin = io.TextIOWrapper(os.fdopen(os.dup(0), 'rb'), encoding='utf-8')
        sys.stdout = io.TextIOWrapper(os.fdopen(os.dup(1), 'wb'), encoding='utf-8', write_through=False)
        error = None
        try:
            exec(compile(command['source'], '<candidate>', 'exec'), {'__name__': '__main__', '__builtins__': builtins})
        except SystemExit as end:
            if end.code not in (None, 0):
                error = describe(end)
        except BaseException as failure:
            error = describe(failure)
        try:
            sys.stdout.flush()
        except BaseException:
            pass
        size = os.lseek(sink, 0, os.SEEK_END)
        os.lseek(sink, 0, os.SEEK_SET)
        text = os.read(sink, MOST_OUTPUT).decode('utf-8', 'replace')
        os.close(sink)
        sys.stdout = io.StringIO()
        return {'value': {'stdout': text, 'cut': size > MOST_OUTPUT, 'error': error}}


class Checker:
    """Runs a task's own tests. Names of the candidate are stand-ins whose calls go out as messages."""

    def __init__(self, channel):
        self.channel = channel
        self.values = Values(self.ask)
        self.calls = 0

    def serve(self):
        while True:
            command = self.channel.read()
            self.calls = 0
            self.values = Values(self.ask)
            self.channel.write({'verdict': self.check(command)})

    def ask(self, op, target, name=None, args=(), kwargs=None):
        self.calls += 1
        if self.calls > 200000:
            raise RuntimeError('the tests made more than 200,000 calls')
        message = {'op': op, 'target': target, 'args': [self.values.encode(value) for value in args]}
        if name is not None:
            message['name'] = name
        if kwargs:
            message['kwargs'] = {key: self.values.encode(value) for key, value in kwargs.items()}
        self.channel.write({'ask': message})
        reply = self.channel.read()
        if 'error' in reply:
            raise exception_like(reply['error'])
        return self.values.decode(reply['value'])

    def function(self, name):
        return lambda *args, **kwargs: self.ask('call', name, args=args, kwargs=kwargs)

    def check(self, command):
        """Runs `prelude`, puts stand-ins for the candidate's names beside what it defines, runs `tests`."""
        space = {'__name__': 'tests'}
        step = 0
        try:
            if command['prelude']:
                exec(compile(command['prelude'], '<prelude>', 'exec'), space)
            for name in command['names']:
                self.stand_in(name, name == command['entry'], space)
            for test in command['tests']:
                exec(compile(test, '<tests>', 'exec'), space)
                step += 1
        except AssertionError as error:
            return {'passed': False, 'tests': step, 'kind': 'assertion', 'message': str(error)[:500] or source_line(error, command['tests'])}
        except BaseException as error:
            return {'passed': False, 'tests': step, 'kind': 'error', 'message': (type(error).__name__ + ': ' + str(error))[:500]}
        return {'passed': True, 'tests': step, 'kind': 'passed', 'message': ''}

    def stand_in(self, name, is_entry, space):
        """Only the name under test may take another's place: a candidate does not get to say what `set` or `math` means."""
        if is_entry:
            space[name] = self.function(name)
        elif name in getattr(sys, 'stdlib_module_names', ()):
            space.setdefault(name, __import__(name))
        elif name not in space and not hasattr(builtins, name):
            space[name] = self.function(name)


def source_line(error, tests):
    """The assertion that failed, as written."""
    trace = error.__traceback__
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == '<tests>':
            line = trace.tb_lineno
        trace = trace.tb_next
    for test in tests:
        lines = test.split('\n')
        if line is not None and line <= len(lines) and 'assert' in lines[line - 1]:
            return lines[line - 1].strip()[:300]
    return ''


def exception_like(error):
    """The candidate's exception as one of the same built-in type, so that tests which expect one see it."""
    kind = getattr(builtins, str(error.get('type')), None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, AssertionError):
        try:
            return kind(error.get('message', ''))
        except Exception:
            pass
    return RemoteError(str(error.get('type')) + ': ' + str(error.get('message', '')))


def serve(role):
    channel = Channel()
    channel.write({'ready': role})
    (Candidate if role == 'candidate' else Checker)(channel).serve()
