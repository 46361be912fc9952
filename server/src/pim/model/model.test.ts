import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Database, type Db } from '../../adapters/postgres/db.ts'
import { sql } from '../../adapters/postgres/sql.ts'
import { createDatabase } from '../../../test/database.ts'
import { createModels, type Models } from './model.ts'

let db: Database
let models: Models
let drop: () => Promise<void>
const statements: string[] = []
beforeAll(async () => {
  const database = await createDatabase()
  drop = database.drop
  db = connect({ ...database.poolConfig, max: 5 }, (text) => statements.push(text))
})
afterAll(async () => {
  await db.close()
  await drop()
})
beforeEach(async () => {
  models = createModels()
  for (const table of [sql`node_attribute`, sql`node`, sql`classification`, sql`attr_def`]) {
    await db.run(sql`delete from ${table}`)
  }
})

const define = (on: Db, id: number, tid: string, definition: object = {}) =>
  on.run(sql`insert into attr_def (id, tid, type, definition, created_by, modified_by)
    values (${id}, ${tid}, 'text', ${JSON.stringify(definition)}::jsonb, 'a', 'a')`)
const addNode = (id: number, parentId: number | null, path: string) =>
  db.run(sql`insert into node (id, classification_id, parent_id, tid, path, created_by, modified_by)
    values (${id}, 1, ${parentId}, ${path.split('/').at(-1)}, ${path}, 'a', 'a')`)
const attach = (id: number, nodeId: number, definitionId: number, level: string | null = null) =>
  db.run(sql`insert into node_attribute (id, node_id, attr_def_id, level, created_by, modified_by)
    values (${id}, ${nodeId}, ${definitionId}, ${level}, 'a', 'a')`)

/** A chain of ten nodes under one classification, with 50 attributes each. */
async function addChain() {
  await db.run(sql`insert into classification (id, tid, created_by, modified_by) values (1, 'Std', 'a', 'a')`)
  await db.run(sql`insert into attr_def (id, tid, type, created_by, modified_by)
    select 1000 + n, 'attr' || n, 'text', 'a', 'a' from generate_series(0, 499) n`)
  let path = ''
  for (let depth = 1; depth <= 10; depth++) {
    path += depth === 1 ? '/Std' : `/n${depth}`
    await addNode(10 + depth, depth === 1 ? null : 9 + depth, path)
  }
  await db.run(sql`insert into node_attribute (id, node_id, attr_def_id, created_by, modified_by)
    select 5000 + n, 11 + n / 50, 1000 + n, 'a', 'a' from generate_series(0, 499) n`)
  return path
}

describe('the attribute set of a node', () => {
  test('at depth 10 with 500 inherited attributes costs one statement, and is then cached', async () => {
    const path = await addChain()
    statements.length = 0
    const model = await models.load(db)
    const node = model.node(path)!
    expect(model.attributesOf(node.id).size).toBe(500)
    expect(statements).toHaveLength(2) // the version, and every row
    expect((await models.load(db)).attributesOf(node.id)).toBe(model.attributesOf(node.id))
    expect(statements).toHaveLength(3) // the version alone
  })

  test('is new for every process after any change, and the same object without one', async () => {
    const path = await addChain()
    const other = createModels()
    const before = (await models.load(db)).attributesOf(20)
    await other.load(db)
    await db.run(sql`update node_attribute set level = 'p' where id = 5000`)
    for (const each of [models, other]) {
      const after = (await each.load(db)).attributesOf(20)
      expect([...after.get('attr0')!.levels]).toEqual(['p'])
      expect([...before.get('attr0')!.levels]).toEqual(['p', 'a', 'v'])
      expect(after.get('attr0')).toMatchObject({ nodePath: '/Std', nodeId: 11 })
    }
    await db.run(sql`delete from node_attribute where id = 5000`)
    expect((await models.load(db)).attributesOf(20).has('attr0')).toBe(false)
    expect((await models.load(db)).node(path)).toMatchObject({ id: 20 })
  })

  test('takes fields that a node does not override from the nearest node above', async () => {
    await addChain()
    await db.run(sql`update node_attribute set level = 'pa', restriction = 'mandatory' where id = 5000`)
    await db.run(sql`insert into node_attribute (id, node_id, attr_def_id, restriction, created_by, modified_by)
      values (6000, 15, 1000, 'optional', 'a', 'a')`)
    const model = await models.load(db)
    const set = (nodeId: number) => model.attributesOf(nodeId).get('attr0')!
    expect([...set(14).levels]).toEqual(['p', 'a'])
    expect(set(14)).toMatchObject({ id: 5000, restriction: 'mandatory', nodePath: '/Std' })
    expect([...set(20).levels]).toEqual(['p', 'a'])
    expect(set(20)).toMatchObject({ id: 6000, restriction: 'optional', nodeId: 15 })
  })

  test('narrows the list of values, with the labels of the definition', async () => {
    await db.run(sql`insert into classification (id, tid, created_by, modified_by) values (1, 'Std', 'a', 'a')`)
    await addNode(2, null, '/Std')
    const domainVal = ['red', 'blue'].map((tid) => ({ tid, itm: [{ loc: 'en_GB', value: tid.toUpperCase() }] }))
    await define(db, 3, 'color', { domainVals: { domainVal } })
    await attach(4, 2, 3)
    await db.run(sql`update node_attribute set domain_vals = '{"domainVal":[{"tid":"blue"}]}' where id = 4`)
    const domain = (await models.load(db)).attributesOf(2).get('color')!.domain!
    expect([...domain.values]).toEqual([['blue', { en_GB: 'BLUE' }]])
  })
})

