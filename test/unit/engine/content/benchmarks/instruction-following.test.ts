import { describe, expect, it } from 'vitest'
import { generate } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/generate.ts'
import { everyday } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/everyday.ts'
import { knowledge } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/knowledge.ts'
import { languages } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/languages.ts'
import { moreSentences } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/more-sentences.ts'
import { questions } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/questions.ts'
import { work } from '../../../../../src/engine/content/benchmarks/bundled/instruction-following/topics/work.ts'
import { instructionChecker } from '../../../../../src/engine/grading/scorers/ifeval/instructions.ts'

const { tasks } = generate(20_261_101)
const english = [...everyday, ...work, ...knowledge, ...questions]

const Instructions = (metadata: Readonly<Record<string, unknown>>) => {
  // Made by the generator above, of these types.
  const ids = metadata['instruction_id_list'] as readonly string[]
  const kwargs = metadata['kwargs'] as readonly Readonly<Record<string, unknown>>[]
  return ids.map((id, i) => ({ id, kwargs: kwargs[i] ?? {} }))
}

describe('instruction following', () => {
  it('has tasks around each of the 25 kinds, with one to three different instructions', () => {
    const kinds = new Set(tasks.flatMap(task => Instructions(task.metadata).map(({ id }) => id)))
    expect(kinds.size).toBe(25)
    const counts = Map.groupBy(tasks, task => Instructions(task.metadata).length)
    expect(new Set(counts.keys())).toEqual(new Set([1, 2, 3]))
    for (const group of counts.values()) expect(group.length).toBeGreaterThan(60)
    for (const task of tasks) {
      const ids = Instructions(task.metadata).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('states the arguments of each instruction in the prompt', () => {
    for (const { id, fields, metadata } of tasks) {
      for (const { kwargs } of Instructions(metadata)) {
        for (const [name, value] of Object.entries(kwargs)) {
          if (['relation', 'let_relation', 'capital_relation', 'language', 'nth_paragraph', 'prompt_to_repeat'].includes(name)) continue
          for (const part of Array.isArray(value) ? value : [value]) {
            expect([id, fields['prompt']?.toLowerCase().includes(String(part).toLowerCase())]).toEqual([id, true])
          }
        }
      }
    }
  })

  it('breaks the instruction that a task is built around in its wrong answer', () => {
    for (const { id, metadata } of tasks) {
      const wrong = String(metadata['wrong_output'])
      expect([id, Instructions(metadata).some(({ id: kind, kwargs }) => !instructionChecker(kind, kwargs)(wrong))]).toEqual([id, true])
      expect(wrong).not.toContain('\n')
    }
  })

  it('has topics whose sentences fit the rules that the generator relies on', () => {
    for (const { request, sentences, keywords, absent } of english) {
      const text = [...sentences, ...moreSentences].join(' ').toLowerCase()
      expect(request).not.toContain(',')
      for (const sentence of [...sentences, ...moreSentences]) expect(sentence).toMatch(/^[A-Z][A-Za-z ]+\.$/)
      for (const keyword of keywords) expect(sentences.join(' ').toLowerCase()).toContain(keyword)
      for (const word of absent) expect(text).not.toMatch(new RegExp(`\\b${word}\\b`))
    }
    for (const { sentences } of languages) for (const sentence of sentences) expect(sentence).not.toMatch(/,|\..+\./)
  })

  it('is another form under another seed', () => {
    const asked = new Set(tasks.map(task => task.fields['prompt']))
    expect(generate(7).tasks.filter(task => asked.has(task.fields['prompt'])).length).toBeLessThan(20)
  })
})
