import { describe, expect, test } from 'vitest'
import { compileTemplate, jinja, nunjucks } from '../../../../../src/engine/importing/templates/template.ts'
import { TemplateError } from '../../../../../src/engine/importing/templates/template-error.ts'

const values = { question: ' hi ', choices: ['a', "it's"], answer: 1, nested: { x: { y: 2 } }, ok: true, none: null, half: 0.5 }
const render = (source: string, dialect = jinja) => compileTemplate(source, dialect).render(values)

describe('a template as lm-evaluation-harness fills it', () => {
  // What Jinja2 with StrictUndefined and keep_trailing_newline gives.
  test.each([
    ['Q: {{question.strip()}}\nA:\n', 'Q: hi\nA:\n'],
    ['{{choices[answer]}}{{choices[-1]}}', "it'sit's"],
    ['{{choices}} {{ok}} {{none}} {{half}} {{nested}}', `['a', "it's"] True None 0.5 {'x': {'y': 2}}`],
    ["{{choices|join(', ')}}", "a, it's"],
    ['{% for c in choices %}{{loop.index}}. {{c}}{% if not loop.last %}; {% endif %}{% endfor %}', "1. a; 2. it's"],
    ['{{ ["A","B"][answer] }}{{ {"k": "v"}["k"] }}', 'Bv'],
    ['{{question|trim|upper}} {{answer + 1}} {{7 // 2}} {{ "x" if ok else "y" }}', 'HI 2 3 x'],
    ['{% set n = nested["x"].y %}{{n}}{{choices.index("a")}}', '20'],
    ['{{[False, True].index(1)}}{{[1, 0].index(false)}}', '11'],
    ['{{ ["A", "B"][ok] }}{{ ok - 1 }}{{ {0: "x", 1: "y"}[ok] }}', 'B0y'],
    ['{% if missing is defined %}1{% else %}0{% endif %}{{ missing|default("d") }}', '0d'],
    ['{{ question | replace("hi", "$&") }}{# a remark #}', ' $& '],
    ['{{ "a-a-a".replace("a", "b", 2) }}{{ "aaa" | replace("a", "$", 1) }}{{ "x: y: z".split(": ", 1) }}', "b-b-a$aa['x', 'y: z']"],
    ['{{ "x"|int }}{{ ""|int(7) }}{{ " 3 "|int + 1 }}{{ "2.9"|int }}', '0742'],
    ['{{ ["b", "A", "c"]|sort|join }}{{ "they\'re (so-so)"|title }}', "AbcThey're (So-So)"],
    ['{{ none|default("d") }}{{ none|default("d", true) }}', 'Noned'],
    ['{% for i in range(choices|length) -%}{{i}}{{choices[i]}};{% endfor %}{{range(5, 1, -2)|join}}', "0a;1it's;53"],
    ["{{[nested, nested]|map(attribute='x.y')|list}}", '[2, 2]'],
    ['{{ choices[:1] }}{{ "a" in choices }}{{ not ok }}', "['a']TrueFalse"],
  ])('%s', (source, expected) => expect(render(source)).toBe(expected))

  test.each([
    ['{{missing}}', '"missing" is missing'],
    ['{{nested.nope.x}}', '"nope" is missing'],
    ['{{question.constructor}}', '"constructor" is missing'],
    ['{{question|shuffle}}', 'the filter "shuffle" is not read'],
    ['{{question.encode()}}', 'the method "encode" is not read'],
    ['{{range(1000000000)}}', 'counts to 10000 at most'],
    ['{{range(0, 4, 0)}}{{range("x")}}', 'takes one to three whole numbers'],
    ['{{lipsum()}}', 'the function "lipsum" is not read'],
    ["{{[nested]|map(attribute='z')|list}}", '"z" is missing'],
    ["{{choices|map('upper')|list}}", 'with an attribute in quotes only'],
    ['{% macro f() %}{% endmacro %}', '"Macro" is not in the part'],
    ['{{ question', 'it is no template'],
    ['{{ answer + question }}', 'are not both numbers'],
    ['{{ nested|join }}{{ answer.strip() }}', '"strip": a text is needed'],
    ['{% for c in answer %}{% endfor %}', 'a list is needed, not 1'],
    ['{{ question.split("") }}', 'the separator is empty'],
    ['{{ none[:1] }}', 'a list is needed, not None'],
    ['{{ 1 in answer }}', 'a list is needed, not 1'],
  ])('%s is refused', (source, message) => {
    expect(() => render(source)).toThrow(TemplateError)
    expect(() => render(source)).toThrow(message)
  })

  test('ends where it would take too long or grow too large', () => {
    const many = Array.from({ length: 700 }, (_, i) => i)
    const nested = '{% for a in l %}{% for b in l %}x{% endfor %}{% endfor %}'
    expect(() => compileTemplate(nested, jinja).render({ l: many })).toThrow('too many steps')
    const growing = `{% set s = t %}${'{% set s = s ~ s %}'.repeat(24)}{{ s }}`
    expect(() => compileTemplate(growing, jinja).render({ t: 'x'.repeat(1000) })).toThrow('too long')
  })
})

