import { describe, expect, test } from 'vitest'
import { aggregateCounts } from '../../../../../src/engine/grading/scorers/aggregate-counts.ts'
import { type BleuCounts, bleuCounts, bleuScore } from '../../../../../src/engine/grading/scorers/text/bleu.ts'
import { chrfCounts, chrfScore } from '../../../../../src/engine/grading/scorers/text/chrf.ts'
import { errorCounts, errorRate } from '../../../../../src/engine/grading/scorers/text/error-counts.ts'
import { rougeF1 } from '../../../../../src/engine/grading/scorers/text/rouge.ts'
import { stemWord } from '../../../../../src/engine/grading/scorers/text/stem-word.ts'
import { terCounts, terRate } from '../../../../../src/engine/grading/scorers/text/ter.ts'
import { wordTokens } from '../../../../../src/engine/grading/scorers/helm/word-tokens.ts'
import { grade, valueOf } from './grade.ts'

const sum = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + (b[i] ?? 0))
const corpus = (outputs: readonly string[], references: readonly (readonly string[])[]): BleuCounts =>
  outputs
    .map((output, i) => bleuCounts(output, references[i] ?? []))
    .reduce((a, b) => ({
      length: a.length + b.length,
      wanted: a.wanted + b.wanted,
      shared: sum(a.shared, b.shared),
      total: sum(a.total, b.total),
    }))

describe('BLEU', () => {
  // sacrebleu's test/test_bleu.py: its README example, and outputs that are empty.
  const outputs = ['The dog bit the man.', "It wasn't surprising.", 'The man had just bitten him.']
  const references = [
    ['The dog bit the man.', 'The dog had bit the man.'],
    ['It was not unexpected.', 'No one was surprised.'],
    ['The man bit him first.', 'The man had bitten the dog.'],
  ]
  test('of a corpus is sacrebleu’s', () => {
    expect(bleuScore(corpus(outputs, references), false) * 100).toBeCloseTo(48.530827, 6)
    expect(bleuScore(corpus(['', '', ''], references), false)).toBe(0)
  })

  test('of one sentence is sacrebleu’s', () => {
    // test/test_sentence_bleu.py, default smoothing and effective order.
    const output = 'Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;'
    const reference = 'producţia de zahăr brut se exprimă în zahăr alb;'
    expect(bleuScore(bleuCounts(output, [reference]), true) * 100).toBeCloseTo(8.493, 3)
    expect(bleuScore(bleuCounts('this is a cat', ['okay thanks']), true)).toBe(0)
  })

  test('counts as sacrebleu does, and takes the shorter of two references that are equally close', () => {
    // test/test_bleu.py, test_case_statistics.
    expect(bleuCounts('am I am a character sequence', ['I am a symbol string sequence a a'])).toEqual({
      length: 6,
      wanted: 8,
      shared: [4, 2, 1, 0],
      total: [6, 5, 4, 3],
    })
    expect(bleuCounts('a b c', ['a b c d', 'a b']).wanted).toBe(2)
    // test_case_scoring.
    expect(bleuScore({ length: 11, wanted: 11, shared: [9, 7, 5, 3], total: [10, 8, 6, 4] }, false)).toBeCloseTo(0.8375922397, 9)
  })
})

