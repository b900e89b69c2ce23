/** Verbs that answers begin with, in their plain form. A tagger that reads the whole sentence is not part of this program. */
const verbs = new Set(
  (
    'accept access account achieve act adapt add address adjust adopt advise aim align allow analyze apply approach arrange ask assemble assess ' +
    'assign assist assume attach attend avoid awaken balance be become begin behold believe bind blend boost break bring build calculate call ' +
    'capture care carry categorize celebrate challenge change check choose clarify classify clean collaborate collect combine come communicate ' +
    'compare compile complete compose compute conceive conduct configure confirm connect consider construct consult contact contemplate continue ' +
    'contrast contribute convert convey cook copy count craft create cultivate cut debug decide declare decompose dedicate deepen define deliver ' +
    'delve demonstrate deploy derive describe design determine develop discover discuss dive divide do document download draft draw dream drive ' +
    'edit educate elaborate eliminate embark embrace emphasize employ enable encourage engage enhance ensure enter envision establish estimate ' +
    'evaluate examine execute exercise expand expect experience explain explore express extend extract face facilitate factor fill find finish ' +
    'follow form formulate foster gain gather generate get give go grab grow guide handle harness have hear help highlight identify ignore ' +
    'illustrate imagine implement import improve include incorporate increase indicate inform initiate inspect install integrate interpret ' +
    'introduce invent invest investigate join journey keep know launch lead learn leave let leverage limit list listen live locate look maintain ' +
    'make manage maximize mean measure meet mention minimize mix modify monitor motivate move navigate need note observe obtain offer open ' +
    'optimize organize outline overcome perform persist picture place plan play ponder practice prepare prepend present prevent prioritize proceed ' +
    'produce promote prompt protect prove provide publish pull push put raise reach read realize recall recognize recommend record reduce refer ' +
    'reflect refine reject remain remember remove rename repeat replace report represent request research resolve respond restore return reveal ' +
    'review revise rewrite run save say schedule search see seek select sell send separate serve set share show simplify sketch solve speak ' +
    'specify split spread stand start state stay step stop store strengthen strive structure study submit substitute suggest summarize support ' +
    'suppose swap take talk teach tell test thank think track train transform translate travel treat trust try turn understand unite unleash ' +
    'unlock unveil update upgrade use utilize validate verify view visit visualize wait wake walk want watch weave welcome witness wonder work ' +
    'write yield'
  ).split(' '),
)
const irregular = new Set(
  (
    'is are was were am been being has had did does done went gone made gave given took taken saw seen knew known wrote written became began ' +
    'begun built bought brought caught chose chosen came felt fell fought found flew forgot got grew held kept laid led left lost meant met paid ' +
    'ran said sold sent set spoke spent stood thought told understood won can could may might must shall should will would'
  ).split(' '),
)

/** Verbs that the original's tagger takes for names where a text begins with them, as its published verdicts show. */
const takenForNames = new Set(['build', 'conceive', 'understand'])

/** Whether a word is, or can well be, a verb: a known one in any form, or any word in -ing, -ize or -ify. */
export function isVerb(text: string): boolean {
  const word = text.toLowerCase().replaceAll('’', "'").replace(/n't$/, '')
  if (takenForNames.has(word)) return false
  if (verbs.has(word) || irregular.has(word)) return true
  if (/.{3}(?:ing|ize|ise|ify)$/.test(word)) return true
  return stems(word).some(stem => verbs.has(stem))
}

/** What third persons, past tenses and participles may come from. */
function stems(word: string): readonly string[] {
  const [, start = '', ending = ''] = /^(.{2,30}?)(ies|ied|es|ed|s|d)$/.exec(word) ?? []
  if (start === '') return []
  const doubled = /(.)\1$/.test(start) ? [start.slice(0, -1)] : []
  return ending.startsWith('ie') ? [`${start}y`] : [start, `${start}e`, ...doubled]
}
