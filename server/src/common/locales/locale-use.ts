/** PUT /common/locales/{tid}: administrators add locales and choose which of them are used. */
import { because, type common } from '@kontor/contract'
import type { RouteHandler } from '../../core/http/routes.ts'
import { Problem } from '../../errors.ts'
import { checkLocale, toLocale } from './locales.ts'
import { anyContent, findLocales, lockLocales, setSource, upsertLocale } from './locales.sql.ts'

export const putLocale: RouteHandler<typeof common.routes.putLocale> = async (
  { db },
  { params: { locale: tid = '' }, body },
) => {
  checkLocale('tid', tid)
  if (body.name !== undefined && (body.name.trim() === '' || body.name.length > 100))
    throw new Problem('invalid', '/localeChange/name: expected 1 to 100 characters')
  return db.transaction(async (db) => {
    await lockLocales(db)
    const [before] = await findLocales.TID(db, [tid])
    const { name = before?.name ?? nameOf(tid), content = before?.content ?? true } = body
    await upsertLocale(db, { tid, name, content, frontend: body.frontend ?? before?.frontend ?? false })
    if (body.source === true && !content)
      throw new Problem('invalid', '/localeChange/source: only a locale of content can be the source of translations')
    if (body.source === true) await setSource(db, tid)
    if (body.source === false && before?.isSource) await setSource(db, undefined)
    if (!(await anyContent(db))) throw new Problem('inUse', because('lastLocale'))
    return toLocale((await findLocales.TID(db, [tid]))[0]!, false)
  })
}

/** The language in itself, with the country: Deutsch (Österreich). */
function nameOf(tid: string): string {
  const [language = '', country = ''] = tid.split('_')
  const wordOf = (type: 'language' | 'region', code: string) => {
    try {
      return new Intl.DisplayNames([language], { type }).of(code) ?? code
    } catch {
      return code // not an ISO code, as in en_EN
    }
  }
  const name = wordOf('language', language)
  return `${name} (${wordOf('region', country)})`
}
