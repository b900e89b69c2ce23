"""Third part: what code needs a newer Python for than the one that runs it.

Grammar: code that does not compile is written again in older constructs, version by version. The first version whose constructs make it
compile is the one that it needs; a mistake that no version accepts remains. Library: the table of what each version added.
"""

import sys

ONLY_TREE = 0x400
LATEST = 15
# Attributes of modules and of built-in types, functions' keywords (`name=`), built-in names (without a module).
ADDED = {
    9: 'math.lcm math.nextafter math.ulp random.randbytes functools.cache str.removeprefix str.removesuffix bytes.removeprefix '
    'ast.unparse asyncio.to_thread typing.Annotated',
    10: 'itertools.pairwise int.bit_count zip.strict= bisect.key= bisect_left.key= bisect_right.key= insort.key= insort_left.key= '
    'insort_right.key= dataclass.slots= dataclass.kw_only= statistics.covariance statistics.correlation statistics.linear_regression '
    'typing.TypeAlias typing.ParamSpec typing.Concatenate typing.TypeGuard types.NoneType types.UnionType types.EllipsisType '
    'contextlib.aclosing contextlib.nullcontext aiter anext EncodingWarning',
    11: 'math.cbrt math.exp2 operator.call datetime.UTC typing.Self typing.Never typing.LiteralString typing.assert_never '
    'typing.assert_type typing.reveal_type typing.TypeVarTuple typing.Unpack typing.NotRequired typing.Required enum.StrEnum '
    'enum.ReprEnum enum.verify enum.member enum.nonmember asyncio.TaskGroup asyncio.Runner asyncio.timeout asyncio.Barrier '
    'contextlib.chdir string.Template.get_identifiers hashlib.file_digest ExceptionGroup BaseExceptionGroup',
    12: 'itertools.batched math.sumprod random.binomialvariate typing.override typing.TypeAliasType calendar.Month calendar.Day',
    13: 'copy.replace math.fma batched.strict= typing.ReadOnly typing.TypeIs typing.NoDefault warnings.deprecated queue.ShutDown '
    'statistics.kde statistics.kde_random replace.count= PythonFinalizationError',
    14: 'heapq.heapify_max heapq.heappush_max heapq.heappop_max heapq.heapreplace_max heapq.heappushpop_max map.strict= '
    'functools.Placeholder operator.is_none operator.is_not_none uuid.uuid6 uuid.uuid7 uuid.uuid8 string.templatelib',
}
MODULES = {'zoneinfo': 9, 'graphlib': 9, 'tomllib': 11, 'annotationlib': 14, 'compression': 14}
BRACKETS = {'(': ')', '[': ']', '{': '}'}
PREFIXES = ('r', 'b', 'u', 'f', 't', 'br', 'rb', 'fr', 'rf', 'tr', 'rt')


def label(minor):
    return 'Python 3.' + str(minor)


def newer_name(name):
    """The version that added a name of the table, where it is newer than this one."""
    for minor, names in ADDED.items():
        if name in names.split() and minor > sys.version_info[1]:
            return minor
    return MODULES.get(name, 0) if MODULES.get(name, 0) > sys.version_info[1] else None


def newer_library(error, source):
    """The version for want of which this error of the library was raised. The code must name what it lacks."""
    words = str(error).replace('"', "'").split("'")
    quoted = words[1::2]
    names = []
    if isinstance(error, ModuleNotFoundError):
        names = [str(error.name), str(error.name).split('.')[0]]
    elif isinstance(error, ImportError) and len(quoted) > 1:
        names = [quoted[1] + '.' + quoted[0]]
    elif isinstance(error, AttributeError) and len(quoted) > 1:
        names = [quoted[0] + '.' + quoted[1]]
    elif isinstance(error, NameError) and quoted:
        names = [quoted[0]]
    elif isinstance(error, TypeError):
        names = refused_keywords(str(error), quoted, source)
    for name in names:
        minor = newer_name(name)
        if minor and name.rstrip('=').split('.')[-1] in source:
            return minor
    if isinstance(error, TypeError):
        # `list[int]`, `int | None`, `{} | {}`: as annotations and values.
        if "'type' object is not subscriptable" in str(error) and sys.version_info < (3, 9):
            return 9
        if "for |: 'dict' and 'dict'" in str(error) and sys.version_info < (3, 9):
            return 9
        if sys.version_info < (3, 10) and "for |: " in str(error) and quoted[:1] and quoted[0] in ('type', 'NoneType', 'types.GenericAlias'):
            return 10
    return None


