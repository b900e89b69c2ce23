/** What the service and the process of a loaded model tell each other. */

export interface LlamaLoad {
  readonly kind: 'load'
  /** `node_modules` of the runtime. */
  readonly modules: string
  readonly backend: 'cpu' | 'metal' | 'vulkan' | 'cuda'
  /** First file of the model; null only tries the runtime. */
  readonly modelPath: string | null
  /** Tokens of each sequence, at most. */
  readonly contextTokens: number
  readonly sequences: number
  readonly cacheType: 'f32' | 'f16'
  readonly threads: number
}

export interface LlamaGenerate {
  readonly kind: 'generate'
  readonly id: number
  /** Rendered by the file’s own template; a text is continued as it is. */
  readonly prompt: string | readonly { readonly role: string; readonly content: string }[]
  readonly temperature: number
  readonly seed: number
  readonly maxOutputTokens: number
  readonly stop: readonly string[]
}

export interface LlamaMeasure {
  readonly kind: 'measure'
  readonly id: number
  readonly context: string
  readonly continuations: readonly string[]
}

export type ToLlama = LlamaLoad | LlamaGenerate | LlamaMeasure | { readonly kind: 'cancel'; readonly id: number }

export interface LlamaFacts {
  readonly backend: string
  readonly devices: readonly string[]
  readonly threads: number
  readonly contextTokens: number
  readonly batchTokens: number
  readonly gpuLayers: number
  readonly hasTemplate: boolean
}

export interface LlamaGenerated {
  readonly kind: 'generated'
  readonly id: number
  /** As it was evaluated. */
  readonly prompt: string
  readonly promptTokens: number
  readonly output: string
  readonly outputTokens: number
  readonly finishReason: 'stop' | 'length'
}

export interface LlamaMeasured {
  readonly kind: 'measured'
  readonly id: number
  readonly promptTokens: number
  readonly items: readonly {
    /** Sum over the continuation’s tokens, in nats. */
    readonly logprob: number
    readonly isGreedy: boolean
    readonly tokens: number
  }[]
}

export interface LlamaFailed {
  readonly kind: 'failed'
  /** Null: loading failed. */
  readonly id: number | null
  readonly code: 'context_exceeded' | 'bad_request' | 'provider_failure' | 'cancelled'
  readonly message: string
}

/** What was computed so far, and what the process holds. */
export interface LlamaFigures {
  readonly kind: 'figures'
  readonly promptTokens: number
  readonly promptMs: number
  readonly generatedTokens: number
  readonly generatedMs: number
  readonly memoryBytes: number
}

export type FromLlama =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'loaded'; readonly facts: LlamaFacts }
  | LlamaGenerated
  | LlamaMeasured
  | LlamaFailed
  | LlamaFigures
