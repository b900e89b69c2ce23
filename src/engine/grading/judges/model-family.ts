/** Who makes a model, by how its names begin. Only for cautions: an unknown name has no family. */
const families: readonly (readonly [family: string, names: RegExp])[] = [
  ['OpenAI', /^(chatgpt|gpt|davinci|codex|o[1-9](?![a-z0-9])|text-davinci)/],
  ['Anthropic', /^claude/],
  ['Google', /^(gemini|gemma|palm|bard)/],
  ['Meta', /^(meta-llama|llama|codellama)/],
  ['Mistral', /^(mistral|mixtral|ministral|codestral|magistral|devstral|pixtral)/],
  ['Qwen', /^(qwen|qwq|qvq)/],
  ['DeepSeek', /^deepseek/],
  ['xAI', /^grok/],
  ['Microsoft', /^(phi|mai|wizardlm)/],
  ['Cohere', /^(command|c4ai|aya)/],
  ['Amazon', /^(nova|titan)/],
  ['Zhipu', /^(glm|chatglm)/],
  ['Moonshot', /^(kimi|moonshot)/],
  ['MiniMax', /^(minimax|abab)/],
  ['IBM', /^granite/],
  ['NVIDIA', /^nemotron/],
  ['Ai2', /^(olmo|tulu)/],
  ['01.AI', /^yi(?![a-z])/],
]

/**
 * The family of a model, as its provider, a gateway or a local runtime calls it: `openai/gpt-6-mini`, `us.anthropic.claude-6-v1:0`,
 * `hf.co/Qwen/Qwen3-8B-GGUF`. Null where the name says nothing.
 */
export function modelFamily(name: string): string | null {
  const parts = name.toLowerCase().split(/[/.:\s]+/)
  for (const part of parts) {
    const found = families.find(([, names]) => names.test(part))
    if (found) return found[0]
  }
  return null
}