def refused_keywords(message, quoted, source):
    """`zip() takes no keyword arguments`, `'key' is an invalid keyword argument for bisect_left()`, and `got an unexpected keyword …`."""
    called = [word.split('(')[0].split('.')[-1] for word in message.split() if '()' in word]
    if 'takes no keyword arguments' in message:
        keywords = [word for word in ('strict', 'count', 'key') if word + '=' in source.replace(' ', '')]
    else:
        keywords = quoted[:1] if 'keyword argument' in message else []
    return [name + '.' + keyword + '=' for name in called[:1] for keyword in keywords if name.replace('__init__', '')]


def newer_grammar(source):
    """The version whose grammar accepts code that this one refuses; None where none does, or where its grammar is not what is wrong."""
    try:
        compile(source, '<candidate>', 'exec', ONLY_TREE, dont_inherit=True)
        return None
    except (SyntaxError, ValueError):
        pass
    for minor in range(sys.version_info[1] + 1, LATEST + 1):
        try:
            older = Rewriting(minor).rewritten(source)
            if older != source:
                compile(older, '<candidate>', 'exec', dont_inherit=True)
                return minor
        except (SyntaxError, ValueError, IndexError, RecursionError, MemoryError):
            pass
    return None


def opening(text, at):
    """The prefix of a string that begins here; None where none does."""
    end = at
    while end < len(text) and end - at < 3 and text[end].isalpha():
        end += 1
    prefix = text[at:end].lower()
    return prefix if end < len(text) and text[end] in '\'"' and (prefix == '' or prefix in PREFIXES) else None


