const digitNames = ['零〇○', '一壹幺', '二贰貳两兩', '三叁參', '四肆', '五伍', '六陆陸', '七柒', '八捌', '九玖']
const digits = new Map(digitNames.flatMap((names, value) => [...names].map(name => [name, value] as const)))
const smallUnits = unitValues({ 十拾: 10, 百佰: 100, 千仟: 1000 })
const largeUnits = unitValues({ 万萬: 1e4, 亿億: 1e8, 兆: 1e12 })
const tens = unitValues({ 廿: 20, 卅: 30, 卌: 40 })
const anyNumeral = new RegExp(`[${[...digits.keys(), ...smallUnits.keys(), ...largeUnits.keys(), ...tens.keys()].join('')}点點]`, 'u')

function unitValues(values: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(values).flatMap(([names, value]) => [...names].map(name => [name, value] as const)))
}

/** A number in Chinese numerals (`十二`, `二〇二五`, `三点五`, with ASCII digits between them), or null when it has none. */
export function chineseNumber(text: string): number | null {
  if (!anyNumeral.test(text)) return null
  const [whole = '', fraction = ''] = text.split(/[点點．.]/u, 2)
  const hasUnits = [...whole].some(char => smallUnits.has(char) || largeUnits.has(char) || tens.has(char))
  const integer = hasUnits ? withUnits(whole) : digitByDigit(whole)
  if (integer === null) return null
  const decimals = digitByDigit(fraction)
  if (decimals === null) return null
  return integer + decimals / 10 ** [...fraction].filter(char => char.trim() !== '').length
}

function digitOf(char: string): number | null {
  return digits.get(char) ?? (/^[0-9]$/.test(char) ? Number(char) : null)
}

function digitByDigit(text: string): number | null {
  let value = 0
  for (const char of text) {
    if (char.trim() === '') continue
    const digit = digitOf(char)
    if (digit === null) return null
    value = value * 10 + digit
  }
  return value
}

/** Sections of up to four digits (千 百 十) scaled by 万, 亿 and 兆; a unit without a digit before it counts once. */
function withUnits(text: string): number | null {
  let total = 0
  let section = 0
  let digit = 0
  for (const char of text) {
    const small = smallUnits.get(char)
    const large = largeUnits.get(char)
    const ten = tens.get(char)
    const value = digitOf(char)
    if (small !== undefined) {
      section += (digit || 1) * small
      digit = 0
    } else if (large !== undefined) {
      total += (section + digit) * large
      section = 0
      digit = 0
    } else if (ten !== undefined) section += ten
    else if (value !== null) digit = value === 0 && !/[0-9]/.test(char) ? digit : value
    else if (char.trim() !== '') return null
  }
  return total + section + digit
}
