/** Translators: texts go out as XLIFF 2.1 and come back. */
import { beforeAll, describe, expect, test } from 'vitest'
import { createModel, jacket, pim, productCalls, schemaVersion, simple, vals } from '../../test/catalogue.ts'
import { withServer } from '../../test/server.ts'
import { transferCalls } from '../../test/transfers.ts'

const api = withServer()
const { persist, retrieve } = productCalls(api)
const { run, rowsOf, previewOf, exported, send } = transferCalls(api)
const texts = (attr: string, byLocale: Record<string, string>) => ({
  attr,
  itm: Object.entries(byLocale).map(([loc, value]) => ({ loc, value })),
})
const notes = (byLocale: Record<string, string[]>) => ({
  attr: 'notes',
  i18N: Object.entries(byLocale).map(([loc, values]) => ({ loc, itm: values.map((value, pos) => ({ value, pos })) })),
})
const pair = { target: 'de_DE' }
const order = async (tids: string[], more: object = {}) =>
  (await exported({ format: 'xml', layout: 'xliff', tids, translation: { ...pair, ...more } })).toString()
const unitsIn = (xml: string) => [...xml.matchAll(/<unit id="([^"]+)"/g)].map(([, id]) => id)
interface Value {
  attr: string
  itm?: { loc: string; value: string }[]
  i18N?: { loc: string; itm: { value: string }[] }[]
}
const textIn = (vals: { val: Value[] }, attr: string, locale: string) => {
  const val = vals.val.find((one) => one.attr === attr)
  const list = val?.i18N?.find(({ loc }) => loc === locale)?.itm ?? val?.itm?.filter(({ loc }) => loc === locale)
  return list?.map(({ value }) => value).join('|')
}
const german = async (tid: string, attr: string) => textIn((await retrieve(tid))[0].vals, attr, 'de_DE')
/** Translates every segment: a text becomes its German by the table. */
const translated = (xml: string, words: Record<string, string>, state = 'translated') =>
  Object.entries(words).reduce(
    (text, [source, target]) =>
      text.replace(
        new RegExp(`state="initial"><source>${source}</source>(<target>.*?</target>)?`),
        `state="${state}"><source>${source}</source><target>${target}</target>`,
      ),
    xml,
  )
const at = `${pim}/products/translations`
const staleOf = async (tid: string) => (await api.post(`${at}/retrieve`, { tid })).json.stale ?? []

beforeAll(async () => {
  await createModel(api)
  const attrDef = [{ tid: 'story.long', type: 'richtext', localized: 'true', name: { itm: [{ value: 'Story', loc: 'en_GB' }] } }] // prettier-ignore
  const reply = await api.post(`${pim}/attribute-definitions/persist`, { schemaVersion, attrDefs: { attrDef } }, { token: api.adminToken }) // prettier-ignore
  expect(reply.text).not.toContain('ERROR')
  await api.startWorker()
})