class Rewriting:
    """Writes the constructs of versions up to one as older ones, which mean something else and compile where the original is right."""

    def __init__(self, minor):
        self.minor = minor
        self.has_match = False

    def has(self, version):
        return sys.version_info[1] < version <= self.minor

    def string(self, text, at, prefix):
        """Where the string that begins here ends, and the expressions in it."""
        at += len(prefix)
        quote = text[at] * 3 if text[at : at + 3] == text[at] * 3 else text[at]
        at += len(quote)
        formatted = 'f' in prefix or 't' in prefix
        found = []
        while not text.startswith(quote, at):
            if at >= len(text) or (text[at] == '\n' and len(quote) == 1):
                raise SyntaxError('unterminated string')
            if text[at] == '\\':
                # A backslash hides no brace.
                at += 1 if formatted and text[at + 1 : at + 2] in ('{', '}') else 2
            elif formatted and text[at] == '{' and text[at + 1 : at + 2] != '{':
                at = self.field(text, at + 1, found, quote)
            elif formatted and text[at] in '{}':
                if text[at + 1 : at + 2] != text[at]:
                    raise SyntaxError('single brace')
                at += 2
            else:
                at += 1
        return at + len(quote), found

    def field(self, text, at, found, quote):
        """A replacement field up to its closing brace."""
        start = at
        depth = 0
        while depth or text[at] not in '}:' and not (text[at] == '!' and text[at + 1] != '='):
            prefix = opening(text, at) if not (text[at - 1].isalnum() or text[at - 1] == '_') else None
            if prefix is not None:
                at, _ = self.string(text, at, prefix)
                continue
            depth += (text[at] in '([{') - (text[at] in ')]}')
            at += 1
        expression = text[start:at].rstrip()
        if expression.endswith('=') and expression[-2:-1] not in ('=', '!', '<', '>'):
            expression = expression[:-1]
        if not expression.strip():
            raise SyntaxError('empty field')
        found.append(expression)
        if text[at] == '!':
            if text[at + 1] not in 'rsa':
                raise SyntaxError('conversion')
            at += 2
        if text[at] == ':':
            at += 1
            while text[at] != '}':
                if text[at] == '\n' and len(quote) == 1:
                    raise SyntaxError('unterminated format')
                at = self.field(text, at + 1, found, quote) if text[at] == '{' else at + 1
        if text[at] != '}':
            raise SyntaxError('unterminated field')
        return at + 1

    def tokens(self, text):
        """Words, strings, marks and blanks, all of the text."""
        at = 0
        while at < len(text):
            prefix = opening(text, at)
            start = at
            if prefix is not None:
                at, found = self.string(text, at, prefix)
                is_new = self.has(14) if 't' in prefix else self.has(12) and 'f' in prefix
                if is_new:
                    for expression in found:
                        inner = self.rewritten('(' + expression.strip() + '\n)')
                        compile(inner, '<field>', 'eval', ONLY_TREE, dont_inherit=True)
                yield "''" if is_new else text[start:at]
            elif text[at].isalnum() or text[at] == '_':
                while at < len(text) and (text[at].isalnum() or text[at] == '_'):
                    at += 1
                yield text[start:at]
            elif text[at] == '#':
                while at < len(text) and text[at] != '\n':
                    at += 1
            else:
                at += 2 if text[at : at + 2] in ('\\\n', ':=', '==', '**', '->', '!=', '<=', '>=') else 1
                yield text[start:at]

    def rewritten(self, source):
        lines = [[]]
        depth = 0
        for token in self.tokens(source.replace('\r\n', '\n')):
            depth += (token in BRACKETS) - (token in BRACKETS.values())
            lines[-1].append(token)
            if token == '\n' and depth <= 0:
                lines.append([])
        return ''.join(self.line(line) for line in lines)

    def line(self, tokens):
        """One logical line."""
        first = next((i for i, token in enumerate(tokens) if token.strip()), None)
        if first is None:
            return ''.join(tokens)
        words = [i for i in range(first, len(tokens)) if tokens[i].strip() and tokens[i] != '\\\n']
        texts = [tokens[i] for i in words] + [''] * 3
        start = 1 if texts[0] == 'async' else 0
        if self.has(9) and texts[0] == '@':
            return ''.join(tokens[:first]) + '@x\n'
        if self.has(9) and texts[start] == 'with' and texts[start + 1] == '(' and tokens[words[-1]] == ':':
            close = closing(tokens, words[start + 1])
            if close == words[-2]:
                tokens[words[start + 1]] = tokens[close] = ' '
        if self.has(10) and texts[0] == 'match' and tokens[words[-1]] == ':' and texts[1] != ':':
            self.has_match = True
            tokens[first] = 'if ('
            tokens[words[-1]] = '):'
        if self.has(10) and self.has_match and texts[0] == 'case' and texts[1] not in ('=', '.', ':', ''):
            colon = next((i for i in words if tokens[i] == ':' and depth_at(tokens, i) == 0), None)
            if colon is not None:
                return ''.join(tokens[:first]) + 'if 1' + ''.join(tokens[colon:])
        if self.has(11) and texts[0] == 'except' and texts[1] == '*':
            tokens[words[1]] = ' '
        if self.has(11):
            for i in words:
                if tokens[i] == '*' and starred_index(tokens, i):
                    tokens[i] = ' '
        if self.has(12) and texts[0] == 'type' and (texts[1][:1].isalpha() or texts[1][:1] == '_') and texts[2] in ('=', '['):
            tokens[first] = ''
            if first + 1 < len(tokens):
                tokens[first + 1] = tokens[first + 1].lstrip(' ')
            self.without_parameters(tokens, words[2])
        if (self.has(12) or self.has(13)) and texts[start] in ('def', 'class'):
            self.without_parameters(tokens, words[start + 2] if len(words) > start + 2 else 0)
        if self.has(14) and texts[0] == 'except' and texts[1] != '(' and 'as' not in texts:
            colon = next((i for i in words if tokens[i] == ':'), 0)
            listed = [i for i in words if tokens[i] == ',' and i < colon and depth_at(tokens, i) == 0]
            # Python 2 wrote the name of the error here.
            names = [tokens[i] for i in words[1:] if i < colon and tokens[i][:1].isalpha()]
            if listed and names and not names[-1].islower():
                tokens[words[0]] += ' ('
                tokens[colon] = '):'
        if self.has(15) and texts[0] == 'lazy' and texts[1] in ('import', 'from'):
            tokens[first] = ''
            tokens[first + 1] = ''
        if self.has(15):
            for i in words:
                if tokens[i] in ('*', '**') and spread_comprehension(tokens, i):
                    tokens[i] = ' '
        return ''.join(tokens)

    def without_parameters(self, tokens, at):
        """Type parameters in brackets; a default needs 3.13."""
        if tokens[at] != '[':
            return
        close = closing(tokens, at)
        if any(tokens[i] == '=' and depth_at(tokens, i) == 1 for i in range(at, close)) and not self.has(13) and sys.version_info < (3, 13):
            return
        compile('x(' + parameters(tokens[at + 1 : close]) + ')', '<parameters>', 'eval', ONLY_TREE, dont_inherit=True)
        for i in range(at, close + 1):
            tokens[i] = ''