describe('chrF', () => {
  const score = (outputs: readonly string[], references: readonly string[], settings: { wordOrder: number; beta: number }) => {
    const all = outputs.map((output, i) => chrfCounts(output, [references[i] ?? ''], settings))
    const added = (all[0] ?? []).map((_, order) =>
      all.reduce(
        (total, counts) => ({
          output: total.output + (counts[order]?.output ?? 0),
          wanted: total.wanted + (counts[order]?.wanted ?? 0),
          shared: total.shared + (counts[order]?.shared ?? 0),
        }),
        { output: 0, wanted: 0, shared: 0 },
      ),
    )
    return chrfScore(added, settings) * 100
  }
  // sacrebleu's test/test_chrf.py with effective order, which is the default.
  test.each([
    [['a'], ['a'], 100],
    [[''], ['reference'], 0],
    [['a b c'], ['a b c'], 100],
    [['a b c'], ['abc'], 100],
    [[''], ['c'], 0],
    [['a', 'b'], ['a', 'c'], 50],
    [['aa'], ['ab'], 25],
  ])('of %j against %j is %d', (outputs, references, expected) => {
    expect(score(outputs, references, { wordOrder: 0, beta: 3 })).toBeCloseTo(expected, 4)
  })

  test('of sentences long enough for every order is the one of that file', () => {
    const output = ' risk assessment must be made of those who are qualified and expertise in the sector - these are the scientists .'
    const reference = 'risk assessment has to be undertaken by those who are qualified and expert in that area - that is the scientists .'
    // Published with smoothing by epsilon, which averages the F of each order instead of precision and recall.
    expect(score([output], [reference], { wordOrder: 0, beta: 3 })).toBeCloseTo(63.36, 0)
  })

  test('separates one mark of a word for chrF++', () => {
    const counts = chrfCounts('(hi) yes', ['(hi) yes'], { wordOrder: 2, beta: 2 })
    // "(hi", ")" and "yes"; two pairs of them.
    expect(counts.slice(6).map(({ output }) => output)).toEqual([3, 2])
  })
})

describe('TER', () => {
  // sacrebleu's test/test_ter.py.
  test.each([
    ['aaaa bbbb cccc dddd', 'aaaa bbbb cccc dddd', 0],
    ['dddd eeee ffff', 'aaaa bbbb cccc', 1],
    ['', 'a', 1],
    ['a', '', 1],
    ['', '', 0],
    ['d e f g h a b c', 'a b c d e f g h', 1 / 8],
  ])('of %j against %j is %d', (output, reference, expected) => {
    expect(terRate(terCounts(output, [reference]))).toBeCloseTo(expected, 9)
  })

  test('of five sentences of WMT 2019 is 0.136', () => {
    const pairs = [
      [
        'wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit das Bild ungefähr dieselbe Größe aufweist wie die andere Größe .',
        'wählen Sie " Bild neu berechnen , " um beim Ändern der Bildgröße Pixel hinzuzufügen oder zu entfernen , damit die Darstellung des Bildes in einer anderen Größe beibehalten wird .',
      ],
      [
        'wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des Aufgabenbedienfelds die Option " Alle Aufgaben aktualisieren . "',
        'wenn Sie alle Aufgaben im aktuellen Dokument aktualisieren möchten , wählen Sie im Menü des Aufgabenbedienfelds die Option " Alle Aufgaben aktualisieren . "',
      ],
      [
        'klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie Werte für " Fehlerkorrektur-Level " und " Y / X-Verhältnis " ein .',
        'klicken Sie auf der Registerkarte " Optionen " auf die Schaltfläche " Benutzerdefiniert " und geben Sie für " Fehlerkorrektur-Level " und " Y / X-Verhältnis " niedrigere Werte ein .',
      ],
      [
        'Sie können beispielsweise ein Dokument erstellen , das ein Auto über die Bühne enthält .',
        'Sie können beispielsweise ein Dokument erstellen , das ein Auto enthalt , das sich über die Bühne bewegt .',
      ],
      [
        'wählen Sie im Dialogfeld " Neu aus Vorlage " eine Vorlage aus und klicken Sie auf " Neu . "',
        'wählen Sie im Dialogfeld " Neu aus Vorlage " eine Vorlage aus und klicken Sie auf " Neu . "',
      ],
    ].map(([output = '', reference = '']) => terCounts(output, [reference]))
    const all = pairs.reduce((a, b) => ({ edits: a.edits + b.edits, wanted: a.wanted + b.wanted }))
    expect(terRate(all)).toBeCloseTo(0.136, 3)
  })

  test('is subtracted from 1 as a score, never below 0, and gives up on long texts', () => {
    expect(valueOf('sacrebleu/ter', {}, 'd e f g h a b c', 'a b c d e f g h')).toBeCloseTo(7 / 8, 9)
    expect(valueOf('sacrebleu/ter', {}, 'x y z', 'a')).toBe(0)
    expect(grade('sacrebleu/ter', {}, 'x '.repeat(1001), 'a')).toMatchObject({ class: 'wrong' })
  })
})

