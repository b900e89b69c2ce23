import { type Order, regions, type Sheets, text } from './workbook.ts'

/** One thing to do in a workbook: in words, in Python, and here, where it tells what the cells must hold. */
export interface Edit {
  readonly topic: string
  readonly instruction: string
  /** Lines after `sheet = sheets["Orders"]` and `last`, the number of the last row. */
  readonly body: string
  readonly wrongBody: string
  answer(orders: readonly Order[]): Sheets
}

type Kind = (variant: number) => Edit

const rows = (values: readonly string[], column: string, from = 2): Record<string, string> =>
  Object.fromEntries(values.map((value, i) => [`${column}${i + from}`, value]))

const totals: Kind = variant => {
  const discount = variant + 1
  return {
    topic: 'a computed column',
    instruction: `Write "Total" into E1 and, for every order, count times price into column E; where the count is 20 or more, ${discount} less.`,
    body: `    sheet["E1"] = "Total"\n    for row in range(2, last + 1):\n        total = sheet[f"B{row}"] * sheet[f"C{row}"]\n        sheet[f"E{row}"] = total - ${discount} if sheet[f"B{row}"] >= 20 else total`,
    wrongBody: `    sheet["E1"] = "Total"\n    for row in range(2, last + 1):\n        sheet[f"E{row}"] = sheet[f"B{row}"] * sheet[f"C{row}"] - ${discount}`,
    answer: orders => ({
      Orders: {
        E1: text('Total'),
        ...rows(
          orders.map(o => String(o.count * o.price - (o.count >= 20 ? discount : 0))),
          'E',
        ),
      },
    }),
  }
}

const conditionalSum: Kind = variant => {
  const region = regions[variant % regions.length] ?? 'North'
  const least = 2 + Math.floor(variant / regions.length) * 4
  return {
    topic: 'a sum under a condition',
    instruction: `Write into G1 the sum of the counts of all orders of the region ${region} with a count of at least ${least}. Write 0 where there are none.`,
    body: `    sheet["G1"] = sum(sheet[f"B{row}"] for row in range(2, last + 1) if sheet[f"D{row}"] == "${region}" and sheet[f"B{row}"] >= ${least})`,
    wrongBody: `    sheet["G1"] = sum(sheet[f"B{row}"] for row in range(2, last + 1)) + 1`,
    answer: orders => ({
      Orders: { G1: String(orders.reduce((sum, o) => sum + (o.region === region && o.count >= least ? o.count : 0), 0)) },
    }),
  }
}

const mark: Kind = variant => {
  const limit = 4 + variant
  return {
    topic: 'a label by value',
    instruction: `Write into column F, for every order, "low" where the count is below ${limit}, "high" where it is above ${limit + 5}, and "ok" otherwise. Leave F1 as it is.`,
    body: `    for row in range(2, last + 1):\n        count = sheet[f"B{row}"]\n        sheet[f"F{row}"] = "low" if count < ${limit} else "high" if count > ${limit + 5} else "ok"`,
    wrongBody: `    for row in range(2, last + 1):\n        count = sheet[f"B{row}"]\n        sheet[f"F{row}"] = "Low" if count <= ${limit} else "High" if count > ${limit + 5} else "OK"`,
    answer: orders => ({
      Orders: rows(
        orders.map(o => text(o.count < limit ? 'low' : o.count > limit + 5 ? 'high' : 'ok')),
        'F',
      ),
    }),
  }
}

const copySorted: Kind = variant => {
  const add = variant
  return {
    topic: 'a sorted copy',
    instruction: `Make a sheet "Sorted". Write into its columns A and B, from row 1 on, item and price${add === 0 ? '' : ` plus ${add}`} of all orders, highest price first; orders of the same price keep their order.`,
    body: `    orders = [(sheet[f"A{row}"], sheet[f"C{row}"] + ${add}) for row in range(2, last + 1)]\n    orders.sort(key=lambda order: -order[1])\n    sheets["Sorted"] = {}\n    for row, (item, price) in enumerate(orders, 1):\n        sheets["Sorted"][f"A{row}"] = item\n        sheets["Sorted"][f"B{row}"] = price`,
    wrongBody: `    orders = [(sheet[f"A{row}"], sheet[f"C{row}"] + ${add}) for row in range(2, last + 1)]\n    orders.sort(key=lambda order: order[1])\n    sheets["Sorted"] = {}\n    for row, (item, price) in enumerate(orders, 2):\n        sheets["Sorted"][f"A{row}"] = item\n        sheets["Sorted"][f"B{row}"] = price`,
    answer: orders => {
      const sorted = [...orders].sort((a, b) => b.price - a.price)
      return {
        Sorted: {
          ...rows(
            sorted.map(o => text(o.item)),
            'A',
            1,
          ),
          ...rows(
            sorted.map(o => String(o.price + add)),
            'B',
            1,
          ),
        },
      }
    },
  }
}

const countByRegion: Kind = variant => {
  const least = 5 + variant * 3
  return {
    topic: 'a count by group',
    instruction: `Write into H1 to H4 the names of the regions North, South, East and West, and beside them in I1 to I4 how many of their orders have a price of at least ${least}.`,
    body: `    for row, region in enumerate(["North", "South", "East", "West"], 1):\n        sheet[f"H{row}"] = region\n        sheet[f"I{row}"] = sum(sheet[f"D{r}"] == region and sheet[f"C{r}"] >= ${least} for r in range(2, last + 1))`,
    wrongBody: `    for row, region in enumerate(["North", "South", "East", "West"], 1):\n        sheet[f"H{row}"] = region.lower()\n        sheet[f"I{row}"] = sum(sheet[f"D{r}"] == region for r in range(2, last + 1))`,
    answer: orders => ({
      Orders: {
        ...rows(regions.map(text), 'H', 1),
        ...rows(
          regions.map(region => String(orders.filter(o => o.region === region && o.price >= least).length)),
          'I',
          1,
        ),
      },
    }),
  }
}

const unique: Kind = variant => {
  const column = ['G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'S', 'T', 'V', 'W', 'X', 'Y', 'Z'][variant] ?? 'G'
  return {
    topic: 'different values',
    instruction: `List the different items in column ${column} from row 2 on, in the order in which they first appear, and write how many there are into ${column}1.`,
    body: `    items = list(dict.fromkeys(sheet[f"A{row}"] for row in range(2, last + 1)))\n    sheet["${column}1"] = len(items)\n    for row, item in enumerate(items, 2):\n        sheet[f"${column}{row}"] = item`,
    wrongBody: `    items = sorted(set(sheet[f"A{row}"] for row in range(2, last + 1)))\n    sheet["${column}1"] = "Items"\n    for row, item in enumerate(items, 2):\n        sheet[f"${column}{row}"] = item`,
    answer: orders => {
      const different = [...new Set(orders.map(o => o.item))]
      return { Orders: { [`${column}1`]: String(different.length), ...rows(different.map(text), column) } }
    },
  }
}

const variants = 17

/** Kinds in turn, so that any first part of the list covers all of them. */
export const edits: readonly Edit[] = Array.from({ length: variants }, (_, variant) =>
  [totals, conditionalSum, mark, copySorted, countByRegion, unique].map(kind => kind(variant)),
).flat()
