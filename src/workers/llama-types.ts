import type { chooseBatch } from './llama-batches.ts'

/** What is used of node-llama-cpp, which is installed on demand and so is not a dependency with types of its own. */

export type Token = number

export interface LlamaModule {
  getLlama(options: {
    readonly build: 'never'
    readonly gpu: false | 'auto' | 'metal' | 'vulkan' | 'cuda'
    readonly maxThreads?: number
    readonly logLevel: 'error'
    readonly logger: (level: string, message: string) => void
    readonly progressLogs: false
    readonly skipDownload: true
  }): Promise<Llama>
  readonly TokenBias: { for(model: LlamaModel): TokenBias }
}

export interface Llama {
  readonly gpu: false | string
  readonly systemInfo: string
  getGpuDeviceNames(): Promise<string[]>
  loadModel(options: { readonly modelPath: string; readonly onLoadProgress: (share: number) => void }): Promise<LlamaModel>
}

export interface LlamaModel {
  readonly trainContextSize: number
  readonly gpuLayers: number
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } } }
  readonly tokens: {
    readonly bos: Token | null
    readonly eos: Token | null
    readonly bosString: string | null
    readonly eosString: string | null
    readonly shouldPrependBosToken: boolean
  }
  tokenize(text: string, specialTokens: boolean): Token[]
  detokenize(tokens: readonly Token[], specialTokens: boolean): string
  createContext(options: {
    /** Of each sequence. */
    readonly contextSize: number
    readonly sequences: number
    readonly batchSize: number
    readonly threads: number
    /** With it, keys and values are rounded to 16 bits whatever their type. */
    readonly flashAttention: false
    readonly batching: { readonly itemPrioritizationStrategy: typeof chooseBatch }
    readonly experimentalKvCacheKeyType: 'F32' | 'F16'
    readonly experimentalKvCacheValueType: 'F32' | 'F16'
  }): Promise<LlamaContext>
}

export interface LlamaContext {
  readonly contextSize: number
  readonly batchSize: number
  readonly currentThreads: number
  readonly idealThreads: number
  readonly kvCacheKeyType: number
  getSequence(options: { readonly contextShift: { readonly size: number } }): LlamaSequence
}

export interface LlamaSequence {
  readonly contextTokens: readonly Token[]
  readonly nextTokenIndex: number
  eraseContextTokenRanges(ranges: readonly { readonly start: number; readonly end: number }[]): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly Token[]): Promise<void>
  evaluate(tokens: readonly Token[], options: SamplerSettings): AsyncGenerator<Token, void>
  controlledEvaluate(
    input: readonly (Token | readonly [Token, { readonly generateNext: TokenWish }])[],
  ): Promise<readonly (undefined | { readonly next: NextToken })[]>
}

/** What is wanted of the token that follows. */
export interface TokenWish {
  readonly token?: true
  /** Its probability among all that the sampler left. */
  readonly confidence?: true
  /** Of all that the sampler left. */
  readonly probabilities?: true
  readonly options: SamplerSettings
}

export interface NextToken {
  /** Null where the sampler left none. */
  readonly token?: Token | null
  readonly confidence?: number
  readonly probabilities?: ReadonlyMap<Token, number>
}

/** What is added to logits before anything is sampled. */
export interface TokenBias {
  set(token: Token, bias: { readonly logit: number }): TokenBias
}

export interface SamplerSettings {
  readonly temperature: number
  readonly topK: number
  readonly topP: number
  readonly minP: number
  readonly seed?: number
  readonly tokenBias?: TokenBias
}
