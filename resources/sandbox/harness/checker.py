"""Sixth part: the checker."""

import builtins
import sys


class Checker:
    """Runs a task's own tests. Names of the candidate are stand-ins whose calls go out as messages."""

    def __init__(self, channel):
        self.channel = channel
        self.values = Values(self.ask)
        self.calls = 0

    def serve(self):
        """One check and no more: test code can change what the next verdict in this process would be."""
        self.channel.write({'verdict': self.check(self.channel.read())})
        self.channel.read()

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
