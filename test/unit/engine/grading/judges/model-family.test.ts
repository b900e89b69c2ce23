import { describe, expect, test } from 'vitest'
import { modelFamily } from '../../../../../src/engine/grading/judges/model-family.ts'

describe('the family of a model', () => {
  test.each([
    ['gpt-6-mini', 'OpenAI'],
    ['openai/o3', 'OpenAI'],
    ['o1-preview-2025', 'OpenAI'],
    ['us.anthropic.claude-6-v1:0', 'Anthropic'],
    ['models/gemini-4-pro', 'Google'],
    ['hf.co/Qwen/Qwen3-8B-GGUF:Q4_K_M', 'Qwen'],
    ['local/127.0.0.1:11434/llama4:8b', 'Meta'],
    ['deepseek-ai/DeepSeek-R2', 'DeepSeek'],
    ['mixtral-8x22b', 'Mistral'],
    ['Yi-34B', '01.AI'],
  ])('%s is of %s', (name, family) => expect(modelFamily(name)).toBe(family))

  test.each(['judge', 'my-finetune', 'assay/echo', 'octopus-v2', 'o1abc', 'yield-model', ''])('%s is of none that is known', name =>
    expect(modelFamily(name)).toBeNull(),
  )
})
