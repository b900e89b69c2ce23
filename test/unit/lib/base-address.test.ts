import { describe, expect, test } from 'vitest'
import { meantBaseUrl, otherBaseUrls } from '../../../src/lib/base-address.ts'

describe('a pasted address', () => {
  test.each([
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
    [' https://api.example.com/v1/ ', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
    ['https://api.example.com/v1/chat/completions/', 'https://api.example.com/v1'],
    ['https://api.example.com/openai/v1/models', 'https://api.example.com/openai/v1'],
    ['https://api.example.com/v1/responses?tenant=a', 'https://api.example.com/v1?tenant=a'],
    ['https://api.example.com/v1/chat', 'https://api.example.com/v1'],
    ['https://api.example.com//v1//Chat/Completions#try', 'https://api.example.com/v1'],
    ['localhost:8000', 'http://localhost:8000/v1'],
    ['api.example.com/v1/models', 'https://api.example.com/v1'],
    ['https://res.openai.azure.com', 'https://res.openai.azure.com/openai/v1'],
    ['https://res.openai.azure.com/openai', 'https://res.openai.azure.com/openai/v1'],
    [
      'https://res.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2025-01-01-preview',
      'https://res.openai.azure.com/openai/deployments/gpt-4o?api-version=2025-01-01-preview',
    ],
    [
      'https://res.openai.azure.com/openai/deployments/gpt-4o',
      'https://res.openai.azure.com/openai/deployments/gpt-4o?api-version=2024-10-21',
    ],
    ['https://res.openai.azure.com/openai/responses?api-version=2025-04-01-preview', 'https://res.openai.azure.com/openai/v1'],
    ['https://res.services.ai.azure.com/openai/v1/', 'https://res.services.ai.azure.com/openai/v1'],
    ['https://gateway.example/openai/deployments/gpt-4o', 'https://gateway.example/openai/deployments/gpt-4o?api-version=2024-10-21'],
    ['https://api.example.com/v1/v1', 'https://api.example.com/v1'],
    ['https://api.groq.com', 'https://api.groq.com/openai/v1'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1'],
    ['https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta/openai'],
    ['https://bedrock-runtime.us-east-1.amazonaws.com', 'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1'],
    ['http://localhost:11434/api/chat', 'http://localhost:11434/v1'],
    ['http://localhost:8000/docs', 'http://localhost:8000/v1'],
    ['http://0.0.0.0:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['[::1]:8080', 'http://[::1]:8080/v1'],
    ['box.local:8000', 'http://box.local:8000/v1'],
    ['"https://api.example.com/v1"', 'https://api.example.com/v1'],
    ['OPENAI_BASE_URL=https://api.example.com/v1', 'https://api.example.com/v1'],
    ['curl https://api.example.com/v1/chat/completions \\', 'https://api.example.com/v1'],
    ['See https://api.example.com/v1.', 'https://api.example.com/v1'],
  ])('%s means %s', (pasted, meant) => {
    expect(meantBaseUrl(pasted, 'openai_chat')).toBe(meant)
    expect(meantBaseUrl(meant, 'openai_chat')).toBeNull()
  })

  test.each([
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/api/chat', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
  ])('%s of Ollama means %s', (pasted, meant) => {
    expect(meantBaseUrl(pasted, 'ollama')).toBe(meant)
  })

  test.each([
    ['https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta'],
    [
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent',
      'https://generativelanguage.googleapis.com/v1beta',
    ],
  ])('%s of Gemini means %s', (pasted, meant) => {
    expect(meantBaseUrl(pasted, 'gemini')).toBe(meant)
    expect(meantBaseUrl(meant, 'gemini')).toBeNull()
  })

  test('begins with a known provider’s and is completed from it', () => {
    const known = ['https://llm.example/tenant/a/v1']
    expect(meantBaseUrl('https://llm.example', 'openai_chat', known)).toBe('https://llm.example/tenant/a/v1')
    expect(meantBaseUrl('https://llm.example/tenant/a/v1', 'openai_chat', known)).toBeNull()
    expect(meantBaseUrl('https://llm.example/other', 'openai_chat', known)).toBeNull()
  })

  test('of Anthropic’s protocol beside another has its version', () => {
    expect(meantBaseUrl('https://api.deepseek.com/anthropic', 'anthropic_messages')).toBe('https://api.deepseek.com/anthropic/v1')
  })

  test('of Gemini loses the key in its query', () => {
    expect(meantBaseUrl('https://generativelanguage.googleapis.com/v1beta/models/m:generateContent?key=x', 'gemini')).toBe(
      'https://generativelanguage.googleapis.com/v1beta',
    )
  })

  test.each(['', 'nonsense', 'ftp://example.com', 'https://api.example.com/v1', 'https://api.example.com/api/v3'])(
    '%s is left alone',
    text => {
      expect(meantBaseUrl(text, 'openai_chat')).toBeNull()
    },
  )

  test('of an agent card is left alone', () => {
    expect(meantBaseUrl('https://agent.example/', 'agent_to_agent')).toBeNull()
  })
})

test('other addresses are of the same origin and begin with what was meant', () => {
  const others = otherBaseUrls('https://api.example.com/v1/chat/completions', 'openai_chat', ['https://api.example.com/inference/v1'])
  expect(others.slice(0, 2)).toEqual(['https://api.example.com/v1', 'https://api.example.com/inference/v1'])
  expect(others.every(address => new URL(address).origin === 'https://api.example.com')).toBe(true)
})
