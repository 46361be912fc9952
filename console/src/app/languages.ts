/**
 * The languages of the console: English, and one for each file in `languages/`. A new file is all that a further language
 * needs; its name is the language tag.
 */
import { english, type Language, preferredLanguage, type Text, type Texts } from '../ui/language.tsx'

type Defined =
  | typeof import('../ui/common-texts.ts').commonTexts
  | typeof import('../ui/date-field.tsx').texts
  | typeof import('../ui/problem-texts.ts').problemTexts
  | typeof import('../object/asset-picker.tsx').texts
  | typeof import('../object/bulk/texts.ts').texts
  | typeof import('../object/bulk/pattern-texts.ts').patternTexts
  | typeof import('../object/form-draft.tsx').texts
  | typeof import('../object/linked/shipped-words.ts').outcomes
  | typeof import('../object/linked/shipped-words.ts').shippedWords
  | typeof import('../object/linked/texts.ts').texts
  | typeof import('../object/conditions/texts.ts').conditionsTexts
  | typeof import('../object/presence.tsx').texts
  | typeof import('../object/schedule/texts.ts').scheduleTexts
  | typeof import('../object/start-texts.ts').texts
  | typeof import('../object/viewer/player-texts.ts').playerTexts
  | typeof import('../object/metadata-texts.ts').metadataTexts
  | typeof import('../object/export-format-texts.ts').exportFormatTexts
  | typeof import('../object/rendition-texts.ts').renditionTexts
  | typeof import('../areas/settings/relation-texts.ts').relationTexts
  | typeof import('../object/quality-texts.ts').qualityTexts
  | typeof import('../object/sharing/texts.ts').sharingTexts
  | typeof import('../object/care-texts.ts').careTexts
  | typeof import('../object/usage-texts.ts').usageTexts
  | typeof import('../object/stored-list.tsx').texts
  | typeof import('../object/unit-families.ts').familyTexts
  | typeof import('../object/values/collision-texts.ts').collisionTexts
  | typeof import('../object/values/richtext-texts.ts').richtextTexts
  | typeof import('../areas/api/texts.ts').texts
  | typeof import('../areas/assets/detail-texts.ts').texts
  | typeof import('../areas/assets/filter-texts.ts').filterTexts
  | typeof import('../areas/assets/texts.ts').texts
  | typeof import('../areas/channels/briefing-texts.ts').briefingTexts
  | typeof import('../areas/channels/readiness-texts.ts').readinessTexts
  | typeof import('../areas/channels/texts.ts').texts
  | typeof import('../areas/feeds/texts.ts').texts
  | typeof import('../areas/glossaries/texts.ts').texts
  | typeof import('../areas/home/texts.ts').texts
  | typeof import('../areas/keywords/texts.ts').texts
  | typeof import('../areas/messages/texts.ts').texts
  | typeof import('../areas/model/texts.ts').texts
  | typeof import('../areas/products/editor/texts.ts').texts
  | typeof import('../areas/products/texts.ts').texts
  | typeof import('../areas/rules/texts.ts').texts
  | typeof import('../areas/search/texts.ts').texts
  | typeof import('../areas/settings/admin-texts.ts').adminTexts
  | typeof import('../areas/settings/grant-texts.ts').grantTexts
  | typeof import('../areas/settings/system-texts.ts').systemTexts
  | typeof import('../areas/settings/texts.ts').texts
  | typeof import('../areas/tasks/texts.ts').texts
  | typeof import('../areas/transfers/mapping/texts.ts').texts
  | typeof import('../areas/transfers/texts.ts').texts
  | typeof import('../areas/workflow/texts.ts').texts
  | typeof import('./help-texts.ts').screenHelp
  | typeof import('./help-texts.ts').tourTexts
  | typeof import('./sign-in-failure.ts').signInTexts
  | typeof import('./texts.ts').frameTexts
  | typeof import('./texts.ts').pageNames

/** Every text of the console in another language. */
export type Translation = {
  readonly [T in Defined as T['name']]: T extends Texts<infer K> ? Readonly<Record<K, Text>> : never
}

const files = import.meta.glob<{ default: Translation }>('../languages/*.ts')
const pathOf = (tag: string) => `../languages/${tag}.ts`

export const languages = [
  english.tag,
  ...Object.keys(files).map((path) => path.slice('../languages/'.length, -'.ts'.length)),
]

/** The language in its own words, such as "Français". */
export function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
}

export async function loadLanguage(tag: string): Promise<Language> {
  const load = files[pathOf(tag)]
  return load ? { tag, texts: (await load()).default } : english
}

export const loadPreferred = () => loadLanguage(preferredLanguage(languages)).catch(() => english)