describe('an export for translators', () => {
  test('has a unit per text with its source, the names of product and attribute, and tags as codes', async () => {
    const story = '<p>Warm &amp; dry.<br />A <strong>good</strong> coat</p>'
    await persist(jacket('X 1/ä', vals(texts('caption', { en_GB: 'coat <new>', fr_FR: 'manteau' }), texts('story.long', { en_GB: story }), simple('material', 'wool')))) // prettier-ignore
    const xml = await order(['X 1/ä'])
    expect(xml).toContain('<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en-GB" trgLang="de-DE">') // prettier-ignore
    expect(xml).toContain('<file id="product.X_201_2F_C3_A4" original="X 1/ä" xml:space="preserve" canResegment="no">')
    expect(unitsIn(xml)).toEqual(['p.caption', 'p.story_2Elong'])
    expect(xml).toContain('<note category="product">Jacket X 1/ä</note><note category="attribute">Caption</note>')
    expect(xml).toContain('<segment id="s1" state="initial"><source>coat &lt;new&gt;</source></segment>')
    expect(xml).toContain('<originalData><data id="d1">&lt;p&gt;</data>')
    expect(xml).toMatch(/<source><pc id="\d" dataRefStart="d1" dataRefEnd="d2">Warm &amp; dry\.<ph id="\d" dataRef="d\d"\/>A <pc [^>]+>good<\/pc> coat<\/pc><\/source>/) // prettier-ignore
    expect(xml).not.toContain('manteau')
  })

  test('has the texts in the wanted state: missing, stale, both or all', async () => {
    await persist(jacket('S', vals(texts('caption', { en_GB: 'coat', de_DE: 'Mantel' }), notes({ en_GB: ['a', 'b'] }))))
    await persist(jacket('T', vals(texts('caption', { en_GB: 'boot', de_DE: 'Stiefel' }))))
    await persist({ tid: 'S', ...vals(texts('caption', { en_GB: 'cloak' })) })
    const inState = async (state: string) => unitsIn(await order(['S', 'T'], { state }))
    expect(await inState('missing')).toEqual(['p.notes'])
    expect(await inState('stale')).toEqual(['p.caption'])
    expect(await inState('open')).toEqual(['p.notes', 'p.caption'])
    expect(await inState('all')).toEqual(['p.notes', 'p.caption', 'p.caption'])
    const all = await order(['S', 'T'], { state: 'all' })
    expect(all).toContain('state="initial"><source>cloak</source><target>Mantel</target>')
    expect(all).toContain('state="translated"><source>boot</source><target>Stiefel</target>')
    expect(all).toContain('<segment id="s2" state="initial"><source>b</source></segment>')
    expect(unitsIn(await order(['T']))).toEqual(['none'])
  })

  test.each([
    [{ layout: 'xliff' }, 'translation: the layout xliff needs the locale'],
    [{ translation: pair }, 'only taken with the layout xliff'],
    [{ layout: 'xliff', translation: pair, series: 'x' }, 'leave out the series'],
    [{ layout: 'xliff', translation: pair, format: 'csv' }, 'xliff cannot be written as csv'],
  ])('is refused for %j', async (body, reason) => {
    const { status, text } = await api.post('/api/v1/transfers/exports', { format: 'xml', ...body })
    expect([status, text]).toEqual([400, expect.stringContaining(reason)])
  })

  test.each([
    [{ target: 'xx_XX' }, 'unknown locale xx_XX'],
    [{ target: 'en_GB' }, 'is the locale to translate from'],
  ])('fails for the pair %j', async (translation, reason) => {
    await expect(exported({ format: 'xml', layout: 'xliff', tids: ['S'], translation })).rejects.toThrow(reason)
  })
})

