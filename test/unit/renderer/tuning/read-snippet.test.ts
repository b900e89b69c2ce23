import { describe, expect, it } from 'vitest'
import { readSnippet } from '../../../../src/renderer/tuning/read-snippet.ts'
import { cpuMsOf, slowness } from '../../../support/machine-speed.ts'

const nothing = { model: null, effort: null, temperature: null, maxOutputTokens: null, systemPrompt: null, promptTemplate: null }

describe('a snippet of a model call', () => {
  it('in Python gives model, settings, system prompt and the template of its one variable', () => {
    const snippet = `
SYSTEM = """You sort tickets.
Answer with one word."""

def sort(ticket):
    return client.chat.completions.create(
        model="gpt-6-mini",
        temperature=0.2,
        max_tokens=64,
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
      maxOutputTokens: 64,
      systemPrompt: 'You sort tickets.\nAnswer with one word.',
      promptTemplate: 'Sort this ticket: {input}',
    })
  })

  it.each([
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
    ['joined texts', 'call(model="m", prompt="Sort: " + ticket + "!")', { model: 'm', promptTemplate: 'Sort: {input}!' }],
    ['texts side by side', 'call(instructions=("One. " "Two."), input=question)', { systemPrompt: 'One. Two.' }],
    ['format()', 'call(prompt="Sort {ticket}".format(ticket=t))', { promptTemplate: 'Sort {input}' }],
  ])('in %s', (_, snippet, found) => {
    expect(readSnippet(snippet)).toMatchObject(found)
  })

  it.each([
    ['a computed model', 'call(model=choose(speed), temperature=warmth)'],
    ['two variables', 'call(prompt=f"{question} {context}")'],
    ['a changed text', 'call(prompt="a {input} b".upper())'],
    ['a comparison', 'if model == "gpt-6": pass'],
    ['words that only end so', 'my_model = "x"; top_temperature = 1'],
    ['nothing', ''],
  ])('leaves %s open', (_, snippet) => {
    expect(readSnippet(snippet)).toEqual(nothing)
  })

  it('is read in time even where it is hostile', async () => {
    const hostile = `${'"'.repeat(9_000)}${'role: "user", content: '.repeat(300)}${'a = a + '.repeat(600)}`
    expect(await cpuMsOf(() => readSnippet(hostile))).toBeLessThan(500 * slowness())
  })
})
