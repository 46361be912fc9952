/** Changes of many files: usage rights, keywords and folders, renaming by a pattern, and links by file name. */
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../adapters/postgres/sql.ts'
import { createModel, jacket, productCalls, vals } from '../../test/catalogue.ts'
import { keyword, resourceOf, statementsOf } from '../../test/common.ts'
import { damCalls } from '../../test/dam.ts'
import { withServer } from '../../test/server.ts'

const api = withServer()
const dam = damCalls(api)
const { persist, perform } = productCalls(api)
const at = '/api/v1/changes'

interface Asset {
  readonly tid: string
  readonly name: string
  readonly path: string
  readonly links?: object
  readonly usageRights?: Record<string, unknown>
}
interface Item {
  readonly tid: string
  readonly name: string
  readonly status: string
  readonly reason?: string
  readonly changes?: { before: string[]; after: string[]; linkType?: string }[]
  readonly matched?: string
  readonly candidates?: { tid: string; name: string }[]
}

const never = new AbortController().signal
const work = (id: string) => api.app.jobs['change.run']!({ id } as never, never)
const make = async (selection: object, operations: object[], token = api.token) => {
  const reply = await api.post(at, { kind: 'asset', selection, operations }, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json.id as string
}
const done = async (id: string, command: string, token = api.token) => {
  const reply = await api.post(`${at}/${id}/${command}`, undefined, { token })
  expect(reply.status, reply.text).toBe(200)
  await work(id)
  return (await api.get(`${at}/${id}`, { token })).json
}
const itemsOf = async (id: string, token = api.token): Promise<Item[]> =>
  (await api.get(`${at}/${id}/items?count=1000`, { token })).json.items
const run = async (selection: object, ...operations: object[]) => {
  const id = await make(selection, operations)
  return { id, change: await done(id, 'start'), items: await itemsOf(id) }
}
const assets = async (...tids: string[]): Promise<Asset[]> => {
  const { json } = await api.post('/api/core/v1/dam/assets/retrieve', { tids })
  const byTid = new Map(json.assets.asset.map((one: Asset) => [one.tid, one]))
  return tids.map((tid) => byTid.get(tid) as Asset)
}
const namesOf = async (...tids: string[]) => (await assets(...tids)).map(({ name }) => name)
let folders = 0
const folderWith = async (...names: string[]) => {
  const path = `/main/F${++folders}`
  await dam.createPath(path)
  const added = await dam.addAssets(path, ...names)
  const byName = new Map(added.map(({ name, tid }) => [name, tid]))
  return { path, tids: names.map((name) => byName.get(name)!) }
}
const refused = async (operation: object, selection: object = { tids: ['A'] }, kind = 'asset') => {
  const { status, text } = await api.post(at, { kind, selection, operations: [operation] })
  expect(status, text).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  return text
}

beforeAll(async () => {
  await createModel(api)
  const token = api.adminToken
  const admin = async (path: string, body: object) => {
    const reply = await api.post(`/api/core/v1/${path}/persist`, { schemaVersion: '5.6.0', ...body }, { token })
    expect(reply.text).not.toContain('ERROR')
  }
  await admin('dam/rncs', { rncs: { rnc: [{ tid: 'main', name: 'Main' }] } })
  await admin('pim/attribute-definitions', { attrDefs: { attrDef: [{ tid: 'gtin', type: 'identifier', name: { itm: [{ value: 'GTIN', loc: 'en_GB' }] } }] } }) // prettier-ignore
  await resourceOf(api, 'keywords').persist(keyword('Sea'), keyword('Sky'), keyword('Land'))
})

describe('metadata', () => {
  test('parts of usage rights are set for many files, the others stay, and undo restores them', async () => {
    const { path, tids } = await folderWith('a.jpg', 'b.jpg')
    await dam.persistAssets({ tid: tids[0], usageRights: { licence: 'CC BY 4.0', territories: ['DE'], validUntil: '2030-01-01' } }) // prettier-ignore
    const { id, change } = await run(
      { folderPaths: [path] },
      { type: 'set', usageRight: 'holder', values: ['Harbour Ltd'] },
      { type: 'append', usageRight: 'territories', values: ['FR'] },
      { type: 'clear', usageRight: 'validUntil' },
    )
    expect(change).toMatchObject({ total: 2, changed: 2 })
    const [a, b] = await assets(...tids)
    expect(a!.usageRights).toMatchObject({ licence: 'CC BY 4.0', holder: 'Harbour Ltd', territories: ['DE', 'FR'] })
    expect(a!.usageRights).not.toHaveProperty('validUntil')
    expect(b!.usageRights).toMatchObject({ holder: 'Harbour Ltd', territories: ['FR'] })
    await dam.persistAssets({ tid: tids[1], usageRights: { holder: 'Somebody else' } })
    expect(await done(id, 'undo')).toMatchObject({ undone: 1, undoRefused: 1 })
    const [again, later] = await assets(...tids)
    expect(again!.usageRights).toMatchObject({ territories: ['DE'], validUntil: '2030-01-01T00:00:00.000Z' })
    expect(again!.usageRights).not.toHaveProperty('holder')
    expect(later!.usageRights).toMatchObject({ holder: 'Somebody else' })
  })

  test('a date of usage rights that no calendar has is refused for each file', async () => {
    const { tids } = await folderWith('a.jpg')
    for (const date of ['2030-02-31', '12/31/2030', '2030', 'soon']) {
      const { change, items } = await run({ tids }, { type: 'set', usageRight: 'validUntil', values: [date] })
      expect([date, change.changed ?? 0, items[0]!.reason]).toEqual([date, 0, expect.stringContaining('validUntil: expected a date')]) // prettier-ignore
    }
  })

  test('all keywords are replaced, and undo brings the former ones back', async () => {
    const { tids } = await folderWith('a.jpg', 'b.jpg')
    const keywords = async () =>
      (await assets(...tids)).map(({ links }) => [...JSON.stringify(links ?? {}).matchAll(/"(\/\w+)"/g)].map(([, one]) => one).toSorted()) // prettier-ignore
    await run({ tids: [tids[0]] }, { type: 'append', dataType: 'keyword', values: ['/Sea', 'Sky'] })
    expect(await keywords()).toEqual([['/Sea', '/Sky'], []])
    const replaced = await run({ tids }, { type: 'replace', dataType: 'keyword', find: '/Sea', replacement: '/Land' })
    expect(replaced.change).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await keywords()).toEqual([['/Land', '/Sky'], []])
    const { id } = await run({ tids }, { type: 'set', dataType: 'keyword', values: ['/Sea'] })
    expect(await keywords()).toEqual([['/Sea'], ['/Sea']])
    expect(await done(id, 'undo')).toMatchObject({ undone: 2 })
    expect(await keywords()).toEqual([['/Land', '/Sky'], []])
  })

  test('files are moved to a folder and back; a name that is taken there is refused', async () => {
    const here = await folderWith('a.jpg', 'b.jpg')
    const there = await folderWith('b.jpg')
    const { id, change, items } = await run({ tids: here.tids }, { type: 'move', to: there.path })
    expect(change).toMatchObject({ changed: 1, refused: 1 })
    expect(items[0]!.changes).toEqual([{ dataType: 'folder', before: [here.path], after: [there.path] }])
    expect((await assets(here.tids[0]!))[0]!.path).toBe(`${there.path}/a.jpg`)
    expect(await done(id, 'undo')).toMatchObject({ undone: 1 })
    expect((await assets(here.tids[0]!))[0]!.path).toBe(`${here.path}/a.jpg`)
  })

  test('files are selected by folder with what is below it, and by collection', async () => {
    const { path, tids } = await folderWith('a.jpg')
    await dam.createPath(`${path}/Below/Deep`)
    const below = (await dam.addAssets(`${path}/Below/Deep`, 'c.jpg')).map(({ tid }) => tid)
    const operation = { type: 'set', usageRight: 'licence', values: ['X'] }
    expect((await run({ folderPaths: [path, `${path}/Below`] }, operation)).change).toMatchObject({
      total: 2,
      changed: 2,
    })
    const { id } = (await api.post('/api/v1/collections', { name: 'Some' })).json
    await api.post(`/api/v1/collections/${id}/assets`, { add: [...below, ...tids] })
    expect((await run({ collection: id }, operation)).change).toMatchObject({ total: 2, unchanged: 2 })
    const token = await api.tokenFor({ name: 'lou' })
    const hidden = await api.post(
      at,
      { kind: 'asset', selection: { collection: id }, operations: [operation] },
      { token },
    )
    expect(hidden.status, hidden.text).toBe(404)
    expect(await refused(operation, { folderPaths: ['/main/Nowhere'] })).toContain('Nowhere')
    expect(await refused(operation, { folderPaths: [path] }, 'product')).toContain('only assets are in folders')
  })

  test('a change of a batch needs the same number of statements for one file and for two hundred', async () => {
    const { tids } = await folderWith(...Array.from({ length: 200 }, (_, i) => `s${i}.jpg`))
    const operations = [
      { type: 'set', usageRight: 'licence', values: ['X'] },
      { type: 'link', dataType: 'keyword', to: '/Sea' },
    ]
    const count = async (some: string[]) => {
      const id = await make({ tids: some }, operations)
      return statementsOf(api, () => done(id, 'start'))
    }
    const one = await count(tids.slice(0, 1))
    expect(await count(tids.slice(1))).toBeLessThanOrEqual(one + 2)
  })

  test('three thousand files are changed in one change and undone', async () => {
    const { path } = await folderWith(...Array.from({ length: 3000 }, (_, i) => `m${i}.jpg`))
    const { id, change } = await run({ folderPaths: [path] }, { type: 'set', usageRight: 'holder', values: ['H'] })
    expect(change).toMatchObject({ total: 3000, changed: 3000 })
    expect(await done(id, 'undo')).toMatchObject({ undone: 3000 })
  })

  // prettier-ignore
  test.each([
    ['usage rights of products', { type: 'set', usageRight: 'licence', values: ['x'] }, /only assets/, 'product'],
    ['two values for one', { type: 'set', usageRight: 'licence', values: ['x', 'y'] }, /takes one value/],
    ['an unknown part', { type: 'set', usageRight: 'moon', values: ['x'] }, /usageRight/],
    ['a part and an attribute', { type: 'clear', usageRight: 'licence', attribute: 'x' }, /not both/],
    ['a calculation of keywords', { type: 'findReplace', dataType: 'keyword', find: 'x' }, /expected one of set/],
  ])('%s are refused', async (_, operation, message, kind = 'asset') => {
    expect(await refused(operation, { tids: ['A'] }, kind)).toMatch(message)
  })
})