describe('an import of translations', () => {
  test('stores what was translated; a round trip keeps formatted text, articles and lists', async () => {
    const story = '<p>Warm &amp; dry.<br />A <strong>good</strong> coat</p>'
    const variant = [{ tid: 'R-1.v', name: 'small', ...vals(notes({ en_GB: ['a', 'b'] })) }]
    const article = [{ tid: 'R-1', name: 'red', ...vals(texts('caption', { en_GB: 'red coat' })), variants: { variant } }] // prettier-ignore
    await persist(jacket('R', { ...vals(texts('story.long', { en_GB: story })), articles: { article } }))
    const xml = await order(['R'])
    expect(unitsIn(xml)).toEqual(['p.story_2Elong', 'a.R_2D1.caption', 'v.R_2D1.R_2D1_2Ev.notes'])
    const rich = /<source>(<pc.*?)<\/source>/.exec(xml)![1]!
    const back = translated(xml, { 'red coat': 'roter Mantel', a: 'Ä', b: 'Bé' }, 'final').replace(
      `state="initial"><source>${rich}</source>`,
      `state="reviewed"><source>${rich}</source><target>${rich.replace('Warm', 'Warm und').replace('good', 'guter')}</target>`, // prettier-ignore
    )
    const done = await run(back, 'name=de.xlf')
    expect(done, done.problem).toMatchObject({ state: 'finished', layout: 'xliff', updated: 3, refused: 0 })
    const [found] = await retrieve('R')
    expect(textIn(found.vals, 'story.long', 'de_DE')).toBe('<p>Warm und &amp; dry.<br />A <strong>guter</strong> coat</p>') // prettier-ignore
    const [red] = found.articles.article
    expect(textIn(red.vals, 'caption', 'de_DE')).toBe('roter Mantel')
    expect(textIn(red.variants.variant[0].vals, 'notes', 'de_DE')).toBe('Ä|Bé')
    expect(await run(back, 'name=de.xlf')).toMatchObject({ state: 'finished', unchanged: 3 })
  })

  test('leaves units that are not translated or empty, and says how many', async () => {
    await persist(jacket('N', vals(texts('caption', { en_GB: 'coat' }), notes({ en_GB: ['a', 'b'] }))))
    const xml = await order(['N'])
    const half = translated(xml, { a: 'Ä' })
    const { notes: said, ...done } = await run(translated(half, { coat: ' ' }), 'name=n.xliff')
    expect(done, done.problem).toMatchObject({ state: 'finished', updated: 0, refused: 0 })
    expect(said).toEqual([
      { place: 'unit', reason: 'not translated yet: its state is initial', count: 1 },
      { place: 'unit', reason: 'its target is empty', count: 1 },
    ])
    expect(await german('N', 'caption')).toBe('')
  })

  test('refuses a unit whose source text has changed meanwhile, and no other', async () => {
    await persist(jacket('C1', vals(texts('caption', { en_GB: 'coat' }))), jacket('C2', vals(texts('caption', { en_GB: 'boot' })))) // prettier-ignore
    const back = translated(await order(['C1', 'C2']), { coat: 'Mantel', boot: 'Stiefel' })
    await persist({ tid: 'C1', ...vals(texts('caption', { en_GB: 'cloak' })) })
    const { json } = await send(back, 'name=c.xlf')
    expect((await previewOf(json.id)).rows.map(({ faults = [] }: { faults?: { reason: string }[] }) => faults.map(({ reason }) => reason))).toEqual([[expect.stringContaining('is no longer the one of the file')], []]) // prettier-ignore
    const done = await run(back, 'name=c.xlf')
    expect(done).toMatchObject({ state: 'finished', updated: 1, refused: 1 })
    expect((await rowsOf(done.id))[0].faults[0].reason).toContain('The source text of caption'.toLowerCase().slice(4))
    expect([await german('C1', 'caption'), await german('C2', 'caption')]).toEqual(['', 'Stiefel'])
  })

  test('removes the mark of a stale text, also if the translation is still the same', async () => {
    await persist(jacket('M', vals(texts('caption', { en_GB: 'coat', de_DE: 'Mantel' }))))
    await persist({ tid: 'M', ...vals(texts('caption', { en_GB: 'cloak' })) })
    expect(await staleOf('M')).toHaveLength(1)
    const back = translated(await order(['M'], { state: 'stale' }), { cloak: 'Mantel' }, 'final')
    expect(await run(back, 'name=m.xlf')).toMatchObject({ state: 'finished', unchanged: 1 })
    expect(await staleOf('M')).toEqual([])
  })

  test('sanitises formatted text, whatever the codes contain', async () => {
    await persist(jacket('H', vals(texts('story.long', { en_GB: '<p>Hello</p>' }))))
    const xml = await order(['H'])
    const rich = /<source>(<pc.*?)<\/source>/.exec(xml)![1]!
    const hostile = xml
      .replace('</originalData>', '<data id="d9">&lt;script>alert(1)&lt;/script>&lt;img src=x onerror=alert(1)></data></originalData>') // prettier-ignore
      .replace(`state="initial"><source>${rich}</source>`, `state="final"><source>${rich}</source><target>${rich.replace('Hello', 'Hallo<ph id="7" dataRef="d9"/> &lt;b onclick="x">')}</target>`) // prettier-ignore
    expect(await run(hostile, 'name=h.xlf')).toMatchObject({ state: 'finished', updated: 1 })
    expect(await german('H', 'story.long')).toBe('<p>Hallo &lt;b onclick="x"&gt;</p>')
  })

  const head = (attributes: string) => `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" ${attributes}>`
  const languages = 'version="2.1" srcLang="en-GB" trgLang="de-DE"'
  const unit = (id: string, inside = '') =>
    `<unit id="${id}"><segment state="final"><source>a</source><target>b</target></segment>${inside}</unit>`
  const file = (content: string, id = 'product.F') => `<file id="${id}">${content}</file></xliff>`

  test.each([
    ['XLIFF 1.2', head('version="1.2"') + file(''), 'save the file as XLIFF 2.1'],
    ['an unknown language', head('version="2.1" srcLang="en-GB" trgLang="tlh"') + file(''), 'trgLang: tlh is not'],
    ['no target language', head('version="2.1" srcLang="en-GB"') + file(''), 'trgLang: the document names no language'],
    ['one language', head('version="2.0" srcLang="en-GB" trgLang="en-gb"') + file(''), 'is the one of the source'],
    ['a document type', `<!DOCTYPE xliff [<!ENTITY e "x">]>${head(languages)}${file(unit('p.caption').replace('>b<', '>&e;<'))}`, 'DOCTYPE'], // prettier-ignore
    ['an entity', head(languages) + file(unit('p.caption').replace('>b<', '>&e;<')), 'cannot be read'],
    ['a cut file', `${head(languages)}<file id="product.F"><unit id="p.caption">`, 'cannot be read'],
    ['a unit whose codes multiply its data', head(languages) + file(unit('p.caption', `<originalData><data id="d">${'x'.repeat(50_000)}</data></originalData>`).replace('>b<', `>b${'<ph dataRef="d"/>'.repeat(100)}<`)), 'inline codes of a unit have more than'], // prettier-ignore
    ['a unit without end', head(languages) + file(unit('p.caption').replace('>b<', `>${'x'.repeat(5_000_000)}<`)), 'larger than'], // prettier-ignore
  ])('refuses %s', async (_, xml, reason) => {
    const done = await run(xml, 'name=f.xlf&layout=xliff')
    expect(done.state).toBe('failed')
    expect(done.problem).toContain(reason)
  })

  test.each([
    ['an unknown product', file(unit('p.caption'), 'product.Nobody'), 'no product has the tid Nobody'],
    ['an unknown article', file(unit('a.Nobody.caption')), 'is no longer the one of the file'],
    ['a unit of another system', file(unit('u1')), 'the unit u1 is not one of an export'],
    ['a file of another system', file(unit('p.caption'), 'f1'), 'is not one of an export'],
    ['an attribute that is not translated', file(unit('p.material')), 'no translated text has the attribute material'],
    ['an unknown attribute', file(unit('p.nope')), 'no translated text has the attribute nope'],
    ['a text in two segments', file(unit('p.caption', '<segment state="final"><source>c</source><target>d</target></segment>')), 'has 2 segments'], // prettier-ignore
  ])('refuses the unit of %s', async (_, xml, reason) => {
    await persist(jacket('F', vals(texts('caption', { en_GB: 'a' }))))
    const done = await run(head(languages) + xml, 'name=f.xlf')
    expect(done, done.problem).toMatchObject({ state: 'finished', refused: 1, updated: 0 })
    expect((await rowsOf(done.id))[0].faults[0].reason).toContain(reason)
  })
})