describe('error rates', () => {
  const rate = (unit: 'word' | 'character', pairs: readonly (readonly [output: string, reference: string])[]) =>
    errorRate(
      pairs
        .map(([output, reference]) => errorCounts(unit, output, [reference]))
        .reduce((a, b) => ({ edits: a.edits + b.edits, wanted: a.wanted + b.wanted })),
    )
  // The examples of evaluate's metrics/wer, and jiwer's tests/test_measures.py and tests/test_empty_ref.py.
  test.each([
    [
      0,
      [
        ['hello world', 'hello world'],
        ['good night moon', 'good night moon'],
      ],
    ],
    [
      0.5,
      [
        ['this is the prediction', 'this is the reference'],
        ['there is an other sample', 'there is another one'],
      ],
    ],
    [
      1,
      [
        ['hello world', 'hi everyone'],
        ['good night moon', 'have a great day'],
      ],
    ],
    [0.5, [['This test', 'This is a test']]],
    [7 / 6, [['i am a considerably longer and very much incorrect hypothesis', 'i am a short ground truth']]],
    [3, [['X X Y Y', 'X']]],
    [2 / 3, [['X Z', 'X Y X']]],
    [
      0.5,
      [
        ['i am', 'i'],
        ['i good', 'am i good'],
      ],
    ],
    [1, [['hello', '']]],
    [4, [['0 1 2 3', '']]],
    [0, [['', '']]],
    [
      0.5,
      [
        ['hello world', 'hello world'],
        ['done', ''],
      ],
    ],
    // Words are divided by spaces alone, after white space in a row became one.
    [1, [['a\tb', 'a b c']]],
    [1 / 3, [[' a \n b ', 'a b c']]],
  ] as const)('of words is %d for %j', (expected, pairs) => {
    expect(rate('word', pairs)).toBeCloseTo(expected, 12)
  })

  // evaluate's metrics/cer/test_cer.py and jiwer's tests/test_cer.py.
  test.each([
    [2 / 11, [['white house', 'White House']]],
    [1 / 9, [['werewolf', 'were wolf']]],
    [0.25, [['weae     wolf', 'werewolf']]],
    [0, [['were               wolf', 'were   wolf']]],
    [
      1 / 28,
      [
        ['werxwolf', 'werewolf'],
        ['I       am your father', 'I am your father'],
        ['doge', 'doge'],
      ],
    ],
    [5 / 11, [[' 能吞虾玻璃而 不霜身体啦', '我能吞下玻璃而不伤身体']]],
    [
      5 / 11,
      [
        ['我    能 吞 下 玻 璃', '我能吞下玻璃'],
        ['而不伤身体', '而不伤身体'],
      ],
    ],
    [
      0.34146341463414637,
      [
        ['this is the prediction', 'this is the reference'],
        ['there is an other sample', 'there is another one'],
      ],
    ],
    [6, [['X X Y Y', 'X']]],
    [1, [['😀', '😁']]],
  ] as const)('of characters is %d for %j', (expected, pairs) => {
    expect(rate('character', pairs)).toBeCloseTo(expected, 12)
  })

  test('are subtracted from 1 as a score, never below 0, against the closest reference', () => {
    expect(valueOf('evaluate/wer', {}, 'this test', ['nothing', 'this is a test'])).toBeCloseTo(0.5, 12)
    expect(valueOf('evaluate/wer', {}, 'X X Y Y', 'X')).toBe(0)
    expect(grade('evaluate/cer', {}, 'white house', 'White House')).toMatchObject({
      counts: { edits: 2, wanted: 11 },
      explanation: expect.stringContaining('CER is 18.18 %'),
    })
    const counts = { edits: 3, wanted: 8 }
    expect(aggregateCounts({ aggregation: 'error_rate', options: {} }, counts)).toBeCloseTo(5 / 8, 12)
  })
})

