/**
 * Runs a task's queries inside the sandbox, each in a copy of its databases in memory, and compares their rows. In our own words:
 *
 * Spider's test suite (taoyds/test-suite-sql-eval at 14784c3, `exec_eval.py`): rows are equal as bags, in order only where the gold query
 * says `order by`, under some order of the columns; `DISTINCT` is dropped from both unless it is kept; `> =` is read as `>=`; bytes that
 * are not UTF-8 are left out. Where upstream tries orders of columns one by one, from a random sample of rows, the same orders are found
 * by what the columns hold.
 * BIRD (AlibabaResearch/DAMO-ConvAI, `bird/llm/src/evaluation.py`): the sets of the rows are equal, columns in order.
 */
export const sqlRunner = `
import re
import sqlite3

_state = {}

def _copy(source, lenient):
    copy = sqlite3.connect(':memory:')
    source.backup(copy)
    if lenient:
        copy.text_factory = lambda value: value.decode(errors='ignore')
    copy.execute('pragma temp_store = memory')
    copy.set_authorizer(lambda action, *_: sqlite3.SQLITE_DENY if action in (sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH) else sqlite3.SQLITE_OK)
    return copy

def _rows(source, query, lenient):
    copy = _copy(source, lenient)
    try:
        return copy.execute(query).fetchall()
    finally:
        copy.close()

_TOKENS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\`[^\`]*\`|\\[[^\\]]*\\]|--[^\\n]*|/\\*.*?\\*/|;|\\w+|.""", re.S)

def _without_distinct(query):
    """The first statement, as sqlparse gives it, without the word."""
    kept = []
    for token in _TOKENS.findall(query):
        if token.lower() != 'distinct':
            kept.append(token)
        if token == ';' and ''.join(kept).strip() != ';':
            break
    return ''.join(kept)

def _prepared(query):
    if _state['rule'] == 'bird':
        return query
    query = query.replace('> =', '>=').replace('< =', '<=').replace('! =', '!=')
    if not _state['keep_distinct']:
        query = _without_distinct(query)
    return query

def _run(query):
    lenient = _state['rule'] == 'spider'
    if lenient:
        query = re.sub(r'YEAR\\s*\\(\\s*CURDATE\\s*\\(\\s*\\)\\s*\\)\\s*', '2020', query, flags=re.IGNORECASE)
    return [_rows(source, query, lenient) for source in _state['databases']]

def set_up(rule, keep_distinct, databases):
    _state.update(rule=rule, keep_distinct=keep_distinct, databases=[])
    for text in databases:
        source = sqlite3.connect(':memory:')
        source.executescript(text)
        source.commit()
        _state['databases'].append(source)

def ask_gold(query):
    query = _prepared(query)
    _state['ordered'] = 'order by' in query.lower()
    _state['gold'] = _run(query)

def ask_answer(query):
    _state['answer'] = _run(_prepared(query))

def compare():
    """What differs: nothing, or the number of a database with how many rows and columns the query gives and should."""
    same = _same_sets if _state['rule'] == 'bird' else _equivalent
    for number, (gold, answer) in enumerate(zip(_state['gold'], _state['answer'])):
        if not same(gold, answer):
            shape = lambda rows: [len(rows), len(rows[0]) if rows else 0]
            return [number + 1, *shape(answer), *shape(gold)]
    return []

def _same_sets(gold, answer):
    wanted = set(gold)
    # Whoever answers does not decide how much memory the comparison takes.
    return all(row in wanted for row in answer) and len(set(answer)) == len(wanted)

def _bag(rows):
    counts = {}
    for row in rows:
        counts[row] = counts.get(row, 0) + 1
    return counts

def _loose(row):
    return tuple(sorted(row, key=lambda value: str(value) + str(type(value))))

def _equivalent(gold, answer):
    if not gold and not answer:
        return True
    if len(gold) != len(answer) or len(gold[0]) != len(answer[0]):
        return False
    wanted = {value for row in gold for value in row}
    if not all(value in wanted for row in answer for value in row):
        return False
    loose_gold, loose_answer = [_loose(row) for row in gold], [_loose(row) for row in answer]
    if loose_gold != loose_answer if _state['ordered'] else set(loose_gold) != set(loose_answer):
        return False
    own, given = list(zip(*gold)), list(zip(*answer))
    if _state['ordered']:
        return _bag(own) == _bag(given)
    return _order_exists(own, given, [()] * len(gold), [()] * len(answer))

def _order_exists(own, given, left, right):
    """Whether the given columns can be put in an order in which the rows are the same bag; the columns before are placed already."""
    if not own:
        return True
    column, rest = own[0], own[1:]
    left = list(zip(left, column))
    wanted = _bag(left)
    tried = set()
    for at, candidate in enumerate(given):
        if candidate in tried:
            continue
        tried.add(candidate)
        placed = list(zip(right, candidate))
        if _bag(placed) == wanted and _order_exists(rest, given[:at] + given[at + 1:], left, placed):
            return True
    return False
`
