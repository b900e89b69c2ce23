/* BFCL's MathAPI, written for Assay after the documentation of its functions. It has no state. */
;(() => {
  const sum = numbers => numbers.reduce((total, each) => total + each, 0)
  const given = compute => (_, args) => (args.numbers.length === 0 ? { error: 'The list is empty.' } : { result: compute(args.numbers) })
  const mean = numbers => sum(numbers) / numbers.length
  const rounded = (value, places) => Number(value.toFixed(Math.min(100, Math.max(0, places))))
  const metric = { km: 1000, m: 1, cm: 0.01, mm: 0.001, um: 1e-6, nm: 1e-9 }
  const imperial = {
    cm_to_in: 1 / 2.54,
    in_to_cm: 2.54,
    m_to_ft: 1 / 0.3048,
    ft_to_m: 0.3048,
    m_to_yd: 1 / 0.9144,
    yd_to_m: 0.9144,
    km_to_miles: 1 / 1.609344,
    miles_to_km: 1.609344,
    kg_to_lb: 1 / 0.45359237,
    lb_to_kg: 0.45359237,
  }
  return {
    add: (_, { a, b }) => ({ result: a + b }),
    subtract: (_, { a, b }) => ({ result: a - b }),
    multiply: (_, { a, b }) => ({ result: a * b }),
    divide: (_, { a, b }) => (b === 0 ? { error: 'Cannot divide by zero.' } : { result: a / b }),
    power: (_, { base, exponent }) => ({ result: base ** exponent }),
    percentage: (_, { part, whole }) => (whole === 0 ? { error: 'The whole is zero.' } : { result: (part / whole) * 100 }),
    absolute_value: (_, { number }) => ({ result: Math.abs(number) }),
    round_number: (_, { number, decimal_places: places = 0 }) => ({ result: rounded(number, places) }),
    square_root: (_, { number, precision }) =>
      number < 0
        ? { error: 'The number is negative.' }
        : { result: Number(Math.sqrt(number).toPrecision(Math.min(100, Math.max(1, precision)))) },
    logarithm: (_, { value, base, precision }) =>
      value <= 0 || base <= 0 || base === 1
        ? { error: 'The logarithm is not defined.' }
        : { result: Number((Math.log(value) / Math.log(base)).toPrecision(Math.min(100, Math.max(1, precision)))) },
    mean: given(mean),
    max_value: given(numbers => Math.max(...numbers)),
    min_value: given(numbers => Math.min(...numbers)),
    sum_values: (_, { numbers }) => ({ result: sum(numbers) }),
    standard_deviation: given(numbers => Math.sqrt(sum(numbers.map(each => (each - mean(numbers)) ** 2)) / numbers.length)),
    si_unit_conversion: (_, { value, unit_in: from, unit_out: to }) =>
      Object.hasOwn(metric, from) && Object.hasOwn(metric, to)
        ? { result: (value * metric[from]) / metric[to] }
        : { error: `No conversion from ${from} to ${to}.` },
    imperial_si_conversion: (_, { value, unit_in: from, unit_out: to }) => {
      if (`${from}_to_${to}` === 'celsius_to_fahrenheit') return { result: value * 1.8 + 32 }
      if (`${from}_to_${to}` === 'fahrenheit_to_celsius') return { result: (value - 32) / 1.8 }
      const factor = Object.hasOwn(imperial, `${from}_to_${to}`) ? imperial[`${from}_to_${to}`] : undefined
      return factor === undefined ? { error: `No conversion from ${from} to ${to}.` } : { result: value * factor }
    },
  }
})()
