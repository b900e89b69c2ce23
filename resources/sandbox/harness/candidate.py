"""Third part: the candidate."""

import builtins
import io
import os
import sys

MOST_OUTPUT = 8 * 1024 * 1024


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
