"""Second part: values, and objects that stay with the candidate."""


MOST_DECIMALS = 20000


def whole(text):
    """A whole number in hexadecimal. Decimals take a time that grows with the square of their length, so only short ones are read."""
    if text.lstrip('-').startswith('0x'):
        return int(text, 16)
    if len(text) > MOST_DECIMALS:
        raise ValueError('a whole number of ' + str(len(text)) + ' decimals')
    return int(text)


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
            return number if abs(number) < 2**53 else {'t': 'int', 'v': hex(number)}
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
        if isinstance(value, Absent):
            use(value)
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
            return {'t': 'fraction', 'v': [hex(value.numerator), hex(value.denominator)]}
        if kind is range:
            return {'t': 'range', 'v': [value.start, value.stop, value.step]}
        return None

    def decode(self, value):
        if not isinstance(value, dict):
            return value
        kind, inner = value['t'], value['v']
        if kind == 'int':
            return whole(inner)
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

            return fractions.Fraction(whole(inner[0]), whole(inner[1]))
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
