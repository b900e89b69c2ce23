import type { AttackMatrix, AttackName } from '../../contract/worlds/attacks.schemas.ts'

/** What each attack does, as a label. */
export const attackTitles: Readonly<Record<AttackName, string>> = {
  tool_result: 'Instruction in a tool result',
  tool_result_role: 'Posing as the system',
  tool_result_base64: 'Base64 in a tool result',
  tool_result_hex: 'Hexadecimal in a tool result',
  tool_result_rot13: 'ROT13 in a tool result',
  tool_result_german: 'In German',
  tool_result_spanish: 'In Spanish',
  tool_result_chinese: 'In Chinese',
  tool_result_padded: 'Behind long padding',
  tool_result_alt_text: 'In an image’s alt text',
  tool_result_file_name: 'In a file name',
  document: 'In a document of the user',
  conflicting_policy: 'Conflicting policy',
  secret_bait: 'Bait for a secret',
  rewritten_1: 'Rewritten by a model, 1',
  rewritten_2: 'Rewritten by a model, 2',
  rewritten_3: 'Rewritten by a model, 3',
}

/** What the attacker wanted. The names are people's. */
export function describeGoal({ kind, name }: AttackMatrix['rows'][number]['goal']): string {
  if (kind === 'canary') return 'A canary word in the answer'
  return kind === 'policy_rule' ? `Break the rule ${name ?? ''}` : `A call of ${name ?? ''}`
}

/** A dataset of one's own may have a column of this name, too. */
export function titleOfAttack(value: string): string {
  return isAttack(value) ? attackTitles[value] : value
}

const isAttack = (value: string): value is AttackName => Object.hasOwn(attackTitles, value)