describe('renaming', () => {
  const rename = (template: string, more: object = {}) => ({ type: 'rename', template, ...more })

  test('a pattern is previewed as old and new names, run, and undone', async () => {
    const { path, tids } = await folderWith('DSC_0001.jpg', 'DSC_0002.jpg')
    const id = await make({ folderPaths: [path] }, [rename('{$folder}_{$part:2}_{$counter:010}')])
    expect(await done(id, 'preview')).toMatchObject({ state: 'previewed', changed: 2 })
    const folder = path.split('/').at(-1)!
    expect((await itemsOf(id)).map(({ changes }) => changes![0])).toEqual([
      { dataType: 'name', before: ['DSC_0001.jpg'], after: [`${folder}_0001_010.jpg`] },
      { dataType: 'name', before: ['DSC_0002.jpg'], after: [`${folder}_0002_011.jpg`] },
    ])
    expect(await namesOf(...tids)).toEqual(['DSC_0001.jpg', 'DSC_0002.jpg'])
    expect(await done(id, 'start')).toMatchObject({ changed: 2 })
    expect(await namesOf(...tids)).toEqual([`${folder}_0001_010.jpg`, `${folder}_0002_011.jpg`])
    const again = await make({ tids }, [rename('{$name}')])
    expect(await done(again, 'start')).toMatchObject({ unchanged: 2 })
    expect(await done(id, 'undo')).toMatchObject({ undone: 2 })
    expect(await namesOf(...tids)).toEqual(['DSC_0001.jpg', 'DSC_0002.jpg'])
  })

  test('names are built from attributes, dates and the linked product, with optional parts and numbers', async () => {
    await persist(jacket('FJ-1', { name: 'Öl & Ähre' }))
    const { tids } = await folderWith('a.jpg', 'b.jpg', 'c.jpg')
    await api.db.run(sql`update dam_entry set created_at = '2026-03-04T05:06:07Z' where tid = any(${tids}::text[])`)
    await run({ tids: tids.slice(0, 2) }, { type: 'link', dataType: 'product', to: 'FJ-1' })
    await run({ tids: [tids[1]] }, { type: 'set', attribute: 'TITLE', locale: 'en_GB', values: ['Deck'] })
    const pattern = rename('{$product}_{$number:1}[_{TITLE@en_GB}]_{$created:yyyyMMdd}')
    const { change, items } = await run({ tids }, pattern)
    expect(change).toMatchObject({ changed: 2, refused: 1 })
    expect(items[2]!.reason).toContain('{$product}')
    expect(await namesOf(...tids)).toEqual(['FJ-1_1_20260304.jpg', 'FJ-1_1_Deck_20260304.jpg', 'c.jpg'])
    await run({ tids: tids.slice(0, 2) }, rename('{$productName}_{$number:01}', { plainCharacters: true, letterCase: 'lower' })) // prettier-ignore
    expect(await namesOf(...tids)).toEqual(['oel-aehre_01.jpg', 'oel-aehre_02.jpg', 'c.jpg'])
  })

  test('names are exchanged, also by many files in a circle, and undo exchanges them back', async () => {
    const count = 600 // more than a batch of other changes
    const names = Array.from({ length: count }, (_, i) => `p${i}.jpg`)
    const { tids } = await folderWith(...names)
    const { id, change } = await run({ tids }, rename('p{$counter:1}', { find: `p${count}`, replacement: 'p0' }))
    expect(change).toMatchObject({ changed: count, refused: 0 })
    expect(await namesOf(...tids)).toEqual([...names.slice(1), 'p0.jpg'])
    const history = await api.post('/api/core/v1/dam/assets/histories/retrieve', { tids: [tids[0]] })
    expect(history.text).not.toContain('~')
    expect(await done(id, 'undo')).toMatchObject({ undone: count })
    expect(await namesOf(...tids)).toEqual(names)
    const two = await folderWith('A.jpg', 'B.jpg')
    await run(
      { tids: two.tids.toReversed() },
      rename('{$name}', { find: '(A)|(B)', replacement: '$2$1', isPattern: true }),
    ) // no exchange: each keeps its letter
    expect(await namesOf(...two.tids)).toEqual(['A.jpg', 'B.jpg'])
  })

  test('equal names are refused or get a number, beside files that are there already', async () => {
    const { path, tids } = await folderWith('a.jpg', 'b.jpg', 'c.png')
    await dam.addAssets(path, 'x.jpg', 'x-2.jpg', 'y.png')
    const refusing = await run({ tids }, rename('z'))
    expect(refusing.change).toMatchObject({ changed: 1, refused: 2 })
    expect(refusing.items.map(({ reason }) => reason)).toEqual([
      '2 files would get the name z.jpg',
      '2 files would get the name z.jpg',
      undefined,
    ])
    const taken = await run({ tids: [tids[0]] }, rename('X'))
    expect(taken.change).toMatchObject({ refused: 1 })
    expect(taken.items[0]!.reason).toContain(`${path}/X.jpg`)
    const numbered = await run({ tids }, rename('x', { onConflict: 'number' }))
    expect(numbered.change).toMatchObject({ changed: 3, refused: 0 })
    expect(await namesOf(...tids)).toEqual(['x-3.jpg', 'x-4.jpg', 'x.png'])
  })

  test('a file that keeps its name also refuses those that want it', async () => {
    const { tids } = await folderWith('a.jpg', 'b.jpg', 'c.jpg')
    await api.db.run(sql`update dam_entry set locked_by = 'lou', locked_at = now() where tid = ${tids[2]}`)
    const { change } = await run({ tids }, rename('{$counter:2}', { find: '4', replacement: 'd' }))
    expect(change).toMatchObject({ changed: 2, refused: 1 })
    const chain = await folderWith('1.jpg', '2.jpg', '3.jpg')
    await api.db.run(sql`update dam_entry set locked_by = 'lou', locked_at = now() where tid = ${chain.tids[2]}`)
    const locked = await run({ tids: chain.tids }, rename('{$counter:2}'))
    expect(locked.change).toMatchObject({ changed: 0, refused: 3 })
    expect(await namesOf(...chain.tids)).toEqual(['1.jpg', '2.jpg', '3.jpg'])
  })

  test('a file that somebody else renames between preview and start, or start and undo, keeps that name', async () => {
    const { tids } = await folderWith('a.jpg', 'b.jpg')
    const id = await make({ tids }, [rename('new-{$counter:1}')])
    await done(id, 'preview')
    await dam.persistAssets({ tid: tids[1], name: 'new-1.jpg' })
    expect(await done(id, 'start')).toMatchObject({ changed: 2 })
    await dam.persistAssets({ tid: tids[0], name: 'later.jpg' })
    expect(await done(id, 'undo')).toMatchObject({ undone: 1, undoRefused: 1 })
    expect(await namesOf(...tids)).toEqual(['later.jpg', 'new-1.jpg'])
  })

  // prettier-ignore
  test.each([
    ['a path', rename('a/b'), /contains/],
    ['a device', rename('con'), /device/],
    ['a very long name', rename('x'.repeat(300)), /255/],
    ['a name that grows', rename('{$name}', { find: 'a', replacement: 'a'.repeat(5000) }), /255/],
  ])('%s is refused for the file, and nothing else happens', async (_, operation, message) => {
    const { tids } = await folderWith('a.jpg')
    const { change, items } = await run({ tids }, operation)
    expect(change).toMatchObject({ changed: 0, refused: 1 })
    expect(items[0]!.reason).toMatch(message)
    expect(await namesOf(...tids)).toEqual(['a.jpg'])
  })

  // prettier-ignore
  test.each([
    ['an unknown placeholder', rename('{$moon}'), /unknown \{\$moon\}.*\$counter/],
    ['a word of JavaScript', rename('{$constructor}'), /unknown/],
    ['an unknown attribute', rename('{moon}'), /no attribute has the tid moon/],
    ['a counter without number', rename('{$counter:x}'), /expected \{\$counter:1\}/],
    ['an open bracket', rename('[a'), /has no partner/],
    ['an open brace', rename('{a'), /has no partner/],
    ['a long pattern', rename('x'.repeat(10_000_000)), /larger than/],
    ['a long expression', rename('{$name}', { find: 'a'.repeat(5000), isPattern: true }), /1000/],
    ['a large expression', rename('{$name}', { find: '(a{1000}){1000}', isPattern: true }), /instructions/],
    ['a back-reference', rename('{$name}', { find: String.raw`(a)\1`, isPattern: true }), /RE2/],
    ['an unknown group', rename('{$name}', { find: '(a)', replacement: '$7', isPattern: true }), /group/],
    ['products', rename('x'), /only for assets/, 'product'],
  ])('%s is refused with the place', async (_, operation, message, kind = 'asset') => {
    expect(await refused(operation, { tids: ['A'] }, kind)).toMatch(message)
  })

  test('an expression that takes others exponential time is applied at once', async () => {
    const { tids } = await folderWith(`${'a'.repeat(200)}!.jpg`)
    const { change } = await run({ tids }, rename('{$name}', { find: '^(a+)+$', replacement: 'b', isPattern: true }))
    expect(change).toMatchObject({ unchanged: 1 })
  })

  test('an expression that would keep the server busy is refused for the names behind the first ones', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `${'a'.repeat(110)}${i}.jpg`)
    const { tids } = await folderWith(...names)
    const slow = rename('{$name}', { find: '(?:a?){300}.*y|a', replacement: 'b', isPattern: true })
    const { items } = await run({ tids }, slow)
    expect(items.at(-1)!.reason).toContain('takes too long for so many names')
    const long = await folderWith('long.jpg')
    await run({ tids: long.tids }, { type: 'set', attribute: 'TITLE', locale: 'en_GB', values: ['x'.repeat(20_000)] })
    const squared = rename('{TITLE@en_GB}', { find: 'x.*y|x', replacement: '', isPattern: true })
    expect((await run({ tids: long.tids }, squared)).items[0]!.reason).toContain('the text has 20000 characters')
  })

  test('renaming and moving are not possible in one change', async () => {
    const body = { kind: 'asset', selection: { tids: ['A'] }, operations: [rename('x'), { type: 'move', to: '/main' }] }
    expect((await api.post(at, body)).text).toContain('move is not possible in the same change')
  })
})

