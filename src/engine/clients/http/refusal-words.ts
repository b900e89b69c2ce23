/** What the words of a refusal say of the call: the key is not taken, the prompt or answer is not allowed, the model is not there. */
export type RefusalWords = 'credential_refused' | 'content_filtered' | 'model_not_found'

/** OpenAI, Google (`API_KEY_INVALID`, 400), Anthropic, xAI (400 “Incorrect API key provided”), Z.AI 1000 to 1004. */
const keyWords =
  /^(?:invalid_?api_?key|api_?key_?(?:invalid|expired|disabled)|authentication_error|unauthenticated|invalid_authentication(?:_error)?|token_expired|expired_token|unrecognizedclientexception|expiredtokenexception)$/i
const key = String.raw`(?:api[ _-]?key|access[ _-]?(?:key|token)|auth(?:entication|orization)?[ _-]?(?:key|token)|bearer token|secret key)`
const bad = String.raw`(?:invalid|incorrect|wrong|expired?|revoked|disabled|deactivated|deleted|inactive|malformed|unknown|not (?:valid|found|active|recognized)|no longer valid)`
const keySentence = new RegExp(
  String.raw`\b${key}\b[^.]{0,60}\b${bad}\b|\b${bad}\b[^.]{0,30}\b${key}\b|\b(?:account|organization|project|workspace)\b[^.]{0,40}\b(?:deactivated|disabled|suspended|terminated)\b|\blogin fail\b`,
  'i',
)

/** OpenAI, Azure (`ResponsibleAIPolicyViolation`), Qwen (`DataInspectionFailed`), Kimi, OpenRouter. */
const filterWords =
  /^(?:content_filter(?:ed)?|content_policy_violation|responsibleaipolicyviolation|data_?inspection_?failed|prompt_blocked|cyber_policy|bio_policy|moderation(?:_error)?)$/i
const filterSentence =
  /\b(?:content management policy|content filter(?:ing)?(?: policy)?|content exists risk|considered high risk|inappropriate content|input was flagged|(?:violates?|blocked by) (?:our |the )?(?:usage|content) (?:polic(?:y|ies)|guidelines)|invalid prompt:[^.]*flagged)\b|敏感内容/i

/** OpenAI, Groq, Mistral, Together, Azure; OpenRouter (400). */
const modelWords = /^(?:model_not_found|model_decommissioned|model_not_available|invalid_model|deploymentnotfound)$/i
const modelSentence = /\b(?:is not a valid model id|model [`'"]?\S{1,200} (?:has been (?:decommissioned|retired)|does not exist))\b/i

/** Null where the words say none of it. */
export function refusalWords(word: string, text: string): RefusalWords | null {
  if (filterWords.test(word) || filterSentence.test(text)) return 'content_filtered'
  if (keyWords.test(word) || keySentence.test(text)) return 'credential_refused'
  return modelWords.test(word) || modelSentence.test(text) ? 'model_not_found' : null
}
