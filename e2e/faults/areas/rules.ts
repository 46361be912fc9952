/** A rule on change: every product that matches has its link in the end, although the rule looks at changes only. */
import { addJob } from '../../../server/src/adapters/jobs/jobs.ts'
import { sql } from '../../../server/src/adapters/postgres/sql.ts'
import { call, core, recordsOf, schemaVersion } from '../client.ts'
import { late } from '../world.ts'
import type { OpenArea } from './area.ts'

const [target, name] = ['rule-target', 'matches the rule']
/** With more links the target itself would make a long run slower. */
const most = 300

export const ruleArea: OpenArea = (world) => {
  const stored: string[] = []
  const persist = (tid: string, own: string) => {
    const products = { product: [{ tid, name: own, node: '/Std' }] }
    return call(world, `${core}/pim/products/persist`, { body: { schemaVersion, products } })
  }
  const lacking = async (tids: readonly string[]) =>
    (await world.db.row<{ n: number }>(sql`
      select count(*)::int as n from unnest(${tids}::text[]) as s (tid) where not exists (
        select from link l join product p on p.id = l.from_id join product t on t.id = l.to_id
        where p.tid = s.tid and t.tid = ${target})`))!.n
  /** Deletes the oldest product if it has its link; without one it is looked at again later. */
  const forget = async () => {
    const tid = stored.shift()!
    const isLinked = await lacking([tid]).then(
      (n) => n === 0,
      () => false,
    ) // PostgreSQL may be away
    if (!isLinked) return void stored.push(tid)
    const action = [{ dataType: 'product', type: 'delete', tid }]
    await call(world, `${core}/pim/products/perform`, { body: { schemaVersion, actions: { action } } })
  }
  /** The server does so every minute. */
  const look = () => addJob(world.db, 'rule.tick', {}).catch(() => {})
  return {
    async prepare() {
      await persist(target, target)
      const rule = {
        kind: 'product',
        condition: { queryType: 'FIELD', name: 'name', comparator: 'EQ', value: name },
        operations: [{ type: 'link', dataType: 'product', to: target, linkType: 'Set' }],
        onChange: true,
      }
      const { kind, bytes } = await call(world, '/api/v1/rules/faults', { method: 'PUT', body: rule })
      if (kind !== 'ok') throw new Error(`no rule: ${bytes.toString()}`)
    },
    async step(client) {
      if (!client.random.chance(0.3)) return
      const tid = client.fresh()
      const reply = await persist(tid, name)
      if (reply.kind === 'ok' && recordsOf(reply)[0]?.status === 'SUCCESS') stored.push(tid)
      if (stored.length > most) await forget()
      if (client.random.chance(0.3)) await look()
    },
    async *check() {
      const areLinked = async () => {
        if ((await lacking(stored)) === 0) return true
        await look()
        return undefined
      }
      for await (const violation of late(areLinked, world, 'the rule has found all products')) {
        const { json } = await call(world, '/api/v1/rules/faults')
        yield `${violation}; ${await lacking(stored)} of ${stored.length} have not; ${JSON.stringify(json)}`
      }
    },
  }
}