describe('ROUGE', () => {
  // google-research's rouge/rouge_scorer_test.py; its two texts are in rouge/testdata.
  const target =
    "ZfbCUIUuePaiLVUlCaUXxkpu XPeWing tUHfPMuZ',-Xd Y BrUgVJing M-HV.-DgdDaY.rFDJCRing Ht-LM EKBDXkME,yz'RBr q'wtion wIojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxer tKM L"
  const prediction = "rFDJCRtion Ht-LM EKtDXkME,yz'RBr q'wer wrojNbN wL,b .a-'XdQggyFl jB-RPP'iyOIcUxi"
  test.each([
    ['rouge1', 'testing one two', 'testing', 1 / 2],
    ['rouge2', 'testing one two', 'testing one', 2 / 3],
    ['rougeL', 'testing one two', 'testing two', 4 / 5],
    ['rouge1', target, prediction, 0.51163],
    ['rouge2', target, prediction, 0.39024],
    ['rougeL', target, prediction, 0.51163],
    ['rougeLsum', 'w1 w2 w3 w4 w5', 'w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5', 0.5333],
    ['rougeLsum', 'w1 w2 w3 w4 w5', '', 0],
    ['rougeLsum', '', 'w1', 0],
    ['rougeLsum', 'w1 w2 w3 w4 w5', '/', 0],
  ] as const)('%s of %j for %j is %d', (type, reference, output, expected) => {
    expect(rougeF1(type, output, reference)).toBeCloseTo(expected, 4)
    expect(valueOf('rouge_score/rouge', { type }, output, reference)).toBeCloseTo(expected, 4)
  })

  const second = {
    target:
      "KsJdPByEtAor fE-Qg Dpdbring cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMtion psing sbKao Q m qiing LMmer HqqLFXe,XPY,J XsurkMer ,ed nB'wH'bWVHjWFEing tQ.saefZwJtKrTlixYpMMsJing UCAPwNHeYVjDing c T BUySKtion gMPfJpwGw p'NvxAoping eu pBwMBKV'I DNxqelhu,PHPxDEq,mtion SN",
    prediction:
      "n cw-WeFyu vC MoBL Xdn g wkvcEiGvKtion BDFhrpMer pstion sbKao Q m qier LMmed HqqLFXe,XPY,J XsurkMeo ,ed nB'wH'bWVHjWFEer tQ.saefZwJtKrTlixYpMMNJtion UCAPwNHeYVjD",
  }
  const many = {
    target: `${target}\n${second.target}\nNhETebUbBk'er WOvoHMTjSRizKgH'vHiing Xu,hWxfs VkNE QhgKiLHE -HidivzoM.dO anhtion jbLQiSGDTCsuhREebUaKM dv J dVN tmbOT\nvMR HDm,xOAetion D,tion HJtodT.mHl UIv-p VjWH'BdyWjnfGU-OjT aEMdFICyLWfQMtion wEMfdOKing AwkeKbO 'DxqNOHBH qKtVvm OYJl mM\n`,
    prediction: `${prediction}\n${second.prediction}\nxfs VkJE QhgKiLHE -HidivzoM.dO anhing jbLQiSGDTCsuhREebUaKM dv J\nVjWH'BdyWjnfGU-OjTNaEMdFICyLWfQMing wEMfdOKijg AwkeKbO 'DxqNO\n`,
  }
  test.each([
    ['rouge1', second, 0.52941, 0.5],
    ['rouge2', second, 0.36364, 0.36364],
    ['rougeLsum', many, 0.47205, null],
  ] as const)('%s of stems is rouge-score’s', (type, texts, expected, unstemmed) => {
    expect(valueOf('rouge_score/rouge', { type, use_stemmer: true }, texts.prediction, texts.target)).toBeCloseTo(expected, 5)
    if (unstemmed !== null) expect(valueOf('rouge_score/rouge', { type }, texts.prediction, texts.target)).toBeCloseTo(unstemmed, 5)
  })
})