def parameters(tokens):
    """Type parameters as arguments of a call: `T: int = str` is `T=(int, str)`."""
    text = ''.join(tokens)
    named = [part.strip() for part in split_at(text, ',')]
    made = []
    for part in named:
        name = part.replace(':', '=').split('=')[0].strip().lstrip('*')
        if part and not name.isidentifier():
            raise SyntaxError('type parameter')
        made.append(', '.join('(' + piece.strip().lstrip('*') + '\n)' for piece in part.replace(':', '=').split('=')))
    return ', '.join(piece for piece in made if piece != '(\n)')


def split_at(text, mark):
    parts = ['']
    depth = 0
    for char in text:
        depth += (char in BRACKETS) - (char in BRACKETS.values())
        if char == mark and depth == 0:
            parts.append('')
        else:
            parts[-1] += char
    return parts


def closing(tokens, at):
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i] in BRACKETS) - (tokens[i] in BRACKETS.values())
        if depth == 0:
            return i
    raise SyntaxError('bracket')


def enclosing(tokens, at):
    """The bracket that this place is in; None where it is in none."""
    depth = 0
    for i in range(at - 1, -1, -1):
        depth += (tokens[i] in BRACKETS.values()) - (tokens[i] in BRACKETS)
        if depth < 0:
            return i
    return None


def depth_at(tokens, at):
    before = tokens[:at]
    return sum(token in BRACKETS for token in before) - sum(token in BRACKETS.values() for token in before)


def before(tokens, at):
    return next((tokens[i] for i in range(at - 1, -1, -1) if tokens[i].strip()), '')


def starred_index(tokens, at):
    """`a[*b]`, and `def f(*args: *b)`"""
    bracket = enclosing(tokens, at)
    if bracket is not None and tokens[bracket] == '(' and before(tokens, at) == ':' and 'def' in tokens[:bracket]:
        return True
    if bracket is None or tokens[bracket] != '[' or before(tokens, at) not in ('[', ','):
        return False
    owner = before(tokens, bracket)
    return owner in (')', ']') or owner[:1].isalpha() or owner[:1] == '_'


def spread_comprehension(tokens, at):
    """`[*x for x in y]`"""
    bracket = enclosing(tokens, at)
    if bracket is None or before(tokens, at) != tokens[bracket]:
        return False
    close = closing(tokens, bracket)
    return any(tokens[i] == 'for' and enclosing(tokens, i) == bracket for i in range(at, close))
