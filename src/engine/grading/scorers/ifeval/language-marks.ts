/** Frequent words of a language, and letters that its neighbors in the same script do not use. */
export interface LanguageMarks {
  readonly words: string
  readonly letters: string
}

export const cyrillicLanguages: Readonly<Record<string, LanguageMarks>> = {
  ru: { words: 'и в не на что с как это по но из у за от так же для было быть есть', letters: 'ыэё' },
  uk: { words: 'і в не на що з як це по але із за від так для було бути є та', letters: 'іїєґ' },
  bg: { words: 'и в не на че с как това по но от за са да се е ще при като съм', letters: 'ъ' },
  mk: { words: 'и во не на што со како ова по но од за се да е ќе при тоа сум', letters: 'ѓќѕј' },
}

export const arabicLanguages: Readonly<Record<string, LanguageMarks>> = {
  ar: { words: 'في من على إلى أن هذا هذه التي الذي عن مع كان لا ما هو هي كل بعد', letters: 'ةىإأ' },
  fa: { words: 'و در به از که این را با است برای آن یک خود تا بر می هم شد ها', letters: 'پچژگ' },
  ur: { words: 'کے کی میں ہے سے اور کا کو پر نے یہ ہیں کہ ایک بھی اس نہیں تھا گیا', letters: 'ٹڈڑںھہے' },
}

export const devanagariLanguages: Readonly<Record<string, LanguageMarks>> = {
  hi: { words: 'के है में की और से का को पर यह हैं कि एक भी इस नहीं था ने हो वह मैं', letters: '' },
  mr: { words: 'आहे आणि च्या मध्ये हे ही या तो ते आहेत नाही एक होते केले असे करून साठी मी', letters: 'ळ' },
  ne: { words: 'छ र को मा ले का लाई यो पनि हो छन् एक गर्न भएको गरेको तथा थियो हुन् म', letters: '' },
}

/** Languages in Latin script that langdetect knows, most frequent first: of two that fit equally the earlier one is chosen. */
export const latinLanguages: Readonly<Record<string, LanguageMarks>> = {
  en: {
    words: 'the of and to in is that it for was on are as with be at this have from by not or you we i they his her an will',
    letters: '',
  },
  es: { words: 'el la de que y en los del se las por un para con no una su al lo es como más hoy pero sus este', letters: 'ñ¿¡' },
  fr: { words: 'le la de et les des en un du une que est pour qui dans par sur pas plus au avec ce il sont je vous nous', letters: 'çœêè' },
  de: {
    words: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden ich wir',
    letters: 'ßäöü',
  },
  pt: { words: 'o a de que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à você', letters: 'ãõ' },
  it: { words: 'di e il la che in un per è del una non sono con le della si dei da i al come più gli nel alla', letters: '' },
  nl: { words: 'de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij nog uit', letters: 'ĳ' },
  sv: { words: 'och i att det som en på är av för med den till inte om ett han har de var jag', letters: 'å' },
  da: { words: 'og i at det som en på er af for med den til ikke om et han har de var jeg', letters: 'æø' },
  no: { words: 'og i å det som en på er av for med den til ikke om et han har de var jeg', letters: 'æø' },
  fi: { words: 'ja on ei se että oli hän mutta myös kun joka ovat niin kuin tai jos minä sen olen olla', letters: '' },
  pl: { words: 'i w nie na się z że to do jest o jak po co ale od za czy przez dla są', letters: 'łąęśżźć' },
  cs: { words: 'a v se na je že o to s z do i jako za by pro po ale jsem jsou', letters: 'řěůť' },
  tr: { words: 've bir bu da de için ile çok olarak ne daha gibi var o ama kadar olan en', letters: 'ığş' },
  vi: { words: 'và của là có trong được cho một không các với người này những khi để tôi đã', letters: 'đơưạảấầếềểễệộờợựừ' },
  sw: { words: 'na ya wa kwa ni katika za la kuwa hii cha kama au vya yake hiyo huo pia sana mimi wewe', letters: '' },
  id: { words: 'yang dan di dengan untuk ini dari dalam tidak pada adalah ke itu akan atau juga saya oleh', letters: '' },
  ro: { words: 'și de în la a cu pe nu că o un din este mai pentru care sunt fi se', letters: 'țșă' },
  hu: { words: 'a az és hogy nem is egy ez de meg van csak volt mint már még el', letters: 'őű' },
  tl: { words: 'ang ng sa na mga at ay si ito para kung hindi siya ako niya isang', letters: '' },
}