describe('stems', () => {
  // The examples of Porter's paper as NLTK's porter.py quotes them, its extensions, and words of its tests.
  test.each(
    Object.entries({
      caresses: 'caress',
      ponies: 'poni',
      ties: 'tie',
      cats: 'cat',
      feed: 'feed',
      agreed: 'agre',
      plastered: 'plaster',
      bled: 'bled',
      motoring: 'motor',
      sing: 'sing',
      conflated: 'conflat',
      troubled: 'troubl',
      sized: 'size',
      hopping: 'hop',
      falling: 'fall',
      fizzed: 'fizz',
      failing: 'fail',
      filing: 'file',
      happy: 'happi',
      sky: 'sky',
      enjoy: 'enjoy',
      spied: 'spi',
      died: 'die',
      dying: 'die',
      relational: 'relat',
      rational: 'ration',
      vietnamization: 'vietnam',
      radically: 'radic',
      hopefully: 'hope',
      geology: 'geolog',
      sensibility: 'sensibl',
      triplicate: 'triplic',
      electrical: 'electr',
      goodness: 'good',
      adoption: 'adopt',
      homologous: 'homolog',
      communism: 'commun',
      effective: 'effect',
      probate: 'probat',
      rate: 'rate',
      cease: 'ceas',
      controlling: 'control',
      rolling: 'roll',
      succeed: 'succeed',
      oed: 'o',
      on: 'on',
    }),
  )('of %s is %s', (word, stem) => {
    expect(stemWord(word)).toBe(stem)
  })
})

describe('HELM’s text scores', () => {
  test('include BLEU-1 as its own test has it', () => {
    const [gold, output] = ['the quick brown fox jumped over the lazy dog', 'the fox jumped over the dog']
    expect(valueOf('helm/bleu_1', {}, output, gold)).toBeCloseTo(0.6065306597126334, 12)
    // One of its three runs of four words is shared, with the same brevity penalty.
    expect(valueOf('helm/bleu_4', {}, output, gold)).toBeCloseTo(0.6065306597126334 / 3, 12)
    expect(valueOf('helm/bleu_4', {}, 'the lazy dog', gold)).toBe(0)
    expect(valueOf('helm/bleu_1', {}, '', gold)).toBe(0)
    expect(valueOf('helm/f1_score', {}, output, gold)).toBeCloseTo((2 * 4) / (4 + 7), 12)
  })

  test('read words as NLTK does', () => {
    // NLTK's own example of word_tokenize.
    const text = 'Good muffins cost $3.88 (roughly 3,36 euros)\nin New York.  Please buy me\ntwo of them.\nThanks.'
    const words = 'Good muffins cost $ 3.88 ( roughly 3,36 euros ) in New York . Please buy me two of them . Thanks .'.split(' ')
    expect(wordTokens(text)).toEqual(words)
    expect(wordTokens("They'll save and invest more, can't they?")).toEqual([
      'They',
      "'ll",
      'save',
      'and',
      'invest',
      'more',
      ',',
      'ca',
      "n't",
      'they',
      '?',
    ])
    expect(wordTokens('"We beat some pretty good teams," Kocinski said; cannot.')).toEqual(
      "`` We beat some pretty good teams , '' Kocinski said ; can not .".split(' '),
    )
  })
})

describe('patterns that look around', () => {
  test.each([
    ['(?<=the answer is )(\\w+)', 'so the answer is no.', 'no'],
    ['(?<!\\d)\\d+(?!\\d|\\.)', '12.5 and 77', '5'],
    ['(?P<mark>[*_])x(?P=mark)', 'x *x_ _x_', '_'],
    ['(?i)(?<=answer:)\\s*([A-D\\-\\]\\[])', 'ANSWER: b', 'b'],
    ['(?<=\\$)[\\d,]+(?=\\.|$)', 'cost $1,200.50', '1,200'],
    ['(?m)(?<=^- )\\S+$', 'a\n- b\nc', 'b'],
  ])('%s finds in %j what Python’s re finds', (pattern, output, answer) => {
    const { value } = grade('lm_eval/exact_match', { regex: { regex_pattern: pattern } }, output, answer)
    expect(value).toBe(1)
  })

  test('are stopped where they would take forever, and only that answer goes without a verdict', () => {
    const options = { regex: { regex_pattern: '(?=x)(x+x+)+y' } }
    expect(grade('lm_eval/exact_match', options, 'x'.repeat(40), 'x')).toMatchObject({ class: 'too_slow', value: null })
    expect(grade('lm_eval/exact_match', options, 'xxy', 'xx')).toMatchObject({ value: 1 })
  })
})