describe('rights', () => {
  const tokens = new Map<string, string>()
  beforeAll(async () => {
    const all = ['read', 'create', 'update', 'delete', 'link']
    const roles: Record<string, object> = {
      french: { kind: '*', actions: all, visibleLocales: { only: ['en_GB', 'fr_FR'] } },
      blind: { kind: '*', actions: all, visibleAttributes: { except: ['caption'] } },
      reader: { kind: '*', actions: all, editableLocales: { only: ['en_GB'] } },
    }
    for (const [role, grant] of Object.entries(roles)) {
      const options = { method: 'PUT', token: api.adminToken } as const
      expect((await api.post(`/api/v1/identity/roles/${role}`, { grants: [grant] }, options)).status).toBeLessThan(300)
      tokens.set(role, await api.tokenFor({ name: role, roles: [role] }))
    }
    await persist(jacket('P', vals(texts('caption', { en_GB: 'coat', de_DE: 'Mantel' }))))
  })
  const as = (role: string) => {
    const token = tokens.get(role)!
    const other = Object.create(api, {
      token: { value: token },
      post: { value: ((path, body, more) => api.post(path, body, { token, ...more })) satisfies typeof api.post },
      get: { value: ((path, more) => api.get(path, { token, ...more })) satisfies typeof api.get },
    }) as typeof api
    return transferCalls(other)
  }

  test('an export has only texts that one may see', async () => {
    const body = { format: 'xml', layout: 'xliff', tids: ['P'], translation: { ...pair, state: 'all' } }
    expect((await as('french').exported(body)).toString()).not.toContain('Mantel')
    expect((await as('blind').exported(body)).toString()).not.toContain('coat')
    expect((await as('reader').exported(body)).toString()).toContain('Mantel')
  })

  test.each(['french', 'blind', 'reader'])('%s does not store a text that this role may not change', async (role) => {
    const xml = await order(['P'], { state: 'all' })
    const done = await as(role).run(xml.replace('>Mantel<', '>Umhang<'), 'name=p.xlf')
    expect(done, done.problem).toMatchObject({ state: 'finished', refused: 1, updated: 0 })
    expect(await german('P', 'caption')).toBe('Mantel')
  })
})
