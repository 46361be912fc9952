import { describe, expect, test } from 'vitest'
import { changesBy, codes, keyword, meta, outcomes, resourceOf, statementsOf, statuses } from '../../../test/common.ts'
import { withServer } from '../../../test/server.ts'
import { sql } from '../../adapters/postgres/sql.ts'

const api = withServer()
const { persist, perform, retrieve } = resourceOf(api, 'keywords')
const pathsBelow = async (path: string, level = -1) =>
  ((await retrieve({ path, level })).kwds?.kwd ?? []).map((kwd) => kwd.path)

describe('perform', () => {
  test('move puts a subtree under another parent or to the root', async () => {
    await persist(keyword('M1'), keyword('M2'), keyword('Sub', '/M1'), keyword('Deep', '/M1/Sub'))
    const [moved] = await perform({ type: 'move', path: '/M1/Sub', ...meta({ destinationParentPath: '/M2' }) })
    expect(moved).toMatchObject({ action: 'move', dataType: 'keyword', status: 'SUCCESS', path: '/M2/Sub' })
    expect(await pathsBelow('/M2')).toEqual(['/M2/Sub', '/M2/Sub/Deep'])
    const [top] = await perform({ type: 'move', id: moved.id, ...meta({ parentPath: '/' }) })
    expect(top.path).toBe('/Sub')
  })

  test('move is refused below itself, onto an existing name, and without a known destination', async () => {
    const [{ id }] = await persist(
      keyword('Own'),
      keyword('Child', '/Own'),
      keyword('Other'),
      keyword('Child', '/Other'),
    )
    const records = await perform(
      { type: 'move', id, ...meta({ destinationParentPath: '/Own/Child' }) },
      { type: 'move', id, ...meta({ destinationParentId: String(id) }) },
      { type: 'move', path: '/Own/Child', ...meta({ destinationParentPath: '/Other' }) },
      { type: 'move', id, ...meta({ destinationParentId: '99999999' }) },
      { type: 'move', id, ...meta({ destinationParentId: 'x' }) },
      { type: 'move', id },
      { type: 'move', ...meta({ destinationParentPath: '/' }) },
    )
    expect(outcomes(records)).toEqual([
      'the keyword /Own cannot be moved below itself',
      'the keyword /Own cannot be moved below itself',
      expect.stringContaining('a keyword /Other/Child exists already'),
      'no parent keyword has the id 99999999',
      'meta destinationParentId: x is not an id',
      'move needs meta destinationParentId or destinationParentPath (/ for the root)',
      'the action move names no object; give id or path',
    ])
  })

  test('crossing moves never make a cycle', async () => {
    await persist(keyword('CrossA'), keyword('CrossB'))
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        perform({ type: 'move', path: '/CrossA', ...meta({ destinationParentPath: '/CrossB' }) }),
        perform({ type: 'move', path: '/CrossB', ...meta({ destinationParentPath: '/CrossA' }) }),
      ])
      const roots = await pathsBelow('/', 1)
      expect(roots.filter((path) => path!.startsWith('/Cross'))).toHaveLength(1)
      for (const path of ['/CrossA/CrossB', '/CrossB/CrossA'])
        await perform({ type: 'move', path, ...meta({ parentPath: '/' }) })
    }
  })

  test('copy copies the subtree with its names; a copy of a copy in one message works too', async () => {
    await persist(
      { name: { itm: [{ value: 'Src' }, { value: 'Quelle', loc: 'de_DE' }] } },
      keyword('In', '/Src'),
      keyword('Dst'),
    )
    const records = await perform(
      { type: 'copy', path: '/Src', ...meta({ destinationParentPath: '/Dst' }) },
      { type: 'copy', path: '/Dst/Src', ...meta({ destinationParentPath: '/', newName: 'Src2' }) },
    )
    expect(records).toMatchObject([
      { action: 'copy', path: '/Dst/Src', status: 'SUCCESS' },
      { path: '/Src2', status: 'SUCCESS' },
    ])
    expect(await pathsBelow('/Dst')).toEqual(['/Dst/Src', '/Dst/Src/In'])
    expect(await pathsBelow('/Src2')).toEqual(['/Src2/In'])
    const copy = (await retrieve({ path: '/Dst' })).kwds!.kwd![0]!
    expect(copy.name!.itm).toContainEqual({ value: 'Quelle', loc: 'de_DE' })
  })

  test('copy is refused where the name is taken, and for what does not exist', async () => {
    await persist(keyword('Dup'))
    const records = await perform(
      { type: 'copy', path: '/Dup', ...meta({ destinationParentPath: '/' }) },
      { type: 'copy', path: '/NoSuch', ...meta({ destinationParentPath: '/' }) },
      { type: 'copy', path: '/Dup', ...meta({ destinationParentPath: '/NoSuch' }) },
      { type: 'copy', path: '/Dup' },
    )
    expect(statuses(records)).toEqual(['ERROR', 'ERROR', 'ERROR', 'ERROR'])
  })

  test('copies keep the order of siblings, and go into the history', async () => {
    await persist(keyword('Order'), keyword('b', '/Order'), keyword('a', '/Order'), keyword('OrderTo'))
    const { history, outbox } = await changesBy(api, () =>
      perform({ type: 'copy', path: '/Order', ...meta({ destinationParentPath: '/OrderTo' }) }),
    )
    const copied = await api.db.rows<{ name: string }>(sql`
      select name from keyword where path like '/OrderTo/Order/%' order by order_number`)
    expect(copied.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(history.map(({ action, changes }) => `${action} ${(changes as { path: string }).path}`)).toEqual([
      'copy /OrderTo/Order',
      'copy /OrderTo/Order/b',
      'copy /OrderTo/Order/a',
    ])
    expect(outbox.map(({ event }) => event)).toEqual(['CREATE', 'CREATE', 'CREATE'])
  })

  test('copies of a keyword into itself end before they fill the house', async () => {
    await persist(keyword('Doubling'))
    const records = await perform(
      ...Array.from({ length: 30 }, (_, i) => ({
        type: 'copy',
        path: '/Doubling',
        ...meta({ destinationParentPath: '/Doubling', newName: `c${i}` }),
      })),
    )
    expect(statuses(records).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'SUCCESS'))
    expect(outcomes(records).at(-1)).toBe('the copies of this message would make more than 20000 keywords')
  })

  test('a move that changes nothing leaves no trace', async () => {
    await persist(keyword('Settled'))
    const { history } = await changesBy(api, () =>
      perform({ type: 'move', path: '/Settled', ...meta({ parentPath: '/' }) }),
    )
    expect(history).toEqual([])
  })

  test('of several names of a keyword or a destination, the id is the one that counts', async () => {
    const [a, b, c] = await persist(keyword('ById'), keyword('ByPath'), keyword('Goal'))
    const records = await perform(
      { type: 'copy', id: a.id, path: '/ByPath', ...meta({ parentId: String(c.id), parentPath: '/ByPath' }) },
      { type: 'move', id: a.id, path: '/ByPath', ...meta({ parentId: String(b.id), parentPath: '/Goal' }) },
      { type: 'delete', id: c.id, path: '/ByPath' },
    )
    expect(records).toMatchObject([{ path: '/Goal/ById' }, { path: '/ByPath/ById' }, { path: '/Goal', id: c.id }])
  })

  test.each(['move', 'copy'])('%s into a parent that no id can name is refused', async (type) => {
    await persist(keyword(`Far ${type}`))
    const records = await perform(
      { type, path: `/Far ${type}`, ...meta({ destinationParentId: '9'.repeat(25) }) },
      { type, path: `/Far ${type}`, ...meta({ destinationParentId: '-1' }) },
      { type, path: `/Far ${type}`, ...meta({ destinationParentPath: '/No/Such' }) },
    )
    expect(codes(records)).toEqual(['1002', '1001', '1002'])
  })

  test.each(['move', 'copy', 'delete'])('%s costs the same for 10 keywords as for 1,000', async (type) => {
    const prepare = async (count: number) => {
      const top = `${type} ${count}`
      await persist(keyword(top), keyword(`${top} to`))
      const names = Array.from({ length: count }, (_, i) => keyword(`k${i}`, `/${top}`))
      const created = await persist(...names)
      const to = meta({ destinationParentPath: `/${top} to` })
      return () => perform(...created.map(({ id }) => ({ type, id, ...to })))
    }
    const [few, many] = [await prepare(10), await prepare(999)]
    expect(await statementsOf(api, many)).toBe(await statementsOf(api, few))
  })

  test('delete removes the subtree once; what is gone is not found', async () => {
    await persist(keyword('Gone'), keyword('Too', '/Gone'))
    const records = await perform(
      { type: 'delete', path: '/Gone' },
      { type: 'delete', path: '/Gone/Too' },
      { type: 'delete', id: 99999999 },
    )
    expect(records).toMatchObject([
      { action: 'delete', status: 'SUCCESS', path: '/Gone' },
      { status: 'ERROR', description: 'no keyword has the path /Gone/Too' },
      { status: 'ERROR', id: 99999999 },
    ])
    expect(await pathsBelow('/', 1)).not.toContain('/Gone')
  })

  test('a keyword in use is kept, unless force says otherwise', async () => {
    const [{ id }] = await persist(keyword('Used'))
    await api.db.run(
      sql`insert into link (kind, from_id, to_id, created_by) values ('keywordToAsset', ${id}, 1, 'kim')`,
    )
    expect((await perform({ type: 'delete', id }))[0]).toMatchObject({
      status: 'ERROR',
      description:
        'the keyword /Used is in use by objects that you may not read; end this first or send meta force=true',
      details: { itm: expect.arrayContaining([{ key: 'code', value: '1008' }]) },
    })
    expect(statuses(await perform({ type: 'delete', id, ...meta({ force: 'true' }) }))).toEqual(['SUCCESS'])
    const [links] = await api.db.rows<{ count: number }>(sql`select count(*)::int from link where from_id = ${id}`)
    expect(links!.count).toBe(0)
  })

  test('a link that is made meanwhile keeps its keyword', async () => {
    const [{ id }] = await persist(keyword('Coveted'))
    let deleting: Promise<unknown> | undefined
    await api.db.transaction(async (db) => {
      await db.run(sql`select id from keyword where id = ${id} for key share`)
      deleting = perform({ type: 'delete', id }).then(codes)
      await new Promise((resolve) => setTimeout(resolve, 100))
      await db.run(sql`insert into link (kind, from_id, to_id, created_by) values ('keywordToAsset', ${id}, 1, 'kim')`)
    })
    expect(await deleting).toEqual(['1008'])
  })

  test('an unknown action or data type is refused in its record', async () => {
    await persist(keyword('Act'))
    const records = await perform(
      { type: 'explode', path: '/Act' },
      { type: 'delete', path: '/Act', dataType: 'product' },
    )
    expect(outcomes(records)).toEqual([
      '@type: no action explode here; expected one of delete, move, copy',
      '@dataType: product is not handled here; expected keyword',
    ])
  })
})