describe('the model', () => {
  test('reads only the rows that have changed', async () => {
    await define(db, 1, 'one')
    const first = await models.load(db)
    await define(db, 2, 'two')
    const second = await models.load(db)
    expect(second.definition('one')).toBe(first.definition('one'))
    expect(second.definition('two')).toMatchObject({ id: 2, type: 'text', multi: false, cardinality: 1 })
    expect(first.definition('two')).toBeUndefined()
  })

  test('is visible to the transaction that changes it, and shared only after the commit', async () => {
    await models.load(db)
    const boom = new Error('boom')
    const undone = db.transaction(async (tx) => {
      await define(tx, 1, 'mine')
      expect((await models.load(tx)).definition('mine')).toBeDefined()
      expect((await models.load(db)).definition('mine')).toBeUndefined()
      throw boom
    })
    await expect(undone).rejects.toBe(boom)
    await define(db, 2, 'theirs') // has the version that was rolled back
    const model = await models.load(db)
    expect(model.definition('mine')).toBeUndefined()
    expect(model.definition('theirs')).toBeDefined()
  })

  test('is the old one for a transaction with an older snapshot', async () => {
    await define(db, 1, 'one')
    await db.transaction(async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read`)
      await models.load(tx)
      await define(db, 2, 'two')
      expect((await models.load(db)).definition('two')).toBeDefined()
      expect((await models.load(tx)).definition('two')).toBeUndefined()
    })
    expect((await models.load(db)).definition('two')).toBeDefined()
  })

  test('cannot be changed while someone writes by it', async () => {
    const order: string[] = []
    let change: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await models.hold(tx)
      change = db.transaction(async (other) => {
        await models.lock(other)
        order.push('changed')
      })
      await new Promise((resolve) => setTimeout(resolve, 50))
      await models.hold(tx)
      order.push('written')
    })
    await change
    expect(order).toEqual(['written', 'changed'])
  })
})

describe('a definition', () => {
  const load = async (definition: object) => {
    await define(db, 1, 'x', definition)
    return (await models.load(db)).definition('x')!
  }
  test('matches the whole text against its pattern, in linear time', async () => {
    const { validation } = await load({ validation: { type: '(a+)+', minLength: 1 } })
    expect(validation!.matches('aaa')).toBe(true)
    expect(validation!.matches('aab')).toBe(false)
    expect(validation!.matches(`${'a'.repeat(20_000)}!`)).toBe(false) // a backtracking engine would never finish
  })

  test('knows its columns and its range, and has no list unless one is sent', async () => {
    expect(
      await load({ references: { itm: [{ key: 'w' }, { value: 'h' }] }, domainRange: { from: '1' } }),
    ).toMatchObject({
      columns: ['w', 'h'],
      range: { from: '1', intOnly: false },
      domain: undefined,
      validation: undefined,
      required: 'optional',
    })
  })
})
