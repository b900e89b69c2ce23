import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import { describe, expect, test } from 'vitest'
import { gradeMath, type MathStatus } from '../../../../../src/engine/grading/scorers/inspect-ai/math/grade-math.ts'
import { grade } from './grade.ts'

describe('inspect_ai/math', () => {
  test.each<[string, string, MathStatus]>([
    [String.raw`so \boxed{\frac{3}{4}}`, '0.75', 'correct'],
    ['The result is 12.', '12', 'correct'],
    [String.raw`\boxed{3} or rather \boxed{4}`, '4', 'correct'],
    [String.raw`$\sqrt{8}$`, String.raw`2\sqrt{2}`, 'correct'],
    ['(x+1)^2', 'x^2+2x+1', 'correct'],
    ['(x+1)^2', 'x^2+2x+2', 'incorrect'],
    ['1 1/2', '1.5', 'incorrect'],
    [String.raw`1\frac{1}{2}`, '1.5', 'correct'],
    ['25%', '1/4', 'correct'],
    [String.raw`\boxed{1{,}000}`, '1000', 'correct'],
    ['25', '25%', 'incorrect'],
    ['x = 5', '5', 'correct'],
    ['5 = x', '5', 'correct'],
    ['x = 5', 'y = 5', 'incorrect'],
    [String.raw`x \ge 3`, String.raw`3 \le x`, 'correct'],
    ['x < 3', 'x > 3', 'incorrect'],
    [String.raw`\{3, 1\}`, '{1, 3}', 'correct'],
    ['(3, 1)', '(1, 3)', 'incorrect'],
    ['1,234', '1234', 'correct'],
    ['1,23', '123', 'incorrect'],
    [String.raw`90^\circ`, '90', 'correct'],
    [String.raw`10\text{ cm}`, '10', 'correct'],
    [String.raw`\$15`, '15', 'correct'],
    [String.raw`2^{100}`, '1267650600228229401496703205376', 'correct'],
    [String.raw`2^{100}`, '1267650600228229401496703205377', 'incorrect'],
    ['0.33333333333', '1/3', 'correct'],
    ['0.333', '1/3', 'incorrect'],
    [String.raw`e^{i\pi}`, '-1', 'correct'],
    [String.raw`\sin(\frac{\pi}{6})`, '1/2', 'correct'],
    [String.raw`\log_2 8`, '3', 'correct'],
    ['sqrt(16) + abs(-2)', '6', 'correct'],
    [String.raw`\sqrt[3]{-8}`, '-2', 'correct'],
    [String.raw`\binom{5}{2}`, '10', 'correct'],
    ['5!', '120', 'correct'],
    [String.raw`(-\infty, 2] \cup (3, 4)`, String.raw`(-\infty,2]\cup(3,4)`, 'correct'],
    [String.raw`\begin{pmatrix} 1 & 2/4 \end{pmatrix}`, String.raw`\begin{pmatrix} 1 & 0.5 \end{pmatrix}`, 'correct'],
    ['yes', 'Yes', 'correct'],
    ['east', 'seat', 'incorrect'],
    ['We add 3 and 5, so there are 3 + 5 = 8 eggs', '8', 'correct'],
    ['it is exactly so', '8', 'incorrect'],
    ['', '8', 'answer_parse_error'],
    ['eval(1)', '1', 'answer_parse_error'],
    ['2^{2^{2^{9}}}', '1', 'answer_limit'],
    ['9'.repeat(300), '1', 'answer_limit'],
    [`$${'|'.repeat(40)}$`, '1', 'answer_parse_error'],
    [`$${'('.repeat(65)}$`, '1', 'answer_limit'],
    [`${'1+'.repeat(600)}1`, '601', 'answer_limit'],
    [String.raw`||x|-1|`, String.raw`\left||x|-1\right|`, 'correct'],
    [String.raw`\frac12`, '0.5', 'correct'],
    [String.raw`\frac{1}{2}\%`, '0.005', 'correct'],
    [String.raw`0.\overline{3}`, '1/3', 'correct'],
    ['0.5(4)', '2', 'correct'],
    ['1.5e-3', '0.0015', 'correct'],
    [String.raw`1.5 \times 10^3`, '1500', 'correct'],
    [String.raw`\mathrm{B}`, 'B', 'correct'],
    [String.raw`\sin^2 x + \cos^2 x`, '1', 'correct'],
    [String.raw`\tan^{-1} 1`, String.raw`\frac{\pi}{4}`, 'correct'],
    [String.raw`0 < x \leq 5`, String.raw`0<x\le 5`, 'correct'],
    [String.raw`0 < x \leq 5`, '0<x<5', 'incorrect'],
    ['(1, 2]', '[1, 2)', 'incorrect'],
    [String.raw`\{x \mid x > 0\}`, String.raw`\{x | x > 0\}`, 'correct'],
    [String.raw`\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}`, String.raw`\begin{pmatrix}1&2\\3&4\end{pmatrix}`, 'correct'],
    [String.raw`\begin{vmatrix} 1 \end{vmatrix}`, String.raw`\begin{pmatrix} 1 \end{pmatrix}`, 'incorrect'],
    [String.raw`\int_0^1 x \, dx`, String.raw`\int_{0}^{1} x dx`, 'correct'],
    [String.raw`x_1 + x_{12}`, 'x_{12}+x_{1}', 'correct'],
    [String.raw`-2 \pm \sqrt{3}`, String.raw`-2\pm\sqrt 3`, 'correct'],
    [String.raw`\lfloor 2.5 \rfloor`, '2', 'correct'],
    [String.raw`\ln 2\sqrt{3}`, String.raw`\sqrt{3}\ln 2`, 'correct'],
    [String.raw`\ln 2\sqrt{3}`, String.raw`\ln(2\sqrt{3})`, 'incorrect'],
    [String.raw`\ln \sqrt{3}`, String.raw`\frac{1}{2}\ln 3`, 'correct'],
    [String.raw`\{2|x|\}`, String.raw`\{|2x|\}`, 'correct'],
    [String.raw`\{2|x|, 1\}`, String.raw`\{1, 2|x|\}`, 'correct'],
    [String.raw`\{x | |x| < 2\}`, String.raw`\{x \mid |x| < 2\}`, 'correct'],
    [String.raw`\{|x| | x > 0\}`, String.raw`\{|x| \mid x > 0\}`, 'correct'],
    [String.raw`\frac{1}{2}x^10`, String.raw`\frac{x^{10}}{2}`, 'correct'],
    [String.raw`x^10 + \sqrt{4}`, 'x^10 + 2', 'correct'],
    [String.raw`\frac{2^2 3}{2}`, '6', 'correct'],
    [String.raw`\sin^2 30 + \cos^2 30`, '1', 'correct'],
    [String.raw`\log_28`, '3', 'correct'],
    [String.raw`\frac{2^-10}{2}`, String.raw`2^{-11}`, 'correct'],
    [String.raw`x_12 + \pi`, String.raw`x_{12} + \pi`, 'correct'],
    [String.raw`\constructor`, 'constructor', 'incorrect'],
    ['1', 'os.system(1)', 'target_parse_error'],
    ['1', '', 'target_parse_error'],
  ])('%s against %s is %s', (output, target, expected) => expect(gradeMath(output, [target]).status).toBe(expected))

  test('accepts any target and skips unreadable ones', () => {
    expect(gradeMath('3', ['', '2', '3']).status).toBe('correct')
  })

  test('is unscored with a bad target and wrong with a bad answer', () => {
    expect(grade('inspect_ai/math', {}, '1', '__import__')).toMatchObject({ value: null, class: 'unscored' })
    expect(grade('inspect_ai/math', {}, 'exec(1)', '1')).toMatchObject({ value: 0, class: 'wrong', answer: null, label: 'I' })
    expect(grade('inspect_ai/math', {}, 'It is $x^2$.', 'x^2')).toMatchObject({
      value: 1,
      answer: 'x^2',
      answerSpan: { start: 7, end: 10 },
    })
  })
})

describe('an answer that prose stands around', () => {
  // inspect_ai's tests/scorer/test_math.py.
  test.each([
    ['The answer is 42 because geometry proves it', '42', 1],
    ['42 because geometry proves it', '42', 1],
    ['First compute 6*7.\n42', '42', 1],
    ['Final answer: 42', '42', 1],
    ['The perimeter is 7', '42', 0],
    ['odd $n$', 'odd $n$', 1],
  ])('%j is %j: %d', (output, target, value) =>
    expect(gradeOne({ scorer: 'inspect_ai/math' }, { output, targets: [target] }).value).toBe(value),
  )

  test('is not made right by words that follow a wrong formula', () => {
    expect(gradeOne({ scorer: 'inspect_ai/math' }, { output: '\\boxed{7}\n42', targets: ['42'] }).value).toBe(0)
  })
})