describe('as promptfoo fills it', () => {
  const values = {
    name: 'Anna',
    n: '7',
    num: 7,
    none: [],
    list: ['a', 'b'],
    flags: [true, null],
    object: { k: 1 },
    title: 'mary-jane o neil',
  }
  test.each([
    ['{{ name.length }} {{ list.length }}{% if list.length > 1 %} many{% endif %}', '4 2 many'],
    ['{% if none %}an empty list is true{% endif %}', 'an empty list is true'],
    ['{{ list }} {{ flags }} {{ object }}', 'a,b true, {"k":1}'],
    ['{{ flags | join("-") }} {{ (num == 7) ~ "!" }} {{ (num > 3) | string }}', 'true- true! true'],
    ['{{ n == 7 }} {{ n != 8 }} {{ num == "7" }} {{ 6 / 3 }}', 'true true true 2'],
    ['[{{ list[-1] }}{{ list[5] }}]{{ list[1] }}', '[]b'],
    // Of the values a loop has its own; what the template has set, and what an outer loop goes over, is that around it.
    ['{% for x in list %}{% set name = x %}{{ name }}{% endfor %}|{{ name }}', 'ab|Anna'],
    ['{% for x in list %}{{ name }}{% set name = x %}{% endfor %}', 'Annaa'],
    ['{% for x in list %}{% for y in list %}{% set x = y %}{% endfor %}{{ x }}{% endfor %}', 'bb'],
    ['{% set name = 1 %}{% for x in list %}{% set name = name + 1 %}{% endfor %}{{ name }}', '3'],
    ['{% set s = "" %}{% for x in list %}{% set s = s ~ x %}{% set t = x %}{% endfor %}{{ s }}[{{ t }}{{ x }}{{ loop }}]', 'ab[]'],
    ['{% for x in list %}{{ loop.revindex }}{{ loop.revindex0 }} {% endfor %}', '21 10 '],
    ['{% for x in object %}{{ x }}{% endfor %}{% for k, v in object %}{{ k }}{{ v }}{% endfor %}', 'k1'],
    ['{{ title | title }}', 'Mary-jane O Neil'],
  ])('%s is as in JavaScript', (template, text) => {
    expect(compileTemplate(template, nunjucks).render(values)).toBe(text)
  })
})

test('as promptfoo fills it, a missing name prints as nothing', () => {
  expect(render('[{{missing}}] {{choices}} {{ok}}', nunjucks)).toBe(`[] a,it's true`)
  // As JavaScript indexes, where true is no number.
  expect(render('[{{ ["A", "B"][ok] }}] {{ {1: "one", "true": "yes"}[ok] }}', nunjucks)).toBe('[] yes')
  const unwritable = { object: { toString: 1, valueOf: 1 }, list: ['a'] }
  expect(compileTemplate('[{{ list[object] }}{{ object[object] }}]', nunjucks).render(unwritable)).toBe('[]')
})
