"""Fifth part: the candidate."""

import builtins
import io
import os
import sys

MOST_OUTPUT = 8 * 1024 * 1024

# What the module `site` adds, which is not imported here.
builtins.exit = builtins.quit = sys.exit
BUILTINS = dict(builtins.__dict__)
HARNESS = sys.modules['__main__']


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
        self.program = None
        self.compiling = None
        self.folder = os.getcwd() + os.sep
        if sys.platform == 'emscripten':
            stand_in_for_devices(self.folder)

    def serve(self):
        while True:
            command = self.channel.read()
            try:
                reply = getattr(self, 'do_' + command['op'])(command)
            except BaseException as error:
                reply = {'error': self.reason(error)}
            self.channel.write(reply)

    def reason(self, error):
        """What was raised, and the module or version of Python that the sandbox lacks where that is why."""
        module = None
        try:
            if self.compiling is not None:
                minor = newer_grammar(self.compiling) if isinstance(error, SyntaxError) else None
                module = label(minor) if minor else None
            elif self.program:
                module = self.program.lacks(error)
        except BaseException:
            pass
        return describe(error) if module is None else {**describe(error), 'module': module}

    def do_load(self, command):
        self.module = type(sys)('candidate')
        sys.modules['candidate'] = self.module
        scope = self.module.__dict__
        exec(compile(command.get('prelude', ''), '<prelude>', 'exec'), scope)
        absent = command.get('absent', ())
        self.compiling = command['source']
        try:
            self.program = Program(command['source'], absent)
        except SyntaxError:
            if 'otherwise' not in command or newer_grammar(command['source']):
                raise
            self.compiling = command['otherwise']
            self.program = Program(command['otherwise'], absent)
        self.compiling = None
        self.program.run(scope, command.get('entry'))
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
        """A whole program: reads standard input to the end, writes standard output. It begins as if nothing had run before."""
        builtins.__dict__.clear()
        builtins.__dict__.update(BUILTINS)
        text = command['stdin'].encode()
        with open(self.folder + 'stdin.txt', 'wb') as file:
            file.write(text)
        place(self.folder + 'stdin.txt', os.O_RDONLY, 0)
        place(self.folder + 'stdout.txt', os.O_RDWR | os.O_CREAT | os.O_TRUNC, 1)
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.open(0, 'rb', closefd=False), encoding='utf-8')
        sys.stdout = sys.__stdout__ = own = io.TextIOWrapper(io.open(1, 'wb', closefd=False), encoding='utf-8', write_through=False)
        main = sys.modules['__main__'] = type(sys)('__main__')
        scope = main.__dict__
        scope['__builtins__'] = builtins
        error = None
        try:
            exec(compile(command.get('prelude', ''), '<prelude>', 'exec'), scope)
            self.compiling = command['source']
            self.program = Program(command['source'], command.get('absent', ()))
            self.compiling = None
            if sys.platform == 'emscripten' and 'threading' in command['source']:
                run_threads_at_once()
            self.program.run(scope)
        except SystemExit:
            pass
        except BaseException as failure:
            error = self.reason(failure)
            self.compiling = None
        finish()
        for stream in (sys.stdout, own):
            try:
                stream.flush()
            except BaseException:
                pass
        # Files that it left open are written when they are let go.
        scope.clear()
        sys.modules['__main__'] = HARNESS
        output = os.open(self.folder + 'stdout.txt', os.O_RDONLY)
        text = os.read(output, MOST_OUTPUT).decode('utf-8', 'replace')
        size = os.lseek(output, 0, os.SEEK_END)
        os.close(output)
        sys.stdout = io.StringIO()
        return {'value': {'stdout': text, 'cut': size > MOST_OUTPUT, 'error': error}}


def place(path, flags, number):
    """The file as this descriptor, which the code before may have closed."""
    opened = os.open(path, flags, 0o600)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def stand_in_for_devices(folder):
    """In WebAssembly these are the conversation's own ends; the Linux tier makes the same links when it sets its root up."""
    for name in ('stdin', 'stdout'):
        os.unlink('/dev/' + name)
        os.symlink(folder + name + '.txt', '/dev/' + name)


def run_threads_at_once():
    """WebAssembly has no threads. Programs start one for its deeper stack and wait for it, so that it can as well run where it starts."""
    import threading

    threading.Thread.start = lambda self: self.run()
    threading.Thread.join = lambda self, timeout=None: None
    threading.stack_size = lambda size=0: 0


def finish():
    """What an interpreter does at its end: waits for threads, then calls what was registered."""
    try:
        threading = sys.modules.get('threading')
        for thread in threading.enumerate() if threading else ():
            if thread is not threading.current_thread() and not thread.daemon:
                thread.join()
        if 'atexit' in sys.modules:
            sys.modules['atexit']._run_exitfuncs()
    except BaseException:
        pass
