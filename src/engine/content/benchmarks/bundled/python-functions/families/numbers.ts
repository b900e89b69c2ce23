import type { Family } from '../family.ts'

const digitPower: Family = {
  variants: 4,
  problem: variant => {
    const power = variant + 2
    return {
      name: `sum_of_digits_to_the_${power}`,
      parameters: 'number: int',
      returns: 'int',
      request: `Raise each decimal digit of the number to the power ${power} and return their sum. The sign of the number does not matter.`,
      body: `    return sum(int(digit) ** ${power} for digit in str(abs(number)))`,
      wrongBody: `    total = 0\n    while number > 0:\n        total += (number % 10) ** ${power}\n        number //= 10\n    return total`,
      arguments: draw => [draw.int(-9999, 99_999)],
      edges: [[0], [7], [-10], [-905], [1_000_000]],
      topic: 'whole numbers',
    }
  },
}

const toBase: Family = {
  variants: 6,
  problem: variant => {
    const base = [3, 4, 5, 6, 7, 9][variant] ?? 3
    return {
      name: `write_in_base_${base}`,
      parameters: 'number: int',
      returns: 'str',
      request: `Write a whole number in base ${base}. A negative number begins with a minus sign; zero is "0".`,
      body: `    if number == 0:\n        return '0'\n    digits = ''\n    rest = abs(number)\n    while rest:\n        digits = str(rest % ${base}) + digits\n        rest //= ${base}\n    return '-' + digits if number < 0 else digits`,
      wrongBody: `    digits = ''\n    while number:\n        digits = str(number % ${base}) + digits\n        number = int(number / ${base})\n    return digits`,
      arguments: draw => [draw.int(-500, 5000)],
      edges: [[0], [1], [base], [-base], [base * base - 1]],
      topic: 'whole numbers',
    }
  },
}

const collatzLike: Family = {
  variants: 5,
  problem: variant => {
    const add = [1, 3, 5, 7, 9][variant] ?? 1
    return {
      name: `steps_with_plus_${add}`,
      parameters: 'start: int, most: int',
      returns: 'int',
      request: `Halve an even number; add ${add} to an odd number. Repeat until the number is at most ${add} and return how many steps that took, but at most \`most\`.`,
      body: `    steps = 0\n    while start > ${add} and steps < most:\n        start = start // 2 if start % 2 == 0 else start + ${add}\n        steps += 1\n    return steps`,
      wrongBody: `    steps = 0\n    while start > ${add}:\n        start = start // 2 if start % 2 == 0 else start + ${add}\n        steps += 1\n    return steps`,
      arguments: draw => [draw.int(1, 3000), draw.int(1, 12)],
      edges: [
        [0, 5],
        [add, 5],
        [add + 1, 0],
        [1000, 3],
      ],
      topic: 'whole numbers',
    }
  },
}

const clampMean: Family = {
  variants: 5,
  problem: variant => {
    const top = [10, 20, 50, 80, 100][variant] ?? 10
    return {
      name: `mean_clamped_to_${top}`,
      parameters: 'values: list[float]',
      returns: 'float',
      request: `Bring every value into the range from 0 to ${top} (smaller ones become 0, larger ones ${top}) and return the mean. The mean of no values is 0.0.`,
      body: `    if not values:\n        return 0.0\n    return sum(min(max(value, 0), ${top}) for value in values) / len(values)`,
      wrongBody: `    kept = [value for value in values if 0 <= value <= ${top}]\n    return sum(kept) / len(kept) if kept else 0.0`,
      arguments: draw => [Array.from({ length: draw.int(1, 7) }, () => draw.int(-400, 2 * top * 10) / 8)],
      edges: [[[]], [[-1.5]], [[top + 0.5]], [[0.25, top - 0.25]]],
      topic: 'fractions',
    }
  },
}

const dividers: Family = {
  variants: 5,
  problem: variant => {
    const except = variant + 2
    return {
      name: `divisors_not_multiples_of_${except}`,
      parameters: 'number: int',
      returns: 'list[int]',
      request: `Return the divisors of a positive number that are not multiples of ${except}, smallest first, the number itself included where it qualifies.`,
      body: `    return [d for d in range(1, number + 1) if number % d == 0 and d % ${except} != 0]`,
      wrongBody: `    return [d for d in range(1, number) if number % d == 0 and d % ${except} != 0]`,
      arguments: draw => [draw.int(2, 400)],
      edges: [[1], [except], [except + 1], [97], [360]],
      topic: 'whole numbers',
    }
  },
}

export const numberFamilies: readonly Family[] = [digitPower, toBase, collatzLike, clampMean, dividers]