describe('links by file name', () => {
  const roles = [{ word: 'front', linkType: 'Front' }, { word: 'back', linkType: 'Back' }] // prettier-ignore
  const byName = (more: object = {}) => ({
    type: 'linkByName',
    template: '{product}[_{role}][_{number}]',
    roles,
    ...more,
  })
  const linksOf = async (tid: string) => {
    const { json } = await api.post('/api/core/v1/pim/products/retrieve', { tids: [tid] })
    const [group] = json.products.product[0].links?.itms?.filter(({ type }: { type: string }) => type === 'assetToProduct') ?? [] // prettier-ignore
    type Links = { type?: string; itm: { value: string; pos?: number }[] }
    return Object.fromEntries((group?.itms ?? []).map(({ type = '', itm }: Links) => [type, itm.map(({ value, pos }) => [value, pos])])) // prettier-ignore
  }

  test('files are linked with role and order; the preview says why others are not; undo removes only new links', async () => {
    await persist(jacket('FJ-000123', { name: 'Storm' }), jacket('FJ_2_A', { name: 'Calm' }))
    const { tids } = await folderWith('fj-000123_front_2.jpg', 'FJ_2_A_back.jpg', 'FJ-000124.jpg', 'FJ-000123_side.jpg', 'FJ-000123.jpg') // prettier-ignore
    await run({ tids: [tids[4]] }, { type: 'link', dataType: 'product', to: 'FJ-000123', linkType: 'Main' })
    const id = await make({ tids }, [byName({ linkType: 'Main' })])
    expect(await done(id, 'preview')).toMatchObject({ changed: 2, unchanged: 1, refused: 2 })
    const items = await itemsOf(id)
    expect(items.map(({ status, reason }) => reason ?? status)).toEqual([
      'changed',
      'changed',
      'no product fits the file name',
      'no type of link is chosen for the word side',
      'unchanged',
    ])
    expect(items[2]).toMatchObject({ matched: 'FJ-000124', candidates: [{ tid: 'FJ-000123', name: 'Storm' }] })
    expect(await linksOf('FJ_2_A')).toEqual({})
    expect(await done(id, 'start')).toMatchObject({ changed: 2 })
    expect(await linksOf('FJ-000123')).toEqual({ Front: [[tids[0], 2]], Main: [[tids[4], undefined]] })
    expect(await linksOf('FJ_2_A')).toEqual({ Back: [[tids[1], undefined]] })
    const again = await run({ tids: tids.slice(0, 2) }, byName())
    expect(again.change).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await done(id, 'undo')).toMatchObject({ undone: 2 })
    expect(await linksOf('FJ-000123')).toEqual({ Main: [[tids[4], undefined]] })
  })

  test('products are found by name, article number and identifier; several are ambiguous', async () => {
    await persist(
      { ...jacket('N1', { name: 'Red Anorak', ...vals({ attr: 'gtin', itm: [{ value: '4006381333931' }] }) }), articles: { article: [{ tid: 'ART-9', name: 'M' }] } }, // prettier-ignore
      jacket('N2', { name: 'Twin' }),
      { ...jacket('N3', { name: 'Twin' }), node: '/Standard/Jackets/Rain' },
    )
    const { tids } = await folderWith('red-anorak.jpg', 'ART-9.jpg', '4006381333931_1.jpg', 'twin.jpg')
    const outcome = async (tid: string, more: object) => {
      const id = await make({ tids: [tid] }, [byName(more)])
      await done(id, 'preview')
      const [item] = await itemsOf(id)
      return item!.changes?.[0]?.after[0] ?? item!.reason
    }
    expect(await outcome(tids[0]!, { matchBy: 'name' })).toBe('N1')
    expect(await outcome(tids[1]!, { matchBy: 'article' })).toBe('N1')
    expect(await outcome(tids[2]!, { matchBy: 'attribute', attribute: 'gtin' })).toBe('N1')
    expect(await outcome(tids[2]!, {})).toBe('no product fits the file name')
    expect(await outcome(tids[3]!, { matchBy: 'name' })).toBe('several products fit the file name')
  })

  test('a name that contains two products, one of them with a number, is ambiguous', async () => {
    await persist(jacket('AMB-10'), jacket('AMB-10_2'), jacket('AMB-10_front'))
    const { tids } = await folderWith('AMB-10_2.jpg', 'AMB-10_3.jpg', 'AMB-10_front.jpg', 'AMB-10_2_back.jpg')
    const { items } = await run({ tids }, byName({ roles: [{ word: 'back', linkType: 'Back' }] }))
    const several = { reason: 'several products fit the file name' }
    expect(items).toMatchObject([
      { ...several, candidates: [{ tid: 'AMB-10' }, { tid: 'AMB-10_2' }] },
      { status: 'changed', changes: [{ after: ['AMB-10'] }] },
      { status: 'changed', changes: [{ after: ['AMB-10_front'] }] },
      { status: 'changed', changes: [{ after: ['AMB-10_2'] }] },
    ])
    expect(await linksOf('AMB-10_2')).toEqual({ Back: [[tids[3], undefined]] })
  })

  test('a product that is deleted after the preview is not linked', async () => {
    await persist(jacket('GONE-1'))
    const { tids } = await folderWith('GONE-1_front.jpg')
    const id = await make({ tids }, [byName()])
    expect(await done(id, 'preview')).toMatchObject({ changed: 1 })
    await perform({ type: 'delete', tid: 'GONE-1' })
    expect(await done(id, 'start')).toMatchObject({ changed: 0, refused: 1 })
  })

  test('products, identifiers and files that the user may not read stay hidden', async () => {
    await persist(jacket('SECRET-1', { name: 'Hidden' }), { ...jacket('OPEN-1'), node: '/Standard/Jackets/Rain' })
    const open = await folderWith('SECRET-1.jpg', 'SECRET-2.jpg', 'OPEN-1.jpg')
    const closed = await folderWith('OPEN-1_front.jpg')
    const grants = [{ kind: '*', actions: ['read', 'update', 'link'], scopes: { node: ['/Standard/Jackets/Rain'], dir: [open.path] } }] // prettier-ignore
    await api.post('/api/v1/identity/roles/narrow', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'rae', roles: ['narrow'] })
    const id = await make({ tids: [...open.tids, ...closed.tids] }, [byName({ linkType: 'Main' })], token)
    expect(await done(id, 'preview', token)).toMatchObject({ state: 'previewed', changed: 1, refused: 3 })
    const { text } = await api.get(`${at}/${id}/items`, { token })
    expect(text).toContain('OPEN-1')
    expect(text).not.toContain('Hidden')
    const items = await itemsOf(id, token)
    expect(items.map(({ status, candidates = [] }) => [status, candidates])).toEqual([
      ['refused', []],
      ['refused', []],
      ['changed', []],
    ])
    expect(await done(id, 'start', token)).toMatchObject({ changed: 1, refused: 3 })
    const guess = await api.post(`${at}/patterns`, { selection: { tids: [...open.tids, ...closed.tids] } }, { token })
    expect(guess.json).toMatchObject({ examined: 3 })
    expect(guess.json.guesses[0]).toMatchObject({ matched: 1 })
    const renaming = await make({ tids: closed.tids }, [{ type: 'rename', template: 'mine' }], token)
    expect(await done(renaming, 'start', token)).toMatchObject({ changed: 0, refused: 1 })
    expect(await namesOf(...closed.tids)).toEqual(['OPEN-1_front.jpg'])
  })

  test('an identifier finds a product only where the user may see its value', async () => {
    const gtin = (value: string) => vals({ attr: 'gtin', itm: [{ value }] })
    await persist(jacket('ID-1', gtin('4012345678901')), { ...jacket('ID-2', gtin('4098765432104')), node: '/Standard/Jackets/Rain' }) // prettier-ignore
    const { path, tids } = await folderWith('4012345678901.jpg', '4098765432104.jpg')
    const actions = ['read', 'update', 'link']
    const grants = [
      { kind: '*', actions, scopes: { node: ['/Standard/Jackets'], dir: [path] }, visibleAttributes: { only: ['material'] } }, // prettier-ignore
      { kind: '*', actions, scopes: { node: ['/Standard/Jackets/Rain'], dir: [path] } },
    ]
    const role = await api.post('/api/v1/identity/roles/blind', { grants }, { method: 'PUT', token: api.adminToken })
    expect(role.status, role.text).toBe(200)
    const token = await api.tokenFor({ name: 'bo', roles: ['blind'] })
    const guess = await api.post(`${at}/patterns`, { selection: { tids } }, { token })
    expect(guess.json.guesses[0]).toMatchObject({ matchBy: 'attribute', attribute: 'gtin', matched: 1 })
    const id = await make({ tids }, [byName({ matchBy: 'attribute', attribute: 'gtin' })], token)
    await done(id, 'preview', token)
    const found = await itemsOf(id, token)
    expect(found.map(({ reason, changes }) => reason ?? changes![0]!.after[0])).toEqual(['no product fits the file name', 'ID-2']) // prettier-ignore
  })

  test('the pattern is guessed from the names', async () => {
    await persist(jacket('GS-1'), jacket('GS-2'))
    const { path } = await folderWith('GS-1-front-1.jpg', 'GS-1-back-2.jpg', 'GS-2-front.jpg', 'unknown.jpg')
    const { json } = await api.post(`${at}/patterns`, { selection: { folderPaths: [path] } })
    expect(json.examined).toBe(4)
    expect(json.guesses[0]).toEqual({
      template: '{product}[-{role}][-{number}]',
      matchBy: 'tid',
      matched: 3,
      roles: [{ word: 'back', linkType: 'Back' }, { word: 'front', linkType: 'Front' }], // prettier-ignore
    })
    expect((await api.post(`${at}/patterns`, { selection: {} })).status).toBe(400)
  })

  // prettier-ignore
  test.each([
    ['no product', byName({ template: '{role}' }), /\{product\} is missing/],
    ['an optional product', byName({ template: '[{product}]' }), /\{product\} is missing/],
    ['an unknown placeholder', byName({ template: '{product}{moon}' }), /unknown \{moon\}/],
    ['a placeholder twice', byName({ template: '{product}{product}' }), /twice/],
    ['too many optional parts', byName({ template: `{product}${'[a]'.repeat(20)}` }), /optional parts/],
    ['a text instead of an identifier', byName({ matchBy: 'attribute', attribute: 'material' }), /not an identifier/],
    ['no identifier', byName({ matchBy: 'attribute' }), /attribute is missing/],
    ['products', byName(), /only for assets/, 'product'],
  ])('%s is refused with the place', async (_, operation, message, kind = 'asset') => {
    expect(await refused(operation, { tids: ['A'] }, kind)).toMatch(message)
  })
})

