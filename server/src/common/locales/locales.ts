/**
 * The rules of /common/locales. `ids` belong to mode ID and `tids` to mode TID; other modes take neither. With
 * exportConfig, a locale includes its number and date formats.
 */
import { type common, type Infer, type Locale, localeModes } from '@kontor/contract'
import type { Handlers } from '../../core/batch/handlers.ts'
import { Problem } from '../../errors.ts'
import { findLocales, type LocaleRow } from './locales.sql.ts'

const selectors = { ids: 'ID', tids: 'TID' } as const

export const locales: Handlers<typeof common.resources.locales> = {
  async retrieve({ db }, request) {
    const { mode, exportConfig = false } = request
    // A call without a body has an empty request, in which nothing is required.
    if (mode === undefined) throw new Problem('invalid', `/localeRequest/mode: required; ${localeModes.join(', ')}`)
    for (const [field, needed] of Object.entries(selectors)) {
      const given = request[field as keyof typeof selectors] !== undefined
      if (given !== (mode === needed)) {
        throw new Problem(
          'invalid',
          `/localeRequest/${field}: ${given ? `only taken with mode ${needed}` : `required with mode ${mode}`}`,
        )
      }
    }
    const found = await findLocales[mode](db, request.ids ?? request.tids ?? [])
    if (found.length === 0) throw new Problem('notFound', 'none of the locales exists')
    return { locales: found.map((row) => toLocale(row, exportConfig)) }
  },
}

export function toLocale(row: LocaleRow, exportConfig: boolean): Infer<typeof Locale> {
  const meta = {
    content: String(row.content),
    frontend: String(row.frontend),
    ...(row.isSource && { source: 'true' }),
  }
  return {
    name: row.name,
    meta: { itm: Object.entries(meta).map(([key, value]) => ({ value, key })) },
    ...(exportConfig && { config: { itms: [{ itm: formatsOf(row), type: 'formats' }] } }),
    id: row.id,
    tid: row.tid,
    language: row.language,
    country: row.country,
  }
}

/** The number and date formats of the language. The country may be unknown (en_EN). */
function formatsOf({ language, country }: LocaleRow) {
  const tag = Intl.getCanonicalLocales(
    country === language.toUpperCase() && language === 'en' ? language : `${language}-${country}`,
  )
  const numbers = new Intl.NumberFormat(tag).formatToParts(1234567.5)
  const part = (type: string) => numbers.find((found) => found.type === type)?.value ?? ''
  const letters: Record<string, string> = { year: 'yyyy', month: 'MM', day: 'dd' }
  const date = new Intl.DateTimeFormat(tag, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(0)
  const formats = {
    decimalSeparator: part('decimal'),
    groupSeparator: part('group'),
    datePattern: date.map(({ type, value }) => letters[type] ?? value).join(''),
  }
  return Object.entries(formats).map(([key, value]) => ({ value, key }))
}

/** `{langCode}_{countryCode}`. The country need not be an ISO one: en_EN is common. */
export function checkLocale(where: string, loc: string): string {
  if (/^[a-z]{2,3}_[A-Z]{2,3}$/.test(loc)) return loc
  throw new Problem('invalid', `${where}: ${loc} is not a locale; expected language and country like en_GB`)
}
