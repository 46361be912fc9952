/**
 * Quality in search documents of places: the score, and the checks that failed. Both are computed from all values and other
 * products, so only callers who may read all of them can use them.
 */
import type { DocumentField, FieldValues } from '../../core/outbox/documents.ts'
import type { ProductView } from '../../pim/api.ts'
import { type CheckName, defaultSettings, judgeQuality, type Setting, type Subject } from './checks.ts'
import type { Facts } from './facts.sql.ts'
import { type Extension, subjectsOf } from './subjects.ts'

// prettier-ignore
const checkLabels: Readonly<Record<CheckName | 'none', DocumentField['label']>> = {
  length:              { '': 'Length of texts', de_DE: 'Länge der Texte', fr_FR: 'Longueur des textes' },
  forbiddenWords:      { '': 'Forbidden words', de_DE: 'Verbotene Wörter', fr_FR: 'Mots interdits' },
  identicalTexts:      { '': 'Same text in two languages', de_DE: 'Gleicher Text in zwei Sprachen', fr_FR: 'Même texte en deux langues' },
  staleTranslation:    { '': 'Outdated translation', de_DE: 'Veraltete Übersetzung', fr_FR: 'Traduction périmée' },
  mainPicture:         { '': 'No main picture', de_DE: 'Kein Hauptbild', fr_FR: 'Pas d’image principale' },
  duplicateIdentifier: { '': 'Duplicate identifier', de_DE: 'Doppelte Kennung', fr_FR: 'Identifiant en double' },
  similarName:         { '': 'Similar name', de_DE: 'Ähnlicher Name', fr_FR: 'Nom semblable' },
  none:                { '': 'No faults', de_DE: 'Keine Mängel', fr_FR: 'Aucun défaut' },
}

/** The kinds of objects whose values count: texts of products and their extension objects, and pictures. */
const judged = ['product', 'peo', 'asset']

export const qualityFields: readonly DocumentField[] = [
  {
    name: 'quality',
    type: 'number',
    localized: true,
    hasFallback: true,
    whole: judged,
    ranges: [{ to: 50 }, { from: 50, to: 80 }, { from: 80, to: 100 }, { from: 100 }],
    label: { '': 'Quality', de_DE: 'Qualität', fr_FR: 'Qualité' },
  },
  {
    name: 'qualityFaults',
    type: 'keyword',
    localized: true,
    hasFallback: true,
    whole: judged,
    values: new Map(Object.entries(checkLabels)),
    label: { '': 'Faults of quality', de_DE: 'Qualitätsmängel', fr_FR: 'Défauts de qualité' },
  },
]

export interface IndexedQuality {
  readonly fields: ReadonlyMap<string, FieldValues>
  /** The pictures, duplicates and glossary entries that it depends on. */
  readonly refs: readonly number[]
}

/** By locale; '' is for every locale without texts. With `only`, other locales have none. */
export function qualityIn(
  view: ProductView,
  facts: Facts,
  extensions: readonly Extension[],
  settings: readonly Setting[] = defaultSettings,
  only?: readonly string[],
): IndexedQuality {
  const subjects = subjectsOf(view, facts, extensions, () => true)
  const locales = new Set(only ?? ['', ...subjects.flatMap(localesOf)])
  const judged = [...locales].map((locale) => [locale, judgeQuality(subjects, settings, locale)] as const)
  const failed = (checks: (typeof judged)[number][1]['checks']) => [
    ...new Set(checks.flatMap(({ check, passed }) => (passed ? [] : (check ?? [])))),
  ]
  const scored = judged.filter(([, { score }]) => score !== undefined)
  const fields = new Map<string, FieldValues>([
    ['quality', new Map(scored.map(([locale, { score }]) => [locale, [score!]]))],
    ['qualityFaults', new Map(scored.map(([locale, { checks }]) => [locale, orNone(failed(checks))]))],
  ])
  return { fields, refs: [...refsOf(facts), ...subjects.flatMap(wordsIn)] }
}

const localesOf = ({ texts }: Subject) => [...texts.values()].flatMap((byLocale) => [...byLocale.keys()])
/** Without a value, a locale would have that of the fallback. */
const orNone = (names: readonly string[]) => (names.length > 0 ? names : ['none'])

/** Pictures that cannot be used now are among them, because they can become usable. */
const refsOf = ({ pictures, identifiers, alike }: Facts) => [
  ...(pictures ?? []).map(({ assetId }) => assetId),
  ...[...alike, ...identifiers.flatMap((one) => (one.others.length > 0 ? [one, ...one.others] : []))].map(
    ({ id }) => id,
  ),
]

const wordsIn = ({ texts, words }: Subject) =>
  [...texts.values()].flatMap((byLocale) =>
    [...byLocale].flatMap(([locale, some]) => some.flatMap((text) => words.in(locale, text).map(({ id }) => id))),
  )
