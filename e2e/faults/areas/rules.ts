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
  const remove = (tid: string) => {
    const action = [{ dataType: 'product', type: 'delete', tid }]
    return call(world, `${core}/pim/products/perform`, { body: { schemaVersion, actions: { action } } })
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
      if (stored.length > most) await remove(stored.shift()!)
      if (client.random.chance(0.3)) await look()
    },
    async *check() {
      const lacking = async () =>
        (await world.db.row<{ n: number }>(sql`
          select count(*)::int as n from unnest(${stored}::text[]) as s (tid) where not exists (
            select from link l join product p on p.id = l.from_id join product t on t.id = l.to_id
            where p.tid = s.tid and t.tid = ${target})`))!.n
      const areLinked = async () => {
        if ((await lacking()) === 0) return true
        await look()
        return undefined
      }
      for await (const violation of late(areLinked, world, 'the rule has found all products')) {
        const { json } = await call(world, '/api/v1/rules/faults')
        yield `${violation}; ${await lacking()} of ${stored.length} have not; ${JSON.stringify(json)}`
      }
    },
  }
}