describe('replacing files', () => {
  const linked = async (...tids: string[]) =>
    (await assets(...tids)).map(({ links }) => [...JSON.stringify(links ?? {}).matchAll(/"(RP-\d)"/g)].map(([, one]) => one).toSorted()) // prettier-ignore
  const link = (to: string, linkType: string) => ({ type: 'link', dataType: 'product', to, linkType })

  test('a file takes all places of others, and undo returns exactly these', async () => {
    await persist(jacket('RP-1'), jacket('RP-2'), jacket('RP-3'))
    const { tids } = await folderWith('old.jpg', 'older.jpg', 'new.jpg')
    const [old, older, fresh] = tids as [string, string, string]
    await run({ tids: [old] }, link('RP-1', 'Main'), link('RP-2', 'Main'))
    await run({ tids: [older] }, link('RP-2', 'Main'), link('RP-3', ''))
    await run({ tids: [fresh] }, link('RP-1', 'Main'))
    const before = await linked(...tids)
    const { id, change } = await run({ tids: [old, older] }, { type: 'replaceFile', to: fresh })
    expect(change).toMatchObject({ changed: 2, refused: 0 })
    expect(await linked(...tids)).toEqual([[], [], ['RP-1', 'RP-2', 'RP-3']])
    expect(await done(id, 'undo')).toMatchObject({ undone: 2, undoRefused: 0 })
    expect(await linked(...tids)).toEqual(before)
  })

  test('a file takes the place of the other among the pictures of a product, and gives it back', async () => {
    await persist(jacket('RP-9'))
    const { tids } = await folderWith('first.jpg', 'main.jpg', 'last.jpg', 'new.jpg')
    const [first, main, last, fresh] = tids as [string, string, string, string]
    for (const tid of [first, main, last]) await run({ tids: [tid] }, link('RP-9', 'Main'))
    const order = async () => {
      const { text } = await api.post('/api/core/v1/pim/products/retrieve', { tids: ['RP-9'] })
      return tids.filter((tid) => text.includes(tid)).toSorted((a, b) => text.indexOf(a) - text.indexOf(b))
    }
    expect(await order()).toEqual([first, main, last])
    const { id } = await run({ tids: [main] }, { type: 'replaceFile', to: fresh })
    expect(await order()).toEqual([first, fresh, last])
    expect(await done(id, 'undo')).toMatchObject({ undone: 1, undoRefused: 0 })
    expect(await order()).toEqual([first, main, last])
  })

  test('undo leaves a file whose places were changed since', async () => {
    await persist(jacket('RP-4'), jacket('RP-5'))
    const { tids } = await folderWith('old.jpg', 'new.jpg')
    await run({ tids: [tids[0]] }, link('RP-4', 'Main'))
    const { id } = await run({ tids: [tids[0]] }, { type: 'replaceFile', to: tids[1] })
    await run({ tids: [tids[1]] }, { type: 'unlink', dataType: 'product', to: 'RP-4', linkType: 'Main' })
    expect(await done(id, 'undo')).toMatchObject({ undone: 0, undoRefused: 1 })
    expect(await linked(...tids)).toEqual([[], []])
  })

  test('a file that is also used where the user may not read is refused as a whole', async () => {
    await persist(jacket('RP-6'), { ...jacket('RP-7'), node: '/Standard/Jackets/Rain' })
    const { path, tids } = await folderWith('old.jpg', 'new.jpg')
    await run({ tids: [tids[0]] }, link('RP-6', 'Main'), link('RP-7', 'Main'))
    const grants = [{ kind: '*', actions: ['read', 'update', 'link'], scopes: { node: ['/Standard/Jackets/Rain'], dir: [path] } }] // prettier-ignore
    await api.post('/api/v1/identity/roles/partly', { grants }, { method: 'PUT', token: api.adminToken })
    const token = await api.tokenFor({ name: 'pat', roles: ['partly'] })
    const id = await make({ tids: [tids[0]] }, [{ type: 'replaceFile', to: tids[1] }], token)
    expect(await done(id, 'start', token)).toMatchObject({ changed: 0, refused: 1 })
    expect((await api.get(`${at}/${id}/items`, { token })).text).not.toContain('RP-6')
    expect(await linked(...tids)).toEqual([['RP-6', 'RP-7'], []])
    const unknown = await run({ tids: [tids[0]] }, { type: 'replaceFile', to: 'nothing' })
    expect(unknown.items[0]!.reason).toContain('no asset has the tid nothing')
    expect(await refused({ type: 'replaceFile' })).toContain('to is missing')
  })
})
