import { expect, test } from 'vitest'
import { withDoubleDollars } from '../../../../src/renderer/markdown/maths-delimiters.ts'

test.each([
  ['$x^2$ and $y$', '$$x^2$$ and $$y$$'],
  ['\\(x\\) then \\[y = 1\\]', '$$x$$ then \n$$\ny = 1\n$$\n'],
  ['$$x$$ stays', '$$x$$ stays'],
  ['She pays $5 for apples and $10 for pears.', 'She pays $5 for apples and $10 for pears.'],
  ['From $5 to $10, so $x$.', 'From $5 to $10, so $$x$$.'],
  ['It cost $80,000 and 50,000 so 80,000+50,000=$<<130000>>130,000', 'It cost $80,000 and 50,000 so 80,000+50,000=$<<130000>>130,000'],
  ['$130,000*1.5=$<<195000>>', '$130,000*1.5=$<<195000>>'],
  ['$2x + 3$ is $5$.', '$$2x + 3$$ is $$5$$.'],
  ['Either \\$5 or \\$6', 'Either \\$5 or \\$6'],
  ['`$x$` and ```\n$y$\n``` stay', '`$x$` and ```\n$y$\n``` stay'],
  ['one $ only', 'one $ only'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(withDoubleDollars(text)).toBe(expected)
})
