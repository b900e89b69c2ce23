import { describe, expect, test } from 'vitest'
import { readSnippet } from '../../../../src/renderer/tuning/read-snippet.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

const nothing = {
  model: null,
  effort: null,
  temperature: null,
  topP: null,
  seed: null,
  maxOutputTokens: null,
  stop: null,
  systemPrompt: null,
  promptTemplate: null,
}

describe('a snippet of a model call', () => {
  test('in Python gives model, settings, system prompt and the template of its one variable', () => {
    const snippet = `
SYSTEM = """You sort tickets.
Answer with one word."""

def sort(ticket):
    return client.chat.completions.create(
        model="gpt-6-mini",
        temperature=0.2,
        top_p=0.9,
        seed=42,
        max_tokens=64,
        stop=["\\n\\n", 'END',],
        reasoning_effort="low",
        messages=[
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": f"Sort this ticket: {ticket}"},
        ],
    )`
    expect(readSnippet(snippet)).toEqual({
      model: 'gpt-6-mini',
      effort: 'low',
      temperature: 0.2,
      topP: 0.9,
      seed: 42,
      maxOutputTokens: 64,
      stop: ['\n\n', 'END'],
      systemPrompt: 'You sort tickets.\nAnswer with one word.',
      promptTemplate: 'Sort this ticket: {input}',
    })
  })

  test.each([
    [
      'TypeScript',
      "await generateText({ model: openai('gpt-6'), temperature: 0, maxOutputTokens: 1_000, system: 'Be brief.\\nNo jokes.', prompt: `Sum: ${row.text}` })",
      { model: 'gpt-6', temperature: 0, maxOutputTokens: 1000, systemPrompt: 'Be brief.\nNo jokes.', promptTemplate: 'Sum: {input}' },
    ],
    [
      'curl',
      `curl https://api.example.com/v1/messages -d '{"model": "claude-5", "max_tokens": 10, "system": "Say \\"no\\".", "messages": [{"role": "user", "content": "Translate {input}"}]}'`,
      { model: 'claude-5', maxOutputTokens: 10, systemPrompt: 'Say "no".', promptTemplate: 'Translate {input}' },
    ],
    ['a seed of something else', 'random.seed(1)\nseed = 42\ndata.shuffle(seed=42)\ncall(model="m")', { model: 'm', seed: null }],
    ['a seed beside the model', 'shuffle(seed=3)\nfetch({"seed": 7, "model": "m"})', { model: 'm', seed: 7 }],
    ['one stop text', 'STOP = "###"\ncall(model="m", stop=STOP)', { model: 'm', stop: ['###'] }],
    ['stop sequences', 'ask({ model: "m", stopSequences: ["a", `b`] })', { model: 'm', stop: ['a', 'b'] }],
    ['a body with stop sequences', `curl x -d '{"model": "m", "stop_sequences": ["\\n", "Q:"]}'`, { stop: ['\n', 'Q:'] }],
    ['joined texts', 'call(model="m", prompt="Sort: " + ticket + "!")', { model: 'm', promptTemplate: 'Sort: {input}!' }],
    ['texts side by side', 'call(instructions=("One. " "Two."), input=question)', { systemPrompt: 'One. Two.' }],
    ['format()', 'call(prompt="Sort {ticket}".format(ticket=t))', { promptTemplate: 'Sort {input}' }],
    ['comments between arguments', 'call(\n  model="m",  # not "n"\n  max_tokens=64,  // was 128\n)', { model: 'm', maxOutputTokens: 64 }],
    [
      'raw and escaped texts',
      String.raw`call(system=r"a\d", prompt="\x41\u00e9\U0001F600 \u{1F600} {input}")`,
      { systemPrompt: 'a\\d', promptTemplate: 'Aé😀 😀 {input}' },
    ],
    [
      'lines that end as on Windows',
      'SYSTEM = """One.\r\nTwo."""\r\ncall(model="m",\r\n  system=SYSTEM)',
      { model: 'm', systemPrompt: 'One.\nTwo.' },
    ],
    ['other scripts', 'call(system="日本語で", prompt=f"翻訳: {текст}")', { systemPrompt: '日本語で', promptTemplate: '翻訳: {input}' }],
    [
      'messages whose role comes last',
      '[{"content": "Sum.", "role": "system"}, {"content": "It: {input}", "role": "user"}]',
      { systemPrompt: 'Sum.', promptTemplate: 'It: {input}' },
    ],
    [
      'a shell over several lines',
      `curl https://a.b/v1 \\\n  -d '{\n "model": "m",\n "temperature": 0.5,\n "system": "It'\\''s"\n}'`,
      { model: 'm', temperature: 0.5, systemPrompt: 'It’s' },
    ],
    [
      'without semicolons',
      'const system = "Be brief"\nconst answer = await ask({ model: "m", system })',
      { model: 'm', systemPrompt: 'Be brief' },
    ],
  ])('in %s', (_, snippet, found) => {
    expect(readSnippet(snippet)).toMatchObject(found)
  })

  test.each([
    ['a computed model', 'call(model=choose(speed), temperature=warmth)'],
    ['two variables', 'call(prompt=f"{question} {context}")'],
    ['a changed text', 'call(prompt="a {input} b".upper())'],
    ['a comparison', 'if model == "gpt-6": pass'],
    ['words that only end so', 'my_model = "x"; top_temperature = 1'],
    ['nothing', ''],
    ['a comment', '# model="old", temperature=0.1\n// max_tokens: 5\n/* system: "x" */'],
    ['code inside a text', `call(note='Reply as JSON: {"model": "x", "temperature": 0.3, "system": "y"} please')`],
    ['two models', 'embed(model="embedding-3", input=text)\nchat(model="gpt-6")'],
    ['a choice', 'call(model="gpt-6" if fast else "gpt-6-mini", temperature=0.7 if x else 0, system: a ? "b" : "c")'],
    ['the other half of a choice', 'call(small ? model : "gpt-6")'],
    ['arithmetic', 'call(max_tokens=64 * 2, temperature=1 - t)'],
    ['the name of a variable', 'call(model=os.getenv("MODEL"), temperature=float("0.2"))'],
    ['a text that is added to', 'system = "One."\nsystem += " Two."\ncall(system=system)'],
    ['a text that is built', 'call({ system: `a ${list.map(x => `<${x}>`)} b`, prompt: "Sort %s" % ticket })'],
    ['a format of Python', 'call(prompt=f"Price: {price:.2f}")'],
    ['escapes that languages read differently', String.raw`call(system="a\d", prompt="\N{BULLET} {input}")`],
    [
      'a conversation with examples',
      '[{"role":"user","content":"a {input}"},{"role":"assistant","content":"b"},{"role":"user","content":"c {input}"}]',
    ],
    ['two system messages', '[{"role":"system","content":"a"},{"role":"developer","content":"b"}]'],
    ['names of other alphabets', 'ümodel = "x"; приmodel = "y"'],
    ['a number that no call takes', 'call(max_tokens=0, temperature=3)'],
    ['stop texts that are computed', 'call(stop=[end, "b"])'],
    ['more stop texts than a call takes', 'call(stop=["a", "b", "c", "d", "e"])'],
    ['two lists of stop texts', 'a(stop=["a"]); b(stop=["b"])'],
    ['an arrow function', 'const f = model => "gpt-6"'],
    ['what is cut off within a text', `${' '.repeat(19_980)}\nsystem("model = 'x', temperature=0.5, and more of it")`],
  ])('leaves %s open', (_, snippet) => {
    expect(readSnippet(snippet)).toEqual(nothing)
  })

  test.each([
    `${'"'.repeat(9_000)}${'role: "user", content: '.repeat(300)}${'a = a + '.repeat(600)}`,
    `prompt = ${'a + '.repeat(4_000)}"x"`,
    'a = "x" + a + a + a\nprompt = a + a + a\n'.repeat(400),
    `${'{('.repeat(4_000)}${'role="user", '.repeat(700)}`,
    `${"'''".repeat(3_000)}${'`${'.repeat(3_000)}`,
    '/*'.repeat(5_000) + '\\'.repeat(9_000),
    `model = ${'a.'.repeat(4_000)}${'"\\'.repeat(3_000)}`,
  ])('is read in time even where it is hostile: %#', async snippet => {
    expect(await cpuMsOf(() => readSnippet(snippet))).toBeLessThan(500 * slowness())
  })
})
